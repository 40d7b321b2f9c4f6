//! `netfold glm train`: workers as threads and as processes of a launcher, over UDP and in shared
//! memory.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use netfold_glm::{Loss, Model};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustix::process::Signal;
use serde_json::Value;

use super::glm_files::data_file;
use crate::support::{Ended, RunningSwitch, ended, file, netfold};

pub const FEATURES: usize = 40;

/// Samples of two classes, 1 and 2, told apart by the sign of the sum of the first half of the
/// features minus that of the others, with a margin.
pub fn samples(name: &str, rows: usize, seed: u64) -> PathBuf {
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    let mut text = String::new();
    for _ in 0..rows {
        let class = rng.random_range(1..=2);
        write!(text, "{class}").unwrap();
        for feature in 0..FEATURES {
            if rng.random_bool(0.5) {
                let own = (feature < FEATURES / 2) == (class == 1);
                write!(text, " {}:{:.3}", feature + 1, if own { 1.0 } else { 0.1 }).unwrap();
            }
        }
        text.push('\n');
    }
    file(name, &text)
}

pub fn train(path: &str, test: &str, model: &str) -> Command {
    let mut command = netfold(&["glm", "train", path, "--test", test, "--save", model]);
    command.args(["--loss", "hinge", "--epochs", "4", "--batch", "16"]);
    command
}

fn holds_a_good_model(ended: &Ended, model: &str) {
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("400 samples of 40 features"), "{}", ended.stdout);
    assert!(ended.stdout.contains("accuracy on the test's samples: 1.0000"), "{}", ended.stdout);
    assert_eq!(ended.stderr.matches("epoch ").count(), 4, "{}", ended.stderr);
    let model = Model::load(File::open(model).unwrap()).unwrap();
    assert_eq!((model.features, model.loss, model.classes), (FEATURES, Loss::Hinge, Some(2)));
    // The second class is the positive one; every worker has features of both halves.
    let (first, second) = model.coefficients.split_at(FEATURES / 2);
    let sum = |half: &[f32]| half.iter().sum::<f32>();
    assert!(sum(first) < 0.0 && sum(second) > 0.0, "{:?}", model.coefficients);
}

/// The first worker has no fault, and hears only that the second has gone.
#[test]
fn the_cause_is_told_before_what_follows_from_it() {
    let values = [1.0, 2.0, 3.0, f32::NAN, 5.0, 6.0].map(f32::to_le_bytes).concat();
    let mut header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }".to_owned();
    header = format!("{header:<117}\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glm-cause.npy");
    std::fs::write(&path, [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &values].concat())
        .unwrap();
    let labels = path.with_file_name("glm-cause-labels.npy");
    let header = format!("{:<117}\n", header.trim_end().replace("(3, 2)", "(3,)"));
    let values = [1.0f32, 2.0, 1.0].map(f32::to_le_bytes).concat();
    std::fs::write(&labels, [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &values].concat())
        .unwrap();
    let ended =
        ended(netfold(&["glm", "train", "--workers", "2"]).arg(&path).arg("--labels").arg(&labels));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.stderr.contains("rank 1: ") && ended.stderr.contains("not finite"),
        "{}",
        ended.stderr
    );
}

#[test]
fn workers_learn_together_as_one_does_alone() {
    let (path, test) = (samples("glm-train.svm", 400, 1), samples("glm-test.svm", 200, 2));
    let (model, trace) = (file("glm.safetensors", ""), file("glm-trace.json", ""));
    let (path, test, model) =
        (path.to_str().unwrap(), test.to_str().unwrap(), model.to_str().unwrap());
    for options in [
        &["--workers", "1"] as &[&str],
        &["--workers", "3", "--transport", "udp"],
        &["--workers", "3", "--transport", "shm", "--protocol", "shadow"],
        &["--workers", "2", "--engines", "2", "--bits", "4"],
        &["--workers", "2", "--spread", "data", "--bits", "8"],
    ] {
        let trace = trace.to_str().unwrap();
        let ended = ended(train(path, test, model).args(options).args(["--trace", trace]));
        holds_a_good_model(&ended, model);
        let workers: usize = options[1].parse().unwrap();
        let udp = options.contains(&"udp");
        let slots = if udp { "switch" } else { "slots in shared memory" };
        let everyone = (0..workers)
            .map(|rank| format!("worker {rank}"))
            .chain((workers > 1).then(|| slots.to_owned()));
        let seen = Seen::of(trace);
        assert_eq!(seen.processes, everyone.collect(), "{options:?}");
        if workers > 1 && !options.contains(&"data") {
            seen.folds_end_with_rounds(udp);
            assert!(
                ended.stdout.contains("of the time of folds was hidden behind computation"),
                "{}",
                ended.stdout
            );
        }
    }
}

