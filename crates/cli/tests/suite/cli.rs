//! The program, as users run it.

mod commanded;
mod counted;
mod drain;
mod external;
mod glm;
mod glm_files;
mod lists;
mod memory;
mod server;
mod simulated;
mod traced;
mod tree;

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Instant;

use crate::support::{RunningSwitch, WAIT_LIMIT, ended, file, netfold};
use netfold_net::{Call, Communicator, Error, JoinRequest};
use rustix::process::Signal;
use serde_json::Value;

fn switch() -> RunningSwitch {
    RunningSwitch::start(&mut netfold(&["switch", "--listen", "127.0.0.1:0"]))
}

fn join(switch: &RunningSwitch, job: &str, rank: u16, size: u16) -> Communicator {
    let request = JoinRequest::new(job, rank, size);
    Communicator::connect(&switch.address, request, |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn a_switch_says_where_it_is_and_ends_well_on_either_signal() {
    for signal in [Signal::TERM, Signal::INT] {
        let switch = switch();
        assert!(switch.greeting.contains(&switch.address), "{}", switch.greeting);
        assert!(switch.greeting.contains("1 core, 64 MiB"), "{}", switch.greeting);
        drop(TcpStream::connect(&switch.address).unwrap());
        let ended = switch.stop(signal);
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    }
}

/// Strangers cannot fill a disk with log lines, and each of them is counted.
#[test]
fn lines_about_strangers_are_limited_and_counted() {
    const STRANGERS: u64 = 30;
    let switch = switch();
    let start = Instant::now();
    for _ in 0..STRANGERS {
        let mut stranger = TcpStream::connect(&switch.address).unwrap();
        stranger.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
        stranger.write_all(&[0xFF; 64]).unwrap();
        // The end of the connection, in order or not: by then the switch has logged it.
        let ended = stranger.read_to_end(&mut Vec::new());
        assert!(!ended.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    }
    let ended = switch.stop(Signal::TERM);
    let periods = 1 + start.elapsed().as_secs() / 10;
    let lines = ended.stderr.matches("closing a control connection").count() as u64;
    let omitted: u64 = (ended.stderr.lines())
        .filter_map(|line| line.split_once(" more lines about connections"))
        .map(|(before, _)| before.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert!((10..=10 * periods).contains(&lines), "{}", ended.stderr);
    assert_eq!(lines + omitted, STRANGERS, "{}", ended.stderr);
}

/// R-CTRL-7: the workers learn that it has gone.
#[test]
fn a_switch_that_is_stopped_tells_its_workers() {
    let switch = switch();
    let comm = join(&switch, "stopped", 0, 1);
    comm.run(Call::BARRIER, &[], &mut [], Some(WAIT_LIMIT)).unwrap();
    let ended = switch.stop(Signal::TERM);
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    // The notice is on its way when the switch ends; a call before it comes waits for it.
    let error = comm.run(Call::BARRIER, &[], &mut [], Some(WAIT_LIMIT)).unwrap_err();
    assert!(matches!(error, Error::SwitchLost { .. } | Error::Failed(_)), "{error}");
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let config = file(
        "precedence.toml",
        "listen = '127.0.0.1:0'\ncores = 3\nmemory = '3MiB'\nmetrics = '127.0.0.1:0'\n",
    );
    let config = config.to_str().unwrap();
    let mut command = netfold(&["switch", "--memory", "1MiB"]);
    command.env("NETFOLD_CONFIG", config).env("NETFOLD_CORES", "2").env("NETFOLD_MEMORY", "2MiB");
    let switch = RunningSwitch::start(&mut command);
    assert!(switch.greeting.contains("2 cores, 1 MiB"), "{}", switch.greeting);
    assert!(switch.greeting.contains("metrics at http://127.0.0.1:"), "{}", switch.greeting);
}

#[test]
fn a_file_in_the_directory_is_read_unless_another_is_named() {
    let directory = file("marker", "").with_file_name("with-a-file");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("netfold.toml"), "listen = '127.0.0.1:0'\ncores = 2\n").unwrap();
    let switch = RunningSwitch::start(netfold(&["switch"]).current_dir(&directory));
    assert!(switch.greeting.contains("2 cores"), "{}", switch.greeting);
    let other = file("other.toml", "listen = '127.0.0.1:0'\ncores = 3\n");
    let named = ["switch", "--config", other.to_str().unwrap()];
    let switch = RunningSwitch::start(netfold(&named).current_dir(&directory));
    assert!(switch.greeting.contains("3 cores"), "{}", switch.greeting);
}

fn switch_with_metrics() -> RunningSwitch {
    RunningSwitch::start(&mut netfold(&[
        "switch",
        "--listen",
        "127.0.0.1:0",
        "--metrics",
        "127.0.0.1:0",
    ]))
}

/// Returns the metrics that a switch serves.
fn metrics(switch: &RunningSwitch) -> String {
    let (_, rest) = switch.greeting.split_once("http://").unwrap();
    let (address, _) = rest.split_once("/metrics").unwrap();
    let mut connection = TcpStream::connect(address).unwrap();
    write!(connection, "GET /metrics HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn metrics_are_served() {
    let answer = metrics(&switch_with_metrics());
    assert!(answer.contains("netfold_memory_total_bytes"), "{answer}");
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let unknown = file("unknown.toml", "lisen = '127.0.0.1:0'\n");
    let broken = file("broken.toml", "listen = \n");
    let zero = file("zero.toml", "cores = 0\n");
    let empty = file("empty-token", "\n");
    let [unknown, broken, zero, empty] =
        [&unknown, &broken, &zero, &empty].map(|path| path.to_str().unwrap());
    let cases: [(&[&str], i32, &[&str]); 22] = [
        (&["switch", "--listen", &taken], 1, &[&taken, "another program has that port"]),
        (&["switch", "--listen", "127.0.0.1"], 2, &["--listen: \"127.0.0.1\": ", "HOST:PORT"]),
        (&["switch", "--listen", "192.0.2.1:0"], 1, &["an address of this machine"]),
        (
            &["switch", "--listen", "127.0.0.1:0", "--metrics", &taken],
            1,
            &["metrics", "another program has that port"],
        ),
        (
            &["switch", "--listen", "127.0.0.1:0", "--parent", "192.0.2.1:1"],
            1,
            &["no way to its parent 192.0.2.1:1", "0.0.0.0"],
        ),
        (&["switch", "--memory", "lots"], 2, &["--memory", "\"lots\": not a size", "64MiB"]),
        (&["switch", "--cores", "0"], 2, &["--cores", "from 1 to"]),
        (
            &["switch", "--config", unknown],
            2,
            &["unknown.toml", "unknown key \"lisen\"", "listen, cores, memory"],
        ),
        (&["switch", "--config", zero], 2, &["cores in ", "zero.toml", "from 1 to"]),
        (&["switch", "--config", broken], 2, &["broken.toml"]),
        (&["switch", "--config", "nowhere.toml"], 2, &["nowhere.toml", "cannot be read"]),
        (&["switch", "--token-file", "nowhere"], 2, &["token file nowhere", "cannot be read"]),
        (&["switch", "--token-file", empty], 2, &["the token is empty"]),
        (&["switch", "--log", "netfold=loud"], 2, &["netfold=loud", "debug"]),
        (&["frobnicate"], 2, &["frobnicate", "--help"]),
        (
            &["ctl", "jobs", "--switch", "127.0.0.1:1"],
            1,
            &["no netfold switch answers at 127.0.0.1:1"],
        ),
        (
            &["bench", "allreduce", "--switch", "127.0.0.1:1"],
            1,
            &["no figures: rank", "no netfold switch answers"],
        ),
        (
            &["bench", "allreduce", "--switch", "x:1", "--cores", "2"],
            2,
            &["--cores", "NETFOLD_SWITCH"],
        ),
        (&["bench", "allreduce", "--overflow", "wrap"], 2, &["--overflow", "error, native"]),
        (&["bench", "allreduce", "--overflow", "native"], 1, &["block has no registers"]),
        (&["bench", "allreduce", "--type", "f64"], 2, &["cannot fold sum of f64", "native"]),
        (&["bench", "allreduce", "--size", "1KiB,10"], 2, &["10 B", "a multiple of 4 B"]),
    ];
    for (args, status, parts) in cases {
        let ended = ended(&mut netfold(args));
        assert_eq!(ended.status, Some(status), "{args:?}: {}", ended.stderr);
        for part in parts {
            assert!(
                ended.stderr.contains(part),
                "{args:?} does not say {part:?}: {}",
                ended.stderr
            );
        }
        assert!(!ended.stderr.contains('\x1b'), "colours without a terminal: {}", ended.stderr);
    }
}

/// R-CTRL-8, and that the secret is nowhere in what is printed.
#[test]
fn a_token_is_required_and_not_shown() {
    let token_file = file("token", "s3cret\n");
    let args = [
        "switch",
        "--listen",
        "127.0.0.1:0",
        "--log",
        "trace",
        "--token-file",
        token_file.to_str().unwrap(),
    ];
    let switch = RunningSwitch::start(&mut netfold(&args));
    let address = switch.address.clone();
    let bench = [
        "bench",
        "allreduce",
        "--workers",
        "2",
        "--size",
        "4KiB",
        "--iterations",
        "2",
        "--switch",
        &address,
    ];
    let without = ended(&mut netfold(&bench));
    assert_eq!(without.status, Some(1));
    assert!(without.stderr.contains("token"), "{}", without.stderr);
    let with = ended(netfold(&bench).args(["--log", "trace"]).env("NETFOLD_TOKEN", "s3cret"));
    assert_eq!(with.status, Some(0), "{}", with.stderr);
    let switch = switch.stop(Signal::TERM);
    for text in [with.stdout, with.stderr, without.stderr, switch.stdout, switch.stderr] {
        assert!(!text.contains("s3cret"), "{text}");
    }
}

#[test]
fn ctl_shows_an_idle_switch() {
    let switch = switch();
    let ask = |what, more: &[&str]| {
        let mut command = netfold(&["ctl", what]);
        let ended = ended(command.args(more).env("NETFOLD_SWITCH", &switch.address));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    assert_eq!(ask("jobs", &[]), "no jobs\n");
    assert_eq!(ask("doctor", &[]), "nothing to report\n");
    let stats = ask("stats", &[]);
    assert!(
        stats.contains("jobs running: 0, forming: 0") && stats.contains("dropped integrity"),
        "{stats}"
    );
    let json: Value = serde_json::from_str(&ask("stats", &["--json"])).unwrap();
    assert_eq!(
        (&json["report"], &json["shards"][0]["memory_total"]),
        (&"stats".into(), &(64 << 20).into())
    );
}

#[test]
fn ctl_asks_the_first_switch_of_a_list_that_answers() {
    let switch = switch();
    let switches = format!("127.0.0.1:1, {}", switch.address);
    let ended = ended(netfold(&["ctl", "jobs"]).env("NETFOLD_SWITCH", switches));
    assert_eq!((ended.status, &*ended.stdout), (Some(0), "no jobs\n"), "{}", ended.stderr);
}

#[test]
fn ctl_shows_a_running_job() {
    let switch = switch();
    let (ready, is_ready) = mpsc::channel();
    std::thread::scope(|scope| {
        let (go, hold): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel::<()>()).unzip();
        for (rank, hold) in (0..2).zip(hold) {
            let (switch, ready) = (&switch, ready.clone());
            scope.spawn(move || {
                let comm = join(switch, "visible", rank, 2);
                comm.run(Call::BARRIER, &[], &mut [], Some(WAIT_LIMIT)).unwrap();
                ready.send(()).unwrap();
                // Until the other end is dropped.
                let _ = hold.recv();
            });
        }
        (0..2).for_each(|_| is_ready.recv_timeout(WAIT_LIMIT).unwrap());
        let ask = |what, more: &[&str]| {
            let ended = ended(netfold(&["ctl", what, "--switch", &switch.address]).args(more));
            assert_eq!(ended.status, Some(0), "{}{}", ended.stdout, ended.stderr);
            ended.stdout
        };
        let jobs = ask("jobs", &[]);
        assert!(
            ["visible", "running", "block", "little"].iter().all(|part| jobs.contains(part)),
            "{jobs}"
        );
        assert!(!jobs.contains('\x1b'), "{jobs}");
        let json: Value = serde_json::from_str(&ask("jobs", &["--json"])).unwrap();
        let job = &json["jobs"][0];
        assert_eq!(
            (&job["name"], &job["phase"], &job["size"]),
            (&"visible".into(), &"running".into(), &2.into())
        );
        assert!(ask("stats", &[]).contains("jobs running: 1, forming: 0; workers: 2;"));
        drop(go);
    });
}

#[test]
fn doctor_names_who_is_missing_and_fails() {
    let switch = switch();
    let (waiting, is_waiting) = mpsc::channel();
    let (go, hold) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let address = &switch.address;
        scope.spawn(move || {
            let joined = Communicator::connect(address, JoinRequest::new("lonely", 1, 3), |now| {
                waiting.send((now.joined, now.size)).unwrap();
                // Until the other end is dropped.
                let _ = hold.recv();
                ControlFlow::Break(())
            });
            assert!(joined.is_err());
        });
        assert_eq!(is_waiting.recv_timeout(WAIT_LIMIT).unwrap(), (1, 3));
        let doctor = ended(&mut netfold(&["ctl", "doctor", "--switch", address]));
        drop(go);
        assert_eq!(doctor.status, Some(1), "{}", doctor.stderr);
        assert!(
            doctor.stdout.contains("\"lonely\"") && doctor.stdout.contains("ranks 0, 2"),
            "{}",
            doctor.stdout
        );
    });
}

#[test]
fn a_benchmark_checks_what_it_measures() {
    let json = file("bench.json", "");
    for (arithmetic, overflow, byte_order, element_type, transport, protocol, flows) in [
        ("block", "error", "little", "f32", "udp", "shadow", 2),
        ("block", "error", "network", "bf16", "shm", "acked", 1),
        ("native", "error", "network", "f64", "udp", "acked", 2),
        ("native", "error", "little", "u8", "shm", "shadow", 1),
        ("fpisa-a", "native", "little", "f32", "shm", "shadow", 1),
    ] {
        let args = [
            "bench",
            "allreduce",
            "--workers",
            "3",
            "--size",
            "8,40KB",
            "--iterations",
            "4",
            "--cores",
            "2",
        ];
        let kind =
            ["--arithmetic", arithmetic, "--type", element_type, "--json", json.to_str().unwrap()];
        let ended = ended(netfold(&args).args(kind).args([
            "--overflow",
            overflow,
            "--transport",
            transport,
            "--byte-order",
            byte_order,
            "--protocol",
            protocol,
        ]));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        assert!(ended.stdout.contains("workers: 3 (processes)"), "{}", ended.stdout);
        assert!(
            !ended.stderr.contains("lost"),
            "not every worker took its leave: {}",
            ended.stderr
        );
        let results: Value =
            serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!(
            (&results["arithmetic"], &results["flows"]),
            (&arithmetic.into(), &flows.into())
        );
        assert_eq!(results["overflow"], overflow);
        assert_eq!(
            (&results["byte_order"], &results["protocol"]),
            (&byte_order.into(), &protocol.into())
        );
        let bytes: Vec<_> =
            results["sizes"].as_array().unwrap().iter().map(|size| size["bytes"].clone()).collect();
        assert_eq!(bytes, [Value::from(8), Value::from(40_000)]);
        for size in results["sizes"].as_array().unwrap() {
            let ms = |name: &str| size[name].as_f64().unwrap();
            assert!(
                0.0 < ms("p5_ms")
                    && ms("p5_ms") <= ms("median_ms")
                    && ms("median_ms") <= ms("p95_ms"),
                "{size}"
            );
        }
    }
}

/// As in a Python interpreter: this test is a program that cannot be started as a worker.
#[test]
fn a_benchmark_inside_another_program_uses_threads() {
    let json = file("threads.json", "");
    let args = ["netfold", "bench", "allreduce", "--size", "4KiB", "--iterations", "2", "--json"];
    assert_eq!(netfold_cli::run(args.iter().chain([&json.to_str().unwrap()]).map(Into::into)), 0);
    let results: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(results["workers_are"], "threads");
}

#[test]
fn help_and_version_succeed_and_no_command_is_a_mistake() {
    for args in [["--help"], ["--version"]] {
        let ended = ended(&mut netfold(&args));
        assert_eq!(ended.status, Some(0));
        assert!(ended.stdout.contains("netfold"));
    }
    assert_eq!(ended(&mut netfold(&[])).status, Some(2));
}
