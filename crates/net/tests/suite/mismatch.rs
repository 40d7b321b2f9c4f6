//! Two workers of a job make different calls: every worker is told both ranks and both calls, soon,
//! whatever the job's time-out (R-CTRL-6, R-CTRL-12).

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, over_each, workers};
use netfold_net::{
    Arithmetic, Call, CallMemory, Collective, Communicator, ElementType, Error, Operation,
    Priority, Reduction, SwitchOptions, WorkerId,
};

over_each! {
    any_two_calls_that_differ_are_told_to_everyone,
    an_exchange_that_differs_is_told,
    a_call_that_differs_is_told_behind_others,
    a_call_that_differs_is_told_while_others_wait,
}

/// Far more than a worker may wait for the error.
const JOB_TIMEOUT: Duration = Duration::from_secs(60);

/// The longest that a worker may wait for the error.
const SOON: Duration = Duration::from_secs(5);

/// Jobs at once: those whose calls wait in different places take a second or two, and no processor.
const JOBS_AT_ONCE: usize = 8;

/// An empty vector, an eager one, a bulk one.
const LENGTHS: [u64; 3] = [0, 8, 8_000];

/// Calls that are carried out elsewhere (R-STREAM-11); the description of the last would be too
/// long for a message of many workers, and an error as it is.
fn elsewhere() -> [String; 3] {
    let long = format!("object {}", "x".repeat(900));
    ["gather(8 bytes, root 0)".to_owned(), "gather(8 bytes, root 1)".to_owned(), long]
}

/// The memory that a call begins with: zeros of any type, as many as it needs, or its description.
fn input_of(call: Call, length: u64) -> Vec<u8> {
    let described = elsewhere().into_iter().find(|text| Call::elsewhere(text) == call);
    described.map_or_else(|| zeros(length), String::into_bytes)
}

fn sum(elements: u64) -> Call {
    call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements)
}

/// The calls of each collective, and those that differ from a sum of integers in one thing.
fn calls() -> Vec<Call> {
    let [first, second] = [0, 1].map(WorkerId);
    let of = |elements| {
        let folds = |collective| Call { collective, ..sum(elements) };
        let unusual = if elements > 8 { Priority::Urgent } else { Priority::Bulk };
        let moves = |collective| call(collective, Operation::Copy, ElementType::U8, 4 * elements);
        [
            folds(Collective::AllReduce),
            folds(Collective::Reduce { root: first }),
            folds(Collective::Reduce { root: second }),
            folds(Collective::ReduceScatter),
            moves(Collective::Broadcast { root: first }),
            moves(Collective::Broadcast { root: second }),
            moves(Collective::AllGather),
            Call { reduction: Reduction::Fold(Operation::Max), ..sum(elements) },
            Call { element_type: ElementType::F32, ..sum(elements) },
            Call { element_type: ElementType::F32, reduction: Reduction::Average, ..sum(elements) },
            Call { priority: Some(unusual), ..sum(elements) },
        ]
    };
    let moves = |collective| call(collective, Operation::Copy, ElementType::U8, 4 * LENGTHS[1]);
    let parts = [
        moves(Collective::Gather { root: first }),
        moves(Collective::Scatter { root: first }),
        moves(Collective::AllToAll),
        call(Collective::AllToAll, Operation::Copy, ElementType::U8, 0),
        Call { collective: Collective::Scan, ..sum(LENGTHS[1]) },
        Call { collective: Collective::ExScan, ..sum(LENGTHS[1]) },
        Call { collective: Collective::Prefixes, ..sum(LENGTHS[1]) },
        Call { collective: Collective::ScanTotal, ..sum(LENGTHS[1]) },
        Call { collective: Collective::Prefixes, ..sum(LENGTHS[0]) },
        Call { collective: Collective::Scan, ..sum(LENGTHS[0]) },
    ];
    let urgent_barrier = Call { priority: Some(Priority::Urgent), ..Call::BARRIER };
    let elsewhere = elsewhere().map(|text| Call::elsewhere(&text));
    LENGTHS
        .into_iter()
        .flat_map(of)
        .chain(parts)
        .chain([Call::BARRIER, urgent_barrier])
        .chain(elsewhere)
        .collect()
}

