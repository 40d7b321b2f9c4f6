//! The phases of a job: forming, running, and the ways in which it ends.

use core::net::SocketAddr;
use std::collections::{BTreeMap, BTreeSet};

use netfold_wire::Terms;
use tracing::{debug, info, warn};

use super::job::{Job, Phase};
use super::layout::Layout;
use super::lending::Lending;
use super::{ConnectionId, JobKey, Output, Registry};
use crate::failure::{Failure, Loss, MAX_NAMED, Refusal, clip};
use crate::limits::micros;
use crate::message::{Join, Message, Welcome};
use crate::plane::{AdmissionError, Cause, DataPlane, Incident};
use crate::status::operation_reports;

/// While a job forms all its workers are told this many times, and once for each worker of a job
/// that has not more (R-CTRL-2).
const WAITING_STEPS: u16 = 64;

const UNKNOWN_CALL: &str = "unknown (it did not answer)";

impl Registry {
    /// The data plane has found something wrong in a round (R-CTRL-6, R-CTRL-13).
    pub fn incident(&mut self, now_us: u64, incident: Incident, plane: &mut dyn DataPlane) {
        let running = |job: &Job| job.running().map(|epoch| (epoch.job, epoch.id));
        let Some(key) = self.find(|job| running(job) == Some((incident.job, incident.epoch)))
        else {
            return debug!(?incident, "incident in a job that has ended");
        };
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let Some(epoch) = job.running() else { return };
        warn!(job = ?job.name, ?incident, "a job cannot go on");
        if let (Cause::Trap { operation, why, .. }, Some(loader)) = (incident.cause, &self.loader)
            && let Some(trapped) = job.operations().find(|(number, _)| *number == operation)
        {
            loader.trapped(trapped.1.hash(), why);
            let of = (epoch.job, &*job.name);
            for report in operation_reports(of, [trapped].into_iter(), &plane.status()) {
                self.trapped.keep(report);
            }
        }
        plane.release(epoch.job);
        self.names.remove(&job.name);
        let deadline_us = now_us.saturating_add(micros(self.limits.describe));
        job.phase = Phase::Describing { epoch, deadline_us, incident, texts: BTreeMap::new() };
        let witnesses = BTreeSet::from(incident.cause.witnesses());
        let asked: Vec<_> = witnesses.iter().filter_map(|&rank| job.connection_of(rank)).collect();
        let lane = match incident.cause {
            Cause::Mismatch { .. } => None,
            Cause::Overflow { lane, .. } => Some(lane),
            // R-OP-20: the beginning of the block.
            Cause::Trap { .. } => Some(0),
        };
        for conn in asked {
            let Incident { shard, slot, position, .. } = incident;
            self.send(conn, Message::Describe { shard, slot, position, lane });
        }
        self.fail_if_described(key);
    }

