//! Key-values a second through one server, on one core: frames of pushes are decoded, carried out,
//! and, with `log`, appended to a batch of the log.
//!
//! `cargo run --release -p netfold-sparse --example push_rate -- 1 10000000`

#![expect(clippy::disallowed_types, reason = "a measurement has the clock; the machine has none")]

use std::error::Error;
use std::time::Instant;

use netfold_sparse::optimizer::{Optimizer, Sgd};
use netfold_sparse::{
    Change, ElementType, Hello, Initialiser, Limits, MemoryStore, Output, Request, Server,
    TableSpec,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Keys of one frame, and frames of one run.
const KEYS: usize = 16_384;
const FRAMES: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let width: u16 = arguments.next().ok_or("the width of a row is missing")?.parse()?;
    let rows: u64 = arguments.next().ok_or("the number of rows is missing")?.parse()?;
    let store = arguments.any(|word| word == "log").then(MemoryStore::default);
    let limits = Limits { memory_bytes: 64 << 30, log_bytes: usize::MAX };
    let mut server = Server::recover(store, limits)?;
    let table = TableSpec {
        name: "rate".into(),
        rows,
        width,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd::default()),
        initialiser: Initialiser::Constant { value: 0.0 },
        seed: 0,
        staleness: None,
        resident: false,
        max_age_ms: 20,
    };
    let hot_keys: Vec<u32> = (0..rows.min(32_768) as u32).collect();
    let (server_place, servers) = (0, 1);
    let hello = Hello {
        table,
        rank: 0,
        workers: 1,
        session: 1,
        server: server_place,
        servers,
        list: 0,
        former: Vec::new(),
        hot_keys,
        switch: None,
    };
    server.request(0, 1, Request::Hello(Box::new(hello)))?;
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut number = 0;
    for run in 0..6 {
        let frames: Vec<Vec<u8>> = (0..FRAMES)
            .map(|_| {
                number += 1;
                let keys = (0..KEYS).map(|_| random.random_range(0..rows) as u32).collect();
                let rows = vec![1.0_f32; KEYS * usize::from(width)].into();
                let change = Change::Push { keys, rows };
                let mut frame = Vec::new();
                Request::Change { number, change }.encode(&mut frame);
                frame
            })
            .collect();
        let begin = Instant::now();
        for frame in &frames {
            server.request(0, 1, Request::decode(frame)?)?;
            while let Some(output) = server.output() {
                if let Output::Commit { batch, .. } = output {
                    server.stored(0, batch)?;
                }
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        // The first run makes the pages.
        println!("run {run}: {:.1} million keys a second", (KEYS * FRAMES) as f64 / seconds / 1e6);
    }
    Ok(())
}
