//! Loops on arrays, from WebAssembly to the last cycle.

mod chains;
mod exact;
mod extraction;
mod kernels;
mod mapping;
mod refusals;
mod running;
