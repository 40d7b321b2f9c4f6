//! Workers and servers of sparse tables over loopback.

mod cold;
mod dropped;
mod hot;
mod lists;
mod planes;
mod refused;
mod support;
mod trees;
mod types;
