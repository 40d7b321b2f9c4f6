//! Packets of hot keys, filled so that few keys of a packet share a register (R-HOT-6, R-HOT-7;
//! Libra, section 3.4).

use core::num::{NonZeroU32, NonZeroUsize};

/// The place of each hot key in the registers of a pipeline: the key of rank r is in register r mod
/// m, at index r / m (Libra, figure 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    registers: NonZeroU32,
}

impl Layout {
    /// Returns the layout over m registers.
    pub const fn new(registers: NonZeroU32) -> Self {
        Self { registers }
    }

    /// Returns m, the number of registers.
    pub const fn registers(self) -> u32 {
        self.registers.get()
    }

    /// Returns the register of a key.
    pub const fn register(self, rank: u32) -> u32 {
        rank % self.registers.get()
    }

    /// Returns the index of a key in its register.
    pub const fn index(self, rank: u32) -> u32 {
        rank / self.registers.get()
    }

    /// Returns how often a packet with these keys is recirculated: one time less than the most keys
    /// that share a register (R-HOT-8).
    pub fn recirculations(self, ranks: &[u32]) -> u32 {
        let mut registers: Vec<u32> = ranks.iter().map(|rank| self.register(*rank)).collect();
        registers.sort_unstable();
        let shared = registers.chunk_by(|one, other| one == other).map(<[u32]>::len);
        (shared.max().unwrap_or(0) as u32).saturating_sub(1)
    }
}

/// Fills packets with hot keys by algorithm 1. It keeps its memory from batch to batch.
#[derive(Clone, Debug)]
pub struct Packer {
    layout: Layout,
    capacity: NonZeroUsize,
    /// For each register the first packet that may take another of its keys: those before it are
    /// full, or have one.
    first: Vec<u32>,
    /// Positions in the batch, packet by packet.
    packets: Vec<Vec<u32>>,
    /// Packets in use.
    used: usize,
    /// Positions of keys that found no packet without a key of their register.
    left: Vec<u32>,
}

impl Packer {
    /// Returns a packer for packets of at most `capacity` keys.
    pub fn new(layout: Layout, capacity: NonZeroUsize) -> Self {
        let first = vec![0; layout.registers() as usize];
        Self { layout, capacity, first, packets: Vec::new(), used: 0, left: Vec::new() }
    }

    /// Distributes a batch over packets, and returns for each packet the positions of its keys in
    /// the batch.
    ///
    /// As many packets are made as the keys need at least. Each key goes into the first of them
    /// that has room and no key of the same register. The keys that find none share further
    /// packets, whatever their registers.
    ///
    /// # Panics
    ///
    /// Panics if the batch has 2^32 keys or more.
    pub fn pack(&mut self, ranks: &[u32]) -> &[Vec<u32>] {
        self.pack_first(ranks);
        for start in (0..self.left.len()).step_by(self.capacity.get()) {
            let end = self.left.len().min(start + self.capacity.get());
            let packet = take(&mut self.packets, &mut self.used);
            packet.extend_from_slice(&self.left[start..end]);
        }
        &self.packets[..self.used]
    }

    /// Distributes a batch over packets in none of which two keys share a register (R-PISA-73): the
    /// keys that find no packet are a batch of their own. Returns the packets as
    /// [`pack`](Self::pack).
    ///
    /// # Panics
    ///
    /// As [`pack`](Self::pack).
    pub fn pack_apart(&mut self, ranks: &[u32]) -> Vec<Vec<u32>> {
        let mut packets = Vec::new();
        let mut rest: Vec<u32> = (0_u32..).zip(ranks).map(|(position, _)| position).collect();
        while !rest.is_empty() {
            let batch: Vec<u32> = rest.iter().map(|position| ranks[*position as usize]).collect();
            self.pack_first(&batch);
            let of_all = |of_batch: &u32| rest[*of_batch as usize];
            let made = self.packets[..self.used].iter().filter(|packet| !packet.is_empty());
            packets.extend(made.map(|packet| packet.iter().map(of_all).collect::<Vec<_>>()));
            rest = self.left.iter().map(of_all).collect();
        }
        packets
    }

    /// Fills the first packets; the others are left.
    fn pack_first(&mut self, ranks: &[u32]) {
        let least = ranks.len().div_ceil(self.capacity.get());
        self.begin(least);
        for (position, rank) in (0_u32..).zip(ranks) {
            let register = self.layout.register(*rank) as usize;
            let mut at = self.first[register] as usize;
            while at < least && self.packets[at].len() == self.capacity.get() {
                at += 1;
            }
            if let Some(packet) = self.packets[..least].get_mut(at) {
                packet.push(position);
                at += 1;
            } else {
                self.left.push(position);
            }
            self.first[register] = u32::try_from(at).expect("fewer packets than keys");
        }
    }

    fn begin(&mut self, least: usize) {
        self.first.fill(0);
        self.left.clear();
        self.used = 0;
        for _ in 0..least {
            take(&mut self.packets, &mut self.used);
        }
    }
}

/// Takes an empty packet into use.
fn take<'a>(packets: &'a mut Vec<Vec<u32>>, used: &mut usize) -> &'a mut Vec<u32> {
    if *used == packets.len() {
        packets.push(Vec::new());
    }
    let packet = &mut packets[*used];
    packet.clear();
    *used += 1;
    packet
}
