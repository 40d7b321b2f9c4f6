//! Operations from outside: what is admitted, what is refused, what is stopped.

mod claims;
mod codec;
mod folds;
mod hostile;
mod mutants;
mod sections;
mod seeds;
mod support;
