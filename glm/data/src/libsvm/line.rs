//! One line of libsvm text.

use crate::samples::MAX_FEATURES;

/// The rules by which a line is refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The number of the first feature: 0 or 1.
    pub base: u32,
    /// Number of features at most.
    pub features: usize,
    /// True if labels and values may be infinite or not a number.
    pub non_finite: bool,
}

/// A fault in a line, and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// The byte of the line, from 0.
    pub at: usize,
    /// The text expected there.
    pub expected: &'static str,
}

/// Reads a line without its end. Returns the label, or nothing for a line without a row. The line's
/// features go to `indices`, counted from 0, and to `values`; both are emptied before.
pub fn parse_line(
    line: &[u8],
    rules: &Rules,
    indices: &mut Vec<u32>,
    values: &mut Vec<f32>,
) -> Result<Option<f64>, Fault> {
    indices.clear();
    values.clear();
    let mut at = skip_space(line, 0);
    if ends(line, at) {
        return Ok(None);
    }
    let fault = |at, expected| Err(Fault { at, expected });
    let Ok((label, length)) = fast_float2::parse_partial::<f64, _>(&line[at..]) else {
        return fault(at, "a label, which is a number");
    };
    if !label.is_finite() && !rules.non_finite {
        return fault(at, "a finite label");
    }
    if !is_exact(&line[at..at + length], label) {
        return fault(at, INEXACT);
    }
    at += length;
    if line.get(at) == Some(&b',') {
        return fault(at, "one label for each row; split the file by label");
    }
    if !separated(line, at) {
        return fault(at, "a space after the label");
    }
    at = skip_space(line, at);
    if line[at..].starts_with(b"qid:") {
        at = skip_query(line, at + 4)?;
    }
    // What the index must be at least: the base at first, then one more than the index before.
    let mut lowest = u64::from(rules.base);
    while !ends(line, at) {
        let start = at;
        let mut index = 0_u64;
        while let Some(digit) =
            line.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
        {
            // The tenth digit is past what a u32 can hold, or one more would be: no need to look at
            // how many follow.
            index = (index * 10 + u64::from(digit)).min(u64::from(u32::MAX) + 1);
            at += 1;
        }
        if start == at {
            return fault(at, "an index, `:` and a value");
        }
        if line.get(at) != Some(&b':') {
            return fault(at, "`:` after the index");
        }
        if index < lowest {
            let expected = if index < u64::from(rules.base) {
                "an index from 1, as was asked for; if they count from 0, say so"
            } else {
                "an index above the one before; sort each row and add up repeated ones"
            };
            return fault(start, expected);
        }
        let feature = index - u64::from(rules.base);
        if feature >= rules.features as u64 {
            let expected = if rules.features == MAX_FEATURES {
                "an index that fits into 32 bits"
            } else {
                "an index within the number of features that was given"
            };
            return fault(start, expected);
        }
        lowest = index + 1;
        at += 1;
        let Ok((value, length)) = fast_float2::parse_partial::<f32, _>(&line[at..]) else {
            return fault(at, "a number after `:`");
        };
        if !value.is_finite() && !rules.non_finite {
            return fault(at, "a finite value, which fits into 32-bit floating point");
        }
        at += length;
        if !separated(line, at) {
            return fault(at, "a space after the value");
        }
        indices.push(feature as u32);
        values.push(value);
        at = skip_space(line, at);
    }
    Ok(Some(label))
}

/// Returns whether the label in `text` is kept as it is, if it is a whole number: not all beyond
/// 2^53 are. Other labels are rounded.
#[inline]
fn is_exact(text: &[u8], label: f64) -> bool {
    if text.len() <= EXACT_DIGITS {
        return true;
    }
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    !digits.iter().all(u8::is_ascii_digit)
        || str::from_utf8(text).is_ok_and(|text| text.parse() == Ok(label as i128))
}

/// Whole numbers of so many digits are all below 2^53.
const EXACT_DIGITS: usize = 15;

/// Message for a whole number that is refused, with the remedy.
const INEXACT: &str = "a label of at most 2^53, since for this one there is no 64-bit floating point number; number the classes from 0, or write it with `.0`";

/// Returns whether a value or a label that has been read ends at `at`.
#[inline]
fn separated(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(|byte| is_space(*byte) || *byte == b'#')
}

#[inline]
fn ends(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(|byte| *byte == b'#')
}

