//! Clients that have the switch stop (R-CTRL-21).

use super::*;
use crate::plane::TableStatus;
use crate::{DRAIN_LIMIT, Hop, Proof, TablesLeft, micros};

const NEWS_INTERVAL_US: u64 = 100_000;

/// A rig whose switch somebody stops.
fn rig(tokens: &[&str]) -> Rig {
    let mut rig = Rig::with(Limits::default(), tokens);
    rig.plane.stops = Some(0);
    rig
}

/// A client at an address asks.
fn asks(rig: &mut Rig, from: &str, proof: impl Fn(ConnectionId) -> Option<Proof>) -> ConnectionId {
    rig.from = from.parse().unwrap();
    let conn = rig.connect();
    rig.heard(conn);
    rig.say(conn, Message::Drain { proof: proof(conn) });
    conn
}

fn on_this_host(rig: &mut Rig) -> ConnectionId {
    asks(rig, "127.0.0.1", |_| None)
}

fn table(job: u16, epoch: u32) -> TableStatus {
    TableStatus { job, epoch, drained: true, ..TableStatus::default() }
}

#[test]
fn a_switch_without_a_token_stops_only_for_its_own_host() {
    for from in ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"] {
        let mut rig = rig(&[]);
        let conn = asks(&mut rig, from, |_| None);
        assert_eq!((rig.plane.stops, rig.heard(conn)), (Some(1), vec![]), "{from}");
    }
    for from in ["10.0.0.1", "::ffff:10.0.0.1", "fe80::1", "0.0.0.0"] {
        let mut rig = rig(&[]);
        // A proof of nothing helps nobody.
        let conn = asks(&mut rig, from, |_| Some([0; 32]));
        assert_eq!(rig.refusal(conn), Refusal::DrainFromElsewhere, "{from}");
        assert_eq!(rig.plane.stops, Some(0));
    }
}

#[test]
fn a_switch_with_tokens_stops_for_whoever_knows_one() {
    let mut rig = rig(&["one", "two"]);
    let token = |text: &str| Token::new(text).unwrap();
    let none = on_this_host(&mut rig);
    assert_eq!(rig.refusal(none), Refusal::DrainNeedsToken);
    let wrong = [
        asks(&mut rig, "127.0.0.1", |conn| {
            Some(token("three").prove_for_drain(&Rig::challenge(conn)))
        }),
        // What a worker sends cannot be used for this.
        asks(&mut rig, "127.0.0.1", |conn| Some(token("one").prove(&Rig::challenge(conn)))),
        asks(&mut rig, "127.0.0.1", |_| {
            Some(token("one").prove_for_drain(&Rig::challenge(ConnectionId(77))))
        }),
    ];
    for conn in wrong {
        assert_eq!(rig.refusal(conn), Refusal::WrongToken);
    }
    assert_eq!(rig.plane.stops, Some(0));
    asks(&mut rig, "10.0.0.9", |conn| Some(token("two").prove_for_drain(&Rig::challenge(conn))));
    assert_eq!(rig.plane.stops, Some(1));
}

#[test]
fn neither_a_worker_nor_one_behind_another_switch_can_ask() {
    let mut rig = rig(&[]);
    let drain = Message::Drain { proof: None };
    rig.from = Ipv4Addr::LOCALHOST.into();
    let (workers, _) = rig.running("a", 1);
    rig.say(workers[0], drain.clone());
    let below = rig.connect();
    let at = (Ipv4Addr::LOCALHOST, 5555).into();
    let hop = Hop { id: 1, at, udp_ports: vec![7000, 7001], receive_buffer: 1 << 20 };
    rig.say(below, Message::Greet { path: vec![hop] });
    rig.say(below, drain);
    assert!([workers[0], below].iter().all(|conn| rig.closed.contains(conn)));
    assert_eq!(rig.plane.stops, Some(0));
}

#[test]
fn a_switch_that_nobody_can_stop_says_so() {
    let mut rig = Rig::new();
    let conn = on_this_host(&mut rig);
    assert_eq!(rig.refusal(conn), Refusal::DrainNotOffered);
}

#[test]
fn whoever_asked_hears_what_is_left_until_the_switch_stops() {
    let mut rig = rig(&[]);
    let (_, welcome) = rig.running("a", 1);
    rig.running("b", 1);
    let (job, epoch) = (welcome.job, welcome.epoch);
    let unread = TableStatus { drained: false, ..table(job, epoch) };
    // Of a job that has ended.
    let over = TableStatus { drained: false, ended: true, ..table(job, epoch + 1) };
    let shard = |tables| ShardStatus { tables, ..ShardStatus::default() };
    rig.plane.shards = vec![shard(vec![unread, table(job + 1, epoch)]), shard(vec![over])];
    let told = |count, jobs: &[&str]| TablesLeft {
        count,
        jobs: jobs.iter().copied().map(str::to_owned).collect(),
    };
    let draining = |left| Message::Draining { left };
    let (first, gone) = (on_this_host(&mut rig), on_this_host(&mut rig));
    rig.advance(0);
    assert_eq!(rig.heard(first), [draining(told(2, &["a"]))]);
    // The drain does not depend on who asked.
    rig.hang_up(gone);
    rig.plane.shards = vec![shard(vec![table(job, epoch)])];
    rig.advance(3 * NEWS_INTERVAL_US);
    assert_eq!(rig.heard(first), vec![draining(told(0, &[])); 3]);
    let second = on_this_host(&mut rig);
    rig.advance(0);
    assert_eq!(rig.heard(second), [draining(told(0, &[]))]);
    assert_eq!(rig.plane.stops, Some(3));

    // Something came too late to be read.
    rig.plane.shards =
        vec![shard(vec![TableStatus { drained: false, ..table(job, epoch) }, table(job, epoch)])];
    rig.heard(first);
    rig.registry.stop(&mut rig.plane);
    rig.drain();
    for conn in [first, second] {
        assert_eq!(rig.heard(conn), [Message::Drained { left: told(1, &["a"]) }]);
        assert!(rig.closed.contains(&conn));
    }
    assert_eq!(rig.registry.poll_timeout(), None);
}

/// Nothing else keeps the connection open.
#[test]
fn a_client_is_not_sent_away_before_the_longest_drain_is_over() {
    let mut rig = rig(&[]);
    let conn = on_this_host(&mut rig);
    rig.advance(micros(DRAIN_LIMIT));
    assert!(!rig.closed.contains(&conn));
}

#[test]
fn news_names_the_first_jobs() {
    let text = |count, jobs: &[&str]| {
        TablesLeft { count, jobs: jobs.iter().copied().map(str::to_owned).collect() }.to_string()
    };
    assert_eq!(text(1, &["a"]), "1 table (a)");
    assert_eq!(text(3, &["a", "b"]), "3 tables (a, b, ...)");
    assert_eq!(text(0, &[]), "0 tables");
    let tables = (0..20).map(|job| TableStatus { drained: false, ..table(job, 1) }).collect();
    let shard = ShardStatus { tables, ..ShardStatus::default() };
    let left = TablesLeft::of(&[shard], |job, _| Some(job.to_string()));
    assert_eq!(left.to_string(), "20 tables (0, 1, 2, 3, 4, 5, 6, 7, ...)");
}
