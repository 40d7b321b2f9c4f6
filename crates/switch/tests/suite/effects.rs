//! Effects: the actions of a slot's driver on a packet, without a driver (R-SLOT, R-TREE).

use crate::hand::{contribution, datagram, drain, send, spec};
use netfold_switch::slot::Slot;
use netfold_switch::{
    Contribution, CopyMemory, Effect, Event, Instances, JobSpec, Place, Settled, Shard,
};
use netfold_wire::{CallDigest, Ecn, Repr, WorkerId};

/// The effects of packets that come one after the other to one slot.
fn effects(job: &JobSpec, packets: &[Repr]) -> Vec<Effect> {
    let mut slot: Slot = Slot::FRESH;
    let (mut lanes, mut registers) = ([0; 32], vec![0; job.register_bytes() as usize]);
    let mut effects = Vec::new();
    for packet in packets {
        let bytes = datagram(job.terms.integrity, packet, 1);
        let contribution = Contribution::parse(&bytes, Ecn::Clear).expect("a contribution");
        contribution.check(job).expect("the job's");
        let mut turn = slot.turn(packet.pool);
        let mut instances = Instances::new(&job.operations);
        let folded = contribution.fold_into(&mut turn, job, &mut instances, || CopyMemory {
            lanes: &mut lanes,
            registers: &mut registers,
        });
        effects.push(folded.1);
    }
    effects
}

/// A round of three workers in which everything is said twice; the last asks about it, too.
fn twice(job: &JobSpec) -> Vec<Repr> {
    let of = |worker| contribution(job, worker, 0);
    let asked = of(2).query(WorkerId(2));
    vec![of(0), of(0), of(0).query(WorkerId(0)), of(1), of(2), of(2), asked]
}

#[test]
fn a_root_delivers_and_answers() {
    let job = spec(0);
    let (nothing, last) = (Effect::Nothing, WorkerId(2));
    let expected = [
        nothing,
        nothing,
        nothing,
        nothing,
        Effect::Deliver,
        Effect::Repeat(last),
        Effect::Recall(last),
    ];
    assert_eq!(effects(&job, &twice(&job)), expected);
    let early = contribution(&job, 2, 0).query(last);
    assert_eq!(effects(&job, &[early]), [Effect::Recall(last)]);
}

#[test]
fn a_leaf_raises_and_asks() {
    let job = JobSpec { place: Place::only(3).below(WorkerId(0)), ..spec(0) };
    let nothing = Effect::Nothing;
    let expected =
        [nothing, nothing, nothing, nothing, Effect::Raise, Effect::Raise, Effect::Query];
    assert_eq!(effects(&job, &twice(&job)), expected);
    let settled = [Settled::Result, Settled::Recall, Settled::Nothing].map(Effect::from);
    assert_eq!(settled, [Effect::Deliver, Effect::Raise, Effect::Nothing]);
}

#[test]
fn another_call_fails_the_job() {
    let job = spec(0);
    let other = Repr { call: CallDigest(2), ..contribution(&job, 1, 0) };
    let mismatch = Event::mismatch(&other, WorkerId(0), WorkerId(1));
    let packets = [contribution(&job, 0, 0), other];
    assert_eq!(effects(&job, &packets), [Effect::Nothing, Effect::Fail(mismatch)]);

    let mut shard = Shard::new(1 << 16);
    shard.admit(job.clone()).expect("the job fits");
    packets.iter().for_each(|packet| send(&mut shard, &job, packet, 1));
    assert_eq!(shard.poll_event(), Some(mismatch));
    assert_eq!(drain(&mut shard, 1000, 8), []);
}
