//! The five queries of FPISA's figure 13, on hard data.

use std::path::Path;

use netfold_query::data;

use super::support::{Row, WAYS, block_on, plain, rows, sorted, switched};

/// Seeds of `make test-query`; NETFOLD_SEEDS takes others, as FIRST..END.
pub fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("NETFOLD_SEEDS") else { return 0..20 };
    let (first, end) = text.split_once("..").expect("NETFOLD_SEEDS=FIRST..END");
    first.parse().expect("a number")..end.parse().expect("a number")
}

fn query(name: &str) -> String {
    let path = format!("{}/../queries/{name}.sql", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a query of the project")
}

/// Runs a query in every way beside DataFusion alone.
async fn same(name: &str, folder: &Path, seed: u64, compare: impl Fn(Vec<Row>) -> Vec<Row>) {
    let sql = query(name);
    let expected = compare(rows(&sql, folder, &plain(2)).await);
    for (way, workers) in WAYS.into_iter().zip([1, 2, 3, 2]) {
        let answer = compare(rows(&sql, folder, &switched(workers, way)).await);
        assert_eq!(answer, expected, "{name}, seed {seed}, {workers} workers, {way:?}");
    }
}

/// The columns that decide; which of the rows that are equal in them come last is not defined.
fn only(columns: &[usize]) -> impl Fn(Vec<Row>) -> Vec<Row> {
    |rows| {
        let one = |row: Row| columns.iter().map(|column| row[*column].clone()).collect();
        rows.into_iter().map(one).collect()
    }
}

#[test]
fn big_data_queries_have_the_answers_of_datafusion() {
    block_on(async {
        for seed in seeds() {
            let folder = tempfile::tempdir().expect("a folder");
            data::visits(folder.path(), 2_000, 3, seed, true).expect("data");
            same("top-n", folder.path(), seed, only(&[3])).await;
            same("having-max", folder.path(), seed, sorted).await;
            same("group-sum", folder.path(), seed, sorted).await;
        }
    });
}

#[test]
fn tpch_queries_have_the_answers_of_datafusion() {
    block_on(async {
        for seed in seeds() {
            let folder = tempfile::tempdir().expect("a folder");
            data::tpch(folder.path(), 0.002, 2, Some(seed)).expect("data");
            same("tpch-q3", folder.path(), seed, only(&[1, 2])).await;
            same("tpch-q20", folder.path(), seed, |rows| rows).await;
        }
    });
}
