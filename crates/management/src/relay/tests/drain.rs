//! Clients of a switch below another that have it stop (R-CTRL-21), or ask for a query (R-CTRL-24).

use super::*;
use crate::registry::tests::SECOND_US;
use crate::registry::tests::queries::query;
use crate::{Refusal, TablesLeft};

const TREE: [(Option<usize>, u16); 2] = [(None, 1), (Some(0), 1)];

fn asked(net: &mut Net, from: IpAddr, proof: Option<[u8; 32]>) -> usize {
    let client = net.connect(1, from);
    net.settle();
    net.say(client, Message::Drain { proof });
    net.settle();
    client
}

fn net(tokens: &[&str]) -> Net {
    let mut net = Net::new(3, &TREE, tokens);
    net.nodes.iter_mut().for_each(|node| node.plane.stops = Some(0));
    net
}

fn stops(net: &Net) -> [Option<u32>; 2] {
    [0, 1].map(|node| net.nodes[node].plane.stops)
}

#[test]
fn the_switch_that_is_asked_stops_and_not_the_root() {
    let mut net = net(&[]);
    let loopback = Ipv4Addr::LOCALHOST.into();
    let elsewhere = asked(&mut net, worker_ip(9), None);
    assert_eq!(net.refusal(elsewhere), &Refusal::DrainFromElsewhere);
    let client = asked(&mut net, loopback, None);
    assert_eq!(stops(&net), [Some(0), Some(1)]);
    net.advance(SECOND_US / 4, &[]);
    let left = TablesLeft::default();
    let last = |net: &Net| net.clients[client].heard.last().cloned();
    assert_eq!(last(&net), Some(Message::Draining { left: left.clone() }));
    let Node { management: Some(relay), plane, .. } = &mut net.nodes[1] else { panic!() };
    relay.stop(plane);
    net.drain(1);
    net.settle();
    assert!(net.clients[client].closed);
    assert!(net.clients[client].heard.contains(&Message::Drained { left }));
}

#[test]
fn its_own_token_decides_over_the_challenge_of_the_root() {
    let mut net = net(&["one"]);
    let client = net.connect(1, worker_ip(9));
    net.settle();
    let Some(&Message::Hello { challenge, .. }) = net.clients[client].heard.first() else {
        panic!("no hello")
    };
    let proof = Token::new("one").unwrap().prove_for_drain(&challenge);
    net.say(client, Message::Drain { proof: Some(proof) });
    net.settle();
    assert_eq!(stops(&net), [Some(0), Some(1)]);
    let none = asked(&mut net, Ipv4Addr::LOCALHOST.into(), None);
    assert_eq!(net.refusal(none), &Refusal::DrainNeedsToken);
}

#[test]
fn a_switch_below_another_has_no_queries() {
    let mut net = net(&[]);
    let client = net.connect(1, worker_ip(9));
    net.settle();
    net.say(client, Message::AdmitQuery(query(64)));
    net.settle();
    assert!(matches!(net.refusal(client), Refusal::QueryAtRackSwitch { .. }));
    assert!(net.nodes.iter().all(|node| node.plane.queries.is_empty()));
}
