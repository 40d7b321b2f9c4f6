mod beyond;
mod trees;

use std::collections::BTreeMap;

use netfold_num::{Arithmetic, ElementType};
use netfold_wire::{Epoch, Integrity, JobId, TableTerms, Terms, WorkerId, in_parts};
use proptest::prelude::*;

use super::*;

const WORKERS: u16 = 3;
const ROWS: u32 = 150;
const WIDTH: u16 = 2;

fn spec(arithmetic: Arithmetic, element_type: ElementType, resident: bool) -> TableSpec {
    let mut terms = Terms::new(Integrity::Checksum);
    terms.arithmetic = arithmetic;
    TableSpec {
        job: JobId(3),
        epoch: Epoch(9),
        workers: WORKERS,
        // Room for five pairs of ranks and rows of two lanes.
        datagram_bytes: 40 + 5 * 12,
        table: TableTerms { rows: ROWS, width: WIDTH, element_type, resident },
        terms,
        tree: TableTree::default(),
    }
}

fn integers() -> Table {
    Table::new(spec(Arithmetic::Native, ElementType::I32, false))
}

/// Pairs of rank and row, as numbers.
type Pairs = Vec<(u32, [i32; WIDTH as usize])>;

fn body(pairs: &Pairs) -> Vec<u8> {
    let ranks = pairs.iter().flat_map(|(rank, _)| rank.to_le_bytes());
    let rows = pairs.iter().flat_map(|(_, row)| row.map(i32::to_le_bytes)).flatten();
    ranks.chain(rows).collect()
}

fn datagram(repr: TableRepr, body: &[u8]) -> Vec<u8> {
    let mut datagram = vec![0; TABLE_HEADER_BYTES];
    datagram.extend_from_slice(body);
    repr.seal(&Integrity::Checksum, &mut datagram);
    datagram
}

fn request(kind: TableKind) -> TableRepr {
    TableRepr::request(
        kind,
        JobId(3),
        Epoch(9),
        &spec(Arithmetic::Native, ElementType::I32, false).table,
    )
}

fn push(worker: u16, sequence: u32, pairs: &Pairs) -> Vec<u8> {
    let repr = TableRepr {
        worker: WorkerId(worker),
        sequence,
        pairs: pairs.len() as u16,
        ..request(TableKind::Push)
    };
    datagram(repr, &body(pairs))
}

fn read(parts: u64, generation: u32, place: u32, stored: u32) -> Vec<u8> {
    let repr = TableRepr { generation, place, stored, close: true, ..request(TableKind::Read) };
    datagram(repr, &parts.to_be_bytes())
}

/// An answer, taken apart.
#[derive(Debug)]
struct Answer {
    repr: TableRepr,
    pairs: Pairs,
    rest: Vec<u8>,
}

fn ask(table: &mut Table, datagram: &[u8]) -> Result<Answer, Refusal> {
    let mut bytes = vec![0; MAX_ANSWER_BYTES];
    let packet = TablePacket::new_checked(datagram).map_err(Refusal::Malformed)?;
    let len = table.handle(&packet, Ecn::Clear, false, &mut bytes)?;
    let packet = TablePacket::new_checked(&bytes[..len]).unwrap();
    assert!(packet.is_whole(&Integrity::Checksum) && packet.repr.answer);
    let rows = packet
        .rest
        .chunks_exact(8)
        .map(|row| [0, 4].map(|at| i32::from_le_bytes(row[at..at + 4].try_into().unwrap())));
    let pairs =
        netfold_wire::ranks(packet.ranks, netfold_num::ByteOrder::Little).zip(rows).collect();
    Ok(Answer { repr: packet.repr, pairs, rest: packet.rest.to_vec() })
}

fn add(sums: &mut BTreeMap<u32, [i64; 2]>, pairs: &Pairs) {
    for (rank, row) in pairs {
        let sum = sums.entry(*rank).or_default();
        (sum[0], sum[1]) = (sum[0] + i64::from(row[0]), sum[1] + i64::from(row[1]));
    }
}

/// A worker of the test: its pushes in order, and what it knows of them.
#[derive(Default)]
struct Worker {
    pushes: Vec<Pairs>,
    /// Generations that acknowledgements named.
    acknowledged: BTreeMap<u32, u32>,
}

impl Worker {
    /// R-KEY-3.
    fn may_send(&self, number: u32) -> bool {
        number.checked_sub(WINDOW).is_none_or(|before| self.acknowledged.contains_key(&before))
    }
}

