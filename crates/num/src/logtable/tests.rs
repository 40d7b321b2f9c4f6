//! The tables against logarithms in `f64`, and sums against exact ones (R-LOG-6).

extern crate std;

use super::tables::FINE;
use super::*;
use proptest::prelude::*;

/// Half an entry, and what the way to it may lose: far less than 2^-10 of an entry.
fn check(entry: impl Into<f64>, exact: f64) {
    let entry = entry.into();
    assert!((entry - exact).abs() <= 0.5 + 2f64.powi(-10), "{entry} for {exact}");
}

#[test]
fn every_entry_is_the_nearest() {
    // R-LOG-1, R-LOG-4
    let ln_2 = core::f64::consts::LN_2;
    let (fine, coarse) = (65536.0, 4096.0);
    for e in 0..256 {
        assert_eq!(i32::from(TABLES.exponent[e]), e as i32 - 127);
    }
    for key in 2048..4096 {
        let m = key as f64 / 2048.0;
        check(TABLES.log_m[key], m.log2() * fine);
        check(TABLES.log_m_ln_2[key], (m * ln_2).log2() * coarse);
    }
    for key in 1..4096 {
        check(TABLES.log_dm[key], ((key as f64).log2() + 1.0) * coarse);
    }
    for (key, &difference) in DIFFERENCES.iter().enumerate() {
        let t = (key as f64 + 0.5) / coarse;
        check(TABLES.exp[key], (key as f64 / coarse).exp2().min(65535.0));
        check(TABLES.mi[key], (-t).exp2().ln_1p() / ln_2 * fine);
        check(TABLES.final_exp[key], (key as f64 / fine).exp2() * fine - fine);
        let unit = if key < FINE { coarse } else { fine };
        check(difference, -(-(-t).exp2()).ln_1p() / ln_2 * unit);
    }
}

#[test]
fn the_memory_is_what_the_paper_counts() {
    // 256, three times 4096 and three times 65536 entries of two bytes.
    assert_eq!(TABLES_BYTES, 2 * (256 + 3 * 4096 + 3 * 65536));
    assert_eq!(TABLES_BYTES as f64 / 1024.0, 408.5);
    assert_eq!(DIFFERENCES_BYTES, 128 << 10);
}

#[test]
fn keys_of_the_correction_are_in_the_table() {
    for m in 2048..4096 {
        for dm in 1..4096 {
            let key = key_of_correction(m, dm);
            assert!((2048..14 << 12).contains(&key));
        }
    }
}

fn sum(x: f32, y: f32) -> f32 {
    f32::from_bits(add(x.to_bits(), y.to_bits()))
}

#[test]
fn what_no_table_has_is_as_ieee_says() {
    // R-LOG-5
    let (infinity, nan, tiny) = (f32::INFINITY, f32::NAN, f32::MIN_POSITIVE);
    for (x, y, expected) in [
        (0.0, -0.0, 0.0),
        (-0.0, 1.5, 1.5),
        (-1.5, 0.0, -1.5),
        (1.5, f32::from_bits(1), 1.5),
        (f32::from_bits(0x007F_FFFF), f32::from_bits(0x807F_FFFF), 0.0),
        (1.5, -1.5, 0.0),
        (tiny * 1.5, -tiny, 0.0),
        // The logarithm of the difference would be below that of 2^-128, where logarithms saturate.
        (f32::from_bits(0x0080_0100), -tiny, 0.0),
        (-f32::from_bits(0x0080_0001), tiny, 0.0),
        (f32::MAX, f32::MAX, infinity),
        (f32::MIN, f32::MIN, -infinity),
        (infinity, 1.0, infinity),
        (f32::MAX, -infinity, -infinity),
        (infinity, infinity, infinity),
        (infinity, -infinity, nan),
        (-nan, 1.0, nan),
        (infinity, nan, nan),
    ] {
        assert_eq!(sum(x, y).to_bits(), expected.to_bits(), "{x:e} + {y:e}");
        assert_eq!(sum(y, x).to_bits(), expected.to_bits(), "{y:e} + {x:e}");
    }
}

