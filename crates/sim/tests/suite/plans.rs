//! The short forms of all plans: what they find keeps within what theory allows.

use std::fs;
use std::path::Path;

use netfold_sim::plans::{Figures, Means, Plan};
use netfold_sim::{Calibration, Error};

/// Bytes of a full packet of netfold's with everything around it, of a ring's segment, and of an
/// acknowledgement alone.
const PACKET_BYTES: f64 = 1024.0 + 40.0 + 66.0;
const SEGMENT_BYTES: f64 = 1460.0 + 24.0 + 66.0;
const ACKNOWLEDGEMENT_BYTES: f64 = 24.0 + 66.0;

fn text(name: &str) -> String {
    fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("plans").join(format!("{name}.toml")),
    )
    .unwrap()
}

fn means() -> Means {
    Means { seed: 1, calibration: Calibration::built_in(), threads: None }
}

fn found(name: &str) -> Figures {
    let figures = Plan::parse(&text(name), true).unwrap().run(&means()).unwrap();
    assert!(figures.values.values().all(|value| value.is_finite()), "{figures:?}");
    for sheet in &figures.sheets {
        assert!(sheet.rows.iter().all(|row| row.len() == sheet.header.len()), "{sheet:?}");
    }
    figures
}

/// Values whose names begin with a text.
fn values<'a>(figures: &'a Figures, start: &'a str) -> impl Iterator<Item = (&'a str, f64)> {
    let named = figures.values.iter().filter(move |(name, _)| name.starts_with(start));
    named.map(|(name, value)| (name.as_str(), *value))
}

/// No system is faster than its links, netfold carries as much whatever the number of workers, and
/// a ring less by the bytes that it moves.
#[test]
fn rates_keep_within_their_links() {
    let figures = found("switchml-figure-3");
    assert!(values(&figures, "share.").count() == 7 * 2 * 3);
    for (name, share) in values(&figures, "share.") {
        assert!(share > 0.0 && share <= 1.0, "{name}: {share}");
    }
    let rate = |at: &str| figures.values[&format!("rate.{at}")];
    for gbps in [10, 100] {
        let of = |line: &str, workers: u16| rate(&format!("{line}.{gbps}.{workers}"));
        // The way of a packet is the same for all; only the order of arrival differs.
        assert!((of("free256", 16) / of("free256", 4) - 1.0).abs() < 0.01);
        for workers in [4, 8, 16] {
            assert!(of("free64", workers) < of("free256", workers));
            assert!(of("dpdk", workers) <= of("free256", workers) * 1.001);
            assert!(of("colocated", workers) < of("dedicated", workers));
            // A ring moves 2 (n - 1) / n vectors in segments whose headers are a smaller part, and
            // half an acknowledgement for each.
            let moved = 2.0 * f64::from(workers - 1) / f64::from(workers);
            let headers = (SEGMENT_BYTES / 1460.0) / (PACKET_BYTES / 1024.0);
            let ratio = of("free256", workers) / of("ring", workers);
            assert!(ratio > moved * headers * 0.95, "{gbps} {workers}: {ratio}");
            let acknowledged = 1.0 + ACKNOWLEDGEMENT_BYTES / 2.0 / SEGMENT_BYTES;
            // And the beginnings and ends of a short call.
            assert!(ratio < moved * headers * acknowledged * 1.05, "{gbps} {workers}: {ratio}");
        }
    }
    // Eight cores that take 880 ns for each round of 256 elements.
    assert!(rate("dpdk.100.8") < 8.0 * 256.0 / 880e-9);
}

