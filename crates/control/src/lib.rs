//! Drivers of the management plane: sockets, threads and metrics around the machines of
//! `netfold_management` (R-CTRL).
//!
//! [`Server`] runs a switch's [`Management`](netfold_management::Management) behind a listener,
//! [`Session`] a worker's [`Membership`](netfold_management::Membership) on a socket.
//! [`QuerySession`] holds a query at a switch, [`query`] asks a running switch about itself, and
//! [`Metrics`] shows its counters to Prometheus.
//!
//! This crate has no rule of the protocol, sends no datagram and opens no UDP socket.
//!
//! Open [`Server`] first.

#![deny(unsafe_code)]

mod client;
mod link;
mod metrics;
mod queries;
mod server;

pub use client::{Joined, Path, Session, drain, query};
pub use metrics::Metrics;
pub use queries::QuerySession;
pub use server::{IncidentSender, Server, ServerHandle};
