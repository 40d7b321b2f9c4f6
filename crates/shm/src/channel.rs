//! Datagrams between a worker and its switch, in memory that the two share (R-KEY-20): a ring for
//! each direction, with one sender and one receiver.
//!
//! A ring is bytes and two positions, which count bytes from 0 and wrap around: the *tail*, up to
//! which the sender has written, and the *head*, up to which the receiver has read. A datagram is
//! its length in a word, and its bytes up to the next word. Each end keeps its own position, and
//! checks what the other has written against that: an end that is faulty or hostile spoils the
//! datagrams of this channel, and nothing else.
//!
//! A receiver that is about to sleep says so, and looks once more; a sender looks for that after it
//! has written. Both are sequentially consistent, so that one of the two sees the other.
#![expect(unsafe_code, reason = "bytes of a ring are those of one end at a time, by its positions")]

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Error, PortError};
use crate::mapping::Mapping;
use crate::memory;

/// Bytes of a ring: some bursts of a worker.
const RING_BYTES: u32 = 1 << 19;

/// Bytes of a datagram's length, and the unit of places in a ring.
const WORD_BYTES: u32 = 4;

/// Places of a ring's words, each on a line of its own.
const TAIL_AT: usize = 0;
const HEAD_AT: usize = 128;
const ASLEEP_AT: usize = 256;

/// The place of its bytes.
const BYTES_AT: usize = 4096;

/// Bytes of a ring with its words.
const WHOLE_BYTES: usize = BYTES_AT + RING_BYTES as usize;

/// The memory of a channel.
#[derive(Debug)]
pub struct Channel {
    descriptor: OwnedFd,
    mapping: Mapping,
}

/// An end of a channel.
#[derive(Debug)]
pub struct ChannelEnd {
    /// The ring to the other end.
    pub sender: RingSender,
    /// The ring from the other end.
    pub receiver: RingReceiver,
}

/// The sending end of a ring.
#[derive(Debug)]
pub struct RingSender {
    channel: Arc<Channel>,
    /// The place of the ring.
    at: usize,
    tail: u32,
}

/// The receiving end of a ring.
#[derive(Debug)]
pub struct RingReceiver {
    channel: Arc<Channel>,
    at: usize,
    head: u32,
    /// The datagram that is handled: what is shared may change meanwhile.
    datagram: Vec<u8>,
}

impl Channel {
    /// Bytes of its memory. The system provides them as they are touched.
    pub const BYTES: u64 = 2 * WHOLE_BYTES as u64;

    /// Makes a channel.
    ///
    /// # Errors
    /// [`Error::System`] if the system refuses.
    pub fn create() -> Result<Arc<Self>, Error> {
        Self::map(memory::make(Self::BYTES)?)
    }

    /// Maps a channel that another process has made.
    ///
    /// # Errors
    /// [`Error::Foreign`] for other memory, [`Error::System`] if the system refuses.
    pub fn attach(descriptor: OwnedFd) -> Result<Arc<Self>, Error> {
        memory::check(&descriptor, Self::BYTES)?;
        Self::map(descriptor)
    }

    fn map(descriptor: OwnedFd) -> Result<Arc<Self>, Error> {
        let mapping = Mapping::new(descriptor.as_fd(), 2 * WHOLE_BYTES);
        let mapping = mapping.map_err(Error::system("cannot map shared memory"))?;
        Ok(Arc::new(Self { descriptor, mapping }))
    }

    /// Returns the descriptor to pass to the worker ([`send_descriptor`](crate::send_descriptor)).
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// Returns the switch's end. It is taken once.
    pub fn switch_end(self: &Arc<Self>) -> ChannelEnd {
        self.end(WHOLE_BYTES, 0)
    }

    /// Returns the worker's end. It is taken once.
    pub fn worker_end(self: &Arc<Self>) -> ChannelEnd {
        self.end(0, WHOLE_BYTES)
    }

    fn end(self: &Arc<Self>, to: usize, from: usize) -> ChannelEnd {
        let sender = RingSender { channel: self.clone(), at: to, tail: 0 };
        let datagram = Vec::new();
        let receiver = RingReceiver { channel: self.clone(), at: from, head: 0, datagram };
        ChannelEnd { sender, receiver }
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        &self.mapping.words(at, 1)[0]
    }

    /// Returns the places of `len` bytes from a position of the ring at `at` on: in its bytes, and
    /// from their beginning on.
    fn places(at: usize, position: u32, len: u32) -> [(usize, usize); 2] {
        let place = position % RING_BYTES;
        let first = len.min(RING_BYTES - place);
        let bytes = at + BYTES_AT;
        [(bytes + place as usize, first as usize), (bytes, (len - first) as usize)]
    }
}

/// Returns the bytes that a datagram takes.
const fn whole_bytes(len: u32) -> u32 {
    WORD_BYTES + len.next_multiple_of(WORD_BYTES)
}

