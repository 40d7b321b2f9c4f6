//! The way of synchronous calls of PyTorch to the communicator, with as little Python as torch
//! allows.
//!
//! Python decides which calls go this way and which reduction they ask for; what it has said once
//! is remembered here. Whatever is unusual goes back to `netfold/torch/group.py`.
//!
//! Open `method.rs` first.

mod direct;
mod dispatch;
mod method;
mod priority;
mod tensor;

pub(crate) use direct::DirectCalls;
pub(crate) use dispatch::Dispatch;
pub(crate) use method::{BoundMethod, Method};
pub(crate) use priority::{choose_priority, chosen_priority};
