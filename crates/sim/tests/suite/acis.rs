//! ACiS's figures in their short forms, beside closed formulas.

use std::fs;
use std::path::Path;

use netfold_sim::Calibration;
use netfold_sim::plans::{Figures, Means, Plan};

/// Table II.
const OVERHEAD_US: f64 = 14.8;
const BYTE_US: f64 = 8.0 / 95.9e3;
const HOST_US: f64 = 0.9;
const HOP_US: f64 = 0.44;
const PORT_US: f64 = 0.052;

/// Of netfold's packets, and of MPI's.
const AROUND_BYTES: f64 = 40.0 + 66.0;
const AROUND_MPI_BYTES: f64 = 24.0 + 66.0;
const PAYLOAD_BYTES: f64 = 1024.0;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("plans").join(format!("{name}.toml"));
    fs::read_to_string(path).unwrap()
}

fn found(text: &str) -> Figures {
    let means = Means { seed: 1, calibration: Calibration::built_in(), threads: None };
    Plan::parse(text, true).unwrap().run(&means).unwrap()
}

fn is_about(one: f64, other: f64, within: f64) {
    assert!((one / other - 1.0).abs() < within, "{one} {other}");
}

/// Of 8 nodes, each is a hop away from its partner in each step of doubling, and three hops from
/// the farthest.
#[test]
fn short_calls_take_their_latency() {
    let figures = found(&text("acis-figure-3"));
    let us = |at: &str| figures.values[at];
    let fold_us = PORT_US + 0.1;
    // What goes down has the vector. What goes up has it, too, but where workers receive only.
    for (collective, up_bytes) in [("all_reduce", 4.0), ("broadcast", 0.0)] {
        let wire_us = (2.0 * AROUND_BYTES + 4.0 + up_bytes) * BYTE_US;
        let hops_us = 3.0 * (wire_us + 2.0 * HOP_US) + 7.0 * fold_us;
        let torus_us = wire_us + 2.0 * HOST_US + hops_us + OVERHEAD_US;
        let switch_us = wire_us + 2.0 * (HOST_US + HOP_US) + fold_us + OVERHEAD_US;
        // Picoseconds are whole.
        is_about(us(&format!("netfold_us.torus.{collective}.8.4")), torus_us, 1e-6);
        let longest_us = us(&format!("netfold_us.switch.{collective}.8.4"));
        // The root of a broadcast is as far from the switch as the others, and sends the vector.
        let roots_us = if up_bytes > 0.0 { 0.0 } else { 4.0 * BYTE_US };
        is_about(longest_us, switch_us + roots_us, 1e-6);
    }
    let message_us = (AROUND_MPI_BYTES + 4.0) * BYTE_US;
    let step_us = OVERHEAD_US + 2.0 * HOST_US + HOP_US + 2.0 * PORT_US + 3.0 * message_us;
    is_about(us("mpi_us.torus.all_reduce.8.4"), 3.0 * step_us, 1e-6);
    let step_us = OVERHEAD_US + 2.0 * (HOST_US + HOP_US) + PORT_US + 2.0 * message_us;
    is_about(us("mpi_us.switch.all_reduce.8.4"), 3.0 * step_us, 1e-6);
}

/// The busiest links of netfold carry the vector once, those of MPI no less than what a worker must
/// get: times are between what that takes and a little more.
#[test]
fn long_calls_take_their_bytes() {
    let figures = found(&text("acis-figure-3"));
    let (bytes, nodes) = (1_048_576.0, 8.0);
    let vector_us = bytes * (1.0 + AROUND_BYTES / PAYLOAD_BYTES) * BYTE_US;
    let moved_us = bytes * (1.0 + AROUND_MPI_BYTES / 1408.0) * BYTE_US;
    for place in ["torus", "switch"] {
        for (collective, vectors) in [
            ("all_gather", nodes),
            ("all_reduce", 1.0),
            ("broadcast", 1.0),
            ("gather", nodes - 1.0),
        ] {
            let us = figures.values[&format!("netfold_us.{place}.{collective}.8.1048576")];
            let latency_us = figures.values[&format!("netfold_us.{place}.{collective}.8.4")];
            assert!(us > vectors * vector_us, "{place} {collective}: {us}");
            // Gathers wait for the stream's other rounds, which carry headers.
            assert!(
                us < vectors * vector_us * 1.07 + latency_us + 2.0,
                "{place} {collective}: {us}"
            );
            // No algorithm moves less than what a rank lacks.
            let lacks = if vectors > 1.0 { nodes - 1.0 } else { 1.0 };
            let us = figures.values[&format!("mpi_us.{place}.{collective}.8.1048576")];
            assert!(us > lacks * moved_us, "{place} {collective}: {us}");
        }
    }
}

/// Extended times are those of a simulation of the whole, but for the beginning of a call.
#[test]
fn extended_times_are_those_of_whole_simulations() {
    let text = text("acis-figure-3");
    let whole = found(&text.replace("most_blocks = 2100", "most_blocks = 100000"));
    let (mut checked, extended) = (0, found(&text));
    for (name, us) in &extended.values {
        if name.starts_with("netfold_us.") {
            is_about(*us, whole.values[name], 0.02);
            checked += usize::from(name.contains("gather") && name.ends_with("1048576"));
        }
    }
    assert_eq!(checked, 4);
    assert!(extended.sheets[0].rows.len() == 4 * 5);
}

/// With an array in the place of a latency of our choice, a short call takes the cycles of its fold
/// longer: those of the sum, of all nodes' packets one behind the other, or those of a copy.
#[test]
fn figures_can_be_had_with_an_array() {
    const CYCLE_US: f64 = 0.004;
    let text = text("acis-figure-3").replace("[2, 2, 2]", "[2, 1, 1]");
    let text = text.replace("sizes = [4, 1024, 65_536, 262_144, 1_048_576]", "sizes = [4, 1024]");
    let plain = found(&text.replace("fold_ns = 100", "fold_ns = 0"));
    let array = found(&text.replace("fold_ns = 100", "fold_ns = 0\narray = \"acis\""));
    for (collective, contributors) in [("all_reduce", 2.0), ("broadcast", 1.0)] {
        let at = format!("netfold_us.switch.{collective}.2.4");
        let more = (array.values[&at] - plain.values[&at]) / CYCLE_US;
        // Two loads, one operation at most, and a store: 2 + 1 + 2 cycles and some on links.
        let cycles = more - (contributors - 1.0);
        assert!((4.0..16.0).contains(&cycles), "{collective}: {cycles}");
        is_about(cycles, cycles.round(), 1e-6);
    }
}