/// A server of the test.
struct Server {
    parts: u64,
    stored: u32,
    place: u32,
    reading: BTreeMap<u32, [i64; 2]>,
    sums: BTreeMap<u32, [i64; 2]>,
    windows: Vec<Vec<u32>>,
}

impl Server {
    fn new(parts: u64) -> Self {
        let fresh = vec![(0..WINDOW).map(|index| index.wrapping_sub(WINDOW)).collect(); 3];
        Self {
            parts,
            stored: 0,
            place: 0,
            reading: BTreeMap::new(),
            sums: BTreeMap::new(),
            windows: fresh,
        }
    }

    /// Asks once. `lost` is what becomes of the answer. Returns whether all is stored.
    fn step(&mut self, table: &mut Table, lost: bool) -> bool {
        let next = self.stored + 1;
        let answer = ask(table, &read(self.parts, next, self.place, self.stored)).unwrap();
        if lost {
            return false;
        }
        if answer.repr.generation == next {
            return answer.repr.last;
        }
        assert_eq!(answer.repr.generation, next + 1, "the generation waits for this server");
        assert!(answer.pairs.iter().all(|(rank, _)| in_parts(self.parts, *rank)));
        add(&mut self.reading, &answer.pairs);
        self.place = answer.repr.place;
        if answer.repr.last {
            for worker in 0..WORKERS {
                let repr = TableRepr { worker: WorkerId(worker), ..request(TableKind::Windows) };
                let answer = ask(table, &datagram(repr, &[])).unwrap();
                let registers = answer.rest.chunks_exact(4);
                self.windows[usize::from(worker)] = registers
                    .map(|register| u32::from_be_bytes(register.try_into().unwrap()))
                    .collect();
            }
            for (rank, row) in std::mem::take(&mut self.reading) {
                let sum = self.sums.entry(rank).or_default();
                (sum[0], sum[1]) = (sum[0] + row[0], sum[1] + row[1]);
            }
            (self.stored, self.place) = (next, 0);
        }
        false
    }

    /// R-KEY-10: takes what is not in the generations that are stored.
    fn replay(&mut self, worker: usize, number: u32, pairs: &Pairs) {
        let register = self.windows[worker][(number % WINDOW) as usize];
        if number.wrapping_sub(register) as i32 > 0 {
            let own = pairs.iter().filter(|(rank, _)| in_parts(self.parts, *rank)).copied();
            add(&mut self.sums, &own.collect());
        }
    }
}

fn any_pairs() -> impl Strategy<Value = Pairs> {
    prop::collection::vec((0..ROWS, any::<[i16; 2]>()), 1..6)
        .prop_map(|pairs| pairs.into_iter().map(|(rank, row)| (rank, row.map(i32::from))).collect())
}

/// The next step, chosen by numbers.
fn any_steps() -> impl Strategy<Value = Vec<(u8, u16, u32, bool)>> {
    prop::collection::vec(any::<(u8, u16, u32, bool)>(), 1..400)
}

/// Carries out a step: a push that is new or was sent before, whose acknowledgement may be lost; or
/// a read, whose answer may be lost.
fn carry_out(
    table: &mut Table,
    workers: &mut [Worker],
    servers: &mut [Server],
    (choice, who, number, lost): (u8, u16, u32, bool),
    pairs: &[Pairs],
) {
    if choice < 60 {
        let server = usize::from(who) % servers.len();
        servers[server].step(table, lost);
        return;
    }
    let index = who % WORKERS;
    let worker = &mut workers[usize::from(index)];
    let next = worker.pushes.len() as u32;
    let number = if choice < 200 && worker.may_send(next) {
        worker.pushes.push(pairs[number as usize % pairs.len()].clone());
        next
    } else if next > 0 {
        number % next
    } else {
        return;
    };
    let answer = ask(table, &push(index, number, &worker.pushes[number as usize])).unwrap();
    assert_eq!((answer.repr.sequence, answer.repr.pairs > 0), (number, true));
    if !lost {
        worker.acknowledged.entry(number).or_insert(answer.repr.generation);
    }
}

fn total(servers: &[Server]) -> BTreeMap<u32, [i64; 2]> {
    let mut sums = BTreeMap::new();
    for (rank, row) in servers.iter().flat_map(|server| &server.sums) {
        assert!(sums.insert(*rank, *row).is_none(), "rank {rank} is at one server");
    }
    sums
}

fn servers() -> Vec<Server> {
    vec![Server::new(0x0123_4567_89AB_CDEF), Server::new(!0x0123_4567_89AB_CDEF)]
}

