//! The checks of a module before anything of it is compiled.

use wasmparser::{
    Chunk, Encoding, ExternalKind, FunctionBody, Parser, Payload, ValType, Validator, WasmFeatures,
};

use crate::declaration::{Declaration, SECTION};
use crate::limits::{Count, Limits};
use crate::refused::Refused;

/// The language (R-OP-12). Without references to things of the host, which nothing gives a module.
pub(crate) const LANGUAGE: WasmFeatures = WasmFeatures::WASM2.difference(WasmFeatures::GC_TYPES);

/// Bytes of a page of memory.
pub(crate) const PAGE: u64 = 64 * 1024;

/// Alignment of operands.
pub(crate) const ALIGNMENT: usize = 64;

/// Checks a module against the limits and the rules of its form (R-OP-9, R-OP-11, R-OP-12,
/// R-OP-15), and gives its declaration. Nothing is compiled.
///
/// # Errors
/// The reason for which it is refused.
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Declaration, Refused> {
    if bytes.len() > limits.module_bytes {
        return Err(Refused::Size { bytes: bytes.len(), limit: limits.module_bytes });
    }
    if !bytes.starts_with(b"\0asm") {
        return Err(Refused::NotWasm);
    }
    let mut outline = Outline::default();
    let mut parser = Parser::new(0);
    parser.set_features(LANGUAGE);
    let mut rest = bytes;
    loop {
        // At the end of the bytes only the end of the module is no fault.
        let at_end = rest.is_empty();
        let chunk = parser
            .parse(rest, at_end)
            .map_err(|error| if at_end { Refused::Truncated } else { invalid(error) })?;
        let Chunk::Parsed { consumed, payload } = chunk else { return Err(Refused::Truncated) };
        if let Payload::End(_) = payload {
            break;
        }
        outline.take(&payload, limits)?;
        rest = &rest[consumed..];
    }
    let (memory, maximum) = outline.memory.ok_or(Refused::Export("a memory as `memory`"))?;
    let declaration =
        outline.declaration.ok_or_else(|| Refused::Declaration("it is missing".into()))?;
    let declaration = Declaration::parse(declaration).map_err(Refused::Declaration)?;
    let needed = memory.saturating_add(Buffers::of(&declaration).pages()).saturating_mul(PAGE);
    let limit = limits
        .memory_bytes
        .min(Limits::MAX_MEMORY_BYTES)
        .min(maximum.map_or(u64::MAX, |pages| pages.saturating_mul(PAGE)));
    if needed > limit {
        return Err(Refused::Memory { bytes: needed, limit });
    }
    validate(bytes)?;
    Ok(declaration)
}

/// Validates the module, and checks what it exports (R-OP-8).
fn validate(bytes: &[u8]) -> Result<(), Refused> {
    let mut validator = Validator::new_with_features(LANGUAGE);
    let types = validator.validate_all(bytes).map_err(invalid)?;
    let types = types.as_ref();
    let (mut memory, mut fold, mut map) = (false, false, true);
    for payload in Parser::new(0).parse_all(bytes) {
        let Payload::ExportSection(exports) = payload.map_err(invalid)? else { continue };
        for export in exports {
            let export = export.map_err(invalid)?;
            match (export.name, export.kind) {
                ("memory", ExternalKind::Memory) => memory = true,
                ("fold" | "map", ExternalKind::Func) => {
                    let function = types[types.core_function_at(export.index)].unwrap_func();
                    let takes = |count| {
                        function.results().is_empty()
                            && function.params() == &[ValType::I32; 3][..count]
                    };
                    if export.name == "fold" {
                        fold = takes(3);
                    } else {
                        map = takes(2);
                    }
                }
                _ => {}
            }
        }
    }
    match (memory, fold, map) {
        (false, ..) => Err(Refused::Export("a memory as `memory`")),
        (_, false, _) => Err(Refused::Export("a function `fold` of three i32, without a result")),
        (.., false) => Err(Refused::Export("its `map` as a function of two i32, without a result")),
        _ => Ok(()),
    }
}

/// The places of a call's two buffers in the memory, from the first page on that the host adds
/// (R-OP-10).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    /// Most bytes of an operand.
    pub(crate) capacity: usize,
    /// First byte of the operand, counted from the accumulator's.
    pub(crate) operand: usize,
}

