//! An attempt's side: it sends only well-formed packets of its own, and is done only when it has
//! been told that its end has come.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use netfold_wire::{
    Epoch, JobId, QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, RowProgram, WorkerId,
};
use netfold_worker::rows::{Sender, SenderConfig};

use super::{DATAGRAM_BYTES, EPOCH, INTEGRITY, JOB, draw, sum_words};

const WORKER: WorkerId = WorkerId(1);
const PARTITION: u32 = 2;
const ATTEMPT: u32 = 3;

struct Attempt {
    sender: Sender,
    epoch: Epoch,
    columns: usize,
    sums: bool,
    verdicts: bool,
    /// Rows that were pushed since verdicts were taken.
    rows: usize,
    finished: bool,
    sent: Vec<QueryRepr>,
}

/// Runs a script.
pub fn run(program: &RowProgram, input: &mut Unstructured<'_>) {
    let sums = sum_words(program) > 0;
    let join = matches!(program, RowProgram::BloomJoin { .. });
    let (build, verdicts) =
        (input.arbitrary().unwrap_or(false), input.arbitrary().unwrap_or(false));
    let (build, verdicts) = (build && join, verdicts && !sums);
    let columns = program.columns().max(1);
    let sender = Sender::new(SenderConfig {
        job: JOB,
        epoch: EPOCH,
        worker: WORKER,
        partition: PARTITION,
        attempt: ATTEMPT,
        build,
        verdicts,
        keys: true,
        columns: columns as u8,
        datagram_bytes: DATAGRAM_BYTES as u32,
        window: 3,
        rto_us: 1000,
        integrity: INTEGRITY,
    });
    let (epoch, rows, finished, sent) = (EPOCH, 0, false, Vec::new());
    let mut attempt = Attempt { sender, epoch, columns, sums, verdicts, rows, finished, sent };
    for now_us in (0..).step_by(150) {
        if attempt.step(input, now_us).is_err() || input.is_empty() {
            break;
        }
        attempt.drain(now_us);
    }
}

impl Attempt {
    fn step(&mut self, input: &mut Unstructured<'_>, now_us: u64) -> Result<()> {
        match input.int_in_range(0..=9u8)? {
            0 | 1 if !self.finished => self.push(input.int_in_range(1..=20)?),
            2 => self.sender.handle_timeout(now_us + input.int_in_range(0..=2000)?),
            3 if self.verdicts => self.take_verdicts(),
            3 if draw::seldom(input)? && !self.sums => {
                self.epoch.0 += 1;
                self.sender.reopen(JOB, self.epoch);
            }
            4 if input.ratio(1u8, 4u8)? => {
                self.finished = true;
                self.sender.finish();
            }
            4 => self.sender.flush(),
            5 => self.handle(draw::piece(input)?, now_us),
            _ => {
                let Some(last) = self.sent.len().checked_sub(1) else { return Ok(()) };
                let at = if input.arbitrary()? { last } else { input.int_in_range(0..=last)? };
                let answer = answer(input, &self.sent[at])?;
                self.handle(&answer, now_us);
            }
        }
        Ok(())
    }

    fn push(&mut self, rows: usize) {
        let keys: Vec<u64> = (0..rows as u64).collect();
        let codes: Vec<i64> = (0..rows as i64).collect();
        let columns = vec![&codes[..]; self.columns];
        self.rows += self.sender.push(&keys, &columns);
    }

    /// Rows survive at most once each.
    fn take_verdicts(&mut self) {
        let mut bits = vec![0; self.rows.div_ceil(64)];
        self.sender.take_verdicts(&mut bits);
        let survivors: u32 = bits.iter().map(|word: &u64| word.count_ones()).sum();
        assert!(survivors as usize <= self.rows);
        self.rows = 0;
    }

    /// Hands it a datagram, as one of the query's.
    fn handle(&mut self, datagram: &[u8], now_us: u64) {
        let Ok(packet) = QueryPacket::new_checked(datagram) else { return };
        let was_done = self.sender.is_done();
        self.sender.handle(&packet, now_us);
        let (kind, answer) = (packet.repr.kind, packet.repr.answer);
        let told = answer && kind == QueryKind::Fin && self.finished;
        assert!(self.sender.is_done() == was_done || told);
    }

    fn drain(&mut self, now_us: u64) {
        while let Some(datagram) = self.sender.poll_transmit(now_us) {
            let packet = QueryPacket::new_checked(datagram).expect("well-formed");
            assert!(packet.is_whole(&INTEGRITY) && datagram.len() <= DATAGRAM_BYTES);
            let repr = packet.repr;
            let names = (repr.job, repr.epoch, repr.worker, repr.partition, repr.attempt);
            assert_eq!(names, (JOB, self.epoch, WORKER, PARTITION, ATTEMPT));
            assert!(!repr.answer && !repr.forwarded);
            let kinds = [QueryKind::Open, QueryKind::Rows, QueryKind::Fin];
            assert!(kinds.contains(&repr.kind), "{repr:?}");
            assert!(repr.kind != QueryKind::Fin || self.finished);
            self.sent.push(repr);
        }
    }
}

/// The answer to something that was sent, changed here and there.
fn answer(input: &mut Unstructured<'_>, sent: &QueryRepr) -> Result<Vec<u8>> {
    let answer = if sent.verdicts { sent.judged() } else { sent.answered() };
    let mut answer = QueryRepr {
        counted: sent.kind == QueryKind::Open && input.arbitrary()?,
        ahead: draw::seldom(input)?,
        ..answer
    };
    if draw::seldom(input)? {
        let kinds = [QueryKind::Open, QueryKind::Rows, QueryKind::Fin, QueryKind::Read];
        answer.kind = *input.choose(&kinds)?;
    }
    if answer.ahead || draw::seldom(input)? {
        answer.place = input.int_in_range(0..=6)?;
        answer.sequence = *input.choose(&[sent.sequence, sent.sequence + 1, 0, u32::MAX])?;
    }
    if draw::seldom(input)? {
        answer.verdicts = input.arbitrary()?;
        answer.forwarded = input.arbitrary()?;
        answer.job = JobId(input.int_in_range(0..=1)?);
        answer.attempt = input.int_in_range(0..=3)?;
    }
    let mut bytes = vec![0; answer.datagram_bytes()];
    input.fill_buffer(&mut bytes[QUERY_HEADER_BYTES..])?;
    if answer.place < 64 && bytes.len() == QUERY_HEADER_BYTES + 8 {
        // No bits behind the last row.
        let bits = u64::from_le_bytes(*bytes.last_chunk().expect("a word"));
        let bits = bits & ((1 << answer.place) - 1);
        bytes[QUERY_HEADER_BYTES..].copy_from_slice(&bits.to_le_bytes());
    }
    answer.seal(&INTEGRITY, &mut bytes);
    Ok(bytes)
}
