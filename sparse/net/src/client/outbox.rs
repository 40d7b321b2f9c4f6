//! A worker's messages for one server: numbered changes until they are stored, and questions until
//! they are answered (R-SERVE-2). No I/O.

use std::collections::VecDeque;
use std::sync::Arc;

/// A frame that may have to be sent again.
pub(crate) type Shared = Arc<Vec<u8>>;

/// Changes and questions in one order. What was sent on a connection that is gone is sent again on
/// the next one, so questions always follow the changes that they followed first.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    changes: VecDeque<Entry>,
    questions: VecDeque<Entry>,
    /// Frames that go first on the present connection, and are not kept.
    announcements: Vec<Shared>,
    /// Order of the last entry that was taken for the present connection.
    taken: u64,
    /// Order of the last entry that was ever taken: one up to it that is taken goes out again.
    furthest: u64,
    last_order: u64,
    last_number: u64,
    last_stored: u64,
    kept_bytes: usize,
    repeated: u64,
}

#[derive(Debug)]
struct Entry {
    order: u64,
    /// Number of a change, id of a question.
    name: u64,
    frame: Shared,
}

impl Outbox {
    /// Adds a change, whose frame is made with its number, from 1 on. Returns the number.
    pub(crate) fn change(&mut self, frame: impl FnOnce(u64) -> Vec<u8>) -> u64 {
        self.last_number += 1;
        let entry = self.entry(self.last_number, frame(self.last_number));
        self.kept_bytes += entry.frame.len();
        self.changes.push_back(entry);
        self.last_number
    }

    /// Adds a question.
    pub(crate) fn ask(&mut self, id: u32, frame: Vec<u8>) {
        let entry = self.entry(id.into(), frame);
        self.questions.push_back(entry);
    }

    /// Adds a frame that goes before all others, on the present connection alone.
    pub(crate) fn announce(&mut self, frame: Vec<u8>) {
        self.announcements.push(Arc::new(frame));
    }

    /// Forgets a question: it is answered, or nobody waits for it. Returns whether it was there.
    pub(crate) fn forget(&mut self, id: u32) -> bool {
        let at = self.questions.iter().position(|entry| entry.name == u64::from(id));
        at.map(|at| self.questions.remove(at)).is_some()
    }

    /// Forgets the changes up to this number.
    pub(crate) fn stored(&mut self, number: u64) {
        self.last_stored = self.last_stored.max(number);
        while let Some(entry) = self.changes.front().filter(|entry| entry.name <= number) {
            self.kept_bytes -= entry.frame.len();
            self.changes.pop_front();
        }
    }

    /// Begins a new connection to a server that has stored the changes up to this number.
    pub(crate) fn connected(&mut self, stored: u64) {
        self.stored(stored);
        self.taken = 0;
        self.announcements.clear();
    }

    /// Takes the frames that are next on this connection: at least one if there is one, and more as
    /// long as they have at most so many bytes together.
    pub(crate) fn take(&mut self, bytes: usize, frames: &mut Vec<Shared>) {
        let after = |entries: &VecDeque<Entry>, taken| {
            entries.partition_point(|entry: &Entry| entry.order <= taken)
        };
        let (mut change, mut question) =
            (after(&self.changes, self.taken), after(&self.questions, self.taken));
        frames.append(&mut self.announcements);
        let mut left = bytes;
        loop {
            let next = match (self.changes.get(change), self.questions.get(question)) {
                (Some(one), Some(other)) if one.order < other.order => one,
                (_, Some(other)) => other,
                (Some(one), None) => one,
                (None, None) => return,
            };
            if !frames.is_empty() && next.frame.len() > left {
                return;
            }
            left = left.saturating_sub(next.frame.len());
            frames.push(next.frame.clone());
            self.taken = next.order;
            self.repeated += u64::from(next.order <= self.furthest);
            self.furthest = self.furthest.max(next.order);
            match self.changes.get(change) {
                Some(one) if one.order == self.taken => change += 1,
                _ => question += 1,
            }
        }
    }

    /// Returns whether [`take`](Self::take) has something.
    pub(crate) fn has_more(&self) -> bool {
        let last = |entries: &VecDeque<Entry>| entries.back().map_or(0, |entry| entry.order);
        !self.announcements.is_empty()
            || last(&self.changes).max(last(&self.questions)) > self.taken
    }

