//! The master: it sends only well-formed packets of its own, tells of each partition once, and its
//! slots are those of the query's sums.

use std::collections::BTreeSet;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use netfold_wire::{
    Epoch, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, RowProgram, WorkerId,
};
use netfold_worker::rows::{Master, MasterConfig, MasterEvent, MasterSlot, Survivors};

use super::{DATAGRAM_BYTES, EPOCH, INTEGRITY, JOB, PARTITIONS, SUMS, draw, sum_words};

struct Query {
    master: Master,
    epoch: Epoch,
    sum_words: usize,
    sent: Vec<QueryRepr>,
    committed: BTreeSet<u32>,
    done: bool,
}

/// Runs a script.
pub fn run(program: &RowProgram, input: &mut Unstructured<'_>) {
    let sum_words = sum_words(program);
    let master = Master::new(MasterConfig {
        job: JOB,
        epoch: EPOCH,
        partitions: PARTITIONS,
        sum_words,
        rto_us: 1000,
        memory_bytes: 2000,
        integrity: INTEGRITY,
    });
    let (epoch, sent, committed) = (EPOCH, Vec::new(), BTreeSet::new());
    let mut query = Query { master, epoch, sum_words, sent, committed, done: false };
    for now_us in (0..).step_by(150) {
        if query.step(program, input, now_us).is_err() || input.is_empty() {
            break;
        }
        query.drain(now_us);
    }
}

impl Query {
    fn step(
        &mut self,
        program: &RowProgram,
        input: &mut Unstructured<'_>,
        now_us: u64,
    ) -> Result<()> {
        match input.int_in_range(0..=9u8)? {
            0 => self.master.handle_timeout(now_us + input.int_in_range(0..=2000)?),
            1 => {
                let (partition, attempt) = (input.int_in_range(0..=3)?, input.int_in_range(0..=3)?);
                self.master.give_up(partition, attempt);
            }
            2 if input.ratio(1u8, 4u8)? => self.master.seal(),
            2 if draw::seldom(input)? => self.reopen(),
            3 => self.handle(draw::piece(input)?),
            4..=6 => {
                let forwarded = forwarded(input, program, self.epoch)?;
                self.handle(&forwarded);
            }
            _ => {
                let Some(last) = self.sent.len().checked_sub(1) else { return Ok(()) };
                let at = if input.arbitrary()? { last } else { input.int_in_range(0..=last)? };
                let answer = answer(input, &self.sent[at], self.sum_words)?;
                self.handle(&answer);
            }
        }
        Ok(())
    }

    fn handle(&mut self, datagram: &[u8]) {
        if let Ok(packet) = QueryPacket::new_checked(datagram) {
            self.master.handle(&packet);
        }
    }

    /// A sum begins again.
    fn reopen(&mut self) {
        self.epoch.0 += 1;
        self.master.reopen(JOB, self.epoch);
        if self.sum_words > 0 {
            self.committed.clear();
            self.done = false;
        }
    }

    fn drain(&mut self, now_us: u64) {
        while let Some(datagram) = self.master.poll_transmit(now_us) {
            let packet = QueryPacket::new_checked(&datagram).expect("well-formed");
            assert!(packet.is_whole(&INTEGRITY) && datagram.len() <= DATAGRAM_BYTES);
            let repr = packet.repr;
            assert_eq!((repr.job, repr.epoch), (JOB, self.epoch));
            assert!(!repr.forwarded && repr.partition < PARTITIONS);
            let acknowledges = matches!(repr.kind, QueryKind::Rows | QueryKind::Fin);
            assert!(repr.answer == acknowledges && repr.kind != QueryKind::Open, "{repr:?}");
            self.sent.push(repr);
        }
        while let Some(event) = self.master.poll_event() {
            self.take(event);
        }
    }

