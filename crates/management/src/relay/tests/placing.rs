//! The standing of each switch in a job: R-TREE-1, R-CTRL-14 to 17, on random trees, against a
//! computation from the tree itself.

use std::collections::BTreeSet;

use netfold_switch::{Leaf, TableTree};
use netfold_wire::WorkerId;
use proptest::prelude::*;

use super::*;
use crate::Admission;
use crate::operations::claimed::Claimed;
use crate::terms::{NamedTable, NamedTerms};

/// A tree and a job on it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// For each switch its parent, and its shards.
    pub(super) switches: Vec<(Option<usize>, u16)>,
    /// For each worker its switch, and its host if it shares memory there.
    pub(super) workers: Vec<(usize, Option<u64>)>,
    /// Claims of the operation that the workers bring along, if they do.
    pub(super) claimed: Option<Claimed>,
    pub(super) seed: u64,
}

impl Plan {
    /// The switches from a worker's to the root.
    fn way(&self, worker: usize) -> Vec<usize> {
        let mut way = vec![self.workers[worker].0];
        while let Some(parent) = self.switches[*way.last().unwrap()].0 {
            way.push(parent);
        }
        way
    }

    pub(super) fn below(&self, node: usize) -> BTreeSet<usize> {
        (0..self.workers.len()).filter(|&worker| self.way(worker).contains(&node)).collect()
    }

    /// The worker that sends for this one on its host.
    pub(super) fn leader(&self, worker: usize) -> usize {
        let (home, host) = self.workers[worker];
        let with = |other: usize| host.is_some() && self.workers[other] == (home, host);
        let all = || 0..self.workers.len();
        match self.claimed {
            None | Some(Claimed::Both) => {
                all().find(|&other| other == worker || with(other)).unwrap()
            }
            Some(Claimed::Associative) => (0..=worker)
                .rev()
                .take_while(|&other| other == worker || with(other))
                .last()
                .unwrap(),
            Some(Claimed::Nothing) if all().all(with) => 0,
            Some(Claimed::Nothing) => worker,
        }
    }

    /// For each rank below a switch the name of the member that stands for it there.
    pub(super) fn names(&self, node: usize) -> BTreeMap<u16, u16> {
        let below = self.below(node);
        let name = |worker: usize| {
            let way = self.way(worker);
            match way.iter().position(|on| *on == node).unwrap() {
                0 => self.leader(worker),
                at => *self.below(way[at - 1]).first().unwrap(),
            }
        };
        below.iter().map(|&worker| (worker as u16, name(worker) as u16)).collect()
    }

    /// R-KEY-17: the place of a switch in the job's table.
    fn table_tree(&self, node: usize) -> TableTree {
        let below = (0..self.switches.len()).filter(|below| self.switches[*below].0 == Some(node));
        let workers = |below| self.below(below).iter().map(|rank| WorkerId(*rank as u16)).collect();
        let workers: Vec<Vec<WorkerId>> = below.map(workers).collect();
        let mut leaves: Vec<Leaf> = workers
            .into_iter()
            .filter_map(|workers| Some(Leaf { name: *workers.first()?, workers }))
            .collect();
        leaves.sort_by_key(|leaf| leaf.name);
        TableTree { leaves, has_parent: self.depth(node) > self.depth(self.top()) }
    }

    fn flows(&self) -> u16 {
        let shards = (0..self.workers.len())
            .flat_map(|worker| self.way(worker))
            .map(|node| self.switches[node].1);
        shards.min().unwrap()
    }

    /// The switch whose results are the job's: the lowest that has all workers below it.
    fn top(&self) -> usize {
        (0..self.switches.len())
            .filter(|&node| self.below(node).len() == self.workers.len())
            .max_by_key(|&node| self.depth(node))
            .unwrap()
    }

    fn depth(&self, node: usize) -> usize {
        self.switches[node].0.map_or(0, |parent| 1 + self.depth(parent))
    }

    fn on_one_host(&self) -> bool {
        self.workers.len() > 1 && (0..self.workers.len()).all(|worker| self.leader(worker) == 0)
    }

