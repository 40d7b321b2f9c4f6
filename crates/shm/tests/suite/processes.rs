//! Workers as processes: exact sums, processes that are killed at any instant, and what they can
//! reach.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::driver::{Driver, spec};
use crate::meeting::{attach, rendezvous};
use crate::places::SLOTS_AT;
use netfold_num::{Arithmetic, ElementType};
use netfold_shm::{PortError, Segment, send_descriptor};
use netfold_switch::JobSpec;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, set_parent_process_death_signal};

/// Environment variable that makes the test [`worker_process`] a worker: its name, rank, calls, and
/// the job's workers, slots and payload.
const ROLE: &str = "NETFOLD_SHM_TEST_ROLE";

/// Byte that a worker sends when it is done.
const DONE: u8 = b'd';
const FAILED: u8 = b'f';
/// Byte that it sends when it has made some calls.
const UNDER_WAY: u8 = b'u';

/// Longer than any wait that a port makes by itself (100 ms), and than a busy machine keeps a
/// process from its core.
const BOUND: Duration = Duration::from_secs(5);

/// A worker process, and the socket to it.
struct Worker {
    child: Child,
    socket: UnixStream,
}

impl Worker {
    fn hears(&mut self) -> u8 {
        let mut said = [0];
        self.socket.read_exact(&mut said).expect("the worker says something in time");
        said[0]
    }

    /// Waits until the process has ended, which it does in time.
    fn ends_well(&mut self) -> bool {
        let deadline = Instant::now() + BOUND;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is there") {
                return status.success();
            }
            assert!(Instant::now() < deadline, "a worker that has said its last word ends");
            thread::yield_now();
        }
    }
}

/// Starts a job's workers, each of which makes `calls` calls. In the order of ranks.
fn start(segment: &Arc<Segment>, spec: &JobSpec, calls: usize, test: &str) -> Vec<Worker> {
    let name = format!("netfold-shm-{}-{test}", std::process::id());
    let listener = rendezvous(&name);
    let program = std::env::current_exe().expect("this program");
    (0..spec.workers)
        .map(|rank| {
            let role = format!(
                "{name} {rank} {calls} {} {} {}",
                spec.workers, spec.slots, spec.payload_bytes
            );
            let mut command = Command::new(&program);
            command.args(["--exact", "processes::worker_process", "--nocapture"]).env(ROLE, role);
            let child =
                command.stdout(std::process::Stdio::null()).spawn().expect("a process starts");
            let mut comes = [PollFd::new(&listener, PollFlags::IN)];
            let in_time = Timespec { tv_sec: BOUND.as_secs() as i64, tv_nsec: 0 };
            assert_eq!(
                poll(&mut comes, Some(&in_time)).expect("a wait"),
                1,
                "a worker connects in time"
            );
            let (socket, _) = listener.accept().expect("it connects");
            socket.set_read_timeout(Some(BOUND)).expect("a time-out");
            send_descriptor(&socket, segment.descriptor()).expect("it takes the memory");
            Worker { child, socket }
        })
        .collect()
}

/// A worker process; nothing in a run of all tests.
#[test]
fn worker_process() {
    let Ok(role) = std::env::var(ROLE) else { return };
    set_parent_process_death_signal(Some(Signal::KILL)).expect("the system has it");
    let mut words = role.split(' ');
    let name = words.next().expect("a name");
    let mut number = || words.next().expect("a number").parse::<u32>().expect("a number");
    let (rank, calls, workers, slots, payload) = (number(), number(), number(), number(), number());
    let spec = spec(workers as u16, slots as u16, payload);
    let (segment, mut socket) = attach(name, &spec);
    let mine = fs::read_dir("/proc/self/fd")
        .expect("a list")
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    assert_eq!(
        mine.filter(|link| link.to_string_lossy().contains("memfd:netfold")).count(),
        1,
        "one job's memory"
    );
    assert_eq!(mappings(), 1, "one job's memory");
    let mut driver = Driver::new(&segment, &spec, rank as u16, Arithmetic::Native);
    let mut said = DONE;
    for call in 0..calls {
        // Some calls of some blocks more than there are slots.
        let lanes = 1 + (call as usize * 9973) % (3 * payload as usize * slots as usize);
        // Little work beside the folds, so that a process which is stopped is likely to be in one.
        match driver.all_reduce(ElementType::U8, vec![(rank * 3 + call) as u8; lanes]) {
            Ok(sum) => {
                let expected =
                    (0..workers).map(|worker| (worker * 3 + call) as u8).fold(0, u8::wrapping_add);
                assert!(sum == vec![expected; lanes], "call {call} at rank {rank}");
            }
            Err(PortError::Failed) => {
                said = FAILED;
                break;
            }
            Err(error) => panic!("{error}"),
        }
        if call == 3 {
            socket.write_all(&[UNDER_WAY]).expect("the parent listens");
        }
    }
    assert_eq!(driver.reports, []);
    socket.write_all(&[said]).expect("the parent listens");
}

