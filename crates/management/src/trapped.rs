//! Operations that have ended their jobs by a trap, and their work until then (R-OP-45).

use std::collections::VecDeque;

use crate::operations::OperationReport;

/// The operations that have trapped, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Trapped(VecDeque<OperationReport>);

impl Trapped {
    /// Operations that a switch remembers.
    const MOST: usize = 64;

    /// Keeps what an operation had done when it trapped. Its work in earlier jobs of that name is
    /// added to it.
    pub(crate) fn keep(&mut self, report: OperationReport) {
        // What a worker has counted in shared memory may not be shown yet.
        let mut kept = OperationReport { ended: true, traps: report.traps.max(1), ..report };
        let same = |other: &OperationReport| {
            (&other.job, other.number, &other.hash) == (&kept.job, kept.number, &kept.hash)
        };
        if let Some(earlier) = self.0.iter().position(same).and_then(|at| self.0.remove(at)) {
            kept.add(&earlier);
        }
        if self.0.len() == Self::MOST {
            self.0.pop_front();
        }
        self.0.push_back(kept);
    }

    /// Returns them, the latest first.
    pub(crate) fn reports(&self) -> impl Iterator<Item = OperationReport> {
        self.0.iter().rev().cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(job: &str, traps: u64) -> OperationReport {
        OperationReport { job: job.into(), calls: 3, traps, ..OperationReport::default() }
    }

    /// R-OP-45
    #[test]
    fn the_latest_are_kept_and_those_of_one_job_together() {
        let mut trapped = Trapped::default();
        trapped.keep(report("again", 0));
        (1..Trapped::MOST).for_each(|number| trapped.keep(report(&number.to_string(), 1)));
        trapped.keep(report("again", 1));
        let reports: Vec<_> = trapped.reports().collect();
        assert_eq!(reports.len(), Trapped::MOST);
        let again = &reports[0];
        assert_eq!((&*again.job, again.calls, again.traps, again.ended), ("again", 6, 2, true));
        trapped.keep(report("another", 1));
        let jobs: Vec<_> = trapped.reports().map(|report| report.job).collect();
        assert_eq!((jobs.len(), &*jobs[0], &*jobs[1]), (Trapped::MOST, "another", "again"));
        assert!(!jobs.contains(&"1".to_owned()), "the oldest makes room");
    }
}
