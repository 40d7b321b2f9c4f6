//! Rows that a worker keeps from a switch of little use to it (R-QRY-40, 42), and values
//! that it keeps of rows that the switch takes (R-QRY-15, 41).

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::error::Result;
use netfold_query::exchange::{Addend, Offer, Offered, Path, Task, Worker};

use super::support::block_on;

/// A switch of which so many rows of each batch survive; it keeps the rows that it was offered.
#[derive(Debug)]
struct Survivors(usize, Mutex<Vec<usize>>);

#[async_trait]
impl Path for Survivors {
    async fn wait(&self) -> Result<Vec<bool>> {
        Ok(Vec::new())
    }

    async fn probe(&self, _: usize, _: Vec<u64>) -> Result<Vec<u64>> {
        unreachable!("there is no filter")
    }

    async fn fill(&self, _: usize, _: Vec<u64>) -> Result<()> {
        unreachable!("there is no filter")
    }

    async fn offer(&self, _: u64, rows: &Offered) -> Result<Vec<u64>> {
        let count = rows.keys.len();
        self.1.lock().expect("it has not panicked").push(count);
        let mut bits = vec![0; count.div_ceil(64)];
        (0..self.0.min(count)).for_each(|row| bits[row / 64] |= 1 << (row % 64));
        Ok(bits)
    }
}

fn batch(columns: Vec<ArrayRef>) -> RecordBatch {
    let named = columns.into_iter().enumerate().map(|(at, column)| (at.to_string(), column, true));
    RecordBatch::try_from_iter_with_nullable(named).expect("a batch")
}

fn task(offer: Offer, batch: &RecordBatch) -> Task {
    Task {
        offer: Arc::new(offer),
        schema: batch.schema(),
        partition: 0,
        seed: 1,
        combined: false,
        small: 0,
        probes: Vec::new(),
        builds: Vec::new(),
    }
}

/// Returns the rows that were offered of two batches, and the rows that were forwarded.
fn stepped(rows: usize, survivors: usize) -> (Vec<usize>, Vec<usize>) {
    let column = |from: usize| -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(from as i64..(from + rows) as i64))
    };
    let batches = [0, rows].map(|from| batch(vec![column(from)]));
    let task = task(Offer::Distinct { groups: 1 }, &batches[0]);
    let path = Survivors(survivors, Mutex::default());
    let mut forwarded = Vec::new();
    block_on(async {
        let mut worker = Worker::new(task).expect("a worker");
        for batch in batches {
            let out = worker.step(batch, &path).await.expect("a step");
            forwarded.push(out.num_rows());
        }
    });
    (path.1.into_inner().expect("it has not panicked"), forwarded)
}

#[test]
fn a_worker_goes_on_without_a_switch_that_drops_less_than_an_eighth() {
    assert_eq!(stepped(4096, 3584), (vec![4096], vec![3584, 4096]));
    assert_eq!(stepped(4096, 3583), (vec![4096, 4096], vec![3583, 3583]));
    // Few rows tell nothing.
    assert_eq!(stepped(4095, 4095), (vec![4095, 4095], vec![4095, 4095]));
}

/// Steps a batch past a switch that takes all rows; returns the rows that it was offered, those
/// that were forwarded, and the worker.
fn alone(task: Task, batch: RecordBatch, is_all: bool) -> (Vec<usize>, usize, Worker) {
    let path = Survivors(0, Mutex::default());
    let mut worker = Worker::new(task).expect("a worker");
    let forwarded = block_on(async {
        if is_all {
            worker.has_all(&batch);
        }
        worker.step(batch, &path).await.expect("a step").num_rows()
    });
    (path.1.into_inner().expect("it has not panicked"), forwarded, worker)
}

/// R-QRY-42: 100 integers take 800 bytes.
#[test]
fn a_small_result_is_not_offered() {
    let numbers = || batch(vec![Arc::new(Int64Array::from_iter_values(0..100))]);
    let task = |small| Task { small, ..task(Offer::Distinct { groups: 1 }, &numbers()) };
    for (small, is_all, offered) in [(800, true, 0), (799, true, 100), (800, false, 100)] {
        let (all, forwarded, _) = alone(task(small), numbers(), is_all);
        assert_eq!(all.iter().sum::<usize>(), offered, "{small} {is_all}");
        assert_eq!(forwarded, 100 - offered, "{small} {is_all}");
    }
}

/// A short text, two long ones, of which one is there twice, and a NULL.
fn texts() -> ArrayRef {
    let long = Some("longer than eight bytes");
    Arc::new(StringArray::from(vec![Some("short"), long, long, Some("123456789"), None]))
}

/// R-QRY-41: a sum keeps no value whose key is the value itself.
#[test]
fn a_sum_keeps_values_behind_hashes_alone() {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..5));
    let rows = batch(vec![texts(), numbers]);
    let offer = Offer::Sum { groups: 1, addends: vec![Addend::Integer(1)] };
    let (offered, forwarded, worker) = alone(task(offer, &rows), rows, false);
    assert_eq!((offered, forwarded), (vec![5], 0));
    let mut keys: Vec<u64> = worker.absorbed().map(|(key, _)| key >> 61).collect();
    keys.sort_unstable();
    assert_eq!(keys, [0b101; 3], "two long texts and NULL");
}

/// R-QRY-15, R-QRY-42: values behind hashes follow once, and do not meet the switch if the worker
/// has combined its rows.
#[test]
fn values_behind_hashes_follow_rows_that_were_dropped() {
    let rows = batch(vec![texts()]);
    let task = |combined| Task { combined, ..task(Offer::Distinct { groups: 1 }, &rows) };
    let (offered, forwarded, worker) = alone(task(false), rows.clone(), false);
    assert_eq!((offered, forwarded), (vec![5], 0));
    let dropped = worker.dropped().expect("columns").expect("rows");
    assert_eq!(dropped.num_rows(), 3, "two long texts and NULL");
    let (offered, forwarded, worker) = alone(task(true), rows.clone(), false);
    assert_eq!((offered, forwarded), (vec![1], 4));
    assert!(worker.dropped().expect("columns").is_none());
}

/// R-QRY-19: a row with a NULL among its sums goes past the switch.
#[test]
fn sums_that_are_null_go_past() {
    let keys: ArrayRef = Arc::new(Int64Array::from_iter_values(0..3));
    let sums: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]));
    let rows = batch(vec![keys, sums]);
    let offer = Offer::Sum { groups: 1, addends: vec![Addend::Integer(1)] };
    let (offered, forwarded, _) = alone(task(offer, &rows), rows, false);
    assert_eq!((offered, forwarded), (vec![2], 1));
}
