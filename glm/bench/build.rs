//! Compiles the few functions of C through which MPI is called, where Open MPI is asked for.

use std::env;
use std::path::PathBuf;
use std::process::Command;

const COMPILER: &str = "mpicc.openmpi";
const SOURCE: &str = "src/mpi.c";

fn main() {
    println!("cargo:rerun-if-changed={SOURCE}");
    if env::var_os("CARGO_FEATURE_OPENMPI").is_none() {
        return;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    let object = folder.join("mpi.o");
    let mut compile = Command::new(COMPILER);
    compile.args(["-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", SOURCE, "-o"]).arg(&object);
    let compiled = compile
        .status()
        .unwrap_or_else(|error| panic!("{COMPILER}: {error}; install libopenmpi-dev"));
    assert!(compiled.success(), "{SOURCE} does not compile");
    println!("cargo:rustc-link-arg={}", object.display());
    for argument in said(&["--showme:link"]) {
        println!("cargo:rustc-link-arg={argument}");
    }
}

/// The words that the compiler answers with.
fn said(question: &[&str]) -> Vec<String> {
    let answer = Command::new(COMPILER).args(question).output().expect("it has just compiled");
    String::from_utf8_lossy(&answer.stdout).split_whitespace().map(str::to_owned).collect()
}
