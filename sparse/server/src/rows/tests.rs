//! Rows beside a map of all of them in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::pages::PAGE_BYTES;
use super::{Rows, RowsError};
use crate::optimizer::{Optimizer, Rule, Sgd};
use crate::store::{Checkpoint, MemoryStore, Store};
use crate::{
    ElementType, Initialiser, Layout, Numbers, RowNumber, TableSpec, each_type, server_of,
};

fn spec(rows: u64, width: u16) -> TableSpec {
    TableSpec {
        name: "clicks".into(),
        rows,
        width,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd { lr: -1.0, ..Sgd::default() }),
        initialiser: Initialiser::Uniform { low: -64.0, high: 64.0 },
        seed: 5,
        staleness: None,
        resident: false,
        max_age_ms: 20,
    }
}

/// The row that the initialiser makes.
fn made(spec: &TableSpec, key: u32) -> Vec<f32> {
    let mut row = vec![0.0; usize::from(spec.width)];
    spec.initialiser.fill(spec.seed, key, &mut row);
    row
}

fn spec_of<S>(rows: &Rows<S>) -> TableSpec {
    each_type!(Rows, rows, typed => typed.spec.clone())
}

fn push<S: Store>(rows: &mut Rows<S>, keys: &[u32], gradients: &[f32]) -> Result<(), RowsError> {
    push_numbers(rows, keys, &gradients.to_vec().into())
}

fn push_numbers<S: Store>(
    rows: &mut Rows<S>,
    keys: &[u32],
    gradients: &Numbers,
) -> Result<(), RowsError> {
    let spec = spec_of(rows);
    let mut slots = Vec::new();
    rows.find(keys, &mut slots)?;
    rows.change(Rule::Optimize(&spec.optimizer, None), &slots, gradients)
}

fn pull<S: Store>(rows: &mut Rows<S>, keys: &[u32]) -> Result<Vec<f32>, RowsError> {
    pull_numbers(rows, keys).map(|numbers| floats(&numbers).to_vec())
}

fn pull_numbers<S: Store>(rows: &mut Rows<S>, keys: &[u32]) -> Result<Numbers, RowsError> {
    let mut slots = Vec::new();
    rows.find(keys, &mut slots)?;
    rows.read(&slots)
}

fn floats(numbers: &Numbers) -> &[f32] {
    f32::of(numbers).expect("floats of 32 bits")
}

fn checkpoint(rows: &mut Rows<Arc<MemoryStore>>, store: &MemoryStore) {
    let pages = rows.take_changed();
    store
        .checkpoint(&Checkpoint { through: 0, meta: Vec::new(), pages, drop: false })
        .expect("in memory");
    rows.written();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// A table of 30 pages with memory for 4: all rows are as if memory had no limit, and after
    /// each checkpoint the limit holds.
    #[test]
    fn a_table_may_be_larger_than_memory(
        batches in proptest::collection::vec(
            (proptest::collection::btree_set(0u32..120_000, 1..20), -8i8..8, any::<bool>()), 1..16),
    ) {
        let spec = spec(120_000, 1);
        let store = Arc::new(MemoryStore::default());
        let limit = 4 * PAGE_BYTES;
        let hot = [7, 119_999, 3];
        let new = || Rows::new(&spec, &hot, (0, 1), Some(Arc::clone(&store)), limit);
        let mut rows = new();
        let mut expected: BTreeMap<u32, f32> = BTreeMap::new();
        for (keys, number, write) in batches {
            let keys: Vec<u32> = keys.into_iter().collect();
            push(&mut rows, &keys, &vec![f32::from(number); keys.len()]).expect("pushed");
            for key in &keys {
                *expected.entry(*key).or_insert_with(|| made(&spec, *key)[0]) += f32::from(number);
            }
            if write {
                checkpoint(&mut rows, &store);
                prop_assert!(rows.bytes().0 <= limit && rows.bytes().1 == 0);
            }
        }
        checkpoint(&mut rows, &store);
        let keys: Vec<u32> = expected.keys().copied().collect();
        let values: Vec<f32> = expected.values().copied().collect();
        prop_assert_eq!(pull(&mut rows, &keys).expect("pulled"), values.clone());
        // Another process that has the store.
        prop_assert_eq!(pull(&mut new(), &keys).expect("pulled"), values);
        for key in [7, 119_999, 3, 50_000, 0] {
            let row = expected.get(&key).map_or_else(|| made(&spec, key), |row| vec![*row]);
            prop_assert_eq!(pull(&mut rows, &[key]).expect("pulled"), row);
        }
    }
}

