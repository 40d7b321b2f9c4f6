//! Counters of a switch, as `netfold ctl` and its metrics tell them: the expected numbers follow
//! from the calls.

use std::time::Instant;

use netfold_net::{Arithmetic, Collective, ElementType, Operation, Overflow, Reduction, Transport};

use super::*;

/// Bytes of a packet beside its lanes (spec/wire.toml).
const HEADER_BYTES: u64 = 40;

/// Runs a job of two workers, each of which makes `calls`. While both are still in it, `look` looks
/// at the switch.
fn run_job(
    switch: &RunningSwitch,
    name: &str,
    prepare: impl Fn(&mut JoinRequest) + Sync,
    calls: impl Fn(&Communicator) + Sync,
    look: impl FnOnce(),
) {
    let (done, is_done) = mpsc::channel();
    std::thread::scope(|scope| {
        let (go, hold): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel::<()>()).unzip();
        for (rank, hold) in (0..2).zip(hold) {
            let (done, calls, mut request) =
                (done.clone(), &calls, JoinRequest::new(name, rank, 2));
            prepare(&mut request);
            scope.spawn(move || {
                let comm =
                    Communicator::connect(&switch.address, request, |_| ControlFlow::Continue(()))
                        .unwrap();
                calls(&comm);
                done.send(()).unwrap();
                // Until the other end is dropped.
                let _ = hold.recv();
            });
        }
        (0..2).for_each(|_| is_done.recv_timeout(WAIT_LIMIT).unwrap());
        look();
        drop(go);
    });
}

/// Sums `own` elements with those of the others.
fn sum(comm: &Communicator, own: &[f32]) -> Vec<f32> {
    let (collective, reduction) = (Collective::AllReduce, Reduction::Fold(Operation::Sum));
    let elements = own.len() as u64;
    let call =
        Call { collective, reduction, element_type: ElementType::F32, elements, priority: None };
    let mut tensor: Vec<u8> = own.iter().flat_map(|value| value.to_ne_bytes()).collect();
    comm.run_in_place(call, &mut tensor, Some(WAIT_LIMIT)).unwrap();
    tensor.chunks_exact(4).map(|lane| f32::from_ne_bytes(lane.try_into().unwrap())).collect()
}