/// A call as the errors of its job name it.
fn named(comm: &Communicator, call: Call) -> String {
    let described = elsewhere().into_iter().find(|text| Call::elsewhere(text) == call);
    described.unwrap_or_else(|| comm.plan(call, None).unwrap().to_string())
}

/// Zeros of any type, as many bytes of them as a call needs.
fn zeros(length: u64) -> Vec<u8> {
    bytes(&vec![0; length.div_ceil(4) as usize])
}

fn make(comm: &Communicator, call: Call) -> Result<(), Error> {
    let (input, output) = CallMemory::bytes_of(&comm.plan(call, None).unwrap());
    let mut sums = zeros(output);
    comm.run(call, &input_of(call, input), &mut sums, WAIT_LIMIT)?;
    assert!(integers(&sums).iter().all(|sum| *sum == 0), "{call}");
    Ok(())
}

/// Has rank 1 of a job make another call than the others, after those `before`, and asserts what
/// all are told.
fn assert_told(
    way: Way,
    switch: &crate::support::Switches,
    number: usize,
    before: &[Call],
    [usual, other]: [Call; 2],
) {
    // Sums of floats take slots in one arithmetic, and may be eager in the other.
    let arithmetic = if number.is_multiple_of(2) { Arithmetic::Block } else { Arithmetic::Native };
    let size = 2 + number as u16 / 2 % 2;
    let all_joined = Barrier::new(size.into());
    let change = |request: &mut netfold_net::JoinRequest| {
        (request.job, request.timeout, request.terms.arithmetic) =
            (format!("job {number}"), JOB_TIMEOUT, arithmetic);
    };
    let told = workers(switch, way, size, change, |comm| {
        // A worker that still connects when the job fails has no communicator.
        all_joined.wait();
        let (start, mine) = (Instant::now(), if comm.rank() == 1 { other } else { usual });
        let outcome = before.iter().chain([&mine]).try_for_each(|call| make(&comm, *call));
        (outcome, start.elapsed(), [usual, other].map(|call| named(&comm, call)))
    });
    assert_named(&told, &format!("{arithmetic:?}"));
}

/// Error of a worker and the time until it came, and its names of the usual call and that
/// of rank 1.
type Told = (Result<(), Error>, Duration, [String; 2]);

/// Asserts that each worker of a job has been told of rank 1's call and of the usual one, soon.
fn assert_named(told: &[Told], job: &str) {
    let size = told.len();
    for (rank, (outcome, took, [usual, other])) in told.iter().enumerate() {
        let of =
            format!("{usual} and {other}, {size} workers, {job}: rank {rank} after {took:?}: ");
        let message = outcome.as_ref().expect_err(&of).to_string();
        let named =
            |rank: usize, call: &String| message.contains(&format!("rank {rank} called {call}"));
        assert!(
            named(1, other) && (0..size).any(|rank| rank != 1 && named(rank, usual)),
            "{of}{message}"
        );
        assert!(*took < SOON, "{of}{message}");
    }
}

/// Pairs of all these calls, an eighth of them in each way; `NETFOLD_PAIRS=all` is for all of them.
/// Their slots tell of some, their messages of others, and of the rest what workers say of them.
fn any_two_calls_that_differ_are_told_to_everyone(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let calls = calls();
    let pairs = calls.iter().enumerate().flat_map(|(i, a)| calls[i + 1..].iter().map(|b| (*a, *b)));
    let all = std::env::var_os("NETFOLD_PAIRS").is_some_and(|which| which == "all");
    let pairs: Vec<_> =
        pairs.enumerate().filter(|(number, _)| all || number % 8 == 2 * way as usize).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..JOBS_AT_ONCE {
            scope.spawn(|| {
                while let Some((number, (usual, other))) =
                    pairs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    assert_told(way, &switch, *number, &[], [*usual, *other]);
                }
            });
        }
    });
}

