//! The control plane of SwitchML's program, without I/O: which slots, words and groups of the
//! switch are whose.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::control::Control;
use crate::program::Program;
use crate::programs::frame::Address;
use crate::programs::job::Job;
use crate::programs::switchml::SwitchMl;

/// A job's request to the switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Its number.
    pub job: u16,
    /// Its epoch.
    pub epoch: u32,
    /// Slots.
    pub slots: u16,
    /// Port and address of each worker.
    pub workers: Vec<(u16, Address)>,
}

/// The reason why a job is not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AdmissionError {
    /// A job of this number runs.
    #[error("the switch has a job {job} already; release it first")]
    Taken {
        /// The number.
        job: u16,
    },
    /// A job without workers or slots.
    #[error("a job has at least one worker and one slot")]
    Empty,
    /// Slots, or words of `last`, of which a job has those side by side.
    #[error(
        "the job needs {needed} {what} of register memory side by side, and at most {free} are free"
    )]
    Memory {
        /// The resource that is missing.
        what: &'static str,
        /// The amount that is needed.
        needed: u32,
        /// The longest stretch that is free.
        free: u32,
    },
    /// A worker at a port where no worker can be.
    #[error(
        "rank {rank} is at port {port}, which leads back into the switch or to no host of its first pipeline; connect it to another port up to {last}"
    )]
    Port {
        /// The worker.
        rank: usize,
        /// Its port.
        port: u16,
        /// The last port that leads to hosts.
        last: u16,
    },
    /// A worker with the switch's address.
    #[error(
        "rank {rank} has the Ethernet or the IPv4 address of the switch; give the worker addresses of its own"
    )]
    Address {
        /// The worker.
        rank: usize,
    },
    /// A table has no room for its entries.
    #[error("table `{table}` has memory for {capacity} entries, and would have {needed}")]
    Table {
        /// The table.
        table: &'static str,
        /// Its room.
        capacity: u32,
        /// Its entries with the job's.
        needed: u32,
    },
}

/// The jobs of a switch that runs the program. Whoever calls it carries out what it says, in that
/// order.
#[derive(Clone, Debug)]
pub struct Plane {
    config: SwitchMl,
    program: Program,
    switch: Address,
    jobs: BTreeMap<u16, Job>,
}

impl Plane {
    /// Makes a switch that has just started, and that workers reach at this address.
    pub fn new(config: SwitchMl, switch: Address) -> Self {
        Self { program: config.program(), config, switch, jobs: BTreeMap::new() }
    }

    /// The program that the switch runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Takes a job in, in the first place that is free.
    ///
    /// # Errors
    /// The reason why the switch does not take the job in; then nothing has changed.
    pub fn admit(&mut self, admission: Admission) -> Result<Vec<Control>, AdmissionError> {
        let Admission { job: number, epoch, slots, workers } = admission;
        if self.jobs.contains_key(&number) {
            return Err(AdmissionError::Taken { job: number });
        }
        if slots == 0 || workers.is_empty() {
            return Err(AdmissionError::Empty);
        }
        self.check_ways(&workers)?;
        self.check_tables(workers.len() as u32)?;
        let words = u32::from(slots) * workers.len() as u32;
        let all = self.config.slots * self.config.workers;
        let taken = |range: fn(&Job) -> (u32, u32)| self.jobs.values().map(range).collect();
        let first_slot = free("slots", self.config.slots, taken(Job::slot_range), slots.into())?;
        let first_word = free("words for its workers' rounds", all, taken(Job::word_range), words)?;
        let groups = self.jobs.values().map(|job| (job.group.into(), 2)).collect();
        let group =
            1 + free("groups", u32::from(u16::MAX) - 1, groups_from_zero(groups), 2)? as u16;
        let job = Job {
            job: number,
            epoch,
            slots,
            first_slot,
            first_word,
            workers,
            switch: self.switch,
            group,
        };
        let controls = job.controls(&self.config, &self.program);
        self.jobs.insert(number, job);
        Ok(controls)
    }

    /// Ends a job: first nothing of it is let in any more.
    pub fn release(&mut self, job: u16) -> Vec<Control> {
        let Some(job) = self.jobs.remove(&job) else { return Vec::new() };
        job.controls(&self.config, &self.program)
            .into_iter()
            .rev()
            .filter_map(Control::undone)
            .collect()
    }

    /// R-PISA-6
    fn check_ways(&self, workers: &[(u16, Address)]) -> Result<(), AdmissionError> {
        let Self { config: SwitchMl { frame, .. }, switch, .. } = self;
        for (rank, &(port, Address { mac, ip, .. })) in workers.iter().enumerate() {
            if !frame.leads_to_a_worker(port) {
                return Err(AdmissionError::Port { rank, port, last: frame.last_port });
            }
            if mac == switch.mac || ip == switch.ip {
                return Err(AdmissionError::Address { rank });
            }
        }
        Ok(())
    }

    fn check_tables(&self, workers: u32) -> Result<(), AdmissionError> {
        let members: u32 =
            self.jobs.values().map(|job| job.workers.len() as u32).sum::<u32>() + workers;
        let jobs = self.jobs.len() as u32 + 1;
        // An entry for each copy's words, for each worker, and for each receiver with everyone as
        // one more.
        for (table, needed) in
            [("jobs", 2 * jobs), ("members", members), ("deliveries", members + jobs)]
        {
            let capacity = self.program.table(table).map_or(0, |table| table.capacity);
            if needed > capacity {
                return Err(AdmissionError::Table { table, capacity, needed });
            }
        }
        Ok(())
    }
}

/// Groups are numbered from 1.
fn groups_from_zero(groups: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    groups.into_iter().map(|(first, count)| (first - 1, count)).collect()
}