impl Buffers {
    pub(crate) fn of(declaration: &Declaration) -> Self {
        let capacity = declaration.batch_bytes();
        Self { capacity, operand: capacity.next_multiple_of(ALIGNMENT) }
    }

    pub(crate) fn pages(self) -> u64 {
        ((self.operand + self.capacity) as u64).div_ceil(PAGE)
    }

    /// Bytes for operands: those of the longest one, and what is left of the last page.
    #[cfg(any(test, feature = "run"))]
    pub(crate) fn room(self) -> usize {
        (self.pages() * PAGE) as usize - self.operand
    }
}

/// Content of the sections that have been read.
#[derive(Default)]
struct Outline<'m> {
    /// Pages at the beginning, and at most.
    memory: Option<(u64, Option<u64>)>,
    declaration: Option<&'m [u8]>,
}

impl<'m> Outline<'m> {
    fn take(&mut self, payload: &Payload<'m>, limits: &Limits) -> Result<(), Refused> {
        let items = u64::from(limits.items);
        match payload {
            Payload::Version { encoding: Encoding::Component, .. } => Err(Refused::NotWasm),
            Payload::TypeSection(types) => at_most(Count::Types, types.count(), items),
            Payload::ImportSection(imports) => match imports.clone().into_imports().next() {
                None => Ok(()),
                Some(import) => {
                    let import = import.map_err(invalid)?;
                    Err(Refused::Import(format!(
                        "{}.{}",
                        import.module.escape_default(),
                        import.name.escape_default()
                    )))
                }
            },
            Payload::FunctionSection(functions) => {
                at_most(Count::Functions, functions.count(), u64::from(limits.functions))
            }
            Payload::TableSection(tables) => {
                at_most(Count::Tables, tables.count(), 1)?;
                let limit = u64::from(limits.table_elements.min(Limits::MAX_TABLE_ELEMENTS));
                for table in tables.clone() {
                    let elements = table.map_err(invalid)?.ty.initial;
                    if elements > limit {
                        return Err(Refused::Table { elements, limit });
                    }
                }
                Ok(())
            }
            Payload::MemorySection(memories) => {
                at_most(Count::Memories, memories.count(), 1)?;
                for memory in memories.clone() {
                    let memory = memory.map_err(invalid)?;
                    self.memory = Some((memory.initial, memory.maximum));
                }
                Ok(())
            }
            Payload::GlobalSection(globals) => at_most(Count::Globals, globals.count(), items),
            Payload::ExportSection(exports) => at_most(Count::Exports, exports.count(), items),
            Payload::StartSection { .. } => Err(Refused::Start),
            Payload::ElementSection(elements) => at_most(Count::Elements, elements.count(), items),
            Payload::DataSection(data) => at_most(Count::Data, data.count(), items),
            Payload::CodeSectionStart { count, .. } => {
                at_most(Count::Functions, *count, u64::from(limits.functions))
            }
            Payload::CodeSectionEntry(body) => function(body, limits),
            Payload::CustomSection(custom) if custom.name() == SECTION => {
                match self.declaration.replace(custom.data()) {
                    None => Ok(()),
                    Some(_) => Err(Refused::Declaration("there are two".into())),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Checks the size of a function.
fn function(body: &FunctionBody<'_>, limits: &Limits) -> Result<(), Refused> {
    let bytes = body.as_bytes().len();
    at_most(Count::BodyBytes, u32::try_from(bytes).unwrap_or(u32::MAX), limits.body_bytes.into())?;
    let mut locals = 0_u64;
    for group in body.get_locals_reader().map_err(invalid)? {
        locals += u64::from(group.map_err(invalid)?.0);
    }
    exceeds(Count::Locals, locals, limits.locals.into())
}

fn at_most(what: Count, found: u32, limit: u64) -> Result<(), Refused> {
    exceeds(what, found.into(), limit)
}

fn exceeds(what: Count, found: u64, limit: u64) -> Result<(), Refused> {
    if found <= limit { Ok(()) } else { Err(Refused::Count { what, found, limit }) }
}

fn invalid(error: wasmparser::BinaryReaderError) -> Refused {
    Refused::Invalid(error.to_string())
}
