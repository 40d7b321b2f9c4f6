//! Sums and extremes of floats, beside what DataFusion's own give.

use std::collections::HashMap;

use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::{Float32Type, Float64Type, Int64Type};
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use netfold_query::data::{self, HardTables};
use netfold_query::{Query, Settings};

use super::support::{ROWS, WAYS, block_on, switched};

/// DataFusion adds n values with a relative error of at most (n - 1) u / (1 - (n - 1) u) of the sum
/// of their magnitudes, whatever the order (Higham, "Accuracy and Stability of Numerical
/// Algorithms", 4.2), u being 2^-53. Ours is the sum rounded once, which adds u of the sum.
#[test]
fn exact_sums_are_within_the_bound_of_datafusions_own() {
    block_on(async {
        for seed in 0..5 {
            let folder = tempfile::tempdir().expect("a folder");
            let tables = HardTables { facts: 3_000, sides: 1, parts: 2 };
            data::hard(folder.path(), tables, seed).expect("data");
            let sql = "select k, sum(g), sum(abs(g)), count(g) from facts group by k";
            let own = SessionContext::new();
            let place = folder.path().join("facts");
            let place = place.to_str().expect("a name");
            own.register_parquet("facts", place, ParquetReadOptions::default())
                .await
                .expect("facts");
            let mut sums = HashMap::new();
            for batch in own.sql(sql).await.expect("a plan").collect().await.expect("an answer") {
                let keys = batch.column(0).as_primitive::<Int64Type>();
                let sum = batch.column(1).as_primitive::<Float64Type>();
                for (key, sum) in keys.iter().zip(sum.iter()) {
                    sums.insert(key, sum);
                }
            }
            let settings: Settings = switched(2, WAYS[0]);
            let query = Query::plan(sql, folder.path(), &settings).await.expect("a plan");
            let mut groups = 0;
            for batch in query.run().await.expect("an answer") {
                let keys = batch.column(0).as_primitive::<Int64Type>();
                let sum = batch.column(1).as_primitive::<Float64Type>();
                let magnitude = batch.column(2).as_primitive::<Float64Type>();
                let count = batch.column(3).as_primitive::<Int64Type>();
                for row in 0..batch.num_rows() {
                    let key = keys.is_valid(row).then(|| keys.value(row));
                    let Some(other) = sums[&key] else {
                        assert!(sum.is_null(row));
                        continue;
                    };
                    let n = count.value(row) as f64;
                    let u = f64::EPSILON / 2.0;
                    let bound = n * u / (1.0 - n * u) * magnitude.value(row);
                    assert!((sum.value(row) - other).abs() <= bound, "seed {seed}, group {key:?}");
                    groups += 1;
                }
            }
            assert!(groups > 0);
        }
    });
}

/// The largest in the total order is found by sorting: the oracle is `ORDER BY` of the same table.
#[test]
fn extremes_of_groups_are_those_of_the_order() {
    block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = HardTables { facts: 3_000, sides: 1, parts: 2 };
        data::hard(folder.path(), tables, 3).expect("data");
        let settings = switched(2, ROWS);
        let run = async |sql: &str| {
            let query = Query::plan(sql, folder.path(), &settings).await.expect("a plan");
            query.run().await.expect("an answer")
        };
        for group in 0..3 {
            let all =
                run(&format!("select f from facts where k = {group} and f is not null order by f"))
                    .await;
            let values: Vec<f32> = all
                .iter()
                .flat_map(|batch| batch.column(0).as_primitive::<Float32Type>().values().to_vec())
                .collect();
            for (function, expected) in [("min", values.first()), ("max", values.last())] {
                let sql =
                    format!("select k, {function}(f) from facts where k = {group} group by k");
                let batches = run(&sql).await;
                let found = batches
                    .iter()
                    .find(|batch| batch.num_rows() > 0)
                    .map(|batch| batch.column(1).as_primitive::<Float32Type>().value(0).to_bits());
                assert_eq!(found, expected.map(|value| value.to_bits()), "{sql}");
            }
        }
    });
}
