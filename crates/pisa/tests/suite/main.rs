//! Programs in the checked interpreter, packet by packet beside the software.

mod dice;
mod emitted;
mod fabric;
mod faults;
mod floats;
mod fpisa;
mod libra;
mod loopback;
mod p4sgd;
mod ports;
mod rack;
mod refusals;
mod roce;
mod rows;
mod schedule;
mod sums;
mod switchml;
mod units;
