//! The properties that must hold of a run, whatever befalls it.

use std::collections::BTreeSet;

use netfold_management::{Ending, Failure};
use netfold_sim::{Cluster, JobReport, JobSetup, Leaks, Outcome, Time, WorkerRecord};
use netfold_wire::WorkerId;
use netfold_worker::{Call, Collective, Plan, Reduction};

use super::wide::ELEMENTS;
use crate::scenario::PlannedCall;

use super::{Blame, FORMING_MS, Planned, Swarm, Tally, WAIT_LIMIT_US};

/// Workers of a job that is no large one, and elements of a long call.
const SMALL: u16 = 12;
const LONG: u64 = 1_000;

impl Swarm {
    /// Checks a run that has ended.
    pub(super) fn check(&self, cluster: &mut Cluster) -> Result<Tally, String> {
        let carried = |flow| cluster.traffic_bytes(flow) > 0;
        let mut tally = Tally {
            marked: (cluster.link_counters().marked > 0).into(),
            shared: (0..self.setup.traffic.len()).any(carried).into(),
            ..Tally::default()
        };
        for (number, report) in cluster.report().jobs.iter().enumerate() {
            let completed = self
                .check_job(cluster, (number, report), &mut tally)
                .map_err(|wrong| format!("job {number}: {wrong}"))?;
            *(if completed { &mut tally.completed } else { &mut tally.ended }) += 1;
        }
        if tally.trapped > 0 {
            tally.beside_traps = tally.completed;
        }
        let left = cluster.leaks();
        if left != Leaks::default() {
            return Err(format!("left at switches that run: {left:?}"));
        }
        if cluster.peak_memory() > self.setup.switches.memory_bytes {
            return Err(format!(
                "a pipeline has held {} bytes, which it does not have",
                cluster.peak_memory()
            ));
        }
        match cluster.datagrams_held() {
            0 => Ok(tally),
            held => Err(format!("{held} datagrams are left")),
        }
    }

    /// Checks that the job has completed or ended as it may. Returns whether it has completed; the
    /// results of all its workers are then checked.
    fn check_job(
        &self,
        cluster: &Cluster,
        (number, report): (usize, &JobReport),
        tally: &mut Tally,
    ) -> Result<bool, String> {
        let Planned { calls, blame } = &self.jobs[number];
        let workers = self.setup.jobs[number].workers;
        let mut completed = true;
        for rank in 0..workers {
            let record = cluster.worker(number, rank).ok_or("a worker has no record")?;
            let complete = self
                .check_worker(number, rank, record)
                .map_err(|wrong| format!("worker {rank}: {wrong}; {blame:?}; {record:?}"))?;
            completed &= complete;
        }
        if blame.is_none() && !completed {
            return Err("nothing has befallen it, and it has not completed".to_owned());
        }
        let records: Vec<_> =
            (0..workers).filter_map(|rank| cluster.worker(number, rank)).collect();
        if blame.borne_us.is_some_and(|at_us| all_can_go_on(&records, at_us)) && !completed {
            let why = "it has another switch, or its own has started again in time, and it has not gone on";
            return Err(format!("{why}; {blame:?}; {records:?}"));
        }
        if self.must_regroup(number, &records) {
            return Err(format!(
                "a worker was lost, and the others have not gone on; {blame:?}; {records:?}"
            ));
        }
        let resumed = completed && records.iter().all(|record| record.resumed > 0);
        tally.resumed += u64::from(resumed);
        let first = self.setup.jobs[number].trees[0];
        tally.elsewhere += u64::from(resumed && records.iter().all(|record| record.tree != first));
        let has_left = |record: &&WorkerRecord| matches!(record.outcome, Some((_, Outcome::Left)));
        let regrouped = records.iter().any(|record| has_left(record) && record.regrouped > 0);
        tally.regrouped += u64::from(regrouped);
        tally.without_several += u64::from(regrouped && deaths(&records).count() > 1);
        let refolded = (0..workers).any(|rank| cluster.counters(number, rank).blocks_refolded > 0);
        tally.refolded += u64::from(refolded && completed);
        tally.refolded_and_on += u64::from(refolded && (resumed || regrouped));
        let is_mapped = |planned: &PlannedCall| matches!(planned.call.reduction, Reduction::User(fold) if fold.traits().has_map);
        let mapped = calls.iter().any(is_mapped);
        tally.mapped_and_on += u64::from(mapped && (resumed || regrouped));
        tally.bereft += u64::from(deaths(&records).next().is_some());
        let is_told = |record: &&WorkerRecord| {
            record.outcome.as_ref().is_some_and(|(_, outcome)| blame.trap_is_named_by(outcome))
        };
        tally.trapped += u64::from(records.iter().all(is_told));
        let results = tally.results;
        for call in 0..calls.len() {
            self.check_call(&records, (number, report), call, tally)
                .map_err(|wrong| format!("call {call}: {wrong}"))?;
        }
        tally.large += u64::from(workers > SMALL && tally.results > results);
        Ok(completed)
    }