/// Contents of a trace. Times are in microseconds.
struct Seen {
    /// Their names, but for ports.
    processes: BTreeSet<String>,
    /// From their beginning to their end, as `rounds`, which have data.
    folds: Vec<(f64, f64)>,
    rounds: Vec<(f64, f64)>,
}

impl Seen {
    fn of(path: &str) -> Self {
        let file: Value = serde_json::from_reader(File::open(path).unwrap()).unwrap();
        let mut seen = Self { processes: BTreeSet::new(), folds: Vec::new(), rounds: Vec::new() };
        for event in file["traceEvents"].as_array().unwrap() {
            let number = |name: &str| event[name].as_f64().unwrap();
            let span = || (number("ts"), number("ts") + number("dur"));
            match event["name"].as_str().unwrap() {
                "process_name" => {
                    let name = event["args"]["name"].as_str().unwrap();
                    seen.processes.insert(
                        name.split_once(" at port").map_or(name, |(name, _)| name).to_owned(),
                    );
                }
                "fold" => seen.folds.push(span()),
                "round" => seen.rounds.push(span()),
                _ => {}
            }
        }
        seen
    }

    /// All are on one clock. A fold has ended when the result of a round was there. Over UDP it is
    /// on its way for as long as the machine likes, but the round has begun before the fold ends,
    /// and the fold before the round does.
    fn folds_end_with_rounds(&self, udp: bool) {
        /// Times are written with three digits behind the point, and added.
        const ROUNDING: f64 = 0.002;
        assert!(
            self.folds.len() > 50 && self.folds.len() < self.rounds.len() * self.processes.len()
        );
        for &(start, end) in &self.folds {
            let ends = |round: &(f64, f64)| {
                if udp {
                    round.0 <= end + ROUNDING && start <= round.1 + ROUNDING
                } else {
                    (end - round.1).abs() <= ROUNDING
                }
            };
            let nearest = || {
                self.rounds
                    .iter()
                    .map(|round| round.1 - end)
                    .min_by(|a, b| a.abs().total_cmp(&b.abs()))
            };
            assert!(
                self.rounds.iter().any(ends),
                "no round ends with a fold, from {start} to {end}, udp: {udp}, nearest: {:?} us later",
                nearest()
            );
        }
    }
}

#[test]
fn what_is_not_held_is_read_in_chunks() {
    let (path, test) = (samples("glm-chunks.svm", 400, 6), samples("glm-chunks-test.svm", 200, 7));
    let packed = file("glm-chunks.svm.gz", "");
    let mut gzip = GzEncoder::new(File::create(&packed).unwrap(), Compression::fast());
    gzip.write_all(&std::fs::read(&path).unwrap()).unwrap();
    gzip.finish().unwrap();
    let model = file("glm-chunks.safetensors", "");
    let (test, model) = (test.to_str().unwrap(), model.to_str().unwrap());
    let (drawn, only) = ("in an order drawn for each", "in the file's order");
    for (path, options, said) in [
        (&path, &["--workers", "1"] as &[&str], drawn),
        (&path, &["--workers", "3", "--bits", "4", "--engines", "2"], drawn),
        (&path, &["--workers", "2", "--spread", "data"], drawn),
        (&packed, &["--workers", "2", "--bits", "8"], only),
    ] {
        // 20 values of 8 bytes a row: some 70 KB.
        let path = path.to_str().unwrap();
        let ended = ended(train(path, test, model).args(options).args(["--memory", "8KiB"]));
        holds_a_good_model(&ended, model);
        assert!(ended.stdout.contains(said), "{options:?}: {}", ended.stdout);
    }
    let path = path.to_str().unwrap();
    let held = ended(train(path, test, model).args(["--memory", "1MiB"]));
    holds_a_good_model(&held, model);
    assert!(!held.stdout.contains("chunks"), "{}", held.stdout);
    for spread in ["model", "data"] {
        let options =
            ["--memory", "8KiB", "--validation", "0.1", "--workers", "2", "--spread", spread];
        let judged = ended(train(path, test, model).args(options));
        assert_eq!(judged.status, Some(0), "{}", judged.stderr);
        assert_eq!(judged.stderr.matches("held back").count(), 4, "{}", judged.stderr);
    }
}

