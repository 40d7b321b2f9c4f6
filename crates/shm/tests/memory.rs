//! The memory itself: who gets it, what it may hold, and that it goes away. One test, since it
//! looks at all that the whole process has mapped and open.

#[path = "suite/driver/mod.rs"]
mod driver;
#[path = "suite/places/mod.rs"]
mod places;

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Barrier;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use driver::{Driver, spec};
use netfold_num::{Arithmetic, ElementType, Protocol};
use netfold_shm::{Error, PortError, Segment, WaitMode};
use netfold_switch::JobSpec;
use netfold_wire::{Epoch, JobId, Terms, WorkerId};
use places::SLOTS_AT;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

/// Longer than any wait that a port makes by itself, and than a busy machine keeps a thread from
/// its core.
const BOUND: Duration = Duration::from_secs(10);

/// Returns the numbers of segments' descriptors and maps that the process holds.
fn held() -> (usize, usize) {
    let descriptors = fs::read_dir("/proc/self/fd").expect("a list");
    let links = descriptors.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let maps = fs::read_to_string("/proc/self/maps").expect("a list");
    let is_ours = |text: &str| text.contains("memfd:netfold");
    (
        links.filter(|link| is_ours(&link.to_string_lossy())).count(),
        maps.lines().filter(|line| is_ours(line)).count(),
    )
}

fn copy_of(segment: &Segment) -> std::os::fd::OwnedFd {
    segment.descriptor().try_clone_to_owned().expect("a descriptor is left")
}

#[test]
fn memory_is_a_jobs_own_whatever_it_holds_and_leaves_nothing_behind() {
    assert_eq!(held(), (0, 0));
    strangers_are_refused();
    assert_eq!(held(), (0, 0));
    memory_cannot_be_taken_away();
    registers_that_cannot_be_fail_the_job();
    a_copy_without_lanes_is_never_filled();
    let words =
        prop::collection::vec((any::<prop::sample::Index>(), any::<u32>(), any::<bool>()), 1..30);
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&(words, 1..=3u16), |(words, slots)| hostile_contents_do_no_harm(words, slots))
        .unwrap();
    assert_eq!(held(), (0, 0));
}

