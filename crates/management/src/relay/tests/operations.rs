//! Operations of users in trees of switches: R-OP-26, R-OP-40.

use netfold_switch::TrapCause;
use proptest::prelude::*;

use super::placing::{Plan, admitted_names, plans};
use super::*;
use crate::Cause;
use crate::operations::claimed::Claimed;

impl Plan {
    /// The switches below others that fold a part of the operands.
    fn folding_leaves(&self) -> impl Iterator<Item = Vec<usize>> {
        let all = self.workers.len();
        let below = |node| self.below(node).into_iter().collect::<Vec<_>>();
        (1..self.switches.len()).map(below).filter(move |ranks| (2..all).contains(&ranks.len()))
    }

    /// R-OP-13
    fn is_allowed(&self) -> bool {
        match self.claimed {
            None | Some(Claimed::Both) => true,
            Some(Claimed::Associative) => self
                .folding_leaves()
                .all(|ranks| ranks[ranks.len() - 1] - ranks[0] == ranks.len() - 1),
            Some(Claimed::Nothing) => self.folding_leaves().next().is_none(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every switch of the tree has the operation, wherever it may be folded; where it may not,
    /// every worker hears why, and no switch has the job.
    #[test]
    fn operations_are_folded_where_they_may_be(
        plan in plans(), claimed in prop::sample::select(Claimed::ALL.to_vec()),
    ) {
        let plan = Plan { claimed: Some(claimed), ..plan };
        let (net, clients) = plan.run();
        if !plan.is_allowed() {
            for &client in &clients {
                let refusal = net.refusal(client);
                let named = match claimed {
                    Claimed::Nothing => matches!(refusal, Refusal::NotAssociative { .. }),
                    _ => matches!(refusal, Refusal::NotConsecutive { .. }),
                };
                prop_assert!(named, "{}", refusal);
                prop_assert!(refusal.to_string().contains("\"mock\""), "{}", refusal);
            }
            prop_assert!(net.nodes.iter().all(|node| node.plane.admitted.is_empty()));
            return Ok(());
        }
        let job = net.welcome(clients[0]).expect("the job runs").job;
        for (rank, &client) in clients.iter().enumerate() {
            let welcome = net.welcome(client).expect("everyone is welcome");
            let with = welcome.host.as_ref().map_or(rank, |group| usize::from(group.leader));
            prop_assert_eq!(with, plan.leader(rank));
        }
        for (node, switch) in net.nodes.iter().enumerate() {
            let Some(admission) = switch.plane.admitted.get(&job) else { continue };
            prop_assert_eq!(admitted_names(admission), plan.names(node));
            prop_assert_eq!(admission.operations.len(), 1);
            prop_assert_eq!(admission.operations[0].is_associative(), claimed != Claimed::Nothing);
        }
    }
}

/// A tree of three levels: the root, a switch below it, and one below that.
fn tower() -> Net {
    Net::new(7, &[(None, 2), (Some(0), 2), (Some(1), 2)], &[])
}

fn with(rank: u16, size: u16, number: u8) -> Join {
    let operations = vec![Claimed::Both.brought(number)];
    Join { operations, ..join("job", rank, size) }
}

/// R-OP-40: each switch on the way has its own policy, and says that it was itself.
#[test]
fn the_switch_that_refuses_an_operation_names_itself() {
    for node in [1, 2] {
        let mut net = tower();
        let client = net.join(2, with(0, 1, node));
        net.settle();
        let refusal = net.refusal(client);
        let Refusal::OperationAt { switch, reason } = refusal else { panic!("{refusal}") };
        assert_eq!(switch.ip(), ip(node.into()));
        assert!(reason.contains("it is not wanted here"), "{reason}");
        let client = net.join(2, with(0, 1, 3));
        net.settle();
        assert!(net.welcome(client).is_some(), "another is taken");
    }
}

/// R-OP-40, R-OP-41: every switch on the way may take its time, far longer than a guest has to
/// join.
#[test]
fn switches_wait_while_others_admit_operations() {
    let mut net = tower();
    net.loads = Some(VecDeque::new());
    let client = net.join(2, with(0, 1, 9));
    net.settle();
    for switch in [2, 1, 0] {
        net.advance(4 * Limits::default().handshake.as_micros() as u64, &[client]);
        assert!(!net.clients[client].closed, "while switch {switch} admits it");
        assert_eq!(net.load(), Some(switch));
    }
    assert!(net.welcome(client).is_some(), "the job runs");
}

/// R-OP-29: the switch that had to stop an operation keeps that in mind, and so does the root. Both
/// tell of the trap when the job has ended (R-OP-45).
#[test]
fn a_trap_is_known_where_it_was_and_at_the_root() {
    let mut net = Net::new(7, &[(None, 2), (Some(0), 2), (Some(0), 2)], &[]);
    let homes = [1, 1, 2];
    let clients: Vec<_> =
        (0..3).map(|rank| net.join(homes[rank], with(rank as u16, 3, 5))).collect();
    net.settle();
    let welcome = net.welcome(clients[0]).expect("the job runs").clone();
    let cause = Cause::Trap { rank: 1, operation: 0, why: TrapCause::Time };
    let (job, epoch) = (welcome.job, welcome.epoch);
    net.incident(1, Incident { job, epoch, position: 4, slot: 0, shard: 0, cause });
    net.settle();
    let hash = |number: u8| {
        let mut hash = [0; 32];
        hash[1] = number;
        hash
    };
    let known: Vec<usize> =
        (0..3).filter(|node| !net.loaders[*node].trapped.lock().unwrap().is_empty()).collect();
    assert_eq!(known, [0, 1]);
    assert_eq!(*net.loaders[1].trapped.lock().unwrap(), [(hash(5), TrapCause::Time)]);
    let told = net.nodes.iter_mut().map(|node| {
        let stats = node.management.as_ref().expect("it runs").stats(&mut node.plane);
        stats.operations.iter().filter(|of| of.ended).map(|of| of.traps).collect::<Vec<_>>()
    });
    assert_eq!(told.collect::<Vec<_>>(), [vec![1], vec![1], vec![]]);
}
