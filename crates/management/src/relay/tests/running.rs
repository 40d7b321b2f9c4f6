//! The work of a relay beside placing a job: R-CTRL-14, 15, 17 to 19.

use netfold_wire::IntegrityKind;

use super::*;
use crate::registry::tests::{SECOND_US, on};
use crate::{Cause, Finding, FlowRounds, Refusal, Regroup, Resume, ShardStatus};

/// A root, two switches below it, and a third below the second.
const TREE: [(Option<usize>, u16); 4] = [(None, 2), (Some(0), 2), (Some(0), 2), (Some(2), 2)];

/// Workers 0 and 1 at the first rack, 2 at the second, 3 below that.
const HOMES: [usize; 4] = [1, 1, 2, 3];

fn running(net: &mut Net, change: impl Fn(&mut Join)) -> Vec<usize> {
    let clients = (0..).zip(HOMES).map(|(rank, home)| {
        let mut own = join("job", rank, HOMES.len() as u16);
        change(&mut own);
        net.join(home, own)
    });
    let clients = clients.collect();
    net.settle();
    clients
}

/// R-CTRL-14
#[test]
fn switches_in_a_circle_are_told_so() {
    let mut net = Net::new(3, &TREE[..3], &[]);
    // The second is below the first and the first below the second.
    for (node, parent) in [(1, 2), (2, 1)] {
        net.nodes[node].parent = Some(parent);
        net.nodes[node].management = Some(Box::new(Relay::new(
            Limits::default(),
            rack_switch(node, parent, shards(node, 2), vec![]),
        )));
    }
    let client = net.connect(1, worker_ip(0));
    net.settle();
    assert_eq!(net.refusal(client), &Refusal::Circle { switch: (ip(1), 5555).into() });
    assert!(net.other_end.keys().all(|end| matches!(end, End::Client(_))), "no connection stays");
}

/// R-CTRL-14: nine switches below each other are one too many above the root.
#[test]
fn a_tree_has_a_limited_height() {
    let chain: Vec<_> = (0..=9).map(|node: usize| (node.checked_sub(1), 1)).collect();
    let mut net = Net::new(3, &chain, &[]);
    let (low, high) = (net.connect(9, worker_ip(0)), net.connect(8, worker_ip(0)));
    net.settle();
    assert_eq!(net.refusal(low), &Refusal::TooDeep { limit: 8 });
    assert!(matches!(net.clients[high].heard[..], [Message::Hello { .. }]));
}

/// R-CTRL-15: packets fit the narrowest path, and slots the fullest switch.
#[test]
fn the_whole_way_decides_about_packets_and_slots() {
    let mut net = Net::new(3, &TREE, &[]);
    let narrow = RackSwitch { max_datagram: 600, ..rack_switch(1, 0, shards(1, 2), vec![]) };
    // Of four thirds of 32 datagrams of 584 bytes each of its two workers and its parent may have a
    // third: 14.2.
    let limits = Limits { receive_buffer: 4 * 32 * 584, ..Limits::default() };
    net.nodes[1].management = Some(Box::new(Relay::new(limits, narrow)));
    let clients = running(&mut net, |join| join.max_datagram = 9000);
    let welcome = net.welcome(clients[3]).unwrap();
    assert_eq!((welcome.payload_bytes, welcome.slots), (544, 8));
}

/// R-CTRL-20: the switch with the least memory decides, wherever it is.
#[test]
fn the_least_memory_on_the_way_decides_about_slots() {
    for poor in 0..TREE.len() {
        let mut net = Net::new(3, &TREE, &[]);
        // Of 100 slots, with two copies of 1408 bytes at two shards; six jobs are to have room.
        net.nodes[poor].plane.budget = 6 * 2 * 100 * 2 * (1408 + 64);
        let clients = running(&mut net, |_| ());
        let welcome = net.welcome(clients[3]).unwrap();
        assert_eq!(
            (welcome.payload_bytes, welcome.slots, welcome.urgent_slots),
            (1408, 64, 16),
            "switch {poor}"
        );
    }
}