    /// Runs the job: the net and the clients of its workers.
    pub(super) fn run(&self) -> (Net, Vec<usize>) {
        let mut net = Net::new(self.seed, &self.switches, &[]);
        let clients: Vec<_> = (0..)
            .zip(&self.workers)
            .map(|(rank, (home, _))| net.connect(*home, worker_ip(rank)))
            .collect();
        net.settle();
        for (rank, &client) in (0u16..).zip(&clients) {
            let offer = |id| HostOffer { id, memory_server: format!("server-{rank}") };
            let shards = net.clients[client].heard.iter().find_map(|message| match message {
                Message::Hello { shards, shared_memory: None, .. } => Some(*shards),
                _ => None,
            });
            let shards = shards.expect("a switch says hello");
            assert_eq!(
                shards,
                self.way(rank.into()).iter().map(|&node| self.switches[node].1).min().unwrap()
            );
            let own = Join {
                udp_ports: (0..shards).map(|shard| 5000 + 100 * shard + rank).collect(),
                host: self.workers[usize::from(rank)].1.map(offer),
                operations: self.claimed.iter().map(|claimed| claimed.brought(0)).collect(),
                terms: NamedTerms { table: Some(table()), ..NamedTerms::default() },
                ..join("job", rank, self.workers.len() as u16)
            };
            net.say(client, Message::Join(own.into()));
        }
        net.settle();
        (net, clients)
    }
}

pub(super) fn plans() -> impl Strategy<Value = Plan> {
    let switches = prop::collection::vec((any::<prop::sample::Index>(), 1..4u16), 1..7);
    let workers =
        prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(0..2u64)), 1..9);
    (switches, workers, any::<u64>()).prop_map(|(drawn, homes, seed)| {
        let mut switches: Vec<(Option<usize>, u16)> = Vec::new();
        for (index, (parent, shards)) in drawn.iter().enumerate() {
            // At most three below each other.
            let depth = |mut node: usize| {
                let mut depth = 0;
                while let Some(parent) = switches[node].0 {
                    (node, depth) = (parent, depth + 1);
                }
                depth
            };
            let parents: Vec<usize> = (0..index).filter(|&node| depth(node) < 2).collect();
            let parent = (index > 0).then(|| parents[parent.index(parents.len())]);
            switches.push((parent, *shards));
        }
        let workers =
            homes.iter().map(|(home, host)| (home.index(switches.len()), *host)).collect();
        Plan { switches, workers, claimed: None, seed }
    })
}

fn table() -> NamedTable {
    NamedTable { rows: 9, width: 2, element_type: "i32".into(), resident: false }
}