/// A descriptor that is not that of the job is refused, by what differs.
fn strangers_are_refused() {
    let job = spec(2, 4, 64);
    let segment = Segment::create(&job, 2).expect("memory to share");
    let refusal = |spec: JobSpec, flows| match Segment::attach(copy_of(&segment), &spec, flows) {
        Err(Error::Foreign { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(refusal(JobSpec { job: JobId(4), ..job.clone() }, 2), "its job");
    assert_eq!(refusal(JobSpec { epoch: Epoch(78), ..job.clone() }, 2), "its epoch");
    assert_eq!(refusal(JobSpec { workers: 3, ..job.clone() }, 2), "its workers");
    assert_eq!(refusal(JobSpec { slots: 8, ..job.clone() }, 2), "its size");
    assert_eq!(refusal(job.clone(), 1), "its size");
    // A payload that fills the same lines.
    assert_eq!(refusal(JobSpec { payload_bytes: 56, ..job.clone() }, 2), "its payload");
    assert!(Segment::attach(copy_of(&segment), &job, 2).is_ok());
    assert_eq!(held(), (1, 1), "what was refused is unmapped and closed");

    let bytes = Segment::memory_bytes(&job, 2).expect("there is such a segment");
    let unsealed = memfd_create("netfold", MemfdFlags::ALLOW_SEALING).expect("memory");
    ftruncate(&unsealed, bytes).expect("memory");
    assert!(matches!(
        Segment::attach(unsealed, &job, 2),
        Err(Error::Foreign { what: "its seals", .. })
    ));
    let file = File::open("/proc/self/maps").expect("a file");
    assert!(matches!(Segment::attach(file.into(), &job, 2), Err(Error::System { .. })));
    assert!(matches!(Segment::create(&job, 0), Err(Error::Size { .. })));
    assert!(matches!(Segment::create(&JobSpec { slots: 0, ..job.clone() }, 1), Err(Error::Job(_))));
}

/// A member cannot cut off what others have mapped.
fn memory_cannot_be_taken_away() {
    let segment = Segment::create(&spec(2, 4, 64), 1).expect("memory to share");
    let bytes = Segment::memory_bytes(&spec(2, 4, 64), 1).expect("there is such a segment");
    for size in [0, bytes - 1, bytes + 4096] {
        assert!(ftruncate(segment.descriptor(), size).is_err());
    }
}

/// Registers that no slot can have: the port that meets them says so, and nobody waits for it.
fn registers_that_cannot_be_fail_the_job() {
    let spec = spec(2, 1, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let mut driver = Driver::new(&segment, &spec, 0, Arithmetic::Native);
    let mut other = segment.port(0, WorkerId(1)).expect("the first one");
    // Up to the lock of the only slot.
    File::from(copy_of(&segment)).write_all_at(&[0xEE; 56], SLOTS_AT).expect("a member can write");
    let (said, says) = channel();
    thread::scope(|scope| {
        scope.spawn(move || said.send(driver.all_reduce(ElementType::I32, vec![0; 8])));
        let met = says.recv_timeout(BOUND);
        // Should the port not have met them, it waits.
        segment.fail();
        assert_eq!(met, Ok(Err(PortError::Corrupt)));
    });
    assert_eq!(other.wait(None, WaitMode::Helper), Err(PortError::Failed));
}

/// The second round of an acknowledged one has no lanes, and its copy no room for any: at the end
/// of the last slot it ends with the memory.
fn a_copy_without_lanes_is_never_filled() {
    let spec = JobSpec {
        terms: Terms { protocol: Protocol::Acked, ..spec(2, 1, 64).terms },
        ..spec(2, 1, 64)
    };
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let drivers = [0, 1].map(|rank| Driver::new(&segment, &spec, rank, Arithmetic::Native));
    let file = File::from(copy_of(&segment));
    let [paused, going] = [(); 2].map(|()| Barrier::new(3));
    let (said, says) = channel();
    thread::scope(|scope| {
        for mut driver in drivers {
            let (said, paused, going) = (said.clone(), &paused, &going);
            scope.spawn(move || {
                driver.all_reduce(ElementType::I32, vec![1; 8]).expect("the job goes on");
                paused.wait();
                going.wait();
                said.send(driver.all_reduce(ElementType::I32, vec![1; 8]))
            });
        }
        paused.wait();
        // The last byte of the odd copy's registers, whose highest bit says that lanes have come.
        let at = SLOTS_AT + 2 * 28 - 1;
        let mut byte = [0];
        file.read_exact_at(&mut byte, at).expect("a member can read");
        file.write_all_at(&[byte[0] | 0x80], at).expect("a member can write");
        going.wait();
        let met = [(); 2].map(|()| says.recv_timeout(BOUND));
        segment.fail();
        // The other one of them may come to it after the job has failed of it, and be the first to
        // say so.
        assert!(met.contains(&Ok(Err(PortError::Corrupt))), "{met:?}");
        assert!(
            met.iter().all(|met| matches!(met, Ok(Err(PortError::Corrupt | PortError::Failed)))),
            "{met:?}"
        );
    });
}

/// Another member writes anything anywhere between the steps of a worker: no panic, nothing outside
/// the mapping is touched (which would be a panic), and `fail` still ends it.
fn hostile_contents_do_no_harm(
    words: Vec<(prop::sample::Index, u32, bool)>,
    slots: u16,
) -> Result<(), TestCaseError> {
    let spec = spec(2, slots, 64);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let file = File::from(copy_of(&segment));
    let size = Segment::memory_bytes(&spec, 1).expect("there is such a segment") as usize;
    let drivers = [0, 1].map(|rank| Driver::new(&segment, &spec, rank, Arithmetic::Native));
    let (done, finished) = channel::<()>();
    thread::scope(|scope| {
        let workers: Vec<_> = drivers
            .into_iter()
            .map(|mut driver| {
                let done = done.clone();
                scope.spawn(move || {
                    // Results may be wrong now, calls may fail; they end.
                    while driver.all_reduce(ElementType::I32, vec![1; 640]).is_ok() {}
                    drop(done);
                })
            })
            .collect();
        for (at, word, small) in words {
            // Half of the words go where the doorbells, the toggles, registers and locks are. The
            // state of the job, in the head, is left alone: it would only end the case.
            let (start, end) =
                (128, if small { SLOTS_AT as usize + 64 * usize::from(slots) } else { size });
            let word = if small { word % 4 } else { word };
            file.write_all_at(
                &word.to_ne_bytes(),
                (start + 4 * at.index((end - start) / 4)) as u64,
            )
            .expect("a member can write");
            thread::yield_now();
        }
        segment.fail();
        // Nobody sends: this ends when both have gone, whatever way.
        drop(done);
        let ended = finished.recv_timeout(BOUND);
        prop_assert_eq!(
            ended,
            Err(RecvTimeoutError::Disconnected),
            "a worker hangs in a job that has failed"
        );
        for worker in workers {
            prop_assert!(worker.join().is_ok(), "a worker panics");
        }
        Ok(())
    })
}
