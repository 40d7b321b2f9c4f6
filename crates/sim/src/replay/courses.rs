//! The order of a trace's collectives, and the time that they take with others' times of calls
//! (R-MTR-8, R-MTR-10).

use std::collections::BTreeMap;

use super::trace::{Call, Trace};
use crate::setup::CollectiveName;

/// A collective: calls of the ranks of one communicator that belong together.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) collective: CollectiveName,
    /// Ranks of its communicator.
    pub(super) size: u32,
    /// Ranks that make it in the trace.
    ranks: Vec<u32>,
    /// Bytes of all ranks' vectors or parts.
    all_bytes: u64,
}

impl Instance {
    /// Returns the mean of the ranks' bytes (R-MTR-9).
    pub(super) fn bytes(&self) -> u64 {
        self.all_bytes.div_ceil(self.ranks.len() as u64)
    }

    /// Returns whether all ranks of the communicator make it: of a trace that was cut, or of a
    /// communicator without a name, some do not.
    fn is_whole(&self) -> bool {
        self.ranks.len() == self.size as usize
    }
}

/// The collectives of a trace, in the order of each rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Courses {
    pub(super) instances: Vec<Instance>,
    /// By rank: nanoseconds before each collective, and its number.
    ranks: Vec<Vec<(u64, usize)>>,
}

/// Name of a communicator that has none (R-MTR-5).
const UNNAMED: &str = "?";

impl Courses {
    pub(super) fn of(trace: &Trace) -> Self {
        let mut courses = Self::default();
        let mut known: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        for (rank, calls) in (0..).zip(&trace.ranks) {
            let mut made: BTreeMap<&str, u32> = BTreeMap::new();
            let gaps = gaps(calls);
            let mut course = Vec::new();
            for (call, gap) in calls.iter().zip(gaps) {
                let number = made.entry(&call.comm).or_default();
                let key = (&*call.comm, *number);
                *number += 1;
                let shared = call.comm != UNNAMED && call.size > 1;
                let at = known.get(&key).copied().filter(|_| shared).unwrap_or_else(|| {
                    let (collective, size) = (call.collective, call.size);
                    let (ranks, all_bytes) = (Vec::new(), 0);
                    courses.instances.push(Instance { collective, size, ranks, all_bytes });
                    known.insert(key, courses.instances.len() - 1);
                    courses.instances.len() - 1
                });
                courses.instances[at].ranks.push(rank);
                courses.instances[at].all_bytes += call.bytes;
                course.push((gap, at));
            }
            courses.ranks.push(course);
        }
        courses
    }

    /// Returns the nanoseconds until the last rank has ended its last collective, if each takes
    /// `took_ns` once all of its ranks have come to it, and what lies between is multiplied by
    /// `scale`.
    pub(super) fn replayed_ns(&self, scale: f64, took_ns: impl Fn(&Instance) -> f64) -> f64 {
        let mut clocks = vec![0.0_f64; self.ranks.len()];
        let mut next = vec![0_usize; self.ranks.len()];
        let mut arrived = vec![0_usize; self.instances.len()];
        let mut latest = vec![0.0_f64; self.instances.len()];
        let mut ready: Vec<usize> = (0..self.ranks.len()).collect();
        while let Some(rank) = ready.pop() {
            let Some((gap, at)) = self.ranks[rank].get(next[rank]).copied() else { continue };
            let instance = &self.instances[at];
            next[rank] += 1;
            clocks[rank] += gap as f64 * scale;
            arrived[at] += 1;
            latest[at] = latest[at].max(clocks[rank]);
            if !instance.is_whole() {
                clocks[rank] += took_ns(instance);
                ready.push(rank);
            } else if arrived[at] == instance.ranks.len() {
                let end = latest[at] + took_ns(instance);
                for other in &instance.ranks {
                    clocks[*other as usize] = end;
                    ready.push(*other as usize);
                }
            }
        }
        clocks.into_iter().fold(0.0, f64::max)
    }
}