/// R-CTRL-8, R-CTRL-14: the proof is the worker's own, and the root's challenge another for each
/// connection.
#[test]
fn a_token_is_proven_to_the_root_and_fences_at_every_switch() {
    let mut net = Net::new(3, &TREE, &["other", "secret"]);
    let token = Token::new("secret").unwrap();
    let mut clients = Vec::new();
    for (rank, home) in (0..).zip(HOMES) {
        let client = net.connect(home, worker_ip(rank));
        net.settle();
        let [Message::Hello { challenge, .. }] = net.clients[client].heard[..] else { panic!() };
        let own = Join {
            proof: Some(token.prove(&challenge)),
            ..on(join("job", rank, 4), |terms| terms.integrity = IntegrityKind::Token)
        };
        net.say(client, Message::Join(own.into()));
        clients.push(client);
    }
    let guess = net.join(1, Join { proof: Some([7; 32]), ..join("other", 0, 1) });
    net.settle();
    assert_eq!(net.refusal(guess), &Refusal::WrongToken);
    let epoch = net.welcome(clients[0]).unwrap().epoch;
    for node in &net.nodes {
        assert_eq!(
            node.plane.admitted[&0].terms.integrity,
            netfold_wire::Integrity::Token(token.packet_key(epoch))
        );
    }
}

/// R-CTRL-17: a switch that cannot take the job in is named to everyone, and nothing is held any
/// more.
#[test]
fn a_switch_that_cannot_run_a_job_is_named() {
    let no_token = rack_switch(3, 2, shards(3, 2), vec![]);
    for (budget, expected) in
        [(1000, "are free"), (1 << 30, "a token that this switch does not have")]
    {
        let mut net = Net::new(3, &TREE, &["secret"]);
        net.nodes[3].plane.budget = budget;
        if budget > 1000 {
            net.nodes[3].management =
                Some(Box::new(Relay::new(Limits::default(), no_token.clone())));
        }
        let token = Token::new("secret").unwrap();
        let mut clients = Vec::new();
        for (rank, home) in (0..).zip(HOMES) {
            let client = net.connect(home, worker_ip(rank));
            net.settle();
            let [Message::Hello { challenge, .. }] = net.clients[client].heard[..] else {
                panic!()
            };
            let proof = Some(token.prove(&challenge));
            net.say(
                client,
                Message::Join(
                    on(Join { proof, ..join("job", rank, 4) }, |terms| {
                        terms.integrity = IntegrityKind::Token
                    })
                    .into(),
                ),
            );
            clients.push(client);
        }
        net.settle();
        for client in clients {
            let Failure::SwitchUnable { switch, reason, .. } = net.failure(client) else {
                panic!()
            };
            assert_eq!(*switch, (ip(3), 5555).into());
            assert!(reason.contains(expected), "{reason}");
        }
        assert!(net.nodes.iter().all(|node| node.plane.admitted.is_empty()));
    }
}