/// A page that changes while it is written is written as it was, and again at the next time.
#[test]
fn a_checkpoint_does_not_move() {
    let spec = spec(10, 1);
    let store = Arc::new(MemoryStore::default());
    let mut rows = Rows::new(&spec, &[], (0, 1), Some(Arc::clone(&store)), 1 << 20);
    push(&mut rows, &[4], &[1.0]).expect("pushed");
    let pages = rows.take_changed();
    push(&mut rows, &[4], &[2.0]).expect("pushed");
    store
        .checkpoint(&Checkpoint { through: 0, meta: Vec::new(), pages, drop: false })
        .expect("in memory");
    rows.written();
    let mut read = Rows::new(&spec, &[], (0, 1), Some(Arc::clone(&store)), 1 << 20);
    assert_eq!(pull(&mut read, &[4]).expect("pulled"), [made(&spec, 4)[0] + 1.0]);
    assert_eq!(pull(&mut rows, &[4]).expect("pulled"), [made(&spec, 4)[0] + 3.0]);
    checkpoint(&mut rows, &store);
    let mut read = Rows::new(&spec, &[], (0, 1), Some(store), 1 << 20);
    assert_eq!(pull(&mut read, &[4]).expect("pulled"), [made(&spec, 4)[0] + 3.0]);
}

/// A page that is on its way to the store is not read from there yet.
#[test]
fn a_page_stays_until_it_is_written() {
    let spec = spec(120_000, 1);
    let store = Arc::new(MemoryStore::default());
    let limit = 4 * PAGE_BYTES;
    let mut rows = Rows::new(&spec, &[], (0, 1), Some(Arc::clone(&store)), limit);
    push(&mut rows, &[4], &[1.0]).expect("pushed");
    let pages = rows.take_changed();
    let all: Vec<u32> = (0..120_000).step_by(997).collect();
    pull(&mut rows, &all).expect("pulled");
    assert_eq!(pull(&mut rows, &[4]).expect("pulled"), [made(&spec, 4)[0] + 1.0]);
    store
        .checkpoint(&Checkpoint { through: 0, meta: Vec::new(), pages, drop: false })
        .expect("in memory");
    rows.written();
    pull(&mut rows, &all).expect("pulled");
    assert_eq!(pull(&mut rows, &[4]).expect("pulled"), [made(&spec, 4)[0] + 1.0]);
}

#[test]
fn without_a_store_the_limit_is_told_and_unchanged_pages_are_made_again() {
    let spec = spec(120_000, 1);
    let mut rows: Rows<MemoryStore> = Rows::new(&spec, &[], (0, 1), None, 4 * PAGE_BYTES);
    let all: Vec<u32> = (0..120_000).step_by(997).collect();
    let made: Vec<f32> = all.iter().flat_map(|key| made(&spec, *key)).collect();
    assert_eq!(pull(&mut rows, &all).expect("pulled"), made);
    assert!(rows.bytes().0 <= 4 * PAGE_BYTES);
    let error = push(&mut rows, &all, &made).expect_err("too many rows");
    assert!(error.to_string().contains("65536 bytes"), "{error}");
}

#[test]
fn keys_that_are_not_there_are_named() {
    let mut rows: Rows<MemoryStore> = Rows::new(&spec(100, 2), &[5, 6], (1, 2), None, 1 << 20);
    let refused =
        |rows: &mut Rows<MemoryStore>, key| pull(rows, &[key]).expect_err("no key").to_string();
    assert!(refused(&mut rows, 100).contains("key 100 is not below the table's 100 rows"));
    // Key 0 is at part 0, which is server 0's; by hand, 61 * 5 mod 100 = 5, which is server 1's,
    // and 61 * 6 mod 100 mod 64 = 2 is not.
    assert!(refused(&mut rows, 0).contains("key 0 is not of this server's parts"));
    assert!(refused(&mut rows, 6).contains("key 6 is not of"));
    assert!(pull(&mut rows, &[5]).is_ok());
    let hot = rows.hot_slots(&[5, 6]);
    assert_eq!((hot.own_ranks(), hot.ranks()), (vec![1], 2));
    let refused = |rank| hot.find(&[rank], &mut Vec::new()).expect_err("no rank").to_string();
    assert!(refused(2).contains("rank 2 is not below the 2 ranks"), "{}", refused(2));
    assert!(refused(0).contains("rank 0 is not of this server's parts"), "{}", refused(0));
    assert!(rows.check(3, &vec![0.0_f32; 6].into()).is_ok());
    let width = rows.check(3, &vec![0.0_f32; 5].into()).expect_err("a number is missing");
    assert!(width.to_string().contains("5 numbers for 3 rows of 2"), "{width}");
    let other = rows.check(3, &vec![0.0_f64; 6].into()).expect_err("another type");
    assert!(other.to_string().contains("rows of f64 for a table of f32"), "{other}");
}

