//! `netfold sim`, as users run it.

use std::fs;

use serde_json::Value;

use crate::support::{Ended, ended, file, netfold};

const SWEEP: &str = r#"
    title = "Losses"
    [[layers]]
    fan_out = 4
    rate_gbps = 10
    delay_ns = 500
    faults = { loss = 0.0 }
    [[jobs]]
    workers = 4
    calls = [{ elements = 100_000 }]
    [sweep]
    "layers.0.faults.loss" = [0.0, 0.01, 0.02]
"#;

fn simulated(name: &str, text: &str, flags: &[&str]) -> Ended {
    let scenario = file(name, text);
    ended(netfold(&["sim", scenario.to_str().unwrap()]).args(flags))
}

#[test]
fn a_sweep_gives_a_table_json_and_a_plot() {
    let (json, plot) = (file("sweep.json", ""), file("sweep.svg", ""));
    let flags = [
        "--json",
        json.to_str().unwrap(),
        "--plot",
        plot.to_str().unwrap(),
        "--figures",
        "--seed",
        "5",
    ];
    let run = simulated("sweep.toml", SWEEP, &flags);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("Losses; seed 5") && run.stdout.contains("million per second"),
        "{}",
        run.stdout
    );
    let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let runs = results["runs"].as_array().unwrap();
    let losses: Vec<_> = runs.iter().map(|run| run["values"][0].as_f64().unwrap()).collect();
    assert_eq!(losses, [0.0, 0.01, 0.02]);
    assert!(runs.iter().all(|run| run["jobs"][0]["calls"][0]["took_ms"].as_f64().unwrap() > 0.0));
    assert_eq!(runs[0]["layers"][0]["up"]["lost"], 0);
    assert!(runs[2]["layers"][0]["up"]["lost"].as_u64().unwrap() > 0);
    let plot = fs::read_to_string(plot).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("layers.0.faults.loss"), "{plot}");
}

