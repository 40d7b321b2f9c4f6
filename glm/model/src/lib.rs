//! Generalized linear models whose features are split over workers: the engine of P4SGD (TPDS
//! 2023).
//!
//! Worker m has features m of every sample and that part of the model. For each micro-batch of a
//! mini-batch it computes partial activations, one number a sample, has them folded with the
//! others' through an [`Exchange`], and goes back with the sums (algorithm 1). What is exchanged
//! does not grow with the model. The rules are those of `spec/glm.md`, which the code quotes
//! (R-GLM-13).
//!
//! It opens no file and no socket: samples are borrowed slices ([`Samples`]), the exchange is a
//! trait, and a [`Model`] goes through `Read` and `Write`. It refuses samples with NaN or
//! infinities, and targets that do not suit the loss, before it begins. It ends with an error where
//! a model stops being finite or an exact sum does not fit its lane, and leaves the model as it is
//! then.
//!
//! Open [`Trainer`] first; then [`Config`] for what can be chosen, [`Data`] for the ways in which
//! samples are held, and [`Exchange`] for how workers meet.
//!
//! ```
//! use netfold_glm::{Alone, Config, Data, Dense, Loss, Precision, Samples, Targets, Trainer};
//! use std::ops::ControlFlow;
//!
//! let values = [0.0, 1.0, 1.0, 0.0, 0.1, 0.9, 0.8, 0.2];
//! let samples = Samples::Dense(Dense::new(&values, 2)?);
//! let targets = Targets::classes(&[0, 1, 0, 1], 2)?;
//! let data = Data::new(samples, Precision::Full, 1)?;
//! let mut trainer = Trainer::new(Config { loss: Loss::Logistic, ..Config::default() }, &data, &targets, Alone)?;
//! trainer.fit(&data, &targets, |_| ControlFlow::Continue(()))?;
//! let model = trainer.model()?;
//! assert_eq!(model.labels(&model.decision(samples)?), [0, 1, 0, 1]);
//! # Ok::<(), netfold_glm::Error>(())
//! ```
#![forbid(unsafe_code)]

mod agree;
mod arithmetic;
mod config;
mod data;
mod data_parallel;
mod error;
mod exchange;
mod loss;
mod model;
mod order;
mod partition;
mod pipeline;
mod rate;
mod samples;
mod spin;
mod targets;
mod trace;
mod trainer;

pub use config::{Arithmetic, Config, Penalty, Spread, Stopping};
pub use data::{
    Bytes, Data, Extent, Layout, Precision, Quantisation, Rounding, RowNumbers, Scaling,
};
pub use error::Error;
pub use exchange::{Alone, Collected, Exchange, InProcess, Lane, PeerError, SubmissionId};
pub use loss::Loss;
pub use model::{Decision, FeatureScaling, Model};
pub use partition::{OwnedSamples, Partition};
pub use rate::Rate;
pub use samples::{Csr, Dense, Samples};
pub use targets::Targets;
pub use trace::{Event, FoldTime, Stage, Trace};
pub use trainer::{Epoch, OfChunk, Outcome, Progress, Trainer, Why};
