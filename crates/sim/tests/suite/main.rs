//! Clusters in virtual time.

mod cluster;
mod hardware;
mod managed;
mod peers;
mod plans;
mod standbys;
mod sums;
mod support;
mod tables;