impl RingSender {
    /// Returns the bytes that are free.
    fn room(&self) -> Result<u32, PortError> {
        let head = self.channel.word(self.at + HEAD_AT).load(Ordering::Acquire);
        let used = self.tail.wrapping_sub(head);
        RING_BYTES.checked_sub(used).ok_or(PortError::Corrupt)
    }

    /// Returns whether there is room for `bytes` in so many datagrams.
    ///
    /// # Errors
    /// [`PortError::Corrupt`]
    pub fn has_room(&self, bytes: usize, datagrams: usize) -> Result<bool, PortError> {
        let most = bytes + datagrams * 2 * WORD_BYTES as usize;
        Ok(self.room()? as usize >= most)
    }

    /// Writes a datagram, which the receiver sees when it is published. Returns whether there was
    /// room.
    ///
    /// # Errors
    /// [`PortError::Corrupt`]
    pub fn write(&mut self, datagram: &[u8]) -> Result<bool, PortError> {
        let room = self.room()?;
        let Ok(len) = u32::try_from(datagram.len()) else { return Ok(false) };
        if len > RING_BYTES - WORD_BYTES || whole_bytes(len) > room {
            return Ok(false);
        }
        let [(at, _), _] = Channel::places(self.at, self.tail, WORD_BYTES);
        self.channel.word(at).store(len, Ordering::Relaxed);
        let places = Channel::places(self.at, self.tail.wrapping_add(WORD_BYTES), len);
        let mut rest = datagram;
        for (at, len) in places {
            let (part, more) = rest.split_at(len);
            rest = more;
            // SAFETY: these bytes are free: the receiver reads up to the tail, which is before
            // them, and this is the ring's only sender.
            unsafe { self.channel.mapping.bytes_mut(at, len) }.copy_from_slice(part);
        }
        self.tail = self.tail.wrapping_add(whole_bytes(len));
        Ok(true)
    }

    /// Publishes what was written. Returns whether the receiver sleeps, and is to be woken.
    #[must_use]
    pub fn publish(&self) -> bool {
        self.channel.word(self.at + TAIL_AT).store(self.tail, Ordering::SeqCst);
        let asleep = self.channel.word(self.at + ASLEEP_AT);
        asleep.load(Ordering::SeqCst) != 0 && asleep.swap(0, Ordering::SeqCst) != 0
    }
}

impl RingReceiver {
    /// Passes the datagrams that are there to `handle`, at most about so many bytes of them.
    /// Returns whether there were any.
    ///
    /// # Errors
    /// [`PortError::Corrupt`]
    pub fn receive(
        &mut self,
        most_bytes: u32,
        mut handle: impl FnMut(&[u8]),
    ) -> Result<bool, PortError> {
        let tail = self.channel.word(self.at + TAIL_AT).load(Ordering::Acquire);
        let mut unread = tail.wrapping_sub(self.head);
        if unread > RING_BYTES {
            return Err(PortError::Corrupt);
        }
        let any = unread > 0;
        let least = unread.saturating_sub(most_bytes);
        while unread > least {
            let [(at, _), _] = Channel::places(self.at, self.head, WORD_BYTES);
            let len = self.channel.word(at).load(Ordering::Relaxed);
            if len > RING_BYTES || whole_bytes(len) > unread {
                return Err(PortError::Corrupt);
            }
            self.datagram.clear();
            for (at, len) in Channel::places(self.at, self.head.wrapping_add(WORD_BYTES), len) {
                // SAFETY: the sender has published these bytes, and writes to them again only when
                // the head is behind them.
                self.datagram.extend_from_slice(unsafe { self.channel.mapping.bytes(at, len) });
            }
            handle(&self.datagram);
            unread -= whole_bytes(len);
            self.head = self.head.wrapping_add(whole_bytes(len));
            self.channel.word(self.at + HEAD_AT).store(self.head, Ordering::Release);
        }
        Ok(any)
    }

    /// Says that this end looks by itself, and is not to be woken.
    pub fn stay_awake(&self) {
        self.channel.word(self.at + ASLEEP_AT).store(0, Ordering::SeqCst);
    }

