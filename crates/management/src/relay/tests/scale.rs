//! Jobs of thousands of workers: R-CTRL-2, and that what a job costs grows with its workers and not
//! with their square.

use super::*;

/// A root, three switches below it, and ten racks below each of these.
fn three_layers(racks: usize) -> Vec<(Option<usize>, u16)> {
    let rack = |index| (Some(1 + index % 3), 1);
    [(None, 1)].into_iter().chain([(Some(0), 1); 3]).chain((0..racks).map(rack)).collect()
}

struct Crowd {
    net: Net,
    homes: Vec<usize>,
    clients: Vec<usize>,
}

impl Crowd {
    /// `size` workers that have said hello, dealt out to the switches without others below them.
    fn new(switches: &[(Option<usize>, u16)], size: u16) -> Self {
        let is_rack = |node: &usize| switches.iter().all(|(parent, _)| *parent != Some(*node));
        let racks: Vec<usize> = (0..switches.len()).filter(is_rack).collect();
        let homes: Vec<usize> =
            (0..size).map(|rank| racks[usize::from(rank) % racks.len()]).collect();
        Self { net: Net::new(7, switches, &[]), homes, clients: Vec::new() }
    }

    /// Forms a job; the messages that it takes.
    fn form(&mut self) -> usize {
        let before = self.net.messages;
        let size = self.homes.len() as u16;
        self.clients = (0..)
            .zip(&self.homes)
            .map(|(rank, home)| self.net.connect(*home, worker_ip(rank)))
            .collect();
        self.net.settle();
        for (rank, &client) in (0..).zip(&self.clients) {
            let udp_ports = vec![1 + rank];
            self.net
                .say(client, Message::Join(Join { udp_ports, ..join("job", rank, size) }.into()));
        }
        self.net.settle();
        self.net.messages - before
    }

    fn admissions(&self) -> Vec<usize> {
        self.net
            .nodes
            .iter()
            .map(|node| node.plane.admitted.values().map(|job| job.members.len()).sum())
            .collect()
    }

    fn is_forgotten(&self) -> bool {
        let idle = |node: &Node| {
            node.plane.admitted.is_empty()
                && node.management.as_ref().is_none_or(|m| m.poll_timeout().is_none())
        };
        self.net.nodes.iter().all(idle)
    }
}

/// R-CTRL-2, R-CTRL-5, R-CTRL-17, R-CTRL-18: the tree of SwitchML, section 7, with three layers of
/// switches and 3,600 workers: they join, and leave; lose one of theirs; and lose a rack.
#[test]
fn thousands_of_workers_in_three_layers() {
    let (size, racks) = (3600, 90);
    let mut crowd = Crowd::new(&three_layers(racks), size);
    let expected: Vec<usize> = [3].into_iter().chain([30; 3]).chain(vec![40; racks]).collect();
    // On each of the three connections between a worker and the root: greet, hello, join and
    // welcome; and, while the job forms, the count at the join and at most 64 times more.
    let most = 3 * usize::from(size) * (4 + 1 + 64);

    let messages = crowd.form();
    assert!(messages <= most, "{messages} messages to form");
    assert_eq!(crowd.admissions(), expected);
    let welcomed = |crowd: &Crowd, client| {
        let welcome = crowd.net.welcome(client).expect("everyone is welcome");
        (welcome.workers, welcome.shards.len(), welcome.below.len())
    };
    assert!(crowd.clients.iter().all(|&client| welcomed(&crowd, client) == (size, 1, 0)));

    // All leave after the same call: each is told of one leave at most, and says one, on each
    // connection.
    let before = crowd.net.messages;
    for &client in &crowd.clients {
        crowd.net.say(client, Message::Leave { calls: 5 });
    }
    crowd.net.settle();
    let messages = crowd.net.messages - before;
    assert!(messages <= 3 * usize::from(size) * 2, "{messages} messages to leave");
    assert!(crowd.is_forgotten());

    crowd.form();
    let lost = crowd.clients[1234];
    crowd.net.hang_up(lost);
    crowd.net.settle();
    for client in crowd.clients.iter().filter(|client| **client != lost) {
        assert_eq!(
            *crowd.net.failure(*client),
            Failure::WorkerLost { rank: 1234, why: Loss::Closed }
        );
    }
    assert!(crowd.is_forgotten());

    crowd.form();
    let rack = crowd.homes[50];
    crowd.net.kill(rack);
    crowd.net.settle();
    for (&client, _) in crowd.clients.iter().zip(&crowd.homes).filter(|(_, home)| **home != rack) {
        let failure = crowd.net.failure(client);
        let named = |rank: u16| crowd.homes[usize::from(rank)] == rack;
        assert!(
            matches!(failure, Failure::WorkerLost { rank, why: Loss::SwitchGone { switch } } if named(*rank) && *switch == (ip(rack), 5555).into()),
            "{failure}"
        );
    }
    crowd.net.nodes[rack].plane.admitted.clear();
    assert!(crowd.is_forgotten());
}

