//! Queries whose rows pass through the switch: DataFusion's optimizer gets a rule, and its plans
//! an exchange (FPISA, section 6; Cheetah, SIGMOD 2020).
//!
//! Workers scan and filter, the switch prunes or adds the rows that they send, and the master,
//! which is DataFusion, does the rest. Any program that embeds DataFusion gets this from [`state`]:
//!
//! ```no_run
//! # use datafusion::prelude::{SessionConfig, SessionContext};
//! let state = netfold_query::state(SessionConfig::new()).build();
//! let session = SessionContext::new_with_state(state);
//! ```
//!
//! Answers are exact. [`functions`] has the aggregates over floats whose answers depend on the
//! order of rows in DataFusion, and how they are defined here.
//!
//! Open [`SwitchRule`] first, then [`SwitchExchangeExec`]. Rules: R-QRY in spec/query.md.

#![forbid(unsafe_code)]

pub mod cluster;
pub mod data;
mod encode;
mod error;
pub mod exchange;
pub mod functions;
mod options;
mod query;
mod rule;
mod session;

pub use error::Error;
pub use exchange::{Elsewhere, SwitchExchangeExec};
pub use options::Options;
pub use query::{Query, Settings, Stats, Watch};
pub use rule::{RowStatesExec, SwitchRule};
pub use session::{Tables, plain_state, state};
