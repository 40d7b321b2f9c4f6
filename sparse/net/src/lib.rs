//! Tables of sparse models over the network: servers that keep rows ([`Server`]), and the client
//! of their workers ([`SparseTable`]).

#![forbid(unsafe_code)]

mod client;
mod connect;
mod error;
mod frame;
mod greeting;
mod hot;
mod ranks;
mod store;

pub use client::{Pull, SparseTable, TableOptions, TableStats};
pub use error::Error;
pub use hot::{HotRows, HotStats, Kept, Lost, Waiting};
pub use ranks::{RankError, Ranks};
pub use store::FileStore;
