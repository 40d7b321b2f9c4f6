//! The addition of two floats by tables, step by step (R-LOG-2 to 5): the first half in egress, the
//! second in the ingress of the next pass.

use super::{Tables, While, array_of};
use crate::builder::{AccessSpec, ActionSpec, Builder, TableSpec};
use crate::program::{BinOp, FieldId, Gress, Half, Match, Operand, Output, Part, Pattern, Shift};

const SIGN: u64 = 1 << 31;
const INFINITY: u64 = 0x7F80_0000;
const NOT_A_NUMBER: u64 = 0x7FC0_0000;

/// Bits of a difference of logarithms, in units of 2^-24, one of which is set where it is at least
/// 16, and the smaller operand does not count.
const FAR: std::ops::Range<u32> = 28..32;

/// The same where it is at least 1.
const FROM_ONE: u64 = 0xFF00_0000;

/// Half a unit of 2^-16, in units of 2^-24: added to a logarithm that is cut off there.
const HALF: u64 = 1 << 7;

impl Tables {
    /// Egress: from two operands to what the tables have for the difference of their logarithms
    /// (R-LOG-2 to 4).
    pub fn egress(&self, builder: &mut Builder) {
        let magnitudes = self.magnitudes(builder);
        let operands = [("x", 3), ("y", 4)].map(|operand| Addend::declare(builder, operand));
        self.order(builder, magnitudes, &operands);
        let here = While { gress: Gress::Egress, busy: self.busy };
        let [log_x, log_y] = operands.map(|operand| operand.logarithm(builder, here));
        let doc = "R-LOG-3: t, which is not below 0.";
        here.run(builder, ("difference_of_logs", 9), doc, |action| {
            let action = action.set(self.log, log_x);
            action.binary(self.apart, BinOp::SaturatingSub, log_x, log_y)
        });
        let key = builder.meta("key_of_difference", 16);
        let doc = "R-LOG-3: in units of 2^-12, rounded down.";
        here.run(builder, ("cut_difference", 10), doc, |action| action.slice(key, self.apart, 12));
        here.look_up(builder, ("mi", 11), key, self.mi);
        here.look_up(builder, ("difference", 11), key, self.drop);
    }

    /// Stages 0 and 1: by how much the second magnitude is larger; 0 if it is not.
    fn magnitudes(&self, builder: &mut Builder) -> FieldId {
        let [first, second, larger] =
            ["magnitude_x", "magnitude_y", "second_is_larger"].map(|name| builder.meta(name, 32));
        let here = While { gress: Gress::Egress, busy: self.busy };
        here.run(builder, ("magnitudes", 0), "R-LOG-2: without signs.", |action| {
            [(first, self.log), (second, self.apart)]
                .into_iter()
                .fold(action, |action, (to, from)| {
                    action.binary(to, BinOp::And, from, Operand::Const(SIGN - 1))
                })
        });
        let doc = "R-LOG-2: the larger magnitude, as an integer.";
        here.run(builder, ("compare", 1), doc, |action| {
            action.binary(larger, BinOp::SaturatingSub, second, first)
        });
        larger
    }

    /// Stage 2: the larger operand first, and both taken apart.
    fn order(&self, builder: &mut Builder, larger: FieldId, operands: &[Addend; 2]) {
        let [x, y] = operands;
        let action = |name: &str, first: FieldId, second: FieldId| {
            let action = ActionSpec::new(name).set(self.x, first).set(self.y, second);
            y.take(x.take(action, first), second)
        };
        let table = TableSpec::new("order", 2, "R-LOG-2: x is the larger operand.")
            .when(self.busy, 1)
            .key(larger, Match::Ternary)
            .action(action("stay", self.log, self.apart))
            .action(action("swap", self.apart, self.log))
            .entry(&[Pattern::Is(0)], "stay", &[])
            .otherwise("swap");
        builder.table(Gress::Egress, table);
    }

