use netfold_num::{
    Arithmetic, ByteOrder, ElementType, Exponent, Operation, Scale, bf16_from_f32, bf16_to_f32, class_of, f16_from_f32,
    f16_to_f32, half_of_sum, resolve, sum_of_half,
};
use netfold_wire::{LETTER_BYTES, WorkerId};
use proptest::prelude::*;

use super::*;
use crate::call::{Call, Collective, Reduction};
use crate::dense::Dense;

const WORKERS: u16 = 3;

fn sum(element_type: ElementType, elements: u64) -> Call {
    let (collective, reduction) = (Collective::AllReduce, Reduction::Fold(Operation::Sum));
    Call { collective, reduction, element_type, elements, priority: None }
}

fn plan_in(arithmetic: Arithmetic, call: Call) -> Plan {
    plan_of(arithmetic, WORKERS, call)
}

fn plan_of(arithmetic: Arithmetic, workers: u16, call: Call) -> Plan {
    Plan::new(call, arithmetic, workers, WorkerId(workers.min(2) - 1), 32768).unwrap()
}

fn plan(call: Call) -> Plan {
    plan_in(Arithmetic::Native, call)
}

/// A call of its own number, of one byte.
fn submit(mail: &mut Mail<Dense<Vec<u8>>>, id: u64, call: Call) {
    let plan = plan(call);
    mail.submit(CallId(id), plan, Dense::new(plan, vec![id as u8; call.elements as usize]));
}

/// Letters that have come, and lanes that are added as integers of four bytes, or stand for such
/// (R-NUM-21).
struct Come(Vec<Vec<u8>>, ByteOrder);

impl Come {
    /// Bytes in the other order of the two, where the letters are not little-endian.
    fn little<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if self.1 == ByteOrder::Network {
            bytes.reverse();
        }
        bytes
    }
}

impl Letters for Come {
    fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice).filter(|letter| !letter.is_empty())
    }

    fn fold(&self, lane: ElementType, operation: Operation, first: bool, fold: &mut [u8], lanes: &[u8]) {
        assert_eq!(operation, Operation::Sum);
        let integers: Vec<i32> = match lane {
            ElementType::I32 => lanes.as_chunks().0.iter().map(|lane| i32::from_le_bytes(self.little(*lane))).collect(),
            ElementType::F16 => {
                let halves = lanes.as_chunks().0.iter();
                halves.map(|lane| sum_of_half(u16::from_le_bytes(self.little(*lane)))).collect()
            }
            other => panic!("{other} is no lane of a block"),
        };
        let sums = fold.as_chunks_mut().0;
        assert_eq!(sums.len(), integers.len());
        for (sum, integer) in sums.iter_mut().zip(integers) {
            let before = if first { 0 } else { i32::from_le_bytes(self.little(*sum)) };
            *sum = self.little((before + integer).to_le_bytes());
        }
    }

    fn finish(&self, lane: ElementType, _operation: Operation, fold: &mut [u8]) {
        if lane == ElementType::F16 {
            let sums = fold.as_chunks().0.iter().map(|sum| i32::from_le_bytes(self.little(*sum)));
            let lanes: Vec<u8> = sums.flat_map(|sum| self.little(half_of_sum(sum).to_le_bytes())).collect();
            fold[..lanes.len()].copy_from_slice(&lanes);
        }
    }
}

/// A round in which one worker alone has contents.
fn one(letter: &[u8]) -> Come {
    Come(vec![Vec::new(), letter.to_vec(), Vec::new()], ByteOrder::Little)
}

fn byte() -> Call {
    sum(ElementType::U8, 1)
}

/// Lines and numbers of the rounds whose letters are posted now.
fn posted(mail: &mut Mail<Dense<Vec<u8>>>, bulk: Option<CallId>) -> Vec<(u16, u64)> {
    std::iter::from_fn(|| mail.poll_post(bulk).map(|letter| (letter.round().line, letter.round().number))).collect()
}

