//! Jobs in which nothing happens for longer than a job may form, and those that begin afterwards:
//! R-CTRL-2, R-CTRL-3, R-CTRL-4.

use super::*;

/// Longer than a job may form, and than any other wait of the management plane.
const LONG_US: u64 = 3600 * SECOND_US;

/// Longest time that a job may form, in microseconds.
fn forming_us() -> u64 {
    let forming = Limits::default().forming.as_micros() as u64;
    assert!(forming < LONG_US);
    forming
}

/// R-CTRL-4: a job whose workers say nothing but that they live is there as long as they do.
#[test]
fn an_idle_job_goes_on() {
    let mut rig = Rig::new();
    let (conns, _) = rig.running("default", 3);
    rig.advance_alive(LONG_US, &conns);
    assert!(rig.closed.is_empty() && conns.iter().all(|conn| rig.heartbeats(*conn) >= 3600));
    // It is what it was: the calls of its workers are compared, and they take their leave.
    let calls = vec![(7, "a barrier".to_owned())];
    rig.say(conns[1], Message::InProgress { calls });
    assert_eq!(rig.heard(conns[0]), [Message::AskInProgress { calls: vec![7] }]);
    conns.iter().for_each(|conn| rig.say(*conn, Message::Leave { calls: 7 }));
    assert!(rig.jobs().is_empty() && rig.plane.admitted.is_empty());
}

/// R-CTRL-2: a job begins to form with its first worker, however long the switch and other jobs of
/// the same workers have been there; and the last worker may come as late as the limit allows.
#[test]
fn a_job_that_begins_late_forms() {
    let mut rig = Rig::new();
    let (default, _) = rig.running("default", 2);
    rig.advance_alive(LONG_US, &default);
    let first = rig.join(join("group", 0, 2));
    let alive = [default[0], default[1], first];
    rig.advance_alive(forming_us() - SECOND_US, &alive);
    let second = rig.join(join("group", 1, 2));
    assert!([first, second].map(|conn| rig.welcome(conn).is_some()) == [true; 2]);
    // A limit that was there while it formed ends nothing.
    rig.advance_alive(LONG_US, &[default[0], default[1], first, second]);
    assert!(rig.closed.is_empty() && rig.jobs().len() == 2);
}

/// R-CTRL-3: a name can be used again after any time, for a new epoch then; also by workers whom
/// the limit had parted.
#[test]
fn a_name_is_used_again_after_any_time() {
    let mut rig = Rig::new();
    let (conns, before) = rig.running("group", 2);
    conns.iter().for_each(|conn| rig.say(*conn, Message::Leave { calls: 3 }));
    rig.advance(LONG_US);
    let early = rig.join(join("group", 0, 2));
    rig.advance_alive(forming_us(), &[early]);
    let refused = rig.refusal(early);
    assert!(
        matches!(&refused, Refusal::JoinTimeout { missing, .. } if *missing == [1]),
        "{refused}"
    );
    let late = rig.join(join("group", 1, 2));
    rig.advance_alive(forming_us() - SECOND_US, &[late]);
    let again = rig.join(join("group", 0, 2));
    let [one, other] = [late, again].map(|conn| rig.welcome(conn).expect("both have come"));
    assert!(one.epoch == other.epoch && one.epoch != before.epoch);
}
