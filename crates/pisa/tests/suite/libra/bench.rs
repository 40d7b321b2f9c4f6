//! A table in a pipeline beside the same table in a software shard.

use std::collections::BTreeSet;

use netfold_num::{Arithmetic, ByteOrder, ElementType};
use netfold_pisa::programs::Address;
use netfold_pisa::programs::libra::{Libra, Sums, TableJob};
use netfold_pisa::{Outcome, Pipeline, Target};
use netfold_switch::{MAX_ANSWER_BYTES, Shard, TableSpec, TableTree};
use netfold_wire::{
    Ecn, Epoch, Integrity, JobId, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr,
    TableTerms, Terms, WorkerId,
};

pub const JOB: JobId = JobId(5);
pub const EPOCH: Epoch = Epoch(0xE000_0001);

/// Pairs of rank and row; of floats, their bits.
pub type Pairs = Vec<(u32, i32)>;

const SWITCH: Address = Address { mac: 0x0200_0000_00FE, ip: 0x0A00_00FE, port: 5555 };

/// The address of a worker, or of a server behind them.
pub fn address(number: u16) -> Address {
    let at = u32::from(number) + 1;
    Address { mac: 0x0200_0000_0000 | u64::from(at), ip: 0x0A00_0000 | at, port: 6000 + number }
}

pub fn port(number: u16) -> u16 {
    number + 1
}

/// Both forms of a table.
pub struct Bench {
    pub config: Libra,
    pub pipeline: Pipeline,
    pub shard: Shard,
}

pub fn terms(config: &Libra) -> TableTerms {
    let element_type = match config.sums {
        Sums::Integers => ElementType::I32,
        Sums::FpisaA | Sums::LogTable => ElementType::F32,
    };
    TableTerms { rows: config.rows(), width: 1, element_type, resident: true }
}

/// A request of a worker.
pub fn request(config: &Libra, kind: TableKind, worker: u16, sequence: u32) -> TableRepr {
    let repr = TableRepr::request(kind, JOB, EPOCH, &terms(config));
    TableRepr { worker: WorkerId(worker), sequence, ..repr }
}

/// The datagram of a request with these pairs; a pull has their ranks alone.
pub fn datagram(repr: TableRepr, pairs: &Pairs) -> Vec<u8> {
    let repr = TableRepr { pairs: pairs.len() as u16, ..repr };
    let mut bytes = vec![0; TABLE_HEADER_BYTES];
    bytes.extend(pairs.iter().flat_map(|(rank, _)| rank.to_be_bytes()));
    if repr.rest_bytes() > 0 {
        bytes.extend(pairs.iter().flat_map(|(_, row)| row.to_be_bytes()));
    }
    bytes.resize(repr.datagram_bytes(), 0);
    repr.seal(&Integrity::Transport, &mut bytes);
    bytes
}

/// Header and pairs of an answer.
pub fn apart(datagram: &[u8]) -> (TableRepr, Pairs) {
    let packet = TablePacket::new_checked(datagram).unwrap();
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    let ranks = packet.ranks.chunks_exact(4).map(number);
    let rows = packet.rest.chunks_exact(4).map(|row| number(row) as i32);
    (packet.repr, ranks.zip(rows).collect())
}

impl Bench {
    pub fn new(config: Libra) -> Self {
        let mut shard = Shard::new(1 << 30);
        let mut terms_of_job = Terms::new(Integrity::Transport);
        terms_of_job.arithmetic = match config.sums {
            Sums::Integers => Arithmetic::Native,
            Sums::FpisaA => Arithmetic::FpisaA,
            Sums::LogTable => Arithmetic::LogTable,
        };
        terms_of_job.byte_order = ByteOrder::Network;
        let spec = TableSpec {
            job: JOB,
            epoch: EPOCH,
            workers: config.workers,
            datagram_bytes: 1500,
            table: terms(&config),
            terms: terms_of_job,
            tree: TableTree::default(),
        };
        shard.admit_table(spec).unwrap();
        let pipeline = load(&config, Target::tofino());
        Self { config, pipeline, shard }
    }

    /// The answer of the software.
    pub fn software(&mut self, datagram: &[u8], ecn: Ecn) -> Option<Vec<u8>> {
        let mut answer = vec![0; MAX_ANSWER_BYTES];
        let len = self.shard.handle_table(datagram, ecn, &mut answer);
        (len > 0).then(|| answer[..len].to_vec())
    }

