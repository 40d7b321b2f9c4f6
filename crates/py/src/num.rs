//! The arithmetics of a job on arrays, for those who study them (R-NUM, R-FPI, R-LOG).
//!
//! Arrays come and go as bytes in the machine's order: vectors of `elements` patterns of 32 bits,
//! one after the other, one for each worker.

use netfold_num::fpisa::{Adder, Element, Format, Register, Rounding, Shared, Variant};
use netfold_num::{
    ByteOrder, ElementType, Exponent, Operation, Scale, half_of_sum, logtable, sum_of_half,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::communicator::parse;
use crate::errors::named;

/// The refusal of blocks without elements.
const NO_BLOCK: &str = "a block of 0 elements has nothing to share; give at least 1";

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

/// Folds vectors of patterns in order, as a switch does. `block` elements share an exponent
/// (R-FPI-19). With `trace`, also returns the movement of each step (R-FPI-13).
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "an adder, its operands and what is asked for; one call from Python"
)]
pub(crate) fn fpisa_fold<'py>(
    py: Python<'py>,
    patterns: &[u8],
    elements: usize,
    block: usize,
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
    let vectors: Vec<&[[u8; 4]]> = vectors(patterns, elements).collect();
    let (registers, movements) = py
        .detach(|| match block {
            0 => None,
            1 => Some(fold_elements(&adder, &vectors, elements, trace)),
            _ => Some(fold_blocks(&adder, &vectors, elements, block, trace)),
        })
        .ok_or_else(|| configuration(NO_BLOCK.into()))?;
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

/// Registers after a fold, and the [`Movement`](netfold_num::fpisa::Movement) of each step for each
/// element if a trace was asked for.
type Registers = (Vec<Register>, Vec<u8>);

/// Folds vectors whose elements have an exponent each.
fn fold_elements(adder: &Adder, vectors: &[&[[u8; 4]]], elements: usize, trace: bool) -> Registers {
    let mut registers = vec![Register::EMPTY; elements];
    let mut movements = Vec::new();
    for vector in vectors {
        for (register, pattern) in registers.iter_mut().zip(*vector) {
            // The register's flags keep what the step says about overflow.
            let step = adder.add(register, u32::from_ne_bytes(*pattern));
            if trace {
                movements.push(step.movement as u8);
            }
        }
    }
    (registers, movements)
}

/// Folds vectors of which `block` elements, fewer at the end, share an exponent.
fn fold_blocks(
    adder: &Adder,
    vectors: &[&[[u8; 4]]],
    elements: usize,
    block: usize,
    trace: bool,
) -> Registers {
    let mut registers = Vec::with_capacity(elements);
    let mut movements = vec![0; if trace { vectors.len() * elements } else { 0 }];
    for start in (0..elements).step_by(block) {
        let lanes = start..elements.min(start.saturating_add(block));
        let mut sum = Shared { exponent: 0, elements: vec![Element::ZERO; lanes.len()] };
        for (index, vector) in vectors.iter().enumerate() {
            let floats: Vec<u32> =
                vector[lanes.clone()].iter().map(|pattern| u32::from_ne_bytes(*pattern)).collect();
            let incoming = adder.share(&floats, vec![Element::ZERO; floats.len()]);
            // The elements' flags keep what the step says about overflow.
            let step = adder.add_shared(&mut sum, &incoming);
            if trace {
                let first = index * elements;
                movements[first + lanes.start..first + lanes.end].fill(step.movement as u8);
            }
        }
        registers.extend(sum.registers());
    }
    (registers, movements)
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

/// Looks up logarithms to base 2 (R-FPI-22). Returns integers of 64 bits in units of 2^-16; the
/// smallest integer stands for no logarithm.
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

/// Looks up square roots (R-FPI-23). Returns patterns of 32 bits.
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

/// Adds vectors in order, with one rounding per step (R-NUM-4). Vectors and sums are elements of
/// `dtype`, as bytes.
#[pyfunction]
pub(crate) fn native_fold<'py>(
    py: Python<'py>,
    vectors: &[u8],
    elements: usize,
    dtype: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let lane = parse::<ElementType>(py, dtype)?;
    let order = if cfg!(target_endian = "little") { ByteOrder::Little } else { ByteOrder::Network };
    let sums = py.detach(|| {
        let mut vectors = vectors.chunks_exact((elements * lane.bytes()).max(1));
        let mut sums = vectors.next().map_or_else(Vec::new, <[u8]>::to_vec);
        for vector in vectors {
            netfold_kernels::fold(lane, Operation::Sum, order, &mut sums, vector);
        }
        sums
    });
    Ok(PyBytes::new(py, &sums))
}

/// Sums vectors of FP32 patterns in order by table lookup (R-LOG). Returns the patterns of the
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

/// Sums vectors of finite FP32 in fixed point (R-NUM-6 to 11), or with lanes of f16 if `halves`
/// (R-NUM-20 to 22). `block` elements share a factor. Returns the patterns of the sums, and 1/f of
/// each block in 64-bit floats.
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
        return Err(configuration(NO_BLOCK.into()));
    }
    let vectors: Vec<&[[u8; 4]]> = vectors(patterns, elements).collect();
    let workers = u16::try_from(vectors.len()).map_err(|_| {
        configuration(format!("{} operands are more than a job has workers", vectors.len()))
    })?;
    let (mut sums, mut units) = (Vec::with_capacity(4 * elements), Vec::new());
    for start in (0..elements).step_by(block) {
        let lanes = start..elements.min(start.saturating_add(block));
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
