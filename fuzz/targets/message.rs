//! Any frame between a worker and a server of tables is either refused, or says what it means: what
//! it is taken for is written as bytes that are taken for the same (R-SERVE-2).
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;
use netfold_sparse::{CodecError, Reply, Request};

/// Reads and writes a frame, and holds the second pass to the first.
fn check<M>(
    frame: &[u8],
    decode: impl Fn(&[u8]) -> Result<M, CodecError>,
    encode: impl Fn(&M, &mut Vec<u8>),
) {
    let Ok(message) = decode(frame) else { return };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    encode(&message, &mut first);
    let again = decode(&first).expect("what was written is read");
    encode(&again, &mut second);
    assert_eq!(first, second);
}

fuzz_target!(|frame: &[u8]| {
    check(frame, Request::decode, Request::encode);
    check(frame, Reply::decode, Reply::encode);
});
