//! Two tables whose values and keys are as hard as they can be: NULL, NaN of both signs, zeros of
//! both signs, infinities, subnormal numbers, ties, and keys of which a few have most rows.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int32Array,
    Int64Array, RecordBatch, StringArray,
};
use datafusion::arrow::datatypes::{DataType, FieldRef, Float32Type, Schema};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::write;
use crate::Error;

/// Sizes of the tables that [`hard`] writes.
#[derive(Clone, Copy, Debug)]
pub struct HardTables {
    /// Rows of `facts`.
    pub facts: usize,
    /// Rows of `sides`.
    pub sides: usize,
    /// Files of each table.
    pub parts: usize,
}

/// Writes `facts` and `sides` into `dir`; both are drawn from `seed`.
///
/// `facts` has `id` (unique), `k` (skewed, NULL), `s` (short and long strings, NULL), `f`, `d`
/// (FP32 and FP64 of every kind), `g` (finite FP32 of all magnitudes), `m` (decimal), `day`, `n`
/// (integers with ties). `sides` has `k`, `s`, `label`, `w`.
///
/// # Errors
///
/// [`Error::File`] if a file cannot be written.
pub fn hard(dir: &Path, tables: HardTables, seed: u64) -> Result<(), Error> {
    let mut random = Pcg64::seed_from_u64(seed);
    let keys = random.random_range(1..200);
    for part in 0..tables.parts {
        let share = |total: usize| {
            (total * part / tables.parts) as i64..(total * (part + 1) / tables.parts) as i64
        };
        write(dir, "facts", part, [facts(&mut random, share(tables.facts), keys)])?;
        write(dir, "sides", part, [sides(&mut random, share(tables.sides), keys)])?;
    }
    Ok(())
}

/// `value`, or in one of `n` cases NULL.
fn or_null<T>(random: &mut Pcg64, n: u32, value: T) -> Option<T> {
    (random.random_range(0..n) != 0).then_some(value)
}

/// Makes a batch hard: FP32 of every kind and NULL in the place of half of its floats, and the
/// first row's text in half of the rows of the columns that queries group by.
pub(super) fn harden(batch: &RecordBatch, random: &mut Pcg64) -> RecordBatch {
    const GROUPS: [&str; 3] = ["sourceip", "useragent", "languagecode"];
    let schema = batch.schema();
    let harder = |(field, column): (&FieldRef, &ArrayRef)| -> ArrayRef {
        if *field.data_type() == DataType::Float32 {
            let hard = column.as_primitive::<Float32Type>().iter().map(|value| {
                let other = float(random) as f32;
                let value = if random.random() { value } else { Some(other) };
                value.and_then(|value| or_null(random, 12, value))
            });
            return Arc::new(hard.collect::<Float32Array>());
        }
        if !GROUPS.contains(&field.name().as_str()) || column.is_empty() {
            return Arc::clone(column);
        }
        let texts: &StringArray = column.as_string();
        let first = texts.value(0);
        let hard = texts.iter().map(|text| if random.random() { text } else { Some(first) });
        Arc::new(hard.collect::<StringArray>())
    };
    let columns: Vec<ArrayRef> = schema.fields().iter().zip(batch.columns()).map(harder).collect();
    let nullable = |field: &FieldRef| field.as_ref().clone().with_nullable(true);
    let fields: Vec<_> = schema.fields().iter().map(nullable).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("types are the same")
}

/// A key below `keys`: half of the rows have one of three.
fn key(random: &mut Pcg64, keys: i64) -> i64 {
    if random.random() { random.random_range(0..3) } else { random.random_range(0..keys) }
}

/// A string for a key: short ones, long ones, and long ones that agree in the first 60 bytes.
fn text(key: i64) -> String {
    match key % 3 {
        0 => format!("k{key}"),
        1 => format!("a longer key whose number comes last, {key}"),
        _ => format!(
            "{}{key}",
            "the same sixty bytes in all of these keys, until their end".repeat(2)
        ),
    }
}

