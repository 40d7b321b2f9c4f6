//! placeholder
#![forbid(unsafe_code)]
use std::ffi::OsString;
/// placeholder
pub fn run(_args: impl IntoIterator<Item = OsString>) -> i32 { 2 }
/// placeholder
pub fn parse_size(text: &str) -> Result<u64, String> { text.trim_end_matches("MiB").parse::<u64>().map(|m| m << 20).map_err(|e| e.to_string()) }
