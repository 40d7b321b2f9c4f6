//! Servers of tables, as whoever drives them sees them.

mod cluster;
mod driver;
mod exactly_once;
mod going;
mod leaving;
mod lists;
mod moving;
mod rates;
mod refusals;
mod switch;
mod worker;