/// Nothing is faster than computation alone, in-network aggregation never slower than a ring, and
/// never by more than the bytes that are saved.
#[test]
fn batches_keep_within_computation_and_communication() {
    let figures = found("switchml-tables-1-2");
    // Table 1's communication at line rate and 8 workers: the simulated one differs from it by
    // headers, and the profile's percentages are rounded.
    let saved = 2.0 * 7.0 / 8.0;
    for (name, speedup) in values(&figures, "speedup.ina.") {
        assert!((1.0..saved).contains(&speedup), "{name}: {speedup}");
    }
    for (name, speedup) in values(&figures, "speedup.top10.") {
        let one = figures.values[&name.replace("top10", "top1")];
        assert!(speedup <= one, "{name}: ten times the bytes, and a higher cost: {speedup} {one}");
    }
    for (name, speedup) in values(&figures, "speedup.qsgd256.") {
        // Eight bits of 32, gathered: 7 / 4 of the vector, which is what a ring moves, and the cost
        // on top.
        assert!(speedup <= 1.001, "{name}: {speedup}");
    }
}

/// A faster accelerator leaves more to gain, and no pair gains more than its communication does: a
/// ring moves 2 (n - 1) / n vectors, and rounds take what their cores do.
#[test]
fn pairs_gain_what_their_communication_does() {
    for (name, most) in [("switchml-figure-4", 1.75), ("switchml-figure-5", 1.875)] {
        let figures = found(name);
        for (pair, gain) in values(&figures, "pair.free.ring.") {
            assert!((1.0..most).contains(&gain), "{name} {pair}: {gain}");
        }
        for (pair, gain) in values(&figures, "pair.").filter(|(pair, _)| pair.ends_with(".1x")) {
            let faster = figures.values.get(&format!("{}.10x", pair.trim_end_matches(".1x")));
            // Below 1 there is nothing to gain.
            assert!(gain < 1.0 || faster.is_none_or(|faster| *faster > gain * 0.999), "{pair}");
        }
    }
    let figures = found("fpisa-figure-11");
    assert_eq!(values(&figures, "pair.").count(), 3 * 2 * 5);
    for (pair, gain) in values(&figures, "pair.") {
        let most = if pair.contains("uncopied") { 880.0 / 613.0 } else { 880.0 / 791.0 };
        assert!(gain > 0.999 && gain < most * 1.01, "{pair}: {gain}");
    }
}

/// No vector is faster than its link, each layer of switches adds its delay, and switches in
/// software take as many cores as they have ports.
#[test]
fn many_workers_keep_within_their_links() {
    let figures = found("scaling");
    let us = |system: &str, bytes: u64| figures.values[&format!("us.{system}.100.{bytes}")];
    let carries_us = |bytes: u64, packet: f64, around: f64| {
        bytes as f64 * (packet + around) / packet * 8.0 / 100e3
    };
    for bytes in [8, 2048, 32_768, 524_288] {
        for system in ["netfold.4x4", "native.4x4", "dpdk.4x4", "netfold.2x2x2x2"] {
            assert!(us(system, bytes) > 1.0 + carries_us(bytes, 1024.0, 0.0), "{system} {bytes}");
        }
        for peer in ["ring.16", "rabenseifner.16", "two_trees.16", "tree.16"] {
            assert!(
                us(peer, bytes) > carries_us(bytes, 4096.0, 0.0) * 30.0 / 16.0,
                "{peer} {bytes}"
            );
        }
        assert!(us("recursive_doubling.16", bytes) > 4.0 * carries_us(bytes, 4096.0, 0.0));
    }
    // Two layers more are eight links and eight passes for two rounds (`block`, R-WORK-4), with a
    // packet of eight bytes and what is around it on each.
    let layers_us = 2.0 * 2.0 * 2.0 * (0.5 + 0.4 + (8.0 + 40.0 + 66.0) * 8.0 / 100e3);
    let took_us = us("netfold.2x2x2x2", 8) - us("netfold.4x4", 8);
    assert!((took_us / layers_us - 1.0).abs() < 0.05, "{took_us} {layers_us}");
    // Four messages, each an overhead, two links and a switch.
    let messages_us = 4.0 * (1.0 + 1.0 + 0.4);
    assert!((us("recursive_doubling.16", 8) / messages_us - 1.0).abs() < 0.02);
    let cores = |tree: &str| figures.values[&format!("switch_cores.{tree}.100")];
    // 1 x 4 and 4 x 5 ports; 1 x 2, 2 x 3, 4 x 3 and 8 x 3.
    assert!((cores("2x2x2x2") / cores("4x4") - 44.0 / 24.0).abs() < 1e-9);
}

