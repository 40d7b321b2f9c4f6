//! The rounds to send again, and the times at which they are due (R-TIME-1 to R-TIME-5).

use std::collections::VecDeque;

use netfold_wire::SlotIndex;

use crate::rtt::{RttEstimator, Timing};

/// Rounds that have been sent so many times or more wait equally long: 128-fold.
const GENERATIONS: usize = 14;

/// One transmission of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) slot: SlotIndex,
    /// Its number among all transmissions of the stream. It counts only while it is its round's
    /// latest.
    pub(crate) transmission: u64,
    pub(crate) at_us: u64,
    /// It asks for the round instead of carrying it (R-TIME-6).
    pub(crate) query: bool,
    /// Transmissions of the round that came before, since the switch last asked for it.
    pub(crate) repeats: u32,
    /// No transmission of the round came before.
    pub(crate) first: bool,
    /// All workers had submitted the block before (R-TIME-2).
    pub(crate) attended: bool,
}

/// A slot whose round must be sent again, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// A round that was sent later has been answered (R-TIME-5).
    Overtaken(SlotIndex),
    /// Nothing has come or gone for a timeout (R-TIME-4).
    Silent(SlotIndex),
}

/// The transmission sent last among those of which it is known that they were answered.
#[derive(Clone, Copy, Debug)]
struct Witness {
    transmission: u64,
    rtt_us: u64,
}

/// The outstanding rounds in the order in which they were sent, and what is known of the path.
///
/// `latest` tells whether a transmission is still its round's latest and its round outstanding.
#[derive(Clone, Debug)]
pub(crate) struct Recovery {
    rtt: RttEstimator,
    /// A queue for each number of repeats. All of a queue wait equally long, so its order is that
    /// of expiry.
    sent: [VecDeque<Sent>; GENERATIONS],
    transmissions: u64,
    witness: Option<Witness>,
    /// Time at which a datagram was last sent, or a result taken.
    active_us: u64,
    /// Transmissions before this one went out before one that was sent again, and that has been
    /// answered.
    proven: u64,
    /// Transmissions before this one have seen a full timeout.
    expired: u64,
}

impl Recovery {
    pub(crate) fn new(timing: Timing) -> Self {
        Self {
            rtt: RttEstimator::new(timing),
            sent: Default::default(),
            transmissions: 0,
            witness: None,
            active_us: 0,
            proven: 0,
            expired: 0,
        }
    }