/// R-RES-11: the connections of those that go on stay up to the root, which closes them when it has
/// heard of all again, or of another loss.
#[test]
fn the_way_up_stays_while_others_go_on() {
    for seed in 0..50 {
        let mut net = Net::new(seed, &TREE, &[]);
        let clients = running(&mut net, |join| join.terms.elastic = true);
        let epoch = net.welcome(clients[0]).unwrap().epoch;
        net.hang_up(clients[1]);
        net.settle();
        let others = [0, 2, 3].map(|rank| clients[rank]);
        let told = Message::Failed { cause: Failure::WorkerLost { rank: 1, why: Loss::Closed } };
        for client in others {
            assert_eq!(
                (net.clients[client].heard.last(), net.clients[client].closed),
                (Some(&told), false)
            );
        }
        assert!(net.nodes.iter().all(|node| node.plane.admitted.is_empty()));
        // Longer than a switch that is silent is taken for there.
        net.advance(3 * SECOND_US, &others);
        assert!(others.iter().all(|client| !net.clients[*client].closed));
        net.hang_up(clients[3]);
        net.settle();
        let again = |net: &mut Net, rank: u16, size: u16, home: usize| {
            let flows = vec![FlowRounds::new([]); 2];
            let resume =
                Some(Resume { epoch, flows, regroup: Some(Regroup { made: 0, idle: true }) });
            let own = Join {
                packet_elements: Some(256),
                slots: Some(16),
                ..on(join("job", rank, size), |terms| terms.elastic = true)
            };
            let client = net.join(home, Join { resume, ..own });
            net.settle();
            client
        };
        let early = again(&mut net, 0, 3, HOMES[0]);
        assert_eq!(net.refusal(early), &Refusal::OthersLost { job: "job".into(), lost: vec![3] });
        let next = [again(&mut net, 0, 2, HOMES[0]), again(&mut net, 1, 2, HOMES[2])];
        assert!(
            next.iter()
                .all(|client| net.welcome(*client).is_some_and(|welcome| welcome.workers == 2))
        );
        assert!(
            [0, 2].iter().all(|rank| net.clients[clients[*rank]].closed),
            "they have others now"
        );
        assert!(
            others.iter().all(|client| net.clients[*client].heard.last() == Some(&told)),
            "nothing more is said"
        );
    }
}

/// R-CTRL-17, R-RES-11: a worker is lost while switches still keep the welcomes of others. Those
/// get them, so that they know which epoch they go on from, and then hear of the loss.
#[test]
fn a_worker_whose_welcome_is_kept_goes_on_without_one_that_is_lost() {
    let mut kept = 0;
    for seed in 0..100 {
        let mut net = Net::new(seed, &TREE, &[]);
        let clients: Vec<_> =
            (0..).zip(HOMES).map(|(rank, home)| net.connect(home, worker_ip(rank))).collect();
        net.settle();
        for (rank, &client) in (0..).zip(&clients) {
            net.say(
                client,
                Message::Join(on(join("job", rank, 4), |terms| terms.elastic = true).into()),
            );
        }
        let lost = seed as usize % 4;
        net.settle_until(|net| net.welcome(clients[lost]).is_some());
        let others = || (0..4).filter(|rank| *rank != lost).map(|rank| clients[rank]);
        kept += others().filter(|client| net.welcome(*client).is_none()).count();
        net.hang_up(clients[lost]);
        net.settle();
        let told =
            Message::Failed { cause: Failure::WorkerLost { rank: lost as u16, why: Loss::Closed } };
        for client in others() {
            let Client { heard, closed, .. } = &net.clients[client];
            let said: Vec<_> = heard
                .iter()
                .filter(|said| matches!(said, Message::Welcome(_) | Message::Failed { .. }))
                .collect();
            assert!(
                matches!(said[..], [Message::Welcome(_), failed] if *failed == told) && !closed,
                "seed {seed}: {said:?}"
            );
        }
        assert!(net.nodes.iter().all(|node| node.plane.admitted.is_empty()), "seed {seed}");
    }
    assert!(kept >= 50, "only {kept} welcomes were kept");
}

