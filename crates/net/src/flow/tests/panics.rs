//! A panic while a flow has memory of calls ends the process, since unwinding would free that
//! memory.

use std::os::unix::process::ExitStatusExt;
use std::process::Command as Program;

use super::*;

/// Names the place of the panic to the process in which a test panics.
const PLACE: &str = "NETFOLD_TEST_PANIC";

/// A signal's number, the same on all of Linux.
const ABORTED: i32 = 6;

/// Runs `panics` in a process of its own, which has to be aborted, not to unwind.
fn aborts(name: &str, panics: impl FnOnce(&Rig)) {
    let test = format!("flow::tests::panics::{name}");
    if std::env::var(PLACE).as_deref() == Ok(name) {
        let rig = rig(true);
        rig.enqueue_barrier(CallId(0));
        return panics(&rig);
    }
    let mut child = Program::new(std::env::current_exe().expect("a test is a program"));
    let ended =
        child.args(["--exact", &test, "--nocapture"]).env(PLACE, name).output().expect("it runs");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.signal(), Some(ABORTED), "{:?}: {told}", ended.status);
    assert!(told.contains("panicked") && told.contains(name), "{told}");
}

#[test]
fn of_a_thread_that_drives() {
    aborts("of_a_thread_that_drives", |rig| {
        rig.flow.drive(FOREVER, || panic!("of_a_thread_that_drives"));
    });
}

#[test]
fn of_a_thread_that_reads_the_inbox() {
    aborts("of_a_thread_that_reads_the_inbox", |rig| {
        rig.flow.lock.run_inbox(|_| panic!("of_a_thread_that_reads_the_inbox"));
    });
}

#[test]
fn of_a_thread_that_begins_a_call() {
    aborts("of_a_thread_that_begins_a_call", |rig| {
        let Command::Submit { plan, mut memory, .. } = barrier(CallId(1)) else {
            unreachable!("it submits")
        };
        rig.flow.begin(CallId(1), &plan, &mut memory, || panic!("of_a_thread_that_begins_a_call"));
    });
}