/// Returns the nanoseconds before each call of a rank in which it was in none, and the trace took
/// no time (R-MTR-8, R-MTR-10).
fn gaps(calls: &[Call]) -> Vec<u64> {
    let mut inside = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        inside.push((call.start, call.returned, Some(number)));
        inside.push((call.waited, call.end, None));
    }
    inside.sort_unstable();
    let (mut gaps, mut idle) = (vec![0; calls.len()], 0);
    let mut last = inside.first().map_or(0, |(start, ..)| *start);
    for (start, end, begins) in inside {
        idle += start.saturating_sub(last);
        last = last.max(end);
        if let Some(number) = begins {
            let spent = if number == 0 { 0 } else { calls[number].spent };
            gaps[number] = u64::saturating_sub(idle, spent);
            idle = 0;
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(comm: &str, size: u32, start: u64, end: u64) -> Call {
        let (collective, bytes) = (CollectiveName::AllReduce, 8);
        let (n, comm, returned, waited) = (start, comm.to_owned(), end, end);
        Call { n, collective, comm, size, bytes, start, returned, waited, end, spent: 0 }
    }

    fn courses(ranks: Vec<Vec<Call>>) -> Courses {
        Courses::of(&Trace { size: ranks.len() as u32, ranks })
    }

    /// Rank 1 comes 30 ns later to the second call than rank 0, which waits for it.
    #[test]
    fn ranks_wait_for_the_last_of_them() {
        // R-MTR-8
        let found = courses(vec![
            vec![call("world", 2, 0, 10), call("world", 2, 20, 60)],
            vec![call("world", 2, 5, 10), call("world", 2, 50, 60)],
        ]);
        assert_eq!(found.instances.len(), 2);
        assert_eq!(found.replayed_ns(1.0, |_| 7.0), 7.0 + 40.0 + 7.0);
        assert_eq!(found.replayed_ns(0.5, |_| 7.0), 7.0 + 20.0 + 7.0);
    }

    /// Ranks 0 and 1 have a communicator, 2 and 3 another; rank 2 is the one that takes longest.
    #[test]
    fn communicators_go_on_by_themselves() {
        let rank = |comm: &str, gap: u64| {
            vec![call("world", 4, 0, 1), call(comm, 2, 1 + gap, 100), call("world", 4, 100, 101)]
        };
        let found = courses(vec![rank("1.0", 5), rank("1.0", 3), rank("1.2", 9), rank("1.2", 2)]);
        assert_eq!(found.instances.len(), 4);
        assert_eq!(found.replayed_ns(1.0, |of| f64::from(of.size)), 4.0 + 9.0 + 2.0 + 4.0);
    }

    /// No rank waits for a collective that not all ranks have made.
    #[test]
    fn a_trace_that_was_cut_ends() {
        let found = courses(vec![
            vec![call("world", 2, 0, 1), call("world", 2, 4, 5), call("?", 2, 6, 7)],
            vec![call("world", 2, 0, 1), call("?", 2, 2, 3)],
        ]);
        assert_eq!(found.instances.len(), 4);
        assert_eq!(found.replayed_ns(1.0, |_| 10.0), 10.0 + 3.0 + 10.0 + 1.0 + 10.0);
    }

    /// Time that the trace has taken is not the program's.
    #[test]
    fn the_trace_itself_takes_no_time() {
        // R-MTR-8
        let last = Call { spent: 4, ..call("world", 1, 30, 31) };
        let found = courses(vec![vec![call("world", 1, 0, 20), last]]);
        assert_eq!(found.replayed_ns(1.0, |_| 0.0), 6.0);
    }

    /// The rank computes for 10 ns before it waits, and for 5 behind that.
    #[test]
    fn what_overlaps_lies_between() {
        // R-MTR-10
        let first = Call { returned: 2, waited: 12, ..call("world", 1, 0, 20) };
        assert_eq!(gaps(&[first.clone(), call("world", 1, 25, 30)]), [0, 15]);
        // One that was begun meanwhile divides them.
        assert_eq!(gaps(&[first, call("world", 1, 5, 6)]), [0, 3]);
    }
}
