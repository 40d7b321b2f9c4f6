//! Jobs over real sockets on loopback and through shared memory.

mod arithmetic;
mod endings;
mod loopback;
mod many;
mod mismatch;
mod priority;
mod queries;
mod subgroups;
mod support;
mod tables;
mod times;