    /// Hands a datagram to both. Their answers are the same, but that a pipeline answers a pull in
    /// the order of registers, with the first rank of each (R-PISA-73). Returns the answer.
    pub fn ask(&mut self, from: u16, datagram: &[u8], ecn: Ecn) -> Option<Vec<u8>> {
        let expected = self.software(datagram, ecn);
        let outcome = self.pipeline.process(port(from), &frame(from, datagram, ecn)).unwrap();
        let found = received(from, &outcome);
        let registers = u32::from(self.config.registers);
        match (&found, &expected) {
            (Some(found), Some(expected)) if expected[1] == TableKind::Pull.to_wire() => {
                let ranks = datagram[TABLE_HEADER_BYTES..].chunks_exact(4);
                let ranks = ranks.map(|rank| u32::from_be_bytes(rank.try_into().unwrap()));
                assert_eq!(apart(found), in_registers(apart(expected), ranks, registers));
            }
            _ => assert_eq!(found, expected, "to {datagram:02x?}"),
        }
        found
    }

    /// The value of each row, in both: the software's, and what stands in the registers.
    pub fn assert_values(&mut self) {
        let config = self.config.clone();
        let ranks: Vec<u32> = (0..config.rows()).collect();
        // Rows that are not loaded could not be pulled; this load changes no value.
        for ranks in ranks.chunks(100) {
            let pairs = ranks.iter().map(|rank| (*rank, 0)).collect();
            let load = datagram(request(&config, TableKind::Load, 0, 0), &pairs);
            self.software(&load, Ecn::Clear).unwrap();
            let pull = datagram(request(&config, TableKind::Pull, 0, 0), &pairs);
            let (_, values) = apart(&self.software(&pull, Ecn::Clear).unwrap());
            for (rank, value) in values {
                assert_eq!(self.value(rank), value, "rank {rank}");
            }
        }
    }

    /// R-HOT-6: the value of a row, from its register.
    pub fn value(&self, rank: u32) -> i32 {
        let m = u32::from(self.config.registers);
        let array = self.pipeline.program().array_named(&format!("sum{}", rank % m)).unwrap();
        self.pipeline.word(0, array, (rank / m) as usize)[0] as i32
    }
}

/// A pipeline with the job's table: a server is behind the workers.
pub fn load(config: &Libra, target: Target) -> Pipeline {
    let program = config.program();
    let mut pipeline = Pipeline::load(program.clone(), target).unwrap();
    let at = |number| (port(number), address(number));
    let job = TableJob {
        job: JOB,
        epoch: EPOCH,
        workers: (0..config.workers).map(at).collect(),
        servers: vec![at(config.workers)],
    };
    for control in config.controls(&program, &job) {
        control.apply(&mut pipeline).unwrap();
    }
    pipeline
}

/// A frame on its way to the switch.
pub fn frame(from: u16, datagram: &[u8], ecn: Ecn) -> Vec<u8> {
    let mut frame = address(from).frame(&SWITCH, datagram);
    frame[15] |= if ecn.is_marked() { 3 } else { 0 };
    frame
}

/// The datagram of the one answer, if there is one.
pub fn received(from: u16, outcome: &Outcome) -> Option<Vec<u8>> {
    assert!(outcome.sent.len() <= 1, "a request has at most one answer");
    let sent = outcome.sent.first()?;
    assert_eq!(sent.port, port(from));
    Some(address(from).unframe(&sent.bytes).unwrap().to_vec())
}

/// The answer to a pull as a pipeline gives it.
fn in_registers(
    (repr, pairs): (TableRepr, Pairs),
    ranks: impl Iterator<Item = u32>,
    registers: u32,
) -> (TableRepr, Pairs) {
    let mut taken = BTreeSet::new();
    let first: Vec<u32> = ranks.filter(|rank| taken.insert(rank % registers)).collect();
    let mut pairs: Pairs = pairs.into_iter().filter(|(rank, _)| first.contains(rank)).collect();
    pairs.sort_by_key(|(rank, _)| rank % registers);
    pairs.dedup();
    (TableRepr { pairs: pairs.len() as u16, ..repr }, pairs)
}
