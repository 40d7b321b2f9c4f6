//! Sizes in bytes, as people write them.

use std::fmt;
use std::str::FromStr;

use bytesize::ByteSize;

/// Reads a size in bytes: a number, with a fraction and a unit if need be (`65536`, `64KiB`,
/// `1.5 GB`). `KiB`, `MiB`, `GiB` are powers of 1024; `kB`, `MB`, `GB`, and `k`, `M`, `G` alone,
/// are powers of 1000.
///
/// # Errors
/// Says what to write instead.
pub fn parse_size(text: &str) -> Result<u64, String> {
    match ByteSize::from_str(text.trim()) {
        // The parser saturates.
        Ok(ByteSize(u64::MAX)) => Err("more bytes than can be counted; write a smaller size".into()),
        Ok(size) => Ok(size.as_u64()),
        Err(_) => Err("not a size; write a number of bytes, or one with a unit, such as 65536, 64MiB or 1.5GB".into()),
    }
}

/// A number of bytes, read and shown with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse_size(text).map(Self)
    }
}

impl fmt::Display for Size {
    /// Writes a whole number if a binary unit divides it (`64 MiB`), and one digit after the point
    /// otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
        match units.into_iter().find(|(unit, _)| self.0 >= *unit) {
            None => write!(f, "{} B", self.0),
            Some((unit, name)) if self.0.is_multiple_of(unit) => {
                write!(f, "{} {name}", self.0 / unit)
            }
            Some((unit, name)) => write!(f, "{:.1} {name}", self.0 as f64 / unit as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn units_of_both_kinds() {
        let sizes = [
            ("0", 0),
            ("65536", 65536),
            ("64MiB", 64 << 20),
            (" 64 mib ", 64 << 20),
            ("1.5GiB", 3 << 29),
            ("1.5GB", 1_500_000_000),
            ("2k", 2_000),
        ];
        for (text, bytes) in sizes {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_answered_with_examples() {
        for text in ["", "lots", "-1", "64 apples", "1..5MiB", "MiB"] {
            let message = parse_size(text).unwrap_err();
            assert!(
                message.contains("not a size") && message.contains("64MiB"),
                "{text:?}: {message}"
            );
        }
        assert!(parse_size("99999999999EiB").unwrap_err().contains("smaller"));
    }

    proptest! {
        /// A shown size is at most half of its last digit away.
        #[test]
        fn what_is_shown_reads_back(bytes in 0_u64..1 << 50) {
            let shown = Size(bytes).to_string();
            let back = parse_size(&shown).unwrap();
            let unit = match shown.rsplit(' ').next() {
                Some("GiB") => 1 << 30,
                Some("MiB") => 1 << 20,
                Some("KiB") => 1 << 10,
                _ => 0,
            };
            // One more byte for reading a fraction, which cuts.
            prop_assert!(back.abs_diff(bytes) <= unit / 20 + 1, "{bytes} {shown} {back}");
        }
    }
}
