//! Workers and servers of sparse tables over loopback.

mod cold;
mod dropped;
mod hot;
mod planes;
mod refused;
mod support;
mod trees;