proptest! {
    /// R-KEY-3 to R-KEY-8: whatever is lost, repeated or late, servers get every push once.
    #[test]
    fn every_push_is_counted_once(
        steps in any_steps(),
        pairs in prop::collection::vec(any_pairs(), 1..8),
    ) {
        let (mut table, mut servers) = (integers(), servers());
        let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::default()).collect();
        for step in steps {
            carry_out(&mut table, &mut workers, &mut servers, step, &pairs);
        }
        // Those that were sent, whether acknowledged or not, have all arrived here.
        let mut expected = BTreeMap::new();
        workers.iter().flat_map(|worker| &worker.pushes).for_each(|push| add(&mut expected, push));
        table.ended = true;
        let mut rounds = 0;
        while !servers.iter_mut().map(|server| server.step(&mut table, false)).fold(true, |a, b| a & b) {
            rounds += 1;
            prop_assert!(rounds < 400, "the servers come to an end");
        }
        prop_assert!(table.is_drained());
        prop_assert_eq!(total(&servers), expected);
    }

    /// R-KEY-9, R-KEY-10: when the switch is lost, at any time, stored generations and what workers
    /// replay are all that was sent. Workers have forgotten what servers have stored.
    #[test]
    fn nothing_is_lost_with_the_switch(
        steps in any_steps(),
        pairs in prop::collection::vec(any_pairs(), 1..8),
    ) {
        let (mut table, mut servers) = (integers(), servers());
        let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::default()).collect();
        for step in steps {
            carry_out(&mut table, &mut workers, &mut servers, step, &pairs);
        }
        drop(table);
        let mut expected = BTreeMap::new();
        let stored = servers.iter().map(|server| server.stored).min().unwrap();
        for (index, worker) in workers.iter().enumerate() {
            for (number, push) in (0..).zip(&worker.pushes) {
                add(&mut expected, push);
                let kept = worker.acknowledged.get(&number).is_none_or(|named| *named > stored);
                if kept {
                    servers.iter_mut().for_each(|server| server.replay(index, number, push));
                }
            }
        }
        prop_assert_eq!(total(&servers), expected);
    }

    /// R-KEY-12: a value is what was loaded and everything that was pushed, in any order, and a
    /// repeated load changes nothing.
    #[test]
    fn values_follow_pushes(pushes in prop::collection::vec(any_pairs(), 0..20), at in 0..20usize) {
        let mut table = Table::new(spec(Arithmetic::Native, ElementType::I32, true));
        let mut expected: BTreeMap<u32, [i64; 2]> = BTreeMap::from([(7, [1000, -5])]);
        let load = TableRepr { pairs: 1, ..request(TableKind::Load) };
        let load = datagram(load, &body(&vec![(7, [1000, -5])]));
        let pull = TableRepr { pairs: 2, ..request(TableKind::Pull) };
        let pull = datagram(pull, &[7_u32.to_le_bytes(), 8_u32.to_le_bytes()].concat());
        prop_assert_eq!(ask(&mut table, &pull).unwrap().pairs, vec![]);
        for (number, pairs) in (0..).zip(&pushes) {
            if number as usize >= at {
                ask(&mut table, &load).unwrap();
            }
            ask(&mut table, &push(0, number, pairs)).unwrap();
            add(&mut expected, pairs);
        }
        ask(&mut table, &load).unwrap();
        let [first, second] = expected[&7];
        let pulled = ask(&mut table, &pull).unwrap().pairs;
        prop_assert_eq!(pulled, vec![(7, [first as i32, second as i32])]);
    }

    /// Anything may come in a datagram.
    #[test]
    fn hostile_requests_do_no_harm(
        kind in 16..21u8,
        flags in 0..32u8,
        numbers in any::<(u16, u32, u32, u32, u16)>(),
        filling in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        let mut table = Table::new(spec(Arithmetic::Native, ElementType::I32, true));
        ask(&mut table, &push(0, 0, &vec![(1, [1, 1])])).unwrap();
        let (worker, generation, place, stored, pairs) = numbers;
        let repr = TableRepr {
            close: flags & 4 != 0,
            answer: flags & 1 != 0,
            worker: WorkerId(worker % 5),
            generation: generation % 4,
            place,
            stored,
            pairs,
            ..request(TableKind::from_wire(kind).unwrap())
        };
        let mut bytes = filling.into_iter().cycle();
        let rest = repr.datagram_bytes() - TABLE_HEADER_BYTES;
        let body: Vec<u8> = (0..rest).map(|_| bytes.next().unwrap_or(0)).collect();
        let _ = ask(&mut table, &datagram(repr, &body));
    }
}

