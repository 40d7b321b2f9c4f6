//! The switch: it sends only well-formed packets of the query, of the rows that it was sent, and
//! takes no memory. What it holds and what it forwards is each row that it counted, once.

use std::collections::BTreeMap;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use netfold_switch::Shard;
use netfold_switch::query::{QuerySpec, Receiver};
use netfold_wire::{QueryKind, QueryPacket, QueryRepr, RowProgram, WorkerId};

use super::model::{Model, Total};
use super::{
    ATTEMPTS, DATAGRAM_BYTES, EPOCH, INTEGRITY, JOB, PARTITIONS, WORKERS, draw, sum_words,
};

struct Switch {
    shard: Shard,
    used: u64,
    model: Model,
}

/// Runs a script.
pub fn run(program: &RowProgram, input: &mut Unstructured<'_>) {
    let mut shard = Shard::new(1 << 20);
    let spec = QuerySpec {
        job: JOB,
        epoch: EPOCH,
        workers: WORKERS,
        partitions: PARTITIONS,
        attempts: ATTEMPTS,
        datagram_bytes: DATAGRAM_BYTES as u32,
        program: *program,
        integrity: INTEGRITY,
    };
    shard.admit_query(spec).expect("there is room");
    let used = shard.memory_used();
    let sums = sum_words(program) > 0;
    let mut switch = Switch { shard, used, model: Model::new(sums) };
    while !input.is_empty() {
        if switch.step(program, input).is_err() {
            break;
        }
    }
    if sums {
        switch.end();
    }
}

impl Switch {
    fn step(&mut self, program: &RowProgram, input: &mut Unstructured<'_>) -> Result<()> {
        let datagram = if input.ratio(1u8, 2u8)? {
            let repr = draw::repr(input, program, |partition| self.model.expected(partition))?;
            draw::datagram(input, &repr)?
        } else {
            draw::piece(input)?.to_vec()
        };
        let is_own = QueryPacket::new_checked(&datagram).is_ok_and(|packet| {
            (packet.repr.job, packet.repr.epoch) == (JOB, EPOCH) && packet.is_whole(&INTEGRITY)
        });
        if !is_own {
            assert_eq!(self.hand(&datagram), None, "it is of nobody");
        }
        if let Some(own) = draw::whole(&datagram, JOB, EPOCH) {
            self.hand_own(&own);
        }
        Ok(())
    }

    /// Hands the switch a datagram, and returns the one that follows.
    fn hand(&mut self, datagram: &[u8]) -> Option<(Receiver, Vec<u8>)> {
        let mut out = [0; DATAGRAM_BYTES];
        let handled = self.shard.handle_query(datagram, &mut out);
        assert_eq!(self.shard.memory_used(), self.used);
        let handled = handled?;
        assert_eq!((handled.job, handled.epoch), (JOB, EPOCH));
        let (receiver, len) = handled.to.expect("a packet follows from each that is not dropped");
        let packet = QueryPacket::new_checked(&out[..len]).expect("well-formed");
        assert!(packet.is_whole(&INTEGRITY));
        assert_eq!((packet.repr.job, packet.repr.epoch), (JOB, EPOCH));
        assert!(packet.repr.partition < PARTITIONS);
        if let Receiver::Worker(worker) = receiver {
            assert!(worker.0 < WORKERS && worker == packet.repr.worker);
            assert!(packet.repr.answer && !packet.repr.forwarded);
        }
        Some((receiver, out[..len].to_vec()))
    }

    /// Hands it a packet of the query, and holds what follows to the rules.
    fn hand_own(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let (receiver, answer) = self.hand(datagram)?;
        let sent = QueryPacket::new_checked(datagram).expect("well-formed");
        let got = QueryPacket::new_checked(&answer).expect("well-formed");
        if self.model.sums() && sent.repr.kind == QueryKind::Merge {
            let shared = self.read();
            self.model.merge(&sent, &got, shared);
        } else {
            self.model.step(&sent, receiver, &got);
        }
        Some(answer)
    }

    fn ask(&mut self, repr: &QueryRepr) -> Vec<u8> {
        let mut datagram = vec![0; repr.datagram_bytes()];
        repr.seal(&INTEGRITY, &mut datagram);
        self.hand_own(&datagram).expect("it makes sense")
    }

    /// Reads the shared table.
    fn read(&mut self) -> BTreeMap<u64, Total> {
        let mut read = BTreeMap::new();
        let mut repr = QueryRepr::request(QueryKind::Read, JOB, EPOCH, WorkerId(0));
        loop {
            let mut datagram = vec![0; repr.datagram_bytes()];
            repr.seal(&INTEGRITY, &mut datagram);
            let (receiver, answer) = self.hand(&datagram).expect("it can be read");
            assert_eq!(receiver, Receiver::Master);
            let packet = QueryPacket::new_checked(&answer).expect("well-formed");
            for (key, total) in Total::of_slots(&packet) {
                assert_eq!(read.insert(key, total), None, "a slot for each key");
            }
            if packet.repr.last {
                return read;
            }
            assert!(packet.repr.place > repr.place, "it goes on");
            repr.place = packet.repr.place;
        }
    }

    /// Merges the table of an attempt, and returns the slots that the shared table has not taken.
    fn merge(&mut self, attempt: &QueryRepr) -> BTreeMap<u64, Total> {
        let mut refused = BTreeMap::new();
        let mut merge = QueryRepr { kind: QueryKind::Merge, ..*attempt };
        loop {
            let answer = self.ask(&merge);
            let packet = QueryPacket::new_checked(&answer).expect("well-formed");
            refused.extend(Total::of_slots(&packet));
            if packet.repr.last {
                return refused;
            }
            assert!(packet.repr.place > merge.place, "it goes on");
            merge.place = packet.repr.place;
        }
    }

    /// Ends all attempts and has their tables merged: nothing is left, and nothing is missing.
    fn end(&mut self) {
        for partition in 0..PARTITIONS {
            let Some((attempt, sequence)) = self.model.open_attempt(partition) else { continue };
            let repr = QueryRepr { partition, attempt, ..request(QueryKind::Fin) };
            self.ask(&QueryRepr { sequence, counted: true, ..repr });
            for _ in 0..2 {
                // Asked again, the switch has the same slots left (R-QRY-32).
                let refused = self.merge(&repr);
                assert_eq!(*self.model.taken(partition), refused, "each counted row once");
            }
            let discard = QueryRepr { kind: QueryKind::Discard, attempt: 0, ..repr };
            self.ask(&QueryRepr { counted: true, ..discard });
        }
        let shared = self.read();
        assert_eq!(*self.model.shared(), shared, "each committed row once");
    }
}

fn request(kind: QueryKind) -> QueryRepr {
    QueryRepr::request(kind, JOB, EPOCH, WorkerId(0))
}
