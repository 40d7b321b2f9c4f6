//! Any datagram is either refused, or says what it means and nothing else (R-PKT-1).
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;
use netfold_wire::{HEADER_BYTES, Integrity, Packet, Repr, VERSION, field};

fuzz_target!(|input: &[u8]| {
    // The version alone stops most inputs; with it given, the search goes into the other fields.
    let mut datagram = input.to_vec();
    if let Some(version) = datagram.first_mut() {
        *version = VERSION;
    }
    let Ok(packet) = Packet::new_checked(&datagram) else { return };
    let meaning = Repr::parse(&packet);
    assert_eq!(meaning.datagram_bytes(), datagram.len());
    assert_eq!(packet.lanes().len(), meaning.lane_bytes());

    // Nothing of the header is lost or made up; `integrity` is for `seal` to write.
    let mut header = [0; HEADER_BYTES];
    meaning.emit(&mut header);
    let (without_integrity, _) = datagram.split_at(field::INTEGRITY.start);
    assert_eq!(header[..field::INTEGRITY.start], *without_integrity);

    for integrity in [Integrity::Transport, Integrity::Checksum, Integrity::Token([7; 16])] {
        let mut sealed = datagram.clone();
        integrity.seal(&mut sealed);
        assert!(integrity.verify(&sealed));
    }
});
