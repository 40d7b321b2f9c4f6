use toml::Table;

use super::*;
use crate::calibration::Calibration;

/// Table II, and bytes around data.
const BYTE_US: f64 = 8.0 / 95.9e3;
const PACKET_BYTES: f64 = 1024.0 + 40.0 + 66.0;
const AROUND_MPI: f64 = 1.0 + 90.0 / 1408.0;
const OVERHEAD_US: f64 = 14.8;
const LINK_US: f64 = 0.9 + 0.44;

fn means() -> Means {
    Means { seed: 1, calibration: Calibration::built_in(), threads: None }
}

/// The short form of the plan.
fn figure() -> Convolution {
    let mut table: Table = include_str!("../../../plans/acis-figure-4.toml").parse().unwrap();
    let Some(toml::Value::Table(shorter)) = table.remove("quick") else { panic!("no short form") };
    table.extend(shorter);
    for key in ["title", "paper", "figure", "claims"] {
        table.remove(key);
    }
    Convolution::deserialize(table).unwrap()
}

/// Vertices 0, 2 and 4 on one worker, 1 and 3 on the other: 0 has two neighbours elsewhere and one
/// here, 3 has one elsewhere, and 4 none at all.
#[test]
fn calls_carry_what_was_counted_by_hand() {
    let parts = Parts::of(5, [(0, 1), (0, 3), (0, 2)].into_iter(), 2);
    assert_eq!((&parts.vertices[..], &parts.local[..]), (&[3, 2][..], &[2, 0][..]));
    assert_eq!((&parts.remote[..], &parts.border[..]), (&[2, 2][..], &[1, 2][..]));
    // The second worker needs row 0, and the first rows 1 and 3.
    assert_eq!(parts.needed, [0, 1, 2, 0]);
    let calls = Calls::of(&parts, 10);
    // Rows 1 and 3 go up, and their sums come down, of 10 features; the switch reads four rows.
    assert_eq!((calls.upload_bytes, calls.request_bytes, calls.read_bytes), (80, 80, 160));
    // Rows of a feature are shorter than the four numbers of vertices that ask for them.
    assert_eq!(Calls::of(&parts, 1).request_bytes, 16);
}

/// A worker alone does nothing but compute, in the order that takes less time.
#[test]
fn one_worker_computes_and_waits_for_nobody() {
    let figure = Convolution { nodes: vec![1], ..figure() };
    let found = figure.run(&means()).unwrap();
    for (dataset, vertices, edges, layers) in [
        ("sparse", 2_000.0, 3_000.0, [(200.0, 128.0), (128.0, 5.0)]),
        ("dense", 2_000.0, 100_000.0, [(64.0, 128.0), (128.0, 40.0_f64)]),
    ] {
        let layer = |(from, to): &(f64, f64)| {
            vertices * from * to * figure.core.dense_ns
                + (vertices + 2.0 * edges) * from.min(*to) * figure.core.feature_ns
        };
        let us = layers.iter().map(layer).sum::<f64>() / 1e3;
        for (variant, cores) in [("each", 48.0), ("core", 1.0)] {
            for system in ["mpi", "netfold"] {
                let found = found.values[&format!("{system}_us.{variant}.{dataset}.1")];
                assert!((found * cores / us - 1.0).abs() < 1e-9, "{system} {found} {us}");
            }
        }
    }
}

/// A worker's link carries each round's packet, and each row that it fetches, with what is around
/// them; what comes on top are messages' overheads, or the way to the switch and back.
#[test]
fn exchanges_take_their_bytes() {
    let figure = figure();
    let dataset = &figure.datasets[1];
    let edges = || graph::edges(dataset.vertices, dataset.edges, 1);
    let places: Vec<_> = [4_u16, 8].map(|nodes| (dataset, nodes)).into();
    let parts: Vec<_> =
        places.iter().map(|(_, nodes)| Parts::of(dataset.vertices, edges(), *nodes)).collect();
    let exchanges = Exchanges::of(&figure, &places, &parts, &means()).unwrap();
    for ((_, nodes), parts) in places.iter().zip(&parts) {
        let others = f64::from(nodes - 1);
        for width in [40, 64, 128] {
            let Calls { request_bytes, .. } = Calls::of(parts, width);
            let rounds = others * (request_bytes as f64 / others / 1024.0).ceil();
            let us = exchanges.call_us(*nodes, request_bytes, 14_800) - OVERHEAD_US;
            let least = rounds * PACKET_BYTES * BYTE_US;
            let way = 2.0 * (LINK_US + PACKET_BYTES * BYTE_US) + 0.152;
            assert!((least..least * 1.02 + way).contains(&us), "{nodes} {width}: {us} {least}");
            let of_part = |part: usize| -> u64 {
                (0..usize::from(*nodes))
                    .map(|from| parts.needed[from * usize::from(*nodes) + part])
                    .sum()
            };
            let rows = (0..usize::from(*nodes)).map(of_part).max().unwrap() as f64;
            let bytes = rows * width as f64 * 4.0;
            let us = exchanges.fetch_us(&(14_800, "dense".into(), (*nodes).into(), width));
            let least = bytes * AROUND_MPI * BYTE_US;
            let most = least * 1.5 + others * (OVERHEAD_US + 2.0 * LINK_US + 1.0);
            assert!((least..most).contains(&us), "{nodes} {width}: {least} {us} {most}");
        }
    }
}

/// Exchanges that are extended are as long as if they were simulated whole.
#[test]
fn extended_exchanges_are_those_of_whole_simulations() {
    let run = |most_rounds| {
        let figure = Convolution { most_rounds, ..figure() };
        figure.run(&means()).unwrap().values
    };
    let (whole, extended) = (run(100_000), run(64));
    assert!(whole.len() == extended.len() && whole != extended);
    for (name, value) in &whole {
        assert!((extended[name] / value - 1.0).abs() < 0.01, "{name}: {} {value}", extended[name]);
    }
}

/// With many neighbours for each vertex MPI fetches nearly all rows, and netfold gets a sum for
/// each: the fewer parts there are, the fewer rows that is in proportion.
#[test]
fn dense_graphs_gain_more_the_more_workers_there_are() {
    let values = figure().run(&means()).unwrap().values;
    let gain = |dataset: &str, nodes| values[&format!("gain.each.{dataset}.{nodes}")];
    assert!(gain("dense", 8) > gain("dense", 4) && gain("dense", 4) > 1.0);
    assert!(gain("dense", 8) > gain("sparse", 8));
    let memory = values["netfold_us.one.dense.8"] >= values["netfold_us.each.dense.8"];
    assert!(memory && (gain("dense", 1) - 1.0).abs() < 1e-12);
}
