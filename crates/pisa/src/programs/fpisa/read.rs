//! Renormalise and assemble (R-FPI-10 to 12), after replication, where there is room (section 3.2).

use super::module::{MANTISSA_BITS, Module, SIGN, Shared};
use super::{Variant, flag};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, Gress, Match, Operand, Part, Pattern, Shift};

/// Three stages behind the addition.
pub(super) fn normalise(builder: &mut Builder, shared: &Shared, module: &Module) {
    let first = shared.flags_stage();
    magnitude(builder, first, module);
    shift(builder, shared.variant, first + 1, module);
    assemble(builder, shared.last_stage(), module);
}

/// Takes sign and magnitude apart.
fn magnitude(builder: &mut Builder, stage: usize, module: &Module) {
    let (mantissa, reading, meta) = (module.at.mantissa, module.at.reading, &module.meta);
    let table = TableSpec::new(
        &format!("magnitude{}", module.number),
        stage,
        "R-FPI-10: sign and magnitude.",
    )
    .when(reading.0, reading.1)
    .key(mantissa, Match::Ternary)
    .action(ActionSpec::new("plus").set(meta.absolute, mantissa))
    .action(
        ActionSpec::new("minus")
            .binary(meta.absolute, BinOp::Sub, Operand::Const(0), mantissa)
            .put(meta.sign, SIGN),
    )
    .entry(&[Pattern::Masked(SIGN, SIGN)], "minus", &[])
    .otherwise("plus");
    builder.table(Gress::Egress, table);
}

/// Finds the leading one and moves it to its place. Towards a subnormal it moves no further than
/// the exponent reaches (R-FPI-12).
fn shift(builder: &mut Builder, variant: Variant, stage: usize, module: &Module) {
    let (exponent, reading, meta) = (module.at.exponent, module.at.reading, &module.meta);
    let place = u64::from(MANTISSA_BITS);
    let mut table = TableSpec::new(
        &format!("normalise{}", module.number),
        stage,
        "R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.",
    )
    .when(reading.0, reading.1)
    .key(meta.absolute, Match::Ternary)
    .key(exponent, Match::Range);
    let moved = |action: ActionSpec, shift, by: Operand, sign| {
        action.shift(meta.normal, shift, meta.absolute, by).binary(
            meta.normal_exponent,
            sign,
            exponent,
            by,
        )
    };
    // The direction and the distance of a shift, as the name of an action and a parameter of it.
    let name = |direction: &str, by: u64| match variant {
        Variant::Approximate => (format!("{direction}{by}"), Vec::new()),
        Variant::Full => (direction.to_owned(), vec![by]),
    };
    table = match variant {
        Variant::Full => table
            .action(moved(
                ActionSpec::new("left").param("by", 8),
                Shift::Left,
                Operand::Param(0),
                BinOp::Sub,
            ))
            .action(moved(
                ActionSpec::new("right").param("by", 8),
                Shift::Right,
                Operand::Param(0),
                BinOp::Add,
            )),
        Variant::Approximate => {
            let left = (1..=place).map(|by| (format!("left{by}"), Shift::Left, by, BinOp::Sub));
            let right =
                (1..=31 - place).map(|by| (format!("right{by}"), Shift::Right, by, BinOp::Add));
            left.chain(right).fold(table, |table, (name, shift, by, sign)| {
                table.action(moved(ActionSpec::new(&name), shift, Operand::Const(by), sign))
            })
        }
    };
    table = table.action(
        ActionSpec::new("stay").set(meta.normal, meta.absolute).set(meta.normal_exponent, exponent),
    );
    for leading in 0..32u64 {
        let one = Pattern::Masked(1 << leading, 0xFFFF_FFFF & !((1 << leading) - 1));
        if leading > place {
            let (name, values) = name("right", leading - place);
            table = table.entry(&[one, Pattern::Any], &name, &values);
            continue;
        }
        let wanted = place - leading;
        if wanted > 0 {
            let (full, values) = name("left", wanted);
            table = table.entry(&[one, Pattern::Range(wanted + 1, 0x7FFF)], &full, &values);
        }
        for least in 2..=wanted {
            let (less, values) = name("left", least - 1);
            table = table.entry(&[one, Pattern::Range(least, least)], &less, &values);
        }
    }
    builder.table(Gress::Egress, table.otherwise("stay"));
}

/// Puts the parts together, behind the checks that settle the result first (R-FPI-10).
fn assemble(builder: &mut Builder, stage: usize, module: &Module) {
    let (value, reading, meta) = (module.at.sum, module.at.reading, &module.meta);
    let number = [
        Part::Bits { field: meta.sign, low: 31, bits: 1 },
        Part::Bits { field: meta.normal_exponent, low: 0, bits: 8 },
        Part::Bits { field: meta.normal, low: 0, bits: MANTISSA_BITS },
    ];
    let (any, is) = (Pattern::Any, Pattern::Is);
    let leading = 1 << MANTISSA_BITS;
    let has = |flags| Pattern::Masked(flags, flags);
    let table = TableSpec::new(
        &format!("assemble{}", module.number),
        stage,
        "R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.",
    )
    .when(reading.0, reading.1)
    .key(module.at.flags, Match::Ternary)
    .key(meta.normal_exponent, Match::Range)
    .key(meta.normal, Match::Ternary)
    .action(ActionSpec::new("nan").put(value, 0x7FC0_0000))
    .action(ActionSpec::new("positive_infinity").put(value, 0x7F80_0000))
    .action(ActionSpec::new("negative_infinity").put(value, 0xFF80_0000))
    .action(ActionSpec::new("infinite").binary(
        value,
        BinOp::Or,
        meta.sign,
        Operand::Const(0x7F80_0000),
    ))
    .action(ActionSpec::new("normal").concat(value, &number))
    // Its leading one is below the exponent's bits.
    .action(ActionSpec::new("subnormal").binary(value, BinOp::Or, meta.sign, meta.normal))
    .entry(&[has(flag::NAN), any, any], "nan", &[])
    .entry(&[has(flag::POSITIVE_INFINITY | flag::NEGATIVE_INFINITY), any, any], "nan", &[])
    .entry(&[has(flag::POSITIVE_INFINITY), any, any], "positive_infinity", &[])
    .entry(&[has(flag::NEGATIVE_INFINITY), any, any], "negative_infinity", &[])
    .entry(&[has(flag::OVERFLOW), any, any], "nan", &[])
    .entry(&[any, any, is(0)], "subnormal", &[])
    .entry(&[any, Pattern::Range(255, 0x7FFF), any], "infinite", &[])
    .entry(&[any, any, Pattern::Masked(leading, leading)], "normal", &[])
    .otherwise("subnormal");
    builder.table(Gress::Egress, table);
}
