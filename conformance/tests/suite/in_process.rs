//! Every case against the switch in process.

netfold_conformance::conformance_cases!(netfold_conformance::ShardTarget::default());