    /// Starts the job if all are there (R-CTRL-2), or tells them how many are.
    pub(super) fn formed_or_waiting(
        &mut self,
        key: JobKey,
        newcomer: ConnectionId,
        plane: &mut dyn DataPlane,
        entropy: u128,
    ) {
        let Some(job) = self.jobs.get(&key) else { return };
        if !job.is_complete() {
            return self.tell_waiting(key, Some(newcomer));
        }
        let layout = Layout::of(&job.members);
        if let Some(refusal) = layout.crowded(&job.name, self.limits.members) {
            return self.refuse_all(key, &refusal);
        }
        if let Some(refusal) = layout.misplaced(job) {
            return self.refuse_all(key, &refusal);
        }
        let taken: BTreeSet<u16> =
            self.jobs.values().filter_map(|job| Some(job.running()?.job)).collect();
        let Some(number) = (0..=u16::MAX).find(|number| !taken.contains(number)) else {
            return self.refuse_all(key, &Refusal::TooManyJobs { limit: self.limits.jobs });
        };
        let id = self.next_epoch(number, entropy as u32);
        // The epoch is in every packet, so the secret must not share its bits.
        let epoch =
            job.new_epoch(number, id, &layout, self.limits.receive_buffer, (entropy >> 64) as u64);
        let Some(agreed) = job.agreed() else { return };
        let terms = match Terms::try_from(&agreed.terms) {
            Ok(terms) => terms,
            Err(refusal) => return self.refuse_all(key, &refusal),
        };
        let admission = job.admission(epoch, &layout, terms, &self.tokens);
        let (epoch, admission) = job.afford(epoch, admission, plane.spare(), layout.most_members());
        let (epoch, admission) = match plane.lends() {
            true => job.lending(epoch, admission, &layout),
            false => (epoch, admission),
        };
        if let Err(refusal) = job.slots_go_on(&epoch, &layout) {
            return self.refuse_all(key, &refusal);
        }
        if let Err(error) = plane.admit(&admission) {
            let refusal = match error {
                AdmissionError::Memory { needed, free } => {
                    Refusal::OutOfMemory { job: job.name.clone(), needed, free }
                }
                AdmissionError::Jobs { limit } => Refusal::TooManyJobs { limit },
                AdmissionError::Other(reason) => {
                    Refusal::DataPlane { job: job.name.clone(), reason }
                }
            };
            return self.refuse_all(key, &refusal);
        }
        self.epochs.insert(number, epoch.id);
        info!(
            job = ?job.name,
            number,
            workers = admission.workers,
            slots = admission.slots,
            payload_bytes = admission.payload_bytes,
            transport = %epoch.slots_at.transport(),
            "job runs"
        );
        let replays = job.replays();
        let greet = |(rank, conn)| {
            let welcome = job.welcome(rank, epoch, &layout, &self.shards)?;
            Some(Output::Send(
                conn,
                Message::Welcome(Welcome { replays: replays.clone(), ..welcome }.into()),
            ))
        };
        let welcomes: Vec<_> = job.present().into_iter().filter_map(greet).collect();
        self.output.extend(welcomes);
        self.has_gone_on(key);
        if let Some(job) = self.jobs.get_mut(&key) {
            job.phase = Phase::Running(epoch);
            job.lending = Lending::new(admission.spec().lent_bytes());
        }
    }

    /// R-CTRL-2: random, and not the previous epoch under the same number.
    fn next_epoch(&self, number: u16, epoch: u32) -> u32 {
        if self.epochs.get(&number) == Some(&epoch) { epoch.wrapping_add(1) } else { epoch }
    }

    /// R-CTRL-5: a worker is done.
    pub(super) fn leave(
        &mut self,
        conn: ConnectionId,
        key: JobKey,
        rank: u16,
        calls: u64,
        plane: &mut dyn DataPlane,
    ) {
        self.close(conn);
        let Some(job) = self.jobs.get_mut(&key) else { return };
        if let Phase::Forming { .. } = job.phase {
            return self.free_rank(key, rank);
        }
        job.part(rank);
        debug!(job = ?job.name, rank, calls, "worker left");
        match job.running() {
            Some(epoch) if job.is_deserted() => {
                info!(job = ?job.name, number = epoch.job, "job ended");
                plane.release(epoch.job);
                self.forget(key);
            }
            Some(_) if job.fewest_calls.is_none_or(|fewest| calls < fewest) => {
                job.fewest_calls = Some(calls);
                for (_, other) in job.present() {
                    self.send(other, Message::Left { rank, calls });
                }
            }
            Some(_) => {}
            None => self.fail_if_described(key),
        }
        self.take_back_slots(key, plane);
    }