/// R-CTRL-17: the root uses a number again as soon as an epoch is over there. The remains of that
/// epoch at a switch end.
#[test]
fn a_number_that_comes_again_ends_the_previous_epoch() {
    for seed in 0..50 {
        let mut net = Net::new(seed, &TREE, &[]);
        let first = running(&mut net, |_| ());
        // The second job of the name forms while the end of the first is still on its way.
        net.hang_up(first[3]);
        let second: Vec<_> = (0..)
            .zip(HOMES)
            .map(|(rank, home)| (rank, net.connect(home, worker_ip(rank))))
            .collect();
        net.settle();
        for &(rank, client) in &second {
            net.say(client, Message::Join(join("job", rank, 4).into()));
        }
        net.settle();
        for &client in &first[..3] {
            // R-CTRL-18: it is the worker that has gone, and no switch above it, however many have
            // passed the word on.
            assert_eq!(*net.failure(client), Failure::WorkerLost { rank: 3, why: Loss::Closed });
        }
        let epoch = net.welcome(second[0].1).unwrap().epoch;
        assert_ne!(epoch, net.welcome(first[0]).unwrap().epoch);
        assert!(net.nodes.iter().all(|node| node.plane.admitted[&0].epoch == epoch));
    }
}

/// R-CTRL-6, R-CTRL-13, R-CTRL-18: whichever switch sees it, the root asks the workers and tells
/// all.
#[test]
fn incidents_at_any_switch_reach_everyone() {
    let cases = [
        (1, Cause::Mismatch { first: 1, second: 0 }),
        (2, Cause::Mismatch { first: 2, second: 3 }),
        (3, Cause::Overflow { rank: 3, lane: 9 }),
        (0, Cause::Mismatch { first: 0, second: 2 }),
    ];
    for (node, cause) in cases {
        let mut net = Net::new(3, &TREE, &[]);
        let clients = running(&mut net, |_| ());
        let epoch = net.welcome(clients[0]).unwrap().epoch;
        let incident = Incident { job: 0, epoch, position: 5, slot: 1, shard: 1, cause };
        net.incident(node, Incident { epoch: epoch + 1, ..incident });
        net.incident(node, incident);
        net.settle();
        for rank in cause.witnesses() {
            let client = clients[usize::from(rank)];
            let asked = |message: &&Message| {
                matches!(message, Message::Describe { shard: 1, slot: 1, position: 5, .. })
            };
            assert_eq!(net.clients[client].heard.iter().filter(asked).count(), 1);
            let text = format!("what rank {rank} calls");
            net.say(client, Message::Description { shard: 1, slot: 1, position: 5, text });
        }
        net.settle();
        let [a, b] = cause.witnesses().map(|rank| format!("what rank {rank} calls"));
        for &client in &clients {
            let told = net.failure(client).to_string();
            assert!(told.contains(&a) && told.contains(&b), "{told}");
        }
    }
}

/// R-CTRL-4, R-CTRL-18: a worker, a switch or the root that hangs is noticed within the time-out of
/// the job, wherever it is.
#[test]
fn silence_is_noticed_and_named() {
    let mut net = Net::new(3, &TREE, &[]);
    let clients = running(&mut net, |_| ());
    net.advance(3 * SECOND_US, &clients);
    assert!(clients.iter().all(|&client| !net.clients[client].closed), "nobody is silent");
    net.advance(SECOND_US, &clients[..3]);
    net.settle();
    for (rank, &client) in clients.iter().enumerate() {
        let for_ms = match net.failure(client) {
            Failure::WorkerLost { rank: 3, why: Loss::Silent { for_ms } } if rank != 3 => for_ms,
            Failure::Expelled { rank: 3, why: Loss::Silent { for_ms } } if rank == 3 => for_ms,
            other => panic!("rank {rank} is told {other:?}"),
        };
        assert!((TIMEOUT_MS..TIMEOUT_MS + 200).contains(for_ms), "{for_ms}");
    }

    // The root hangs: its connections stay open, and nothing comes.
    let mut net = Net::new(3, &TREE, &[]);
    let clients = running(&mut net, |_| ());
    net.nodes[0].management = None;
    net.advance(SECOND_US + SECOND_US / 4, &clients);
    let parents = [1, 1, 2, 2].map(|node| (ip(node), 5555).into());
    for (&client, switch) in clients.iter().zip(parents) {
        let expected = SocketAddr::from((ip(0), 5555));
        // The lowest switch hears from its own parent, until that has given the root up.
        let failure = net.failure(client);
        assert!(
            matches!(failure, Failure::ParentLost { switch: by, parent, why: Loss::Silent { .. } } if (*by, *parent) == (switch, expected)),
            "{failure}"
        );
    }
}