#[test]
fn processes_get_exact_sums() {
    for (workers, slots, payload) in [(2, 4, 64), (4, 16, 1024), (5, 1, 8)] {
        let spec = spec(workers, slots, payload);
        let segment = Segment::create(&spec, 1).expect("memory to share");
        for mut worker in start(&segment, &spec, 60, &format!("sums-{workers}")) {
            assert_eq!(worker.hears(), UNDER_WAY);
            assert_eq!(worker.hears(), DONE);
            assert!(worker.ends_well());
        }
        assert_eq!(segment.waiting(), []);
    }
}

/// A worker is killed at an instant drawn from a seed, in the middle of whatever it does, and every
/// fifth time it leaves its locks behind. The control plane, which this test plays, notices and
/// fails the job: every other worker gets the error, soon, and until then nobody has got a wrong
/// sum.
#[test]
fn a_killed_process_takes_nobody_along() {
    for seed in 0..50 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        // Long folds; or short ones, between which most of the time is spent waiting and waking.
        let in_a_fold = seed % 5 == 0;
        let payload = if in_a_fold || seed % 2 == 0 { 1 << 15 } else { 64 };
        let spec = spec(rng.random_range(2..=4), 2, payload);
        let segment = Segment::create(&spec, 1).expect("memory to share");
        let mut workers = start(&segment, &spec, 1_000_000, &format!("killed-{seed}"));
        workers.iter_mut().for_each(|worker| assert_eq!(worker.hears(), UNDER_WAY));
        thread::sleep(Duration::from_micros(rng.random_range(0..3000)));
        let mut victim = workers.swap_remove(rng.random_range(0..workers.len()));
        victim.child.kill().expect("it is there");
        victim.child.wait().expect("it is dead");
        if in_a_fold {
            leave_locks(&segment);
        }
        segment.fail();
        let failed = Instant::now();
        for mut worker in workers {
            assert_eq!(worker.hears(), FAILED, "seed {seed}");
            assert!(worker.ends_well(), "seed {seed}");
        }
        assert!(failed.elapsed() < BOUND, "seed {seed}");
    }
}

/// Leaves the locks of the two slots as a process does that is killed in a fold, and waits until
/// another one sleeps there.
fn leave_locks(segment: &Segment) {
    const HELD: u32 = 1;
    const AWAITED: u32 = 2;
    let memory =
        File::from(segment.descriptor().try_clone_to_owned().expect("a descriptor is left"));
    // A line for each slot, with the lock behind its registers.
    let at = |slot: u64| SLOTS_AT + 64 * slot + 56;
    let lock = |slot| {
        let mut word = [0; 4];
        memory.read_exact_at(&mut word, at(slot)).expect("it is there");
        u32::from_ne_bytes(word)
    };
    let deadline = Instant::now() + BOUND;
    // A process that holds the lock meanwhile still frees it, and wakes one that waits.
    let somebody_sleeps = |slot| {
        (0..100).all(|_| {
            thread::yield_now();
            lock(slot) == AWAITED
        })
    };
    while !(0..2).any(somebody_sleeps) {
        for slot in (0..2).filter(|slot| lock(*slot) == 0) {
            memory.write_all_at(&HELD.to_ne_bytes(), at(slot)).expect("a member can write");
        }
        assert!(Instant::now() < deadline, "nobody wants the locks");
    }
}

/// The maps of this process that are netfold's.
fn mappings() -> usize {
    let maps = fs::read_to_string("/proc/self/maps").expect("a list");
    maps.lines().filter(|line| line.contains("memfd:netfold")).count()
}
