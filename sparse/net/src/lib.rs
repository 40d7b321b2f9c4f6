//! Tables of sparse models over the network: servers that keep rows ([`Server`]), and the client
//! of their workers ([`SparseTable`]).

#![forbid(unsafe_code)]

mod client;
mod connect;
mod error;
mod frame;
mod greeting;
mod hot;
mod member;
mod own_server;
mod planes;
mod query;
mod ranks;
mod server;
mod store;
mod udp;

pub use client::{Pull, SparseTable, TableOptions, TableStats};
pub use error::Error;
pub use hot::{HotReads, HotRows, HotStats, Kept, Lost, Planes, Switches, Waiting};
pub use member::{Member, SwitchOptions};
pub use query::report;
pub use ranks::{RankError, Ranks};
pub use server::{Server, ServerOptions};
pub use store::FileStore;
pub use udp::UdpSwitches;
