//! Datagrams under way: each stands once in memory, however many links carry it.

use netfold_wire::HEADER_BYTES;

use crate::tcp::Segment;

/// Bytes around a datagram on a link: UDP, IPv4, and Ethernet with its preamble and gap.
pub const OVERHEAD_BYTES: u32 = 8 + 20 + 38;

/// A datagram in the [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DatagramId(u32);

/// A party that packets of a table come from, or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Party {
    /// A worker or a server, by its number.
    Endpoint(u32),
    /// A switch, by its node.
    Switch(u32),
}

/// Properties of a datagram, besides its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The job, by its place in the setup.
    pub(crate) job: u16,
    /// The flow of the job.
    pub(crate) flow: u16,
    /// Bytes for which cores are charged: header and lanes, all of them.
    pub(crate) bytes: u32,
    /// A link has marked it (R-ECN-1).
    pub(crate) marked: bool,
    /// The segment that it is, if it is no packet of a job.
    pub(crate) segment: Option<Segment>,
    /// The endpoint that it is for, if switches only forward it.
    pub(crate) to: Option<u32>,
    /// The switch that it is for, if it is of a table.
    pub(crate) switch: Option<u32>,
    /// The party that it comes from, if it is of a table and for a switch.
    pub(crate) from: Option<Party>,
    /// Of a message that stands for several packets, the bytes of the first of them on a link:
    /// switches pass it on when these have come. 0 for a datagram.
    pub(crate) lead: u32,
}

impl Label {
    /// Bytes that it takes on a link.
    pub(crate) fn wire_bytes(&self) -> u32 {
        self.bytes + OVERHEAD_BYTES
    }

    /// Bytes that follow the first packet of a message.
    pub(crate) fn rest_bytes(&self) -> u32 {
        if self.lead == 0 { 0 } else { self.wire_bytes() - self.lead }
    }

    /// Returns the label of a datagram of which `present` bytes are there: its lanes stand for
    /// `inflation` times as many.
    pub(crate) fn new(job: u16, flow: u16, present: usize, inflation: u32) -> Self {
        let lanes = present.saturating_sub(HEADER_BYTES) as u32;
        Self {
            job,
            flow,
            bytes: HEADER_BYTES as u32 + lanes * inflation,
            marked: false,
            segment: None,
            to: None,
            switch: None,
            from: None,
            lead: 0,
        }
    }
}

struct Entry {
    bytes: Vec<u8>,
    label: Label,
    holders: u32,
}

/// Memory of all datagrams under way. What is released is used again with its capacity, so that a
/// run soon allocates nothing.
#[derive(Default)]
pub(crate) struct Pool {
    entries: Vec<Entry>,
    free: Vec<DatagramId>,
}

impl Pool {
    /// Takes a copy of `bytes`, with one holder.
    pub(crate) fn insert(&mut self, bytes: &[u8], label: Label) -> DatagramId {
        if let Some(id) = self.free.pop() {
            let entry = &mut self.entries[id.0 as usize];
            entry.bytes.clear();
            entry.bytes.extend_from_slice(bytes);
            (entry.label, entry.holders) = (label, 1);
            return id;
        }
        self.entries.push(Entry { bytes: bytes.to_vec(), label, holders: 1 });
        DatagramId((self.entries.len() - 1) as u32)
    }

    /// One holder more.
    pub(crate) fn retain(&mut self, id: DatagramId) {
        self.entries[id.0 as usize].holders += 1;
    }

    /// One holder less; with the last, the memory is free.
    pub(crate) fn release(&mut self, id: DatagramId) {
        let holders = &mut self.entries[id.0 as usize].holders;
        *holders -= 1;
        if *holders == 0 {
            self.free.push(id);
        }
    }

    /// Returns its bytes.
    pub(crate) fn bytes(&self, id: DatagramId) -> &[u8] {
        &self.entries[id.0 as usize].bytes
    }

    /// Returns its label.
    pub(crate) fn label(&self, id: DatagramId) -> Label {
        self.entries[id.0 as usize].label
    }

    /// A copy for one holder, with one bit flipped.
    pub(crate) fn damaged(&mut self, id: DatagramId, bit: usize) -> DatagramId {
        let Entry { bytes, label, .. } = &self.entries[id.0 as usize];
        let (mut bytes, label) = (bytes.clone(), *label);
        let bit = bit % (bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        self.insert(&bytes, label)
    }

    /// A copy for one holder, with a mark.
    pub(crate) fn marked(&mut self, id: DatagramId) -> DatagramId {
        let Entry { bytes, label, .. } = &self.entries[id.0 as usize];
        let (bytes, label) = (bytes.clone(), Label { marked: true, ..*label });
        self.insert(&bytes, label)
    }

    /// Datagrams that somebody holds.
    pub(crate) fn held(&self) -> usize {
        self.entries.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: Label = Label {
        job: 0,
        flow: 0,
        bytes: 4,
        marked: false,
        segment: None,
        to: None,
        switch: None,
        from: None,
        lead: 0,
    };

    #[test]
    fn memory_is_used_again_only_when_the_last_holder_has_gone() {
        let mut pool = Pool::default();
        let first = pool.insert(&[1, 2, 3, 4], LABEL);
        pool.retain(first);
        pool.release(first);
        let second = pool.insert(&[5], LABEL);
        assert_ne!(first, second);
        assert_eq!(
            (pool.bytes(first), pool.bytes(second), pool.held()),
            (&[1, 2, 3, 4][..], &[5][..], 2)
        );
        pool.release(first);
        assert_eq!(pool.insert(&[6], LABEL), first);
        assert_eq!(pool.bytes(first), [6]);
    }

    #[test]
    fn damage_is_one_bit_of_a_copy() {
        let mut pool = Pool::default();
        let whole = pool.insert(&[0; 8], LABEL);
        let damaged = pool.damaged(whole, 8 * 8 + 13);
        assert_eq!(pool.bytes(whole), [0; 8]);
        assert_eq!(pool.bytes(damaged), [0, 1 << 5, 0, 0, 0, 0, 0, 0]);
    }

    /// R-ECN-1: the other holders' copies came another way.
    #[test]
    fn a_mark_is_one_holders() {
        let mut pool = Pool::default();
        let plain = pool.insert(&[1, 2], LABEL);
        let marked = pool.marked(plain);
        assert_eq!((pool.label(plain).marked, pool.label(marked).marked), (false, true));
        assert_eq!(pool.bytes(plain), pool.bytes(marked));
    }

    #[test]
    fn few_lanes_stand_for_many() {
        // 64 bytes of lanes that stand for 1024, and a header alone.
        assert_eq!(Label::new(0, 0, HEADER_BYTES + 64, 16).wire_bytes(), 40 + 1024 + 66);
        assert_eq!(Label::new(0, 0, HEADER_BYTES, 16).wire_bytes(), 40 + 66);
    }
}
