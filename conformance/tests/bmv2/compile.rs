//! Every program that is checked in, through the compilers that there are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use netfold_conformance::hardware::bmv2::is_there;
use netfold_pisa::catalog::{COMPILED, COMPILER};

use crate::needs;

/// A compiler with a target, and the programs that are for it.
struct Compiler {
    /// The name of its tests.
    name: &'static str,
    program: &'static str,
    arguments: &'static [&'static str],
    folder: &'static str,
}

const COMPILERS: [Compiler; 3] = [
    Compiler {
        name: "bmv2",
        program: "p4c-bm2-ss",
        arguments: &["--arch", "v1model"],
        folder: "v1model",
    },
    Compiler {
        name: "tofino",
        program: "bf-p4c",
        arguments: &["--target", "tofino", "--arch", "tna"],
        folder: "tna",
    },
    Compiler {
        name: "tofino2",
        program: "bf-p4c",
        arguments: &["--target", "tofino2", "--arch", "t2na"],
        folder: "tna",
    },
];

/// A test for each compiler and program.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../p4");
    COMPILERS
        .iter()
        .flat_map(|compiler| {
            sources(&root.join(compiler.folder)).into_iter().map(|source| trial(compiler, source))
        })
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut sources: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "p4")).collect();
    sources.sort();
    assert!(!sources.is_empty(), "{} has programs", folder.display());
    sources
}

fn trial(compiler: &'static Compiler, source: PathBuf) -> Trial {
    let missing =
        (!is_there(compiler.program)).then(|| format!("{} is not on the path", compiler.program));
    let stem = source.file_stem().unwrap_or_default().display().to_string();
    needs(missing, format!("compiles_for_{}::{stem}", compiler.name), move || {
        compile(compiler, &source, &stem)
    })
}

fn compile(compiler: &Compiler, source: &Path, stem: &str) -> Result<(), Failed> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{stem}", compiler.name));
    let output = Command::new(compiler.program)
        .args(compiler.arguments)
        .arg("-o")
        .arg(&out)
        .arg(source)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    if compiler.folder == "tna" { placement(compiler.name, stem, &out) } else { Ok(()) }
}

/// R-PISA-41: the compiler puts the program in the stages that the report says, if it is the one
/// that the report has them of.
fn placement(target: &str, stem: &str, out: &Path) -> Result<(), Failed> {
    let manifest = fs::read_to_string(out.join("manifest.json"))?;
    if !manifest.contains(&format!("\"compiler_version\": \"{COMPILER} ")) {
        return Ok(());
    }
    let assembly = fs::read_to_string(out.join("pipe").join(format!("{stem}.bfa")))?;
    let stages = |gress: &str| {
        let heads = assembly.lines().filter(|line| line.starts_with("stage "));
        heads.filter(|line| line.ends_with(&format!(" {gress}:"))).count()
    };
    let found = [stages("ingress"), stages("egress")];
    let mut recorded = COMPILED.iter().filter(|one| (one.stem, one.target) == (stem, target));
    let wanted = recorded.next().map(|one| [one.ingress, one.egress]);
    if wanted == Some(found) {
        return Ok(());
    }
    Err(format!("{stem} for {target}: {found:?} stages of ingress and egress, not {wanted:?}")
        .into())
}