/// Names by rank, as a switch's data plane is told of them.
pub(super) fn admitted_names(admission: &Admission) -> BTreeMap<u16, u16> {
    admission
        .members
        .iter()
        .flat_map(|member| member.ranks.iter().map(|rank| (*rank, member.rank)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every switch gets the place that the tree says, and every worker hears of its own switch and
    /// of nobody else's.
    #[test]
    fn every_switch_stands_where_the_tree_says(plan in plans()) {
        let (net, clients) = plan.run();
        let (top, flows) = (plan.top(), plan.flows());
        let first = net.welcome(clients[0]).expect("the job runs");
        for (rank, &client) in clients.iter().enumerate() {
            let welcome = net.welcome(client).expect("everyone is welcome");
            prop_assert_eq!((welcome.job, welcome.epoch, welcome.all_slots()), (first.job, first.epoch, first.all_slots()));
            prop_assert_eq!(&welcome.shards, &shards(plan.workers[rank].0, flows));
            prop_assert!(welcome.below.is_empty() && welcome.ticket.is_none());
            let with = welcome.host.as_ref().map_or(rank, |group| usize::from(group.leader));
            prop_assert_eq!(with, plan.leader(rank));
            prop_assert_eq!(welcome.has_one_host(), plan.on_one_host());
            // R-KEY-17
            let table_top = (plan.workers[rank].0 != top).then(|| shards(top, flows)[0]);
            prop_assert_eq!(welcome.table_top, table_top);
        }
        for node in 0..plan.switches.len() {
            let admission = net.nodes[node].plane.admitted.get(&first.job);
            let names = plan.names(node);
            prop_assert_eq!(admission.is_some(), node == 0 || !names.is_empty());
            let Some(admission) = admission else { continue };
            prop_assert_eq!(admitted_names(admission), names);
            prop_assert_eq!((admission.epoch, admission.slots, admission.flows), (first.epoch, first.all_slots(), flows));
            let above_top = node != top && plan.way(0).contains(&node) && plan.depth(node) < plan.depth(top);
            prop_assert_eq!(admission.elsewhere, above_top || plan.on_one_host(), "switch {}", node);
            let table = admission.table().map(|table| table.tree);
            prop_assert_eq!(table, (!above_top).then(|| plan.table_tree(node)), "switch {}", node);
            let below_top = plan.depth(node) > plan.depth(top);
            let parent = admission.parent.as_ref().map(|parent| (parent.name, parent.shards.clone()));
            let expected = below_top.then(|| {
                let name = *plan.below(node).first().unwrap() as u16;
                (name, shards(plan.switches[node].0.unwrap(), flows))
            });
            prop_assert_eq!(parent, expected, "switch {}", node);
            for member in &admission.members {
                let worker = usize::from(member.rank);
                let way = plan.way(worker);
                let addresses: Vec<SocketAddr> = match way.iter().position(|on| *on == node).unwrap() {
                    0 => (0..flows).map(|flow| (worker_ip(member.rank), 5000 + 100 * flow + member.rank).into()).collect(),
                    at => shards(way[at - 1], flows),
                };
                prop_assert_eq!(&member.addresses, &addresses);
            }
        }
    }

    /// However a job ends, every switch lets go of it, and a worker that has not left is told once.
    #[test]
    fn however_a_job_ends_nothing_stays_behind(plan in plans(), how in 0..4u8, who in any::<prop::sample::Index>()) {
        let (mut net, clients) = plan.run();
        let (victim, last) = (who.index(clients.len()), plan.switches.len() - 1);
        let mut told: Vec<usize> = (0..clients.len()).collect();
        match how {
            // All leave.
            0 => {
                clients.iter().for_each(|client| net.say(*client, Message::Leave { calls: 3 }));
                told.clear();
            }
            // One is lost, and the others hear which.
            1 => {
                net.hang_up(clients[victim]);
                told.retain(|rank| *rank != victim);
            }
            // A switch is lost: its workers cannot be told, all others are.
            2 => {
                net.kill(last);
                told.retain(|rank| plan.workers[*rank].0 != last);
                if plan.below(last).is_empty() {
                    told.clear();
                }
            }
            // The root stops.
            _ => {
                let Node { management: Some(management), plane, .. } = &mut net.nodes[0] else { unreachable!() };
                management.stop(plane);
                net.drain(0);
            }
        }
        net.settle();
        for &rank in &told {
            let failure = net.failure(clients[rank]);
            match how {
                1 => prop_assert_eq!(failure, &Failure::WorkerLost { rank: victim as u16, why: Loss::Closed }),
                2 if last > 0 => {
                    let named = matches!(failure, Failure::WorkerLost { rank, why: Loss::SwitchGone { .. } } if plan.below(last).contains(&usize::from(*rank)));
                    prop_assert!(named, "{}", failure);
                }
                2 => prop_assert!(matches!(failure, Failure::ParentLost { .. }), "{}", failure),
                _ => prop_assert_eq!(failure, &Failure::SwitchStopping),
            }
        }
        let runs_on = how == 2 && plan.below(last).is_empty();
        for (node, switch) in net.nodes.iter().enumerate().filter(|(_, switch)| switch.management.is_some()) {
            let held = !switch.plane.admitted.is_empty();
            prop_assert_eq!(held, runs_on && (node == 0 || !plan.below(node).is_empty()), "switch {}", node);
            if !runs_on {
                prop_assert_eq!(switch.management.as_ref().unwrap().poll_timeout(), None);
            }
        }
    }
}