/// One seed is one run, whatever the threads do.
#[test]
fn a_seed_is_a_run() {
    let digests = |seed: &str, threads: &str| {
        let json = file(&format!("seed-{seed}-{threads}.json"), "");
        let name = format!("seed-{seed}-{threads}.toml");
        let run = simulated(
            &name,
            SWEEP,
            &["--seed", seed, "--threads", threads, "--json", json.to_str().unwrap()],
        );
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
        let runs = results["runs"].as_array().unwrap();
        runs.iter().map(|run| run["digest"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let once = digests("1", "1");
    assert_eq!(once, digests("1", "3"));
    assert!(once.iter().zip(digests("2", "1")).all(|(one, other)| *one != other));
}

#[test]
fn what_does_not_end_is_told_with_its_seed() {
    let text = SWEEP
        .replace("[sweep]", "[[crashes]]\nhost = 1\nat_us = 1\n[sweep]")
        .replace("title", "until_ms = 100\ntitle");
    let run = simulated("crash.toml", &text, &["--seed", "9"]);
    assert_eq!(run.status, Some(1));
    assert!(
        run.stderr.contains("has not ended") && run.stderr.contains("--seed 9"),
        "{}",
        run.stderr
    );
}

/// A switch that counts a contribution twice, with and without a management plane: the command
/// fails, and names the call, the rank, the element and both values. All workers have the same
/// wrong sum.
#[test]
fn a_wrong_sum_is_told_and_fails() {
    let text = SWEEP.split("[sweep]").next().unwrap().replace(
        "calls = [{ elements = 100_000 }]",
        "content = \"real\"\narithmetic = \"native\"\ncalls = [{ elements = 1_000, element_type = \"i32\" }]",
    );
    let errors = "[[switch_errors]]\nswitch = 0\nshare = 1.0\ndoes = \"adds_twice\"\n";
    for (name, management) in [("wrong.toml", ""), ("wrong-managed.toml", "[management]\n")] {
        let right = simulated(name, &format!("{text}{management}"), &[]);
        assert_eq!(right.status, Some(0), "{}", right.stderr);
        let json = file(&format!("{name}.json"), "");
        let wrong = simulated(
            name,
            &format!("{text}{management}{errors}"),
            &["--json", json.to_str().unwrap()],
        );
        assert_eq!(wrong.status, Some(1), "{}", wrong.stderr);
        let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
        let call = &results["runs"][0]["jobs"][0]["calls"][0];
        assert_eq!(call["wrong_lanes"], 4 * 1_000);
        let number = |key: &str| call["wrong"][key].as_str().unwrap().parse::<i32>().unwrap();
        assert_eq!(
            (call["wrong"]["element"].as_u64(), number("got")),
            (Some(0), 2 * number("wanted"))
        );
        let told = format!("element 0 is {} instead of {}", number("got"), number("wanted"));
        let rank = format!("rank {}: ", call["wrong"]["rank"]);
        assert!(
            [&told, &rank, "all_reduce"].iter().all(|part| wrong.stderr.contains(*part)),
            "{}",
            wrong.stderr
        );
    }
}

/// With a management plane: jobs that share switches, one of which is stopped after they have
/// ended, or before. The jobs that the loss concerns are told, and no others.
#[test]
fn a_switch_that_stops_concerns_the_jobs_that_need_it() {
    let json = file("jobs.json", "");
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../sim/scenarios/jobs.toml");
    let run = ended(&mut netfold(&["sim", scenario, "--json", json.to_str().unwrap()]));
    assert_eq!(run.status, Some(1));
    assert!(run.stderr.contains("rank 0 of job across: rank 4 was lost"), "{}", run.stderr);
    let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let ends =
        |run: usize, job: usize| results["runs"][run]["jobs"][job]["ends"].as_array().unwrap();
    let left = |end: &Value| end["end"] == "it has left its job" && end["is_well"] == true;
    for job in 0..3 {
        assert!(ends(0, job).iter().all(left), "{:?}", ends(0, job));
        assert_eq!(ends(1, job).iter().all(left), job != 0, "{:?}", ends(1, job));
    }
    for (rank, end) in ends(1, 0).iter().enumerate() {
        let expected = if rank < 4 { "rank 4 was lost" } else { "the switch is stopping" };
        assert!(end["end"].as_str().unwrap().contains(expected), "{end}");
        assert!((200.0..201.0).contains(&end["ended_ms"].as_f64().unwrap()), "{end}");
    }
}

#[test]
fn what_is_wrong_with_a_scenario_is_told() {
    for (name, text, told) in [
        ("unknown.toml", SWEEP.replace("delay_ns", "delay"), "unknown field `delay`"),
        ("path.toml", SWEEP.replace("layers.0.faults", "layers.3.faults"), "\"3\" is not there"),
        ("hosts.toml", SWEEP.replace("workers = 4", "workers = 9"), "hosts 0 to 8"),
    ] {
        let run = simulated(name, &text, &[]);
        assert_eq!(run.status, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(told) && run.stderr.contains(name), "{}", run.stderr);
    }
    let run = ended(&mut netfold(&["sim", "/nonexistent/scenario.toml"]));
    assert_eq!(
        (run.status, run.stderr.contains("/nonexistent/scenario.toml")),
        (Some(2), true),
        "{}",
        run.stderr
    );
    let plain = SWEEP.split("[sweep]").next().unwrap();
    let run = simulated("plain.toml", plain, &["--plot", file("plain.svg", "").to_str().unwrap()]);
    assert_eq!(run.status, Some(2));
    assert!(run.stderr.contains("sweep over numbers"), "{}", run.stderr);
}

/// A plan gives tables, everything as JSON, and plots, in files of its name.
#[test]
fn a_plan_gives_the_papers_numbers_beside_ours() {
    let plan = concat!(env!("CARGO_MANIFEST_DIR"), "/../sim/plans/switchml-figure-9.toml");
    let out = file("plans", "").with_extension("out");
    let run = ended(netfold(&["sim", "plan", plan, "--quick", "--seed", "3", "--out"]).arg(&out));
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("from seed 3") && run.stdout.contains("why they differ"),
        "{}",
        run.stdout
    );
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let figures: Value = serde_json::from_str(&read("switchml-figure-9.json")).unwrap();
    let claim = &figures["claims"][1];
    assert_eq!(
        (claim["paper"].as_f64(), claim["ours"].as_f64(), claim["ratio"].as_f64()),
        (Some(512.0), Some(512.0), Some(1.0))
    );
    let rows = figures["sheets"][0]["rows"].as_array().unwrap();
    let slots: Vec<_> = rows.iter().map(|row| row[0].as_f64().unwrap()).collect();
    assert_eq!(slots, [32.0, 128.0, 256.0, 512.0, 2048.0]);
    let markdown = read("switchml-figure-9.md");
    assert!(
        markdown.lines().any(|line| line.starts_with("|") && line.contains("| 512 ")),
        "{markdown}"
    );
    for plot in ["switchml-figure-9-time-10gbps.svg", "switchml-figure-9-round-trip-100gbps.svg"] {
        assert!(read(plot).starts_with("<svg"), "{plot}");
    }
}

/// Faults of a plan are told before any of them is run.
#[test]
fn what_is_wrong_with_a_plan_is_told() {
    let plan = file("no-plan.toml", SWEEP);
    let run = ended(netfold(&["sim", "plan"]).arg(plan));
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(
        run.stderr.contains("no-plan.toml") && run.stderr.contains("a plan has paper"),
        "{}",
        run.stderr
    );
    assert_eq!(ended(&mut netfold(&["sim", "plan"])).status, Some(2));
}

/// Jobs of other systems run on the same links.
#[test]
fn systems_are_compared() {
    let json = file("systems.json", "");
    let text = SWEEP.split("[sweep]").next().unwrap().replace("loss = 0.0", "")
        + "[sweep]\n\"jobs.0.system\" = [\"netfold\", \"ring\", \"colocated_servers\"]\n";
    let run = simulated("systems.toml", &text, &["--json", json.to_str().unwrap()]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let results: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let took: Vec<_> = results["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["jobs"][0]["calls"][0]["took_ms"].as_f64().unwrap())
        .collect();
    // A ring of four and colocated servers move 1.5 vectors on each link.
    assert!(took[1] > 1.2 * took[0] && took[2] > 1.2 * took[0], "{took:?}");
    assert!(run.stdout.contains("colocated_servers"), "{}", run.stdout);
}

/// Both sides of a switch cost time, and the file can be used.
#[test]
fn a_calibration_is_measured_and_used() {
    let calibration = file("calibration.toml", "");
    let path = calibration.to_str().unwrap();
    let run = ended(&mut netfold(&["sim", "calibrate", "--out", path]));
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let measured: toml::Table = fs::read_to_string(&calibration).unwrap().parse().unwrap();
    for side in ["host", "switch"] {
        let cost = |key: &str| measured[side][key].as_float().unwrap();
        assert!(cost("receive_packet_ns") + cost("receive_byte_ns") > 0.0, "{measured}");
    }
    let text = SWEEP.replace("[sweep]", "[hosts]\ncosts = \"measured\"\n[sweep]");
    let run = simulated("calibrated.toml", &text, &["--calibration", path]);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
}
