//! `netfold op bench`: the time of an operation beside that of a built-in one.

use std::hint::black_box;
use std::path::Path;

use netfold_num::{ByteOrder, ElementType, Operation as BuiltIn};
use netfold_ops::{Operation, Timing, side_by_side};

use super::wrong;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Bytes of an operand: those of 256 `i32`.
const BYTES: usize = 1024;

/// Operands that are folded in one go, as those of eight workers.
const OPERANDS: usize = 7;

const ROUNDS: usize = 201;

pub(super) fn run(operation: &Operation, module: &Path) -> Result<i32, Error> {
    let declaration = operation.declaration();
    let element = declaration.element.bytes();
    let bytes = (BYTES / element).max(1) * element;
    let bytes = bytes.min(declaration.batch_bytes());
    let instance = || operation.instance().map_err(wrong(module));
    let (mut single, mut several) = (instance()?, instance()?);
    // The left and the right operand are zeros: of other operands the time may be another.
    let (operand, lanes) = (vec![0; bytes], vec![1; BYTES]);
    let (mut sums, mut one) = (vec![0; BYTES], vec![0; bytes]);
    let wire = several.encode(&operand).map_err(wrong(module))?;
    let mut all = wire.clone();
    let (mut first, mut second) = (Ok(()), Ok(()));
    let folds = operation.folds();
    let timings = side_by_side(
        ROUNDS,
        &mut [
            &mut || {
                let (sums, lanes) = (black_box(&mut sums), black_box(&lanes));
                netfold_kernels::fold(
                    ElementType::I32,
                    BuiltIn::Sum,
                    ByteOrder::Little,
                    sums,
                    lanes,
                );
            },
            &mut || {
                let one = black_box(&mut one);
                let done = match folds {
                    true => single.fold(one, black_box(&operand)),
                    false => single.answer(one, 0),
                };
                first = first.clone().and(done);
            },
            &mut || {
                let operands = black_box([wire.as_slice(); OPERANDS]);
                let done = match folds {
                    true => several.round(black_box(&mut all), operands, false),
                    false => Ok(()),
                };
                second = second.clone().and(done);
            },
        ],
    );
    first.and(second).map_err(wrong(module))?;
    let [built_in, single, several] = timings[..] else { unreachable!("three are timed") };
    let mut table = terminal::table(["", "ns, median", "quartiles", "times built-in"]);
    let mut row = |what: String, timing: Timing, share: f64| {
        let [lower, median, upper] =
            [timing.lower_ns, timing.median_ns, timing.upper_ns].map(|time| time * share);
        table.add_row([
            what,
            format!("{median:.0}"),
            format!("{lower:.0} to {upper:.0}"),
            format!("{:.2}", median / built_in.median_ns),
        ]);
    };
    row("built-in sum of 256 i32".into(), built_in, 1.0);
    let what = if folds { "" } else { "the answer to a request of " };
    row(format!("{}, {what}{bytes} bytes", declaration.name), single, 1.0);
    if folds {
        let codec = declaration.wire.as_ref().map_or("", |_| ", decoded and encoded");
        let share = 1.0 / OPERANDS as f64;
        row(format!("the same, each of {OPERANDS} operands at once{codec}"), several, share);
    }
    terminal::say(&format!("{table}\n"))?;
    Ok(SUCCESS)
}
