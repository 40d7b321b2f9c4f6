//! The switch in shared memory: the cases, and workers as threads and as processes.

mod conformance;
mod driver;
mod leaf;
mod meeting;
mod places;
mod processes;
mod quantised;
mod workers;
