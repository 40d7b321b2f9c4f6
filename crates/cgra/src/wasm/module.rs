//! The parts of a module that an extraction needs.

use wasmparser::{ConstExpr, ExternalKind, Operator, Parser, Payload, TypeRef, ValType};

use crate::refusal::Refusal;

/// A function: types of its locals, and its instructions.
pub(crate) struct Function<'m> {
    pub(crate) parameters: usize,
    pub(crate) results: usize,
    /// Types of the locals, the parameters first.
    pub(crate) locals: Vec<ValType>,
    pub(crate) code: Vec<Operator<'m>>,
    /// For each `block`, `loop`, `if` and `else` the place of its `end`; of an `if` with an `else`
    /// that of the `else`.
    pub(crate) ends: Vec<usize>,
}

/// A module.
#[derive(Default)]
pub(crate) struct Module<'m> {
    pub(crate) functions: Vec<Function<'m>>,
    /// Initial values of the globals.
    pub(crate) globals: Vec<u64>,
    /// Contents of memory by their places.
    pub(crate) data: Vec<(u64, &'m [u8])>,
    /// Functions by their exported names.
    pub(crate) exports: Vec<(&'m str, u32)>,
    /// Types: number of parameters and of results.
    types: Vec<(usize, usize, Vec<ValType>)>,
}

fn wrong(error: wasmparser::BinaryReaderError) -> Refusal {
    Refusal::Module(error.to_string())
}

impl<'m> Module<'m> {
    /// Reads a module that validates.
    pub(crate) fn parse(bytes: &'m [u8]) -> Result<Self, Refusal> {
        let mut module = Self::default();
        let mut of_type = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.map_err(wrong)? {
                Payload::TypeSection(types) => {
                    for ty in types.into_iter_err_on_gc_types() {
                        let ty = ty.map_err(wrong)?;
                        let (parameters, results) = (ty.params(), ty.results());
                        module.types.push((parameters.len(), results.len(), parameters.to_vec()));
                    }
                }
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        if let TypeRef::Func(_) = import.map_err(wrong)?.ty {
                            return Err(Refusal::Instruction("an imported function".into()));
                        }
                    }
                }
                Payload::FunctionSection(functions) => {
                    for function in functions {
                        of_type.push(function.map_err(wrong)? as usize);
                    }
                }
                Payload::GlobalSection(globals) => {
                    for global in globals {
                        module.globals.push(constant(&global.map_err(wrong)?.init_expr)?);
                    }
                }
                Payload::ExportSection(exports) => {
                    for export in exports {
                        let export = export.map_err(wrong)?;
                        if export.kind == ExternalKind::Func {
                            module.exports.push((export.name, export.index));
                        }
                    }
                }
                Payload::DataSection(segments) => {
                    for segment in segments {
                        let segment = segment.map_err(wrong)?;
                        if let wasmparser::DataKind::Active { offset_expr, .. } = segment.kind {
                            module.data.push((constant(&offset_expr)?, segment.data));
                        }
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let ty = of_type.get(module.functions.len()).copied().unwrap_or(usize::MAX);
                    let ty = module.types.get(ty).cloned();
                    let ty =
                        ty.ok_or_else(|| Refusal::Module("a function without a type".into()))?;
                    module.functions.push(Function::parse(&body, ty)?);
                }
                _ => {}
            }
        }
        Ok(module)
    }

    pub(crate) fn exported(&self, name: &str) -> Option<&Function<'m>> {
        let (_, index) = self.exports.iter().find(|(export, _)| *export == name)?;
        self.functions.get(*index as usize)
    }
}

/// The value of an initialiser.
fn constant(expression: &ConstExpr<'_>) -> Result<u64, Refusal> {
    match expression.get_operators_reader().read().map_err(wrong)? {
        Operator::I32Const { value } => Ok(u64::from(value as u32)),
        Operator::I64Const { value } => Ok(value as u64),
        Operator::F32Const { value } => Ok(value.bits().into()),
        Operator::F64Const { value } => Ok(value.bits()),
        other => Err(Refusal::Instruction(format!("{other:?} as an initialiser"))),
    }
}

impl<'m> Function<'m> {
    fn parse(
        body: &wasmparser::FunctionBody<'m>,
        (parameters, results, mut locals): (usize, usize, Vec<ValType>),
    ) -> Result<Self, Refusal> {
        for group in body.get_locals_reader().map_err(wrong)? {
            let (count, ty) = group.map_err(wrong)?;
            locals.extend(std::iter::repeat_n(ty, count as usize));
        }
        let code: Result<Vec<_>, _> =
            body.get_operators_reader().map_err(wrong)?.into_iter().collect();
        let code = code.map_err(wrong)?;
        let mut ends = vec![code.len().saturating_sub(1); code.len()];
        let mut open = Vec::new();
        for (at, operator) in code.iter().enumerate() {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                    open.push(at)
                }
                Operator::Else => {
                    if let Some(begin) = open.pop() {
                        ends[begin] = at;
                    }
                    open.push(at);
                }
                Operator::End => {
                    if let Some(begin) = open.pop() {
                        ends[begin] = at;
                    }
                }
                _ => {}
            }
        }
        Ok(Self { parameters, results, locals, code, ends })
    }
}