/// R-MAIL-1
#[test]
fn what_is_short_urgent_and_one_block_fits_a_letter() {
    let root = WorkerId(0);
    for (workers, bytes) in [(1, 2048), (2, 2048), (3, 2048), (4, 2048), (8, 1024), (9, 512), (32, 256), (64, 256)] {
        let fits = |elements| plan_of(Arithmetic::Native, workers, sum(ElementType::F32, elements)).fits_letter();
        assert!(fits(bytes / 4) && !fits(bytes / 4 + 1), "{workers} workers");
    }
    assert!(plan(sum(ElementType::F64, 256)).fits_letter());
    assert!(!plan(sum(ElementType::F64, 257)).fits_letter(), "it is too long");
    assert!(plan(sum(ElementType::F32, 0)).fits_letter(), "it is like a barrier (R-STREAM-7)");
    assert!(plan(Call { collective: Collective::Reduce { root }, ..sum(ElementType::I32, 8) }).fits_letter());
    assert!(plan(Call { collective: Collective::Broadcast { root }, ..byte() }).fits_letter());
    assert!(plan(Call::BARRIER).fits_letter());
    for collective in [Collective::AllGather, Collective::ReduceScatter] {
        assert!(!plan(Call { collective, ..byte() }).fits_letter(), "it is a block of each worker");
    }
    assert!(!plan(Call { priority: Some(Priority::Bulk), ..byte() }).fits_letter(), "it keeps its place");
    let block = |call| plan_in(Arithmetic::Block, call).fits_letter();
    assert!(block(sum(ElementType::I32, 8)));
    assert!(block(sum(ElementType::F32, 512)) && !block(sum(ElementType::F32, 513)));
    assert!(block(sum(ElementType::Bf16, 1024)) && !block(sum(ElementType::Bf16, 1025)), "elements of two bytes");
    let min = |elements| Call { reduction: Reduction::Fold(Operation::Min), ..sum(ElementType::F16, elements) };
    assert!(block(min(512)) && !block(min(513)), "lanes of four");
}

/// R-MAIL-2, R-MAIL-3: letters go in the order of calls, and never more of a line than may be
/// outstanding.
#[test]
fn so_many_letters_are_outstanding() {
    let mut mail = Mail::default();
    for id in 0..2 * LETTERS_OUTSTANDING {
        submit(&mut mail, id, byte());
    }
    let first: Vec<_> = (0..LETTERS_OUTSTANDING).map(|number| (0, number)).collect();
    assert_eq!(posted(&mut mail, None), first);
    for number in 0..2 * LETTERS_OUTSTANDING {
        let round = mail.awaited(0).unwrap();
        assert_eq!(round.number, number);
        let (id, tensor) = mail.take(&round, &one(&[100 + number as u8]));
        assert_eq!((id, tensor.into_memory()), (CallId(number), vec![100 + number as u8]));
        let next = Some((0, number + LETTERS_OUTSTANDING)).filter(|(_, next)| *next < 2 * LETTERS_OUTSTANDING);
        assert_eq!(posted(&mut mail, None), Vec::from_iter(next));
    }
    assert!(mail.is_idle() && mail.awaited(0).is_none());
    let rounds = 2 * LETTERS_OUTSTANDING;
    let counters = mail.counters();
    assert_eq!((counters.packets_sent, counters.packets_received, counters.rounds), (rounds, 2 * rounds, rounds));
    assert_eq!(counters.bytes_sent, rounds * (HEADER_BYTES as u64 + 1));
}

/// R-MAIL-6
#[test]
fn a_barrier_waits_for_the_bulk_before_it_and_nobody_for_the_barrier() {
    let mut mail = Mail::default();
    submit(&mut mail, 1, Call::BARRIER);
    submit(&mut mail, 2, byte());
    submit(&mut mail, 4, Call::BARRIER);
    assert_eq!(posted(&mut mail, Some(CallId(0))), [(0, 0)]);
    assert_eq!(posted(&mut mail, Some(CallId(3))), [(1, 0)]);
    assert_eq!(posted(&mut mail, None), [(1, 1)]);
    let barrier = mail.awaited(1).unwrap();
    assert_eq!(mail.take(&barrier, &one(&[])).0, CallId(1));
}

