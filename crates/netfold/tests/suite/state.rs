//! Operations with a codec (R-OP-30), and with state (R-OP-31 to 34), from the worker's call to the
//! switch and back.

use std::sync::{Arc, Barrier, LazyLock};
use std::thread;

use netfold::{Connect, Op, Operations, Switch, SwitchOptions, Transport};
use netfold_ops::{Limits, Loader, Operation, Policy, Runtime};

use super::support::workers_at;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// A function that goes through elements: `step` is done for each, with `sizes` of two addresses.
fn each(name: &str, [to, from]: [&str; 2], sizes: [u32; 2], step: &str) -> String {
    let [first, second] = sizes;
    format!(
        r#"(func (export "{name}") (param ${to} i32) (param ${from} i32) (param $count i32)
            (loop $next
                {step}
                (local.set ${to} (i32.add (local.get ${to}) (i32.const {first})))
                (local.set ${from} (i32.add (local.get ${from}) (i32.const {second})))
                (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#
    )
}

fn operation(declaration: &str, fields: &str) -> Operation {
    let text = format!(
        r#"(module (@custom "netfold.operation" "abi 1\n{declaration}")
            (memory (export "memory") 1) {fields})"#
    );
    Operation::load(&RUNTIME, &wat::parse_str(text).unwrap(), &Limits::default()).unwrap()
}

fn sum() -> String {
    let step = "(i32.store (local.get $left)
        (i32.add (i32.load (local.get $left)) (i32.load (local.get $right))))";
    each("fold", ["left", "right"], [4, 4], step)
}

/// A sum of numbers that travel beside their complements: others trap.
pub(super) fn complemented() -> Operation {
    let decode = "(if (i32.ne (i32.load (local.get $from))
            (i32.xor (i32.load offset=4 (local.get $from)) (i32.const -1))) (then unreachable))
        (i32.store (local.get $to) (i32.load (local.get $from)))";
    let encode = "(i32.store (local.get $to) (i32.load (local.get $from)))
        (i32.store offset=4 (local.get $to)
            (i32.xor (i32.load (local.get $from)) (i32.const -1)))";
    let codec = [
        each("decode", ["to", "from"], [4, 8], decode),
        each("encode", ["to", "from"], [8, 4], encode),
    ];
    let claims = "associative yes\\ncommutative yes\\nlossless yes";
    let declaration = format!("name complemented\\nelement i32\\nwire i32,i32\\n{claims}");
    operation(&declaration, &(sum() + &codec.concat()))
}

/// A sum of numbers of 32 bits that travel in 16; a larger one becomes the bound.
pub(super) fn halved() -> Operation {
    let decode = "(i32.store (local.get $to) (i32.load16_s (local.get $from)))";
    let bounded = "(select (i32.load (local.get $from)) (i32.const 32767)
        (i32.lt_s (i32.load (local.get $from)) (i32.const 32767)))";
    let encode = format!("(i32.store16 (local.get $to) {bounded})");
    let codec = [
        each("decode", ["to", "from"], [4, 2], decode),
        each("encode", ["to", "from"], [2, 4], &encode),
    ];
    let claims = "associative yes\\ncommutative yes\\nrange 0 -9999 9999";
    let declaration = format!("name halved\\nelement i32\\nwire i16\\n{claims}");
    operation(&declaration, &(sum() + &codec.concat()))
}