    /// Ingress, before the sum: the rest of an addition (R-LOG-3 to 5).
    pub(super) fn end(&self, builder: &mut Builder) {
        let here = While { gress: Gress::Ingress, busy: self.storing };
        let [step, total] = ["step", "total"].map(|name| builder.meta(name, 32));
        let [down, cancels] = ["down", "cancels"].map(|name| builder.meta(name, 1));
        let wide = [("mi", self.mi), ("drop", self.drop)].map(|(name, field)| {
            let wide = builder.meta(&format!("wide_{name}"), 32);
            let parts = [Part::Const { value: 0, bits: 16 }, builder.whole(field)];
            let name = format!("widen_{name}");
            here.run(builder, (&name, 0), "As wide as a logarithm.", |action| {
                action.concat(wide, &parts)
            });
            wide
        });
        self.step(builder, wide, step, down, cancels);
        let (log, up) = (self.log, ActionSpec::new("up").binary(total, BinOp::Add, self.log, step));
        let table = TableSpec::new("total", 2, "R-LOG-3, R-LOG-4: the logarithm of the sum.")
            .when(self.storing, 1)
            .key(down, Match::Ternary)
            .action(up)
            .action(ActionSpec::new("down").binary(total, BinOp::SaturatingSub, log, step))
            .entry(&[Pattern::Is(1)], "down", &[])
            .otherwise("up");
        builder.table(Gress::Ingress, table);
        let (key, exponent) =
            (builder.meta("key_of_fraction", 16), builder.meta("new_exponent", 8));
        let sign = builder.meta("sign_of_sum", 32);
        here.run(builder, ("cut_total", 3), "R-LOG-3: rounded to 2^-16.", |action| {
            let action = action.slice(key, total, 8).slice(exponent, total, 24);
            action.binary(sign, BinOp::And, self.x, Operand::Const(SIGN))
        });
        let fraction = builder.meta("new_fraction", 16);
        here.look_up(builder, ("final_exp", 4), key, fraction);
        self.assemble(builder, (sign, exponent, fraction), cancels);
    }

    /// Stage 1: the distance from the larger operand's logarithm to that of the sum.
    fn step(
        &self,
        builder: &mut Builder,
        [mi, drop]: [FieldId; 2],
        step: FieldId,
        down: FieldId,
        cancels: FieldId,
    ) {
        let shifted = |name: &str, from: FieldId, by: u64| {
            ActionSpec::new(name).shift(step, Shift::Left, from, Operand::Const(by))
        };
        let mut table = TableSpec::new("step", 1, "R-LOG-3, R-LOG-4: by what the tables have.")
            .when(self.storing, 1)
            .key(self.x, Match::Ternary)
            .key(self.y, Match::Ternary)
            .key(self.apart, Match::Ternary)
            .action(ActionSpec::new("none").put(step, 0))
            .action(ActionSpec::new("cancel").put(cancels, 1))
            .action(shifted("plus", mi, 8))
            .action(shifted("minus", drop, 8).put(down, 1))
            .action(shifted("minus_coarse", drop, 12).put(down, 1));
        let (any, is) = (Pattern::Any, Pattern::Is);
        let signs = |negative| Pattern::Masked(if negative { SIGN } else { 0 }, SIGN);
        for (x, y) in [(false, true), (true, false)] {
            table = table.entry(&[signs(x), signs(y), is(0)], "cancel", &[]);
        }
        for bit in FAR.map(|bit| 1 << bit) {
            table = table.entry(&[any, any, Pattern::Masked(bit, bit)], "none", &[]);
        }
        for (x, y) in [(false, true), (true, false)] {
            table = table
                .entry(&[signs(x), signs(y), Pattern::Masked(0, FROM_ONE)], "minus_coarse", &[])
                .entry(&[signs(x), signs(y), any], "minus", &[]);
        }
        builder.table(Gress::Ingress, table.entry(&[any, any, any], "plus", &[]));
    }