/// A worker that contributes nothing posts an empty letter. One that gets nothing leaves its memory
/// alone (R-STREAM-4).
#[test]
fn a_broadcast_is_its_roots_letter() {
    for (root, lanes, taken) in [(0, 0, 9), (1, 1, 7)] {
        let plan = plan(Call { collective: Collective::Broadcast { root: WorkerId(root) }, ..byte() });
        let mut mail = Mail::default();
        let (begun, tensor) = (mail.begin(CallId(0), &plan), Dense::new(plan, vec![7]));
        let (mut packed, letter) = ([0; LETTER_BYTES], begun.letter(&tensor));
        assert_eq!(letter.bytes(), lanes);
        letter.pack(&mut packed[..lanes]);
        assert_eq!(packed[..lanes], [7][..lanes]);
        // As one that has to wait.
        mail.keep(begun, tensor);
        let round = mail.awaited(0).unwrap();
        assert_eq!(mail.take(&round, &one(&[9])).1.into_memory(), [taken]);
    }
}

/// A call that is done at once leaves the line as one that has waited does.
#[test]
fn what_begins_alone_is_a_round_like_others() {
    let mut mail = Mail::default();
    for number in 0..3 {
        let call = if number == 2 { Call::BARRIER } else { byte() };
        let plan = plan(call);
        let (begun, mut tensor) = (mail.begin(CallId(number), &plan), Dense::new(plan, vec![0]));
        let round = *begun.letter(&tensor).round();
        assert_eq!((round.line, round.number), if number == 2 { (1, 0) } else { (0, number) });
        assert_eq!(round.call, plan.digest(number));
        mail.finish(&begun, &mut tensor, &one(&[5][..call.elements as usize]));
        assert_eq!(tensor.into_memory(), if number == 2 { [0] } else { [5] });
        assert!(mail.is_idle() && mail.awaited(0).is_none() && mail.awaited(1).is_none());
    }
    assert_eq!(mail.counters().rounds, 3);
    submit(&mut mail, 3, byte());
    assert_eq!(posted(&mut mail, None), [(0, 2)]);
}

#[test]
fn calls_are_given_up_from_the_first_that_cannot_be_done() {
    let mut mail = Mail::default();
    for id in 0..4 {
        submit(&mut mail, id, if id == 1 { Call::BARRIER } else { byte() });
    }
    posted(&mut mail, None);
    assert_eq!(mail.describe(0, Position(2)).as_deref(), Some("all_reduce(sum, u8, 1 elements) as call 4"));
    assert_eq!(mail.describe(1, Position(0)).as_deref(), Some("barrier() as call 2"));
    assert_eq!(mail.describe(1, Position(1)), None);
    let mut given_up: Vec<_> = mail.abandon(CallId(1)).map(|(id, _)| id.0).collect();
    given_up.sort_unstable();
    assert_eq!(given_up, [1, 2, 3]);
    assert!(mail.call(CallId(0)).is_some() && mail.call(CallId(1)).is_none());
    assert_eq!((mail.awaited(0).map(|round| round.number), mail.awaited(1)), (Some(0), None));
    assert_eq!(posted(&mut mail, None), []);
    let round = mail.awaited(0).unwrap();
    assert_eq!(mail.take(&round, &one(&[5])).0, CallId(0));
    assert_eq!(mail.awaited(0), None);
}

/// Any `f32`, small ones near each other, and what is special to a block.
fn element() -> impl Strategy<Value = f32> {
    const SPECIAL: [f32; 8] =
        [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, -1e-45];
    prop_oneof![8 => -4f32..4.0, 2 => any::<u32>().prop_map(f32::from_bits), 1 => prop::sample::select(&SPECIAL[..])]
}

fn narrow(element_type: ElementType, x: f32) -> Vec<u8> {
    match element_type {
        ElementType::F16 => f16_from_f32(x).to_ne_bytes().to_vec(),
        ElementType::Bf16 => bf16_from_f32(x).to_ne_bytes().to_vec(),
        _ => x.to_ne_bytes().to_vec(),
    }
}

fn widen(element_type: ElementType, element: &[u8]) -> f32 {
    match (element_type, element) {
        (ElementType::F16, &[a, b]) => f16_to_f32(u16::from_ne_bytes([a, b])),
        (ElementType::Bf16, &[a, b]) => bf16_to_f32(u16::from_ne_bytes([a, b])),
        _ => f32::from_ne_bytes(element.try_into().expect("four bytes")),
    }
}