fn check_sum(x: f32, y: f32) {
    // `f64` is exact to 2^-53 of the larger operand.
    let exact = f64::from(x) + f64::from(y);
    let larger = f64::from(x.abs().max(y.abs()));
    let got = sum(x, y);
    if got.is_infinite() {
        assert!(exact.abs() >= f64::from(f32::MAX) * (1.0 - 7e-5), "{x:e} + {y:e}");
        return;
    }
    let same = x.is_sign_negative() == y.is_sign_negative();
    let underflow = if exact.abs() < 1.001 * f64::from(f32::MIN_POSITIVE) {
        1.001 * f64::from(f32::MIN_POSITIVE)
    } else {
        0.0
    };
    let bound = if same { 7e-5 * exact.abs() } else { 1.2e-4 * larger + underflow };
    assert!((f64::from(got) - exact).abs() <= bound, "{x:e} + {y:e} = {got:e}, not {exact:e}");
    assert_eq!(got.to_bits(), sum(y, x).to_bits());
    assert_eq!((-got).to_bits(), sum(-x, -y).to_bits() ^ if got == 0.0 { 1 << 31 } else { 0 });
}

#[test]
fn equal_and_neighbouring_operands_are_within_the_bounds() {
    for step in 0..=0x0080_0000u32 / 997 {
        let x = f32::from_bits(0x3F80_0000 + step * 997);
        for offset in [0, 1, 2, 3, 64, 4095, 4096, 4097] {
            let y = f32::from_bits(x.to_bits() + offset);
            check_sum(x, y);
            check_sum(x, -y);
        }
    }
}

#[test]
fn every_key_of_a_difference_is_within_the_bounds() {
    // R-LOG-3, R-LOG-4: the middle of every step, and of those around it at other logarithms of x.
    for key in 0..65536 {
        for x in [1.0, 1.4, 1.9] {
            let y = f64::from(x) * (-(f64::from(key) + 0.5) / 4096.0).exp2();
            check_sum(x, y as f32);
            check_sum(x, -y as f32);
        }
    }
}

proptest! {
    #[test]
    fn sums_are_within_the_bounds(
        x in 0x0080_0000u32..0x7F80_0000, below in 0u32..20 << 23, signs in 0u32..4
    ) {
        // Operands up to 2^20 apart, beyond the 2^16 from which on the smaller one is left out.
        let y = x.saturating_sub(below).max(0x0080_0000);
        check_sum(f32::from_bits(x | (signs & 1) << 31), f32::from_bits(y | (signs & 2) << 30));
    }

    #[test]
    fn any_operands_add_in_any_order(a: u32, b: u32) {
        prop_assert_eq!(add(a, b), add(b, a));
    }

    /// R-LOG-7: nodes of a tree of switches, in which the first of `sizes` fold workers and the
    /// later ones what those have sent. The exact sum is one of integers, in units of 2^-80.
    #[test]
    fn sums_over_a_tree_are_within_the_bound_of_one_switch(
        operands in prop::collection::vec((107u32..=147, 0u32..1 << 23, 0u32..4), 1..40),
        sizes in prop::collection::vec(1usize..9, 1..12),
        one_sign: bool,
    ) {
        struct Node { bits: u32, exact: i128, magnitude: f64, additions: u32 }
        let exact = |bits: u32| {
            let mantissa = i128::from(bits & 0x007F_FFFF | 0x0080_0000) << ((bits >> 23 & 0xFF) + 80 - 150);
            if bits & 0x7FFF_FFFF == 0 { 0 } else if bits >> 31 == 0 { mantissa } else { -mantissa }
        };
        let mut nodes: std::vec::Vec<_> = operands.iter().map(|&(exponent, fraction, sign)| {
            let bits = u32::from(sign == 0 && !one_sign) << 31 | exponent << 23 | fraction;
            Node { bits, exact: exact(bits), magnitude: exact(bits).abs() as f64, additions: 0 }
        }).collect();
        let workers = nodes.len() as u32;
        for size in sizes.into_iter().chain([nodes.len()]) {
            let members: std::vec::Vec<_> = nodes.drain(..size.min(nodes.len())).collect();
            let most = members.iter().map(|member| member.additions).max().unwrap();
            nodes.push(Node {
                bits: members.iter().map(|member| member.bits).reduce(add).unwrap(),
                exact: members.iter().map(|member| member.exact).sum(),
                magnitude: members.iter().map(|member| member.magnitude).sum(),
                additions: most + members.len() as u32 - 1,
            });
        }
        let root = &nodes[0];
        prop_assert!(nodes.len() == 1 && root.additions < workers);
        let step: f64 = if one_sign { 7e-5 } else { 1.2e-4 };
        let allowed = ((1.0 + step).powi(root.additions as i32) - 1.0) * root.magnitude;
        // Integers become `f64` with one rounding each.
        let error = (exact(root.bits) - root.exact).abs() as f64;
        prop_assert!(error <= allowed * (1.0 + 1e-9), "{error:e} of {allowed:e}");
    }
}
