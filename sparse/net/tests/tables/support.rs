//! Servers and workers of the tests.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use netfold_sparse::optimizer::Sgd;
use netfold_sparse::{ElementType, Initialiser, Optimizer, TableSpec};
use netfold_sparse_net::{Server, ServerOptions, SparseTable, TableOptions, UdpSwitches};

/// Longest wait of a test for anything.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// A wait that nobody interrupts.
pub fn on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub fn server_options(data: Option<&Path>) -> ServerOptions {
    ServerOptions {
        listen: "127.0.0.1:0".into(),
        data: data.map(Path::to_owned),
        memory_bytes: 64 << 20,
        token: None,
        switches: Arc::new(UdpSwitches),
    }
}

pub fn server() -> Server {
    Server::start(server_options(None)).unwrap()
}

/// A table that begins with zeros, and whose rows are minus the sums of what is pushed.
pub fn spec(rows: u64, width: u16) -> TableSpec {
    TableSpec {
        name: "test".into(),
        rows,
        width,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd { lr: 1.0, ..Sgd::default() }),
        initialiser: Initialiser::Constant { value: 0.0 },
        seed: 1,
        staleness: None,
        resident: false,
        max_age_ms: 5,
    }
}

pub fn options(table: TableSpec, rank: u16, workers: u16, servers: &[&Server]) -> TableOptions {
    TableOptions {
        table,
        rank,
        workers,
        servers: servers.iter().map(|server| server.address().to_string()).collect(),
        hot_keys: Vec::new(),
        token: None,
        timeout: TIMEOUT,
    }
}

pub fn open(options: TableOptions) -> SparseTable {
    SparseTable::open(options, None, &mut on).unwrap()
}

pub fn pull(table: &SparseTable, keys: &[u32], step: Option<u32>) -> Vec<f32> {
    let pull = table.pull(keys, step).unwrap();
    let mut rows = vec![f32::NAN; pull.lanes()];
    pull.wait(&mut rows, &mut on).unwrap();
    rows
}
