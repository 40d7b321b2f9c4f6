//! Workers and servers of sparse tables over loopback.

mod cold;
mod hot;
mod refused;
mod support;
