//! The faults that all switches of the tree see (R-CTRL-19).

use std::collections::BTreeSet;

use super::connection::Role;
use super::job::Phase;
use super::layout::Layout;
use super::{ConnectionId, JobKey, Registry};
use crate::message::Message;
use crate::plane::{DataPlane, ShardStatus};
use crate::report::{Finding, MAX_FINDINGS};
use crate::status::{closest, doctor, drops, kept, memory, table, unread, waiting};

/// Longest time that the switches below may take to answer, in microseconds: half of what a worker
/// gives the answer whose call has timed out.
const WAIT_LIMIT_US: u64 = 250_000;

/// Most findings of switches below that are kept until all have answered.
const MAX_FOUND: usize = 16 * MAX_FINDINGS;

/// A question about faults, for as long as switches below have not answered. An asker that comes
/// meanwhile gets the same answer.
pub(super) struct Examination {
    askers: Vec<ConnectionId>,
    /// Of each job the switches that have not answered, by their identity.
    awaited: BTreeSet<(JobKey, u64)>,
    found: Vec<Finding>,
    deadline_us: u64,
}

impl Registry {
    /// Somebody asks what is not right.
    pub(super) fn examine(&mut self, now_us: u64, asker: ConnectionId, plane: &mut dyn DataPlane) {
        if let Some(examination) = &mut self.examination {
            return examination.askers.push(asker);
        }
        let mut awaited = BTreeSet::new();
        let mut questions = Vec::new();
        for (&key, job) in self.jobs.iter().filter(|(_, job)| job.running().is_some()) {
            for member in job.members.values() {
                let Some(conn) = member.connection else { continue };
                for hop in &member.path {
                    if awaited.insert((key, hop.id)) {
                        questions.push((conn, hop.id));
                    }
                }
            }
        }
        for (conn, switch) in questions {
            self.send(conn, Message::Examine { switch });
        }
        let deadline_us = now_us.saturating_add(WAIT_LIMIT_US);
        self.examination =
            Some(Examination { askers: vec![asker], awaited, found: Vec::new(), deadline_us });
        self.answer_if_examined(now_us, plane);
    }

    /// A switch below has answered.
    pub(super) fn examined(
        &mut self,
        now_us: u64,
        key: JobKey,
        switch: u64,
        findings: Vec<Finding>,
        plane: &mut dyn DataPlane,
    ) {
        // An answer to no question is ignored: it may be late.
        let Some(examination) = &mut self.examination else { return };
        if !examination.awaited.remove(&(key, switch)) {
            return;
        }
        if let Some(job) = self.jobs.get(&key) {
            let of_job = findings.into_iter().filter(|finding| match finding {
                Finding::WaitingFor { job: name, .. } | Finding::QuietWorker { job: name, .. } => {
                    *name == job.name
                }
                _ => false,
            });
            let room = MAX_FOUND - examination.found.len();
            examination.found.extend(of_job.take(room.min(MAX_FINDINGS)));
        }
        self.answer_if_examined(now_us, plane);
    }

    /// Returns the time at which the question is answered at the latest.
    pub(super) fn examined_at_us(&self) -> Option<u64> {
        self.examination.as_ref().map(|examination| examination.deadline_us)
    }

    /// Answers what has been asked, if no other switch has anything to add, or time is over.
    pub(super) fn answer_if_examined(&mut self, now_us: u64, plane: &mut dyn DataPlane) {
        let is_over =
            |exam: &mut Examination| exam.awaited.is_empty() || exam.deadline_us <= now_us;
        let Some(examination) = self.examination.take_if(is_over) else { return };
        let mut findings = self.diagnose(now_us, &plane.status());
        findings.extend(examination.found);
        let report = doctor(closest(findings));
        for asker in examination.askers {
            // An asker may have gone, or have asked twice.
            if self.connections.contains_key(&asker) {
                self.send(asker, Message::Report { report: report.clone() });
                self.close(asker);
            }
        }
    }

    /// Returns the findings of this switch itself.
    fn diagnose(&self, now_us: u64, shards: &[ShardStatus]) -> Vec<Finding> {
        let forming = self.jobs.values().filter_map(|job| {
            let report = job.report(now_us)?;
            let Phase::Forming { .. } = job.phase else { return None };
            let (size, missing, for_ms) = (report.size, report.missing, report.age_ms);
            Some(Finding::MissingWorkers { job: report.name, size, missing, for_ms })
        });
        let mut findings: Vec<_> = forming.collect();
        for (number, job) in self.running_jobs() {
            findings.extend(waiting(number, &job.name, &Layout::of(&job.members).members, shards));
            let age_ms = now_us.saturating_sub(job.created_us) / 1000;
            let epoch = job.running().map(|epoch| epoch.id);
            let table = epoch.and_then(|epoch| table(number, epoch, shards));
            findings.extend(table.and_then(|table| unread(&job.name, age_ms, table)));
        }
        findings.extend(kept(shards));
        findings.extend(self.quiet_workers(now_us));
        findings.extend(memory(shards));
        findings.extend(drops(shards));
        findings
    }

    fn quiet_workers(&self, now_us: u64) -> impl Iterator<Item = Finding> {
        self.connections.values().filter_map(move |connection| {
            let Role::Worker { job, rank } = connection.role else { return None };
            let timeout_ms = self.timeout_us(connection)? / 1000;
            let for_ms = connection.silent_ms(now_us);
            let quiet = for_ms > timeout_ms / 2;
            quiet.then(|| Finding::QuietWorker { job: self.name_of(job), rank, for_ms, timeout_ms })
        })
    }

    fn name_of(&self, key: JobKey) -> String {
        self.jobs.get(&key).map_or_else(String::new, |job| job.name.clone())
    }
}
