//! Writes the modules that the target `operation` begins with. What reads their text is built for
//! this alone: without the instrumentation, and without optimisation.
#![forbid(unsafe_code)]

#[path = "../crates/ops/tests/suite/seeds.rs"]
mod seeds;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=../crates/ops/tests/suite/seeds.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    for (number, text) in seeds::SEEDS.iter().enumerate() {
        let module = wat::parse_str(text).expect("a module");
        fs::write(folder.join(format!("seed{number}.wasm")), module).expect("the folder is there");
    }
}
