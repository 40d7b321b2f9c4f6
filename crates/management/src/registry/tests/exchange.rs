//! Slots that keep operands apart: R-CTRL-23.

use super::*;
use crate::tree::Hop;
use crate::{FlowRounds, HostOffer, Resume};

/// The exchange slots of a job, as all its workers and the switch know them.
fn granted(rig: &mut Rig, joins: impl IntoIterator<Item = Join>) -> u16 {
    let conns: Vec<_> = joins.into_iter().map(|join| rig.join(join)).collect();
    let welcomes: Vec<_> =
        conns.iter().map(|conn| rig.welcome(*conn).expect("everyone is welcome")).collect();
    let admission = &rig.plane.admitted[&welcomes[0].job];
    for welcome in &welcomes {
        assert_eq!(welcome.exchange_slots, admission.exchange_slots);
        assert_eq!(welcome.all_slots(), admission.slots);
    }
    admission.exchange_slots
}

fn joins(size: u16, slots: u16) -> impl Iterator<Item = Join> {
    (0..size).map(move |rank| Join { slots: Some(slots), ..join("a", rank, size) })
}

#[test]
fn a_job_whose_workers_all_send_to_the_switch_has_exchange_slots() {
    for (workers, slots, expected) in [(1, 64, 0), (2, 64, 32), (3, 64, 16), (3, 8, 0), (4, 16, 4)]
    {
        assert_eq!(granted(&mut Rig::new(), joins(workers, slots)), expected, "{workers}, {slots}");
    }
}

/// Operands cannot be kept apart if a member of a switch stands for several workers.
#[test]
fn trees_have_none() {
    let host = |id| Some(HostOffer { id, memory_server: "memory_server".into() });
    for (hosts, expected) in [([7, 8, 9], 16), ([7, 7, 8], 0), ([7, 7, 7], 0)] {
        let joins = joins(3, 64).zip(hosts).map(|(join, id)| Join { host: host(id), ..join });
        assert_eq!(granted(&mut Rig::new(), joins), expected, "{hosts:?}");
    }
    // A worker that comes through another switch, which folds for it or not.
    let mut rig = Rig::new();
    let at = "127.0.0.1:9000".parse().expect("an address");
    let below = rig.connect();
    let hop = Hop { id: 1, at, udp_ports: vec![7000, 7001], receive_buffer: 1 << 20 };
    rig.say(below, Message::Greet { path: vec![hop] });
    let all: Vec<_> = joins(3, 64).collect();
    rig.say(below, Message::Join(Box::new(all[0].clone())));
    assert_eq!(granted(&mut rig, all.into_iter().skip(1)), 0);
}

/// Exchange slots give way where memory is short, before any other, and also where a worker has
/// asked for a number of slots.
#[test]
fn memory_that_is_short_is_for_other_slots() {
    let needed = {
        let mut rig = Rig::new();
        assert_eq!(granted(&mut rig, joins(2, 64)), 32);
        rig.plane.admitted[&0].spec().memory_bytes()
    };
    // A share is a sixth of what is free, for each of two flows, and three quarters of it count.
    let quarter = needed.div_ceil(3);
    for (share, expected) in [(4 * quarter, 32), (4 * (quarter - 1), 0)] {
        let mut rig = Rig::new();
        rig.plane.budget = 2 * 6 * share;
        assert_eq!(granted(&mut rig, joins(2, 64)), expected);
        assert_eq!(rig.plane.admitted[&0].slots, 64 + 16 + expected);
    }
}

/// R-RES-3
#[test]
fn a_job_goes_on_with_the_exchange_slots_that_it_had() {
    let resuming = |slots: usize| {
        joins(2, 64).map(move |join| Join {
            resume: Some(Resume {
                epoch: 7,
                flows: vec![FlowRounds::new(vec![0; slots]); 2],
                regroup: None,
            }),
            packet_elements: Some(256),
            ..on(join, |terms| terms.resumable = true)
        })
    };
    for (slots, expected) in [(64 + 16, 0), (64 + 16 + 32, 32)] {
        assert_eq!(granted(&mut Rig::new(), resuming(slots)), expected);
    }
    let mut rig = Rig::new();
    let conns: Vec<_> = resuming(64 + 16 + 8).map(|join| rig.join(join)).collect();
    assert!(matches!(rig.refusal(conns[0]), Refusal::BadValue { .. }));
}
