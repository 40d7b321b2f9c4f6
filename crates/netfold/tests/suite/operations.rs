//! Operations of users, from the worker's call to the switch and back (R-OP-20, R-OP-23 to 26).

use std::ops::ControlFlow;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;

use netfold::{
    CallOptions, Communicator, JobError, Op, Operations, Switch, SwitchOptions, Transport,
    TypedOperation, Waiting,
};
use netfold_net::{Query, Report};
use netfold_ops::{Key, Limits, Loader, Operation, Policy, Runtime};

use super::support::{WAIT_LIMIT, workers_at};

pub const TRANSPORTS: [Transport; 2] = [Transport::Udp, Transport::Shm];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// The module of an operation on elements of an i32, or of two, whose function does `step` with
/// `$left` and `$right`, the addresses of two elements; and with `more` fields.
pub(crate) fn module(declaration: &str, element_bytes: u32, step: &str, more: &str) -> Vec<u8> {
    let text = format!(
        r#"(module (@custom "netfold.operation" "abi 1\n{declaration}")
            (memory (export "memory") 1)
            (func (export "fold") (param $left i32) (param $right i32) (param $count i32)
                (loop $next
                    {step}
                    (local.set $left (i32.add (local.get $left) (i32.const {element_bytes})))
                    (local.set $right (i32.add (local.get $right) (i32.const {element_bytes})))
                    (br_if $next
                        (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))
            {more})"#
    );
    wat::parse_str(text).unwrap()
}

pub(crate) fn load(module: &[u8]) -> Operation {
    Operation::load(&RUNTIME, module, &Limits::default()).unwrap()
}

/// The larger of two, in any order. It traps where an element is -1.
pub(crate) fn largest() -> Operation {
    let step = "(if (i32.eq (i32.load (local.get $right)) (i32.const -1)) (then unreachable))
        (i32.store (local.get $left) (select
            (i32.load (local.get $left)) (i32.load (local.get $right))
            (i32.gt_s (i32.load (local.get $left)) (i32.load (local.get $right)))))";
    let claims = "associative yes\\ncommutative yes\\nrange 0 0 1000000";
    load(&module(&format!("name largest\\nelement i32\\n{claims}"), 4, step, ""))
}

/// The composition of two lines x -> a x + b, as MPI programs do it: not commutative.
pub(crate) fn compose() -> Operation {
    let field = |side: &str, at: u32| format!("(i32.load offset={at} (local.get ${side}))");
    let (a, b, c, d) = (field("left", 0), field("left", 4), field("right", 0), field("right", 4));
    let step = format!(
        "(i32.store offset=4 (local.get $left) (i32.add (i32.mul {c} {b}) {d}))
         (i32.store (local.get $left) (i32.mul {a} {c}))"
    );
    load(&module("name compose\\nelement i32x2\\nassociative yes\\ncommutative no", 8, &step, ""))
}

/// The sum, of which twice is sent.
pub(crate) fn doubled() -> Operation {
    let step = "(i32.store (local.get $left)
        (i32.add (i32.load (local.get $left)) (i32.load (local.get $right))))";
    let map = "(func (export \"map\") (param $result i32) (param $count i32)
        (loop $next
            (i32.store (local.get $result) (i32.mul (i32.load (local.get $result)) (i32.const 2)))
            (local.set $result (i32.add (local.get $result) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))";
    let claims = "associative yes\\ncommutative yes";
    load(&module(&format!("name doubled\\nelement i32\\n{claims}"), 4, step, map))
}

fn operations() -> Operations {
    let all: [Arc<dyn TypedOperation>; 2] = [Arc::new(largest()), Arc::new(compose())];
    Operations::new(all).unwrap()
}

fn switch(policy: Policy) -> Switch {
    let operations = Some(Arc::new(Loader::new(policy)) as Arc<_>);
    Switch::start(&SwitchOptions { operations, ..SwitchOptions::default() }).unwrap()
}

/// Runs `work` as each worker of a job that has brought operations along.
pub fn job_with_operations(transport: Transport, size: u16, work: impl Fn(Communicator) + Sync) {
    let set = |connect: netfold::Connect| connect.transport(transport).operations(operations());
    workers_at(&switch(Policy::Any), size, set, work);
}

pub(crate) fn with_limit(comm: Communicator) -> Communicator {
    comm.with(CallOptions::new().timeout(WAIT_LIMIT))
}

/// Pairs of a worker, more than one packet holds.
pub fn lines(rank: u16, count: usize) -> Vec<i32> {
    let line = |index: usize| [index as i32 % 7 + i32::from(rank), 3 - i32::from(rank) * 5];
    (0..count).flat_map(line).collect()
}

/// The lines of some ranks composed, from the first on.
pub fn composed(ranks: impl Iterator<Item = u16>, count: usize) -> Vec<i32> {
    let all = ranks.map(|rank| lines(rank, count));
    all.reduce(|left, right| {
        let pairs = left.chunks(2).zip(right.chunks(2));
        pairs
            .flat_map(|(left, right)| {
                let scaled = right[0].wrapping_mul(left[1]).wrapping_add(right[1]);
                [left[0].wrapping_mul(right[0]), scaled]
            })
            .collect()
    })
    .unwrap_or_default()
}

/// Operands are folded in rank order where the operation asks for it, through both transports, in
/// every collective that folds, and with any number of blocks.
#[test]
fn every_fold_goes_by_an_operation() {
    const COUNT: usize = 3001;
    for transport in TRANSPORTS {
        let switch = switch(Policy::Any);
        let set = |connect: netfold::Connect| connect.transport(transport).operations(operations());
        workers_at(&switch, 3, set, |comm| {
            let (rank, size) = (comm.rank(), comm.size());
            let compose = comm.operation("compose").unwrap().expect("it was brought along");
            for count in [0, 1, COUNT] {
                let mut tensor = lines(rank, count);
                comm.all_reduce(&mut tensor, compose).unwrap();
                assert!(tensor == composed(0..size, count), "{transport:?}, {count}");
            }
            let mut tensor = lines(rank, COUNT);
            comm.reduce(&mut tensor, compose, 1).unwrap();
            let expected = if rank == 1 { composed(0..size, COUNT) } else { lines(rank, COUNT) };
            assert!(tensor == expected);
            let mut part = vec![0; 2 * COUNT];
            comm.reduce_scatter(&lines(rank, 3 * COUNT), &mut part, compose).unwrap();
            let whole = composed(0..size, 3 * COUNT);
            assert!(part == whole[usize::from(rank) * 2 * COUNT..][..2 * COUNT]);
            let (input, mut prefix) = (lines(rank, COUNT), vec![0; 2 * COUNT]);
            comm.scan(&input, &mut prefix, compose).unwrap();
            assert!(prefix == composed(0..rank + 1, COUNT));
            // Beside netfold's own, and another of the job.
            let largest = comm.operation("largest").unwrap().expect("it was brought along");
            let mut tensor = vec![i32::from(rank) + 5; COUNT];
            comm.all_reduce(&mut tensor, largest).unwrap();
            assert!(tensor == vec![i32::from(size) + 4; COUNT]);
            comm.all_reduce(&mut tensor, Op::Sum).unwrap();
            assert!(tensor == vec![3 * (i32::from(size) + 4); COUNT]);
        });
    }
}

/// R-OP-28: results are mapped once, whatever the collective and the number of workers; those that
/// are not folded at the switch are refused.
#[test]
fn results_are_mapped_before_they_are_sent() {
    const COUNT: usize = 2000;
    let vector = |rank: u16, count: usize| -> Vec<i32> {
        (0..count as i32).map(|at| at * 7 + i32::from(rank) * 1000).collect()
    };
    let sum_below = |ranks: u16, count| -> Vec<i32> {
        let all = (0..ranks).map(|rank| vector(rank, count));
        all.reduce(|left, right| left.iter().zip(right).map(|(left, right)| left + right).collect())
            .unwrap_or_default()
    };
    let doubled_sum =
        |ranks, count| -> Vec<i32> { sum_below(ranks, count).iter().map(|sum| 2 * sum).collect() };
    for (transport, size) in
        TRANSPORTS.into_iter().flat_map(|transport| [(transport, 1), (transport, 3)])
    {
        let switch = switch(Policy::Any);
        let operations = Operations::new([Arc::new(doubled()) as Arc<_>]).unwrap();
        let set =
            |connect: netfold::Connect| connect.transport(transport).operations(operations.clone());
        workers_at(&switch, size, set, |comm| {
            let rank = comm.rank();
            let doubled = comm.operation("doubled").unwrap().expect("it was brought along");
            let mut tensor = vector(rank, COUNT);
            comm.all_reduce(&mut tensor, doubled).unwrap();
            assert!(tensor == doubled_sum(size, COUNT), "{transport:?}, {size}");
            let (whole, mut part) = (vector(rank, COUNT * usize::from(size)), vec![0; COUNT]);
            comm.reduce_scatter(&whole, &mut part, doubled).unwrap();
            let wanted = doubled_sum(size, COUNT * usize::from(size));
            assert!(part == wanted[usize::from(rank) * COUNT..][..COUNT]);
            let mut prefix = vec![0; if rank == 0 { 0 } else { COUNT }];
            comm.exscan(&vector(rank, COUNT), &mut prefix, doubled).unwrap();
            assert!(prefix == if rank == 0 { vec![] } else { doubled_sum(rank, COUNT) });
            let error = comm.scan(&[1], &mut [0], doubled).unwrap_err().to_string();
            assert!(error.contains("transforms results"), "{error}");
        });
    }
}

/// Adds the elements of a message in the opposite order, so that the first needs the last.
fn reversed() -> Operation {
    let text = r#"(module
        (@custom "netfold.operation" "abi 1\nname reversed\nelement i32\nscope message 5000\n")
        (memory (export "memory") 2)
        (func (export "fold") (param $left i32) (param $right i32) (param $count i32)
            (local.set $right (i32.add (local.get $right)
                (i32.mul (i32.sub (local.get $count) (i32.const 1)) (i32.const 4))))
            (loop $next
                (i32.store (local.get $left)
                    (i32.add (i32.load (local.get $left)) (i32.load (local.get $right))))
                (local.set $left (i32.add (local.get $left) (i32.const 4)))
                (local.set $right (i32.sub (local.get $right) (i32.const 4)))
                (br_if $next
                    (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))"#;
    load(&wat::parse_str(text).unwrap())
}

/// R-CTRL-2, R-OP-24: messages are folded whole whatever the path takes, and beside them the other
/// calls of the job. It is 65,536 bytes here, and 1500 in a network of its own.
#[test]
fn messages_may_be_longer_than_the_path() {
    const INSIDE: &str = "NETFOLD_TEST_SHORT_PATH";
    let message = |rank: u16, count: usize| -> Vec<i32> {
        (0..count as i32).map(|at| at * 3 + i32::from(rank) * 10_000).collect()
    };
    for transport in TRANSPORTS {
        let switch = switch(Policy::Any);
        let operations = Operations::new([Arc::new(reversed()) as Arc<_>]).unwrap();
        let set =
            |connect: netfold::Connect| connect.transport(transport).operations(operations.clone());
        workers_at(&switch, 3, set, |comm| {
            let reversed = comm.operation("reversed").unwrap().expect("it was brought along");
            for count in [5000, 1, 4097, 0, 300, 5000] {
                let mut tensor = message(comm.rank(), count);
                comm.all_reduce(&mut tensor, reversed).unwrap();
                let mut wanted = message(0, count);
                for rank in 1..3 {
                    let others = message(rank, count).into_iter().rev();
                    wanted.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
                }
                assert!(tensor == wanted, "{transport:?}, {count}");
                let mut sum = vec![i32::from(comm.rank()); 20_000];
                comm.all_reduce(&mut sum, Op::Sum).unwrap();
                assert!(sum == vec![3; 20_000]);
            }
            let error = comm.all_reduce(&mut vec![0; 5001], reversed).unwrap_err().to_string();
            assert!(error.contains("as the operation declares"), "{error}");
        });
    }
    if std::env::var_os(INSIDE).is_some() {
        return;
    }
    let own_network = |command: &str| {
        let mut run = Command::new("unshare");
        run.args(["--net", "sh", "-c", command]).env(INSIDE, "1");
        run.output()
    };
    let begin = "ip link set dev lo mtu 1500 up";
    if !own_network(begin).is_ok_and(|ended| ended.status.success()) {
        return eprintln!("skipped: no network of its own, for which it takes root and ip");
    }
    let own = std::env::current_exe().unwrap();
    let test = "operations::messages_may_be_longer_than_the_path";
    let ended = own_network(&format!("{begin} && exec {} --exact {test}", own.display())).unwrap();
    let output = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success() && output.contains("1 passed"), "{output}");
}

/// R-OP-20: every worker is told what trapped and where; other jobs at the switch go on.
#[test]
fn a_trap_is_told_to_everyone() {
    for transport in TRANSPORTS {
        let switch = switch(Policy::Any);
        let other = netfold::connect(switch.address().to_string(), "other", 0, 1).join().unwrap();
        let set = |connect: netfold::Connect| connect.transport(transport).operations(operations());
        workers_at(&switch, 2, set, |comm| {
            let largest = comm.operation("largest").unwrap().expect("it was brought along");
            let mut tensor = vec![-1; 1000];
            let error = comm.all_reduce(&mut tensor, largest).unwrap_err().to_string();
            for part in
                ["\"largest\"", "\"test\"", "unreachable", " of all_reduce(largest, 4000 bytes)"]
            {
                assert!(error.contains(part), "{error}");
            }
        });
        let mut tensor = [3];
        with_limit(other).all_reduce(&mut tensor, Op::Sum).unwrap();
        assert_eq!(tensor, [3]);
    }
}

/// R-OP-29: what had to be stopped is refused for a while, whatever its claims; another job that
/// runs meanwhile is held up once.
#[test]
fn an_operation_that_takes_too_long_is_refused_for_a_while() {
    let step = "(loop $ever (br_if $ever (i32.eqz (i32.load (local.get $right)))))";
    let endless = || {
        let declaration = "name endless\\nelement i32\\nrange 0 1 9";
        Operations::new([Arc::new(load(&module(declaration, 4, step, ""))) as Arc<_>]).unwrap()
    };
    let switch = switch(Policy::Any);
    let set = |connect: netfold::Connect| connect.transport(Transport::Udp).operations(endless());
    workers_at(&switch, 2, set, |comm| {
        let op = comm.operation("endless").unwrap().expect("it was brought along");
        comm.all_reduce(&mut [7], op).unwrap();
        let error = comm.all_reduce(&mut [0], op).unwrap_err().to_string();
        assert!(error.contains("longer than it may"), "{error}");
    });
    let error = refused(&switch, endless());
    assert!(error.contains("number 0") && error.contains("held up the switch"), "{error}");
    // Others are not meant.
    let connect = netfold::connect(switch.address().to_string(), "other", 0, 1);
    assert!(connect.operations(operations()).join().is_ok());
}

/// Returns the error with which a worker of a job of one is refused.
fn refused(switch: &Switch, operations: Operations) -> String {
    let connect = netfold::connect(switch.address().to_string(), "refused", 0, 1);
    connect.operations(operations).join().err().expect("it is refused").to_string()
}

/// R-OP-22: a switch takes what its policy says, and says why it does not.
#[test]
fn a_policy_decides_about_operations() {
    let none = Switch::start(&SwitchOptions::default()).unwrap();
    assert!(refused(&none, operations()).contains("--ops any"));
    let key = Key::new("0123456789abcdef").unwrap();
    let signed = switch(Policy::Signed(key.clone()));
    let error = refused(&signed, operations());
    assert!(error.contains("number 0") && error.contains("signature"), "{error}");
    let signature = key.sign(largest().module());
    let signed_one: Arc<dyn TypedOperation> = Arc::new(largest().signed(signature));
    let connect = netfold::connect(signed.address().to_string(), "signed", 0, 1);
    let comm = connect.operations(Operations::new([signed_one]).unwrap()).join().unwrap();
    let mut tensor = [4];
    with_limit(comm.clone())
        .all_reduce(&mut tensor, comm.operation("largest").unwrap().unwrap())
        .unwrap();
    assert_eq!(tensor, [4]);
}

/// R-OP-23: workers that bring different operations along do not join; a call by an operation of
/// another job is refused, and so are bytes that are no elements.
#[test]
fn operations_are_those_of_the_job() {
    let switch = switch(Policy::Any);
    let only = |operation: Operation| Operations::new([Arc::new(operation) as Arc<_>]).unwrap();
    let address = switch.address().to_string();
    let is_told = Arc::new(AtomicBool::new(false));
    let errors = thread::scope(|scope| {
        let joins = [only(largest()), only(compose())].map(|operations| {
            let (address, is_told, told) = (&address, &is_told, is_told.clone());
            let heed = move |_: &Waiting| match told.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            scope.spawn(move || {
                let rank = u16::from(operations[0].name() == "compose");
                let connect = netfold::connect(address, "different", rank, 2).on_waiting(heed);
                let error = connect.operations(operations).join().err();
                is_told.store(true, Ordering::Relaxed);
                error.map(|error| error.to_string())
            })
        });
        joins.map(|join| join.join().unwrap())
    });
    let told = errors.iter().flatten().any(|error| {
        error.contains("do not agree on its operations") && error.contains("compose (")
    });
    assert!(told, "{errors:?}");

    let set = |connect: netfold::Connect| connect;
    workers_at(&switch, 2, set, |comm| {
        assert!(comm.operation("largest").unwrap().is_none());
        let more = with_limit(comm.with_operations(only(largest())).unwrap());
        let largest = more.operation("largest").unwrap().expect("it was brought along");
        let mut tensor = [1_i32 + i32::from(comm.rank())];
        more.all_reduce(&mut tensor, largest).unwrap();
        assert_eq!(tensor, [2]);
        let error = comm.all_reduce(&mut tensor, largest).unwrap_err().to_string();
        assert!(error.contains("does not have the operation largest"), "{error}");
        let error = more.all_reduce(&mut [1_u8; 6], largest).unwrap_err().to_string();
        assert!(error.contains("6 bytes are no whole number"), "{error}");
        // The job goes on.
        more.all_reduce(&mut tensor, largest).unwrap();
        let subgroup = with_limit(more.subgroup(&[1, 0]).unwrap());
        let again = subgroup.operation("largest").unwrap().expect("it has those of its job");
        subgroup.all_reduce(&mut tensor, again).unwrap();
        assert_eq!(tensor, [2]);
    });
}

/// Different operations at one place are a mismatch, which every worker is told.
#[test]
fn another_workers_other_operation_is_a_mismatch() {
    for transport in TRANSPORTS {
        let switch = switch(Policy::Any);
        let set = |connect: netfold::Connect| connect.transport(transport).operations(operations());
        workers_at(&switch, 2, set, |comm| {
            let name = if comm.rank() == 0 { "largest" } else { "compose" };
            let op = comm.operation(name).unwrap().expect("it was brought along");
            let error = comm.all_reduce(&mut [1, 2], op).unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, netfold::Error::Job(JobError::Failed(_))), "{text}");
            assert!(
                text.contains("largest, 8 bytes") && text.contains("compose, 8 bytes"),
                "{text}"
            );
        });
    }
}