    /// Returns whether a worker has made all its calls and left.
    fn check_worker(
        &self,
        number: usize,
        rank: u16,
        record: &WorkerRecord,
    ) -> Result<bool, String> {
        let Planned { calls, blame } = &self.jobs[number];
        let Some((at, outcome)) = &record.outcome else {
            return if blame.absent == Some(rank) {
                Ok(false)
            } else {
                Err("it neither ends nor is told".to_owned())
            };
        };
        if let Some(told) = &record.misled {
            return Err(format!("it cannot be that {told}"));
        }
        if !blame.allows(rank, outcome) {
            return Err("nothing explains its end".to_owned());
        }
        if *at > Time::from_us(self.bound_us(number, outcome)) {
            return Err(format!("it ends too late, after {} us", self.bound_us(number, outcome)));
        }
        let own = blame
            .leaver
            .filter(|(leaver, _)| *leaver == rank)
            .map_or(calls.len() as u64, |(_, calls)| calls);
        // R-RES-9: what has told of a loss is not made again.
        let is_over = |(_, result): &(_, Result<(), Ending>)| {
            matches!(result, Ok(()) | Err(Ending::Regrouped { .. }))
        };
        let done = record.calls.values().filter(|call| is_over(call)).count() as u64;
        match outcome {
            Outcome::Left if done != own => Err(format!("it has left after {done} of {own} calls")),
            Outcome::Left => Ok(own == calls.len() as u64),
            Outcome::Ended(Ending::PeerLeft { calls: made, .. }) => {
                // R-CTRL-5: those that the other had made can be completed, and no others.
                let all = (0..*made).all(|call| record.calls.get(&call).is_some_and(&is_over));
                let more = record.calls.range(made..).any(|(_, (_, result))| result.is_ok());
                if all && !more {
                    Ok(false)
                } else {
                    Err("not the calls are done that the worker had made which left".to_owned())
                }
            }
            _ => Ok(false),
        }
    }

    /// Returns whether a job had to go on without the workers that it lost, and did not (R-RES-8).
    /// It had to if all were in it before, and no worker took leave between a loss and its being
    /// noticed: without that worker the others cannot go on.
    fn must_regroup(&self, number: usize, records: &[&WorkerRecord]) -> bool {
        let (setup, blame) = (&self.setup.jobs[number], &self.jobs[number].blame);
        let (lost, crashed) = (BTreeSet::new(), BTreeSet::new());
        let only_that =
            Blame { lost, crashed, ..blame.clone() }.is_none() && blame.lost == blame.crashed;
        // R-RES-8: at another switch only a majority goes on.
        let few = setup.terms.resumable
            && (!blame.cut_off.is_empty() || 2 * blame.crashed.len() >= records.len());
        if !setup.terms.elastic || !only_that || few || !blame.cut_off.is_subset(&blame.crashed) {
            return false;
        }
        let others = || {
            (0..)
                .zip(records)
                .filter(|(rank, _)| !blame.crashed.contains(rank))
                .map(|(_, record)| record)
        };
        let left =
            others().filter(|other| matches!(other.outcome, Some((_, Outcome::Left)))).count();
        let was_there =
            |dies| others().all(|other| other.joined.is_some_and(|joined| joined < dies));
        // Between two losses some may have gone on and left.
        let may_have_left = deaths(records).count() > 1 && left > 0;
        deaths(records).min().is_some_and(was_there)
            && !others().any(|other| has_left_before(other))
            && !may_have_left
            && left != others().count()
    }

    /// Returns the latest time at which a worker must have ended, in microseconds.
    fn bound_us(&self, number: usize, outcome: &Outcome) -> u64 {
        let (setup, Planned { calls, blame }) = (&self.setup.jobs[number], &self.jobs[number]);
        let timeout_us = setup.timeout_ms * 1000;
        let last_call_us = calls.last().map_or(0, |call| call.at_us[0]);
        let outages_us: u64 = self.outages_us();
        match outcome {
            // R-CTRL-4, R-CTRL-18: a time-out after the last that was heard, on the way up and, if
            // it goes through other switches that have gone, again on the way down. A worker of a
            // resumable job looks for a switch for another one, and waits for the others for two
            // more (R-RES-3).
            Outcome::Ended(Ending::Failed(
                Failure::WorkerLost { .. } | Failure::Expelled { .. } | Failure::ParentLost { .. },
            ))
            | Outcome::Ended(Ending::SwitchLost { .. })
                if !setup.terms.resumable && !setup.terms.elastic =>
            {
                blame.last_us.max(setup.start_us) + 2 * timeout_us + outages_us + 100_000
            }
            _ => {
                let begins_us = setup.start_us.max(last_call_us).max(blame.last_us);
                // A long call takes up to 64 rounds of a slot, and with a fifth of all datagrams
                // lost each of them three to five timeouts of 50 ms of the worker that has most of
                // them.
                let long =
                    calls.iter().filter(|planned| planned.call.elements > ELEMENTS).count() as u64;
                begins_us
                    + 2 * FORMING_MS * 1000
                    + 4 * timeout_us
                    + outages_us
                    + (1 + long) * WAIT_LIMIT_US
            }
        }
    }

