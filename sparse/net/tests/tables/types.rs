//! Rows of every type, hot and cold, at a real switch (R-SERVE-24, R-KEY-1).

use std::sync::Barrier;
use std::thread;

use netfold_net::Arithmetic;
use netfold_sparse::{Initialiser, Optimizer, RowNumber, TableSpec};
use netfold_sparse_net::SparseTable;

use crate::hot::{HOT, ROWS, all, at, member, switch};
use crate::support::{on, open, options, server, spec};

const STEPS: u32 = 12;

/// A number that floats of 32 bits do not hold, or that wraps around when it is added often.
trait Large: RowNumber {
    const LARGE: Self;
}

impl Large for f64 {
    const LARGE: Self = 4_503_599_627_370_497.0 / 4.0;
}

impl Large for i32 {
    const LARGE: Self = i32::MAX / 3;
}

impl Large for i64 {
    const LARGE: Self = i64::MAX / 5;
}

/// Returns the two numbers that a worker pushes to a key in a step.
fn pushed<T: Large>(key: u32, rank: u16, step: u32) -> [T; 2] {
    let small = T::from_f64(f64::from((key * 13 + u32::from(rank) * 7 + step * 3) % 11) - 5.0);
    [small, if key.is_multiple_of(3) { T::LARGE } else { small }]
}

fn expected<T: Large>(workers: u16, steps: u32) -> Vec<T> {
    let row = |key| {
        let all = (0..workers).flat_map(|rank| (0..steps).map(move |step| (rank, step)));
        all.fold([T::from_f64(1.0); 2], |[one, two], (rank, step)| {
            let [first, second] = pushed::<T>(key, rank, step);
            [one.plus(first), two.plus(second)]
        })
    };
    (0..ROWS).flat_map(row).collect()
}

fn sums<T: Large>(resident: bool) -> TableSpec {
    TableSpec {
        element_type: T::TYPE,
        optimizer: Optimizer::Sum,
        initialiser: Initialiser::Constant { value: 1.0 },
        resident,
        ..spec(ROWS.into(), 2)
    }
}

fn pull<T: RowNumber>(table: &SparseTable, keys: &[u32]) -> Vec<T> {
    let pull = table.pull(keys, None).unwrap();
    let mut rows = vec![T::default(); pull.lanes()];
    pull.wait(&mut rows, &mut on).unwrap();
    rows
}

fn rows_are_sums<T: Large>(resident: bool) {
    let (switch, servers) = (switch(), [server(), server()]);
    let servers = [&servers[0], &servers[1]];
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for rank in 0..2 {
            let at = at(&switch, Arithmetic::Native);
            let options = options(sums::<T>(resident), rank, 2, &servers);
            let barrier = &barrier;
            scope.spawn(move || {
                let member = member(options, &at);
                let table = member.table();
                for step in 0..STEPS {
                    let rows: Vec<T> =
                        all().iter().flat_map(|key| pushed::<T>(*key, rank, step)).collect();
                    table.push(&all(), &rows, &mut on).unwrap();
                }
                table.flush(&mut on).unwrap();
                barrier.wait();
                assert_eq!(pull::<T>(table, &all()), expected::<T>(2, STEPS), "{}", T::TYPE);
                let stats = table.stats().unwrap();
                assert_eq!(stats.hot_updates, u64::from(HOT * STEPS), "{stats:?}");
                let pair_bytes = 4 + 2 * T::TYPE.bytes() as u64;
                assert_eq!(stats.saved_bytes, stats.hot_updates * pair_bytes);
                assert_eq!(stats.hot_pulled > 0, resident, "{stats:?}");
                barrier.wait();
                if rank == 0 {
                    // A hot key and a cold one.
                    let rows = [T::LARGE, T::default(), T::from_f64(3.0), T::LARGE];
                    table.set(&[1, 2], &rows, &mut on).unwrap();
                    assert_eq!(pull::<T>(table, &[1, 2]), rows);
                }
                barrier.wait();
                member.close(&mut on).unwrap();
            });
        }
    });
}

