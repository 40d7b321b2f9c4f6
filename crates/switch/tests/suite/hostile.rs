//! Datagrams from anyone: none panics, none changes what a job computes, and each is counted under
//! one reason.

use crate::hand::{contribution, datagram, drain, send, spec};
use netfold_kernels::Quantised;
use netfold_num::{ByteOrder, ElementType, Exponent, Operation, Scale};
use netfold_switch::{Contribution, Counters, JobSpec, Recipients, Refusal, Shard};
use netfold_wire::{Direction, Ecn, HEADER_BYTES, Integrity, Repr, Terms};
use proptest::prelude::*;

/// The key of the job under attack, which the attacker does not have.
const SECRET: Integrity = Integrity::Token([0x5E; 16]);

/// Returns the sum of all outcomes. Every datagram counts as one, besides being received.
fn outcomes(counters: &Counters) -> u64 {
    let of_others = [
        "datagrams_received",
        "bytes_received",
        "datagrams_marked",
        "rounds_completed",
        "blocks_refolded",
    ];
    counters.iter().filter(|(name, _)| !of_others.contains(name)).map(|(_, count)| count).sum()
}

/// One hostile datagram: noise, or a packet of the job with some bytes changed, cut or longer, and
/// sealed by another key or not at all.
fn hostile(job: JobSpec) -> impl Strategy<Value = Vec<u8>> {
    let noise = prop::collection::vec(any::<u8>(), 0..120);
    let changes = prop::collection::vec((0..HEADER_BYTES + 32, any::<u8>()), 0..5);
    let packet =
        (0..3u16, 0..8u16, changes, 0..HEADER_BYTES + 64, prop::option::of(any::<[u8; 16]>()));
    let packet = packet.prop_map(move |(worker, slot, changes, len, key)| {
        let mut bytes = datagram(Integrity::Transport, &contribution(&job, worker, slot), -1);
        for (at, value) in changes {
            bytes[at] = value;
        }
        if len % 4 == 0 {
            bytes.resize(len, 0xEE);
        }
        let integrity = key.map_or(Integrity::Checksum, Integrity::Token);
        if bytes.len() >= HEADER_BYTES {
            integrity.seal(&mut bytes);
        }
        bytes
    });
    prop_oneof![1 => noise, 3 => packet]
}

proptest! {
    /// Between a job's packets come hostile ones. Its results are those of a shard to which nobody
    /// but the job speaks.
    #[test]
    fn hostile_datagrams_change_no_job(
        script in prop::collection::vec((0..3u16, 0..8u16), 0..40),
        noise in prop::collection::vec(prop::collection::vec(hostile(JobSpec { terms: Terms { integrity: SECRET, ..spec(1).terms }, ..spec(1) }), 0..4), 40),
    ) {
        let job = JobSpec { terms: Terms { integrity: SECRET, ..spec(1).terms }, ..spec(1) };
        let (mut attacked, mut alone) = (Shard::new(1 << 16), Shard::new(1 << 16));
        for shard in [&mut attacked, &mut alone] {
            shard.admit(spec(0)).expect("the job fits");
            shard.admit(job.clone()).expect("the job fits");
        }
        let memory = attacked.memory_used();
        for ((worker, slot), noise) in script.into_iter().zip(noise) {
            for bytes in noise {
                attacked.handle(&bytes, Ecn::Clear);
                prop_assert_eq!(drain(&mut attacked, 1000, 8), []);
            }
            let header = contribution(&job, worker, slot);
            let value = 100 * i32::from(worker) + i32::from(slot);
            send(&mut attacked, &job, &header, value);
            send(&mut alone, &job, &header, value);
            prop_assert_eq!(drain(&mut attacked, 1000, 8), drain(&mut alone, 1000, 8));
        }
        prop_assert!(attacked.poll_event().is_none());
        prop_assert_eq!(attacked.memory_used(), memory);
        prop_assert_eq!(outcomes(&attacked.counters()), attacked.counters().datagrams_received);
        prop_assert_eq!(attacked.status(), alone.status());
    }

    /// The same bytes at a job without integrity, where anyone can take part: results may be wrong,
    /// but the shard does not panic, allocates nothing for it, and answers for that job only.
    #[test]
    fn an_open_job_survives_anything(
        datagrams in prop::collection::vec(
            (hostile(JobSpec { terms: Terms { integrity: Integrity::Transport, ..spec(1).terms }, ..spec(1) }), any::<bool>()),
            0..200,
        ),
    ) {
        let open = JobSpec { terms: Terms { integrity: Integrity::Transport, ..spec(1).terms }, ..spec(1) };
        let mut shard = Shard::new(1 << 16);
        shard.admit(spec(0)).expect("the job fits");
        shard.admit(open.clone()).expect("the job fits");
        let memory = shard.memory_used();
        for (mut bytes, sealed) in datagrams {
            if sealed && bytes.len() >= HEADER_BYTES {
                Integrity::Transport.seal(&mut bytes);
            }
            shard.handle(&bytes, bytes.len().is_multiple_of(3).into());
            if sealed {
                for batch in drain(&mut shard, 1000, 8) {
                    prop_assert_eq!(batch.job, open.job);
                    if let Recipients::One(worker) | Recipients::AllBut(worker) = batch.to {
                        prop_assert!(worker.0 < open.workers);
                    }
                }
            }
        }
        prop_assert_eq!(shard.memory_used(), memory);
        prop_assert_eq!(outcomes(&shard.counters()), shard.counters().datagrams_received);
    }
}