    /// Returns the time for which links are cut and nodes do nothing, all together.
    fn outages_us(&self) -> u64 {
        let cuts = self.setup.cuts.iter().map(|cut| cut.until_us - cut.from_us);
        let stalls = self.setup.stalls.iter().map(|stall| stall.until_us - stall.from_us);
        let switches = self.setup.switch_stalls.iter().map(|stall| stall.until_us - stall.from_us);
        cuts.chain(stalls).chain(switches).sum()
    }

    /// Checks a call at the workers that have completed it: each result is the fold of the inputs
    /// of all, every one counted once, as the report has it.
    fn check_call(
        &self,
        records: &[&WorkerRecord],
        (number, report): (usize, &JobReport),
        call: usize,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let Planned { calls, blame } = &self.jobs[number];
        let (place, is_long) = (call as u64, calls[call].call.elements >= LONG);
        let mut with: Option<&[u16]> = None;
        for (rank, record) in records.iter().enumerate() {
            if !record.calls.get(&place).is_some_and(|(_, done)| done.is_ok()) {
                continue;
            }
            // R-RES-9: a call is made with workers that its caller knows, and with the same at all
            // workers that have it.
            let members = record.members_of(place).ok_or("it knows of nobody")?;
            if *with.get_or_insert(members) != members {
                return Err(format!("workers have made it with others: {with:?} and {members:?}"));
            }
            let odd =
                blame.odd_call.filter(|(odd, number)| *number == place && members.contains(odd));
            let trapped = blame.trap.as_ref().is_some_and(|trap| trap.call == place);
            if trapped || blame.overflow == Some(place) || odd.is_some() && members.len() > 1 {
                return Err(format!("worker {rank} has a result of a call that none can have"));
            }
            tally.results += 1;
            tally.long += u64::from(is_long);
            let planned = &calls[call].call;
            let exchanged = record.exchange_slots > 0 && self.is_exchange(number, planned);
            if let Reduction::User(fold) = planned.reduction {
                tally.typed += 1;
                tally.coded += u64::from(fold.traits().has_codec);
                tally.prefixes +=
                    u64::from(exchanged && planned.collective != Collective::LookAside);
            }
            if exchanged && planned.collective == Collective::AllToAll {
                tally.exchanged += 1;
                tally.exchanged_and_on += u64::from(record.resumed > 0);
            }
            tally.answered += u64::from(planned.collective == Collective::LookAside);
        }
        match &report.calls[call].wrong {
            Some(wrong) => Err(wrong.to_string()),
            None => Ok(()),
        }
    }

    /// Returns whether a call of all workers is an exchange where a job has slots for that
    /// (R-STREAM-16, R-STREAM-18).
    fn is_exchange(&self, number: usize, call: &Call) -> bool {
        let JobSetup { terms, workers, payload_bytes, .. } = &self.setup.jobs[number];
        let plan = Plan::new(*call, terms.arithmetic, *workers, WorkerId(0), *payload_bytes);
        plan.is_ok_and(|plan| plan.in_exchange_slots().is_exchange())
    }
}

/// Returns when workers that were in the job have stopped.
fn deaths<'a>(records: &'a [&WorkerRecord]) -> impl Iterator<Item = Time> + 'a {
    records.iter().filter(|record| record.joined.is_some()).filter_map(|record| {
        match record.outcome {
            Some((at, Outcome::Crashed)) => Some(at),
            _ => None,
        }
    })
}

/// Returns whether a worker has gone on after others were lost, or has not ended otherwise.
fn has_left_before(record: &WorkerRecord) -> bool {
    matches!(record.outcome, Some((_, Outcome::Left))) && record.regrouped == 0
}

/// Returns whether every worker was in the job when its switch stopped, and came along. A worker
/// that leaves then cannot come back (R-RES-7).
fn all_can_go_on(records: &[&WorkerRecord], at_us: u64) -> bool {
    let was_there =
        |record: &WorkerRecord| record.joined.is_some_and(|joined| joined < Time::from_us(at_us));
    let has_left = |record: &WorkerRecord| {
        matches!(record.outcome, Some((_, Outcome::Left))) && record.resumed == 0
    };
    records.iter().all(|record| was_there(record) && !has_left(record))
}
