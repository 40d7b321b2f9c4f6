//! Queries through the switch beside the same queries of DataFusion alone.

mod answers;
mod cluster;
mod elsewhere;
mod floats;
mod lost;
mod plans;
mod random;
mod support;
mod use_of_switch;
