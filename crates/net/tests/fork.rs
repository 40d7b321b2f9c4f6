//! Forks of a worker's process: their copies of a communicator refuse every call, and of what they
//! have copied they end nothing.
#![expect(unsafe_code, reason = "a fork has no safe form")]

use std::io::Write;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::{Command, id};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use netfold_net::{
    Call, CallMemory, Collective, Communicator, ElementType, Error, JoinRequest, Operation,
    Outcome, Reduction, Switch, SwitchOptions, Transport,
};
use rustix::process::{Pid, WaitOptions, waitpid};

/// Longer than anything takes here, so that what hangs fails.
const WAIT_LIMIT: Option<Duration> = Some(Duration::from_secs(20));

/// Forks under many calls, so that locks are copied as they are taken.
const FORKS: usize = 20;

const SUM: Call = Call {
    collective: Collective::AllReduce,
    reduction: Reduction::Fold(Operation::Sum),
    element_type: ElementType::I32,
    elements: 1,
    priority: None,
};

/// Runs `body` in a fork of this process, which ends there and then, and in time.
fn in_a_fork(body: impl FnOnce()) {
    // SAFETY: the child has this thread alone. It does what is tested here, and ends.
    let forked = unsafe { libc::fork() };
    if forked == 0 {
        // SAFETY: both calls take a number and nothing else.
        unsafe { libc::alarm(WAIT_LIMIT.unwrap_or_default().as_secs() as u32) };
        set_hook(Box::new(|panic| drop(writeln!(std::io::stderr(), "in the fork: {panic}"))));
        let ended_well = catch_unwind(AssertUnwindSafe(body)).is_ok();
        // SAFETY: nothing of the parent's is flushed or dropped.
        unsafe { libc::_exit(i32::from(!ended_well)) }
    }
    let (_, status) =
        waitpid(Pid::from_raw(forked), WaitOptions::empty()).unwrap().expect("it waits");
    assert_eq!(status.exit_status(), Some(0), "the fork has ended with {status:?}");
}

fn connect(switch: &Switch, transport: Transport, job: &str, rank: u16, size: u16) -> Communicator {
    let request = JoinRequest { transport: Some(transport), ..JoinRequest::new(job, rank, size) };
    Communicator::connect(&switch.address().to_string(), request, |_| ControlFlow::Continue(()))
        .unwrap()
}

fn pair(switch: &Switch, transport: Transport) -> [Arc<Communicator>; 2] {
    thread::scope(|scope| {
        let workers =
            [0, 1].map(|rank| scope.spawn(move || connect(switch, transport, "pair", rank, 2)));
        workers.map(|worker| Arc::new(worker.join().unwrap()))
    })
}

/// A worker's contribution to a call.
fn value(rank: u16, call: i32) -> i32 {
    call * 10 + i32::from(rank) + 1
}

fn fold(comm: &Communicator, call: i32) -> Result<i32, Error> {
    let mut tensor = value(comm.rank(), call).to_ne_bytes();
    comm.run_in_place(SUM, &mut tensor, WAIT_LIMIT)?;
    Ok(i32::from_ne_bytes(tensor))
}

fn fold_together(pair: &[Arc<Communicator>; 2], call: i32) {
    thread::scope(|scope| {
        let sums = pair.each_ref().map(|comm| scope.spawn(|| fold(comm, call).unwrap()));
        let expected: i32 = [0, 1].map(|rank| value(rank, call)).iter().sum();
        assert_eq!(sums.map(|sum| sum.join().unwrap()), [expected; 2]);
    });
}

