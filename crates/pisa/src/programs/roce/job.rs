//! A job of SwitchML over RoCE, as the control plane admits it.

use super::Roce;
use super::frame::opcode;
use super::sequence::place;
use crate::control::Control;
use crate::machine::Replica;
use crate::program::{Pattern, Program};

/// A worker, as it has told the control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The port that leads to it.
    pub port: u16,
    /// Ethernet address, 48 bits.
    pub mac: u64,
    /// IPv4 address, which no other worker has.
    pub ip: u32,
    /// Its queue pairs, one for each of the job's.
    pub queue_pairs: Vec<u32>,
    /// The key of the memory that the switch writes to, and where it begins (R-PISA-52).
    pub rkey: u32,
    /// The address.
    pub base: u64,
}

/// A job as the control plane admits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The first of its QPNs at the switch, a multiple of how many there are.
    pub first_qp: u32,
    /// Number of its queue pairs, a power of two.
    pub queue_pairs: u32,
    /// Slots.
    pub slots: u16,
    /// The first of them among the slots of all jobs.
    pub first_slot: u32,
    /// The first word of `last` that is the job's; it has one for each slot and worker.
    pub first_word: u32,
    /// The first word of the arrays with one for each queue pair and worker.
    pub first_message: u32,
    /// The workers.
    pub workers: Vec<Worker>,
    /// The switch's own Ethernet and IPv4 address.
    pub switch: (u64, u32),
    /// The job's multicast group.
    pub group: u16,
}

impl Job {
    /// Returns the control plane's steps in order: registers first, so that nothing of an earlier
    /// job is left when its packets are let in.
    ///
    /// # Panics
    /// If `program` is not that of `config`.
    pub fn controls(&self, config: &Roce, program: &Program) -> Vec<Control> {
        let (slots, workers) = (u32::from(self.slots), self.workers.len() as u32);
        let messages = workers * self.queue_pairs;
        let mut controls = Vec::new();
        let copies = (2 * self.first_slot, 2 * slots);
        for (name, (first, words)) in [
            ("expected", (self.first_message, messages)),
            ("message_copy", (self.first_message, messages)),
            ("message_word", (self.first_message, messages)),
            ("message_round", (self.first_message, messages)),
            ("last", (self.first_word, slots * workers)),
            ("round", copies),
            ("first", copies),
            ("count", copies),
            ("largest", copies),
        ] {
            let array = program.array_named(name).expect("the program has this array");
            controls.push(Control::Clear { array, first, words });
        }
        let replicas =
            (0..).zip(&self.workers).map(|(number, worker)| Replica { port: worker.port, number });
        controls.push(Control::Group { group: self.group, replicas: replicas.collect() });
        let (mac, ip) = self.switch;
        let mut insert = |table, patterns, action, values| {
            controls.push(Control::Insert { table, patterns, action, values });
        };
        let pairs =
            || (0..self.queue_pairs).map(|number| (number, u64::from(self.first_qp + number)));
        for (rank, worker) in (0..).zip(&self.workers) {
            for (number, pair) in pairs() {
                let rkey = u64::from(worker.rkey);
                let reach = vec![
                    worker.mac,
                    mac,
                    worker.ip.into(),
                    ip.into(),
                    worker.queue_pairs[number as usize].into(),
                    rkey >> 16,
                    rkey & 0xFFFF,
                    worker.base >> 32,
                    worker.base & u64::from(u32::MAX),
                ];
                insert("reach", vec![Pattern::Is(pair), Pattern::Is(rank)], "reach", reach);
            }
        }
        // R-PISA-53: a message of k packets begins k slots before the last or earlier.
        let block =
            Pattern::Masked(self.first_qp.into(), u64::from(0xFF_FFFF & !(self.queue_pairs - 1)));
        for pool in 0..2 {
            let first = u64::from(2 * self.first_slot + pool * slots);
            let mut find = |code, packets: u32, length| {
                if packets <= slots {
                    let round = Pattern::Masked(pool.into(), 1);
                    let patterns = vec![
                        block,
                        Pattern::Is(code),
                        round,
                        Pattern::Range(0, (slots - packets).into()),
                        length,
                    ];
                    insert("jobs", patterns, "find", vec![first, place(packets.into())]);
                }
            };
            find(opcode::ONLY, 1, Pattern::Any);
            for packets in 2..=u32::from(config.packets) {
                find(opcode::FIRST, packets, Pattern::Is(u64::from(packets) * config.payload()));
            }
        }
        // Last: from here on its packets are folded.
        for (rank, worker) in (0..).zip(&self.workers) {
            let first_word = u64::from(self.first_word + rank * slots);
            for (number, pair) in pairs() {
                let message = u64::from(self.first_message + rank * self.queue_pairs + number);
                let (others, alone) = (u64::from(workers - 1), u64::from(workers == 1));
                let values = vec![
                    first_word,
                    message,
                    rank.into(),
                    worker.port.into(),
                    others,
                    alone,
                    self.group.into(),
                ];
                let patterns =
                    vec![Pattern::Is(ip.into()), Pattern::Is(pair), Pattern::Is(worker.ip.into())];
                insert("queue_pairs", patterns, "know", values);
            }
        }
        controls
    }
}