/// Losses make nothing faster, and a ring with losses stays behind.
#[test]
fn losses_take_time() {
    let figures = found("switchml-figures-6-7");
    for line in ["netfold", "fixed"] {
        for loss in ["0.0001", "0.001", "0.01"] {
            // Lost packets are sent again on the same links: at least the share that is lost, but
            // for the order in which things come.
            let inflation = figures.values[&format!("inflation.{line}.{loss}")];
            assert!(inflation > 0.999, "{line} {loss}: {inflation}");
            assert!(
                figures.values[&format!("ms.ring.{loss}")]
                    > figures.values[&format!("ms.{line}.{loss}")]
            );
        }
        assert!(figures.values[&format!("inflation.{line}.0.01")] > 1.01);
    }
    let timeline = figures.plots.iter().find(|plot| plot.name == "timeline").unwrap();
    for curve in &timeline.curves {
        let (slots, packets): (Vec<_>, Vec<_>) = curve.points.iter().copied().unzip();
        assert!(slots.windows(2).all(|pair| pair[1] - pair[0] == 0.5));
        // A block for every 256 elements, at least once, and one round for the first exponents.
        assert!(
            packets.iter().sum::<f64>() >= (1_000_000_f64 / 256.0).ceil(),
            "{}: {packets:?}",
            curve.name
        );
        // No more than the link carries.
        assert!(packets.iter().all(|count| *count <= 0.5e-3 * 10e9 / 8.0 / (40.0 + 66.0)));
    }
}

/// R-TIME-5, R-ECN-5: of the whole tensor, since what goes wrong may take long to begin. Of 8
/// workers each asks for 16 % of its rounds with headers, and sends 2 % again: 3.5 % of the bytes.
/// Losses that were taken for those of a full queue have taken several times as long.
#[test]
fn one_loss_in_a_hundred_costs_little() {
    let text = text("switchml-figures-6-7");
    let (netfold, _) =
        text[..text.find("[[claims]]").unwrap()].split_once("# The paper's timeout").unwrap();
    let losses = |line: &str| {
        if line.starts_with("losses") { "losses = [0.0, 0.01]" } else { line }.to_owned()
    };
    let lines: Vec<String> =
        netfold.replace("line = \"fixed\"", "line = \"netfold\"").lines().map(losses).collect();
    for seed in [1, 2] {
        let figures =
            Plan::parse(&lines.join("\n"), false).unwrap().run(&Means { seed, ..means() }).unwrap();
        let inflation = figures.values["inflation.netfold.0.01"];
        assert!((1.01..1.1).contains(&inflation), "seed {seed}: {inflation}");
    }
}

/// A pool below the bandwidth-delay product takes a round trip for each pool; above it, the links'
/// time.
#[test]
fn pools_are_as_large_as_their_paths() {
    let figures = found("switchml-figure-9");
    for (name, share) in values(&figures, "share.") {
        assert!(share > 0.8 && share <= 1.0, "{name}: {share}");
    }
    for gbps in [10, 100] {
        let at = |what: &str, slots: u16| figures.values[&format!("{what}.{gbps}.{slots}")];
        assert!(at("ms", 32) > 1.5 * at("ms", 128));
        // Packets of more slots stand in queues.
        assert!(at("round_trip_us", 2048) > 1.5 * at("round_trip_us", 512));
    }
    // 34 us are 376 packets of 90.4 ns, 85 us at a tenth of the rate 94 of 904 ns.
    assert_eq!((figures.values["slots.100"], figures.values["slots.10"]), (512.0, 128.0));
}

