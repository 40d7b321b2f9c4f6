//! Writing libsvm text.

use std::io::{self, Write};

use super::IndexBase;
use crate::number::ALL_WHOLE;
use crate::{Features, Samples};

/// Writes samples as libsvm text, indices from 1 unless `base` is [`IndexBase::Zero`]. Numbers are
/// written so that they are read as the same bits. Zeros of dense rows are left out; a table
/// without labels gets zeros as labels.
///
/// Compression is the caller's: `output` may be an encoder. It should be buffered.
///
/// # Errors
/// The errors of `output`.
pub fn write_libsvm(samples: &Samples, base: IndexBase, mut output: impl Write) -> io::Result<()> {
    let base = u64::from(base != IndexBase::Zero);
    for row in 0..samples.rows() {
        let label = samples.labels().get(row).copied().unwrap_or(0.0);
        if label.abs() <= ALL_WHOLE as f64 {
            write!(output, "{label}")?;
        } else {
            // As a whole number it would end in zeros in place of its digits.
            write!(output, "{label:e}")?;
        }
        match samples.features() {
            Features::Dense(dense) => {
                let values = &dense.values()[row * dense.columns()..][..dense.columns()];
                for (column, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0)
                {
                    write!(output, " {}:{value}", column as u64 + base)?;
                }
            }
            Features::Csr(csr) => {
                let (indices, values) = csr.row(row);
                for (column, value) in indices.iter().zip(values) {
                    write!(output, " {}:{value}", u64::from(*column) + base)?;
                }
            }
        }
        writeln!(output)?;
    }
    Ok(())
}