/// Each reason to drop a datagram has a counter of its own (R-PKT-1, R-PKT-3 to R-PKT-5, R-SLOT-8,
/// R-SLOT-9).
#[test]
fn every_drop_is_counted_by_reason() {
    use netfold_wire::{Direction, Epoch, Pool, Position, Repr, SlotIndex, field};
    let job = spec(1);
    let good = contribution(&job, 0, 0);
    let bytes = |header: &Repr| datagram(job.terms.integrity, header, 1);
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes(&good);
        bytes[at] = value;
        bytes
    };
    let cases: [(&str, Vec<u8>); 10] = [
        ("dropped_short", vec![1; HEADER_BYTES - 1]),
        ("dropped_version", changed(field::VERSION.start, 9)),
        ("dropped_field", changed(field::KIND.start, 9)),
        ("dropped_length", changed(field::ELEMENTS.end - 1, 9)),
        ("dropped_integrity", changed(HEADER_BYTES, 9)),
        ("dropped_unknown_job", bytes(&Repr { epoch: Epoch(0), ..good })),
        ("dropped_direction", bytes(&Repr { direction: Direction::Result(None), ..good })),
        ("dropped_range", bytes(&Repr { slot: SlotIndex(8), ..good })),
        ("retransmissions_ignored", bytes(&good)),
        // The worker's bit is set, but for a later round.
        ("stale_dropped", bytes(&Repr { position: Position(u32::MAX), pool: Pool::Even, ..good })),
    ];
    for (name, bytes) in cases {
        let mut shard = Shard::new(1 << 16);
        shard.admit(job.clone()).expect("the job fits");
        send(&mut shard, &job, &good, 1);
        let before = shard.counters();
        shard.handle(&bytes, Ecn::Clear);
        let changed: Vec<_> = before
            .iter()
            .zip(shard.counters().iter())
            .filter(|((_, before), (_, after))| before != after)
            .map(|((name, _), _)| name)
            .collect();
        assert_eq!(changed, ["datagrams_received", "bytes_received", name]);
        assert_eq!(drain(&mut shard, 1000, 8), []);
    }
}

/// R-SLOT-9, for lanes that are quantised while they are folded: they are as many sums of i32 as
/// the header says, in little-endian order.
#[test]
fn quantised_lanes_fit_their_header() {
    let scale = Scale::new(3, Exponent::of_magnitude_bits(1f32.to_bits())).expect("agreed");
    let elements = [0; 32];
    let quantised = Quantised { element_type: ElementType::F32, elements: &elements, scale };
    let shorter = Quantised { elements: &elements[4..], ..quantised };
    let job = spec(0);
    let network =
        JobSpec { terms: Terms { byte_order: ByteOrder::Network, ..job.terms }, ..job.clone() };
    let header = contribution(&job, 1, 2);
    let good = Contribution::quantised(header, quantised).expect("as the header says");
    assert_eq!(good.check(&job), Ok(()));
    assert_eq!(good.check(&network), Err(Refusal::Range));
    for wrong in [
        Contribution::quantised(header, shorter),
        Contribution::quantised(Repr { element_type: ElementType::F32, ..header }, quantised),
        Contribution::quantised(Repr { operation: Operation::Max, ..header }, quantised),
    ] {
        assert_eq!(wrong.expect_err("not as the header says"), Refusal::Range);
    }
    let result = Repr { direction: Direction::Result(None), ..header };
    assert_eq!(Contribution::quantised(result, quantised).unwrap_err(), Refusal::Direction);
}
