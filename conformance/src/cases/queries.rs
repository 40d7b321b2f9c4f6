//! Queries and recalls (R-PKT-6, R-SLOT-10).

use std::collections::BTreeMap;

use netfold_wire::Pool::{Even, Odd};
use netfold_wire::{
    CallDigest, Direction, HEADER_BYTES, Integrity, JobId, Kind, Packet, Repr, SlotIndex, WorkerId,
};

use crate::cases;
use crate::script::{At, LANES, Reply, Script};
use crate::target::{Admitted, Datagram, JobShape, Mismatch, Packets, Target};

/// Asks about a worker's contribution to a round, with a query that `change` may spoil.
fn ask_with(job: &mut Script<'_>, worker: u16, at: At, change: impl Fn(&mut Repr)) -> Vec<Reply> {
    let mut query = job.contribution(worker, at).query(WorkerId(worker));
    change(&mut query);
    job.send(worker, &query, &[])
}

/// Asks, and asserts whether the answer is a recall of exactly the round that was asked about.
fn ask(job: &mut Script<'_>, worker: u16, at: At, recalled: bool) {
    let result = job.contribution(worker, at).query(WorkerId(worker)).recall(WorkerId(worker));
    let recall = Reply { to: WorkerId(worker), result, lanes: Vec::new() };
    let expected = if recalled { vec![recall] } else { Vec::new() };
    assert_eq!(ask_with(job, worker, at, |_| ()), expected, "worker {worker} at {at:?}");
}

/// A contribution that has not come is recalled, from its worker alone, whether or not the round
/// has begun; asking neither begins nor completes it.
pub fn what_has_not_come_is_recalled(target: &mut dyn Target) {
    let mut job = Script::new(target, 3, 2);
    let (at, next) = (At::new(1, Even, 1), At::new(1, Odd, 3));
    ask(&mut job, 0, at, true);
    ask(&mut job, 1, at, true);
    ask(&mut job, 2, at, true);
    job.silent(1, at);
    ask(&mut job, 0, at, true);
    job.silent(0, at);
    ask(&mut job, 2, at, true);
    ask(&mut job, 2, at, true);
    job.completes(2, at);
    // The next round, while the copy that it uses holds nothing, and the shadow copy is in use.
    job.silent(0, next);
    ask(&mut job, 1, next, true);
    job.answered(1, at);
    job.silent(1, next);
    job.completes(2, next);
}

/// A switch does not recall a contribution that it has while the round waits for others. It does
/// when the round is complete: sent again, the contribution brings the result.
pub fn what_has_come_is_recalled_when_its_round_is_complete(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let (at, next) = (At::new(0, Even, 0), At::new(0, Odd, 1));
    job.silent(0, at);
    ask(&mut job, 0, at, false);
    job.completes(1, at);
    for worker in [0, 1, 0] {
        ask(&mut job, worker, at, true);
        job.answered(worker, at);
    }
    job.silent(1, next);
    ask(&mut job, 1, next, false);
    ask(&mut job, 0, at, true);
    job.answered(0, at);
    job.completes(0, next);
}

/// A query that the network has held back for some rounds is as stale as its contribution
/// (R-SLOT-8).
pub fn late_queries_are_stale(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let rounds = [At::new(0, Even, 0), At::new(0, Odd, 1), At::new(0, Even, 2), At::new(0, Odd, 3)];
    for at in rounds {
        job.silent(0, at);
        job.completes(1, at);
    }
    let last = At::new(0, Even, 4);
    job.silent(1, last);
    for at in &rounds[..3] {
        ask(&mut job, 0, *at, false);
        ask(&mut job, 1, *at, false);
    }
    job.completes(0, last);
}

/// R-SLOT-8: so is one about an earlier round of the block that is open, where the switch knows of
/// it.
pub fn a_query_about_an_earlier_kind_is_stale(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 1);
    let at = At::new(0, Even, 0);
    job.silent(1, at);
    assert_eq!(ask_with(&mut job, 0, at, |query| query.kind = Kind::Exponents), []);
    job.completes(0, at);
}

/// A query accuses nobody: what disagrees is recalled, and the contribution tells (R-SLOT-7). Nor
/// is it taken from outside the job (R-SLOT-9), or a recall in place of a query (R-PKT-5).
pub fn queries_disagree_with_nobody(target: &mut dyn Target) {
    let mut job = Script::new(target, 2, 2);
    let at = At::new(0, Odd, 0);
    job.silent(0, at);
    let other_call = ask_with(&mut job, 1, at, |query| query.call = CallDigest(0xBAD));
    assert_eq!(other_call.len(), 1);
    let dropped: [fn(&mut Repr); 5] = [
        |query| query.slot = SlotIndex(2),
        |query| query.elements = LANES + 1,
        |query| query.epoch.0 ^= 1,
        |query| query.direction = Direction::Query(WorkerId(2)),
        |query| query.direction = Direction::Recall(WorkerId(1)),
    ];
    for change in dropped {
        assert_eq!(ask_with(&mut job, 1, at, change), []);
    }
    job.completes(1, at);
    assert_eq!(job.target().mismatches(), []);
}

/// All other slot cases hold, packet by packet, with a query before and after each contribution.
pub fn queries_change_no_slot(target: &mut dyn Target) {
    let slot_cases: [fn(&mut dyn Target); 15] = [
        cases::basic_reduction,
        cases::other_set,
        cases::both_sets,
        cases::slot_reuse,
        cases::ignored_retransmission,
        cases::retransmission_after_reduction,
        cases::retransmission_from_previous_set,
        cases::slot_reuse_with_retransmission,
        cases::worked_example_of_appendix_a,
        cases::a_round_of_one_worker_is_complete_at_once,
        cases::a_delayed_duplicate_does_not_start_a_round,
        cases::a_delayed_duplicate_does_not_join_an_open_round,
        cases::a_block_goes_through_its_rounds,
        cases::the_largest_exponent_is_agreed_on,
        cases::delivery_to_one_worker,
    ];
    let mut curious = Curious { target, integrity: BTreeMap::new(), asked: 0 };
    for case in slot_cases {
        case(&mut curious);
    }
    assert!(curious.asked > 0);
}

/// A target that is asked about every contribution before it comes, and afterwards.
struct Curious<'t> {
    target: &'t mut dyn Target,
    integrity: BTreeMap<JobId, Integrity>,
    asked: u64,
}

impl Curious<'_> {
    fn ask(&mut self, job: JobId, from: WorkerId, contribution: &Repr) {
        let query = contribution.query(from);
        let mut datagram = [0; HEADER_BYTES];
        query.emit(&mut datagram);
        self.integrity[&job].seal(&mut datagram);
        self.asked += 1;
        for answer in self.target.exchange(job, from, &datagram) {
            let packet = Packet::new_checked(&answer.bytes).expect("a switch sends packets");
            assert_eq!((answer.to, Repr::parse(&packet)), (from, query.recall(from)));
        }
    }
}

impl Target for Curious<'_> {
    fn packets(&self) -> Packets {
        self.target.packets()
    }

    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        let admitted = self.target.admit(shape)?;
        self.integrity.insert(admitted.job, admitted.integrity);
        Ok(admitted)
    }

    fn release(&mut self, job: JobId) {
        self.target.release(job);
    }

    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        let packet =
            Packet::new_checked(datagram).expect("the cases that are asked about send packets");
        let contribution = Repr::parse(&packet);
        self.ask(job, from, &contribution);
        let sent = self.target.exchange(job, from, datagram);
        self.ask(job, from, &contribution);
        sent
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        self.target.mismatches()
    }
}