/// R-KEY-2: each fault is refused, and counts for nothing.
#[test]
fn packets_of_another_form_are_refused() {
    let mut table = integers();
    let pairs = vec![(ROWS, [1, 1])];
    assert_eq!(ask(&mut table, &push(0, 0, &pairs)).unwrap_err(), Refusal::Range);
    let pairs = vec![(ROWS - 1, [1, 1])];
    assert_eq!(ask(&mut table, &push(WORKERS, 0, &pairs)).unwrap_err(), Refusal::Range);
    let wide = TableRepr { width: 1, ..request(TableKind::Push) };
    assert_eq!(ask(&mut table, &datagram(wide, &[])).unwrap_err(), Refusal::Range);
    let floats = TableRepr { element_type: ElementType::F32, ..request(TableKind::Push) };
    assert_eq!(ask(&mut table, &datagram(floats, &[])).unwrap_err(), Refusal::Range);
    let answer = datagram(request(TableKind::Push).answered(), &[]);
    assert_eq!(ask(&mut table, &answer).unwrap_err(), Refusal::Direction);
    // R-KEY-12: the table is not resident.
    let pull = datagram(request(TableKind::Pull), &[]);
    assert_eq!(ask(&mut table, &pull).unwrap_err(), Refusal::Range);
    let mut damaged = push(0, 0, &pairs);
    *damaged.last_mut().unwrap() ^= 1;
    assert_eq!(ask(&mut table, &damaged).unwrap_err(), Refusal::Integrity);
    assert!(table.is_drained(), "nothing was folded");
    table.ended = true;
    assert_eq!(ask(&mut table, &push(0, 0, &pairs)).unwrap_err(), Refusal::UnknownJob);
}

/// R-KEY-8: a generation stays open as long as a server has not stored the one before it.
#[test]
fn a_generation_waits_for_all_servers() {
    let mut table = integers();
    let [mut fast, mut slow] = <[Server; 2]>::try_from(servers()).ok().unwrap();
    let pairs = (0..ROWS).map(|rank| (rank, [1, 2])).collect::<Pairs>();
    for (number, pairs) in (0..).zip(pairs.chunks(5)) {
        ask(&mut table, &push(1, number, &pairs.to_vec())).unwrap();
    }
    while fast.stored < 1 {
        fast.step(&mut table, false);
    }
    ask(&mut table, &push(1, 30, &vec![(0, [1, 2])])).unwrap();
    for _ in 0..10 {
        let answer = ask(&mut table, &read(fast.parts, 2, 0, 1)).unwrap();
        assert_eq!((answer.repr.generation, answer.pairs, answer.repr.last), (2, vec![], false));
    }
    while slow.stored < 1 {
        slow.step(&mut table, false);
    }
    // The read that tells the switch so may close it.
    ask(&mut table, &read(slow.parts, 2, 0, 1)).unwrap();
    while fast.stored < 2 {
        fast.step(&mut table, false);
    }
    let of_rank_0 = if in_parts(fast.parts, 0) { fast } else { slow };
    // The second push of rank 0 is in generation 2, which the slow server has not read.
    let expected = if of_rank_0.stored == 2 { [2, 4] } else { [1, 2] };
    assert_eq!(of_rank_0.sums[&0], expected);
}

/// R-KEY-1: each arithmetic adds as it does in a slot, and overwrites what an earlier generation
/// has left (R-KEY-6).
#[test]
fn rows_are_folded_in_the_arithmetic_of_the_job() {
    // Sums of small integers are exact in all but Libra's tables.
    let values = [3.0_f32, 5.0, -2.0];
    for arithmetic in
        [Arithmetic::Native, Arithmetic::Fpisa, Arithmetic::FpisaA, Arithmetic::LogTable]
    {
        let spec = TableSpec {
            table: TableTerms {
                rows: 2,
                width: 1,
                element_type: ElementType::F32,
                resident: false,
            },
            ..spec(arithmetic, ElementType::F32, false)
        };
        let expected = values.into_iter().reduce(|sum, value| match arithmetic {
            Arithmetic::LogTable => {
                f32::from_bits(netfold_num::logtable::add(sum.to_bits(), value.to_bits()))
            }
            _ => sum + value,
        });
        let mut rows = Rows::new(&spec);
        for generation in [1, 2, 3] {
            rows.begin(generation);
            for value in values {
                let repr = TableRepr {
                    pairs: 1,
                    ..TableRepr::request(TableKind::Push, spec.job, spec.epoch, &spec.table)
                };
                let body = [1_u32.to_le_bytes(), value.to_le_bytes()].concat();
                let datagram = datagram(repr, &body);
                rows.push(&spec, generation, &TablePacket::new_checked(&datagram).unwrap());
            }
            let mut answer = TableRepr { generation, ..request(TableKind::Read).answered() };
            let mut body = [0; 8];
            rows.read(&spec, u64::MAX, 9, &mut answer, &mut body);
            assert_eq!((answer.pairs, answer.last, &body[..4]), (1, true, &[1, 0, 0, 0][..]));
            let sum = f32::from_le_bytes(body[4..].try_into().unwrap());
            let expected = expected.unwrap();
            assert_eq!(sum.to_bits(), expected.to_bits(), "{arithmetic}: {sum} for {expected}");
        }
    }
}