    /// Stage 5: the sum, behind the cases that no table has (R-LOG-5).
    fn assemble(
        &self,
        builder: &mut Builder,
        (sign, exponent, fraction): (FieldId, FieldId, FieldId),
        cancels: FieldId,
    ) {
        let (x, y, sum) = (self.x, self.y, self.sum);
        let whole = |field, bits| Part::Bits { field, low: 0, bits };
        let number = [
            Part::Bits { field: x, low: 31, bits: 1 },
            whole(exponent, 8),
            whole(fraction, 16),
            Part::Const { value: 0, bits: 7 },
        ];
        let infinite = ActionSpec::new("infinite");
        let infinite = infinite.binary(sum, BinOp::Or, sign, Operand::Const(INFINITY));
        let (any, is) = (Pattern::Any, Pattern::Is);
        let exponents = |value: u64| Pattern::Masked(value, INFINITY);
        let table = TableSpec::new("assemble", 5, "R-LOG-3, R-LOG-5: the sum.")
            .when(self.storing, 1)
            .key(x, Match::Ternary)
            .key(y, Match::Ternary)
            .key(cancels, Match::Ternary)
            .key(exponent, Match::Ternary)
            .action(ActionSpec::new("nan").put(sum, NOT_A_NUMBER))
            .action(ActionSpec::new("keep").set(sum, x))
            .action(ActionSpec::new("zero").put(sum, 0))
            .action(infinite)
            .action(ActionSpec::new("number").concat(sum, &number))
            .entry(&[is(INFINITY), is(SIGN | INFINITY), any, any], "nan", &[])
            .entry(&[is(SIGN | INFINITY), is(INFINITY), any, any], "nan", &[])
            .entry(&[is(INFINITY), any, any, any], "keep", &[])
            .entry(&[is(SIGN | INFINITY), any, any, any], "keep", &[])
            .entry(&[exponents(INFINITY), any, any, any], "nan", &[])
            .entry(&[exponents(0), any, any, any], "zero", &[])
            .entry(&[any, exponents(0), any, any], "keep", &[])
            .entry(&[any, any, is(1), any], "zero", &[])
            .entry(&[any, any, any, is(0)], "zero", &[])
            .entry(&[any, any, any, is(255)], "infinite", &[])
            .entry(&[any, any, any, any], "number", &[]);
        builder.table(Gress::Ingress, table);
    }
}

/// An operand, taken apart.
#[derive(Clone, Copy, Debug)]
struct Addend {
    name: &'static str,
    /// The stage that looks up its parts.
    stage: usize,
    exponent: FieldId,
    m: FieldId,
    dm: FieldId,
}

impl Addend {
    fn declare(builder: &mut Builder, (name, stage): (&'static str, usize)) -> Self {
        let mut meta = |what: &str, bits| builder.meta(&format!("{what}_of_{name}"), bits);
        Self { name, stage, exponent: meta("exponent", 8), m: meta("m", 11), dm: meta("dm", 12) }
    }

    fn take(&self, action: ActionSpec, from: FieldId) -> ActionSpec {
        action.slice(self.exponent, from, 23).slice(self.m, from, 12).slice(self.dm, from, 0)
    }

    /// Stages 3 to 8: R-LOG-2, and 127 more, so that it is not negative.
    fn logarithm(self, builder: &mut Builder, here: While) -> FieldId {
        let name = self.name;
        let mut meta = |what: &str, bits| builder.meta(&format!("{what}_of_{name}"), bits);
        let [log_m, log_dm, log_m_ln_2, key, small] =
            ["log_m", "log_dm", "log_m_ln_2", "key", "small"].map(|what| meta(what, 16));
        let [upper, lower] = ["upper", "lower"].map(|what| meta(what, 32));
        let of = |what: &str| format!("{what}_{name}");
        for (what, key, to) in [
            ("log_m", self.m, log_m),
            ("log_dm", self.dm, log_dm),
            ("log_m_ln_2", self.m, log_m_ln_2),
        ] {
            here.look_up(builder, (&of(what), self.stage), key, to);
        }
        let half = Part::Const { value: HALF, bits: 8 };
        let parts = [builder.whole(self.exponent), builder.whole(log_m), half];
        let doc = "R-LOG-2: e and log(m), with half of a unit of 2^-16 for the rounding.";
        here.run(builder, (&of("upper"), self.stage + 1), doc, |action| {
            action.concat(upper, &parts)
        });
        here.run(builder, (&of("key"), 5), "R-LOG-1: log(dm) - log(m ln 2).", |action| {
            action.binary(key, BinOp::Sub, log_dm, log_m_ln_2)
        });
        let array = array_of(builder, &of("exp"));
        let access = AccessSpec::new(array, key).output(small, Output::Old(Half::Lo));
        let table = TableSpec::new(&of("look_up_exp"), 6, "R-LOG-2: unless dm is 0.")
            .unless(self.dm, 0)
            .action(ActionSpec::new("run").access(access))
            .otherwise("run");
        builder.table(here.gress, table);
        let parts = [Part::Const { value: 0, bits: 16 }, builder.whole(small)];
        let doc = "R-LOG-2: the second term, as wide as the first.";
        here.run(builder, (&of("lower"), 7), doc, |action| action.concat(lower, &parts));
        here.run(builder, (&of("sum_of_log"), 8), "R-LOG-2: the logarithm, and 127.", |action| {
            action.binary(upper, BinOp::Add, upper, lower)
        });
        upper
    }
}
