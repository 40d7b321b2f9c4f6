//! A worker's and a server's side of a job's table (R-KEY): [`Client`] pushes and pulls, [`Reader`]
//! reads generations and loads values. Packets of hot keys for pipelines (R-HOT-7): [`Packer`].

mod client;
mod explore;
mod filling;
mod lanes;
mod packing;
mod pushes;
mod reader;
mod requests;

pub use client::{Client, ClientConfig, ClientCounters, ClientEvent};
pub use explore::{ClientProgress, PushProgress, ReaderProgress};
pub use lanes::Lanes;
pub use packing::{Layout, Packer};
pub use pushes::Kept;
pub use reader::{Generation, Reader, ReaderConfig, ReaderEvent};