    /// The last number that was stored.
    pub(crate) fn last_stored(&self) -> u64 {
        self.last_stored
    }

    /// Bytes of the changes that are kept.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.kept_bytes
    }

    /// Frames that were sent again.
    pub(crate) fn repeated(&self) -> u64 {
        self.repeated
    }

    fn entry(&mut self, name: u64, frame: Vec<u8>) -> Entry {
        self.last_order += 1;
        Entry { order: self.last_order, name, frame: Arc::new(frame) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn taken(outbox: &mut Outbox, bytes: usize) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        outbox.take(bytes, &mut frames);
        frames.iter().map(|frame| (**frame).clone()).collect()
    }

    fn all(outbox: &mut Outbox) -> Vec<u8> {
        let frames = taken(outbox, usize::MAX).concat();
        assert!(!outbox.has_more());
        frames
    }

    /// R-SERVE-2
    #[test]
    fn what_is_not_stored_is_sent_again_in_its_order_with_the_questions_between() {
        let mut outbox = Outbox::default();
        let change = |outbox: &mut Outbox| outbox.change(|number| vec![number as u8]);
        assert_eq!(change(&mut outbox), 1);
        outbox.ask(7, vec![107]);
        change(&mut outbox);
        outbox.ask(8, vec![108]);
        assert_eq!(all(&mut outbox), [1, 107, 2, 108]);
        change(&mut outbox);
        assert_eq!(all(&mut outbox), [3], "each once on a connection");
        assert!(outbox.forget(8) && !outbox.forget(8));
        outbox.connected(1);
        assert_eq!(all(&mut outbox), [107, 2, 3]);
        assert_eq!((outbox.repeated(), outbox.kept_bytes()), (3, 2));
        outbox.stored(3);
        assert!(outbox.forget(7));
        outbox.connected(3);
        assert_eq!(all(&mut outbox), [0; 0]);
        assert_eq!((change(&mut outbox), outbox.kept_bytes()), (4, 1));
    }

    /// R-KEY-10: a server is told of a seal before it gets replays.
    #[test]
    fn an_announcement_goes_first_and_only_on_one_connection() {
        let mut outbox = Outbox::default();
        outbox.change(|_| vec![1]);
        outbox.announce(vec![9]);
        assert!(outbox.has_more());
        assert_eq!(all(&mut outbox), [9, 1]);
        outbox.announce(vec![8]);
        assert!(outbox.has_more());
        outbox.connected(0);
        assert_eq!(all(&mut outbox), [1]);
    }

    #[test]
    fn frames_are_taken_up_to_a_size_and_at_least_one() {
        let mut outbox = Outbox::default();
        for _ in 0..4 {
            outbox.change(|number| vec![number as u8; 10]);
        }
        assert_eq!(taken(&mut outbox, 1).len(), 1);
        assert_eq!(taken(&mut outbox, 20).len(), 2);
        assert!(outbox.has_more());
        assert_eq!(taken(&mut outbox, 20).len(), 1);
        assert!(!outbox.has_more());
    }

    proptest! {
        /// Against a server that takes numbers in their order and drops those that it has: it gets
        /// every change once, wherever connections end.
        #[test]
        fn a_server_gets_every_change_once_and_in_order(steps in prop::collection::vec((0..4u8, 0..6usize), 0..200)) {
            let mut outbox = Outbox::default();
            let (mut stored, mut made) = (0, 0);
            let mut deliver = |frames: Vec<Vec<u8>>, whole: usize| {
                for frame in frames.iter().take(whole) {
                    let number = u64::from_le_bytes(frame[..].try_into().unwrap());
                    assert!(number <= stored + 1, "{number} after {stored}");
                    stored = stored.max(number);
                }
                stored
            };
            for (step, count) in steps {
                match step {
                    0 => made = outbox.change(|number| number.to_le_bytes().to_vec()),
                    1 => {
                        deliver(taken(&mut outbox, count * 8), usize::MAX);
                    }
                    // A connection that ends in the middle, whether or not it was acknowledged.
                    2 => {
                        let now = deliver(taken(&mut outbox, usize::MAX), count);
                        outbox.connected(now);
                    }
                    _ => outbox.stored(deliver(Vec::new(), 0)),
                }
            }
            prop_assert_eq!(deliver(taken(&mut outbox, usize::MAX), usize::MAX), made);
        }
    }
}