#[inline]
fn skip_space(line: &[u8], mut at: usize) -> usize {
    while line.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

/// Returns whether Python's `bytes.split` takes the byte for white space: so files mean the same as
/// to scikit-learn.
#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

fn skip_query(line: &[u8], start: usize) -> Result<usize, Fault> {
    let digits = line[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = start + digits;
    if digits == 0 || !separated(line, end) {
        return Err(Fault { at: start, expected: "a whole number after `qid:`" });
    }
    Ok(skip_space(line, end))
}

#[cfg(test)]
mod tests {
    use super::{Fault, Rules, parse_line};
    use crate::samples::MAX_FEATURES;

    const RULES: Rules = Rules { base: 0, features: MAX_FEATURES, non_finite: false };

    type Row = Option<(f64, Vec<(u32, f32)>)>;

    fn parse(line: &str, rules: &Rules) -> Result<Row, Fault> {
        let (mut indices, mut values) = (vec![9], vec![9.0]);
        let label = parse_line(line.as_bytes(), rules, &mut indices, &mut values)?;
        Ok(label.map(|label| (label, indices.into_iter().zip(values).collect())))
    }

    #[test]
    fn rows_are_read() {
        let row = |label, entries: &[(u32, f32)]| Ok(Some((label, entries.to_vec())));
        for line in
            ["+1 0:1 7:-0.5e1", " 1.0\t0:1.000 7:-5\r", "1 qid:3 0:+1 7:-5 # a:b", "1e0 0:1 7:-5#"]
        {
            assert_eq!(parse(line, &RULES), row(1.0, &[(0, 1.0), (7, -5.0)]), "{line}");
        }
        assert_eq!(parse("-3", &RULES), row(-3.0, &[]));
        assert_eq!(parse("1 1:2", &Rules { base: 1, ..RULES }), row(1.0, &[(0, 2.0)]));
        assert_eq!(parse("1 4294967294:2", &RULES), row(1.0, &[(u32::MAX - 1, 2.0)]));
        for line in ["", " \t\r", "# 1 1:2", "  # x"] {
            assert_eq!(parse(line, &RULES), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn a_fault_says_where_and_what() {
        for (line, at, word) in [
            ("x 1:2", 0, "a label"),
            ("1,2 1:2", 1, "one label"),
            ("1x 1:2", 1, "space after the label"),
            ("nan 1:2", 0, "finite label"),
            ("1 1:2 x:3", 6, "an index"),
            ("1 -1:2", 2, "an index"),
            ("1 1=2", 3, "`:`"),
            ("1 12", 4, "`:`"),
            ("1 1: 2", 4, "a number"),
            ("1 1:", 4, "a number"),
            ("1 1:2:3", 5, "space after the value"),
            ("1 1:2x", 5, "space after the value"),
            ("1 3:1 3:1", 6, "above the one before"),
            ("1 3:1 2:1", 6, "above the one before"),
            ("1 4294967295:1", 2, "32 bits"),
            ("1 99999999999999999999999:1", 2, "32 bits"),
            ("1 1:nan", 4, "finite value"),
            ("1 1:-inf", 4, "finite value"),
            ("1 1:1e39", 4, "finite value"),
            ("1 qid:x 1:1", 6, "qid"),
            ("1 qid: 1:1", 6, "qid"),
            ("1 qid:3x 1:1", 6, "qid"),
        ] {
            let fault = parse(line, &RULES).expect_err(line);
            assert_eq!((fault.at, fault.expected.contains(word)), (at, true), "{line}: {fault:?}");
        }
        let fault = parse("1 0:2", &Rules { base: 1, ..RULES }).unwrap_err();
        assert!(fault.at == 2 && fault.expected.contains("from 1"), "{fault:?}");
        let fault = parse("1 0:2 5:1", &Rules { features: 5, ..RULES }).unwrap_err();
        assert!(fault.at == 6 && fault.expected.contains("number of features"), "{fault:?}");
    }

    #[test]
    fn what_is_not_finite_is_taken_where_it_may_be() {
        let rules = Rules { non_finite: true, ..RULES };
        let (label, entries) = parse("inf 1:nan 2:-inf", &rules).unwrap().unwrap();
        assert_eq!(label, f64::INFINITY);
        assert!(entries[0].1.is_nan() && entries[1].1 == f32::NEG_INFINITY);
    }
}
