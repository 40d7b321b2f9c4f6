//! `netfold ctl drain`: a switch that hands its tables over and stops (R-CTRL-21, R-KEY-16).

use std::sync::Arc;

use netfold_net::Arithmetic;
use netfold_sparse_net::{Member, ServerOptions, SwitchOptions, TableOptions, UdpSwitches};

use super::server::{ROWS, Running, on, options, rows};
use super::*;
use crate::support::Ended;

pub(super) const HOT_ROWS: u32 = 64;

fn drain(address: &str, more: &[&str]) -> Ended {
    ended(netfold(&["ctl", "drain", "--switch", address]).args(more))
}

/// A worker alone, whose generations stay open for longer than a test takes.
fn member(switch: &RunningSwitch, server: &Running) -> Member {
    let mut options = options(0, 1, None, &[server]);
    options.table.max_age_ms = 600_000;
    join(&switch.address, options)
}

/// A worker of a table with hot rows.
pub(super) fn join(switch: &str, mut options: TableOptions) -> Member {
    options.hot_keys = (0..HOT_ROWS).collect();
    let (address, arithmetic) = (switch.to_owned(), Arithmetic::Native);
    let at = SwitchOptions { address, arithmetic, scale: 0, registers: None, transport: None };
    // Never started, since a server is named.
    let own = ServerOptions {
        listen: "127.0.0.1:0".into(),
        data: None,
        memory_bytes: 1 << 20,
        token: None,
        switches: Arc::new(UdpSwitches),
    };
    Member::open(options, Some(&at), own, &mut on).unwrap()
}

#[test]
fn a_switch_that_is_asked_to_hands_its_tables_over_and_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let (switch, server) = (switch(), Running::start("127.0.0.1:0", folder.path()));
    let member = member(&switch, &server);
    let table = member.table();
    let keys: Vec<u32> = (0..HOT_ROWS).collect();
    for turn in 1..=5u32 {
        let gradients: Vec<f32> = keys.iter().map(|key| -((key * turn) as f32)).collect();
        table.push(&keys, &gradients, &mut on).unwrap();
    }
    let deadline = Instant::now() + WAIT_LIMIT;
    let folded = || {
        let stats = ended(&mut netfold(&["ctl", "stats", "--json", "--switch", &switch.address]));
        let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
        stats["shards"][0]["counters"]["pairs_pushed"].as_u64()
    };
    while folded() != Some(5 * u64::from(HOT_ROWS)) {
        assert!(Instant::now() < deadline, "{:?}", folded());
    }
    assert_eq!(rows(table), [0.0; ROWS as usize], "the generation is open");

    let asked = drain(&switch.address, &[]);
    assert_eq!(asked.status, Some(0), "{}", asked.stderr);
    let stopped = format!("the switch at {} has stopped; servers have all", switch.address);
    assert!(asked.stdout.starts_with(&stopped), "{}", asked.stdout);
    let waits = format!("the switch at {} waits for the servers of 1 table (", switch.address);
    assert!(asked.stderr.starts_with(&waits), "{}", asked.stderr);
    assert_eq!(switch.end().status, Some(0), "as after SIGTERM");
    let sum = |key: u32| if key < HOT_ROWS { (key * 15) as f32 } else { 0.0 };
    assert_eq!(rows(table), (0..ROWS).map(sum).collect::<Vec<_>>());
}

/// R-KEY-16: it stops after five seconds. Who asked is told that its server has not read all.
#[test]
fn a_switch_whose_server_is_gone_stops_all_the_same_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let (switch, server) = (switch(), Running::start("127.0.0.1:0", folder.path()));
    let member = member(&switch, &server);
    member.table().push(&[1], &[1.0_f32], &mut on).unwrap();
    server.signal(Signal::KILL);
    let start = Instant::now();
    let asked = drain(&switch.address, &["--json"]);
    assert!(start.elapsed() >= netfold_management::DRAIN_LIMIT);
    assert_eq!(asked.status, Some(1), "{}", asked.stderr);
    let told: Value = serde_json::from_str(&asked.stdout).unwrap();
    assert_eq!(told["left"]["count"], 1);
    assert_eq!(told["address"], *switch.address);
    assert_eq!(switch.end().status, Some(0));
}

#[test]
fn only_one_who_knows_its_token_stops_a_switch_that_has_one() {
    let switch = RunningSwitch::start(
        netfold(&["switch", "--listen", "127.0.0.1:0"]).env("NETFOLD_TOKEN", "secret"),
    );
    let stranger = drain(&switch.address, &[]);
    assert_eq!(stranger.status, Some(1));
    assert!(stranger.stderr.contains("set NETFOLD_TOKEN"), "{}", stranger.stderr);
    let known = ended(
        netfold(&["ctl", "drain", "--switch", &switch.address]).env("NETFOLD_TOKEN", "secret"),
    );
    assert_eq!(known.status, Some(0), "{}", known.stderr);
    assert!(known.stderr.contains("no table"), "{}", known.stderr);
    assert_eq!(switch.end().status, Some(0));
}

#[test]
fn one_switch_is_named_and_must_be_there() {
    let several = drain("127.0.0.1:1,127.0.0.1:2", &[]);
    assert_eq!(several.status, Some(2));
    assert!(several.stderr.contains("drain stops one switch"), "{}", several.stderr);
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = drain(&free.to_string(), &[]);
    assert_eq!(nobody.status, Some(1));
    assert!(nobody.stderr.contains("no netfold switch answers"), "{}", nobody.stderr);
}
