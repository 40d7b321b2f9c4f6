//! RoCE packets and the NICs that take them, as the tests of `pisa` have them.

#[path = "../../../crates/pisa/tests/suite/fabric/frame.rs"]
pub mod frame;
#[path = "../../../crates/pisa/tests/suite/fabric/nic.rs"]
pub mod nic;
#[path = "../../../crates/pisa/tests/suite/fabric/read.rs"]
pub mod read;