/// A tree costs its layers' delay, a ring a hop in each step.
#[test]
fn trees_cost_their_depth() {
    let figures = found("switchml-section-7");
    let ms = |system: &str, workers: u16| figures.values[&format!("ms.{system}.{workers}")];
    // 100,000 elements take this long on a link; each layer adds two links and two passes through
    // switches, to the exponents' round, too.
    let link_ms = (100_000.0 / 256.0_f64).ceil() * PACKET_BYTES * 8.0 / 100e9 * 1e3;
    let layer_ms = 2.0 * (2.0 * (0.5e-3 + PACKET_BYTES * 8.0 / 100e9 * 1e3) + 2.0 * 0.4e-3);
    for (layers, workers) in [(1.0, 4), (2.0, 12), (3.0, 36)] {
        assert!(
            (link_ms..link_ms + (layers + 1.0) * layer_ms).contains(&ms("netfold", workers)),
            "{workers}"
        );
        // 2 (n - 1) hops of two links each, at the least.
        assert!(ms("ring", workers) > 2.0 * f64::from(workers - 1) * 2.0 * 0.5e-3);
    }
}

/// The equations have a vector's time on one link; what comes on top is the last packet on the
/// second, the part of it that is not filled, and an acknowledgement for each packet (R-ACK-1),
/// which is one without lanes.
#[test]
fn equations_hold() {
    let figures = found("p4sgd-equations");
    assert_eq!(values(&figures, "equation_us.").count(), 6);
    for (name, equation_us) in values(&figures, "equation_us.") {
        let simulated_us = figures.values[&name.replace("equation", "simulated")];
        let lanes = match name.rsplit_once('.').unwrap() {
            ("equation_us.data_parallel", "gisette") => 5_000.0,
            ("equation_us.data_parallel", "rcv1") => 47_236.0,
            _ => 64.0,
        };
        let acknowledgements = (lanes / 256.0_f64).ceil() * (PACKET_BYTES - 1024.0);
        let most_us = (2.0 * PACKET_BYTES + acknowledgements) * 8.0 / 100e3;
        // Simulated times are whole picoseconds.
        assert!(
            (-1e-5..=most_us).contains(&(simulated_us - equation_us)),
            "{name}: {equation_us} {simulated_us}"
        );
    }
}