/// Samples of a chunk are given out in turn, from the first worker on: of a single row the others
/// have nothing.
#[test]
fn workers_may_have_no_row_of_any_chunk() {
    let path = samples("glm-rows.svm", 40, 15);
    let run = ["--workers", "3", "--spread", "data", "--memory", "50", "--epochs", "1"];
    let ended = ended(netfold(&["glm", "train"]).arg(path).args(run));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("40 chunks"), "{}", ended.stdout);
}

/// The system gives a process less memory than the samples of its file take.
#[test]
fn chunks_bound_the_memory() {
    /// KiB of data that a process may have; the program without samples takes less than half.
    const LIMIT: &str = "16384";
    const ROWS: usize = 12_000;
    const ENTRIES: usize = 200;
    // 2.4 million values of 8 bytes.
    let mut text = String::new();
    for row in 0..ROWS {
        text.push_str(if row % 2 == 0 { "1" } else { "2" });
        for entry in 0..ENTRIES {
            write!(text, " {}:{}", 1 + 3 * entry + row % 3, 1 + (row + entry) % 2).unwrap();
        }
        text.push('\n');
    }
    let path = file("glm-large.svm", &text);
    let run = |options: &[&str]| {
        let mut limited = Command::new("sh");
        limited.args([
            "-c",
            "ulimit -d \"$0\" && exec \"$@\"",
            LIMIT,
            env!("CARGO_BIN_EXE_netfold"),
            "glm",
            "train",
        ]);
        ended(
            limited
                .arg(&path)
                .args(["--epochs", "2"])
                .args(options)
                .current_dir(env!("CARGO_TARGET_TMPDIR")),
        )
    };
    for bits in ["32", "4"] {
        let chunks = run(&["--memory", "512KiB", "--bits", bits]);
        assert_eq!(chunks.status, Some(0), "{}", chunks.stderr);
        assert!(chunks.stdout.contains("12000 samples of 600 features"), "{}", chunks.stdout);
    }
    assert_ne!(run(&[]).status, Some(0), "a limit that is none");
}

#[test]
fn processes_of_a_launcher_are_a_job() {
    let (path, test) =
        (samples("glm-launched.svm", 400, 3), samples("glm-launched-test.svm", 200, 4));
    let model = file("glm-launched.safetensors", "");
    let (path, test, model) =
        (path.to_str().unwrap(), test.to_str().unwrap(), model.to_str().unwrap());
    let alone = ended(train(path, test, model).env("RANK", "0").env("WORLD_SIZE", "2"));
    assert_eq!(alone.status, Some(2));
    assert!(alone.stderr.contains("NETFOLD_SWITCH"), "{}", alone.stderr);
    for (transport, slots) in [("udp", "switch"), ("shm", "slots in shared memory")] {
        // Each process writes its own, with its rank before the extension.
        let names = ["", ".0", ".1", "-switch", "-all"];
        let [own, first, second, of_switch, all] =
            names.map(|name| file(&format!("glm-{transport}{name}.json"), ""));
        let [own, first, second, of_switch, all] =
            [&own, &first, &second, &of_switch, &all].map(|path| path.to_str().unwrap());
        let listen = ["switch", "--listen", "127.0.0.1:0", "--trace", of_switch];
        let switch = RunningSwitch::start(&mut netfold(&listen));
        let process = |rank: usize| {
            let mut command = train(path, test, model);
            command.args(["--trace", own, "--transport", transport]);
            command
                .env("NETFOLD_SWITCH", &switch.address)
                .env("RANK", rank.to_string())
                .env("WORLD_SIZE", "2");
            ended(&mut command)
        };
        let processes = thread::scope(|scope| {
            let other = scope.spawn(|| process(1));
            [process(0), other.join().unwrap()]
        });
        holds_a_good_model(&processes[0], model);
        let other = &processes[1];
        assert_eq!((other.status, other.stdout.as_str(), other.stderr.as_str()), (Some(0), "", ""));
        assert_eq!(switch.stop(Signal::TERM).status, Some(0));
        let together = ended(&mut netfold(&["trace", first, second, of_switch, "--save", all]));
        assert_eq!(together.status, Some(0), "{}", together.stderr);
        for rank in 0..2 {
            let words = "% of the time of folds was hidden behind computation";
            let line =
                together.stdout.lines().find(|line| line.starts_with(&format!("worker {rank}: ")));
            assert!(line.is_some_and(|line| line.ends_with(words)), "{}", together.stdout);
        }
        for again in [first, of_switch, all] {
            let twice = ended(&mut netfold(&["trace", first, second, of_switch, again]));
            assert_eq!(twice.status, Some(2), "{}", twice.stdout);
            assert!(
                twice.stderr.contains(again) && twice.stderr.contains("name each file"),
                "{}",
                twice.stderr
            );
        }
        // What the first process says of itself stands in the files, too.
        let share = |text: &str| {
            text.lines().find_map(|line| line.split_once(" %").map(|(share, _)| share.to_owned()))
        };
        let told =
            together.stdout.lines().find_map(|line| line.strip_prefix("worker 0: ")).unwrap();
        assert_eq!(share(told), share(&processes[0].stdout));
        let seen = Seen::of(all);
        assert!(
            ["worker 0", "worker 1", slots].iter().all(|name| seen.processes.contains(*name)),
            "{:?}",
            seen.processes
        );
        seen.folds_end_with_rounds(transport == "udp");
    }
}

