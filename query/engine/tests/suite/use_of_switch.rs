//! A worker that finds the switch of little use goes on without it (R-QRY-40).

use std::sync::Arc;
use std::sync::Mutex;

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch};
use datafusion::error::Result;
use netfold_query::exchange::{Offer, Offered, Path, Task, Worker};

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

/// Returns the rows that were offered of two batches, and the rows that were forwarded.
fn stepped(rows: usize, survivors: usize) -> (Vec<usize>, Vec<usize>) {
    let batch = |from: i64| {
        let column: ArrayRef = Arc::new(Int64Array::from_iter_values(from..from + rows as i64));
        RecordBatch::try_from_iter([("k", column)]).expect("a batch")
    };
    let task = Task {
        offer: Arc::new(Offer::Distinct { groups: 1 }),
        schema: batch(0).schema(),
        partition: 0,
        seed: 1,
        probes: Vec::new(),
        builds: Vec::new(),
    };
    let path = Survivors(survivors, Mutex::default());
    let mut forwarded = Vec::new();
    block_on(async {
        let mut worker = Worker::new(task).expect("a worker");
        for from in [0, rows as i64] {
            let out = worker.step(batch(from), &path).await.expect("a step");
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
