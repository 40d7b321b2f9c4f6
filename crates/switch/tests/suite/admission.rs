//! Admission: the jobs that a shard takes, and what becomes of their memory and packets.

use crate::hand::{contribution, drain, send, spec};
use netfold_switch::{AdmissionError, Event, JobSpec, Place, Recipients, Shard, WaitingSlot};
use netfold_wire::{CallDigest, JobId, Position, Repr, SlotIndex, WorkerId};

fn refused(spec: JobSpec) -> AdmissionError {
    let mut shard = Shard::new(1 << 30);
    let error = shard.admit(spec).expect_err("the job cannot be");
    assert_eq!(shard.memory_used(), 0, "a refused job takes nothing");
    error
}

#[test]
fn jobs_that_cannot_be_are_refused_by_name() {
    for workers in [0, 32_768, u16::MAX] {
        let error = refused(JobSpec { workers, ..spec(0) });
        assert_eq!(error, AdmissionError::Workers { workers });
        assert_eq!(error.to_string(), format!("a job has 1 to 32767 workers, not {workers}"));
    }
    for (slots, payload_bytes) in [(0, 32), (8, 0), (8, 36), (8, 65_536)] {
        let error = refused(JobSpec { slots, payload_bytes, ..spec(0) });
        assert_eq!(error, AdmissionError::Shape { slots, payload_bytes });
        assert!(error.to_string().contains("multiple of 8 bytes"), "{error}");
    }
    let error = refused(JobSpec { workers: 1025, place: Place::only(1025), ..spec(0) });
    assert_eq!(error, AdmissionError::Members { members: 1025 });
    assert!(error.to_string().contains("at most 1024 members"), "{error}");
    for workers in [1, 64, 65, 1024] {
        Shard::new(1 << 20)
            .admit(JobSpec { workers, place: Place::only(workers), ..spec(0) })
            .expect("both ends of the range are jobs, with short bitmaps and long ones");
    }
}

/// R-SLOT with as many members as a switch can have, in any order, each twice; and as a leaf of a
/// job whose ranks are far above its own number of members.
#[test]
fn a_thousand_members_are_told_apart() {
    for (base, stride) in [(0, 1), (5000, 20)] {
        let rank = |number: u16| WorkerId(base + stride * number);
        let place = Place::root((0..1024).map(|number| (rank(number), rank(number))));
        let job = JobSpec { workers: 32_000, place, ..spec(0) };
        let mut shard = Shard::new(1 << 20);
        shard.admit(job.clone()).expect("the job fits");
        // 389 is prime to 1024.
        let numbers = || (0..1024u32).map(|turn| (389 * turn % 1024) as u16);
        for (turn, number) in numbers().enumerate() {
            for _ in 0..2 {
                send(&mut shard, &job, &contribution(&job, rank(number).0, 0), i32::from(number));
            }
            assert_eq!(shard.counters().retransmissions_ignored, (turn + 1).min(1023) as u64);
            if turn == 1000 {
                let missing: Vec<_> = numbers().skip(1001).map(rank).collect();
                let waiting = shard.status().remove(0).waiting.remove(0);
                assert_eq!((waiting.seen.len(), waiting.missing.len()), (1001, 23));
                assert!(missing.iter().all(|rank| waiting.missing.contains(rank)));
            }
        }
        let batches = drain(&mut shard, 1000, 8);
        assert_eq!(batches[0].results[0].1, Some((0..1024).sum()));
        // The last one's duplicate came after the result.
        let last = numbers().next_back().map(rank);
        assert_eq!(
            (batches[0].to, Some(batches[1].to)),
            (Recipients::All, last.map(Recipients::One))
        );
    }
}

#[test]
fn a_number_is_one_jobs_only() {
    let mut shard = Shard::new(1 << 20);
    shard.admit(spec(3)).expect("the number is free");
    assert_eq!(shard.admit(spec(3)), Err(AdmissionError::Taken { job: JobId(3) }));
    shard.release(JobId(3));
    shard.admit(spec(3)).expect("the number is free again");
}

