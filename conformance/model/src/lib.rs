//! Every state that worker and switch can reach in small jobs, whatever the network does.
//!
//! A seed draws one run out of very many (`netfold-conformance`). Here all runs of a small [`Job`]
//! are gone through: each state that it can reach, over a network that loses, repeats, delays and
//! reorders as it likes, with timers that fire at any instant, and with workers that make their
//! calls whenever they like. The state machines are the real ones, `netfold_worker::Stream` and
//! `netfold_switch::Shard`; this crate has no rule of the protocol but what it checks.
//!
//! The network is a set to which datagrams are only added. Whatever it holds can be delivered, in
//! any order, any number of times, and need never be: so a run over any network of datagrams is one
//! of those gone through. That a state can be left even if all that is under way is lost is checked
//! for each state by itself ([`Model`], property [`Property::Recovers`]).
//!
//! In an [`Elastic`] job workers are lost, and the others go on without them. There the workers'
//! parts in the job, their connections and the switch's registry are the real ones as well.
//!
//! A [`TableModel`] is a job with a table: workers push, servers read, and switch, servers and
//! workers are lost. There, too, the machines are the real ones: `netfold_worker::keyed::Client`
//! and `Reader`.
//!
//! A [`QueryModel`] is a query: attempts of partitions stream rows past a switch to a master.
//! Attempts and switches are lost, and the machines are the real ones,
//! `netfold_worker::rows::Sender` and `Master`.
//!
//! A search is as good as the faults that it finds: its parts are generic over the switch, and what
//! workers send and receive can be tampered with ([`Tamper`]), so that tests can break a rule and
//! see the search find it.
//!
//! Open [`Job`] first, then [`Model`], [`Elastic`], [`TableModel`] and [`QueryModel`].

#![forbid(unsafe_code)]

mod elastic;
mod host;
mod job;
mod ledger;
mod model;
mod network;
mod operation;
mod queries;
mod recovery;
mod search;
mod state;
mod steps;
mod switch;
mod tables;

pub use elastic::{Elastic, ElasticState, Step, Tampering};
pub use host::Tamper;
pub use job::Job;
pub use ledger::Ledger;
pub use model::{Action, Fault, Model, Property};
pub use network::{Address, Datagram};
pub use queries::{
    QueryDatagram, QueryEnd, QueryJob, QueryModel, QueryRule, QueryState, QueryStep,
};
pub use search::{Counterexample, Explored};
pub use state::State;
pub use switch::{Sent, Switch};
pub use tables::{
    Peer, TableDatagram, TableJob, TableModel, TableRule, TableState, TableStep, TableSwitch,
};