/// R-CTRL-18: with no parent there, nobody gets further than the switch.
#[test]
fn a_parent_that_is_not_there_is_named() {
    let mut net = Net::new(3, &TREE, &[]);
    net.nodes[0].management = None;
    let refused = net.connect(3, worker_ip(0));
    net.settle();
    let text = net.refusal(refused).to_string();
    assert!(
        text.contains("10.1.0.2:5555")
            && text.contains("10.1.0.0:5555")
            && text.contains("connection refused"),
        "{text}"
    );

    // It has moved, and is not there either.
    let mut net = Net::new(3, &TREE, &[]);
    net.nodes[0].management = None;
    let moved = SocketAddr::from(([10, 9, 9, 9], 5555));
    net.nodes[1].management.as_mut().unwrap().found_parent(moved);
    let refused = net.connect(1, worker_ip(0));
    net.settle();
    assert!(matches!(net.refusal(refused), Refusal::NoParent { parent, .. } if *parent == moved));

    // It is there, and says nothing.
    let mut net = Net::new(3, &TREE, &[]);
    (net.nodes[0].management, net.nodes[0].hangs) = (None, true);
    let waiting = net.connect(3, worker_ip(0));
    net.settle();
    net.advance(4 * SECOND_US, &[]);
    assert!(matches!(net.refusal(waiting), Refusal::NoParent { why: Loss::Silent { .. }, .. }));
}

/// A message that has no place in a conversation ends it, and the root hears why.
#[test]
fn a_worker_that_breaks_the_protocol_is_lost() {
    let mut net = Net::new(3, &TREE, &[]);
    let clients = running(&mut net, |_| ());
    // Only a switch says this.
    net.say(clients[0], Message::Lost { why: Loss::Closed });
    net.settle();
    let Failure::WorkerLost { rank: 0, why: Loss::Misbehaved { what } } = net.failure(clients[2])
    else {
        panic!()
    };
    assert!(what.contains("lost"), "{what}");
    let early = net.connect(1, worker_ip(5));
    net.say(early, Message::Heartbeat);
    net.settle();
    assert!(net.clients[early].closed);
}

/// A shard with a slot that waits for these members.
fn late(missing: &[u16]) -> Vec<ShardStatus> {
    let slot = crate::SlotStatus { slot: 4, position: 12, seen: vec![], missing: missing.to_vec() };
    let job = crate::JobStatus {
        job: 0,
        slots: 8,
        counters: vec![("rounds", 3)],
        waiting: vec![slot],
        operations: Vec::new(),
    };
    let counters = vec![("contributions", 5), ("dropped_stale", 1)];
    vec![ShardStatus {
        counters,
        memory_used: 0,
        memory_total: 100,
        jobs: vec![job],
        tables: Vec::new(),
        queries: Vec::new(),
    }]
}

/// R-CTRL-19
#[test]
fn questions_are_answered_by_who_knows() {
    let mut net = Net::new(3, &TREE, &[]);
    running(&mut net, |_| ());
    // The root waits for both of its members, and of the second's rack it is rank 3 that is late.
    net.nodes[0].plane.shards = late(&[0, 2]);
    net.nodes[2].plane.shards = late(&[3]);
    let Report::Jobs { jobs, .. } = net.ask(3, Query::Jobs) else { panic!() };
    assert_eq!((jobs.len(), &*jobs[0].name, jobs[0].size), (1, "job", 4));
    let Report::Stats(stats) = net.ask(2, Query::Stats) else { panic!() };
    assert_eq!((stats.jobs_running, stats.workers, stats.jobs["job"]["rounds"]), (1, 2, 3));
    let report = net.ask(2, Query::Doctor);
    // Of its own rack this switch knows better than the root.
    assert_eq!(waits(&report), [(3, vec![]), (0, vec![1])]);
    let Report::Doctor { findings, .. } = report else { panic!() };
    let dropped = findings.iter().filter(|finding| matches!(finding, Finding::Dropped { .. }));
    assert_eq!(dropped.count(), 1, "its own");
}