    /// Says that this end sleeps until it is woken, unless something is there. Returns whether it
    /// may sleep.
    pub fn sleep(&self) -> bool {
        self.channel.word(self.at + ASLEEP_AT).store(1, Ordering::SeqCst);
        self.channel.word(self.at + TAIL_AT).load(Ordering::SeqCst) == self.head
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    fn ends() -> (ChannelEnd, ChannelEnd) {
        let channel = Channel::create().unwrap();
        let other = Channel::attach(channel.descriptor().try_clone_to_owned().unwrap()).unwrap();
        (channel.switch_end(), other.worker_end())
    }

    proptest! {
        /// Datagrams come as they were sent, in their order, whatever their lengths and wherever
        /// the ring wraps around; one that has no room is not sent, and nothing else is lost.
        #[test]
        fn datagrams_come_as_they_were_sent(
            turns in prop::collection::vec(
                (prop::collection::vec(0_usize..70_000, 0..12), 0_u32..400_000), 1..40),
        ) {
            let (mut switch, mut worker) = ends();
            let (mut sent, mut number) = (VecDeque::new(), 0_u8);
            for (lengths, most_bytes) in turns {
                for len in lengths {
                    number = number.wrapping_add(1);
                    let datagram = vec![number; len];
                    let fits = worker.sender.has_room(len, 1).unwrap();
                    let written = worker.sender.write(&datagram).unwrap();
                    prop_assert!(written || !fits);
                    if written {
                        sent.push_back(datagram);
                    }
                }
                let _ = worker.sender.publish();
                let mut received = Vec::new();
                let any = switch.receiver.receive(most_bytes, |datagram| {
                    received.push(datagram.to_vec());
                });
                prop_assert_eq!(any.unwrap(), !sent.is_empty());
                for datagram in received {
                    prop_assert_eq!(Some(datagram), sent.pop_front());
                }
            }
            switch.receiver.receive(u32::MAX, |datagram| {
                assert_eq!(Some(datagram), sent.pop_front().as_deref());
            }).unwrap();
            prop_assert!(sent.is_empty());
        }

        /// Whatever the other end writes, an end reads no further than its ring, and ends.
        #[test]
        fn a_hostile_end_does_no_harm(words in prop::collection::vec((0_usize..64, any::<u32>()), 1..20)) {
            let channel = Channel::create().unwrap();
            let mut end = channel.switch_end();
            for (place, value) in words {
                for at in [TAIL_AT, WHOLE_BYTES + HEAD_AT, BYTES_AT + 4 * place] {
                    channel.word(at).store(value, Ordering::Relaxed);
                    let mut bytes = 0;
                    let _ = end.receiver.receive(u32::MAX, |datagram| bytes += datagram.len());
                    assert!(bytes <= RING_BYTES as usize);
                    let _ = end.sender.write(&[1; 100]);
                }
            }
        }
    }

    #[test]
    fn impossible_positions_and_lengths_are_corrupt() {
        let fresh = || {
            let channel = Channel::create().unwrap();
            (channel.switch_end(), channel)
        };
        let (mut end, channel) = fresh();
        channel.word(TAIL_AT).store(RING_BYTES + 4, Ordering::Relaxed);
        assert_eq!(end.receiver.receive(u32::MAX, |_| ()), Err(PortError::Corrupt));
        let (mut end, channel) = fresh();
        channel.word(TAIL_AT).store(8, Ordering::Relaxed);
        channel.word(BYTES_AT).store(5, Ordering::Relaxed);
        assert_eq!(end.receiver.receive(u32::MAX, |_| ()), Err(PortError::Corrupt));
        let (mut end, channel) = fresh();
        channel.word(WHOLE_BYTES + HEAD_AT).store(4, Ordering::Relaxed);
        assert_eq!(end.sender.write(&[1]), Err(PortError::Corrupt));
        assert_eq!(end.sender.has_room(1, 1), Err(PortError::Corrupt));
    }

    #[test]
    fn memory_of_another_kind_is_refused() {
        let other = memory::make(4096).unwrap();
        let error = Channel::attach(other).expect_err("too small");
        assert!(matches!(error, Error::Foreign { what: "its size", found: 4096, .. }), "{error}");
    }

    /// A receiver that sleeps is woken once, and one that finds something does not sleep.
    #[test]
    fn a_sleeper_is_woken_once() {
        let (mut switch, mut worker) = ends();
        assert!(switch.receiver.sleep());
        worker.sender.write(b"one").unwrap();
        assert!(worker.sender.publish());
        assert!(!worker.sender.publish());
        assert!(!switch.receiver.sleep());
        switch.receiver.receive(u32::MAX, |_| ()).unwrap();
        assert!(switch.receiver.sleep());
    }

    /// Two threads: nothing is lost, changed or out of order, and no sleep lasts for ever.
    #[test]
    fn threads_hand_each_other_every_datagram() {
        const COUNT: u32 = 200_000;
        let (switch, worker) = ends();
        let (mut sender, mut receiver) = (worker.sender, switch.receiver);
        let (wake, woken) = std::sync::mpsc::channel();
        let sending = thread::spawn(move || {
            for number in 0..COUNT {
                let datagram = vec![number as u8; 1 + number as usize % 97];
                while !sender.write(&datagram).unwrap() {
                    thread::yield_now();
                }
                if sender.publish() {
                    wake.send(()).unwrap();
                }
            }
        });
        let mut next = 0;
        while next < COUNT {
            receiver
                .receive(u32::MAX, |datagram| {
                    assert_eq!(datagram, vec![next as u8; 1 + next as usize % 97]);
                    next += 1;
                })
                .unwrap();
            if next < COUNT && receiver.sleep() {
                woken.recv_timeout(std::time::Duration::from_secs(30)).expect("a wake");
            }
        }
        sending.join().unwrap();
    }
}
