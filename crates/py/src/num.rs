//! FPISA's arithmetic on arrays, for whoever studies it (R-FPI).

use netfold_num::fpisa::{Adder, Format, Register, Rounding, Variant};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::named;

/// What [`fpisa_fold`] returns: patterns of 32 bits, exponents of 8, mantissas of 64, and a byte that says whether the mantissa has overflowed; each as
/// many as there are elements, in the machine's order of bytes.
type Folded<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

/// Folds `operands` vectors of `elements` patterns each, in order, as a switch would. `patterns` holds them one after the other, 32 bits each.
#[pyfunction]
pub(crate) fn fpisa_fold<'py>(
    py: Python<'py>,
    patterns: &[u8],
    elements: usize,
    arithmetic: &str,
    format: &str,
    register_bits: u32,
) -> PyResult<Folded<'py>> {
    let configuration = |message: String| named(py, "ConfigurationError", message);
    let variant = Variant::from_name(arithmetic)
        .ok_or_else(|| configuration(format!("arithmetic {arithmetic:?} has no registers; choose fpisa or fpisa-a")))?;
    let format = Format::from_name(format).ok_or_else(|| {
        configuration(format!("unknown format {format:?}; choose one of fp32, fp16, bf16, tf32, e5m2, e4m3"))
    })?;
    let adder = Adder::new(format, variant, register_bits, 0).map_err(|error| configuration(error.to_string()))?;
    let registers = py.detach(|| {
        let mut registers = vec![Register::EMPTY; elements];
        let vectors = patterns.as_chunks::<4>().0.chunks_exact(elements.max(1));
        for vector in vectors {
            for (register, pattern) in registers.iter_mut().zip(vector) {
                // The register's flags keep what the step says about overflow.
                let _ = adder.add(register, u32::from_ne_bytes(*pattern));
            }
        }
        registers
    });
    let read: Vec<u8> =
        registers.iter().flat_map(|register| adder.read(register, Rounding::TowardZero).to_ne_bytes()).collect();
    let exponents: Vec<u8> = registers.iter().map(|register| register.exponent).collect();
    let mantissas: Vec<u8> = registers.iter().flat_map(|register| register.mantissa.to_ne_bytes()).collect();
    let overflow: Vec<u8> = registers.iter().map(|register| register.overflowed().into()).collect();
    Ok((
        PyBytes::new(py, &read),
        PyBytes::new(py, &exponents),
        PyBytes::new(py, &mantissas),
        PyBytes::new(py, &overflow),
    ))
}
