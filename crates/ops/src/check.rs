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
    let (memory, maximum) =
        outline.memory.ok_or(Refused::Export("a memory as `memory`".to_owned()))?;
    let declaration =
        outline.declaration.ok_or_else(|| Refused::Declaration("it is missing".into()))?;
    let declaration = Declaration::parse(declaration).map_err(Refused::Declaration)?;
    let needed = memory.saturating_add(Buffers::of(&declaration).pages()).saturating_mul(PAGE);
    let limit = limits
        .memory_of(&declaration)
        .min(maximum.map_or(u64::MAX, |pages| pages.saturating_mul(PAGE)));
    if needed > limit {
        return Err(Refused::Memory { bytes: needed, limit });
    }
    let exports = Exports::of(bytes)?;
    exports.check(&declaration)?;
    Ok(declaration)
}

/// The number of `i32` that a function takes, of those that netfold calls.
const FUNCTIONS: [(&str, usize); 5] =
    [("fold", 3), ("map", 2), ("decode", 3), ("encode", 3), ("answer", 3)];

/// The things that a module exports and netfold knows by name.
#[derive(Default)]
struct Exports {
    memory: bool,
    /// For each of [`FUNCTIONS`] whether it is there.
    functions: [bool; FUNCTIONS.len()],
}

impl Exports {
    /// Validates a module, and reads what it exports.
    fn of(bytes: &[u8]) -> Result<Self, Refused> {
        let mut validator = Validator::new_with_features(LANGUAGE);
        let types = validator.validate_all(bytes).map_err(invalid)?;
        let types = types.as_ref();
        let mut found = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            let Payload::ExportSection(exports) = payload.map_err(invalid)? else { continue };
            for export in exports {
                let export = export.map_err(invalid)?;
                let place = FUNCTIONS.iter().position(|(name, _)| *name == export.name);
                match (export.kind, place) {
                    (ExternalKind::Memory, _) if export.name == "memory" => found.memory = true,
                    (ExternalKind::Func, Some(place)) => {
                        let function = types[types.core_function_at(export.index)].unwrap_func();
                        let (name, count) = FUNCTIONS[place];
                        let takes = function.results().is_empty()
                            && function.params() == &[ValType::I32; 3][..count];
                        if !takes {
                            return Err(Refused::Export(format!(
                                "its `{name}` as a function of {count} i32, without a result"
                            )));
                        }
                        found.functions[place] = true;
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Checks that what a declaration needs is there (R-OP-8, R-OP-30, R-OP-32).
    fn check(&self, declaration: &Declaration) -> Result<(), Refused> {
        let needs = |there: bool, what: &str| match there {
            true => Ok(()),
            false => Err(Refused::Export(what.to_owned())),
        };
        let [fold, _, decode, encode, answer] = self.functions;
        needs(self.memory, "a memory as `memory`")?;
        needs(fold || answer, "a function `fold` of three i32, without a result")?;
        if declaration.wire.is_some() {
            needs(decode, "a function `decode` of three i32: its declaration has `wire`")?;
            needs(encode, "a function `encode` of three i32: its declaration has `wire`")?;
        } else {
            needs(!decode && !encode, "no `decode` and no `encode`, or declare `wire`")?;
        }
        let answers = declaration.state.is_some() && declaration.wire.is_none();
        needs(!answer || answers, "no `answer`, or declare `state`, and no `wire`")
    }
}

/// The places of a call's buffers in the memory, from the first page on that the host adds
/// (R-OP-10).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    /// Most bytes of an operand.
    pub(crate) capacity: usize,
    /// Bytes of an element, or of a wire element if that is longer.
    #[cfg(any(test, feature = "run"))]
    pub(crate) element: usize,
    /// First byte of the operand, counted from the accumulator's.
    pub(crate) operand: usize,
    /// First byte of an operand as it travels, behind the operand (R-OP-30), and the most bytes of
    /// one; 0 without a codec.
    pub(crate) wire: (usize, usize),
}

impl Buffers {
    pub(crate) fn of(declaration: &Declaration) -> Self {
        let capacity = declaration.batch_bytes();
        let operand = capacity.next_multiple_of(ALIGNMENT);
        let wire =
            declaration.wire.as_ref().map_or(0, |wire| declaration.batch_elements() * wire.bytes());
        Self {
            capacity,
            #[cfg(any(test, feature = "run"))]
            element: declaration.longer_bytes(),
            operand,
            wire: ((operand + capacity).next_multiple_of(ALIGNMENT), wire),
        }
    }

    pub(crate) fn pages(self) -> u64 {
        let (at, bytes) = self.wire;
        let end = if bytes > 0 { at + bytes } else { self.operand + self.capacity };
        (end as u64).div_ceil(PAGE)
    }

    /// Bytes for operands: those of the longest one, and what is left of the last page; with a
    /// codec, one.
    #[cfg(any(test, feature = "run"))]
    pub(crate) fn room(self) -> usize {
        match self.wire {
            (_, 0) => (self.pages() * PAGE) as usize - self.operand,
            (at, _) => at - self.operand,
        }
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
