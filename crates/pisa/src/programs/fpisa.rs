//! Floating-point addition in a pipeline (FPISA, NSDI 2022, sections 3 and 4): FPISA-A on the switches of today, FPISA on those with its extensions.
//!
//! A packet names a word and says whether its values begin a sum, are added to it, or are to become what it reads as. Each value has a *module*
//! of its own: tables and three register arrays, for exponents, mantissas and flags.

mod align;
mod read;

use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{
    AluOp, BinOp, FieldId, Gress, Half, Intrinsic, Match, Operand, Output, Part, Pattern, Program, Relation, StateId,
    When, Word,
};

/// EtherType of FPISA's packets here: the second that IEEE 802 leaves to experiments.
pub const ETHER_TYPE: u16 = 0x88B6;

/// What a packet asks for.
pub mod operation {
    /// The values begin a sum.
    pub const FIRST: u64 = 1;
    /// The values are added.
    pub const ADD: u64 = 2;
    /// The packet's values become what the words read as; the words stay as they are.
    pub const READ: u64 = 3;
}

/// Flags of a register (R-FPI-4, R-FPI-9), as in `num`.
pub mod flag {
    /// An operand was +infinity.
    pub const POSITIVE_INFINITY: u64 = 1;
    /// An operand was -infinity.
    pub const NEGATIVE_INFINITY: u64 = 2;
    /// An operand was NaN.
    pub const NAN: u64 = 4;
    /// A sum did not fit the mantissa.
    pub const OVERFLOW: u64 = 8;
}

/// Which of the two operands moves (R-FPI-6, R-FPI-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `fpisa-a`, for any switch: only the value that comes.
    Approximate,
    /// `fpisa`, for `fpisa-ext`: the one with the smaller exponent. At most 128 operands, which cannot overflow (R-FPI-16).
    Full,
}

/// What the program is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fpisa {
    /// Which operand moves.
    pub variant: Variant,
    /// Values of a packet, each with a module of its own.
    pub modules: u16,
    /// Words of each array, a power of two up to 65536.
    pub words: u32,
}

/// The exponent of a sum that is zero: below every other by more than the headroom, so that whatever comes replaces it (R-FPI-5).
const NO_EXPONENT: u64 = 0xFF00;

/// Mantissa bits of FP32, and the headroom of 32-bit registers (R-FPI-1).
const MANTISSA_BITS: u32 = 23;
const HEADROOM: u32 = 7;

/// The fields of the header that all modules look at.
pub(crate) struct Shared {
    pub op: FieldId,
    pub index: FieldId,
}

/// The fields of one module.
pub(crate) struct Module {
    number: u16,
    value: FieldId,
    exponent: FieldId,
    mantissa: FieldId,
    flags: FieldId,
    meta: Meta,
}

/// Metadata of one module, before replication and after.
pub(crate) struct Meta {
    /// Its exponent; [`NO_EXPONENT`] of what is zero or not finite.
    incoming: FieldId,
    /// Its mantissa without and with its sign, and behind its shift.
    magnitude: FieldId,
    signed: FieldId,
    shifted: FieldId,
    /// Whether it changes the sum, and the flag that it sets.
    adds: FieldId,
    flag: FieldId,
    /// The sum's exponent before, the distance, and, for the full variant, the distance the other way and the sum's own shift.
    stored: FieldId,
    distance: FieldId,
    back: FieldId,
    stored_by: FieldId,
    /// The largest or smallest mantissa to which it can be added, and what the addition says.
    limit: FieldId,
    added: FieldId,
    /// Behind replication: the magnitude before and after it is normalised, its exponent, and the sign.
    absolute: FieldId,
    normal: FieldId,
    normal_exponent: FieldId,
    sign: FieldId,
}

impl Fpisa {
    /// FPISA-A with one module, or FPISA with several; 1024 words.
    pub const fn new(variant: Variant, modules: u16) -> Self {
        Self { variant, modules, words: 1024 }
    }

    /// The program. Packets come back by the port that they came from, which the table `ports` says by the Ethernet address.
    pub fn program(&self) -> Program {
        build(self)
    }
}

