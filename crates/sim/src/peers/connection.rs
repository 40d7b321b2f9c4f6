//! A reliable connection between two endpoints, in segments.
//!
//! It does what TCP does where it matters to a transfer in a rack, as plainly as can be: cumulative
//! and selective acknowledgements, one for two segments that come in order and one at once for what
//! does not (RFC 5681, 2018); a segment is lost when one that was sent three transmissions later
//! has come (RFC 6675, and with it lost retransmissions, as RFC 8985 has them), or when nothing
//! comes for the timeout (RFC 6298); slow start, and a window that grows by a segment each round
//! trip and is halved once for the losses of a round trip (RFC 5681, 6582). It is fairer than what
//! TCP is as a rule: timeouts have the bounds of the job, not 200 ms, and the timer of a delayed
//! acknowledgement is 50 µs, not 40 ms. There is no probe for lost tails, no pacing, no reaction to
//! marks, and no handshake.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use netfold_worker::Timing;

use super::estimator::Estimator;
use super::header::Header;
use crate::time::Time;

/// A window is never less, so that two segments come, and one acknowledgement goes.
pub(crate) const LEAST_WINDOW: f64 = 2.0;

/// The first window, in segments (RFC 6928).
const INITIAL_WINDOW: f64 = 10.0;

/// Transmissions after which a segment counts as lost, if one of them was acknowledged and it was
/// not.
const REORDERING: u64 = 3;

/// Segments in order for one acknowledgement.
const SEGMENTS_PER_ACKNOWLEDGEMENT: u32 = 2;

/// Time for which an acknowledgement that is owed waits for another segment.
const DELAYED_ACKNOWLEDGEMENT: Time = Time::from_us(50);

/// Limits of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    /// The largest window, in segments: the receiver's.
    pub(crate) window: f64,
    /// Bounds of the timeouts.
    pub(crate) timing: Timing,
}

/// Content of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// One number for all its elements.
    pub(crate) value: u64,
    /// Bytes of elements.
    pub(crate) bytes: u32,
}

/// A datagram to be sent; its connection's number is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sending {
    pub(crate) header: Header,
    /// It carries a segment that was sent before.
    pub(crate) again: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Flying,
    Lost,
    Acknowledged,
}

/// A segment that was sent, above those that are all acknowledged.
struct Sent {
    segment: Segment,
    /// Number of the last transmission that carried it, among all transmissions.
    transmission: u64,
    at: Time,
    again: bool,
    state: State,
}

/// One side of a connection: its sender and its receiver.
pub(crate) struct Connection {
    limits: Limits,
    /// The number of the first of `sent`.
    first: u64,
    sent: VecDeque<Sent>,
    /// Segments below this may be sent.
    offered: u64,
    flying: u64,
    lost: BTreeSet<u64>,
    /// Transmissions that may still be found lost: their order, and the segment.
    transmissions: VecDeque<(u64, u64)>,
    next_transmission: u64,
    /// The latest transmission that was acknowledged, and one more.
    acknowledged: u64,
    window: f64,
    threshold: f64,
    /// A loss of this transmission, or a later one, halves the window.
    recovered: u64,
    estimator: Estimator,
    expires: Option<Time>,
    /// Segments below this have come.
    received: u64,
    /// Those above that have: ranges, by their beginnings.
    beyond: BTreeMap<u64, u64>,
    newest: u64,
    /// Segments that are not acknowledged, and the time until which they may wait.
    owed: u32,
    owed_by: Option<Time>,
    acknowledge_now: bool,
}

