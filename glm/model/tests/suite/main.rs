//! The engine against textbooks in f64, closed forms, and itself on other numbers of workers and
//! engines.

mod chunks;
mod exact;
mod extremes;
mod held;
mod inputs;
mod losses;
mod partitions;
mod precision;
mod problems;
mod runs;
mod steps;
mod textbook;
mod workers;