    /// Returns the estimator of round trips.
    pub(crate) fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }

    /// Returns the number of the next transmission.
    pub(crate) fn next_transmission(&self) -> u64 {
        self.transmissions
    }

    /// Notes that the round of a slot goes out now, or a query about it, for the first time or
    /// after the transmission `before`.
    pub(crate) fn note_sent(
        &mut self,
        now_us: u64,
        slot: SlotIndex,
        before: Option<Sent>,
        query: bool,
        attended: bool,
    ) -> Sent {
        let repeats = match before {
            // R-TIME-7: a round follows a query only when the switch has asked for it.
            Some(before) if before.query && !query => 0,
            Some(before) => before.repeats + 1,
            None => 0,
        };
        let (transmission, first) = (self.transmissions, before.is_none());
        let sent = Sent { slot, transmission, at_us: now_us, query, repeats, first, attended };
        let queue = &mut self.sent[generation(&sent)];
        debug_assert!(
            queue.back().is_none_or(|last| last.at_us <= now_us),
            "time does not go back"
        );
        queue.push_back(sent);
        self.transmissions += 1;
        self.active_us = now_us;
        sent
    }

    /// Notes the result of a round. Gives the round trip, if the round was sent once, and whether
    /// that measures the path (R-TIME-2).
    pub(crate) fn note_result(&mut self, now_us: u64, sent: &Sent) -> Option<(u64, bool)> {
        let rtt_us = self.note_answer(now_us, sent, sent.repeats == 0);
        if !sent.first {
            return None;
        }
        let measures = sent.attended && sent.transmission >= self.expired;
        if measures {
            self.rtt.sample(rtt_us);
        }
        Some((rtt_us, measures))
    }

    /// Notes that the switch asks for a round, in answer to the query `sent`, or an earlier one
    /// (R-TIME-7).
    pub(crate) fn note_recall(&mut self, now_us: u64, sent: &Sent) {
        self.note_answer(now_us, sent, sent.repeats == 1);
    }

    /// Notes an answer, and whether it must be one to the round's latest transmission. Gives the
    /// time since that.
    fn note_answer(&mut self, now_us: u64, sent: &Sent, to_latest: bool) -> u64 {
        self.active_us = now_us;
        self.rtt.end_back_off();
        let rtt_us = now_us.saturating_sub(sent.at_us);
        if !to_latest {
            self.proven = self.proven.max(sent.transmission);
        } else if self.witness.is_none_or(|witness| witness.transmission < sent.transmission) {
            self.witness = Some(Witness { transmission: sent.transmission, rtt_us });
        }
        rtt_us
    }

    /// Returns the time at which [`Recovery::take_lost`] has something; `None` if nothing is
    /// outstanding.
    pub(crate) fn due_us(&mut self, latest: impl Fn(&Sent) -> bool) -> Option<u64> {
        let oldest = self.oldest(latest)?;
        let overtaken = self.fronts().filter_map(|sent| self.overtaken_us(sent));
        Some(overtaken.fold(self.active_us + self.rtt.timeout_us(oldest.attended), u64::min))
    }

    /// Takes everything that is due. It comes back through [`Recovery::note_sent`]. `probes` are
    /// asked for, or sent again, when nothing has come for a timeout, if there are any; they are
    /// outstanding.
    pub(crate) fn take_lost(
        &mut self,
        now_us: u64,
        latest: impl Fn(&Sent) -> bool,
        probes: [Option<SlotIndex>; 2],
    ) -> Vec<Lost> {
        let mut lost = Vec::new();
        while let Some(sent) =
            self.take(&latest, |this, sent| this.overtaken_us(sent).is_some_and(|at| at <= now_us))
        {
            lost.push(Lost::Overtaken(sent.slot));
        }
        if let Some(oldest) = self.oldest(&latest).filter(|_| lost.is_empty()) {
            let timeout_us = self.rtt.timeout_us(oldest.attended);
            if self.active_us + timeout_us <= now_us {
                self.take_silent(&latest, probes, &mut lost);
                if timeout_us >= self.rtt.timeout_us(false) {
                    self.expired = self.transmissions;
                }
                self.rtt.back_off();
            }
        }
        lost
    }

    /// R-TIME-4: takes transmissions that were sent before a probe that has been answered; else a
    /// probe, which is the oldest if no other is given.
    fn take_silent(
        &mut self,
        latest: impl Fn(&Sent) -> bool,
        probes: [Option<SlotIndex>; 2],
        lost: &mut Vec<Lost>,
    ) {
        while let Some(sent) = self.take(&latest, |this, sent| sent.transmission < this.proven) {
            lost.push(Lost::Silent(sent.slot));
        }
        if !lost.is_empty() {
            return;
        }
        // Earlier transmissions of these rounds are forgotten when they are no longer the latest.
        lost.extend(probes.into_iter().flatten().map(Lost::Silent));
        if !lost.is_empty() {
            return;
        }
        if let Some(oldest) = self.oldest(&latest) {
            self.sent[generation(&oldest)].pop_front();
            lost.push(Lost::Silent(oldest.slot));
        }
    }

    /// R-TIME-5: returns the time at which a round is taken for lost because one that was sent
    /// later has been answered.
    fn overtaken_us(&self, sent: &Sent) -> Option<u64> {
        let witness = self.witness.filter(|witness| witness.transmission > sent.transmission)?;
        let srtt_us = self.rtt.srtt_us().unwrap_or(witness.rtt_us);
        let wait_us = witness.rtt_us.max(srtt_us) + srtt_us / 4;
        Some(sent.at_us + (wait_us << generation(sent).div_ceil(2)))
    }

    fn fronts(&self) -> impl Iterator<Item = &Sent> {
        self.sent.iter().filter_map(VecDeque::front)
    }

    /// Returns the oldest transmission that counts, and forgets those before it.
    fn oldest(&mut self, latest: impl Fn(&Sent) -> bool) -> Option<Sent> {
        for queue in &mut self.sent {
            while queue.front().is_some_and(|sent| !latest(sent)) {
                queue.pop_front();
            }
        }
        self.fronts().min_by_key(|sent| sent.transmission).copied()
    }

    /// Takes a transmission that counts from the front of a queue.
    fn take(
        &mut self,
        latest: impl Fn(&Sent) -> bool,
        wanted: impl Fn(&Self, &Sent) -> bool,
    ) -> Option<Sent> {
        self.oldest(latest)?;
        let index = (0..GENERATIONS)
            .find(|&index| self.sent[index].front().is_some_and(|sent| wanted(self, sent)))?;
        self.sent[index].pop_front()
    }
}

/// Returns the queue that a transmission stands in.
fn generation(sent: &Sent) -> usize {
    (sent.repeats as usize).min(GENERATIONS - 1)
}
