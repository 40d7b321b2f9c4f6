//! Queries of other programs (R-CTRL-24).

use netfold_wire::{Integrity, Replacement, RowProgram};

use super::*;
use crate::query::{AdmitQuery, QueryAdmitted, QueryTerms, query_integrity};
use crate::{Hop, Proof};

/// A query with so many rows of cells of 8 bytes.
pub(crate) fn query(rows: u32) -> AdmitQuery {
    let program = RowProgram::Distinct { rows, width: 1, seed: 5, replacement: Replacement::Lru };
    AdmitQuery {
        version: netfold_wire::VERSION,
        terms: QueryTerms { program, workers: 2, partitions: 3, attempts: 0, datagram_bytes: 1400 },
        master_port: Some(4444),
        timeout_ms: TIMEOUT_MS,
        proof: None,
    }
}

fn ask(rig: &mut Rig, asked: AdmitQuery) -> ConnectionId {
    let conn = rig.connect();
    rig.heard(conn);
    rig.say(conn, Message::AdmitQuery(asked));
    conn
}

fn admitted(rig: &mut Rig, conn: ConnectionId) -> QueryAdmitted {
    match &rig.heard(conn)[..] {
        [Message::QueryAdmitted(admitted)] => *admitted,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_query_is_here_until_its_connection_closes() {
    let mut rig = Rig::new();
    let conn = ask(&mut rig, query(64));
    let place = admitted(&mut rig, conn);
    assert_eq!(place.shard, (Ipv4Addr::LOCALHOST, 9000).into(), "it is at the first shard");
    let (spec, master) = &rig.plane.queries[&(place.job, place.epoch)];
    assert_eq!((spec.program, spec.workers, spec.partitions), (query(64).terms.program, 2, 3));
    assert_eq!(spec.integrity, query_integrity(None, spec.epoch));
    assert_eq!(*master, Some((rig.from, 4444).into()), "the master is where the client is");
    rig.hang_up(conn);
    assert!(rig.plane.queries.is_empty());
}

#[test]
fn queries_have_numbers_and_epochs_of_their_own() {
    let mut rig = Rig::new();
    let conns = [64, 64, 128].map(|rows| ask(&mut rig, query(rows)));
    let places = conns.map(|conn| admitted(&mut rig, conn));
    assert_eq!(places.map(|place| place.job), [0, 1, 2]);
    rig.hang_up(conns[1]);
    // The number is used again, in another epoch even if chance gives the same one.
    rig.entropy -= 2;
    let conn = ask(&mut rig, query(64));
    let again = admitted(&mut rig, conn);
    assert_eq!((again.job, again.epoch), (1, places[1].epoch + 1));
    assert_eq!(rig.plane.queries.len(), 3);
}

#[test]
fn a_second_query_on_a_connection_ends_both() {
    let mut rig = Rig::new();
    let conn = ask(&mut rig, query(64));
    rig.say(conn, Message::AdmitQuery(query(64)));
    assert!(rig.closed.contains(&conn) && rig.plane.queries.is_empty());
    let (workers, _) = rig.running("a", 1);
    rig.say(workers[0], Message::AdmitQuery(query(64)));
    assert!(rig.closed.contains(&workers[0]), "a worker asks for none");
}

#[test]
fn a_silent_client_is_lost_and_one_that_lives_is_not() {
    let mut rig = Rig::new();
    let (alive, silent) = (ask(&mut rig, query(64)), ask(&mut rig, query(64)));
    rig.advance_alive(3 * TIMEOUT_MS * 1000, &[alive]);
    assert!(rig.closed.contains(&silent) && !rig.closed.contains(&alive));
    assert_eq!(rig.plane.queries.len(), 1);
    // The client hears four heartbeats within its time-out.
    assert_eq!(rig.heartbeats(alive), 12);
}

#[test]
fn memory_is_one_budget_for_jobs_and_queries() {
    let mut rig = Rig::new();
    rig.plane.budget = 100_000;
    let first = ask(&mut rig, query(1 << 13));
    admitted(&mut rig, first);
    let refused = ask(&mut rig, query(1 << 13));
    // Cells, registers, addresses and two packets: 65,536 + 3 * 24 + 2 * 32 + 2 * 1400.
    let needed = 68_472;
    let free = 100_000 - needed;
    assert_eq!(rig.refusal(refused), Refusal::QueryMemory { needed, free });
    rig.hang_up(first);
    let then = ask(&mut rig, query(1 << 13));
    admitted(&mut rig, then);
    // No product of what a stranger asks for is small again.
    let mut huge = query(64);
    huge.terms.attempts = u16::MAX;
    let sums = netfold_wire::Sums::new(&[netfold_num::Sum::Integer; 8]).unwrap();
    huge.terms.program = RowProgram::GroupSum { rows: 1 << 30, width: 255, seed: 1, sums };
    let huge = ask(&mut rig, huge);
    assert!(matches!(rig.refusal(huge), Refusal::QueryMemory { .. }));
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let mut rig = Rig::with(Limits { jobs: 1, ..Limits::default() }, &[]);
    let odd = ask(&mut rig, query(3));
    let Refusal::Query { reason } = rig.refusal(odd) else { panic!("another refusal") };
    assert!(reason.contains("power of two"), "{reason}");
    let hasty = ask(&mut rig, AdmitQuery { timeout_ms: 1, ..query(64) });
    assert!(matches!(rig.refusal(hasty), Refusal::BadValue { .. }));
    let old = ask(&mut rig, AdmitQuery { version: 200, ..query(64) });
    assert!(matches!(rig.refusal(old), Refusal::Version { worker: 200, .. }));
    ask(&mut rig, query(64));
    let second = ask(&mut rig, query(64));
    assert_eq!(rig.refusal(second), Refusal::TooManyQueries { limit: 1 });
    assert_eq!(rig.plane.queries.len(), 1);
}

#[test]
fn a_switch_with_tokens_has_queries_of_those_who_know_one() {
    let mut rig = Rig::with(Limits::default(), &["one", "two"]);
    let token = |text: &str| Token::new(text).unwrap();
    let with = |rig: &mut Rig, proof: &dyn Fn(ConnectionId) -> Proof| {
        let conn = rig.connect();
        rig.heard(conn);
        rig.say(conn, Message::AdmitQuery(AdmitQuery { proof: Some(proof(conn)), ..query(64) }));
        conn
    };
    let none = ask(&mut rig, query(64));
    assert_eq!(rig.refusal(none), Refusal::QueryNeedsToken);
    let wrong = [
        with(&mut rig, &|conn| token("three").prove_for_query(&Rig::challenge(conn))),
        // A worker's proof, and one over another challenge.
        with(&mut rig, &|conn| token("one").prove(&Rig::challenge(conn))),
        with(&mut rig, &|_| token("one").prove_for_query(&Rig::challenge(ConnectionId(77)))),
    ];
    for conn in wrong {
        assert_eq!(rig.refusal(conn), Refusal::WrongToken);
    }
    assert!(rig.plane.queries.is_empty());
    let conn = with(&mut rig, &|conn| token("two").prove_for_query(&Rig::challenge(conn)));
    let place = admitted(&mut rig, conn);
    let (spec, _) = &rig.plane.queries[&(place.job, place.epoch)];
    assert_eq!(spec.integrity, query_integrity(Some(&token("two")), spec.epoch));
    let others = [Some(token("one")), None];
    assert!(others.iter().all(|other| {
        let key: Integrity = query_integrity(other.as_ref(), spec.epoch);
        key != spec.integrity
    }));
    // A token that nobody can compare would give another key.
    let mut open = Rig::new();
    let conn = with(&mut open, &|conn| token("one").prove_for_query(&Rig::challenge(conn)));
    assert_eq!(open.refusal(conn), Refusal::TokenNotExpected);
}

#[test]
fn queries_end_with_the_switch_and_do_not_come_through_another() {
    let mut rig = Rig::new();
    let conn = ask(&mut rig, query(64));
    admitted(&mut rig, conn);
    let below = rig.connect();
    let at = (Ipv4Addr::LOCALHOST, 5555).into();
    let hop = Hop { id: 1, at, udp_ports: vec![7000, 7001], receive_buffer: 1 << 20 };
    rig.say(below, Message::Greet { path: vec![hop] });
    rig.say(below, Message::AdmitQuery(query(64)));
    assert!(rig.closed.contains(&below));
    rig.registry.stop(&mut rig.plane);
    rig.drain();
    assert!(rig.closed.contains(&conn) && rig.plane.queries.is_empty());
}
