//! The arithmetics of a job on arrays, for those who study them (R-NUM, R-FPI, R-LOG).
//!
//! Arrays come and go as bytes in the machine's order: vectors of `elements` patterns of 32 bits,
//! one after the other, one for each worker.

use netfold_num::fpisa::{Adder, Format, Register, Rounding, Variant};
use netfold_num::{Exponent, Scale, half_of_sum, logtable, sum_of_half};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::named;

/// Result of [`fpisa_fold`]: patterns of 32 bits, exponents of 8, mantissas of 64, and a byte that
/// says whether the mantissa has overflowed, each as many as there are elements; then a byte for
/// each operand, in the order of [`netfold_num::fpisa::Movement`], if they were asked for.
type Folded<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
);

/// The vectors in `patterns`, in order.
fn vectors(patterns: &[u8], elements: usize) -> impl Iterator<Item = &[[u8; 4]]> {
    patterns.as_chunks::<4>().0.chunks_exact(elements.max(1))
}

/// Folds vectors of patterns, in order, as a switch would. `trace` asks for what moved in each step
/// (R-FPI-13).
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "an adder, its operands and what is asked for; one call from Python"
)]
pub(crate) fn fpisa_fold<'py>(
    py: Python<'py>,
    patterns: &[u8],
    elements: usize,
    arithmetic: &str,
    format: &str,
    register_bits: u32,
    guard_bits: u32,
    rounding: &str,
    trace: bool,
) -> PyResult<Folded<'py>> {
    let configuration = |message: String| named(py, "ConfigurationError", message);
    let rounding = rounding_named(py, rounding)?;
    let variant = Variant::from_name(arithmetic).ok_or_else(|| {
        configuration(format!(
            "arithmetic {arithmetic:?} has no registers; choose fpisa or fpisa-a"
        ))
    })?;
    let format = format_named(py, format)?;
    let adder = Adder::new(format, variant, register_bits, guard_bits)
        .map_err(|error| configuration(error.to_string()))?;
    let (registers, movements) = py.detach(|| {
        let mut registers = vec![Register::EMPTY; elements];
        let mut movements = Vec::new();
        for vector in vectors(patterns, elements) {
            for (register, pattern) in registers.iter_mut().zip(vector) {
                // The register's flags keep what the step says about overflow.
                let step = adder.add(register, u32::from_ne_bytes(*pattern));
                if trace {
                    movements.push(step.movement as u8);
                }
            }
        }
        (registers, movements)
    });
    let read: Vec<u8> = registers
        .iter()
        .flat_map(|register| adder.read(register, rounding).to_ne_bytes())
        .collect();
    let exponents: Vec<u8> = registers.iter().map(|register| register.exponent).collect();
    let mantissas: Vec<u8> =
        registers.iter().flat_map(|register| register.mantissa.to_ne_bytes()).collect();
    let overflow: Vec<u8> = registers.iter().map(|register| register.overflowed().into()).collect();
    Ok((
        PyBytes::new(py, &read),
        PyBytes::new(py, &exponents),
        PyBytes::new(py, &mantissas),
        PyBytes::new(py, &overflow),
        PyBytes::new(py, &movements),
    ))
}

/// Multiplies patterns pair by pair, with one rounding each (R-FPI-21).
#[pyfunction]
pub(crate) fn fpisa_multiply<'py>(
    py: Python<'py>,
    left: &[u8],
    right: &[u8],
    format: &str,
    rounding: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (format, rounding) = (format_named(py, format)?, rounding_named(py, rounding)?);
    let products: Vec<u8> = py.detach(|| {
        let pairs = patterns(left).zip(patterns(right));
        pairs
            .flat_map(|(left, right)| format.multiply(left, right, rounding).to_ne_bytes())
            .collect()
    });
    Ok(PyBytes::new(py, &products))
}

/// Looks up logarithms to base 2, in units of 2^-16 (R-FPI-22): integers of 64 bits, the smallest
/// of them where there is no logarithm.
#[pyfunction]
pub(crate) fn fpisa_log2<'py>(
    py: Python<'py>,
    values: &[u8],
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_named(py, format)?;
    let of = |bits| format.log2(bits).map_or(i64::MIN, i64::from).to_ne_bytes();
    let logarithms: Vec<u8> = py.detach(|| patterns(values).flat_map(of).collect());
    Ok(PyBytes::new(py, &logarithms))
}

