use netfold_num::{
    Arithmetic, ByteOrder, ElementType, Exponent, Operation, Scale, bf16_from_f32, bf16_to_f32,
    class_of, f16_from_f32, f16_to_f32, half_of_sum, resolve, sum_of_half,
};
use netfold_wire::{EAGER_LIMIT_BYTES, WorkerId};
use proptest::prelude::*;

use super::*;
use crate::call::{Call, Collective, Reduction};
use crate::dense::Dense;

mod collectives;

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

/// Submits a call with a number of its own, of one byte.
fn submit(eager: &mut EagerPath<Dense<Vec<u8>>>, id: u64, call: Call) {
    let plan = plan(call);
    eager.submit(
        CallId(id),
        plan.clone(),
        Dense::new(plan, vec![id as u8; call.elements as usize]),
    );
}

/// Messages that are there, and lanes that are added as integers of eight bytes, or of four, or
/// stand for such (R-NUM-21).
struct Arrived(Vec<Vec<u8>>, ByteOrder);

impl Arrived {
    /// Returns the bytes in the other order of the two, where the messages are not little-endian.
    fn little<const N: usize>(&self, mut bytes: [u8; N]) -> [u8; N] {
        if self.1 == ByteOrder::Network {
            bytes.reverse();
        }
        bytes
    }
}

impl EagerMessages for Arrived {
    fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(Vec::as_slice).filter(|message| !message.is_empty())
    }

    fn fold(
        &self,
        lane: ElementType,
        operation: Operation,
        first: bool,
        fold: &mut [u8],
        lanes: &[u8],
    ) {
        assert_eq!(operation, Operation::Sum);
        if lane == ElementType::I64 {
            assert!(!first && fold.len() == lanes.len());
            for (sum, lane) in fold.as_chunks_mut().0.iter_mut().zip(lanes.as_chunks().0) {
                let [before, lane] = [*sum, *lane].map(|of| i64::from_le_bytes(self.little(of)));
                *sum = self.little((before + lane).to_le_bytes());
            }
            return;
        }
        let integers: Vec<i32> = match lane {
            ElementType::I32 => lanes
                .as_chunks()
                .0
                .iter()
                .map(|lane| i32::from_le_bytes(self.little(*lane)))
                .collect(),
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
            let lanes: Vec<u8> =
                sums.flat_map(|sum| self.little(half_of_sum(sum).to_le_bytes())).collect();
            fold[..lanes.len()].copy_from_slice(&lanes);
        }
    }
}

/// Returns a round in which one worker alone has contents.
fn one(message: &[u8]) -> Arrived {
    Arrived(vec![Vec::new(), message.to_vec(), Vec::new()], ByteOrder::Little)
}

fn byte() -> Call {
    sum(ElementType::U8, 1)
}

/// Lines and numbers of the rounds whose messages are posted now.
fn posted(eager: &mut EagerPath<Dense<Vec<u8>>>, bulk: Option<CallId>) -> Vec<(u16, u64)> {
    std::iter::from_fn(|| {
        eager.poll_post(bulk).map(|message| (message.round().queue, message.round().number))
    })
    .collect()
}

