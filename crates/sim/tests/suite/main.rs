//! Clusters in virtual time.

mod acis;
mod array;
mod cluster;
mod hardware;
mod lent;
mod managed;
mod mpi;
mod peers;
mod plans;
mod replay;
mod standbys;
mod sums;
mod support;
mod tables;