/// The sum of a block by the scalar reference (R-NUM-6 to R-NUM-14, R-NUM-20 to R-NUM-22), divided.
fn block_sum(element_type: ElementType, inputs: &[Vec<f32>], divisor: u32) -> Vec<f32> {
    let exponent = |special: bool| {
        let elements = inputs.iter().flatten().filter(|x| special || x.is_finite());
        elements.map(|x| Exponent::of_magnitude_bits(x.to_bits())).max().unwrap_or(Exponent::ZERO)
    };
    let agreed = Some(exponent(true)).filter(|agreed| *agreed != Exponent::SPECIAL).unwrap_or(exponent(false));
    let (workers, halves) = (inputs.len() as u16, element_type != ElementType::F32);
    let scale = if halves { Scale::of_halves(workers, agreed) } else { Scale::new(workers, agreed) };
    let scale = scale.expect("the exponent is one of finite elements");
    let lane = |element: usize, of: &dyn Fn(f32) -> i32| inputs.iter().map(|input| of(input[element])).sum::<i32>();
    let result = |element| {
        let sum = lane(element, &|x| scale.quantise(x));
        let sum = if halves { sum_of_half(half_of_sum(sum)) } else { sum };
        resolve(lane(element, &class_of)).unwrap_or_else(|| scale.dequantise(sum, divisor))
    };
    (0..inputs[0].len()).map(result).collect()
}

proptest! {
    /// R-MAIL-8: each worker that is to have it makes of the letters of all the sum or the average
    /// that the reference has, and the others leave their memory alone.
    #[test]
    fn letters_of_elements_have_the_bits_of_the_rounds_of_a_block(
        columns in (1..=8usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(element(), n), 1..=256)),
        element_type in prop::sample::select(vec![ElementType::F32, ElementType::F16, ElementType::Bf16]),
        average: bool,
        rooted: bool,
        byte_order in prop::sample::select(&ByteOrder::ALL[..]),
    ) {
        let workers = columns[0].len();
        let collective = if rooted { Collective::Reduce { root: WorkerId(0) } } else { Collective::AllReduce };
        let reduction = if average { Reduction::Average } else { Reduction::Fold(Operation::Sum) };
        let elements = columns.len() as u64;
        let call = Call { collective, reduction, ..sum(element_type, elements) };
        let memory = |of: &dyn Fn(&[f32]) -> f32| columns.iter().flat_map(|column| narrow(element_type, of(column))).collect();
        let memories: Vec<Vec<u8>> = (0..workers).map(|rank| memory(&|column| column[rank])).collect();
        let plans: Vec<_> = (0..workers as u16).map(|rank| {
            let plan = Plan::new(call, Arithmetic::Block, workers as u16, WorkerId(rank), 1024).unwrap();
            plan.with_byte_order(byte_order)
        }).collect();
        let mut mails: Vec<Mail<Dense<Vec<u8>>>> = plans.iter().map(|_| Mail::default()).collect();
        let mut letters = Vec::new();
        for ((mail, plan), memory) in mails.iter_mut().zip(&plans).zip(&memories) {
            mail.submit(CallId(0), *plan, Dense::new(*plan, memory.clone()));
            let letter = mail.poll_post(None).expect("it may go");
            letters.push(vec![0; letter.bytes()]);
            letter.pack(letters.last_mut().expect("this one"));
        }
        let inputs: Vec<Vec<f32>> = memories
            .iter()
            .map(|memory| memory.chunks(element_type.bytes()).map(|element| widen(element_type, element)).collect())
            .collect();
        let sums = block_sum(element_type, &inputs, if average { workers as u32 } else { 1 });
        let expected: Vec<u8> = sums.iter().flat_map(|sum| narrow(element_type, *sum)).collect();
        let come = Come(letters, byte_order);
        for (rank, mail) in mails.iter_mut().enumerate() {
            let round = mail.awaited(0).expect("its letter is posted");
            let memory = mail.take(&round, &come).1.into_memory();
            prop_assert_eq!(&memory, if rooted && rank != 0 { &memories[rank] } else { &expected }, "rank {}", rank);
        }
    }
}
