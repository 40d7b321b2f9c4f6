//! Plans as EXPLAIN shows them: what the switch takes over, and what it refuses by name.

use netfold_query::data::{self, HardTables};
use netfold_query::{Query, Settings};

use super::support::{ROWS, WAYS, block_on, plain, rows, switched};

fn with_tables<T>(f: impl AsyncFn(&std::path::Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = HardTables { facts: 4_000, sides: 100, parts: 2 };
    data::hard(folder.path(), tables, 1).expect("data");
    block_on(f(folder.path()))
}

async fn explain(sql: &str, folder: &std::path::Path, settings: &Settings) -> String {
    Query::plan(sql, folder, settings).await.expect("a plan").explain()
}

#[test]
fn programs_are_chosen_by_what_is_above_a_scan() {
    with_tables(async |folder| {
        for (sql, program) in [
            ("select * from facts order by f desc limit 5", "program=top-n, n=5"),
            ("select distinct k from facts", "program=distinct, keys=1"),
            ("select k, max(f) from facts group by k", "program=group-max, keys=1"),
            ("select k, n, min(d) from facts group by k, n", "program=group-min, keys=2"),
            ("select sum(f), count(*) from facts", "program=group-sum, keys=0, sums=2"),
            ("select id from facts", "program=none"),
        ] {
            let plan = explain(sql, folder, &switched(2, &[])).await;
            assert!(plan.contains(program), "{sql}\n{plan}");
            let plan = explain(sql, folder, &plain(2)).await;
            assert!(!plan.contains("SwitchExchangeExec"), "{sql}\n{plan}");
            let plan = explain(sql, folder, &switched(2, &["netfold.enabled=false"])).await;
            assert!(!plan.contains("SwitchExchangeExec"), "{sql}\n{plan}");
        }
    });
}

#[test]
fn a_join_ties_two_exchanges() {
    with_tables(async |folder| {
        let sql = "select label, f from facts join sides on facts.k = sides.k";
        let plan = explain(sql, folder, &switched(2, &[])).await;
        assert!(plan.contains("fills=bloom 0 of [k]"), "{plan}");
        assert!(plan.contains("pruned by=bloom 0 of [k]"), "{plan}");
        let full = "select label, f from facts full join sides on facts.k = sides.k";
        let plan = explain(full, folder, &switched(2, &[])).await;
        assert!(!plan.contains("bloom"), "{plan}");
    });
}

#[test]
fn what_the_switch_cannot_do_is_refused_by_name() {
    with_tables(async |folder| {
        for (sql, reason) in [
            ("select k, avg(f) from facts group by k", "does not compute avg"),
            ("select k, max(f), min(f) from facts group by k", "beside another aggregate"),
            ("select k, n, sum(m) from facts group by rollup(k, n)", "grouping sets"),
        ] {
            let query = Query::plan(sql, folder, &switched(2, &[])).await.expect("a plan");
            let reasons = query.refusals();
            assert!(reasons.iter().any(|one| one.contains(reason)), "{sql}: {reasons:?}");
            assert!(query.explain().contains("done by the engine"), "{sql}");
        }
    });
}

#[test]
fn rows_are_pruned_and_counted() {
    with_tables(async |folder| {
        let settings = switched(2, ROWS);
        for sql in [
            "select * from facts order by g desc limit 5",
            "select distinct n from facts",
            "select n, max(g) from facts group by n",
            "select n, sum(f) from facts where n is not null group by n",
        ] {
            let query = Query::plan(sql, folder, &settings).await.expect("a plan");
            query.run().await.expect("an answer");
            let stats = query.stats();
            assert!(stats[0].offered > 3_000, "{sql}: {stats:?}");
            assert!(stats[0].forwarded < stats[0].offered, "{sql}: {stats:?}");
        }
    });
}

/// DataFusion leaves such a column out of a sort, and asks whether the rows are in its order.
#[test]
fn a_column_that_a_filter_fixes_may_be_in_an_order() {
    with_tables(async |folder| {
        let sql = "select id, n from facts where n = 2 order by day, n, id limit 37";
        let expected = rows(sql, folder, &plain(2)).await;
        assert!(!expected.is_empty());
        for way in WAYS {
            assert_eq!(rows(sql, folder, &switched(2, way)).await, expected, "{way:?}");
        }
    });
}

#[test]
fn statements_that_write_are_refused() {
    with_tables(async |folder| {
        let sql = "create table copy as select * from facts";
        assert!(Query::plan(sql, folder, &plain(1)).await.is_err());
    });
}

#[test]
fn a_folder_without_tables_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = plain(1);
    let query = Query::plan("select 1", folder.path(), &settings);
    let error = block_on(query).expect_err("no tables").to_string();
    assert!(error.contains("no table"), "{error}");
}
