//! `netfold op build`: sources become modules, by compilers that are installed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, io};

use crate::error::Error;

/// The header that operations in C include.
const HEADER: &str = include_str!("../../../../examples/ops/netfold_op.h");

/// Bytes of the stack that a module has in its own memory.
const STACK_BYTES: u32 = 16 * 1024;

/// Names under which LLVM's linker is installed, the ones of Debian's versions last.
const LINKERS: [&str; 10] = [
    "wasm-ld",
    "wasm-ld-22",
    "wasm-ld-21",
    "wasm-ld-20",
    "wasm-ld-19",
    "wasm-ld-18",
    "wasm-ld-17",
    "wasm-ld-16",
    "wasm-ld-15",
    "wasm-ld-14",
];

const TARGET: &str = "wasm32-unknown-unknown";

const NO_CLANG: &str =
    "clang is not on the path; on Debian or Ubuntu: sudo apt-get install clang lld";
const NO_LINKER: &str = "wasm-ld is neither on the path nor part of the Rust that is installed; on Debian or Ubuntu: sudo apt-get install lld";
const NO_RUST: &str = "rustc is not on the path; install Rust with rustup (https://rustup.rs)";
const NO_TARGET: &str =
    "the Rust that is installed has no WebAssembly; rustup target add wasm32-unknown-unknown";

/// Compiles a source to a module.
pub(super) fn build(source: &Path, out: &Path) -> Result<(), Error> {
    if let Err(error) = fs::metadata(source) {
        return Err(Error::File { what: "the source", path: source.into(), source: error });
    }
    match source.extension().and_then(OsStr::to_str) {
        Some("c") => from_c(source, out),
        Some("rs") => from_rust(source, out),
        _ => Err(Error::Usage(format!("{} is neither C (.c) nor Rust (.rs)", source.display()))),
    }
}

fn from_c(source: &Path, out: &Path) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(Error::system("a temporary folder"))?;
    let object = folder.path().join("operation.o");
    let header = folder.path().join("netfold_op.h");
    fs::write(&header, HEADER).map_err(Error::system("a temporary file"))?;
    let mut clang = Command::new("clang");
    clang
        .args(["--target=wasm32", "-O3", "-msimd128", "-ffreestanding", "-Wall"])
        // Copies of whole structs are instructions; otherwise clang calls a function for them.
        .args(["-mbulk-memory", "-c", "-I"])
        .args([folder.path(), Path::new("-o"), &object, source]);
    done(&mut clang, NO_CLANG)?;
    let mut linker = Command::new(linker()?);
    linker
        .args(["--no-entry", "--strip-all", "-z"])
        .arg(format!("stack-size={STACK_BYTES}"))
        .args([Path::new("-o"), out, &object]);
    done(&mut linker, NO_LINKER)?;
    Ok(())
}

fn from_rust(source: &Path, out: &Path) -> Result<(), Error> {
    let mut question = Command::new("rustc");
    question.args(["--print", "target-libdir", "--target", TARGET]);
    let libraries = line(&done(&mut question, NO_RUST)?);
    if !Path::new(&libraries).is_dir() {
        return Err(Error::Build(NO_TARGET.into()));
    }
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--crate-type", "cdylib", "--edition", "2024", "--target", TARGET])
        .args(["-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols"])
        .args(["-C", "target-feature=+simd128", "-C"])
        .arg(format!("link-arg=-zstack-size={STACK_BYTES}"))
        .args([Path::new("-o"), out, source]);
    done(&mut rustc, NO_RUST)?;
    Ok(())
}

/// LLVM's linker for WebAssembly: one on the path, or the one that Rust brings along.
fn linker() -> Result<PathBuf, Error> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let installed = LINKERS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file());
    if let Some(installed) = installed {
        return Ok(installed);
    }
    let mut question = Command::new("rustc");
    question.args(["--print", "target-libdir"]);
    let libraries = line(&done(&mut question, NO_LINKER)?);
    let own = Path::new(&libraries).with_file_name("bin").join("gcc-ld/wasm-ld");
    if own.is_file() { Ok(own) } else { Err(Error::Build(NO_LINKER.into())) }
}

/// The first line of what a program has written.
fn line(output: &Output) -> OsString {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().unwrap_or_default().into()
}

/// Runs a tool to its end; `missing` says what to install if there is no such tool.
fn done(tool: &mut Command, missing: &str) -> Result<Output, Error> {
    let output = tool.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Build(missing.into()),
        _ => Error::Build(format!("{}: {error}", tool.get_program().display())),
    })?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Error::Build(format!("{} failed:\n{}", tool.get_program().display(), said.trim_end())))
}
