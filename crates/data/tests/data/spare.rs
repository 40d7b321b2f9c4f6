//! What a file may have beside its table.

use netfold_data::{Options, Source};
use npyz::Order;

use crate::refused::{absent, assert_refused};
use crate::tables::{npy, npz};

/// An array of one row of `descr`, with its bytes.
fn npy_of(descr: &str, bytes: usize) -> Vec<u8> {
    let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1, 1), }}\n");
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((text.len() as u16).to_le_bytes());
    array.extend(text.bytes());
    array.resize(array.len() + bytes, 0x80);
    array
}

#[test]
fn arrays_that_are_no_numbers_are_not_looked_at() {
    let others = || {
        [
            ("objects", npy_of("'|O'", 8)),
            ("times", npy_of("'<M8[ns]'", 8)),
            ("records", npy_of("[('a', '<f4')]", 4)),
            ("text", npy_of("'|S4'", 4)),
        ]
    };
    let table = || npy(&[0.5_f32, 1.5], &[1, 2], Order::C);
    for name in ["X", "features"] {
        let file = npz(&[&others()[..], &[(name, table()), ("y", npy(&[3.0], &[1], Order::C))]].concat(), false);
        let samples = Source::new(&file.path).unwrap().read().unwrap();
        assert_eq!((samples.labels(), samples.features().columns()), (&[3.0][..], 2), "{name}");
    }
    // Of a second table nothing is asked where there is an `X`, also where it is damaged.
    let file = npz(&[("X", table()), ("other", b"no array".to_vec())], false);
    assert!(Source::with(&file.path, absent()).unwrap().read().is_ok());
    // What is asked for is refused, and so is a file that has nothing else.
    let file = npz(&[("X", table()), ("y", npy_of("'|O'", 8))], false);
    assert_refused(&file.path, &Options::default(), &["array `y`", "`|O`", "astype"]);
    let file = npz(&[("X", npy_of("'|O'", 8)), ("Z", table())], false);
    assert_refused(&file.path, &absent(), &["array `X`", "`|O`", "astype"]);
    let file = npz(&others()[..1], false);
    assert_refused(&file.path, &absent(), &["array `objects`", "`|O`", "astype"]);
}
