//! Going on without workers that are lost (R-RES-8, R-RES-9).

use std::sync::Arc;

use netfold_control::{Ending, Failure, FlowRounds, JoinRequest, Onward, Regroup, Resume};
use tracing::info;

use super::absence::{answered, missing};
use super::inner::Inner;
use super::lock;
use super::resume::Begun;
use crate::error::Error;
use crate::flow::Command;

impl Inner {
    pub(super) fn regroup(self: &Arc<Self>, ending: &Ending) -> Result<(), Error> {
        match ending {
            Ending::Failed(Failure::WorkerLost { rank, .. }) => self.regroup_without(ending, vec![*rank]),
            _ => Err(self.error_of(ending.clone())),
        }
    }

    /// Goes on without `lost`, and without those that do not come: ranks in the life that has ended.
    pub(super) fn regroup_without(self: &Arc<Self>, ending: &Ending, mut lost: Vec<u16>) -> Result<(), Error> {
        let before = self.life();
        let why = self.error_of(ending.clone()).to_string();
        // From here on nobody makes a call until it is known who is left: it would be counted by some and not by others.
        lock(&self.absence).away = Some(Onward::Workers);
        let regroup = {
            // A call is in the order and has its ticket under this lock.
            let calls = lock(&self.calls);
            Regroup { made: calls.made(), idle: self.tickets.all_done() }
        };
        let mut roster = lock(&self.roster);
        roster.made(regroup.made);
        let flows = self.flows.iter().map(|_| FlowRounds::new([])).collect();
        let brought = Resume { epoch: before.welcome.epoch, flows, regroup: Some(regroup) };
        let (found, request) = loop {
            let all = before.welcome.workers;
            let survivors: Vec<u16> = (0..all).filter(|rank| !lost.contains(rank)).collect();
            let majority = is_majority(&survivors, all);
            if ending.is_of_a_switch() && !majority {
                let few = format!(
                    "{} of its {all} workers are left; after the loss of a switch only a majority goes on, so that no two parts of a job do",
                    survivors.len()
                );
                return Err(Error::io("the job cannot go on")(std::io::Error::other(few)));
            }
            let rank = survivors.iter().take_while(|rank| **rank < before.request.rank).count() as u16;
            let size = survivors.len() as u16;
            let request = JoinRequest { rank, size, ..before.request.again(&before.welcome, brought.clone()) };
            match self.find_switch(|failover, now_us| failover.again(now_us, majority), &request) {
                Ok(found) => break (found, request),
                Err(error) => match missing(&error) {
                    Some(absent) => {
                        let absent = absent.iter().filter_map(|rank| survivors.get(usize::from(*rank)));
                        lost.extend(absent);
                    }
                    None => return Err(error),
                },
            }
        };
        roster.lose(&lost);
        let Begun { life, links, configs } = self.begin(found, &request)?;
        let (first, workers) = (life.welcome.first_call, life.welcome.workers);
        roster.tell(regroup);
        let error = Error::Regrouped { why, lost: roster.lost(), rank: request.rank, workers };
        lock(&self.calls).skip_to(first, error.clone());
        for ((flow, config), link) in self.flows.iter().zip(configs).zip(links) {
            let (urgent_slots, error) = (life.welcome.urgent_slots, error.clone());
            answered(flow.ask(|reply| Command::Restart { config, urgent_slots, link, error, reply }))?;
        }
        info!(workers, rank = request.rank, "the job goes on");
        Ok(())
    }
}

/// Whether these are more than the others of the life: more workers, or half of them with the first.
fn is_majority(survivors: &[u16], all: u16) -> bool {
    let others = usize::from(all) - survivors.len();
    survivors.len() > others || survivors.len() == others && survivors.first() == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of any two parts that have no worker in common one is more at most, and of a part and the rest exactly one.
    #[test]
    fn one_part_is_more_than_the_rest() {
        for all in 1..=8u16 {
            for chosen in 0u16..1 << all {
                let (part, rest): (Vec<u16>, Vec<u16>) = (0..all).partition(|rank| chosen >> rank & 1 == 1);
                assert_ne!(is_majority(&part, all), is_majority(&rest, all), "{part:?} and {rest:?}");
            }
        }
    }
}