/// R-SERVE-24: integers beyond what floats hold, sums that wrap around, and floats of 64 bits come
/// back from memory and from the store as they are.
#[test]
fn rows_of_every_type_keep_their_bits() {
    fn kept<E: RowNumber>(begin: f64, pushes: &[E; 2], expected: E) {
        let spec = TableSpec {
            element_type: E::TYPE,
            optimizer: Optimizer::Sum,
            initialiser: Initialiser::Constant { value: begin },
            ..spec(10, 1)
        };
        let store = Arc::new(MemoryStore::default());
        let new = || Rows::new(&spec, &[], (0, 1), Some(Arc::clone(&store)), 1 << 20);
        let mut rows = new();
        for number in pushes {
            push_numbers(&mut rows, &[4], &vec![*number].into()).expect("pushed");
        }
        let expected: Numbers = vec![expected, E::from_f64(begin)].into();
        assert_eq!(pull_numbers(&mut rows, &[4, 5]).expect("pulled"), expected);
        checkpoint(&mut rows, &store);
        assert_eq!(pull_numbers(&mut new(), &[4, 5]).expect("pulled"), expected);
        let (mut slots, three) = (Vec::new(), vec![pushes[0]; 3]);
        rows.find(&[5, 6, 5], &mut slots).expect("keys");
        rows.change_by_sums(Rule::Optimize(&Optimizer::Sum, None), &[(slots, three.into())])
            .expect("changed");
        let [five, six] = [E::from_f64(begin).plus(pushes[0].plus(pushes[0])), pushes[0]];
        let six = E::from_f64(begin).plus(six);
        let expected: Numbers = vec![five, six].into();
        assert_eq!(pull_numbers(&mut rows, &[5, 6]).expect("pulled"), expected);
    }
    kept::<i64>(-1.0, &[1 << 60, 3], (1 << 60) + 2);
    kept::<i64>(0.0, &[i64::MAX, 2], i64::MIN + 1);
    kept::<i32>(7.0, &[i32::MAX, 1], i32::MIN + 7);
    kept::<f64>(1.0, &[1e-15, 0.0], 1.0 + 1e-15);
}

#[test]
fn sums_change_each_row_once() {
    // The second gradient of Adagrad divides by another number than the first, so one change by a
    // sum is not two changes.
    let optimizer =
        Optimizer::Adagrad(crate::optimizer::Adagrad { lr: 1.0, eps: 0.0, ..Default::default() });
    let spec =
        TableSpec { initialiser: Initialiser::Constant { value: 10.0 }, optimizer, ..spec(100, 2) };
    let mut rows: Rows<MemoryStore> = Rows::new(&spec, &[], (0, 1), None, 1 << 20);
    let (mut one, mut other) = (Vec::new(), Vec::new());
    rows.find(&[3, 9], &mut one).expect("keys");
    rows.find(&[9], &mut other).expect("keys");
    let sources = [(one, vec![1.0_f32, 2.0, 3.0, 4.0].into()), (other, vec![1.0_f32, 2.0].into())];
    rows.change_by_sums(Rule::Optimize(&spec.optimizer, Some(1)), &sources).expect("changed");
    // Adagrad's first change is the learning rate, whatever the gradient.
    assert_eq!(pull(&mut rows, &[3, 9, 4]).expect("pulled"), [9.0, 9.0, 9.0, 9.0, 10.0, 10.0]);
}