/// Looks up square roots (R-FPI-23).
#[pyfunction]
pub(crate) fn fpisa_square_root<'py>(
    py: Python<'py>,
    values: &[u8],
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let format = format_named(py, format)?;
    let of = |bits| format.square_root(bits).to_ne_bytes();
    let roots: Vec<u8> = py.detach(|| patterns(values).flat_map(of).collect());
    Ok(PyBytes::new(py, &roots))
}

/// Patterns of 32 bits.
fn patterns(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|pattern| u32::from_ne_bytes(*pattern))
}

fn format_named(py: Python<'_>, name: &str) -> PyResult<Format> {
    Format::from_name(name).ok_or_else(|| {
        let choices = "fp32, fp16, bf16, tf32, e5m2, e4m3";
        named(py, "ConfigurationError", format!("unknown format {name:?}; choose one of {choices}"))
    })
}

fn rounding_named(py: Python<'_>, name: &str) -> PyResult<Rounding> {
    Rounding::from_name(name).ok_or_else(|| {
        let choices = Rounding::ALL.map(Rounding::name).join(", ");
        named(
            py,
            "ConfigurationError",
            format!("unknown rounding {name:?}; choose one of {choices}"),
        )
    })
}

/// Folds vectors of FP32 patterns, in order, by table lookup (R-LOG); returns the patterns of the
/// sums.
#[pyfunction]
pub(crate) fn logtable_fold<'py>(
    py: Python<'py>,
    patterns: &[u8],
    elements: usize,
) -> Bound<'py, PyBytes> {
    let sums: Vec<u8> = py.detach(|| {
        let mut sums = vec![0; elements];
        for vector in vectors(patterns, elements) {
            for (sum, pattern) in sums.iter_mut().zip(vector) {
                *sum = logtable::add(*sum, u32::from_ne_bytes(*pattern));
            }
        }
        sums.into_iter().flat_map(u32::to_ne_bytes).collect()
    });
    PyBytes::new(py, &sums)
}

/// Sums vectors of finite FP32 in fixed point, `block` elements under one factor (R-NUM-6 to 11),
/// or with lanes of f16 (R-NUM-20 to 22). Returns the patterns of the sums, and for each block 1/f,
/// in 64-bit floats.
#[pyfunction]
pub(crate) fn block_fold<'py>(
    py: Python<'py>,
    patterns: &[u8],
    elements: usize,
    block: usize,
    halves: bool,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let configuration = |message: String| named(py, "ConfigurationError", message);
    if block == 0 {
        return Err(configuration("a block of 0 elements has no factor; give at least 1".into()));
    }
    let vectors: Vec<&[[u8; 4]]> = vectors(patterns, elements).collect();
    let workers = u16::try_from(vectors.len()).map_err(|_| {
        configuration(format!("{} operands are more than a job has workers", vectors.len()))
    })?;
    let (mut sums, mut units) = (Vec::with_capacity(4 * elements), Vec::new());
    for start in (0..elements).step_by(block) {
        let lanes = start..elements.min(start + block);
        let operand = |vector: &[[u8; 4]], lane: usize| u32::from_ne_bytes(vector[lane]);
        let exponent = vectors
            .iter()
            .flat_map(|vector| {
                lanes.clone().map(|lane| Exponent::of_magnitude_bits(operand(vector, lane)))
            })
            .max()
            .unwrap_or(Exponent::ZERO);
        let scale = if halves {
            Scale::of_halves(workers, exponent)
        } else {
            Scale::new(workers, exponent)
        };
        let scale = scale.map_err(|error| configuration(error.to_string()))?;
        units.extend(scale.inverse().to_ne_bytes());
        for lane in lanes {
            let sum = vectors
                .iter()
                .map(|vector| scale.quantise(f32::from_bits(operand(vector, lane))))
                .sum();
            let sum = if halves { sum_of_half(half_of_sum(sum)) } else { sum };
            sums.extend(scale.dequantise(sum, 1).to_ne_bytes());
        }
    }
    Ok((PyBytes::new(py, &sums), PyBytes::new(py, &units)))
}