/// R-EAGER-1
#[test]
fn short_urgent_calls_are_eager() {
    let root = WorkerId(0);
    for (workers, bytes) in
        [(1, 2048), (2, 2048), (3, 2048), (4, 2048), (8, 1024), (9, 512), (32, 256), (64, 256)]
    {
        let fits = |elements| {
            plan_of(Arithmetic::Native, workers, sum(ElementType::F32, elements)).is_eager()
        };
        assert!(fits(bytes / 4) && !fits(bytes / 4 + 1), "{workers} workers");
    }
    assert!(plan(sum(ElementType::F64, 256)).is_eager());
    assert!(!plan(sum(ElementType::F64, 257)).is_eager(), "it is too long");
    assert!(plan(sum(ElementType::F32, 0)).is_eager(), "it is like a barrier (R-STREAM-7)");
    assert!(
        plan(Call { collective: Collective::Reduce { root }, ..sum(ElementType::I32, 8) })
            .is_eager()
    );
    assert!(plan(Call { collective: Collective::Broadcast { root }, ..byte() }).is_eager());
    assert!(plan(Call::BARRIER).is_eager());
    for (collective, bytes) in [
        (Collective::AllGather, 2048),
        (Collective::Gather { root }, 2048),
        (Collective::Scatter { root }, 2048 / 3),
        (Collective::AllToAll, 2048 / 3),
        (Collective::ReduceScatter, 2048 / 3),
        (Collective::Scan, 2048),
    ] {
        let fits =
            |elements| plan(Call { collective, ..sum(ElementType::U8, elements) }).is_eager();
        assert!(fits(bytes) && !fits(bytes + 1), "the input of a {} counts", collective.name());
    }
    let prefixes = Call { collective: Collective::Prefixes, ..byte() };
    assert!(!plan(prefixes).is_eager(), "R-STREAM-19");
    assert!(
        !plan(Call { priority: Some(Priority::Bulk), ..byte() }).is_eager(),
        "it keeps its place"
    );
    let block = |call| plan_in(Arithmetic::Block, call).is_eager();
    assert!(block(sum(ElementType::I32, 8)));
    assert!(block(sum(ElementType::F32, 512)) && !block(sum(ElementType::F32, 513)));
    assert!(
        block(sum(ElementType::Bf16, 1024)) && !block(sum(ElementType::Bf16, 1025)),
        "elements of two bytes"
    );
    let min = |elements| Call {
        reduction: Reduction::Fold(Operation::Min),
        ..sum(ElementType::F16, elements)
    };
    assert!(block(min(512)) && !block(min(513)), "lanes of four");
}

/// R-EAGER-2, R-EAGER-3: messages go in the order of calls, and never more of a queue than may be
/// outstanding.
#[test]
fn so_many_eager_messages_are_outstanding() {
    let mut eager = EagerPath::default();
    for id in 0..2 * EAGER_OUTSTANDING {
        submit(&mut eager, id, byte());
    }
    let first: Vec<_> = (0..EAGER_OUTSTANDING).map(|number| (0, number)).collect();
    assert_eq!(posted(&mut eager, None), first);
    for number in 0..2 * EAGER_OUTSTANDING {
        let round = eager.awaited(0).unwrap();
        assert_eq!(round.number, number);
        let (id, tensor) = eager.take(&round, &one(&[100 + number as u8]));
        assert_eq!((id, tensor.into_memory()), (CallId(number), vec![100 + number as u8]));
        let next =
            Some((0, number + EAGER_OUTSTANDING)).filter(|(_, next)| *next < 2 * EAGER_OUTSTANDING);
        assert_eq!(posted(&mut eager, None), Vec::from_iter(next));
    }
    assert!(eager.is_idle() && eager.awaited(0).is_none());
    let rounds = 2 * EAGER_OUTSTANDING;
    let counters = eager.counters();
    assert_eq!(
        (counters.packets_sent, counters.packets_received, counters.rounds),
        (rounds, 2 * rounds, rounds)
    );
    assert_eq!(counters.bytes_sent, rounds * (HEADER_BYTES as u64 + 1));
}

/// R-EAGER-6
#[test]
fn a_barrier_waits_for_the_bulk_before_it_and_nobody_for_the_barrier() {
    let mut eager = EagerPath::default();
    submit(&mut eager, 1, Call::BARRIER);
    submit(&mut eager, 2, byte());
    submit(&mut eager, 4, Call::BARRIER);
    assert_eq!(posted(&mut eager, Some(CallId(0))), [(0, 0)]);
    assert_eq!(posted(&mut eager, Some(CallId(3))), [(1, 0)]);
    assert_eq!(posted(&mut eager, None), [(1, 1)]);
    let barrier = eager.awaited(1).unwrap();
    assert_eq!(eager.take(&barrier, &one(&[])).0, CallId(1));
}