fn build(config: &Fpisa) -> Program {
    let (name, what) = match config.variant {
        Variant::Approximate => ("fpisa_a", "FPISA-A"),
        Variant::Full => ("fpisa", "FPISA"),
    };
    let title = format!("{what}: sums of {} value(s) in FP32, {} words.", config.modules, config.words);
    let mut builder =
        Builder::new(name, &[&title, "Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md."]);
    let start = builder.state("start", &[]);
    let (shared, modules) = parse(&mut builder, config, start);
    for module in &modules {
        extract(&mut builder, module);
    }
    for module in &modules {
        align::exponent(&mut builder, config, &shared, module);
        align::shift(&mut builder, config, &shared, module);
        align::add(&mut builder, config, &shared, module);
        flags(&mut builder, config, &shared, module);
    }
    for module in &modules {
        read::normalise(&mut builder, config, &shared, module);
    }
    builder.finish()
}

fn parse(builder: &mut Builder, config: &Fpisa, start: StateId) -> (Shared, Vec<Module>) {
    let ethernet = builder.header("ethernet", &[("dst", 48), ("src", 48), ("ether_type", 16)]);
    let header = builder.header("fpisa", &[("op", 8), ("index", 16)]);
    let mut modules = Vec::new();
    let mut headers = vec![header];
    for number in 0..config.modules {
        let names = ["value", "exponent", "mantissa", "flags"];
        let sum =
            builder.header(&format!("sum{number}"), &[(names[0], 32), (names[1], 16), (names[2], 32), (names[3], 8)]);
        headers.push(sum);
        let [value, exponent, mantissa, flags] = names.map(|name| builder.of(sum, name));
        let mut meta = |name: &str, bits| builder.meta(&format!("{name}{number}"), bits);
        let meta = Meta {
            incoming: meta("incoming", 16),
            magnitude: meta("magnitude", 32),
            signed: meta("signed", 32),
            shifted: meta("shifted", 32),
            adds: meta("adds", 1),
            flag: meta("flag", 8),
            stored: meta("stored", 16),
            distance: meta("distance", 16),
            back: meta("back", 16),
            stored_by: meta("stored_by", 16),
            limit: meta("limit", 32),
            added: meta("added", 4),
            absolute: meta("absolute", 32),
            normal: meta("normal", 32),
            normal_exponent: meta("normal_exponent", 16),
            sign: meta("sign", 1),
        };
        modules.push(Module { number, value, exponent, mantissa, flags, meta });
    }
    let packet = builder.state("parse_sums", &headers[1..]);
    let inner = builder.state("parse_fpisa", &[header]);
    let first = builder.state("parse_ethernet", &[ethernet]);
    let beyond = Pattern::Masked(0, 0xFFFF & !(u64::from(config.words) - 1));
    builder.leads(start, crate::program::Transition::To(first));
    builder.selects(first, builder.of(ethernet, "ether_type"), &[(Pattern::Is(ETHER_TYPE.into()), inner)], None);
    builder.selects(inner, builder.of(header, "index"), &[(beyond, packet)], None);
    let leaving = builder.state("leaving", &[]);
    let leaving_headers: Vec<_> = [ethernet].into_iter().chain(headers).collect();
    let whole = builder.state("leaving_sums", &leaving_headers);
    builder.leads(leaving, crate::program::Transition::To(whole));
    builder.egress_parser(leaving);
    let ports = TableSpec::new("ports", 0, "The port of whoever asks.")
        .key(builder.of(ethernet, "src"), Match::Exact)
        .action(ActionSpec::new("answer").param("port", 16).set(Intrinsic::EgressPort.field(), Operand::Param(0)))
        .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
        .otherwise("refuse")
        .room(1024);
    builder.table(Gress::Ingress, ports);
    (Shared { op: builder.of(header, "op"), index: builder.of(header, "index") }, modules)
}