/// Makes every call of a communicator that the process `parent` has made.
fn is_refused(comm: &Arc<Communicator>, parent: u32) {
    let refused = |error: &Error| {
        matches!(error, Error::Forked { process, here } if *process == parent && *here == id())
            && error.to_string().contains(&format!("process {parent}"))
    };
    let fails = |outcome: Outcome| assert!(refused(&outcome.expect_err("it is refused")));
    let mut tensor = [0; 4];
    static INPUT: [u8; 4] = [0; 4];
    // SAFETY: the input is there for good, and nobody writes it.
    let memory = || unsafe { CallMemory::from_raw(INPUT.as_ptr(), 4, std::ptr::null_mut(), 0) };
    fails(comm.plan(SUM, None).map(drop));
    fails(comm.run_in_place(SUM, &mut tensor, WAIT_LIMIT));
    fails(comm.run(SUM, &[0; 4], &mut tensor, WAIT_LIMIT));
    fails(comm.begin(SUM, memory()).map(drop));
    fails(comm.submit(SUM, memory(), true).map(drop));
    fails(comm.begin_owned(SUM, vec![0; 4]).map(drop));
    let heed = |_: &_| ControlFlow::Continue(());
    fails(comm.subgroup(&[0, 1], "", None, heed).map(drop));
    fails(comm.channel(0, 1, 0, None, heed).map(drop));
    fails(comm.stats().map(drop));
    fails(comm.time_rounds());
    fails(comm.take_rounds().map(drop));
    assert!(comm.next_completion(Duration::from_secs(3600)).is_none(), "it comes back at once");
    assert!(comm.rank() < 2 && comm.size() == 2, "what it was is known");
}

/// A fork that makes every call, drops everything and connects anew changes nothing for its parent.
#[test]
fn a_communicator_and_a_switch_belong_to_their_process() {
    for transport in [Transport::Udp, Transport::Shm] {
        let switch = Switch::start(&SwitchOptions::default()).unwrap();
        let pair = pair(&switch, transport);
        fold_together(&pair, 1);
        // A call that is in progress when the process forks.
        let half = pair[0].begin_owned(SUM, value(0, 2).to_ne_bytes().to_vec()).unwrap();
        let (mut copied, parent) = (Some((switch, pair, half)), id());
        in_a_fork(|| {
            let (switch, pair, half) = copied.take().unwrap();
            let address = switch.address().to_string();
            pair.iter().for_each(|comm| is_refused(comm, parent));
            assert!(matches!(half.wait(WAIT_LIMIT), Err(Error::Forked { .. })));
            pair.iter().for_each(|comm| comm.close());
            assert!(pair.map(Arc::into_inner).iter().all(Option::is_some), "they are dropped here");
            drop(switch);
            let request =
                JoinRequest { transport: Some(transport), ..JoinRequest::new("of the fork", 0, 1) };
            let anew =
                Communicator::connect(&address, request, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(fold(&anew, 3).unwrap(), value(0, 3));
            // A fork of the fork refuses what the fork may use.
            let (anew, here) = (Arc::new(anew), id());
            in_a_fork(|| {
                assert!(
                    matches!(fold(&anew, 4), Err(Error::Forked { process, .. }) if process == here)
                )
            });
            assert_eq!(fold(&anew, 5).unwrap(), value(0, 5));
        });
        let (switch, pair, half) = copied.take().unwrap();
        // The child of such a call shares this process's memory until it executes the program.
        assert!(Command::new("true").status().unwrap().success());
        let there = fold(&pair[1], 2).unwrap();
        assert_eq!(there, value(0, 2) + value(1, 2));
        assert_eq!(half.wait(WAIT_LIMIT).unwrap().0, there.to_ne_bytes());
        fold_together(&pair, 6);
        drop((pair, switch));
    }
}

/// Whatever other threads are doing: the fork waits for none of them.
#[test]
fn a_fork_amid_calls_refuses_and_drops_without_waiting() {
    for transport in [Transport::Udp, Transport::Shm] {
        let switch = Switch::start(&SwitchOptions::default()).unwrap();
        let pair = pair(&switch, transport);
        let (enough, parent) = (AtomicBool::new(false), id());
        thread::scope(|scope| {
            scope.spawn(|| {
                for call in (0..1000).cycle().take_while(|_| !enough.load(Ordering::Relaxed)) {
                    fold_together(&pair, call);
                    pair.iter().for_each(|comm| assert!(comm.stats().is_ok()));
                }
            });
            for _ in 0..FORKS {
                in_a_fork(|| {
                    pair.iter().for_each(|comm| is_refused(comm, parent));
                    // SAFETY: it is dropped once: the fork ends without dropping anything else.
                    let pair = unsafe { std::ptr::read(&pair) };
                    assert!(
                        pair.map(Arc::into_inner).iter().all(Option::is_some),
                        "they are dropped here"
                    );
                });
            }
            enough.store(true, Ordering::Relaxed);
        });
    }
}
