//! The switch, driven by hand.

mod acked;
mod admission;
mod effects;
mod exchange;
mod hand;
mod hostile;
mod lent;
mod marks;
mod prefixes;
mod requests;
mod transmit;
mod tree_sums;
mod typed;
