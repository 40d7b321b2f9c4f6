//! Workers and servers of sparse tables over loopback.

mod cold;
mod refused;
mod support;
