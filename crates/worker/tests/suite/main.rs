//! The worker, driven by hand.

mod acknowledgements;
mod counters;
mod dense;
mod hand;
mod keyed;
mod marks;
mod packets;
mod packing;
mod queries;
mod stream;
mod streams;
mod timing;