/// R-KEY-1: what cannot be is refused by name.
#[test]
fn tables_that_cannot_be_are_refused() {
    let refused = |change: fn(&mut TableSpec)| {
        let mut spec = spec(Arithmetic::Native, ElementType::F32, false);
        change(&mut spec);
        spec.checked().unwrap_err().to_string()
    };
    assert!(spec(Arithmetic::Block, ElementType::I32, true).checked().is_ok());
    assert!(refused(|spec| spec.table.rows = 0).contains("at least one hot row"));
    assert!(refused(|spec| spec.table.width = 0).contains("at least one lane"));
    assert!(refused(|spec| spec.table.width = 15).contains("60 bytes"));
    assert!(refused(|spec| spec.terms.arithmetic = Arithmetic::Block).contains("i32"));
    assert!(refused(|spec| spec.table.element_type = ElementType::U8).contains("f64"));
    let halves = refused(|spec| {
        spec.terms.arithmetic = Arithmetic::FpisaA;
        spec.table.element_type = ElementType::F16;
    });
    assert!(halves.contains("rows of f32"), "{halves}");
}

/// R-KEY-16: workers and servers hear that the switch is to stop, and it knows what they have not
/// stored.
#[test]
fn a_switch_that_is_to_stop_says_so_until_its_tables_are_drained() {
    let spec = spec(Arithmetic::Native, ElementType::I32, false);
    let mut shard = crate::Shard::new(spec.memory_bytes());
    assert!(shard.drain_tables(), "nothing is there");
    let mut shard_of_job = crate::Shard::new(spec.memory_bytes());
    shard_of_job.admit_table(spec).unwrap();
    let mut going = |datagram: &[u8]| {
        let mut bytes = vec![0; MAX_ANSWER_BYTES];
        let len = shard_of_job.handle_table(datagram, Ecn::Clear, &mut bytes);
        let going = TablePacket::new_checked(&bytes[..len]).unwrap().repr.going;
        (going, shard_of_job.drain_tables())
    };
    let pairs = vec![(7, [1, 2])];
    assert_eq!(going(&push(0, 0, &pairs)), (false, false));
    assert_eq!(going(&push(0, 0, &pairs)), (true, false), "also for a repetition");
    assert_eq!(going(&read(u64::MAX, 1, 0, 0)), (true, false), "closed, and not stored");
    assert_eq!(going(&read(1, 2, 0, 1)), (true, false), "stored by a server of one part");
    assert_eq!(going(&read(u64::MAX, 2, 0, 1)), (true, true));
}

/// R-KEY-7: what is told of a table says how far its servers are, and when one has read.
#[test]
fn a_table_tells_what_its_servers_have_stored_and_when_one_has_read() {
    let mut tables = crate::tables::Tables::default();
    tables.admit(spec(Arithmetic::Native, ElementType::I32, false), u64::MAX).unwrap();
    let mut buffer = vec![0; MAX_ANSWER_BYTES];
    let mut told = |now_us, datagram: Vec<u8>| {
        tables.now_us = now_us;
        tables.handle(&datagram, Ecn::from(false), &mut buffer).unwrap();
        let [status] = &tables.status()[..] else { panic!("one table") };
        (status.open, status.stored, status.drained, status.asked_us)
    };
    assert_eq!(told(5, push(0, 0, &vec![(1, [1, 1])])), (1, 0, false, None));
    assert_eq!(told(6, read(u64::MAX, 1, 0, 0)), (2, 0, false, Some(6)));
    // All parts but one have stored it.
    assert_eq!(told(7, read(u64::MAX << 1, 1, 0, 1)), (2, 0, false, Some(7)));
    assert_eq!(told(8, read(1, 1, 0, 1)), (2, 1, true, Some(8)));
    assert_eq!(told(9, push(0, 1, &vec![(1, [1, 1])])), (2, 1, false, Some(8)));
}
