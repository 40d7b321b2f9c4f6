//! The cases against every form of the switch, and whole jobs from seeds.

mod acked;
mod in_process;
mod pipeline;
mod priority;
mod rack;
mod scenarios;
mod sharing;
mod swarm;
mod tables;
mod tree;
mod udp;
