//! A module: the tables and arrays that add one value to its sum, and those that read it. Its
//! program says which operation a packet asks for, and which word is meant.

use super::{Variant, align, flag, operation, read};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::check::mask;
use crate::program::{
    AluOp, BinOp, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, Relation, When, Word,
};

/// The exponent of a sum that is zero: below every other by more than the headroom, so that
/// whatever comes replaces it (R-FPI-5).
const NO_EXPONENT: u64 = 0xFF00;

/// Mantissa bits of FP32, and the headroom of 32-bit registers (R-FPI-1).
pub(super) const MANTISSA_BITS: u32 = 23;
pub(super) const HEADROOM: u32 = 7;

/// The bit of a value, or of a mantissa, that is its sign.
pub(super) const SIGN: u64 = 1 << 31;

/// The parameters that all modules of a program have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared {
    pub variant: Variant,
    /// Words of each array.
    pub words: u32,
    /// One of [`operation`], or 0 where sums are left alone; and the word. Both are known from the
    /// second stage on.
    pub op: FieldId,
    pub index: FieldId,
    /// The first of the module's stages.
    pub stage: usize,
}

impl Shared {
    /// The stage of the mantissas: `fpisa-a` needs one for the limit.
    pub fn add_stage(&self) -> usize {
        self.stage
            + match self.variant {
                Variant::Approximate => 5,
                Variant::Full => 4,
            }
    }

    /// The stage of the flags, the last before replication and the first after it.
    pub fn flags_stage(&self) -> usize {
        self.add_stage() + 1
    }

    /// The last stage of a read.
    pub fn last_stage(&self) -> usize {
        self.add_stage() + 3
    }
}

/// Fields from which a module takes its value, and fields in which it leaves its findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// The value that comes.
    pub value: FieldId,
    /// The value that the sum reads as, after replication. It may take the place of the first.
    pub sum: FieldId,
    /// A sum's parts on their way through replication. The mantissa may take the value's place.
    pub exponent: FieldId,
    pub mantissa: FieldId,
    pub flags: FieldId,
    /// The field that is 1 if a value has come, that is, if the value's header is there.
    pub there: FieldId,
    /// Becomes 1 where the addition overflows, if that is wanted.
    pub overflowed: Option<FieldId>,
    /// After replication, a sum is read where this field is this number.
    pub reading: (FieldId, u64),
}

/// One module.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(super) number: u32,
    pub(super) at: Places,
    pub(super) meta: Meta,
}

/// Metadata of one module, before replication and after.
#[derive(Clone, Debug)]
pub(super) struct Meta {
    /// Its exponent; [`NO_EXPONENT`] if it is zero or not finite.
    pub incoming: FieldId,
    /// Its mantissa without and with its sign, and behind its shift.
    pub magnitude: FieldId,
    pub signed: FieldId,
    pub shifted: FieldId,
    /// The bit that tells whether it changes the sum, and the flag that it sets.
    pub adds: FieldId,
    pub flag: FieldId,
    /// The sum's exponent before, the distance, and, for the full variant, the distance the other
    /// way and the sum's own shift.
    pub stored: FieldId,
    pub distance: FieldId,
    pub back: FieldId,
    pub stored_by: FieldId,
    /// The largest or smallest mantissa to which it can be added, and what the addition says.
    pub limit: FieldId,
    pub added: FieldId,
    /// Behind replication: the magnitude before and after it is normalised, its exponent, and the
    /// sign's bit in its place.
    pub absolute: FieldId,
    pub normal: FieldId,
    pub normal_exponent: FieldId,
    pub sign: FieldId,
}

impl Module {
    /// Declares its metadata.
    pub fn declare(builder: &mut Builder, number: u32, at: Places) -> Self {
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
            sign: meta("sign", 32),
        };
        Self { number, at, meta }
    }

    /// Adds the tables that need nothing but the value.
    pub fn take(&self, builder: &mut Builder, shared: &Shared) {
        extract(builder, shared, self);
        sign(builder, shared, self);
    }

    /// The sum: its exponent, its mantissa, its flags.
    pub fn fold(&self, builder: &mut Builder, shared: &Shared) {
        align::exponent(builder, shared, self);
        align::shift(builder, shared, self);
        align::add(builder, shared, self);
        flags(builder, shared, self);
    }

    /// Behind replication: the value that the sum reads as.
    pub fn read(&self, builder: &mut Builder, shared: &Shared) {
        read::normalise(builder, shared, self);
    }
}