/// A mini-batch takes its computation, and of the exchange at most what is not hidden behind it: an
/// aggregation's 1.2 us, and the packet that goes before.
#[test]
fn workers_share_the_computation_and_not_the_exchange() {
    let figures = found("p4sgd-figure-12");
    let plan: toml::Table = text("p4sgd-figure-12").parse().unwrap();
    let micro_batches = 2.0;
    for engine in plan["engines"].as_array().unwrap() {
        let id = engine["id"].as_str().unwrap();
        let ps = engine["ps_per_feature"]
            .as_float()
            .or(engine["ps_per_feature"].as_integer().map(|ps| ps as f64));
        let of = |key: &str| engine[key].as_bool().unwrap();
        let (pipelined, aggregates_alone) = (of("pipelined"), of("aggregates_alone"));
        for (dataset, features) in [("gisette", 5_000_u32), ("avazu", 1_000_000)] {
            for workers in [1, 2, 8, 64] {
                let step_us = ps.unwrap() * 8.0 * f64::from(features.div_ceil(workers)) / 1e6;
                let steps = if pipelined { micro_batches + 1.0 } else { 2.0 * micro_batches };
                let cost =
                    |key: &str| engine.get(key).and_then(toml::Value::as_float).unwrap_or(0.0);
                let folds = if workers > 1 { micro_batches } else { 0.0 };
                let computed_us = steps * step_us + cost("batch_us") + folds * cost("fold_us");
                let us = figures.values[&format!("us.{id}.{dataset}.{workers}")];
                let most_us = if workers > 1 || aggregates_alone { 1.3 } else { 0.0 };
                // Simulated times are whole picoseconds, a few of them for each step.
                let exchanged_us = us - computed_us;
                assert!(
                    (-1e-5..=most_us + 1e-5).contains(&exchanged_us),
                    "{id} {dataset} {workers}: {exchanged_us}"
                );
                let speedup = figures.values[&format!("speedup.{id}.{dataset}.{workers}")];
                let alone_us = figures.values[&format!("us.{id}.{dataset}.1")];
                assert!((speedup * us / alone_us - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// Hot keys save a server's link what they are of all pairs, and no more. With 16 workers a mini-
/// batch of 1,000 pairs occupies it for 16 us at least, if all of its keys are cold; what a worker
/// waits for besides, four ways of a packet of 1.6 us each, is nothing that hot keys save: at most
/// a fourth of the gain. With one worker they save nothing, as its own link carries all pairs, but
/// for what is around the last packets of a mini-batch.
#[test]
fn hot_keys_gain_what_they_are_of_all_pairs() {
    let figures = found("libra-figures-12-14");
    let models: Vec<_> = values(&figures, "hot_share.").collect();
    assert_eq!(models.len(), 8);
    for (name, hot) in models {
        let (_, model) = name.split_once('.').unwrap();
        let gain = |workers: u16| figures.values[&format!("gain.{model}.{workers}")];
        let most = 1.0 / (1.0 - hot);
        assert!(gain(16) < most * 1.02 && gain(16) > most * 0.75, "{model}: {} {most}", gain(16));
        assert!((0.95..1.1).contains(&gain(1)), "{model}: {}", gain(1));
    }
    for model in ["oa", "se"] {
        let memory = figures.values[&format!("memory.{model}")];
        assert!((1.0..1.2).contains(&memory), "{model}: {memory}");
        let servers = |number: u16| figures.values[&format!("servers.{model}.{number}")];
        // With as many servers as workers, their links are not what limits.
        assert!(servers(1) > 1.3 && servers(16) < 1.1, "{} {}", servers(1), servers(16));
    }
}

/// Stored records, and what pages show of them, are what these plans find today. The whole forms of
/// the others take minutes.
#[test]
fn records_are_current() {
    for name in ["p4sgd-equations", "p4sgd-figure-12"] {
        let figures = Plan::parse(&text(name), false).unwrap().run(&means()).unwrap();
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(format!("{name}.json"));
        let (record, found) =
            (fs::read_to_string(path).unwrap(), serde_json::to_string_pretty(&figures).unwrap());
        assert!(
            found == record.trim_end(),
            "{name} finds something else than its record: run `make figures`, and bring docs/ up to date"
        );
    }
}

#[test]
fn one_seed_gives_the_same_figures_on_any_threads() {
    let plan = Plan::parse(&text("p4sgd-equations"), true).unwrap();
    let threads =
        |count| plan.run(&Means { threads: std::num::NonZero::new(count), ..means() }).unwrap();
    assert_eq!(threads(1), threads(3));
}

/// Whole plans are read, too.
#[test]
fn every_plan_is_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plans");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 14);
    for file in files {
        let plan = Plan::parse(&fs::read_to_string(&file).unwrap(), false).unwrap();
        assert!(!plan.title.is_empty() && !plan.paper.is_empty(), "{file:?}");
    }
}

#[test]
fn what_is_no_plan_is_told() {
    let scenario =
        "[[layers]]\nfan_out = 4\nrate_gbps = 10\ndelay_ns = 5\n[[jobs]]\nworkers = 4\ncalls = []";
    let error = |text: &str| Plan::parse(text, false).unwrap_err().to_string();
    assert!(error(scenario).contains("a plan has title"));
    let plan = text("p4sgd-equations");
    assert!(error(&plan.replace("gbps = 100", "gbit = 100")).contains("gbit"));
    let claim = plan.replace("value = \"latency_us.acked\"", "value = \"latency\"");
    let error = Plan::parse(&claim, true).unwrap().run(&means()).unwrap_err();
    assert!(matches!(&error, Error::Claim { name, .. } if name == "latency"), "{error}");
}
