//! A job of SwitchML's program, as the control plane admits it.

use netfold_wire::EVERYONE;

use crate::control::Control;
use crate::machine::Replica;
use crate::program::{Pattern, Program};
use crate::programs::Arithmetic;
use crate::programs::fpisa::{MOST_OPERANDS, Variant};
use crate::programs::frame::Address;
use crate::programs::switchml::SwitchMl;

/// A job as the control plane admits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number and its epoch.
    pub job: u16,
    /// Its epoch.
    pub epoch: u32,
    /// Slots.
    pub slots: u16,
    /// The first of them among the slots of all jobs.
    pub first_slot: u32,
    /// The first word of `last` that is the job's; it has one for each slot and worker.
    pub first_word: u32,
    /// Port and address of each worker.
    pub workers: Vec<(u16, Address)>,
    /// The switch's own address.
    pub switch: Address,
    /// The multicast groups of the job are this one and the next.
    pub group: u16,
}

impl Job {
    /// Returns the first of its slots, and their number.
    pub(crate) fn slot_range(&self) -> (u32, u32) {
        (self.first_slot, self.slots.into())
    }

    /// The first of its copies of a pool version: those of version 0 come first, for all jobs.
    const fn first_copy(&self, config: &SwitchMl, pool: u32) -> u32 {
        pool * config.slots + self.first_slot
    }

    /// Returns the first of its words of `last`, and their number.
    pub(crate) fn word_range(&self) -> (u32, u32) {
        (self.first_word, u32::from(self.slots) * self.workers.len() as u32)
    }

    /// Returns the control plane's steps in order: registers first, so that nothing of an earlier
    /// job is left when its packets are let in.
    ///
    /// # Panics
    /// If `fpisa` is to add for more than [`MOST_OPERANDS`] workers: nothing would tell of an
    /// overflow (R-PISA-33).
    pub fn controls(&self, config: &SwitchMl, program: &Program) -> Vec<Control> {
        let (slots, workers) = (u32::from(self.slots), self.workers.len() as u32);
        let full = config.arithmetic == Arithmetic::Fpisa(Variant::Full);
        assert!(
            !full || workers <= MOST_OPERANDS.into(),
            "fpisa adds for at most {MOST_OPERANDS} workers"
        );
        let mut controls = Vec::new();
        for name in ["last", "round", "first", "count", "filled", "largest"] {
            let array = program.array_named(name).expect("the program has this array");
            let stretches = match name {
                "last" => vec![(self.first_word, slots * workers)],
                _ => (0..2).map(|pool| (self.first_copy(config, pool), slots)).collect(),
            };
            controls.extend(stretches.into_iter().map(|(first, words)| Control::Clear {
                array,
                first,
                words,
            }));
        }
        let everyone =
            (0..).zip(&self.workers).map(|(number, (port, _))| Replica { port: *port, number });
        let everyone: Vec<_> = everyone.collect();
        let around =
            Replica { port: *config.frame.loopbacks.last().expect("a pipeline"), number: EVERYONE };
        let relay = everyone.iter().copied().chain([around]).collect();
        controls.push(Control::Group { group: self.group, replicas: everyone });
        controls.push(Control::Group { group: self.group + 1, replicas: relay });
        let mut insert = |table, patterns, action, values| {
            controls.push(Control::Insert { table, patterns, action, values });
        };
        let job = Pattern::Is(self.job.into());
        insert("deliveries", vec![job, Pattern::Is(EVERYONE.into())], "everyone", vec![]);
        for (rank, (port, address)) in (0..).zip(&self.workers) {
            let worker = Pattern::Is(u64::from(rank));
            let first_word = u64::from(self.first_word + rank * slots);
            insert("deliveries", vec![job, worker], "one", vec![]);
            let Address { mac, ip, port: udp } = *address;
            let own = self.switch;
            let reach = vec![mac, own.mac, ip.into(), own.ip.into(), udp.into(), own.port.into()];
            insert("reach_one", vec![job, worker], "reach", reach.clone());
            insert("reach_each", vec![job, worker], "reach", reach);
            insert("members", vec![job, worker], "know", vec![first_word, (*port).into()]);
        }
        // Last: from here on its packets are folded.
        for pool in 0..2 {
            let patterns = vec![
                job,
                Pattern::Is(self.epoch.into()),
                Pattern::Is(pool),
                Pattern::Range(0, u64::from(self.slots) - 1),
            ];
            let first = u64::from(self.first_copy(config, pool as u32));
            let (others, group) = (u64::from(workers - 1), u64::from(self.group));
            insert(
                "jobs",
                patterns,
                "find",
                vec![first, others, u64::from(workers == 1), group, group + 1],
            );
        }
        controls
    }
}
