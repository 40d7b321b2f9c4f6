//! Traces of MPI programs, replayed on other networks (R-MTR-8 to R-MTR-11).

use std::num::NonZero;

use netfold_sim::Calibration;
use netfold_sim::plans::{Cell, Figures, Means};
use netfold_sim::replay::{Replay, Sizes, Trace};

/// Microseconds between two calls of a rank.
const GAP_US: u64 = 400;

/// A trace of so many ranks, which make these calls (name and bytes) one after the other, and begin
/// again so often.
fn trace(ranks: u64, calls: &[(&str, u64)], rounds: u64) -> Trace {
    let mut text = String::new();
    for rank in 0..ranks {
        text += &format!(r#"{{"trace":1,"rank":{rank},"size":{ranks},"program":"p"}}"#);
        text += "\n";
        for n in 0..rounds * calls.len() as u64 {
            let (call, bytes) = calls[n as usize % calls.len()];
            // Rank 0 comes first to each call and waits in it; the last one does not.
            let start = n * (GAP_US + 50) * 1000;
            let end = start + 50_000;
            let line = format!(
                r#"{{"rank":{rank},"n":{n},"call":"{call}","comm":"world","size":{ranks},"bytes":{bytes},"received":{bytes},"start":{start},"end":{end}}}"#
            );
            text += &line;
            text += "\n";
        }
    }
    Trace::parse([("a trace", &*text)]).unwrap()
}

fn replayed(nodes: &[u32], at_one_switch: bool, sizes: &str, trace: Trace) -> Figures {
    let sizes = if sizes.is_empty() { Sizes::default() } else { sizes.parse().unwrap() };
    let replay = Replay::new(None, nodes.to_vec(), at_one_switch, sizes).unwrap();
    let threads = Some(NonZero::<usize>::MIN);
    let means = Means { seed: 1, calibration: Calibration::built_in(), threads };
    replay.run(&[("app".to_owned(), trace)], &means).unwrap()
}

fn number(cell: &Cell) -> f64 {
    match cell {
        Cell::Number(number, _) => *number,
        other => panic!("{other:?} is no number"),
    }
}

/// Time is that between calls, m/n of the trace's, and that of all calls.
#[test]
fn an_application_takes_its_gaps_and_its_calls() {
    let calls = [("MPI_Allreduce", 8), ("MPI_Bcast", 2000), ("MPI_Barrier", 0)];
    for at_one_switch in [false, true] {
        let figures = replayed(&[4, 8], at_one_switch, "", trace(2, &calls, 5));
        for nodes in [4_u32, 8] {
            let of = |what: &str| figures.values[&format!("{what}.app.{nodes}")];
            // R-MTR-9: 15 calls have 14 gaps.
            let between_s = 14.0 * GAP_US as f64 * 2.0 / f64::from(nodes) / 1e6;
            assert!((of("between_s") - between_s).abs() < 1e-9, "{}", of("between_s"));
            let rows =
                figures.sheets[1].rows.iter().filter(|row| number(&row[1]) == f64::from(nodes));
            let (mut mpi_us, mut netfold_us, mut count) = (0.0, 0.0, 0.0);
            for row in rows {
                let calls = number(&row[5]);
                count += calls;
                mpi_us += calls * number(&row[6]);
                netfold_us += calls * number(&row[8]).min(number(&row[6]));
            }
            assert_eq!(count, 15.0);
            assert!((of("mpi_s") - between_s - mpi_us / 1e6).abs() < 1e-9, "{figures:?}");
            assert!((of("netfold_s") - between_s - netfold_us / 1e6).abs() < 1e-9);
            // Each of MPI's calls has messages with an overhead of 14.8 us, log2 n of them.
            assert!(mpi_us > 15.0 * 14.8 * f64::from(nodes.ilog2()), "{mpi_us}");
            assert!(netfold_us < mpi_us);
            let less = (1.0 - of("netfold_s") / of("mpi_s")) * 100.0;
            assert!((of("less_percent") - less).abs() < 1e-9);
        }
    }
}

/// R-MTR-11: a torus has no exchanges of netfold's, so these are MPI's, and nothing is gained.
#[test]
fn exchanges_are_netfolds_at_one_switch() {
    let calls = [("MPI_Alltoall", 4096), ("MPI_Scan", 64)];
    let torus = replayed(&[4], false, "", trace(2, &calls, 2));
    assert_eq!(torus.values["less_percent.app.4"], 0.0);
    assert!(torus.sheets[1].rows.iter().all(|row| row[8] == Cell::Missing));
    let switch = replayed(&[4], true, "", trace(2, &calls, 2));
    assert!(switch.values["less_percent.app.4"] > 0.0, "{:?}", switch.values);
}

/// Calls that are longer than what is simulated are extended, by netfold and by each rule of
/// lengths.
#[test]
fn long_calls_are_extended() {
    let calls = [("MPI_Allreduce", 8 << 20), ("MPI_Allgather", 1 << 20), ("MPI_Reduce", 1 << 20)];
    let mut before = f64::INFINITY;
    for rule in ["rank", "total"] {
        let figures = replayed(&[4], false, rule, trace(2, &calls, 1));
        let rows = &figures.sheets[1].rows;
        assert_eq!(rows.len(), 3);
        let us: f64 = rows.iter().map(|row| number(&row[8])).sum();
        // What comes down a link of 95.9 Gbit/s takes that long at least.
        let bytes: f64 = rows
            .iter()
            .map(|row| match &row[2] {
                Cell::Text(name) if name == "all-gather" => 3.0 * number(&row[4]),
                _ => number(&row[4]),
            })
            .sum();
        assert!(us > bytes * 8.0 / 95.9e3, "{us}");
        assert!(us < before, "half as long takes less");
        before = us;
    }
}

#[test]
fn what_is_no_network_is_told() {
    let refused = |nodes: u32, parameters: Option<&str>| {
        Replay::new(parameters, vec![nodes], false, Sizes::default()).unwrap_err().to_string()
    };
    assert!(refused(1, None).contains("nodes = 1"));
    assert!(refused(2000, None).contains("2 to 1024"));
    assert!(refused(8, Some("gbps = 3")).contains("gbps"));
}
