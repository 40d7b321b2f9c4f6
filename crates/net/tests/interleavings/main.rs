//! Orders in which threads of a communicator may share a flow and the memory of calls, as far as
//! three preemptions make them, with the memory model of C11: loom runs the driver lock of a flow,
//! its inbox, its background and the call_table, with its own locks and atomics, and a driver that
//! is played.
//!
//! A wake-up that is lost is a deadlock here, and memory that two threads touch at once a panic. It
//! is a program without a harness: with one, the modules' own tests would be compiled, too.

#![expect(unused, reason = "modules of the crate, of which a part is used here")]

#[path = "../../src/call_table.rs"]
mod call_table;
mod error;
mod flow;
mod memory;
mod sync;
#[path = "../../src/unwind.rs"]
mod unwind;

use std::sync::Arc;
use std::time::Duration;

use loom::model::Builder;
use loom::thread;
use netfold_shm::WaitMode;
use netfold_worker::CallId;

use flow::driver::Cells;
use flow::rig::{Caller, Rig};

/// Switches from a thread that could go on, at most in one order. Three take some seconds.
const PREEMPTIONS: usize = 3;

fn main() {
    run(
        "a caller drives while another leaves its call",
        a_caller_drives_while_another_leaves_its_call,
    );
    run("a call that is watched is reported", a_call_that_is_watched_is_reported);
    run("a call of two flows is done when both are", a_call_of_two_flows_is_done_when_both_are);
}

fn run(name: &str, scenario: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(scenario);
    println!("{name}: ok");
}

/// The switch answers when it has both calls: the caller that drives waits in its link, and has to
/// be woken for the call that the other leaves, who never drives.
fn a_caller_drives_while_another_leaves_its_call() {
    let rig = Arc::new(Rig::new(2));
    let background = rig.start_background();
    let other = {
        let rig = rig.clone();
        thread::spawn(move || {
            let id = rig.submit(false);
            assert!(matches!(rig.call_table.wait(id, None), Some(Ok(()))));
            rig.read(id);
        })
    };
    let id = rig.make(Caller::Drives);
    rig.wait(id);
    other.join().unwrap();
    rig.stop(background);
}

/// A call that its caller has begun and leaves is carried out by the flow's thread, or by another
/// caller, and reported.
fn a_call_that_is_watched_is_reported() {
    let rig = Arc::new(Rig::new(1));
    let background = rig.start_background();
    let other = {
        let rig = rig.clone();
        thread::spawn(move || {
            let id = rig.make(Caller::Drives);
            rig.wait(id);
        })
    };
    let id = rig.make(Caller::Returns);
    rig.watch(id);
    let (done, outcome) = rig.call_table.next_completion(Duration::MAX).expect("it is not closed");
    assert!(done == id && outcome.is_ok());
    rig.read(id);
    other.join().unwrap();
    rig.stop(background);
}

/// R-WORK-6
fn a_call_of_two_flows_is_done_when_both_are() {
    let call_table = Arc::new(call_table::CallTable::default());
    let (id, blocks) = (CallId(0), Arc::new(Cells::default()));
    call_table.open(id, 2, false, false);
    let flows = [0, 1].map(|flow| {
        let (call_table, blocks) = (call_table.clone(), blocks.clone());
        thread::spawn(move || {
            blocks.add(CallId(flow));
            call_table.flow_done(id, Ok(()), None);
        })
    });
    assert!(matches!(call_table.wait(id, None), Some(Ok(()))));
    assert_eq!([0, 1].map(|flow| blocks.read(CallId(flow))), [1, 1]);
    assert!(call_table.all_done() && call_table.take_result(id) && !call_table.take_result(id));
    for flow in flows {
        flow.join().unwrap();
    }
}