/// The budget is fixed: a refusal names the bytes needed and those left, and an ended job gives
/// back all that it took.
#[test]
fn the_memory_budget_is_kept() {
    let one = spec(0).memory_bytes();
    assert!(one >= 2 * 8 * 32, "two copies of eight slots of 32 bytes, and registers");
    let mut shard = Shard::new(3 * one - 1);
    shard.admit(spec(0)).expect("the first job fits");
    shard.admit(spec(1)).expect("the second job fits");
    assert_eq!(shard.memory_used(), 2 * one);
    let refusal = shard.admit(spec(2)).expect_err("a byte is missing");
    assert_eq!(refusal, AdmissionError::Memory { needed: one, free: one - 1 });
    assert!(refusal.to_string().contains("--memory"), "{refusal}");

    shard.release(JobId(0));
    assert_eq!(shard.memory_used(), one);
    shard.release(JobId(0));
    shard.release(JobId(9));
    assert_eq!(shard.memory_used(), one, "a job that is not here gives nothing back");
    shard.admit(spec(2)).expect("the memory is free");
    shard.release(JobId(1));
    shard.release(JobId(2));
    assert_eq!(shard.memory_used(), 0);
    assert_eq!(shard.max_datagram_bytes(), netfold_wire::HEADER_BYTES);
}

/// Nothing of an ended job is sent any more, and its packets belong to nobody (R-PKT-4), also when
/// its number has a new epoch.
#[test]
fn an_ended_job_leaves_nothing_behind() {
    let mut shard = Shard::new(1 << 20);
    let old = spec(0);
    shard.admit(old.clone()).expect("the job fits");
    for worker in 0..3 {
        send(&mut shard, &old, &contribution(&old, worker, 0), 1);
    }
    shard.release(old.job);
    assert_eq!(drain(&mut shard, 1000, 8), []);

    let new = JobSpec { epoch: netfold_wire::Epoch(7), ..old.clone() };
    shard.admit(new.clone()).expect("the job fits");
    send(&mut shard, &old, &contribution(&old, 0, 0), 1);
    assert_eq!(shard.counters().dropped_unknown_job, 1);
    for worker in 0..3 {
        send(&mut shard, &new, &contribution(&new, worker, 0), 5);
    }
    let batches = drain(&mut shard, 1000, 8);
    assert_eq!(batches.len(), 1);
    assert_eq!((batches[0].to, batches[0].results[0].1), (Recipients::All, Some(15)));
}

/// The open rounds of a job name the workers that they wait for.
#[test]
fn the_status_names_who_is_missing() {
    let mut shard = Shard::new(1 << 20);
    let job = spec(0);
    shard.admit(job.clone()).expect("the job fits");
    send(&mut shard, &job, &contribution(&job, 2, 5), 1);
    for worker in 0..3 {
        send(&mut shard, &job, &contribution(&job, worker, 1), 1);
    }
    let status = shard.status();
    assert_eq!(status.len(), 1);
    assert_eq!(status[0].spec, job);
    let waiting = WaitingSlot {
        slot: SlotIndex(5),
        position: Position(5),
        seen: vec![WorkerId(2)],
        missing: vec![WorkerId(0), WorkerId(1)],
    };
    assert_eq!(status[0].waiting, [waiting]);
}

/// R-SLOT-7: a mismatch is reported once, with both workers, and stops the job but no other.
#[test]
fn a_mismatch_stops_its_job_only() {
    let mut shard = Shard::new(1 << 20);
    let (failed, other) = (spec(0), spec(1));
    shard.admit(failed.clone()).expect("the job fits");
    shard.admit(other.clone()).expect("the job fits");
    send(&mut shard, &failed, &contribution(&failed, 1, 4), 1);
    let different = Repr { call: CallDigest(2), ..contribution(&failed, 0, 4) };
    send(&mut shard, &failed, &different, 1);
    send(&mut shard, &failed, &different, 1);
    let Some(Event::Mismatch { job, slot, position, first, second, .. }) = shard.poll_event()
    else {
        panic!("the mismatch is reported");
    };
    assert_eq!((job, slot, position), (failed.job, SlotIndex(4), Position(4)));
    assert_eq!((first, second), (WorkerId(1), WorkerId(0)));
    assert!(shard.poll_event().is_none(), "once");
    for worker in 0..3 {
        send(&mut shard, &other, &contribution(&other, worker, 4), 2);
    }
    let batches = drain(&mut shard, 1000, 8);
    assert_eq!((batches.len(), batches[0].job, batches[0].results[0].1), (1, other.job, Some(6)));
}
