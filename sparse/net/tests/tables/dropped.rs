//! Tables that are dropped without having been closed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netfold_sparse::{ElementType, Numbers, SwitchTable};
use netfold_sparse_net::{
    Error, HotRows, HotStats, Kept, Lost, Planes, SparseTable, TableOptions, Waiting,
};

use crate::support::{TIMEOUT, on, options, server, spec};

/// Hot rows whose switch is lost from the beginning.
struct Gone(SwitchTable);

impl HotRows for Gone {
    fn table(&self) -> SwitchTable {
        self.0.clone()
    }

    fn push(&self, _: &[u32], _: &Numbers) -> Result<(), Lost> {
        Err(gone())
    }

    fn pull(&self, _: &[u32]) -> Result<(Numbers, Vec<usize>), Lost> {
        Err(gone())
    }

    fn wait_acknowledged(&self, _: Duration) -> Result<bool, Lost> {
        Err(gone())
    }

    fn made(&self) -> u32 {
        0
    }

    fn stored(&self, _: u64, _: u32) {}

    fn seal(&self) {}

    fn kept(&self, _: u64) -> Vec<Kept> {
        Vec::new()
    }

    fn kept_bytes(&self) -> usize {
        0
    }

    fn lost(&self) -> Option<Lost> {
        Some(gone())
    }

    fn stats(&self) -> HotStats {
        HotStats::default()
    }
}

fn gone() -> Lost {
    Lost("it is gone".into())
}

/// Another switch that never comes; and whether anybody looks for it.
#[derive(Default)]
struct Never(AtomicBool);

impl Planes for Never {
    fn resume(&self, _: u32, over: &dyn Fn() -> bool) -> Result<Arc<dyn HotRows>, Lost> {
        self.0.store(true, Ordering::SeqCst);
        while !over() {
            thread::yield_now();
        }
        self.0.store(false, Ordering::SeqCst);
        Err(gone())
    }

    fn replace(&self, _: u32, _: Waiting<'_>) -> Result<Arc<dyn HotRows>, Error> {
        unreachable!("nobody has other hot keys")
    }
}

/// The thread that looks for another switch ends with the table.
#[test]
fn nothing_looks_for_another_switch_for_a_table_that_is_gone() {
    let server = server();
    let switch = SwitchTable {
        address: ([127, 0, 0, 1], 9).into(),
        job: 1,
        epoch: 7,
        workers: 1,
        datagram_bytes: 1472,
        integrity: "transport".into(),
        key: [0; 16],
        rows: 1,
        width: 1,
        element_type: ElementType::F32,
        resident: false,
        arithmetic: "native".into(),
        byte_order: "little".into(),
        scale: 0,
    };
    let planes = Arc::new(Never::default());
    let wait_until = |looked_for: bool| {
        let start = Instant::now();
        while planes.0.load(Ordering::SeqCst) != looked_for {
            assert!(start.elapsed() < TIMEOUT, "is it looked for? {}", !looked_for);
            thread::yield_now();
        }
    };
    let options = TableOptions { hot_keys: vec![0], ..options(spec(10, 1), 0, 1, &[&server]) };
    let hot: Arc<dyn HotRows> = Arc::new(Gone(switch));
    let table = SparseTable::open_at(options, Some(hot), Some(planes.clone()), &mut on).unwrap();
    assert!(!table.stats().unwrap().at_switch);
    wait_until(true);
    drop(table);
    wait_until(false);
}