/// R-CTRL-2, R-CTRL-4: heartbeats keep a large job that idles, and a worker that is silent is named
/// to all.
#[test]
fn a_large_job_idles_and_notices_silence() {
    let mut crowd = Crowd::new(&three_layers(9), 1200);
    crowd.form();
    crowd.net.advance(2 * TIMEOUT_MS * 1000, &crowd.clients);
    assert!(crowd.clients.iter().all(|&client| !crowd.net.clients[client].closed));
    let silent = crowd.clients.remove(700);
    crowd.net.advance(2 * TIMEOUT_MS * 1000, &crowd.clients);
    for &client in &crowd.clients {
        assert!(matches!(
            crowd.net.failure(client),
            Failure::WorkerLost { rank: 700, why: Loss::Silent { .. } }
        ));
    }
    assert!(crowd.net.clients[silent].closed && crowd.is_forgotten());
}

/// R-CTRL-2: as many workers as a job can have, 1024 at each of 32 racks (but one less in all).
#[test]
#[ignore = "takes a while; `make soak` runs it"]
fn the_largest_job_runs() {
    let switches: Vec<_> = [(None, 1)].into_iter().chain([(Some(0), 1); 32]).collect();
    let size = netfold_num::MAX_WORKERS;
    let mut crowd = Crowd::new(&switches, size);
    crowd.form();
    let admissions = crowd.admissions();
    assert_eq!((admissions[0], admissions.iter().skip(1).sum::<usize>()), (32, usize::from(size)));
    for &client in &crowd.clients {
        crowd.net.say(client, Message::Leave { calls: 5 });
    }
    crowd.net.settle();
    assert!(crowd.is_forgotten());
}

/// R-CTRL-2: whichever switch would have too many members is named to all, and a tree with room
/// takes the job.
#[test]
fn a_switch_with_too_many_members_is_named() {
    let limits = || Limits { members: 3, ..Limits::default() };
    let root = |net: &mut Net| {
        net.nodes[0].management = Some(Box::new(Registry::new(limits(), shards(0, 1), vec![])))
    };
    // Four workers at the root alone; at a rack; and, of four racks, two below another.
    let flat = [(None, 1)];
    let rack = [(None, 1), (Some(0), 1)];
    let crowded: [(&[_], _, _); 2] =
        [(&flat, None, "the switch without a parent"), (&rack, Some(1), "10.1.0.1:5555")];
    for (switches, node, named) in crowded {
        let mut crowd = Crowd::new(switches, 4);
        root(&mut crowd.net);
        crowd.form();
        for &client in &crowd.clients {
            let refusal = crowd.net.refusal(client);
            let (job, switch) = ("job".to_owned(), node.map(|node| (ip(node), 5555).into()));
            assert_eq!(*refusal, Refusal::TooManyMembers { job, switch, members: 4, limit: 3 });
            let text = refusal.to_string();
            assert!(text.contains(named) && text.contains("start switches below it"), "{text}");
        }
        assert!(crowd.is_forgotten());
    }
    let roomy = [(None, 1), (Some(0), 1), (Some(0), 1), (Some(1), 1), (Some(1), 1)];
    let mut crowd = Crowd::new(&roomy, 9);
    root(&mut crowd.net);
    crowd.form();
    assert_eq!(crowd.admissions(), [2, 2, 3, 3, 3]);
}
