//! Input that must change nothing (bytes that are no packet, packets of nobody, other jobs), and
//! the limits of a switch.

use netfold_num::Exponent;
use netfold_wire::Pool::{Even, Odd};
use netfold_wire::{
    Delivery, Direction, Epoch, Integrity, IntegrityKind, JobId, Repr, SlotIndex, WorkerId, field,
};

use crate::script::{At, LANES, Script};
use crate::target::{JobShape, Target};

const AT: At = At::new(0, Even, 0);

/// Lanes that nobody contributes: they would show in a result.
const WRONG: [i32; LANES as usize] = [-1; LANES as usize];

/// Opens a round, sends what must change nothing, and asserts that the round completes as if it had
/// not been sent.
fn undisturbed(target: &mut dyn Target, disturb: impl FnOnce(&mut Script<'_>)) {
    let integrity = target.packets().integrity;
    undisturbed_under(integrity, target, disturb);
}

/// The same with packets that prove themselves in this way.
fn undisturbed_under(
    integrity: IntegrityKind,
    target: &mut dyn Target,
    disturb: impl FnOnce(&mut Script<'_>),
) {
    let mut job = Script::with_integrity(target, 3, 2, integrity);
    job.silent(0, AT);
    disturb(&mut job);
    job.silent(1, AT);
    job.completes(2, AT);
    assert_eq!(job.target().mismatches(), []);
}

/// R-PKT-1: each fault that a datagram can have.
pub fn bytes_that_are_no_packet_change_nothing(target: &mut dyn Target) {
    undisturbed(target, |job| {
        let whole = job.datagram(&job.contribution(1, AT), &WRONG);
        for len in 0..whole.len() {
            assert_eq!(job.send_bytes(1, &whole[..len]), [], "cut to {len} bytes");
        }
        let longer = [&whole[..], &[0; 4]].concat();
        assert_eq!(job.send_bytes(1, &longer), []);
        let faults = [
            (field::VERSION, 0),
            (field::KIND, 0),
            (field::KIND, 5),
            (field::FLAGS, 0x80),
            (field::POOL, 2),
            (field::ELEMENT_TYPE, 0),
            (field::OPERATION, 6),
            (field::EXPONENT, 0x70),
            (field::NEXT_EXPONENT, 0x70),
        ];
        for (field, value) in faults {
            let mut datagram = whole.clone();
            datagram[field.start] = value;
            job.admitted().integrity.seal(&mut datagram);
            assert_eq!(job.send_bytes(1, &datagram), [], "{value} in byte {}", field.start);
        }
    });
}

/// R-PKT-3: a packet with any bit changed, or sealed in another way, is dropped.
pub fn packets_that_are_not_whole_change_nothing(target: &mut dyn Target) {
    for (integrity, other) in [
        (IntegrityKind::Checksum, Integrity::Transport),
        (IntegrityKind::Token, Integrity::Checksum),
        (IntegrityKind::Token, Integrity::Token(*b"not the job key.")),
        (IntegrityKind::Transport, Integrity::Checksum),
    ] {
        undisturbed_under(integrity, target, |job| {
            let whole = job.datagram(&job.contribution(1, AT), &WRONG);
            let mut resealed = whole.clone();
            other.seal(&mut resealed);
            assert_eq!(job.send_bytes(1, &resealed), []);
            // Under `Transport` only the field itself shows: the rest is the transport's to check.
            let checked = if integrity == IntegrityKind::Transport {
                field::INTEGRITY
            } else {
                0..whole.len()
            };
            for bit in checked.start * 8..checked.end * 8 {
                let mut damaged = whole.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(job.send_bytes(1, &damaged), [], "bit {bit} under {integrity:?}");
            }
        });
    }
}

/// R-PKT-4: another epoch, or a job that is not here.
pub fn packets_of_another_epoch_change_nothing(target: &mut dyn Target) {
    undisturbed(target, |job| {
        let good = job.contribution(1, AT);
        let others = [
            Repr { epoch: Epoch(good.epoch.0.wrapping_add(1)), ..good },
            Repr { epoch: Epoch(0), ..good },
            Repr { job: JobId(good.job.0 + 1), ..good },
            Repr { job: JobId(u16::MAX), ..good },
        ];
        for header in others {
            assert_eq!(job.send(1, &header, &WRONG), [], "{header:?}");
        }
    });
    // A job that has ended is not here either, and its number may be another's.
    let mut ended = Script::new(target, 2, 2);
    let header = ended.contribution(0, AT);
    let number = ended.admitted().job;
    ended.silent(0, AT);
    ended.target().release(number);
    undisturbed(target, |job| {
        for worker in 0..2 {
            let old = Repr { direction: Direction::Contribution(WorkerId(worker)), ..header };
            assert_eq!(job.send(1, &old, &WRONG), []);
        }
    });
}

/// R-PKT-5: the switch takes contributions only.
pub fn results_sent_to_the_switch_change_nothing(target: &mut dyn Target) {
    undisturbed(target, |job| {
        for to in [None, Some(WorkerId(1)), Some(WorkerId(0))] {
            let header = Repr { direction: Direction::Result(to), ..job.contribution(1, AT) };
            assert_eq!(job.send(1, &header, &WRONG), []);
        }
    });
}

/// R-SLOT-9: a slot, a worker (the sender, or the receiver) or a number of lanes outside the job's.
pub fn contributions_outside_the_job_change_nothing(target: &mut dyn Target) {
    undisturbed(target, |job| {
        let good = job.contribution(1, AT);
        let others = [
            Repr { direction: Direction::Contribution(WorkerId(3)), ..good },
            Repr { direction: Direction::Contribution(WorkerId(64)), ..good },
            Repr { direction: Direction::Contribution(WorkerId(u16::MAX)), ..good },
            Repr { slot: SlotIndex(2), ..good },
            Repr { slot: SlotIndex(u16::MAX), ..good },
            Repr { delivery: Delivery::One(WorkerId(3)), ..good },
            Repr { elements: good.elements + 1, ..good },
            Repr { elements: u16::MAX, empty: true, ..good },
        ];
        for header in others {
            let lanes = vec![1; header.lane_bytes() / 4];
            assert_eq!(job.send(1, &header, &lanes), [], "{header:?}");
        }
    });
}

/// Jobs at one target fold apart, with the same slots, positions and workers at the same time.
pub fn jobs_do_not_see_each_other(target: &mut dyn Target) {
    const JOBS: u16 = 4;
    let shape = JobShape::on(target.packets(), 2, 2, 32);
    let template = Script::new(target, 2, 2).contribution(0, AT);
    let jobs: Vec<_> = (0..JOBS).map(|_| target.admit(&shape).expect("small jobs fit")).collect();
    for worker in 0..2u16 {
        for (value, admitted) in (1i32..).zip(&jobs) {
            let header = Repr {
                direction: Direction::Contribution(WorkerId(worker)),
                job: admitted.job,
                epoch: admitted.epoch,
                next_exponent: Exponent::ZERO,
                ..template
            };
            let mut datagram = vec![0; netfold_wire::HEADER_BYTES];
            header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
            datagram.extend(
                [value + i32::from(worker); LANES as usize]
                    .iter()
                    .flat_map(|lane| shape.lane_bytes(*lane)),
            );
            admitted.integrity.seal(&mut datagram);
            let sent = target.exchange(admitted.job, WorkerId(worker), &datagram);
            assert_eq!(sent.len(), if worker == 0 { 0 } else { 2 });
            for datagram in sent {
                assert_eq!(datagram.job, admitted.job);
                let lanes = &datagram.bytes[netfold_wire::HEADER_BYTES..];
                assert_eq!(
                    lanes,
                    [2 * value + 1; LANES as usize].map(|lane| shape.lane_bytes(lane)).concat()
                );
            }
        }
    }
}

/// The largest job: a bit of the bitmap for each worker, and sums of 64 contributions.
pub fn sixty_four_workers(target: &mut dyn Target) {
    let mut job = Script::new(target, 64, 1);
    for (at, first) in [(AT, 0u16), (At::new(0, Odd, 1), 63), (At::new(0, Even, 2), 31)] {
        for worker in 0..63 {
            job.silent((first + worker) % 64, at);
        }
        job.silent(first, at);
        job.completes((first + 63) % 64, at);
        job.answered(63, at);
    }
}

/// A target has a fixed budget: jobs are refused when it is spent, and what an ended job frees can
/// be used again.
pub fn memory_is_refused_when_spent_and_comes_back(target: &mut dyn Target) {
    let packets = target.packets();
    let shape = JobShape::on(packets, 2, 64, packets.payload_bytes);
    let mut admitted = Vec::new();
    let refusal = loop {
        match target.admit(&shape) {
            Ok(job) => admitted.push(job),
            Err(refusal) => break refusal,
        }
        assert!(admitted.len() < 10_000, "a target for these cases has a bounded budget");
    };
    assert!(!admitted.is_empty(), "{refusal}");
    assert!(refusal.contains("memory"), "the refusal names what is missing: {refusal}");
    let ended = admitted[admitted.len() / 2];
    target.release(ended.job);
    let next = target.admit(&shape).expect("the memory of an ended job is free");
    assert_ne!(next.epoch, ended.epoch, "another run has another epoch (R-PKT-4)");
    target.admit(&shape).expect_err("the budget is spent again");
}
