//! Calls of the library over real communicators, beside sums that are made without it.

mod calls;
mod examples;
mod fused;
mod handles;
mod members;
mod operation_trees;
mod operations;
mod refusals;
mod state;
mod support;
