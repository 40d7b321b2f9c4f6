//! Fields, operands and instructions as P4 expressions.

use super::tables::action_name;
use super::{Arch, EmitError, names};
use crate::program::{
    Action, BinOp, Crc, FieldId, Gate, Gress, Home, Intrinsic, Op, Operand, Part, Program, Shift,
    Table,
};

/// Words that a field cannot have for a name.
const RESERVED: [&str; 12] = [
    "key", "type", "state", "action", "table", "size", "apply", "entries", "actions", "default",
    "error", "priority",
];

/// The name, or one that P4 does not keep for itself.
pub(crate) fn safe(name: &str) -> String {
    if RESERVED.contains(&name) { format!("{name}_") } else { name.into() }
}

/// The surroundings of expressions: their program, architecture and sequence of stages.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'p> {
    pub program: &'p Program,
    pub arch: Arch,
    pub gress: Gress,
    /// Within a unit fields are parameters.
    pub in_unit: bool,
}

impl Scope<'_> {
    /// A field where it is read.
    pub fn read(&self, field: FieldId) -> String {
        let item = self.program.field(field);
        match item.home {
            Home::Header(_) | Home::Metadata if self.in_unit => safe(&item.name),
            Home::Header(header) => {
                format!("hdr.{}.{}", self.program.header(header).name, safe(&item.name))
            }
            Home::Validity(header) => format!("hdr.{}.isValid()", self.program.header(header).name),
            Home::Metadata => format!("meta.{}", safe(&item.name)),
            Home::Intrinsic(intrinsic) => names::of(intrinsic, self.gress).into(),
        }
    }

    /// Bits of a field in the architecture, which may have other widths for its own.
    fn bits(&self, field: FieldId) -> u32 {
        match (self.arch, self.program.field(field).home) {
            (_, Home::Intrinsic(Intrinsic::EgressPort | Intrinsic::LeavesBy)) => 9,
            (Arch::Tna, Home::Intrinsic(Intrinsic::Drop | Intrinsic::Report)) => 3,
            _ => self.program.field(field).bits,
        }
    }

    /// An operand, as wide as it is needed.
    pub fn operand(&self, operand: Operand, action: &Action, bits: u32) -> String {
        match operand {
            Operand::Field(field) if self.bits(field) == bits => self.read(field),
            Operand::Field(field) => format!("(bit<{bits}>) {}", self.read(field)),
            Operand::Const(value) => format!("{bits}w{}", number(value)),
            Operand::Param(index) if action.params[index].1 == bits => {
                safe(&action.params[index].0)
            }
            Operand::Param(index) => format!("(bit<{bits}>) {}", safe(&action.params[index].0)),
        }
    }

    fn part(&self, part: Part) -> String {
        match part {
            Part::Bits { field, low: 0, bits } if bits == self.bits(field) => self.read(field),
            Part::Bits { field, low, bits } => {
                format!("{}[{}:{low}]", self.read(field), low + bits - 1)
            }
            Part::Const { value, bits } => format!("{bits}w{}", number(value)),
        }
    }

    /// An instruction.
    pub fn op(&self, op: &Op, table: &Table, action: &Action) -> Result<String, EmitError> {
        let to = op.writes();
        let bits = self.bits(to);
        let target = self.read(to);
        if let Some(statement) = self.special(op) {
            return Ok(statement);
        }
        if let (Arch::Tna, Some((part, zeros))) = (self.arch, op.deposit()) {
            let value = self.part(part);
            return Ok(format!(
                "{target}[{}:{zeros}] = {value}; {target}[{}:0] = 0;",
                bits - 1,
                zeros - 1
            ));
        }
        let value = match op {
            Op::Set { from, .. } => self.operand(*from, action, bits),
            Op::Binary { op, left, right, .. } => {
                let sign = match op {
                    BinOp::Add => "+",
                    BinOp::Sub => "-",
                    BinOp::SaturatingSub => "|-|",
                    BinOp::And => "&",
                    BinOp::Or => "|",
                    BinOp::Xor => "^",
                };
                format!(
                    "{} {sign} {}",
                    self.operand(*left, action, bits),
                    self.operand(*right, action, bits)
                )
            }
            Op::Shift { shift, from, by, .. } => {
                let distance = match by {
                    Operand::Const(by) => number(*by),
                    _ if self.arch == Arch::Tna => {
                        let what = "TNA shifts by constants only; use a table with an action for each distance";
                        return Err(EmitError::Operation { table: table.name.clone(), what });
                    }
                    other => self.operand(*other, action, 8),
                };
                let source = self.operand((*from).into(), action, bits);
                match shift {
                    Shift::Left => format!("{source} << {distance}"),
                    Shift::Right => format!("{source} >> {distance}"),
                    Shift::RightSigned => {
                        format!("(bit<{bits}>) ((int<{bits}>) {source} >> {distance})")
                    }
                }
            }
            Op::Slice { from, low, .. } => {
                format!("{}[{}:{low}]", self.read(*from), low + bits - 1)
            }
            Op::Concat { from, .. } => {
                let parts: Vec<_> = from.iter().map(|part| self.part(*part)).collect();
                match self.arch {
                    Arch::V1Model => parts.join(" ++ "),
                    Arch::Tna => {
                        format!(
                            "{}.get({{ {} }})",
                            hash_name(self.program, table, action, to),
                            parts.join(", ")
                        )
                    }
                }
            }
            Op::Crc32 { from, form, .. } => {
                let fields =
                    from.iter().map(|part| self.part(*part)).collect::<Vec<_>>().join(", ");
                match self.arch {
                    // The result is the hash modulo 2^32: all of it.
                    Arch::V1Model => {
                        let hash = format!(
                            "hash({target}, HashAlgorithm.crc32, 32w0, {{ {fields} }}, 64w0x100000000);"
                        );
                        return Ok(match form {
                            Crc::Ethernet => hash,
                            // bmv2's begins with ones and inverts: it differs by what it makes of
                            // as many zeros.
                            Crc::Linear => {
                                let bytes =
                                    from.iter().map(|part| part.bits()).sum::<u32>() as usize / 8;
                                let zeros =
                                    crate::alu::crc32(Crc::Ethernet, std::iter::repeat_n(0, bytes));
                                format!("{hash} {target} = {target} ^ 32w{zeros:#010x};")
                            }
                        });
                    }
                    Arch::Tna => format!(
                        "{}.get({{ {fields} }})",
                        hash_name(self.program, table, action, to)
                    ),
                }
            }
        };
        Ok(format!("{target} = {value};"))
    }

    /// Headers that come and go, packets that are dropped or reported.
    fn special(&self, op: &Op) -> Option<String> {
        let Op::Set { to, from: Operand::Const(value) } = op else { return None };
        match self.program.field(*to).home {
            Home::Validity(header) => {
                let call = if *value == 1 { "setValid" } else { "setInvalid" };
                Some(format!("hdr.{}.{call}();", self.program.header(header).name))
            }
            Home::Intrinsic(Intrinsic::Drop) => Some(format!("{};", names::drop(self.gress))),
            Home::Intrinsic(Intrinsic::Report) => Some(format!("{}({value});", names::REPORT)),
            _ => None,
        }
    }

    /// A condition before a table.
    pub fn gate(&self, gate: &Gate) -> String {
        let item = self.program.field(gate.field);
        match item.home {
            Home::Validity(_) => {
                let there = (gate.value == 1) == gate.equal;
                format!("{}{}", if there { "" } else { "!" }, self.read(gate.field))
            }
            _ => {
                let sign = if gate.equal { "==" } else { "!=" };
                format!(
                    "{} {sign} {}w{}",
                    self.read(gate.field),
                    self.bits(gate.field),
                    number(gate.value)
                )
            }
        }
    }
}

/// The hash unit by which an action writes a field: each gives one function of its fields.
pub(crate) fn hash_name(program: &Program, table: &Table, action: &Action, to: FieldId) -> String {
    format!("hash_{}_{}", action_name(table, &action.name), program.field(to).name)
}

/// A number, in hexadecimal where that is easier to read.
pub(crate) fn number(value: u64) -> String {
    if value < 1024 { value.to_string() } else { format!("{value:#X}").replacen("0X", "0x", 1) }
}