fn ask(switch: &RunningSwitch, what: &str) -> Value {
    let ended = ended(&mut netfold(&["ctl", what, "--json", "--switch", &switch.address]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// A counter of the whole switch, which has one shard.
fn of_switch(stats: &Value, counter: &str) -> u64 {
    stats["shards"][0]["counters"][counter].as_u64().unwrap()
}

/// Checks a counter of a running job in the answer of `ctl stats`, and in the metrics.
fn check(switch: &RunningSwitch, job: &str, counter: &str, expected: u64) {
    assert_eq!(ask(switch, "stats")["jobs"][job][counter], expected, "{job}: {counter}");
    let line = format!("netfold_job_{counter}_total{{job=\"{job}\"}} {expected}\n");
    let metrics = metrics(switch);
    assert!(metrics.contains(&line), "not {line:?}: {metrics}");
}

/// R-EAGER: every worker posts a message for each call, of the size that its packet would have.
/// Nothing is sent again, so that all is exact; the totals outlive the jobs.
#[test]
fn eager_messages_count_as_contributions() {
    let switch = switch_with_metrics();
    let calls = |comm: &Communicator| {
        for _ in 0..5 {
            assert_eq!(sum(comm, &[1.0, 2.0]), [2.0, 4.0]);
        }
        (0..2).for_each(|_| comm.run(Call::BARRIER, &[], &mut [], Some(WAIT_LIMIT)).unwrap());
    };
    let messages = 2 * (5 + 2);
    let expected = [
        ("datagrams_received", messages),
        ("contributions", messages),
        ("rounds_completed", 5 + 2),
        // A barrier has no lanes.
        ("bytes_received", messages * HEADER_BYTES + 2 * 5 * 8),
        ("mismatches", 0),
    ];
    for jobs in 1..=2 {
        let name = format!("messages{jobs}");
        let look = || {
            expected.iter().for_each(|(counter, count)| check(&switch, &name, counter, *count));
            let shown = ended(&mut netfold(&["ctl", "stats", "--switch", &switch.address])).stdout;
            let (_, of_job) = shown.split_once(&format!("job {name}")).unwrap();
            // Nothing is shown that is zero.
            assert!(of_job.contains("contributions") && !of_job.contains("mismatches"), "{shown}");
        };
        run_job(&switch, &name, |_| {}, calls, look);
        let start = Instant::now();
        let stats = loop {
            let stats = ask(&switch, "stats");
            if stats["jobs_running"] == 0 {
                break stats;
            }
            assert!(start.elapsed() < WAIT_LIMIT, "{stats}");
        };
        for (counter, count) in expected {
            assert_eq!(of_switch(&stats, counter), jobs * count, "{counter}");
        }
    }
    assert!(
        metrics(&switch).contains(&format!(
            "netfold_shard_contributions_total{{shard=\"0\"}} {}\n",
            2 * messages
        ))
    );
}

/// The slots of a job count alike wherever they are. A vector of 800 elements, too long for the
/// eager path, is four blocks of at most 256, and each is a round of its own.
#[test]
fn slots_count_in_shared_memory_as_over_udp() {
    for transport in [Transport::Shm, Transport::Udp] {
        let switch = switch_with_metrics();
        let prepare = |request: &mut JoinRequest| {
            (request.transport, request.packet_elements) = (Some(transport), Some(256));
            request.terms.arithmetic = Arithmetic::Native;
        };
        let calls = |comm: &Communicator| {
            (0..3).for_each(|_| assert_eq!(sum(comm, &[0.5; 800]), [1.0; 800]));
        };
        let look = || {
            check(&switch, "slots", "contributions", 3 * 2 * 4);
            check(&switch, "slots", "rounds_completed", 3 * 4);
            let stats = ask(&switch, "stats");
            for counter in ["contributions", "rounds_completed", "blocks_refolded"] {
                assert_eq!(
                    of_switch(&stats, counter),
                    stats["jobs"]["slots"][counter].as_u64().unwrap()
                );
            }
            // Where a worker had to wait for long it may have sent again, or asked.
            let least = 3 * 2 * (4 * HEADER_BYTES + 4 * 800);
            let (bytes, datagrams) =
                (of_switch(&stats, "bytes_received"), of_switch(&stats, "datagrams_received"));
            assert!(
                if datagrams == 24 { bytes == least } else { bytes > least },
                "{datagrams}: {bytes}, not {least}"
            );
        };
        run_job(&switch, "slots", prepare, calls, look);
    }
}

/// R-SLOT-11: a block whose sum overflows takes one more round, and counts. Each worker has the
/// small value of one element and the large value of the other. So fpisa-a overflows in one of
/// them, whichever worker comes first.
#[test]
fn a_block_that_is_folded_again_counts_at_the_switch() {
    for transport in [Transport::Shm, Transport::Udp] {
        let switch = switch_with_metrics();
        let prepare = |request: &mut JoinRequest| {
            request.transport = Some(transport);
            (request.terms.arithmetic, request.terms.overflow) =
                (Arithmetic::FpisaA, Overflow::Native);
        };
        let calls = |comm: &Communicator| {
            let own = if comm.rank() == 0 { [1.0, 255.5] } else { [255.5, 1.0] };
            assert_eq!(sum(comm, &own), [256.5; 2]);
            assert_eq!(sum(comm, &[1.0, 1.0]), [2.0; 2]);
        };
        let look = || {
            check(&switch, "again", "blocks_refolded", 1);
            check(&switch, "again", "rounds_completed", 3);
            check(&switch, "again", "contributions", 2 * 3);
            let job = &ask(&switch, "jobs")["jobs"][0];
            assert_eq!(
                (&job["arithmetic"], &job["overflow"]),
                (&"fpisa-a".into(), &"native".into())
            );
        };
        run_job(&switch, "again", prepare, calls, look);
    }
}