/// A worker that contributes nothing posts an empty message. One that gets nothing leaves its
/// memory alone (R-STREAM-4).
#[test]
fn a_broadcast_is_a_message_of_its_root() {
    for (root, lanes, taken) in [(0, 0, 9), (1, 1, 7)] {
        let plan =
            plan(Call { collective: Collective::Broadcast { root: WorkerId(root) }, ..byte() });
        let mut eager = EagerPath::default();
        let (begun, tensor) = (eager.begin(CallId(0), &plan), Dense::new(plan.clone(), vec![7]));
        let (mut packed, message) = ([0; EAGER_LIMIT_BYTES], begun.message(&tensor));
        assert_eq!(message.bytes(), lanes);
        message.pack(&mut packed[..lanes]);
        assert_eq!(packed[..lanes], [7][..lanes]);
        // As one that has to wait.
        eager.keep(begun, tensor);
        let round = eager.awaited(0).unwrap();
        assert_eq!(eager.take(&round, &one(&[9])).1.into_memory(), [taken]);
    }
}

/// A call that is done at once leaves the queue as one that has waited does.
#[test]
fn what_begins_alone_is_a_round_like_others() {
    let mut eager = EagerPath::default();
    for number in 0..3 {
        let call = if number == 2 { Call::BARRIER } else { byte() };
        let plan = plan(call);
        let (begun, mut tensor) =
            (eager.begin(CallId(number), &plan), Dense::new(plan.clone(), vec![0]));
        let round = *begun.message(&tensor).round();
        assert_eq!((round.queue, round.number), if number == 2 { (1, 0) } else { (0, number) });
        assert_eq!(round.call, plan.digest(number));
        eager.finish(&begun, &mut tensor, &one(&[5][..call.elements as usize]));
        assert_eq!(tensor.into_memory(), if number == 2 { [0] } else { [5] });
        assert!(eager.is_idle() && eager.awaited(0).is_none() && eager.awaited(1).is_none());
    }
    assert_eq!(eager.counters().rounds, 3);
    submit(&mut eager, 3, byte());
    assert_eq!(posted(&mut eager, None), [(0, 2)]);
}

#[test]
fn calls_are_given_up_from_the_first_that_cannot_be_done() {
    let mut eager = EagerPath::default();
    for id in 0..4 {
        submit(&mut eager, id, if id == 1 { Call::BARRIER } else { byte() });
    }
    posted(&mut eager, None);
    assert_eq!(
        eager.describe(0, Position(2)).as_deref(),
        Some("all_reduce(sum, u8, 1 elements) as call 4")
    );
    assert_eq!(eager.describe(1, Position(0)).as_deref(), Some("barrier() as call 2"));
    assert_eq!(eager.describe(1, Position(1)), None);
    let mut given_up: Vec<_> = eager.abandon(CallId(1)).map(|(id, _)| id.0).collect();
    given_up.sort_unstable();
    assert_eq!(given_up, [1, 2, 3]);
    assert!(eager.call(CallId(0)).is_some() && eager.call(CallId(1)).is_none());
    assert_eq!((eager.awaited(0).map(|round| round.number), eager.awaited(1)), (Some(0), None));
    assert_eq!(posted(&mut eager, None), []);
    let round = eager.awaited(0).unwrap();
    assert_eq!(eager.take(&round, &one(&[5])).0, CallId(0));
    assert_eq!(eager.awaited(0), None);
}

