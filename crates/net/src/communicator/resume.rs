//! The way to another switch when the worker's own is lost (R-RES-2 to 7).

use std::sync::Arc;

use netfold_control::{Ending, FlowRounds, JoinRequest, Replay, Resume};
use netfold_worker::StreamConfig;
use tracing::info;

use super::absence::{Found, answered, missing};
use super::inner::Inner;
use super::life::{Life, timing};
use crate::error::Error;
use crate::flow::Command;
use crate::link::Link;

/// A life of the job that goes on: a way for each flow, and what it is made with.
pub(super) struct Begun {
    pub(super) life: Arc<Life>,
    pub(super) links: Vec<Box<dyn Link + Send>>,
    pub(super) configs: Vec<StreamConfig>,
}

impl Inner {
    pub(super) fn change_switch(self: &Arc<Self>, ending: &Ending, flows: Vec<FlowRounds>) -> Result<(), Error> {
        let before = self.life();
        let resume = Resume { epoch: before.welcome.epoch, flows, regroup: None };
        let request = before.request.again(&before.welcome, resume);
        let found = match self.find_switch(|failover, now_us| failover.lost(now_us, ending), &request) {
            // R-RES-8: others were lost with the switch.
            Err(error) if request.elastic && missing(&error).is_some() => {
                return self.regroup_without(ending, missing(&error).unwrap_or_default().to_vec());
            }
            found => found?,
        };
        let Begun { life, links, configs } = self.begin(found, &request)?;
        for ((flow, config), link) in self.flows.iter().zip(configs).zip(links) {
            let replays = Replay::on_flow(&life.welcome.replays, config.flow);
            let resumed = flow.ask(|reply| Command::Resume { config, replays, link, reply });
            answered(resumed)?.map_err(|error| Error::io("the job cannot go on")(std::io::Error::other(error)))?;
        }
        info!(switch = %life.address, replays = life.welcome.replays.len(), "the job goes on");
        Ok(())
    }

    /// Opens the ways to the slots at the switch that was found, and listens to it.
    pub(super) fn begin(self: &Arc<Self>, found: Found, request: &JoinRequest) -> Result<Begun, Error> {
        let Found { address, sockets, joined } = found;
        let count = self.flows.len() as u16;
        let welcome = joined.welcome().clone();
        // From here on this is the life that the worker comes from, even if it does not come into it.
        let life = Arc::new(Life::new(address, request.clone(), welcome));
        self.set_life(life.clone());
        let on_event = |flow| self.listener.on_event(flow);
        let links = match sockets.links(&joined, request, on_event, &self.listener.on_broken()) {
            Ok(links) => links,
            // Others may have been lost meanwhile, and memory with them.
            Err(error) => return Err(joined.failure().map_or(error, Error::Failed)),
        };
        if links.flows.len() != self.flows.len() {
            let other = format!("the switch gives it {} flows, and it has {count}", links.flows.len());
            return Err(Error::io("the job cannot go on")(std::io::Error::other(other)));
        }
        life.settle(links.host, links.memory);
        let (welcome, timing) = (&life.welcome, timing(&life.welcome));
        let configs = (0..count).map(|flow| request.stream(welcome, flow, count, timing)).collect();
        self.listen(joined)?;
        Ok(Begun { life, links: links.flows, configs })
    }
}
