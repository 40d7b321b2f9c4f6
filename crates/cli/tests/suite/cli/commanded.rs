//! The benchmark's worker, commanded over a socket as `python -m bench` does.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{RunningSwitch, WAIT_LIMIT, netfold};

const WORKERS: usize = 2;

struct Commanded {
    child: Child,
    commands: UnixStream,
    answers: BufReader<UnixStream>,
}

impl Commanded {
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

/// Starts the workers, and returns them by rank, with what each says of itself.
fn start(switch: &RunningSwitch) -> Vec<(Commanded, Value)> {
    let path = std::env::temp_dir().join(format!("netfold-commanded-{}", std::process::id()));
    let listener = UnixListener::bind(&path).unwrap();
    let mut workers = Vec::new();
    let mut children: Vec<Child> = (0..WORKERS)
        .map(|rank| {
            let orders = json!({
                "switch": switch.address, "job": "commanded", "rank": rank, "workers": WORKERS, "arithmetic": "fpisa",
                "byte_order": "little",
                "protocol": "shadow",
                "integrity": null, "packet_elements": null, "slots": null, "token": null, "element_type": "bf16",
                "sizes": [], "iterations": 0, "controller": path,
            });
            let mut child = netfold(&["bench-worker"]).stdin(Stdio::piped()).spawn().unwrap();
            writeln!(child.stdin.take().unwrap(), "{orders}").unwrap();
            child
        })
        .collect();
    for _ in 0..WORKERS {
        let (socket, _) = listener.accept().unwrap();
        socket.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
        let mut answers = BufReader::new(socket.try_clone().unwrap());
        let mut hello = String::new();
        answers.read_line(&mut hello).unwrap();
        let mut parts = hello.splitn(3, ' ');
        assert_eq!(parts.next(), Some("hello"), "{hello}");
        let rank: usize = parts.next().unwrap().parse().unwrap();
        workers.push((rank, socket, answers, serde_json::from_str(parts.next().unwrap()).unwrap()));
    }
    std::fs::remove_file(path).unwrap();
    workers.sort_by_key(|(rank, ..)| *rank);
    let of_ranks = children.drain(..).zip(workers);
    of_ranks
        .map(|(child, (_, commands, answers, hello))| {
            (Commanded { child, commands, answers }, hello)
        })
        .collect()
}

#[test]
fn a_worker_does_what_it_is_told_and_ends() {
    let switch = RunningSwitch::start(&mut netfold(&["switch", "--listen", "127.0.0.1:0"]));
    let (mut workers, hellos): (Vec<_>, Vec<_>) = start(&switch).into_iter().unzip();
    for hello in hellos {
        assert_eq!(hello["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(
            (&hello["arithmetic"], &hello["element_type"]),
            (&"fpisa".into(), &"bf16".into())
        );
        assert!(["udp", "shm"].iter().any(|name| hello["transport"] == *name), "{hello}");
        assert!(hello["payload_bytes"].as_u64() > Some(0), "{hello}");
    }
    let mut all = |command: &str| -> Vec<String> {
        workers.iter_mut().for_each(|worker| writeln!(worker.commands, "{command}").unwrap());
        workers.iter_mut().map(Commanded::answer).collect()
    };
    assert_eq!(all("check 40000"), ["ok"; WORKERS]);
    assert_eq!(all("fill 1024"), ["ok"; WORKERS]);
    for answer in all("run 10 3") {
        let seconds: f64 = answer.strip_prefix("done ").unwrap().parse().unwrap();
        assert!(seconds > 0.0 && seconds < WAIT_LIMIT.as_secs_f64(), "{answer}");
    }
    assert_eq!(all("dance"), ["failed unknown command"; WORKERS]);
    // Rank 0 is told to end; for rank 1 the controller is gone.
    writeln!(workers[0].commands, "end").unwrap();
    for worker in workers {
        let Commanded { mut child, commands, answers } = worker;
        drop((commands, answers));
        assert!(child.wait().unwrap().success());
    }
}
