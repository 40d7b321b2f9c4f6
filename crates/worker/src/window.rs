//! The number of rounds outstanding (R-WORK-8, R-ECN-3).

use crate::sharing::Sharing;
use crate::stream::StreamConfig;

/// Rounds of the first window: enough for a call of some kilobytes, and less than any socket
/// buffers.
const FIRST_ROUNDS: u32 = 64;

/// Fewest rounds of a window: less would send every datagram in a system call of its own.
const MIN_ROUNDS: u32 = 16;

/// Fewest rounds that marks leave, as of any window of TCP's (RFC 5681, section 4.1).
const MIN_MARKED_ROUNDS: u32 = 2;

/// Round trips in which a window that was needed is not doubted again.
const TRUSTED_TRIPS: u32 = 32;

/// Share of lost rounds from which on losses are taken for those of a full queue (R-ECN-5): above
/// what links lose by themselves.
const CROWDED: f64 = 0.05;

/// Rounds over which the mean share of lost ones goes: with the first window, 16 round trips.
const LOSS_ROUNDS: f64 = 1024.0;

/// A window that follows the path.
///
/// The rounds under way are the rate times the round trip (Little's law), whatever the reason. If a
/// queue is the reason, fewer rounds are as fast with a shorter round trip. If it is the path, or
/// workers that wait for a core, they are slower. So the window grows while round trips are short,
/// is reduced when they are long, and takes the reduction back if it cost speed. A path that marks
/// datagrams tells more of its queues than round trips do: there it shares them as TCP does, and
/// round trips change nothing.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Rounds that may be outstanding.
    rounds: u32,
    slots: u32,
    /// Queueing that is borne, in microseconds.
    queue_us: u64,
    /// Shortest round trip, which no queue is part of.
    path_us: u64,
    trip: RoundTrip,
    state: State,
    sharing: Sharing,
    /// Mean share of rounds that this worker's links have lost.
    loss: f64,
    /// That share has been that of a full queue since `sharing` began.
    crowded: bool,
}

/// A round trip: from a transmission to the result of one that went out when the previous round
/// trip was over.
#[derive(Clone, Copy, Debug)]
struct RoundTrip {
    since_us: u64,
    /// Number of the first transmission whose result ends it.
    until: u64,
    results: u64,
    /// Rounds that have ended, also those that were sent more than once.
    rounds: u64,
    shortest_us: u64,
    /// The window was full.
    full: bool,
    /// The window was reduced for a mark.
    marked: bool,
    /// Rounds that this worker's links have lost.
    lost: u64,
}

/// The findings of the previous round trips.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Round trips are as short as they should be.
    Fitting,
    /// The last round trip was too long, which may have been a worker that waited for a core.
    Suspected,
    /// The window was reduced from so many rounds, with such a rate. What is measured now was still
    /// sent before.
    Reduced(u32, f64),
    /// The effect of that is measured now.
    Settled(u32, f64),
    /// A reduction has cost speed; so many round trips go by until the next.
    Trusted(u32),
}

/// The result of a round that was sent once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) now_us: u64,
    pub(crate) rtt_us: u64,
    /// It measures path and queue (R-TIME-2); else it may have waited for another worker.
    pub(crate) measures: bool,
    pub(crate) transmission: u64,
    /// Number of the next transmission.
    pub(crate) next: u64,
    /// Rounds under way, with this one.
    pub(crate) outstanding: u32,
}

impl Window {
    /// Returns the window that a stream begins with.
    pub(crate) fn new(config: &StreamConfig) -> Self {
        Self {
            rounds: FIRST_ROUNDS.min(config.slots.into()),
            slots: config.slots.into(),
            queue_us: config.timing.queue_us(),
            path_us: u64::MAX,
            trip: RoundTrip::begin(0, 0),
            state: State::Fitting,
            sharing: Sharing::new(config.terms.weight, config.flows),
            loss: 0.0,
            crowded: false,
        }
    }

    /// Rounds that may be outstanding.
    pub(crate) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Takes note that the result of a transmission was marked; `next` is the number of the next
    /// transmission. Returns whether the window was reduced for it (R-ECN-3).
    pub(crate) fn mark(&mut self, transmission: u64, next: u64) -> bool {
        self.reduce(transmission, next, MIN_MARKED_ROUNDS)
    }

    fn reduce(&mut self, transmission: u64, next: u64, least: u32) -> bool {
        let Some(rounds) = self.sharing.mark(transmission, next, self.rounds, least) else {
            return false;
        };
        self.rounds = rounds;
        self.trip.marked = true;
        self.state = State::Fitting;
        true
    }

    /// Counts a round that has ended, however often it was sent.
    pub(crate) fn ended(&mut self) {
        self.trip.rounds += 1;
    }

    /// Counts a round, or its result, that this worker's links have lost.
    pub(crate) fn lost(&mut self) {
        self.trip.lost += 1;
    }

