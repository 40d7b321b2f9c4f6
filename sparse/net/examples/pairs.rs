//! Rate at which a worker pushes and pulls pairs of key and row, over loopback, with a
//! server in the same process: `pairs [WIDTH] [KEYS OF A BATCH] [ROWS] [WORKERS] [FOLDER]`.

use std::ops::ControlFlow;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use netfold_sparse::optimizer::Sgd;
use netfold_sparse::{ElementType, Initialiser, Optimizer, TableSpec};
use netfold_sparse_net::{Server, ServerOptions, SparseTable, TableOptions, UdpSwitches};

const BATCHES: u32 = 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u32| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (width, keys) = (number(0, 1) as u16, number(1, 1 << 18));
    let (rows, workers) = (number(2, 1 << 22), number(3, 1) as u16);
    let server = Server::start(ServerOptions {
        listen: "127.0.0.1:0".into(),
        data: arguments.get(4).map(Into::into),
        memory_bytes: 8 << 30,
        token: None,
        switches: Arc::new(UdpSwitches),
    })
    .expect("a server");
    let table = TableSpec {
        name: "pairs".into(),
        rows: rows.into(),
        width,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd { lr: 1e-3, ..Sgd::default() }),
        initialiser: Initialiser::Constant { value: 0.0 },
        seed: 1,
        staleness: None,
        resident: false,
        max_age_ms: 20,
    };
    let barrier = Barrier::new(workers.into());
    thread::scope(|scope| {
        for rank in 0..workers {
            let options = TableOptions {
                table: table.clone(),
                rank,
                workers,
                servers: vec![server.address().to_string()],
                hot_keys: Vec::new(),
                token: None,
                timeout: Duration::from_secs(60),
            };
            let barrier = &barrier;
            scope.spawn(move || worker(options, keys, barrier));
        }
    });
}

fn worker(options: TableOptions, count: u32, barrier: &Barrier) {
    let on = &mut || ControlFlow::Continue(());
    let (rows, width, rank) = (options.table.rows, options.table.width, options.rank);
    let table = SparseTable::open(options, None, on).expect("a table");
    // Spread over the table, each once in a batch: the step is odd and the rows a power of two.
    let mut next = u64::from(rank) * 12345;
    let mut batch = || -> Vec<u32> {
        (0..count)
            .map(|_| {
                next = (next + 2_654_435_761) % rows;
                next as u32
            })
            .collect()
    };
    let batches: Vec<_> = (0..BATCHES).map(|_| batch()).collect();
    let gradients = vec![0.5_f32; count as usize * usize::from(width)];
    let mut out = gradients.clone();
    // All rows are made before.
    let all: Vec<u32> = (0..rows as u32).collect();
    for some in all.chunks(count as usize) {
        let pull = table.pull(some, None).expect("a pull");
        pull.wait(&mut out[..some.len() * usize::from(width)], on).expect("rows");
    }
    for (what, push, pull) in
        [("push", true, false), ("pull", false, true), ("push and pull", true, true)]
    {
        barrier.wait();
        let start = Instant::now();
        for keys in &batches {
            let asked = pull.then(|| table.pull(keys, None).expect("a pull"));
            if push {
                table.push(keys, &gradients, on).expect("a push");
            }
            if let Some(asked) = asked {
                asked.wait(&mut out, on).expect("rows");
            }
        }
        table.flush(on).expect("a flush");
        let pairs = f64::from(BATCHES) * f64::from(count);
        let rate = pairs / start.elapsed().as_secs_f64() / 1e6;
        println!("rank {rank}: {what}: {rate:.1} million pairs/s");
    }
    table.close(on).expect("closed");
}