/// Half of the levels of a symmetric grid are below 0: a single bit would have none above.
#[test]
fn samples_without_values_below_0_have_all_levels_above_it() {
    let (path, test) = (samples("glm-unit.svm", 400, 11), samples("glm-unit-test.svm", 200, 12));
    let model = file("glm-unit.safetensors", "");
    let (path, test, model) =
        (path.to_str().unwrap(), test.to_str().unwrap(), model.to_str().unwrap());
    for options in [
        &["--workers", "1"] as &[&str],
        &["--workers", "2"],
        &["--workers", "2", "--memory", "8KiB"],
    ] {
        holds_a_good_model(
            &ended(train(path, test, model).args(options).args(["--bits", "1"])),
            model,
        );
    }
    // One value of the second worker is: both of them know.
    let signed = file("glm-signed.svm", "1 1:1 2:-1\n2 1:1 2:1\n");
    let signed = signed.to_str().unwrap();
    for (options, words) in [
        (&[signed, "--bits", "1"] as &[&str], "--scaling unit where"),
        (&[path, "--bits", "1", "--scaling", "symmetric"], "--bits 2 or more"),
        (&[signed, "--bits", "4", "--scaling", "unit"], "use symmetric"),
    ] {
        let refused = ended(netfold(&["glm", "train", "--workers", "2"]).args(options));
        assert_eq!(refused.status, Some(1));
        assert!(
            refused.stderr.contains("rank 0: ") && refused.stderr.contains(words),
            "{}",
            refused.stderr
        );
    }
}

/// R-GLM-20: whichever worker has the samples.
#[test]
fn values_between_levels_are_rounded_as_is_asked_for() {
    let (path, model) = (samples("glm-between.svm", 400, 14), file("glm-between.safetensors", ""));
    let coefficients = |options: &[&str]| {
        let mut command =
            netfold(&["glm", "train", path.to_str().unwrap(), "--save", model.to_str().unwrap()]);
        // 0.1 lies between two levels. One step for an epoch, of all samples in whatever order.
        command.args(["--bits", "4", "--batch", "400", "--rate", "constant", "--epochs", "4"]);
        let ended = ended(command.args(options));
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        Model::load(File::open(&model).unwrap()).unwrap().coefficients
    };
    let are_equal = |one: &[f32], other: &[f32]| {
        // 400 contributions in each of 4 epochs, to weights below 1.
        one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1600.0 / (1 << 24) as f32)
    };
    let each = ["nearest", "truncate", "stochastic"].map(|how| coefficients(&["--rounding", how]));
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        assert!(!are_equal(&each[first], &each[second]), "{first}, {second}");
    }
    for spread in ["model", "data"] {
        let several =
            coefficients(&["--rounding", "stochastic", "--workers", "3", "--spread", spread]);
        assert!(are_equal(&several, &each[2]), "{spread}: {several:?} for {:?}", each[2]);
    }
}

#[test]
fn a_process_whose_peers_do_not_come_says_so_and_gives_up() {
    let path = samples("glm-lonely.svm", 10, 13);
    let switch = RunningSwitch::start(&mut netfold(&["switch", "--listen", "127.0.0.1:0"]));
    let mut process = netfold(&["glm", "train", "--job", "lonely", "--wait", "1"]);
    process
        .arg(path)
        .env("NETFOLD_SWITCH", &switch.address)
        .env("RANK", "1")
        .env("WORLD_SIZE", "3");
    let ended = ended(&mut process);
    assert_eq!(ended.status, Some(1));
    for words in [
        "rank 1 of the job \"lonely\": 1 of 3 workers have joined; waiting for rank 0, 2",
        "the job \"lonely\" did not form within 1 s: ",
        "--wait",
    ] {
        assert!(ended.stderr.contains(words), "`{words}` in: {}", ended.stderr);
    }
}