/// First stage: exponent and mantissa (R-FPI-3), and values that are no numbers (R-FPI-4).
fn extract(builder: &mut Builder, shared: &Shared, module: &Module) {
    let (value, meta) = (module.at.value, &module.meta);
    let fraction = [
        Part::Const { value: 1, bits: 9 },
        Part::Bits { field: value, low: 0, bits: MANTISSA_BITS },
    ];
    let exponent = [
        Part::Const { value: 0, bits: 8 },
        Part::Bits { field: value, low: MANTISSA_BITS, bits: 8 },
    ];
    let (zero, infinite) =
        (Pattern::Masked(0, 0x7FFF_FFFF), Pattern::Masked(0x7F80_0000, 0x7F80_0000));
    let subnormal = Pattern::Masked(0, 0x7F80_0000);
    let exponents = TableSpec::new(
        &format!("incoming{}", module.number),
        shared.stage,
        "R-FPI-3, R-FPI-5: the exponent.",
    )
    .when(module.at.there, 1)
    .key(value, Match::Ternary)
    .action(ActionSpec::new("normal").concat(meta.incoming, &exponent))
    .action(ActionSpec::new("subnormal").put(meta.incoming, 1))
    .action(ActionSpec::new("nothing").put(meta.incoming, NO_EXPONENT))
    .entry(&[zero], "nothing", &[])
    .entry(&[infinite], "nothing", &[])
    .entry(&[subnormal], "subnormal", &[])
    .entry(&[Pattern::Any], "normal", &[]);
    let nothing = ActionSpec::new("nothing")
        .param("flag", 8)
        .put(meta.magnitude, 0)
        .put(meta.adds, 0)
        .set(meta.flag, Operand::Param(0));
    let doc = "R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.";
    let table = TableSpec::new(&format!("extract{}", module.number), shared.stage, doc)
        .when(module.at.there, 1)
        .key(value, Match::Ternary)
        .action(ActionSpec::new("normal").concat(meta.magnitude, &fraction).put(meta.adds, 1))
        .action(
            ActionSpec::new("subnormal")
                .binary(meta.magnitude, BinOp::And, value, Operand::Const(mask(MANTISSA_BITS)))
                .put(meta.adds, 1),
        )
        .action(nothing)
        .entry(&[zero], "nothing", &[0])
        .entry(&[Pattern::Is(0x7F80_0000)], "nothing", &[flag::POSITIVE_INFINITY])
        .entry(&[Pattern::Is(0xFF80_0000)], "nothing", &[flag::NEGATIVE_INFINITY])
        .entry(&[infinite], "nothing", &[flag::NAN])
        .entry(&[subnormal], "subnormal", &[])
        .entry(&[Pattern::Any], "normal", &[]);
    for table in [exponents, table] {
        builder.table(Gress::Ingress, table);
    }
}

/// Second stage: the sign.
fn sign(builder: &mut Builder, shared: &Shared, module: &Module) {
    let (value, meta) = (module.at.value, &module.meta);
    let doc = "R-FPI-3: the sign goes into the mantissa.";
    let sign = TableSpec::new(&format!("sign{}", module.number), shared.stage + 1, doc)
        .key(value, Match::Ternary)
        .action(ActionSpec::new("plus").set(meta.signed, meta.magnitude))
        .action(ActionSpec::new("minus").binary(
            meta.signed,
            BinOp::Sub,
            Operand::Const(0),
            meta.magnitude,
        ))
        .entry(&[Pattern::Masked(SIGN, SIGN)], "minus", &[])
        .otherwise("plus");
    builder.table(Gress::Ingress, sign);
}

/// Behind the addition: flags stay (R-FPI-4, R-FPI-9), and an overflow is reported.
fn flags(builder: &mut Builder, shared: &Shared, module: &Module) {
    let meta = &module.meta;
    let array = builder.array(
        &format!("flags{}", module.number),
        Word::Single(8),
        shared.words,
        "Flags of each sum (R-FPI-4, R-FPI-9).",
    );
    let access = || AccessSpec::new(array, shared.index);
    let write = |op, with: Operand| access().update(Half::Lo, When::ALWAYS, op, with);
    let (any, is) = (Pattern::Any, Pattern::Is);
    let overflow =
        ActionSpec::new("overflow").access(write(AluOp::Or, Operand::Const(flag::OVERFLOW)));
    let overflow =
        module.at.overflowed.into_iter().fold(overflow, |action, field| action.put(field, 1));
    let mut table = TableSpec::new(
        &format!("flag{}", module.number),
        shared.flags_stage(),
        "R-FPI-4, R-FPI-9: flags stay.",
    )
    .key(shared.op, Match::Ternary)
    .key(meta.added, Match::Ternary)
    .key(meta.shifted, Match::Ternary)
    .action(ActionSpec::new("begin").access(write(AluOp::Set, meta.flag.into())))
    .action(ActionSpec::new("note").access(write(AluOp::Or, meta.flag.into())))
    .action(overflow)
    .action(ActionSpec::new("read").access(access().output(module.at.flags, Output::Old(Half::Lo))))
    .entry(&[is(operation::FIRST), any, any], "begin", &[]);
    for (says, sign) in align::overflows(shared) {
        table = table.entry(&[is(operation::ADD), is(says), sign], "overflow", &[]);
    }
    table = table.entry(&[is(operation::ADD), any, any], "note", &[]).entry(
        &[is(operation::READ), any, any],
        "read",
        &[],
    );
    builder.table(Gress::Ingress, table);
}

/// A stateful ALU's comparison with zero, for mantissas.
pub(super) fn below_zero(access: AccessSpec) -> AccessSpec {
    access.compare(Half::Lo, Relation::Behind, Operand::Const(0))
}
