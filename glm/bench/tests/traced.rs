//! Workers that are traced tell of their folds (R-GLM-30), and others do not.
#![cfg(not(feature = "openmpi"))] // with it mpirun starts them

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Command};

use netfold_net::{Switch, SwitchOptions};
use serde_json::{Value, json};

const WORKERS: usize = 2;
const ROWS: usize = 64;

/// Two processes, and the ends of their sockets.
struct Crew {
    processes: Vec<Child>,
    sockets: Vec<BufReader<UnixStream>>,
}

impl Crew {
    fn start() -> Self {
        let path = std::env::temp_dir().join(format!("netfold-sgd-{}", std::process::id()));
        let listener = UnixListener::bind(&path).unwrap();
        let processes = (0..WORKERS).map(|rank| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_netfold-bench-sgd"));
            command.arg(&path).args([rank.to_string(), WORKERS.to_string()]).spawn().unwrap()
        });
        let processes = processes.collect();
        let sockets = (0..WORKERS).map(|_| BufReader::new(listener.accept().unwrap().0)).collect();
        std::fs::remove_file(&path).unwrap();
        let mut crew = Self { processes, sockets };
        crew.answers();
        crew
    }

    fn order(&mut self, order: &Value) -> Vec<Value> {
        for socket in &mut self.sockets {
            writeln!(socket.get_mut(), "{order}").unwrap();
        }
        self.answers()
    }

    fn answers(&mut self) -> Vec<Value> {
        let line = |socket: &mut BufReader<UnixStream>| {
            let mut line = String::new();
            socket.read_line(&mut line).unwrap();
            serde_json::from_str(&line).unwrap()
        };
        self.sockets.iter_mut().map(line).collect()
    }

    /// Trains in micro-batches of so many samples.
    fn fit(&mut self, through: &str, micro_batch: usize, traced: bool) -> Vec<Value> {
        let answers = self.order(&json!({ "fit": {
            "through": through, "spread": "model", "batch": 16, "micro_batch": micro_batch,
            "engines": 1, "epochs": 1, "eta": 0.01, "traced": traced,
        }}));
        answers.iter().map(|answer| answer["fitted"].clone()).collect()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.sockets.clear();
        for process in &mut self.processes {
            process.wait().unwrap();
        }
    }
}

#[test]
fn traced_workers_tell_of_their_folds() {
    let switch = Switch::start(&SwitchOptions::default()).unwrap();
    let mut crew = Crew::start();
    crew.order(&json!({ "join": {
        "switch": switch.address().to_string(), "job": "traced", "transport": "shm",
    }}));
    crew.order(&json!({ "hold": {
        "samples": { "dense": { "rows": ROWS, "features": 100 } },
        "bits": 4, "engines": [1], "rows_too": false,
    }}));
    for through in ["netfold", "acked", "shadow"] {
        for micro_batch in [8, 16] {
            let plain = crew.fit(through, micro_batch, false);
            let traced = crew.fit(through, micro_batch, true);
            for (plain, traced) in plain.iter().zip(&traced) {
                assert_eq!(plain["folds"], Value::Null);
                assert_eq!(plain["epochs"][0]["loss"], traced["epochs"][0]["loss"]);
                let number = |value: &Value| value.as_f64().unwrap();
                let (total, hidden) =
                    (number(&traced["folds"]["total"]), number(&traced["folds"]["hidden"]));
                assert!(0.0 < total && total < number(&traced["epochs"][0]["seconds"]));
                assert!((0.0..=total).contains(&hidden));
                // A mini-batch that is waited for as a whole has nothing beside its fold.
                if micro_batch == 16 {
                    assert_eq!(hidden, 0.0);
                }
            }
        }
    }
    // MPI is not there, and would not tell either.
    let refused = crew.order(&json!({ "fit": {
        "through": "mpi_waited", "spread": "model", "batch": 16, "micro_batch": 16,
        "engines": 1, "epochs": 1, "eta": 0.01, "traced": true,
    }}));
    assert!(refused.iter().all(|answer| answer["failed"].is_string()));
}