/// R-GLM-25: workers as threads, over UDP and in shared memory, and engines: the same file, byte by
/// byte.
#[test]
fn fixed_point_gives_the_same_model_however_features_are_split() {
    let path = samples("glm-fixed.svm", 200, 6);
    let test = samples("glm-fixed-test.svm", 50, 7);
    let (path, test) = (path.to_str().unwrap(), test.to_str().unwrap());
    let model = |number: usize, options: &[&str]| {
        let model = file(&format!("glm-fixed-{number}.safetensors"), "");
        let fixed =
            ["--arithmetic", "fixed", "--fraction-bits", "18", "--bits", "8", "--rate", "constant"];
        let ended = ended(train(path, test, model.to_str().unwrap()).args(fixed).args(options));
        assert_eq!(ended.status, Some(0), "{options:?}: {}", ended.stderr);
        std::fs::read(model).unwrap()
    };
    let one = model(0, &[]);
    for (number, options) in [
        &["--workers", "3", "--transport", "udp"] as &[&str],
        &["--workers", "2", "--transport", "shm", "--engines", "2"],
        &["--workers", "5", "--micro-batch", "3"],
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(model(number + 1, options), one, "{options:?}");
    }
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let path = samples("glm-refused.svm", 10, 5);
    let path = path.to_str().unwrap();
    let (by_columns, labels) = (&data_file("csc.npz"), &data_file("labels.npy"));
    let trained =
        ended(&mut netfold(&["glm", "train", by_columns, "--labels", labels, "--epochs", "1"]));
    assert_eq!(trained.status, Some(0), "{}", trained.stderr);
    let empty = file("glm-empty.svm", "");
    let one = file("glm-one-class.svm", "3 1:1\n3 2:1\n");
    let numbers: String = (0..120).map(|row| format!("{}.5 1:{row}\n", row)).collect();
    let (numbers, bare) = (file("glm-numbers.svm", &numbers), file("glm-bare.svm", "1\n2\n"));
    let [empty, one, numbers, bare] =
        [&empty, &one, &numbers, &bare].map(|path| path.to_str().unwrap());
    for (arguments, words) in [
        (&["nothing.svm"] as &[&str], &["nothing.svm", "no model"] as &[&str]),
        (&[by_columns, "--labels", labels, "--memory", "1MiB"], &["tocsr", "leave out --memory"]),
        (&[path, "--memory", "0"], &["--memory", "64MiB"]),
        (&[path, "--arithmetic", "fixed"], &["fixed-point", "--bits"]),
        (
            &[path, "--arithmetic", "fixed", "--bits", "8", "--l1-ratio", "0.5"],
            &["fixed-point", "no L1"],
        ),
        (&[path, "--workers", "41"], &["--workers", "40 features", "give 40"]),
        (&[path, "--engines", "41"], &["engines = 41", "40 features", "give 1 to 40"]),
        (&[empty], &["glm-empty.svm", "no samples"]),
        (&[one], &["glm-one-class.svm", "all labels are 3", "two classes"]),
        (&[numbers], &["glm-numbers.svm", "120 different labels", "--loss squared"]),
        (&[bare], &["glm-bare.svm", "no features"]),
    ] {
        let ended = ended(netfold(&["glm", "train"]).args(arguments));
        assert_ne!(ended.status, Some(0), "{arguments:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
        }
    }
}

#[test]
fn flags_out_of_range_are_mistakes_of_the_command_line() {
    for (flag, value) in [
        ("--l1-ratio", "2"),
        ("--alpha", "nan"),
        ("--alpha", "-1"),
        ("--eta0", "0"),
        ("--tol", "inf"),
        ("--validation", "1"),
        ("--epochs", "0"),
        ("--batch", "0"),
        ("--micro-batch", "0"),
        ("--engines", "0"),
        ("--bits", "0"),
        ("--bits", "33"),
        ("--fraction-bits", "31"),
        ("--workers", "65"),
        ("--wait", "0"),
    ] {
        let ended = ended(&mut netfold(&["glm", "train", "some.svm", &format!("{flag}={value}")]));
        assert_eq!(ended.status, Some(2), "{flag} {value}");
        assert!(ended.stderr.contains(flag) && ended.stderr.contains(value), "{}", ended.stderr);
    }
}
