use super::*;
use crate::optimizer::Sgd;

fn worker(rank: u16, connected: bool, ended: Option<u32>) -> WorkerReport {
    WorkerReport { rank, connected, known: true, left: false, changes: 1, ended, behind: 0 }
}

fn table() -> TableReport {
    TableReport {
        name: "t".into(),
        rows: 100,
        width: 2,
        element_type: ElementType::F32,
        optimizer: Optimizer::Sgd(Sgd::default()),
        staleness: Some(0),
        resident: false,
        hot_rows: 3,
        server: 0,
        servers: 1,
        rows_in_memory: 10,
        row_bytes: 80,
        unsaved_bytes: 80,
        waiting_bytes: 0,
        limit_bytes: 1000,
        stored_bytes: None,
        applied: None,
        waiting: None,
        switch: None,
        workers: vec![worker(0, true, Some(4)), worker(1, false, Some(3)), worker(2, true, None)],
        counters: BTreeMap::new(),
    }
}

fn switch(silent_ms: u64, sealed: bool) -> SwitchReport {
    SwitchReport {
        address: ([127, 0, 0, 1], 9).into(),
        epoch: 7,
        generation: 5,
        stored: 5,
        sealed,
        unreplayed: if sealed { vec![2] } else { Vec::new() },
        silent_ms,
    }
}

#[test]
fn a_table_that_is_well_is_no_finding() {
    let well = TableReport {
        waiting: Some(WaitReport { pulls: 1, step: 4, for_ms: WAIT_MS }),
        switch: Some(switch(SILENCE_MS, false)),
        ..table()
    };
    assert_eq!(well.findings(), []);
}

/// R-SERVE-5: who holds up a step is named, and who of these is not even there.
#[test]
fn workers_that_hold_up_a_step_are_named() {
    let waiting = Some(WaitReport { pulls: 6, step: 4, for_ms: WAIT_MS + 1 });
    let found = TableReport { waiting: waiting.clone(), ..table() }.findings();
    let [ServerFinding::HeldUp { step: 4, pulls: 6, ranks, absent, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!((&ranks[..], &absent[..]), (&[1, 2][..], &[1][..]));
    let told = found[0].to_string();
    let mut others = TableReport { waiting, ..table() };
    others.workers[1].left = true;
    let found = others.findings();
    assert!(matches!(&found[..], [ServerFinding::HeldUp { ranks, .. }] if *ranks == [2]));
    assert!(
        told.contains("ranks 1, 2 have not ended") && told.contains("ranks 1 are not connected")
    );
}

#[test]
fn a_switch_that_is_silent_or_lost_is_a_finding() {
    let found = |switch| TableReport { switch: Some(switch), ..table() }.findings();
    let silent = found(switch(SILENCE_MS + 1, false));
    assert!(matches!(silent[..], [ServerFinding::SilentSwitch { .. }]), "{silent:?}");
    let lost = found(switch(60_000, true));
    assert!(matches!(lost[..], [ServerFinding::Sealed { .. }]), "{lost:?}");
    assert!(lost[0].to_string().contains("ranks 2 have yet to replay"), "{}", lost[0]);
}

/// R-SERVE-8: with a store, rows leave memory unless they have changed since the last checkpoint.
#[test]
fn memory_that_is_nearly_full_is_a_finding() {
    let full = TableReport { row_bytes: 900, ..table() };
    let found = full.findings();
    let [ServerFinding::MemoryShort { what, used: 900, limit: 1000, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(what, "rows");
    assert_eq!(TableReport { row_bytes: 899, ..table() }.findings(), []);
    let stored = TableReport { stored_bytes: Some(1), ..full };
    assert_eq!(stored.findings(), []);
    assert_eq!(TableReport { unsaved_bytes: 900, ..stored }.findings().len(), 1);
    let waiting = TableReport { waiting_bytes: 950, ..table() };
    assert!(waiting.findings()[0].to_string().contains("gradients take 950 of 1000 bytes"));
}

#[test]
fn many_ranks_are_not_all_named() {
    let ranks: Vec<u16> = (0..20).collect();
    let named = Named(&ranks).to_string();
    assert!(named.ends_with("14, 15 and 4 more"), "{named}");
}