/// The first of `needed` places side by side, of so many in all, that nobody has taken.
fn free(
    what: &'static str,
    all: u32,
    mut taken: Vec<(u32, u32)>,
    needed: u32,
) -> Result<u32, AdmissionError> {
    taken.sort_unstable();
    taken.push((all, 0));
    let (mut at, mut longest) = (0, 0);
    for (first, count) in taken {
        if first - at >= needed {
            return Ok(at);
        }
        longest = longest.max(first - at);
        at = first + count;
    }
    Err(AdmissionError::Memory { what, needed, free: longest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::FrameConfig;

    const SWITCH: Address = Address { mac: 0xFFFE, ip: 0xFFFE, port: 3 };

    fn plane() -> Plane {
        let config = SwitchMl { slots: 8, workers: 4, ..SwitchMl::new(8) };
        Plane::new(config, SWITCH)
    }

    fn asks(job: u16, slots: u16, workers: u16) -> Admission {
        let worker = |at: u16| (at, Address { mac: at.into(), ip: at.into(), port: at });
        Admission { job, epoch: 1, slots, workers: (1..=workers).map(worker).collect() }
    }

    /// Jobs share nothing, and what one has had is another's when it has gone.
    #[test]
    fn jobs_have_places_of_their_own() {
        let mut plane = plane();
        for (job, slots) in [(1, 2), (2, 4), (3, 2)] {
            plane.admit(asks(job, slots, 4)).unwrap();
        }
        let full = plane.admit(asks(4, 1, 1)).unwrap_err();
        assert_eq!(full, AdmissionError::Memory { what: "slots", needed: 1, free: 0 });
        assert_eq!(plane.admit(asks(2, 1, 1)).unwrap_err(), AdmissionError::Taken { job: 2 });
        plane.release(2);
        plane.admit(asks(4, 3, 4)).unwrap();
        let left = plane.admit(asks(5, 2, 1)).unwrap_err();
        assert_eq!(left, AdmissionError::Memory { what: "slots", needed: 2, free: 1 });
        let jobs: Vec<_> = [1, 3, 4].iter().map(|job| &plane.jobs[job]).collect();
        for (at, one) in jobs.iter().enumerate() {
            for other in &jobs[at + 1..] {
                for range in [Job::slot_range, Job::word_range, |job: &Job| (job.group.into(), 2)] {
                    let ((a, n), (b, m)) = (range(one), range(other));
                    assert!(a + n <= b || b + m <= a, "{one:?} {other:?}");
                }
            }
        }
    }

    /// R-PISA-5: registers are cleared first and its packets let in last; at the end they are shut
    /// out first, and nothing of a job stays.
    #[test]
    fn a_job_leaves_nothing_behind() {
        let mut plane = plane();
        let admitted = plane.admit(asks(1, 2, 3)).unwrap();
        assert!(matches!(admitted[0], Control::Clear { .. }));
        let is_let_in =
            |control: &Control| matches!(control, Control::Insert { table: "jobs", .. });
        assert!(admitted.iter().rev().take(2).all(is_let_in));
        let released = plane.release(1);
        assert!(
            released
                .iter()
                .take(2)
                .all(|control| matches!(control, Control::Remove { table: "jobs", .. }))
        );
        let entries = |controls: &[Control]| {
            controls.iter().filter(|control| !matches!(control, Control::Clear { .. })).count()
        };
        assert_eq!(entries(&released), entries(&admitted));
        assert_eq!(plane.release(1), []);
    }

    /// R-PISA-6: a worker at a port that leads back would never get a result, nor would one that
    /// has the switch's address.
    #[test]
    fn workers_are_where_results_can_reach_them() {
        let worker = |port, mac, ip| (port, Address { mac, ip, port: 5555 });
        let admit = |frame: FrameConfig, worker| {
            let config = SwitchMl { slots: 8, workers: 4, frame, ..SwitchMl::new(8) };
            let workers = vec![(1, Address { mac: 1, ip: 1, port: 1 }), worker];
            Plane::new(config, SWITCH)
                .admit(Admission { job: 1, epoch: 1, slots: 1, workers })
                .map(drop)
        };
        let (tofino, bmv2) = (|| FrameConfig::new(1), FrameConfig::bmv2);
        for (frame, port, is_one) in [
            (tofino(), 63, true),
            (tofino(), 64, false),
            (tofino(), 68, false),
            (tofino(), 129, false),
            (bmv2(), 67, true),
            (bmv2(), 68, false),
            (bmv2(), 69, true),
            (bmv2(), 510, true),
            (bmv2(), 511, false),
        ] {
            let last = frame.last_port;
            let refused = AdmissionError::Port { rank: 1, port, last };
            assert_eq!(
                admit(frame, worker(port, 9, 9)),
                if is_one { Ok(()) } else { Err(refused) }
            );
        }
        for (mac, ip) in [(SWITCH.mac, 9), (9, SWITCH.ip)] {
            assert_eq!(
                admit(tofino(), worker(2, mac, ip)),
                Err(AdmissionError::Address { rank: 1 })
            );
        }
    }

    /// R-PISA-4: tables have as much room as the program gives them.
    #[test]
    fn tables_have_an_end() {
        let config = SwitchMl { slots: 1000, workers: 4, ..SwitchMl::new(8) };
        let mut plane = Plane::new(config, SWITCH);
        for job in 0..64 {
            plane.admit(asks(job, 1, 1)).unwrap();
        }
        let full = plane.admit(asks(64, 1, 1)).unwrap_err();
        assert_eq!(full, AdmissionError::Table { table: "jobs", capacity: 128, needed: 130 });
    }
}