    /// R-CTRL-4: a worker has gone without taking its leave.
    pub(super) fn lost(
        &mut self,
        now_us: u64,
        conn: ConnectionId,
        key: JobKey,
        rank: u16,
        why: Loss,
        plane: &mut dyn DataPlane,
    ) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let age_ms = now_us.saturating_sub(job.created_us) / 1000;
        info!(job = ?job.name, rank, age_ms, "worker lost: {why}");
        let forming = matches!(job.phase, Phase::Forming { .. });
        // A worker that is only slow should know why it is out.
        match why {
            Loss::Closed => {}
            Loss::Silent { for_ms } if forming => {
                self.send(conn, Message::Refused { reason: Refusal::Silent { for_ms } })
            }
            _ if forming => {}
            _ => self.send(
                conn,
                Message::Failed { cause: Failure::Expelled { rank, why: why.clone() } },
            ),
        }
        self.close(conn);
        if forming {
            return self.free_rank(key, rank);
        }
        let Some(job) = self.jobs.get_mut(&key) else { return };
        job.part(rank);
        match job.running() {
            Some(epoch) => {
                plane.release(epoch.job);
                self.fail(key, &Failure::WorkerLost { rank, why });
            }
            None => self.fail_if_described(key),
        }
    }

    /// R-CTRL-17: a rack switch cannot take in a job that runs here.
    pub(super) fn unable(
        &mut self,
        key: JobKey,
        switch: SocketAddr,
        reason: String,
        plane: &mut dyn DataPlane,
    ) {
        if let Some(job) = self.jobs.get(&key)
            && let Some(epoch) = job.running()
        {
            plane.release(epoch.job);
            let job = job.name.clone();
            self.fail(key, &Failure::SwitchUnable { job, switch, reason });
        }
    }

    /// R-CTRL-6: a worker has said what it called.
    pub(super) fn described(&mut self, key: JobKey, rank: u16, at: (u16, u16, u32), text: String) {
        // An answer to no question is ignored: the question may have been answered by time-out.
        if let Some(Job { phase: Phase::Describing { incident, texts, .. }, .. }) =
            self.jobs.get_mut(&key)
            && incident.cause.witnesses().contains(&rank)
            && (incident.shard, incident.slot, incident.position) == at
        {
            texts.entry(rank).or_insert_with(|| clip(&text));
            self.fail_if_described(key);
        }
    }

    /// Ends what has run out of time: jobs that do not form, descriptions that do not come.
    pub(super) fn expire_jobs(&mut self, now_us: u64) {
        let due = |job: &Job| match job.phase {
            Phase::Forming { deadline_us } | Phase::Describing { deadline_us, .. } => {
                deadline_us <= now_us
            }
            Phase::Running(_) => false,
        };
        let expired: Vec<_> =
            self.jobs.iter().filter(|(_, job)| due(job)).map(|(&key, _)| key).collect();
        for key in expired {
            let Some(job) = self.jobs.get(&key) else { continue };
            if let Phase::Describing { .. } = job.phase {
                self.fail_described(key);
                continue;
            }
            let more = job.missing.len().saturating_sub(MAX_NAMED);
            let missing = job.missing.iter().take(MAX_NAMED).copied().collect();
            let refusal = Refusal::JoinTimeout {
                job: job.name.clone(),
                size: job.agreed().map_or(0, |terms| terms.size),
                missing,
                more,
                waited_s: now_us.saturating_sub(job.created_us) / 1_000_000,
            };
            self.lose_absent(key);
            self.refuse_all(key, &refusal);
        }
    }

    /// Ends a job because the switch stops.
    pub(super) fn stop_job(&mut self, key: JobKey, plane: &mut dyn DataPlane) {
        let Some(job) = self.jobs.get(&key) else { return };
        match job.phase {
            Phase::Forming { .. } => self.refuse_all(key, &Refusal::SwitchStopping),
            Phase::Running(epoch) => {
                plane.release(epoch.job);
                self.fail(key, &Failure::SwitchStopping);
            }
            Phase::Describing { .. } => self.fail_described(key),
        }
    }

    /// Fails a job with its incident as soon as no further description can be expected.
    fn fail_if_described(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(&key) else { return };
        let Phase::Describing { incident, texts, .. } = &job.phase else { return };
        let awaited = |rank| !texts.contains_key(&rank) && job.connection_of(rank).is_some();
        if !incident.cause.witnesses().into_iter().any(awaited) {
            self.fail_described(key);
        }
    }

    fn fail_described(&mut self, key: JobKey) {
        let Some(job) = self.jobs.get(&key) else { return };
        let Job { name, phase: Phase::Describing { incident, texts, .. }, .. } = job else {
            return;
        };
        let call = |rank| texts.get(&rank).cloned().unwrap_or_else(|| UNKNOWN_CALL.to_owned());
        let cause = match incident.cause {
            Cause::Mismatch { first, second } => Failure::Mismatch {
                rank_a: first,
                call_a: call(first),
                rank_b: second,
                call_b: call(second),
            },
            Cause::Overflow { rank, .. } => {
                let arithmetic =
                    job.agreed().map_or_else(String::new, |join| join.terms.arithmetic.clone());
                Failure::Overflow { job: name.clone(), arithmetic, rank, element: call(rank) }
            }
            Cause::Trap { rank, operation, why } => {
                let (operation, job) = (job.operation(operation), name.clone());
                Failure::Trapped { job, operation, why, rank, block: call(rank) }
            }
        };
        self.fail(key, &cause);
    }

    /// Tells everyone that is left, and forgets the job. The data plane has released it before.
    pub(super) fn fail(&mut self, key: JobKey, cause: &Failure) {
        let Some(job) = self.forget(key) else { return };
        warn!(job = ?job.name, "job failed: {cause}");
        // R-RES-7: nobody goes on without a worker that has taken leave.
        let nobody_left = job.fewest_calls.is_none();
        let lost = job
            .agreed()
            .filter(|_| nobody_left)
            .and_then(|Join { terms, .. }| cause.survived(terms.elastic, terms.resumable));
        if let (Some(rank), Some(epoch)) = (lost, job.running()) {
            self.keep_others(key, &job, epoch.id, rank);
        }
        for (_, conn) in job.present() {
            self.send(conn, Message::Failed { cause: cause.clone() });
            if lost.is_none() {
                self.close(conn);
            }
        }
    }

    /// Ends a job that has not run.
    pub(super) fn refuse_all(&mut self, key: JobKey, refusal: &Refusal) {
        let Some(job) = self.forget(key) else { return };
        info!(job = ?job.name, "job refused: {refusal}");
        for (_, conn) in job.present() {
            self.refuse(conn, refusal.clone());
        }
    }

    /// A worker has gone while its job was forming: another can have its rank.
    fn free_rank(&mut self, key: JobKey, rank: u16) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        job.free(rank);
        if job.members.is_empty() {
            self.forget(key);
        } else {
            self.tell_waiting(key, None);
        }
    }

    /// Tells the workers that wait how many are there. A large job would hear more of that than of
    /// anything else: all are told at intervals, and in between the newcomer alone.
    fn tell_waiting(&mut self, key: JobKey, newcomer: Option<ConnectionId>) {
        let Some(job) = self.jobs.get_mut(&key) else { return };
        let (Some(message), Some(size)) = (job.waiting(), job.agreed().map(|terms| terms.size))
        else {
            return;
        };
        let joined = job.members.len() as u16;
        let told: Vec<_> = if joined.abs_diff(job.told) > size / WAITING_STEPS {
            job.told = joined;
            job.present().into_iter().map(|(_, conn)| conn).collect()
        } else {
            newcomer.into_iter().collect()
        };
        for conn in told {
            self.send(conn, message.clone());
        }
    }

    fn forget(&mut self, key: JobKey) -> Option<Job> {
        let job = self.jobs.remove(&key)?;
        // A failing job has given its name free, and another may have it by now.
        if self.names.get(&job.name) == Some(&key) {
            self.names.remove(&job.name);
        }
        Some(job)
    }

    fn find(&self, wanted: impl Fn(&Job) -> bool) -> Option<JobKey> {
        self.jobs.iter().find(|(_, job)| wanted(job)).map(|(&key, _)| key)
    }
}
