//! Extra contents of a file beside its table: arrays of other things, zeros after gzip, room that a
//! matrix has kept.

use netfold_data::{Features, Labels, Options, Source};
use npyz::Order;

use crate::refused::{absent, assert_refused, gzip};
use crate::tables::{TempFile, npy, npy_text, npz};

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
        let file = npz(
            &[&others()[..], &[(name, table()), ("y", npy(&[3.0], &[1], Order::C))]].concat(),
            false,
        );
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

/// Zeros after gzip, as tapes have them, are accepted as by gzip's own tools and Python's.
#[test]
fn zeros_after_gzip_are_no_member() {
    const BLOCK: usize = 100_000;
    for zeros in [1, 512, BLOCK] {
        let bytes = [gzip(b"1 1:1\n"), vec![0; zeros], gzip(b"2 1:1\n"), vec![0; zeros]].concat();
        let file = TempFile::with("a.svm.gz", &bytes);
        assert_eq!(
            Source::new(&file.path).unwrap().read().unwrap().labels(),
            [1.0, 2.0],
            "{zeros}"
        );
        let file = TempFile::with("a.svm.gz", &[&bytes[..], b"no member"].concat());
        assert_refused(&file.path, &Options::default(), &["compressed text after line 2"]);
    }
}

/// A matrix of SciPy may hold more values than its rows have; nobody reads these.
#[test]
fn values_after_the_last_row_are_not_read() {
    let one = |values: &[i32]| npy(values, &[values.len() as u64], Order::C);
    for (form, indptr) in [("csr", &[0, 1, 2][..]), ("csc", &[0, 1, 2, 2])] {
        for compressed in [false, true] {
            let file = npz(
                &[
                    ("indices", one(&[0, 1, -7, 900])),
                    ("indptr", one(indptr)),
                    ("format", npy_text(form)),
                    ("shape", one(&[2, 3])),
                    ("data", npy(&[1.0, 2.0, f64::NAN, 4.0], &[4], Order::C)),
                ],
                compressed,
            );
            let labels = Labels::Absent;
            let samples = Source::with(&file.path, Options { labels, ..Options::default() })
                .unwrap()
                .read()
                .unwrap();
            let Features::Csr(csr) = samples.features() else {
                panic!("a sparse matrix is sparse")
            };
            assert_eq!(
                (csr.indptr(), csr.indices(), csr.values()),
                (&[0, 1, 2][..], &[0, 1][..], &[1.0, 2.0][..])
            );
        }
    }
}
