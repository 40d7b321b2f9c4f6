//! Servers of tables, as whoever drives them sees them.

mod cluster;
mod exactly_once;
mod refusals;
mod switch;
mod worker;
