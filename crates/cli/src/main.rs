//! The program `netfold`; everything is in the library.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let status = netfold_cli::run(std::env::args_os());
    ExitCode::from(u8::try_from(status).unwrap_or(1))
}