/// Stage 0: exponent and mantissa (R-FPI-3), and what is no number (R-FPI-4). Stage 1: the sign.
fn extract(builder: &mut Builder, module: &Module) {
    let (value, meta) = (module.value, &module.meta);
    let fraction =
        |lead: u64| [Part::Const { value: lead, bits: 9 }, Part::Bits { field: value, low: 0, bits: MANTISSA_BITS }];
    let exponent = [Part::Const { value: 0, bits: 8 }, Part::Bits { field: value, low: MANTISSA_BITS, bits: 8 }];
    let nothing = |name: &str, flag| {
        ActionSpec::new(name)
            .put(meta.incoming, NO_EXPONENT)
            .put(meta.magnitude, 0)
            .put(meta.adds, 0)
            .put(meta.flag, flag)
    };
    let doc = "R-FPI-3: exponent and mantissa. R-FPI-4: infinities and NaN set a flag.";
    let table = TableSpec::new(&format!("extract{}", module.number), 0, doc)
        .key(value, Match::Ternary)
        .action(
            ActionSpec::new("normal")
                .concat(meta.incoming, &exponent)
                .concat(meta.magnitude, &fraction(1))
                .put(meta.adds, 1),
        )
        .action(
            ActionSpec::new("subnormal").put(meta.incoming, 1).concat(meta.magnitude, &fraction(0)).put(meta.adds, 1),
        )
        .action(nothing("zero", 0))
        .action(nothing("positive_infinity", flag::POSITIVE_INFINITY))
        .action(nothing("negative_infinity", flag::NEGATIVE_INFINITY))
        .action(nothing("nan", flag::NAN))
        .entry(&[Pattern::Masked(0, 0x7FFF_FFFF)], "zero", &[])
        .entry(&[Pattern::Is(0x7F80_0000)], "positive_infinity", &[])
        .entry(&[Pattern::Is(0xFF80_0000)], "negative_infinity", &[])
        .entry(&[Pattern::Masked(0x7F80_0000, 0x7F80_0000)], "nan", &[])
        .entry(&[Pattern::Masked(0, 0x7F80_0000)], "subnormal", &[])
        .otherwise("normal");
    builder.table(Gress::Ingress, table);
    let sign = TableSpec::new(&format!("sign{}", module.number), 1, "R-FPI-3: the sign goes into the mantissa.")
        .key(value, Match::Ternary)
        .action(ActionSpec::new("plus").set(meta.signed, meta.magnitude))
        .action(ActionSpec::new("minus").binary(meta.signed, BinOp::Sub, Operand::Const(0), meta.magnitude))
        .entry(&[Pattern::Masked(1 << 31, 1 << 31)], "minus", &[])
        .otherwise("plus");
    builder.table(Gress::Ingress, sign);
}

/// Behind the addition: flags stay (R-FPI-4, R-FPI-9), and an overflow is reported.
fn flags(builder: &mut Builder, config: &Fpisa, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let array = builder.array(
        &format!("flags{}", module.number),
        Word::Single(8),
        config.words,
        "Flags of each sum (R-FPI-4, R-FPI-9).",
    );
    let access = || AccessSpec::new(array, shared.index);
    let write = |op, with: Operand| access().update(Half::Lo, When::ALWAYS, op, with);
    let (any, is) = (Pattern::Any, Pattern::Is);
    let mut table = TableSpec::new(
        &format!("flag{}", module.number),
        align::add_stage(config) + 1,
        "R-FPI-4, R-FPI-9: flags stay.",
    )
    .key(shared.op, Match::Ternary)
    .key(meta.added, Match::Ternary)
    .key(meta.shifted, Match::Ternary)
    .action(ActionSpec::new("begin").access(write(AluOp::Set, meta.flag.into())))
    .action(ActionSpec::new("note").access(write(AluOp::Or, meta.flag.into())))
    .action(ActionSpec::new("overflow").access(write(AluOp::Or, Operand::Const(flag::OVERFLOW))))
    .action(ActionSpec::new("read").access(access().output(module.flags, Output::Old(Half::Lo))))
    .entry(&[is(operation::FIRST), any, any], "begin", &[]);
    for (says, sign) in align::overflows(config) {
        table = table.entry(&[is(operation::ADD), is(says), sign], "overflow", &[]);
    }
    table =
        table.entry(&[is(operation::ADD), any, any], "note", &[]).entry(&[is(operation::READ), any, any], "read", &[]);
    builder.table(Gress::Ingress, table);
}

/// A stateful ALU's comparison with zero, for mantissas.
fn below_zero(access: AccessSpec) -> AccessSpec {
    access.compare(Half::Lo, Relation::Behind, Operand::Const(0))
}
