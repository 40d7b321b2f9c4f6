//! Rate at which workers push hot rows to a switch in the same process, and pull them, in shared
//! memory and over UDP in turn, or only one of the two:
//! `hot_pairs [WIDTH] [KEYS OF A BATCH] [WORKERS] [ROUNDS] [shm|udp]`.

use std::ops::ControlFlow;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{Arithmetic, Switch, Transport};
use netfold_sparse::optimizer::Sgd;
use netfold_sparse::{ElementType, Initialiser, Optimizer, TableSpec};
use netfold_sparse_net::{Member, ServerOptions, SwitchOptions, TableOptions, UdpSwitches};

const ROWS: u32 = 30_000;
const BATCHES: u32 = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (width, keys) = (number(0, 1) as u16, number(1, 1000));
    let (workers, rounds) = (number(2, 2) as u16, number(3, 5));
    let only = arguments.get(4).map(|name| name.parse().expect("shm or udp"));
    for round in 0..rounds {
        for transport in [Transport::Shm, Transport::Udp] {
            if only.is_some_and(|only: Transport| only != transport) {
                continue;
            }
            let switch = Switch::start(&netfold_net::SwitchOptions::default()).expect("a switch");
            let at = SwitchOptions {
                address: switch.address().to_string(),
                arithmetic: Arithmetic::Native,
                scale: 0,
                registers: None,
                transport: Some(transport),
            };
            let barrier = Barrier::new(workers.into());
            let seconds = thread::scope(|scope| {
                let each = (0..workers).map(|rank| {
                    let (at, barrier) = (&at, &barrier);
                    scope.spawn(move || worker(at, rank, workers, width, keys, barrier))
                });
                let each: Vec<_> = each.collect();
                each.into_iter().map(|one| one.join().expect("a worker")).collect::<Vec<_>>()
            });
            let pairs = f64::from(keys) * f64::from(BATCHES) / 1e6;
            let [push, pull] = [0, 1].map(|what| {
                let slowest = seconds.iter().map(|own| own[what]).fold(0.0, f64::max);
                pairs / slowest
            });
            println!(
                "round {round} {transport:?}: {push:.1} million pairs a second and worker pushed, {pull:.1} pulled"
            );
        }
    }
}

/// Returns the seconds of pushes and of pulls.
fn worker(
    at: &SwitchOptions,
    rank: u16,
    workers: u16,
    width: u16,
    keys: u32,
    barrier: &Barrier,
) -> [f64; 2] {
    let on = &mut || ControlFlow::Continue(());
    let table = TableSpec {
        name: "hot".into(),
        rows: ROWS.into(),
        width,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd { lr: 1e-3, ..Sgd::default() }),
        initialiser: Initialiser::Constant { value: 0.0 },
        seed: 1,
        staleness: None,
        resident: true,
        max_age_ms: 20,
    };
    let options = TableOptions {
        table,
        rank,
        workers,
        servers: Vec::new(),
        hot_keys: (0..ROWS).collect(),
        token: None,
        timeout: Duration::from_secs(30),
    };
    let serve = ServerOptions {
        listen: String::new(),
        data: None,
        memory_bytes: 1 << 30,
        token: None,
        switches: Arc::new(UdpSwitches),
    };
    let member = Member::open(options, Some(at), serve, on).expect("a table");
    let table = member.table();
    let batch = |number: u32| -> Vec<u32> {
        let start = (number * 7919 + u32::from(rank) * 104_729) % ROWS;
        (0..keys).map(|key| (start + key * 17) % ROWS).collect()
    };
    let batches: Vec<_> = (0..BATCHES).map(batch).collect();
    let gradients = vec![0.5_f32; keys as usize * usize::from(width)];
    let mut rows = gradients.clone();
    table.flush(on).expect("loaded");
    barrier.wait();
    let start = Instant::now();
    for keys in &batches {
        table.push(keys, &gradients, on).expect("a push");
    }
    table.flush(on).expect("stored");
    barrier.wait();
    let pushed = start.elapsed().as_secs_f64();
    let start = Instant::now();
    for keys in &batches {
        table.pull(keys, None).expect("a pull").wait(&mut rows, on).expect("rows");
    }
    barrier.wait();
    let pulled = start.elapsed().as_secs_f64();
    member.close(on).expect("closed");
    [pushed, pulled]
}