/// Draws any `f32`: small ones near each other, and values that are special to a block.
fn element() -> impl Strategy<Value = f32> {
    const SPECIAL: [f32; 8] = [
        0.0,
        -0.0,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN_POSITIVE,
        -1e-45,
    ];
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

/// Returns the sum of a block by the scalar reference (R-NUM-6 to R-NUM-14, R-NUM-20 to R-NUM-22),
/// divided.
fn block_sum(element_type: ElementType, inputs: &[Vec<f32>], divisor: u32) -> Vec<f32> {
    let exponent = |special: bool| {
        let elements = inputs.iter().flatten().filter(|x| special || x.is_finite());
        elements.map(|x| Exponent::of_magnitude_bits(x.to_bits())).max().unwrap_or(Exponent::ZERO)
    };
    let agreed = Some(exponent(true))
        .filter(|agreed| *agreed != Exponent::SPECIAL)
        .unwrap_or(exponent(false));
    let (workers, halves) = (inputs.len() as u16, element_type != ElementType::F32);
    let scale =
        if halves { Scale::of_halves(workers, agreed) } else { Scale::new(workers, agreed) };
    let scale = scale.expect("the exponent is one of finite elements");
    let lane = |element: usize, of: &dyn Fn(f32) -> i32| {
        inputs.iter().map(|input| of(input[element])).sum::<i32>()
    };
    let result = |element| {
        let sum = lane(element, &|x| scale.quantise(x));
        let sum = if halves { sum_of_half(half_of_sum(sum)) } else { sum };
        resolve(lane(element, &class_of)).unwrap_or_else(|| scale.dequantise(sum, divisor))
    };
    (0..inputs[0].len()).map(result).collect()
}

proptest! {
    /// R-EAGER-8: each worker that is to have it makes of the messages of all the sum or the
    /// average that the reference has, and the others leave their memory alone.
    #[test]
    fn messages_of_elements_have_the_bits_of_the_rounds_of_blocks(
        columns in (1..=8usize).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(element(), n), 1..=256)),
        element_type in prop::sample::select(vec![ElementType::F32, ElementType::F16, ElementType::Bf16]),
        average: bool,
        rooted: bool,
        byte_order in prop::sample::select(&ByteOrder::ALL[..]),
        payload in prop::sample::select(vec![64_u32, 1024]),
    ) {
        let workers = columns[0].len();
        let collective = if rooted { Collective::Reduce { root: WorkerId(0) } } else { Collective::AllReduce };
        let reduction = if average { Reduction::Average } else { Reduction::Fold(Operation::Sum) };
        let elements = columns.len() as u64;
        let call = Call { collective, reduction, ..sum(element_type, elements) };
        let memory = |of: &dyn Fn(&[f32]) -> f32| columns.iter().flat_map(|column| narrow(element_type, of(column))).collect();
        let memories: Vec<Vec<u8>> = (0..workers).map(|rank| memory(&|column| column[rank])).collect();
        let plans: Vec<_> = (0..workers as u16).map(|rank| {
            let plan = Plan::new(call, Arithmetic::Block, workers as u16, WorkerId(rank), payload).unwrap();
            plan.with_byte_order(byte_order)
        }).collect();
        let mut paths: Vec<EagerPath<Dense<Vec<u8>>>> = plans.iter().map(|_| EagerPath::default()).collect();
        let mut messages = Vec::new();
        for ((eager, plan), memory) in paths.iter_mut().zip(&plans).zip(&memories) {
            eager.submit(CallId(0), plan.clone(), Dense::new(plan.clone(), memory.clone()));
            let message = eager.poll_post(None).expect("it may go");
            messages.push(vec![0; message.bytes()]);
            message.pack(messages.last_mut().expect("this one"));
        }
        // A lane has four bytes in a slot, and each block an exponent of its own.
        let block = payload as usize / 4;
        let inputs: Vec<Vec<f32>> = memories
            .iter()
            .map(|memory| memory.chunks(element_type.bytes()).map(|element| widen(element_type, element)).collect())
            .collect();
        let divisor = if average { workers as u32 } else { 1 };
        let sums = (0..columns.len()).step_by(block).flat_map(|start| {
            let end = columns.len().min(start + block);
            let of_block: Vec<_> = inputs.iter().map(|input| input[start..end].to_vec()).collect();
            block_sum(element_type, &of_block, divisor)
        });
        let expected: Vec<u8> = sums.flat_map(|sum| narrow(element_type, sum)).collect();
        let come = Arrived(messages, byte_order);
        for (rank, eager) in paths.iter_mut().enumerate() {
            let round = eager.awaited(0).expect("its message is posted");
            let memory = eager.take(&round, &come).1.into_memory();
            prop_assert_eq!(&memory, if rooted && rank != 0 { &memories[rank] } else { &expected }, "rank {}", rank);
        }
    }
}
