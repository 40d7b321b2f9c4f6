//! United features of the dependencies of the workspace (`Cargo.toml` here says why). No code.

#![forbid(unsafe_code)]
