//! Answers as values that compare.

use std::path::Path;

use datafusion::arrow::array::RecordBatch;
use datafusion::common::ScalarValue;
use netfold_query::{Query, Settings};

/// Ways to run a query through the switch. Small tables make rows leave them; few rows are offered
/// in all ways but the last.
pub const WAYS: [&[&str]; 4] = [
    &["netfold.small=0"],
    ROWS,
    &[
        "netfold.small=0",
        "netfold.combine=false",
        "netfold.rows=2",
        "netfold.width=2",
        "netfold.filter=64",
    ],
    &[],
];

/// The way in which each row is offered.
pub const ROWS: &[&str] = &["netfold.small=0", "netfold.combine=false"];

/// The settings of DataFusion alone, with `workers` partitions.
pub fn plain(workers: usize) -> Settings {
    Settings { workers, cluster: Vec::new(), switch: None, plain: true, set: Vec::new() }
}

/// The settings of one of [`WAYS`].
pub fn switched(workers: usize, way: &[&str]) -> Settings {
    let set = way.iter().map(|setting| (*setting).to_owned()).collect();
    Settings { workers, cluster: Vec::new(), switch: None, plain: false, set }
}

/// A row as text that tells all values apart, but no NaN from another.
pub type Row = Vec<String>;

/// Runs a query and returns its rows in order.
pub async fn rows(sql: &str, folder: &Path, settings: &Settings) -> Vec<Row> {
    let query = Query::plan(sql, folder, settings).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
    let batches = query.run().await.unwrap_or_else(|e| panic!("{sql}: {e}"));
    batches.iter().flat_map(texts).collect()
}

/// The rows of a batch.
pub fn texts(batch: &RecordBatch) -> Vec<Row> {
    let text =
        |column: usize, row: usize| match ScalarValue::try_from_array(batch.column(column), row)
            .expect("a value")
        {
            ScalarValue::Float32(Some(x)) if x.is_nan() => "NaN".into(),
            ScalarValue::Float64(Some(x)) if x.is_nan() => "NaN".into(),
            ScalarValue::Float32(Some(x)) => format!("{:08x}", x.to_bits()),
            ScalarValue::Float64(Some(x)) => format!("{:016x}", x.to_bits()),
            other => format!("{other:?}"),
        };
    let columns = 0..batch.num_columns();
    (0..batch.num_rows()).map(|row| columns.clone().map(|at| text(at, row)).collect()).collect()
}

/// The rows without their order.
pub fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    rows
}

/// A runtime with as many threads as workers.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(future)
}