/// Moves all rows that a server of the next list gets of one of the former by one rank of some, and
/// returns their keys.
fn moved<S: Store, T: Store>(
    former: &Rows<S>,
    (rank, stride): (u64, u32),
    to: (u16, u16),
    next: &mut Rows<T>,
) -> Vec<u32> {
    let layout = Layout::new(spec_of(former).rows);
    let (mut from, mut keys) = (Some(rank), Vec::new());
    while let Some(place) = from {
        // A page or less at a time, so that there are many places to go on from.
        let taken = former.take(place, stride, PAGE_BYTES / 4).expect("read");
        let again = former.take(place, stride, PAGE_BYTES / 4).expect("read");
        assert_eq!(taken, again, "what is over does not change");
        assert!(taken.next.is_none_or(|next| next > place));
        let stride = each_type!(Rows, former, typed => typed.pages.stride);
        let lanes = floats(&taken.lanes).chunks(stride);
        let own = |key: &u32| server_of(layout.part(*key), to.1) == to.0;
        let (own, lanes): (Vec<u32>, Vec<&[f32]>) =
            taken.keys.iter().zip(lanes).filter(|(key, _)| own(key)).unzip();
        next.put(&own, &lanes.concat().into()).expect("put");
        from = taken.next;
        keys.extend(own);
    }
    keys
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// R-SERVE-21: from any number of servers to any other, rows that were touched come with the
    /// velocity that they have, those that were hot when either table began among them, and those
    /// that are only in the store; each comes from one server to one.
    #[test]
    fn rows_move_with_their_state(
        keys in proptest::collection::btree_set(0u32..30_000, 1..300),
        former in 1u16..5, next in 1u16..5, width in 1u16..4, workers in 1u32..4,
    ) {
        let momentum = Sgd { lr: -1.0, momentum: 0.5, ..Sgd::default() };
        let spec = TableSpec { optimizer: Optimizer::Sgd(momentum), ..spec(30_000, width) };
        let mut keys: Vec<u32> = keys.into_iter().collect();
        let hot: Vec<u32> = [&keys[..keys.len() / 3], &[29_999, 29_998][..]].concat();
        let hot: std::collections::BTreeSet<u32> = hot.into_iter().collect();
        let hot: Vec<u32> = hot.into_iter().collect();
        keys.extend([0, 7]);
        keys.sort_unstable();
        keys.dedup();
        let gradients = |keys: &[u32]| -> Vec<f32> {
            keys.iter().flat_map(|key| vec![(key % 13) as f32 - 6.0; usize::from(width)]).collect()
        };
        let layout = Layout::new(spec.rows);
        let own = |server: (u16, u16)| -> Vec<u32> {
            let own = |key: &u32| server_of(layout.part(*key), server.1) == server.0;
            keys.iter().copied().filter(own).collect()
        };
        let mut alone = Rows::new(&spec, &[], (0, 1), None::<MemoryStore>, usize::MAX);
        push(&mut alone, &keys, &gradients(&keys)).expect("pushed");
        let limit = 2 * PAGE_BYTES;
        let mut formers = Vec::new();
        for server in 0..former {
            let store = Arc::new(MemoryStore::default());
            let place = (server, former);
            let mut rows = Rows::new(&spec, &hot, place, Some(Arc::clone(&store)), limit);
            let own = own(place);
            let (first, last) = own.split_at(own.len() / 2);
            push(&mut rows, first, &gradients(first)).expect("pushed");
            // These may leave the memory; the others are in no checkpoint.
            checkpoint(&mut rows, &store);
            push(&mut rows, last, &gradients(last)).expect("pushed");
            formers.push(rows);
        }
        for server in 0..next {
            let place = (server, next);
            let mut rows = Rows::new(&spec, &[29_998, 5], place, None::<MemoryStore>, usize::MAX);
            let ranks = (0..workers).map(|rank| (rank.into(), workers));
            let came: Vec<u32> = ranks
                .flat_map(|rank| formers.iter().map(move |one| (rank, one)))
                .flat_map(|(rank, one)| moved(one, rank, place, &mut rows))
                .collect();
            let own = own(place);
            let distinct: std::collections::BTreeSet<u32> = came.iter().copied().collect();
            prop_assert_eq!(came.len(), distinct.len(), "each comes once");
            prop_assert!(own.iter().all(|key| distinct.contains(key)));
            prop_assert_eq!(
                pull(&mut rows, &own).expect("pulled"), pull(&mut alone, &own).expect("pulled"));
            // The next change shows the velocity.
            push(&mut rows, &own, &gradients(&own)).expect("pushed");
            let mut twice = Rows::new(&spec, &[], (0, 1), None::<MemoryStore>, usize::MAX);
            (0..2).for_each(|_| push(&mut twice, &own, &gradients(&own)).expect("pushed"));
            prop_assert_eq!(
                pull(&mut rows, &own).expect("pulled"), pull(&mut twice, &own).expect("pulled"));
        }
    }
}

#[test]
fn rows_of_another_server_or_width_are_not_put() {
    let spec = spec(100, 2);
    // By hand in `ranking`: key 1 is of part 61, so of the second of two servers.
    let mut rows = Rows::new(&spec, &[], (0, 2), None::<MemoryStore>, usize::MAX);
    let error = rows.put(&[0, 1], &vec![1.0_f32; 4].into()).expect_err("another server's");
    assert!(matches!(error, RowsError::Elsewhere { number: 1, .. }), "{error}");
    let error = rows.put(&[0], &vec![1.0_f32; 3].into()).expect_err("too wide");
    assert!(matches!(error, RowsError::Width { found: 3, .. }), "{error}");
    let error = rows.put(&[0], &vec![1_i32; 2].into()).expect_err("another type");
    assert!(matches!(error, RowsError::Type { found: ElementType::I32, .. }), "{error}");
    assert_eq!(pull(&mut rows, &[0]).expect("pulled"), made(&spec, 0));
}