/// Keeps a number for each of 64 places. A request has a place and a number: the reply has the rank
/// of its worker, and the place's number before the request's was added. -1 traps.
fn ledger() -> Operation {
    let answer = r#"(func (export "answer") (param $at i32) (param $count i32) (param $rank i32)
        (local $place i32) (local $sum i32)
        (loop $next
            (if (i32.and (i32.eq (i32.load (local.get $at)) (i32.const 63))
                    (i32.eq (i32.load offset=4 (local.get $at)) (i32.const -1)))
                (then unreachable))
            (local.set $place
                (i32.shl (i32.and (i32.load (local.get $at)) (i32.const 63)) (i32.const 2)))
            (local.set $sum (i32.load (local.get $place)))
            (i32.store (local.get $place)
                (i32.add (local.get $sum) (i32.load offset=4 (local.get $at))))
            (i32.store (local.get $at) (local.get $rank))
            (i32.store offset=4 (local.get $at) (local.get $sum))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;
    operation("name ledger\\nelement i32,i32\\nstate 256\\nrange 1 0 1000", answer)
}

/// A sum to which the number of the rounds before is added.
pub(super) fn counted() -> Operation {
    let map = r#"(func (export "map") (param $at i32) (param $count i32) (local $rounds i32)
        (local.set $rounds (i32.load (i32.const 0)))
        (i32.store (i32.const 0) (i32.add (local.get $rounds) (i32.const 1)))
        (loop $next
            (i32.store (local.get $at)
                (i32.add (i32.load (local.get $at)) (local.get $rounds)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;
    let claims = "associative yes\\ncommutative yes";
    operation(&format!("name counted\\nelement i32\\nstate 4\\n{claims}"), &(sum() + map))
}

fn all(operations: Vec<Operation>) -> Operations {
    Operations::new(operations.into_iter().map(|operation| Arc::new(operation) as Arc<_>)).unwrap()
}

fn switch() -> Switch {
    let operations = Some(Arc::new(Loader::new(Policy::Any)) as Arc<_>);
    Switch::start(&SwitchOptions { operations, ..SwitchOptions::default() }).unwrap()
}

/// R-OP-30: sums that do not fit on the way fit at the end, since operands are decoded before they
/// are folded, through both transports and in every collective that takes an operation.
#[test]
fn sums_are_those_of_the_decoded_operands() {
    const COUNT: usize = 20_000;
    // The sum of the first two does not fit 16 bits, that of all three does.
    let of =
        |rank: u16, at: usize| [20_000_i32, 20_000, -30_000][usize::from(rank)] + at as i32 % 50;
    let vector = |rank: u16, count: usize| -> Vec<i16> {
        (0..count).map(|at| of(rank, at) as i16).collect()
    };
    let sums = |ranks: u16, count: usize| -> Vec<i16> {
        let sum = |at| (0..ranks).map(|rank| of(rank, at)).sum::<i32>();
        (0..count).map(|at| sum(at).min(32_767) as i16).collect()
    };
    for transport in [Transport::Udp, Transport::Shm] {
        let (switch, operations) = (switch(), all(vec![halved()]));
        let set = |connect: Connect| connect.transport(transport).operations(operations.clone());
        workers_at(&switch, 3, set, |comm| {
            let rank = comm.rank();
            let halved = comm.operation("halved").unwrap().expect("it was brought along");
            for count in [0, 1, COUNT] {
                // Two bytes of an element that netfold has no name for.
                let mut tensor = bytes(&vector(rank, count));
                comm.all_reduce(&mut tensor, halved).unwrap();
                assert!(tensor == bytes(&sums(3, count)), "{transport:?}, {count}");
            }
            let mut part = vec![0_u8; 2 * COUNT];
            comm.reduce_scatter(&bytes(&vector(rank, 3 * COUNT)), &mut part, halved).unwrap();
            let wanted = bytes(&sums(3, 3 * COUNT));
            assert!(part == wanted[usize::from(rank) * 2 * COUNT..][..2 * COUNT]);
            let mut prefix = vec![0_u8; if rank == 0 { 0 } else { 2 * COUNT }];
            comm.exscan(&bytes(&vector(rank, COUNT)), &mut prefix, halved).unwrap();
            assert!(prefix == if rank == 0 { vec![] } else { bytes(&sums(rank, COUNT)) });
            let error = comm.scan(&[1_u8, 0], &mut [0, 0], halved).unwrap_err().to_string();
            assert!(error.contains("transforms results"), "{error}");
        });
    }
}

fn bytes(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Adds, and maps results to three times as much.
fn tripled() -> Operation {
    let map = "(func (export \"map\") (param $at i32) (param $count i32)
        (loop $next
            (i32.store (local.get $at) (i32.mul (i32.load (local.get $at)) (i32.const 3)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))";
    operation("name tripled\\nelement i32", &(sum() + map))
}

/// R-OP-24: what a root sends to all is mapped on its way, and the root keeps what it has.
#[test]
fn a_broadcast_is_transformed_on_its_way() {
    let tripled = tripled();
    for transport in [Transport::Udp, Transport::Shm] {
        let (switch, operations) = (switch(), all(vec![tripled.clone()]));
        let set = |connect: Connect| connect.transport(transport).operations(operations.clone());
        workers_at(&switch, 3, set, |comm| {
            let tripled = comm.operation("tripled").unwrap().expect("it was brought along");
            let sent: Vec<i32> = (0..5000).collect();
            let mut tensor = if comm.rank() == 1 { sent.clone() } else { vec![7; 5000] };
            comm.broadcast_by(&mut tensor, 1, tripled).unwrap();
            let expected = if comm.rank() == 1 { 1 } else { 3 };
            assert!(tensor.iter().zip(&sent).all(|(got, sent)| *got == expected * sent));
            comm.broadcast(&mut tensor, 1).unwrap();
            assert!(tensor == sent, "{transport:?}");
            let error = comm.broadcast_by(&mut tensor, 3, tripled).unwrap_err().to_string();
            assert!(error.contains("root 3"), "{error}");
        });
    }
}

/// R-OP-24: short and long, among messages that travel as they are, either way.
#[test]
fn a_message_is_transformed_on_its_way() {
    let tripled = tripled();
    for transport in [Transport::Udp, Transport::Shm] {
        let (switch, operations) = (switch(), all(vec![halved(), tripled.clone()]));
        let set = |connect: Connect| connect.transport(transport).operations(operations.clone());
        workers_at(&switch, 3, set, |comm| {
            let tripled = comm.operation("tripled").unwrap().expect("it was brought along");
            let (next, before) = ((comm.rank() + 1) % 3, (comm.rank() + 2) % 3);
            let message = |from: u16, length| -> Vec<i32> {
                (0..length).map(|at| at * 7 + i32::from(from)).collect()
            };
            for length in [0, 1, 300, 100_000] {
                let (sent, expected) = (message(comm.rank(), length), message(before, length));
                thread::scope(|scope| {
                    scope.spawn(|| {
                        comm.send_by(&sent, next, 5, tripled).unwrap();
                        comm.send(&sent, next, 5).unwrap();
                    });
                    let mut got = vec![0; expected.len()];
                    comm.recv_by(&mut got, before, 5, tripled).unwrap();
                    assert!(got.iter().zip(&expected).all(|(got, sent)| *got == 3 * sent));
                    comm.recv(&mut got, before, 5).unwrap();
                    assert!(got == expected, "{transport:?}, {length}");
                });
            }
        });
    }
}

/// R-SLOT-7: the two are told both calls, and everything else goes on.
#[test]
fn a_message_that_one_side_has_transformed_is_a_mismatch() {
    let (switch, operations) = (switch(), all(vec![tripled()]));
    let set = |connect: Connect| connect.operations(operations.clone());
    workers_at(&switch, 2, set, |comm| {
        let tripled = comm.operation("tripled").unwrap().expect("it was brought along");
        for (tag, sender_names_it) in [(0, true), (1, false)] {
            let (sent, mut got) = ([1_i32, 2], [0_i32; 2]);
            let told = match (comm.rank(), sender_names_it) {
                (0, true) => comm.send_by(&sent, 1, tag, tripled),
                (0, false) => comm.send(&sent, 1, tag),
                (_, true) => comm.recv(&mut got, 0, tag),
                (_, false) => comm.recv_by(&mut got, 0, tag, tripled),
            };
            let error = told.unwrap_err().to_string();
            let both = ["message(8 bytes)", "message(tripled, 8 bytes)"];
            assert!(both.iter().all(|call| error.contains(call)), "{error}");
        }
        let mut sum = [1_i32];
        comm.all_reduce(&mut sum, tripled).unwrap();
        assert_eq!(sum, [6]);
    });
}

/// R-OP-31, R-OP-32: requests are answered from what the calls before have left, in rank order, one
/// packet or many, by any number of workers.
#[test]
fn replies_come_from_what_calls_before_have_left() {
    for size in [1_u16, 3] {
        let (switch, operations) = (switch(), all(vec![ledger(), counted()]));
        let set = |connect: Connect| connect.operations(operations.clone());
        workers_at(&switch, size, set, |comm| {
            let (rank, size) = (i32::from(comm.rank()), i32::from(size));
            let ledger = comm.operation("ledger").unwrap().expect("it was brought along");
            let counted = comm.operation("counted").unwrap().expect("it was brought along");
            // Each adds its rank and 1 at place 5: those of lower ranks come first.
            for round in 0..3 {
                let mut request = [5, rank + 1];
                comm.look_aside(&mut request, ledger).unwrap();
                let before = round * size * (size + 1) / 2 + rank * (rank + 1) / 2;
                assert_eq!(request, [rank, before], "{size}");
            }
            // Many packets, each worker at places of its own, each place once in each packet.
            let own = |at: i32| 8 + (16 * rank + at % 16);
            let mut requests: Vec<i32> = (0..100_000).flat_map(|at| [own(at), 1]).collect();
            comm.look_aside(&mut requests, ledger).unwrap();
            for place in 0..16 {
                let replies = (0_i32..).zip(requests.chunks(2));
                let replies = replies.filter(|(at, _)| at % 16 == place).map(|(_, reply)| reply);
                let mut sums: Vec<i32> = replies.map(|reply| reply[1]).collect();
                sums.sort_unstable();
                assert!(sums == (0..100_000 / 16).collect::<Vec<_>>(), "each is answered once");
            }
            // Folds of another operation have a memory of their own.
            for round in 0..3 {
                let mut tensor = [10];
                comm.all_reduce(&mut tensor, counted).unwrap();
                assert_eq!(tensor, [10 * size + round]);
            }
            comm.look_aside(&mut [0_i32; 0], ledger).unwrap();
            for (op, reason) in [(counted, "answers no requests"), (Op::Sum, "brought along")] {
                let error = comm.look_aside(&mut [1, 2], op).unwrap_err().to_string();
                assert!(error.contains(reason), "{error}");
            }
            let error = comm.all_reduce(&mut [1, 2], ledger).unwrap_err().to_string();
            assert!(error.contains("call it by look_aside"), "{error}");
        });
    }
}

/// R-OP-33: a worker makes one call with state at a time, and other calls beside it.
#[test]
fn a_second_call_with_state_waits_for_the_first() {
    let (switch, operations) = (switch(), all(vec![counted()]));
    let set = |connect: Connect| connect.operations(operations.clone());
    let second_is_refused = Barrier::new(2);
    workers_at(&switch, 2, set, |comm| {
        let counted = comm.operation("counted").unwrap().expect("it was brought along");
        if comm.rank() == 0 {
            let first = comm.begin_all_reduce(vec![1], counted).unwrap();
            let error = comm.begin_all_reduce(vec![1], counted).err().expect("it is refused");
            assert!(error.to_string().contains("wait for it first"), "{error}");
            second_is_refused.wait();
            assert_eq!(first.wait().unwrap(), [3]);
        } else {
            second_is_refused.wait();
            let mut tensor = [2];
            comm.all_reduce(&mut tensor, counted).unwrap();
            assert_eq!(tensor, [3]);
        }
        let mut tensor = [5];
        comm.all_reduce(&mut tensor, counted).unwrap();
        assert_eq!(tensor, [11]);
    });
}

/// R-OP-34: a job with state does not go on elsewhere; a trap ends it, and its state.
#[test]
fn state_ends_with_its_job() {
    let switch = switch();
    let alone = |name: &str| {
        let connect = netfold::connect(switch.address().to_string(), name, 0, 1);
        connect.operations(all(vec![ledger()]))
    };
    let error = alone("elastic").elastic().join().err().expect("it is refused").to_string();
    assert!(error.contains("keep state at the switch"), "{error}");
    let error = alone("shared").transport(Transport::Shm).join().err().expect("it is refused");
    assert!(error.to_string().contains("must be udp"), "{error}");
    let two = format!("{0},{0}", switch.address());
    let standby = netfold::connect(two, "standby", 0, 1).operations(all(vec![ledger()]));
    let error = standby.join().err().expect("it is refused").to_string();
    assert!(error.contains("keep state at the switch"), "{error}");

    let comm = alone("traps").join().unwrap();
    let op = comm.operation("ledger").unwrap().unwrap();
    comm.look_aside(&mut [3, 9], op).unwrap();
    let error = comm.look_aside(&mut [63, -1], op).unwrap_err().to_string();
    for part in ["\"ledger\"", "unreachable", "look_aside(ledger, 8 bytes)"] {
        assert!(error.contains(part), "{error}");
    }
    let comm = alone("traps").join().unwrap();
    let mut request = [3, 0];
    comm.look_aside(&mut request, comm.operation("ledger").unwrap().unwrap()).unwrap();
    assert_eq!(request, [0, 0]);
}