/// R-CTRL-12, R-STREAM-16: a call in slots that keep operands apart, and one in others; and two of
/// other lengths in the same slot. Jobs of three workers.
fn an_exchange_that_differs_is_told(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let exchange =
        |elements| call(Collective::AllToAll, Operation::Copy, ElementType::U8, elements);
    let [long, longer] = [exchange(40_000), exchange(40_001)];
    let pairs = [[long, sum(8_000)], [sum(8), long], [long, longer], [Call::BARRIER, long]];
    for (number, pair) in [2, 3, 6, 7].into_iter().zip(pairs) {
        assert_told(way, &switch, number, &[], pair);
    }
}

/// The same behind calls that are alike.
fn a_call_that_differs_is_told_behind_others(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let [empty, short, long] = [0, 8, 8_000].map(sum);
    let [gather, other, _] = elsewhere().map(|text| Call::elsewhere(&text));
    let pairs = [[empty, short], [short, long], [long, empty], [gather, long], [gather, other]];
    for (number, calls) in pairs.into_iter().enumerate() {
        assert_told(way, &switch, number, &[short, long, gather, empty], calls);
    }
}

/// R-CTRL-12: behind calls under way that wait for rank 2, which is late and may be: in the other
/// stream, in both, where there is no slot for it, and behind more calls than one look tells of.
fn a_call_that_differs_is_told_while_others_wait(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (short, long) = (sum(8), sum(1_000_000));
    let pair = [short, Call { priority: Some(Priority::Bulk), ..short }];
    let cases: [(&[Call], [Call; 2]); 4] = [
        (&[long], pair),
        (&[long, short], pair),
        (&[long], [long, sum(1_000_001)]),
        (&[short; 40], pair),
    ];
    std::thread::scope(|scope| {
        for (number, (before, calls)) in cases.into_iter().enumerate() {
            let switch = &switch;
            scope.spawn(move || assert_told_while_others_wait(way, switch, number, before, calls));
        }
    });
}

fn assert_told_while_others_wait(
    way: Way,
    switch: &crate::support::Switches,
    number: usize,
    before: &[Call],
    [usual, other]: [Call; 2],
) {
    let (all_joined, others_told) = (Barrier::new(3), Barrier::new(3));
    let change = |request: &mut netfold_net::JoinRequest| {
        (request.job, request.timeout) = (format!("job {number}"), JOB_TIMEOUT);
    };
    let told = workers(switch, way, 3, change, |comm| {
        all_joined.wait();
        let start = Instant::now();
        let names = [usual, other].map(|call| named(&comm, call));
        if comm.rank() == 2 {
            others_told.wait();
            return (make(&comm, before[0]), start.elapsed(), names);
        }
        let mine = if comm.rank() == 1 { other } else { usual };
        let calls: Vec<_> = before.iter().chain([&mine]).collect();
        let mut sums: Vec<_> = calls.iter().map(|call| zeros(4 * call.elements)).collect();
        let begin = |(call, sums): (&&Call, &mut Vec<u8>)| {
            let (start, length) = (sums.as_mut_ptr(), sums.len());
            // SAFETY: the sums are kept until all calls are done.
            comm.submit(**call, unsafe { CallMemory::from_raw(start, length, start, length) }, true)
                .unwrap()
        };
        let begun: Vec<_> = calls.iter().zip(&mut sums).map(begin).collect();
        let mut outcomes: Vec<_> = begun.iter().map(|id| comm.wait(*id, WAIT_LIMIT)).collect();
        let took = start.elapsed();
        others_told.wait();
        (outcomes.pop().expect("a call was made"), took, names)
    });
    assert_named(&told, &format!("behind {} calls", before.len()));
}