/// A float of any kind: a quarter special, a quarter of few values, a quarter of any pattern, and
/// the rest uniform.
fn float(random: &mut Pcg64) -> f64 {
    const SPECIAL: [f64; 10] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        f32::MIN_POSITIVE as f64,
        1e-45,
        f32::MAX as f64,
        f32::MIN as f64,
        1.0,
    ];
    match random.random_range(0..4) {
        0 => {
            let value = SPECIAL[random.random_range(0..SPECIAL.len())];
            if random.random() { value } else { -value }
        }
        1 => f64::from(random.random_range(-3_i8..4)),
        2 => f64::from(f32::from_bits(random.random())),
        _ => random.random_range(-1000.0..1000.0),
    }
}

/// A finite FP32 of any magnitude, so that sums cancel.
fn finite(random: &mut Pcg64) -> f32 {
    loop {
        let value = f32::from_bits(random.random());
        if value.is_finite() {
            return value;
        }
    }
}

fn facts(random: &mut Pcg64, ids: std::ops::Range<i64>, keys: i64) -> RecordBatch {
    let n = ids.clone().count();
    let group: Vec<i64> = (0..n).map(|_| key(random, keys)).collect();
    let k: Int64Array = group.iter().map(|&key| or_null(random, 20, key)).collect();
    let s: StringArray = group.iter().map(|&key| or_null(random, 20, text(key))).collect();
    let f: Float32Array = (0..n)
        .map(|_| {
            let value = float(random) as f32;
            or_null(random, 12, value)
        })
        .collect();
    let d: Float64Array = (0..n)
        .map(|_| {
            let value = float(random);
            or_null(random, 12, value)
        })
        .collect();
    let g: Float32Array = (0..n)
        .map(|_| {
            let value = finite(random);
            or_null(random, 12, value)
        })
        .collect();
    let m: Decimal128Array = (0..n)
        .map(|_| {
            let value = random.random_range(-1_000_000_000_000_i128..1_000_000_000_000);
            or_null(random, 12, value)
        })
        .collect();
    let m = m.with_precision_and_scale(15, 2).expect("thirteen digits fit");
    let day: Date32Array = (0..n)
        .map(|_| {
            let value = random.random_range(0..400);
            or_null(random, 12, value)
        })
        .collect();
    let number: Int32Array = (0..n)
        .map(|_| {
            let value = random.random_range(-5..6);
            or_null(random, 12, value)
        })
        .collect();
    let columns: [(&str, ArrayRef); 9] = [
        ("id", Arc::new(Int64Array::from_iter_values(ids))),
        ("k", Arc::new(k)),
        ("s", Arc::new(s)),
        ("f", Arc::new(f)),
        ("d", Arc::new(d)),
        ("g", Arc::new(g)),
        ("m", Arc::new(m)),
        ("day", Arc::new(day)),
        ("n", Arc::new(number)),
    ];
    batch(columns)
}

fn sides(random: &mut Pcg64, ids: std::ops::Range<i64>, keys: i64) -> RecordBatch {
    let n = ids.clone().count();
    // Twice as many keys as `facts` has: half of the rows have no match.
    let group: Vec<i64> = (0..n).map(|_| random.random_range(0..2 * keys)).collect();
    let k: Int64Array = group.iter().map(|&key| or_null(random, 20, key)).collect();
    let s: StringArray = group.iter().map(|&key| or_null(random, 20, text(key))).collect();
    let w: Float32Array = (0..n).map(|_| Some(float(random) as f32)).collect();
    let columns: [(&str, ArrayRef); 4] = [
        ("k", Arc::new(k)),
        ("s", Arc::new(s)),
        ("label", Arc::new(StringArray::from_iter_values(ids.map(|id| format!("label {id}"))))),
        ("w", Arc::new(w)),
    ];
    batch(columns)
}

/// A batch all of whose columns may be NULL, so that all files of a table have one schema.
fn batch<const N: usize>(columns: [(&str, ArrayRef); N]) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
        .expect("columns of equal length")
}
