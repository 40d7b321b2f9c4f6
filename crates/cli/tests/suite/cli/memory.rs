//! A job's memory at its switches returns when it ends, or when one of its workers is killed
//! (R-CTRL-3, R-CTRL-4), however its slots are reached.

use std::io::Write;
use std::process::{Child, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{RunningSwitch, WAIT_LIMIT, ended, netfold};

fn switch(parent: &[&str]) -> RunningSwitch {
    RunningSwitch::start(netfold(&["switch", "--listen", "127.0.0.1:0"]).args(parent))
}

/// Bytes that jobs hold at a switch.
fn used(switch: &RunningSwitch) -> u64 {
    let stats =
        ended(&mut netfold(&["ctl", "stats", "--json", "--switch", &switch.address])).stdout;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let shards = stats["shards"].as_array().unwrap_or_else(|| panic!("{stats}"));
    shards.iter().map(|shard| shard["memory_used"].as_u64().unwrap()).sum()
}

/// Asks until every switch is as it should be.
fn until(switches: &[RunningSwitch], what: &str, good: impl Fn(u64) -> bool) {
    let start = Instant::now();
    while !switches.iter().all(|switch| good(used(switch))) {
        assert!(
            start.elapsed() < WAIT_LIMIT,
            "{what}: {:?}",
            switches.iter().map(used).collect::<Vec<_>>()
        );
    }
}

/// A worker that makes so many calls of 64 KiB.
fn worker(switch: &RunningSwitch, rank: u16, transport: &str, calls: u32) -> Child {
    let orders = json!({
        "switch": switch.address, "job": "memory", "rank": rank, "workers": 2, "arithmetic": "block", "byte_order": "little", "protocol": "shadow",
        "integrity": null, "transport": transport, "packet_elements": null, "slots": null, "token": null,
        "element_type": "f32", "sizes": [65536], "iterations": calls,
    });
    let mut command = netfold(&["bench-worker"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{orders}").unwrap();
    child
}

/// Two workers, at the last switch and at the one before, or at the only one.
fn workers(switches: &[RunningSwitch], transport: &str, calls: u32) -> [Child; 2] {
    let homes = [switches.len().saturating_sub(2), switches.len() - 1];
    [0, 1].map(|rank| worker(&switches[homes[usize::from(rank)]], rank, transport, calls))
}

#[test]
fn memory_returns_when_a_job_ends_or_a_worker_is_killed() {
    for (transport, racks) in [("udp", 0), ("shm", 0), ("udp", 2)] {
        let mut switches = vec![switch(&[])];
        for _ in 0..racks {
            let below = switch(&["--parent", &switches[0].address]);
            switches.push(below);
        }
        let what = format!("{transport}, {racks} racks");
        until(&switches, &what, |used| used == 0);
        for mut worker in workers(&switches, transport, 3) {
            assert!(worker.wait().unwrap().success(), "{what}");
        }
        until(&switches, &what, |used| used == 0);

        // More calls than there is time for.
        let [mut stays, mut victim] = workers(&switches, transport, u32::MAX);
        until(&switches, &what, |used| used > 0);
        victim.kill().unwrap();
        victim.wait().unwrap();
        assert!(!stays.wait().unwrap().success(), "{what}: the job has failed");
        until(&switches, &what, |used| used == 0);
    }
}