    /// Takes a result into account. Returns whether the window was reduced for losses (R-ECN-5).
    pub(crate) fn sample(&mut self, sample: &Sample) -> bool {
        let &Sample { now_us, rtt_us, measures, transmission, next, outstanding } = sample;
        self.path_us = self.path_us.min(rtt_us);
        self.trip.results += 1;
        self.trip.shortest_us = self.trip.shortest_us.min(rtt_us);
        self.trip.full |= outstanding >= self.rounds;
        if transmission < self.trip.until {
            return false;
        }
        let over = std::mem::replace(&mut self.trip, RoundTrip::begin(now_us, next));
        let most_us = 2 * self.path_us + self.queue_us;
        if self.is_crowded(&over) && self.reduce(transmission, next, MIN_ROUNDS) {
            return true;
        }
        if !over.full {
            return false;
        }
        if self.sharing.is_on() {
            if !over.marked {
                self.rounds = self.sharing.grow(self.rounds, self.slots);
            }
        } else if over.shortest_us <= most_us {
            // As fast as there is room for, at most twofold.
            let room = u64::from(self.rounds) * (most_us - over.shortest_us) / most_us;
            self.rounds = (self.rounds + (room as u32).max(1)).min(self.slots);
            self.state = State::Fitting;
        } else if measures {
            let rate = over.results as f64 / (now_us - over.since_us).max(1) as f64;
            self.too_long(over.shortest_us, most_us, rate);
        }
        false
    }

    /// R-ECN-5: returns whether the losses of a round trip are those of a full queue: it is long,
    /// so that a reduction leaves the path full, or they are too many for anything else.
    fn is_crowded(&mut self, over: &RoundTrip) -> bool {
        // A loss may be known in a round trip, and its round end in the next.
        let rounds = over.rounds.max(over.lost) as f64;
        let share = over.lost as f64 / rounds;
        // By rounds: while a loss holds everything up, a round trip has a few of them, or none but
        // the lost one.
        self.loss += (rounds / LOSS_ROUNDS).min(1.0) * (share - self.loss);
        self.crowded = self.crowded && self.sharing.is_on() || share.min(self.loss) > CROWDED;
        let longest_us = if self.crowded {
            self.path_us * 5 / 4
        } else {
            self.path_us * 3 / 2 + self.queue_us / 2
        };
        over.lost > 0
            && self.rounds > MIN_ROUNDS
            && (over.shortest_us > longest_us || share.min(self.loss) > CROWDED)
    }

    /// Takes a round trip whose shortest time was `rtt_us`, above `most_us`, with `rate` results
    /// in a microsecond.
    fn too_long(&mut self, rtt_us: u64, most_us: u64, rate: f64) {
        self.state = match self.state {
            State::Fitting | State::Trusted(0) => State::Suspected,
            State::Trusted(trips) => State::Trusted(trips - 1),
            State::Suspected => {
                // By a quarter at least, so that the effect can be told from noise. What is left
                // still fills the path, which is below half of `most_us`.
                let before = self.rounds;
                let fitting = (u64::from(before) * most_us / rtt_us) as u32;
                self.rounds =
                    fitting.max(before / 2).min(before - before / 4).max(MIN_ROUNDS).min(before);
                State::Reduced(before, rate)
            }
            State::Reduced(before, rate_before) => State::Settled(before, rate_before),
            // Without a queue, the rate would be down in proportion. Half of that counts.
            State::Settled(before, rate_before)
                if rate < rate_before * f64::from(before + self.rounds) / f64::from(2 * before) =>
            {
                self.rounds = before;
                State::Trusted(TRUSTED_TRIPS)
            }
            State::Settled(..) => State::Suspected,
        };
    }
}

