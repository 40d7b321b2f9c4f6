//! A switch's table under any datagrams (R-KEY-2): it answers with what is well-formed and no
//! longer than a datagram, takes no memory, and counts each of them once.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::fuzz_target;
use netfold_num::{Arithmetic, ElementType};
use netfold_switch::{Leaf, MAX_ANSWER_BYTES, Shard, TableSpec, TableTree};
use netfold_wire::{
    Ecn, Epoch, Integrity, JobId, TABLE_VERSION, TablePacket, TableRepr, TableTerms, Terms,
    WorkerId,
};

const JOB: JobId = JobId(1);
const EPOCH: Epoch = Epoch(7);
const INTEGRITY: Integrity = Integrity::Checksum;

/// A shard with a table that is resident or not, and has a leaf or none.
fn shard(resident: bool, has_leaf: bool) -> Shard {
    let mut terms = Terms::new(INTEGRITY);
    terms.arithmetic = Arithmetic::Native;
    let table = TableTerms { rows: 9, width: 2, element_type: ElementType::I32, resident };
    let mut shard = Shard::new(1 << 20);
    let leaf = Leaf { name: WorkerId(1), workers: vec![WorkerId(1), WorkerId(2)] };
    let leaves = if has_leaf { vec![leaf] } else { Vec::new() };
    let tree = TableTree { leaves, has_parent: false };
    let (workers, datagram_bytes) = (3, 200);
    let spec = TableSpec { job: JOB, epoch: EPOCH, workers, datagram_bytes, table, terms, tree };
    shard.admit_table(spec).expect("there is room");
    shard
}

/// A datagram of these bytes as one of the table's: with its version and names, and the proof that
/// goes with them.
fn whole(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut datagram = bytes.to_vec();
    *datagram.first_mut()? = TABLE_VERSION;
    let repr = TablePacket::new_checked(&datagram).ok()?.repr;
    let repr = TableRepr { job: JOB, epoch: EPOCH, ..repr };
    repr.seal(&INTEGRITY, &mut datagram);
    let packet = TablePacket::new_checked(&datagram).expect("it was one before");
    assert_eq!(packet.repr, repr, "nothing of the header is lost or made up");
    assert!(packet.is_whole(&INTEGRITY));
    Some(datagram)
}

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let mut shard = shard(first & 1 == 1, first & 2 == 2);
    let used = shard.memory_used();
    let mut answer = vec![0; MAX_ANSWER_BYTES];
    // Pieces whose lengths they tell, each as it is and as one of the table's.
    let mut rest = rest;
    let mut handled = 0;
    while let Some((&length, more)) = rest.split_first() {
        let (piece, after) = more.split_at(more.len().min(usize::from(length)));
        rest = after;
        for datagram in [Some(piece.to_vec()), whole(piece)].into_iter().flatten() {
            let len = shard.handle_table(&datagram, Ecn::from(false), &mut answer);
            handled += 1;
            if len > 0 {
                let answer = TablePacket::new_checked(&answer[..len]).expect("well-formed");
                assert!(answer.repr.answer && answer.is_whole(&INTEGRITY));
                assert_eq!((answer.repr.job, answer.repr.epoch), (JOB, EPOCH));
            }
            while let Some(request) = shard.poll_leaf_request() {
                let request = TablePacket::new_checked(request.datagram()).expect("well-formed");
                assert!(!request.repr.answer && request.is_whole(&INTEGRITY));
            }
        }
    }
    assert_eq!(shard.counters().datagrams_received, handled);
    assert_eq!(shard.memory_used(), used);
});
