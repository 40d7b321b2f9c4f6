//! Operations from outside: what is admitted, what is refused, what is stopped.

mod claims;
mod folds;
mod hostile;
mod support;