impl RoundTrip {
    fn begin(now_us: u64, until: u64) -> Self {
        Self {
            since_us: now_us,
            until,
            results: 0,
            rounds: 0,
            shortest_us: u64::MAX,
            full: false,
            marked: false,
            lost: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use netfold_wire::{Integrity, JobId, Terms, WorkerId};

    use super::*;
    use crate::rtt::Timing;

    const QUEUE_US: u64 = 1_000;
    const TIMING: Timing =
        Timing { rto_initial_us: 20_000, rto_min_us: 2 * QUEUE_US, rto_max_us: 500_000 };

    fn config(slots: u16) -> StreamConfig {
        StreamConfig {
            job: JobId(0),
            epoch: netfold_wire::Epoch(0),
            rank: WorkerId(0),
            first_slot: 0,
            slots,
            flow: 0,
            flows: 1,
            terms: Terms::new(Integrity::Transport),
            timing: TIMING,
        }
    }

    /// A path that takes `path_us(n)` for the n-th round and lets one round out every `gap_us`; the
    /// window is always full. Gives the window after each result.
    fn windows(slots: u16, rounds: u64, gap_us: u64, path_us: impl Fn(u64) -> u64) -> Vec<u32> {
        let mut window = Window::new(&config(slots));
        let mut under_way = std::collections::VecDeque::new();
        let (mut now_us, mut next, mut free_us) = (0, 0, 0);
        let mut seen = Vec::new();
        while (seen.len() as u64) < rounds {
            while under_way.len() < window.rounds() as usize {
                free_us = (free_us + gap_us).max(now_us + gap_us);
                under_way.push_back((next, now_us, free_us + path_us(next)));
                next += 1;
            }
            let outstanding = under_way.len() as u32;
            let (transmission, sent_us, at_us) =
                under_way.pop_front().expect("a window has a round");
            now_us = at_us.max(now_us);
            let rtt_us = now_us - sent_us;
            window.sample(&Sample {
                now_us,
                rtt_us,
                measures: true,
                transmission,
                next,
                outstanding,
            });
            seen.push(window.rounds());
        }
        seen
    }

    /// R-ECN-5: where a loss holds up everything, a round trip has few results, and of fewer rounds
    /// that were sent once. What counts is the share of all rounds.
    #[test]
    fn few_losses_are_none_of_a_full_queue_however_they_are_spread() {
        let reduced = |trips: &[(u64, u64)]| {
            let mut window = Window::new(&config(512));
            let mut reductions = 0;
            for trip in 0..200 {
                let (lost, rounds) = trips[trip as usize % trips.len()];
                (0..lost).for_each(|_| window.lost());
                (0..rounds).for_each(|_| window.ended());
                let (now_us, next) = (100 * (trip + 1), trip + 1);
                let sample = Sample {
                    now_us,
                    rtt_us: 100,
                    measures: true,
                    transmission: trip,
                    next,
                    outstanding: 64,
                };
                reductions += u32::from(window.sample(&sample));
            }
            reductions > 0
        };
        assert!(!reduced(&[(1, 64)]), "all but one have been sent twice");
        assert!(!reduced(&[(0, 64), (1, 1), (0, 2), (1, 3)]), "2 of 70");
        assert!(!reduced(&[(1, 0), (0, 64)]), "a round that ends in the next round trip");
        assert!(reduced(&[(8, 64)]));
        assert!(reduced(&[(1, 8)]), "in small windows, too");
    }

    /// R-ECN-3: a window does not grow in a round trip with a mark. With a weight of 100, it grows
    /// in others by 900/17 of a round; 44.8 were kept of 64.
    #[test]
    fn a_window_does_not_grow_in_a_round_trip_that_has_reduced_it() {
        let mut window = Window::new(&StreamConfig {
            terms: Terms { weight: 100, ..config(512).terms },
            ..config(512)
        });
        let sample = |transmission| Sample {
            now_us: 100 * (transmission + 1),
            rtt_us: 100,
            measures: true,
            transmission,
            next: transmission + 1,
            outstanding: 64,
        };
        assert!(window.mark(0, 1));
        window.sample(&sample(0));
        assert_eq!(window.rounds(), 44);
        window.sample(&sample(1));
        assert_eq!(window.rounds(), 97);
    }

    /// R-WORK-8: whatever the path, the window comes to lie between what fills it and what makes a
    /// queue of twice the bound (a window grows for a round trip before that shows).
    #[test]
    fn the_window_fits_the_path() {
        for (gap_us, path_us) in [(1, 100), (1, 500), (5, 50), (50, 20), (50, 2_000), (20, 10_000)]
        {
            let settled = windows(4096, 60_000, gap_us, |_| path_us).split_off(30_000);
            let fills = (path_us / gap_us) as u32;
            // The shortest round trip is that of the path and one gap.
            let queues = 2 * (2 * (path_us + gap_us) + QUEUE_US) / gap_us;
            let queues = (queues as u32).max(2 * MIN_ROUNDS);
            let (least, most) = (settled.iter().min().unwrap(), settled.iter().max().unwrap());
            assert!(
                *least >= fills && *most <= queues,
                "{gap_us} {path_us}: {least}..{most}, not in {fills}..{queues}"
            );
        }
    }

    /// R-WORK-8: a path that grows longer is no queue. The window is not given up for it, but for a
    /// trial now and then.
    #[test]
    fn a_longer_path_does_not_shrink_the_window() {
        let path_us = |round| if round < 20_000 { 200 } else { 8_000 };
        let seen = windows(512, 100_000, 2, path_us);
        let before = seen[15_000];
        assert_eq!(before, 512);
        let after = &seen[30_000..];
        let full = after.iter().filter(|rounds| **rounds >= before).count();
        assert!(full * 10 > after.len() * 8, "{full} of {}", after.len());
        assert!(after.iter().all(|rounds| *rounds >= before / 2));
    }

    /// R-WORK-8: a worker that waits for a core once makes a window of rounds late, which is one
    /// round trip, and changes nothing, wherever in a round trip it begins.
    #[test]
    fn one_long_round_trip_changes_nothing() {
        for first in 20_000..20_512 {
            let seen = windows(512, 22_000, 1, |round| if round == first { 30_000 } else { 200 });
            assert!(seen[15_000..].iter().all(|rounds| *rounds == 512), "from round {first}");
        }
    }
}