/// Returns the workers that are waited for, by the findings of a report.
fn waits(report: &Report) -> Vec<(u16, Vec<u16>)> {
    let Report::Doctor { findings, omitted: 0 } = report else { panic!("{report:?}") };
    let waits = findings.iter().filter_map(|finding| match finding {
        Finding::WaitingFor { rank, with, .. } => Some((*rank, with.clone())),
        _ => None,
    });
    waits.collect()
}

/// R-CTRL-19: the root does not know who of a rack is late; the rack does, and so does a switch
/// below another.
#[test]
fn the_root_asks_those_below() {
    let mut net = Net::new(3, &TREE, &[]);
    // Its heartbeats are further apart than what is tested here.
    let clients = running(&mut net, |join| join.timeout_ms = 8 * TIMEOUT_MS);
    for (node, missing) in [(0, vec![0, 2]), (1, vec![1]), (2, vec![3]), (3, vec![3])] {
        net.nodes[node].plane.shards = late(&missing);
    }
    for node in 0..4 {
        let mut found = waits(&net.ask(node, Query::Doctor));
        found.sort_unstable();
        assert_eq!(found, [(1, vec![]), (3, vec![])], "asked at switch {node}");
    }

    // One says nothing: its parent's word is the closest there is, and nobody waits longer than a
    // quarter of a second.
    net.nodes[3].management = None;
    net.nodes[2].plane.shards = late(&[2]);
    let [gone, waiting] = [0, 0].map(|node| net.connect(node, worker_ip(99)));
    net.settle();
    for client in [gone, waiting] {
        net.say(client, Message::Query { what: Query::Doctor });
    }
    net.settle();
    assert!(net.clients[waiting].heard.len() == 1, "only hello so far");
    let wakes_us = net.nodes[0].management.as_ref().and_then(|root| root.poll_timeout());
    assert_eq!(wakes_us, Some(net.now_us + SECOND_US / 4));
    net.hang_up(gone);
    net.advance(SECOND_US / 4, &clients);
    let Some(Message::Report { report }) = net.clients[waiting].heard.pop() else {
        panic!("no answer")
    };
    let mut found = waits(&report);
    found.sort_unstable();
    assert_eq!(found, [(1, vec![]), (2, vec![])]);
    assert!(clients[..3].iter().all(|&client| !net.clients[client].closed), "the job goes on");
}

/// R-CTRL-17: messages of the root on a job that runs come after the welcome, however long that has
/// waited for others.
#[test]
fn nobody_hears_of_a_job_before_it_is_welcome() {
    for seed in 0..50 {
        let mut net = Net::new(seed, &TREE, &[]);
        let clients: Vec<_> =
            (0..).zip(HOMES).map(|(rank, home)| net.connect(home, worker_ip(rank))).collect();
        net.settle();
        for (rank, &client) in (0..).zip(&clients) {
            net.say(client, Message::Join(join("job", rank, 4).into()));
            net.clients[client].hurried = true;
        }
        net.settle();
        for (rank, &client) in (0..).zip(&clients) {
            let Client { heard, closed, .. } = &net.clients[client];
            let of_job =
                |message: &&Message| matches!(message, Message::Left { .. } | Message::Welcome(_));
            let first = heard.iter().find(of_job);
            assert!(
                *closed && matches!(first, Some(Message::Welcome(_))),
                "rank {rank}: {heard:?}"
            );
        }
        assert!(net.nodes.iter().all(|node| node.plane.admitted.is_empty()));
    }
}
