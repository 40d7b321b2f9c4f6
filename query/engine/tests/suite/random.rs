//! Queries drawn from seeds, over tables of hard values.

use netfold_query::data::{self, HardTables};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::answers::seeds;
use super::support::{WAYS, block_on, plain, rows, sorted, switched};

/// Queries for each seed.
const QUERIES: usize = 8;

/// A query, and whether its rows have an order.
fn query(random: &mut Pcg64) -> (String, bool) {
    let any = |random: &mut Pcg64, all: &[&str]| (*all.choose(random).expect("some")).to_owned();
    let columns = ["k", "s", "f", "d", "g", "m", "day", "n"];
    let filter = any(
        random,
        &[
            "",
            " where n > 0",
            " where f < d",
            " where k is not null and d >= -0.0",
            " where n = 77",
        ],
    );
    let group = any(random, &["k", "s", "n", "day", "k, n", "s, day", "f", "m", "f > 0, n"]);
    match random.random_range(0..7) {
        0 => {
            // Without zeros of both signs: DataFusion sorts them apart and compares them as equal,
            // so that its own first n rows depend on batches and partitions.
            let columns = ["k", "s", "f + 0", "d + 0", "g", "m", "day", "n"];
            let (first, second) = (any(random, &columns), any(random, &columns));
            let way = any(random, &["", " desc", " nulls first", " desc nulls last"]);
            let limit = random.random_range(1..60);
            // The number of a row decides in the end, so that there is one answer.
            let order = format!("{first}{way}, {second} desc, id");
            (format!("select * from facts{filter} order by {order} limit {limit}"), true)
        }
        1 => (format!("select distinct {group} from facts{filter}"), false),
        2 => {
            let of = any(random, &columns);
            let function = any(random, &["max", "min"]);
            let having = any(random, &["", " having count(*) > 3"]);
            let having = if having.is_empty() {
                any(
                    random,
                    &[String::new(), format!(" having {function}({of}) is not null")]
                        .each_ref()
                        .map(String::as_str),
                )
            } else {
                having
            };
            (
                format!(
                    "select {group}, {function}({of}) from facts{filter} group by {group}{having}"
                ),
                false,
            )
        }
        3 => {
            let of = any(random, &["f", "d", "g", "m", "n", "k", "id"]);
            let more =
                any(random, &["", ", count(*)", ", sum(n)", ", count(f), sum(m)", ", avg(n)"]);
            (
                format!(
                    "select {group}, sum({of}) as total{more} from facts{filter} group by {group}"
                ),
                false,
            )
        }
        4 => {
            let function = any(
                random,
                &[
                    "sum(f)",
                    "sum(g)",
                    "max(d)",
                    "min(s)",
                    "count(s)",
                    "max(f), min(f)",
                    "count(distinct k)",
                ],
            );
            (format!("select {function} from facts{filter}"), false)
        }
        5 => {
            let kind = any(random, &["join", "left join", "right join", "full join"]);
            let on = any(
                random,
                &[
                    "facts.k = sides.k",
                    "facts.s = sides.s",
                    "facts.k = sides.k and facts.s = sides.s",
                    "facts.f = sides.w",
                ],
            );
            (format!("select facts.id, label, w from facts {kind} sides on {on}"), false)
        }
        _ => {
            let within = any(random, &["in", "not in"]);
            let of = any(random, &["k", "s"]);
            let inner =
                any(random, &["", " where w > 0", " where k is not null and s is not null"]);
            (
                format!(
                    "select n, sum(g), count(*) from facts where {of} {within} \
                     (select {of} from sides{inner}) group by n"
                ),
                false,
            )
        }
    }
}

#[test]
fn random_queries_have_the_answers_of_datafusion() {
    block_on(async {
        for seed in seeds() {
            let mut random = Pcg64::seed_from_u64(seed);
            let tables = HardTables {
                facts: random.random_range(0..3_000),
                sides: random.random_range(0..300),
                parts: random.random_range(1..4),
            };
            let folder = tempfile::tempdir().expect("a folder");
            data::hard(folder.path(), tables, seed).expect("data");
            for _ in 0..QUERIES {
                let (sql, ordered) = query(&mut random);
                let order = |rows| if ordered { rows } else { sorted(rows) };
                let expected = order(rows(&sql, folder.path(), &plain(1)).await);
                let workers = random.random_range(1..4);
                for way in WAYS {
                    let answer = order(rows(&sql, folder.path(), &switched(workers, way)).await);
                    assert_eq!(answer, expected, "seed {seed}, {workers} workers, {way:?}: {sql}");
                }
            }
        }
    });
}