#[test]
fn rows_of_every_type_are_sums_to_the_last_bit() {
    for resident in [false, true] {
        rows_are_sums::<f64>(resident);
        rows_are_sums::<i32>(resident);
        rows_are_sums::<i64>(resident);
    }
}

/// R-KEY-1: in `block` floats of 64 bits travel in fixed point, and integers as they are.
#[test]
fn block_adds_doubles_in_fixed_point_and_integers_as_they_are() {
    fn pushed_once<T: RowNumber>(number: T, sum: T) {
        let (switch, server) = (switch(), server());
        let at = at(&switch, Arithmetic::Block);
        let table =
            TableSpec { element_type: T::TYPE, optimizer: Optimizer::Sum, ..spec(ROWS.into(), 2) };
        let member = member(options(table, 0, 1, &[&server]), &at);
        for _ in 0..2 {
            member.table().push(&[1], &[number, T::default()], &mut on).unwrap();
        }
        member.table().flush(&mut on).unwrap();
        assert_eq!(pull::<T>(member.table(), &[1]), [sum, T::default()]);
        member.close(&mut on).unwrap();
    }
    // The scale is 2^8: 0.3 travels as 77 / 256.
    pushed_once(0.3_f64, 154.0 / 256.0);
    pushed_once(100_000_i32, 200_000);
}

/// Rows move to other servers as they are (R-SERVE-21).
#[test]
fn integers_move_to_other_servers() {
    let (one, two, three) = (server(), server(), server());
    let table = open(options(sums::<i64>(false), 0, 1, &[&one]));
    let numbers: Vec<i64> = all().iter().flat_map(|key| [i64::LARGE, i64::from(*key)]).collect();
    table.push(&all(), &numbers, &mut on).unwrap();
    let next = [&two, &three].map(|server| server.address().to_string());
    table.set_servers(&next, &mut on).unwrap();
    let expected: Vec<i64> = numbers.iter().map(|number| number + 1).collect();
    assert_eq!(pull::<i64>(&table, &all()), expected);
    table.close(&mut on).unwrap();
}

#[test]
fn numbers_of_another_type_are_refused_by_name() {
    let server = server();
    let table = open(options(sums::<i64>(false), 0, 1, &[&server]));
    let why = table.push(&[1], &[1.0_f32, 2.0], &mut on).expect_err("floats").to_string();
    assert!(why.contains("rows of i64, not of f32"), "{why}");
    let why = table.set(&[1], &[1.0_f64, 2.0], &mut on).expect_err("floats").to_string();
    assert!(why.contains("rows of i64, not of f64"), "{why}");
    let pull = table.pull(&[1], None).unwrap();
    let why = pull.wait(&mut [0_i32; 2], &mut on).expect_err("short").to_string();
    assert!(why.contains("rows of i64, not of i32"), "{why}");
    let why = table.set_lr(0.5).expect_err("no rate").to_string();
    assert!(why.contains("sum has no learning rate"), "{why}");
    table.close(&mut on).unwrap();
}

#[test]
fn terms_that_do_not_go_with_a_type_are_refused_by_name() {
    let server = server();
    let refusal = |table| {
        let opened = SparseTable::open(options(table, 0, 1, &[&server]), None, &mut on);
        opened.err().expect("refused").to_string()
    };
    let gradients = TableSpec { optimizer: spec(1, 1).optimizer, ..sums::<i32>(false) };
    assert!(refusal(gradients).contains("sgd does not change rows of i32; take sum"));
    let half = Initialiser::Constant { value: 0.5 };
    let why = refusal(TableSpec { initialiser: half, ..sums::<i32>(false) });
    assert!(why.contains("a constant of integers is an integer"), "{why}");
    let halves = netfold_sparse::ElementType::F16;
    let why = refusal(TableSpec { element_type: halves, ..spec(10, 1) });
    assert!(why.contains("rows of f16; a table has rows of f32, f64, i32 or i64"), "{why}");
}