/// The switch counts what is done by each operation, at its shards and in memory that it shares,
/// and tells it in its statistics as in the list of operations.
#[test]
fn the_switch_counts_what_operations_do() {
    const COUNT: usize = 5000;
    for transport in TRANSPORTS {
        let switch = switch(Policy::Any);
        let set = |connect: netfold::Connect| connect.transport(transport).operations(operations());
        let reports = workers_at(&switch, 3, set, |comm| {
            for (name, times) in [("largest", 2), ("compose", 1)] {
                let op = comm.operation(name).unwrap().expect("it was brought along");
                for _ in 0..times {
                    comm.all_reduce(&mut lines(comm.rank(), COUNT), op).unwrap();
                }
            }
            // Everyone has shown what it has done before anybody has this result.
            comm.barrier().unwrap();
            let ask = |what| {
                let address = switch.address().to_string();
                netfold_net::query(&address, what, WAIT_LIMIT).unwrap()
            };
            let reports = match (ask(Query::Operations), ask(Query::Stats)) {
                (Report::Operations { operations, .. }, Report::Stats(stats)) => {
                    assert_eq!(operations, stats.operations);
                    operations
                }
                _ => panic!("another report"),
            };
            comm.barrier().unwrap();
            reports
        });
        for of in &reports[0] {
            // Of three operands two are folded into the first.
            let times = if of.name == "largest" { 2 } else { 1 };
            assert_eq!(of.bytes, times * 2 * 8 * COUNT as u64, "{transport:?}, {}", of.name);
            assert!(of.calls >= 1 && of.traps == 0 && of.job == "test", "{of:?}");
        }
        assert_eq!(reports[0].len(), 2);
    }
}