impl Connection {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            first: 0,
            sent: VecDeque::new(),
            offered: 0,
            flying: 0,
            lost: BTreeSet::new(),
            transmissions: VecDeque::new(),
            next_transmission: 0,
            acknowledged: 0,
            window: INITIAL_WINDOW.min(limits.window),
            threshold: f64::INFINITY,
            recovered: 0,
            estimator: Estimator::new(limits.timing),
            expires: None,
            received: 0,
            beyond: BTreeMap::new(),
            newest: 0,
            owed: 0,
            owed_by: None,
            acknowledge_now: false,
        }
    }

    /// Segments below `end` may be sent.
    pub(crate) fn offer(&mut self, end: u64) {
        self.offered = self.offered.max(end);
    }

    /// All segments below this have come.
    pub(crate) fn received(&self) -> u64 {
        self.received
    }

    /// Takes a datagram. Returns the segment if it is here for the first time.
    pub(crate) fn receive(&mut self, now: Time, header: &Header) -> Option<(u64, Segment)> {
        self.acknowledge(now, header);
        let (number, segment) = header.segment?;
        self.owed += 1;
        self.newest = number;
        let known = number < self.received || self.run_of(number).is_some();
        if known || number != self.received || !self.beyond.is_empty() {
            self.acknowledge_now = true;
        }
        if known {
            return None;
        }
        self.note(number);
        if self.owed >= SEGMENTS_PER_ACKNOWLEDGEMENT {
            self.acknowledge_now = true;
        }
        self.owed_by = self.owed_by.or(Some(now + DELAYED_ACKNOWLEDGEMENT));
        Some((number, segment))
    }

    /// Looks at the clock.
    pub(crate) fn handle_timeout(&mut self, now: Time) {
        if self.owed_by.is_some_and(|by| by <= now) {
            self.acknowledge_now = true;
        }
        if self.expires.is_none_or(|at| at > now) {
            return;
        }
        self.estimator.expired();
        for (number, sent) in (self.first..).zip(&mut self.sent) {
            if sent.state == State::Flying {
                sent.state = State::Lost;
                self.lost.insert(number);
            }
        }
        self.flying = 0;
        self.transmissions.clear();
        self.threshold = (self.window / 2.0).max(LEAST_WINDOW);
        self.window = LEAST_WINDOW;
        self.recovered = self.next_transmission;
        self.expires = None;
    }

    /// Returns the time at which to look at the clock next.
    pub(crate) fn timeout(&self) -> Option<Time> {
        self.expires.into_iter().chain(self.owed_by.filter(|_| !self.acknowledge_now)).min()
    }

    /// Returns the next datagram: lost segments first, then new ones, which come from `source`,
    /// then an acknowledgement alone.
    pub(crate) fn poll_transmit(
        &mut self,
        now: Time,
        source: impl FnMut(u64) -> Segment,
    ) -> Option<Sending> {
        let segment = self.next_segment(now, source);
        if segment.is_none() && !self.acknowledge_now {
            return None;
        }
        (self.owed, self.owed_by, self.acknowledge_now) = (0, None, false);
        let block = self.run_of(self.newest).unwrap_or((0, 0));
        let header = Header {
            connection: 0,
            segment: segment.map(|(it, _)| it),
            received: self.received,
            block,
        };
        Some(Sending { header, again: segment.is_some_and(|(_, again)| again) })
    }

    /// Returns a segment for which there is room in the window, and whether it was sent before.
    fn next_segment(
        &mut self,
        now: Time,
        mut source: impl FnMut(u64) -> Segment,
    ) -> Option<((u64, Segment), bool)> {
        if self.flying as f64 + 1.0 > self.window {
            return None;
        }
        let transmission = self.next_transmission;
        let (number, segment, again) = if let Some(number) = self.lost.pop_first() {
            let sent = &mut self.sent[(number - self.first) as usize];
            (sent.transmission, sent.at, sent.again, sent.state) =
                (transmission, now, true, State::Flying);
            (number, sent.segment, true)
        } else {
            let number = self.first + self.sent.len() as u64;
            if number >= self.offered {
                return None;
            }
            let segment = source(number);
            self.sent.push_back(Sent {
                segment,
                transmission,
                at: now,
                again: false,
                state: State::Flying,
            });
            (number, segment, false)
        };
        self.next_transmission += 1;
        self.flying += 1;
        self.transmissions.push_back((transmission, number));
        self.expires = self.expires.or(Some(now + self.estimator.timeout()));
        Some(((number, segment), again))
    }

    /// Takes what the other side has received.
    fn acknowledge(&mut self, now: Time, header: &Header) {
        let mut news = 0;
        while self.first < header.received && !self.sent.is_empty() {
            news += self.acknowledge_one(now, self.first);
            self.sent.pop_front();
            self.first += 1;
        }
        for number in header.block.0.max(self.first)..header.block.1 {
            news += self.acknowledge_one(now, number);
        }
        if news == 0 {
            return;
        }
        self.estimator.heard();
        self.window +=
            if self.window < self.threshold { news as f64 } else { news as f64 / self.window };
        self.window = self.window.min(self.limits.window);
        self.find_losses();
        let outstanding = self.flying > 0 || !self.lost.is_empty();
        self.expires = outstanding.then(|| now + self.estimator.timeout());
    }

    /// A segment has come. Returns 1 if that is news.
    fn acknowledge_one(&mut self, now: Time, number: u64) -> u64 {
        let Some(sent) =
            number.checked_sub(self.first).and_then(|place| self.sent.get_mut(place as usize))
        else {
            return 0;
        };
        match std::mem::replace(&mut sent.state, State::Acknowledged) {
            State::Acknowledged => return 0,
            State::Flying => self.flying -= 1,
            State::Lost => drop(self.lost.remove(&number)),
        }
        if !sent.again {
            self.estimator.sample(now.since(sent.at));
        }
        self.acknowledged = self.acknowledged.max(sent.transmission + 1);
        1
    }

    /// Marks segments as lost that were sent long enough before one that has come.
    fn find_losses(&mut self) {
        while let Some(&(transmission, number)) = self.transmissions.front()
            && transmission + REORDERING < self.acknowledged
        {
            self.transmissions.pop_front();
            let sent =
                number.checked_sub(self.first).and_then(|place| self.sent.get_mut(place as usize));
            let Some(sent) = sent
                .filter(|sent| sent.state == State::Flying && sent.transmission == transmission)
            else {
                continue;
            };
            sent.state = State::Lost;
            self.flying -= 1;
            self.lost.insert(number);
            if transmission >= self.recovered {
                self.recovered = self.next_transmission;
                self.threshold = (self.window / 2.0).max(LEAST_WINDOW);
                self.window = self.threshold;
            }
        }
    }

    /// Returns the range of received segments, beyond a gap, that contains a segment.
    fn run_of(&self, number: u64) -> Option<(u64, u64)> {
        let (start, end) = self.beyond.range(..=number).next_back()?;
        (number < *end).then_some((*start, *end))
    }

    /// Notes a segment that was not here before.
    fn note(&mut self, number: u64) {
        let (mut start, mut end) = (number, number + 1);
        if let Some((before, until)) =
            self.beyond.range(..=number).next_back().map(|(start, end)| (*start, *end))
            && until == number
        {
            start = before;
        }
        if let Some(after) = self.beyond.remove(&end) {
            end = after;
        }
        if start == self.received {
            self.received = end;
        } else {
            self.beyond.insert(start, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    use super::*;

    const TIMING: Timing = Timing { rto_initial_us: 1_000, rto_min_us: 1_000, rto_max_us: 8_000 };

    fn pair(window: f64) -> [Connection; 2] {
        [0, 1].map(|_| Connection::new(Limits { window, timing: TIMING }))
    }

    fn segment(number: u64) -> Segment {
        Segment { value: number * 7, bytes: 100 }
    }

    /// Carries everything from one side to the other, at once, unless `lost` says so for a segment.
    fn carry(
        now: Time,
        from: &mut Connection,
        to: &mut Connection,
        mut lost: impl FnMut(u64) -> bool,
    ) -> Vec<u64> {
        let mut came = Vec::new();
        while let Some(Sending { header, .. }) = from.poll_transmit(now, segment) {
            if header.segment.is_none_or(|(number, _)| !lost(number)) {
                came.extend(to.receive(now, &header).map(|(number, _)| number));
            }
        }
        came
    }

    #[test]
    fn slow_start_doubles_the_window() {
        let [mut one, mut other] = pair(64.0);
        one.offer(1_000);
        for expected in [10, 20, 40, 64, 64] {
            assert_eq!(carry(Time::ZERO, &mut one, &mut other, |_| false).len(), expected);
            carry(Time::ZERO, &mut other, &mut one, |_| false);
        }
        assert_eq!(other.received(), 198);
    }

    /// RFC 6675: segments sent three later tell of the loss, which halves the window once, whatever
    /// else of that round trip is lost. Nothing but what was lost is sent again.
    #[test]
    fn a_loss_is_found_by_later_segments_and_halves_the_window_once() {
        let [mut one, mut other] = pair(32.0);
        one.offer(10);
        let mut sent = Vec::new();
        while let Some(Sending { header, .. }) = one.poll_transmit(Time::ZERO, segment) {
            sent.extend(header.segment.map(|(number, _)| number));
            // The first time only.
            let lost =
                sent.ends_with(&[2]) && sent.len() == 3 || sent.ends_with(&[5]) && sent.len() == 6;
            if !lost {
                other.receive(Time::ZERO, &header);
                carry(Time::ZERO, &mut other, &mut one, |_| false);
            }
        }
        sent.sort_unstable();
        assert_eq!((sent, other.received()), (vec![0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 9], 10));
        // 10, and one more for each of 0, 1, 3, 4 and 6, of which the last tells that 2 is lost.
        // Half of that, and less than one more for the rest of the window.
        assert!((7.5..8.5).contains(&one.window), "{}", one.window);
    }

    #[test]
    fn what_nobody_answers_is_sent_again_after_the_timeout() {
        let [mut one, mut other] = pair(32.0);
        one.offer(4);
        carry(Time::ZERO, &mut one, &mut other, |_| true);
        assert_eq!(one.timeout(), Some(Time::from_us(1_000)));
        one.handle_timeout(Time::from_us(999));
        assert!(carry(Time::from_us(999), &mut one, &mut other, |_| false).is_empty());
        one.handle_timeout(Time::from_us(1_000));
        assert!(carry(Time::from_us(1_000), &mut one, &mut other, |_| true).is_empty());
        assert_eq!(one.timeout(), Some(Time::from_us(3_000)));
        one.handle_timeout(Time::from_us(3_000));
        assert_eq!(carry(Time::from_us(3_000), &mut one, &mut other, |_| false), [0, 1]);
    }

    #[test]
    fn one_acknowledgement_is_for_two_segments_or_late() {
        let [mut one, mut other] = pair(32.0);
        one.offer(3);
        let mut sent = 0;
        let mut acknowledgements = 0;
        while let Some(Sending { header, .. }) = one.poll_transmit(Time::ZERO, segment) {
            sent += 1;
            other.receive(Time::ZERO, &header);
            acknowledgements += u32::from(other.poll_transmit(Time::ZERO, segment).is_some());
        }
        assert_eq!(
            (sent, acknowledgements, other.timeout()),
            (3, 1, Some(DELAYED_ACKNOWLEDGEMENT))
        );
        other.handle_timeout(DELAYED_ACKNOWLEDGEMENT);
        assert!(other.poll_transmit(DELAYED_ACKNOWLEDGEMENT, segment).is_some());
        assert_eq!(other.timeout(), None);
    }

    proptest! {
        /// Whatever is lost, in whatever order datagrams come and however often, each segment
        /// arrives once with what it carries, and all do.
        #[test]
        fn everything_arrives_once(seed in any::<u64>(), loss in 0.0..0.4, twice in 0.0..0.2, total in 1..200_u64) {
            let [mut one, mut other] = pair(16.0);
            one.offer(total);
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let (mut now, mut arrived, mut wire) = (Time::ZERO, vec![false; total as usize], Vec::<(bool, Header)>::new());
            for _ in 0..100_000 {
                if arrived.iter().all(|came| *came) {
                    break;
                }
                for (to_other, from) in [(true, &mut one), (false, &mut other)] {
                    while let Some(Sending { header, .. }) = from.poll_transmit(now, segment) {
                        let copies = if rng.random_bool(loss) { 0 } else { 1 + usize::from(rng.random_bool(twice)) };
                        wire.extend(std::iter::repeat_n((to_other, header), copies));
                    }
                }
                if wire.is_empty() {
                    now = one.timeout().into_iter().chain(other.timeout()).min().unwrap();
                    one.handle_timeout(now);
                    other.handle_timeout(now);
                    continue;
                }
                let (to_other, header) = wire.swap_remove(rng.random_range(0..wire.len()));
                let to = if to_other { &mut other } else { &mut one };
                if let Some((number, carried)) = to.receive(now, &header) {
                    prop_assert_eq!(carried, segment(number));
                    prop_assert!(!std::mem::replace(&mut arrived[number as usize], true));
                }
            }
            prop_assert_eq!(other.received(), total);
        }
    }
}