    fn take(&mut self, event: MasterEvent) {
        match event {
            MasterEvent::Committed { partition, survivors, slots, .. } => {
                assert!(self.committed.insert(partition), "a partition is committed once");
                survivors.iter().for_each(read);
                self.add(&slots);
            }
            MasterEvent::Done { slots } => {
                assert!(!std::mem::replace(&mut self.done, true), "it is done once");
                assert_eq!(self.committed.len(), PARTITIONS as usize);
                self.add(&slots);
            }
            MasterEvent::Sealed | MasterEvent::Full => {}
        }
    }

    /// Adds slots, as who reads them does.
    fn add(&self, slots: &[MasterSlot]) {
        for slot in slots {
            assert!(self.sum_words > 0, "slots are of a sum");
            let mut rest = &slot.accumulators[..];
            for sum in SUMS {
                let (words, others) = rest.split_at(sum.words());
                sum.merge(&mut vec![0; sum.words()], words);
                rest = others;
            }
            assert!(rest.is_empty());
        }
    }
}

/// Reads all rows.
fn read(survivors: &Survivors) {
    assert_eq!(survivors.numbers().count(), survivors.len());
    assert!(survivors.keys.is_empty() || survivors.keys.len() == survivors.len());
    assert!(survivors.columns.iter().all(|column| column.len() == survivors.len()));
}

/// Rows of an attempt, or its end, as the switch forwards them.
fn forwarded(input: &mut Unstructured<'_>, program: &RowProgram, epoch: Epoch) -> Result<Vec<u8>> {
    let kind = *input.choose(&[QueryKind::Rows, QueryKind::Rows, QueryKind::Fin])?;
    let (mut bits, mut place) = (0_u64, 0);
    if kind == QueryKind::Rows {
        place = input.int_in_range(1..=5)?;
        bits = input.int_in_range(0..=(1 << place) - 1)?;
    }
    let repr = QueryRepr {
        forwarded: true,
        counted: input.arbitrary()?,
        keys: true,
        columns: program.columns().max(1) as u8,
        partition: input.int_in_range(0..=PARTITIONS)?,
        attempt: input.int_in_range(1..=3)?,
        sequence: input.int_in_range(0..=3)?,
        place,
        rows: bits.count_ones() as u16,
        first: if draw::seldom(input)? { u64::MAX } else { 5 },
        ..QueryRepr::request(kind, JOB, epoch, WorkerId(1))
    };
    let mut datagram = vec![7; repr.datagram_bytes()];
    let words = &mut datagram[QUERY_HEADER_BYTES..][..repr.bits_bytes()];
    netfold_wire::write_words([bits], words);
    repr.seal(&INTEGRITY, &mut datagram);
    Ok(datagram)
}

/// The answer to something that was sent, changed here and there.
fn answer(input: &mut Unstructured<'_>, sent: &QueryRepr, sum_words: usize) -> Result<Vec<u8>> {
    let mut answer = QueryRepr { last: input.arbitrary()?, ..sent.answered() };
    if matches!(sent.kind, QueryKind::Merge | QueryKind::Read) {
        answer.rows = input.int_in_range(0..=3)?;
        answer.columns = if draw::seldom(input)? { input.arbitrary()? } else { sum_words as u8 };
        answer.place = input.int_in_range(0..=8)?;
        answer.first = input.int_in_range(0..=answer.columns.into())?;
    }
    if draw::seldom(input)? {
        answer.kind = *input.choose(&[QueryKind::Merge, QueryKind::Read, QueryKind::Discard])?;
        answer.sequence = input.int_in_range(0..=4)?;
        answer.partition = input.int_in_range(0..=PARTITIONS)?;
    }
    let mut datagram = vec![7; answer.datagram_bytes()];
    // The first words of slots are present.
    let bits = &mut datagram[QUERY_HEADER_BYTES..][..answer.bits_bytes()];
    let word = |at: u64| match answer.first.saturating_sub(at * 64) {
        64.. => u64::MAX,
        some => (1 << some) - 1,
    };
    netfold_wire::write_words((0..).map(word), bits);
    answer.seal(&INTEGRITY, &mut datagram);
    Ok(datagram)
}
