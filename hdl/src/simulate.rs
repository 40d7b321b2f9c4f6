//! Runs units through Verilator on the operations of [`vectors`](crate::vectors).

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Output, Stdio};

use crate::units::{ALL, Unit};

/// The reason why units could not be simulated or sized, or the fault that was found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HdlError {
    /// A program is not there.
    #[error(
        "hdl: cannot run {program}: {source}; scripts/hdl.sh installs it as root, or says what to install"
    )]
    Start {
        /// Its name.
        program: String,
        /// The system's error.
        source: io::Error,
    },
    /// A program failed.
    #[error("hdl: {unit}: {program} failed:\n{said}")]
    Failed {
        /// The unit, or what else it was run for.
        unit: String,
        /// Its name.
        program: String,
        /// The end of its output.
        said: String,
    },
    /// A file could not be read or written.
    #[error("hdl: {path}: {source}", path = .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A unit gives a wrong result.
    #[error("hdl: {unit}, seed {seed}: {said}")]
    Differs {
        /// The unit's name.
        unit: String,
        /// The seed that its operations were drawn from.
        seed: u64,
        /// Inputs, the expected result and the result found.
        said: String,
    },
    /// A bench says that it has seen fewer or more operations than it was given.
    #[error("hdl: {unit}: {sent} operations sent, but the bench says: {said}")]
    Count {
        /// The unit's name.
        unit: String,
        /// Number of operations that it was given.
        sent: u64,
        /// Its output.
        said: String,
    },
    /// A broken unit passes.
    #[error("hdl: {0}: no operation shows that it is broken; the bench is blind there")]
    Unnoticed(String),
    /// The text to change in a unit is not there, or is there more than once.
    #[error(
        "hdl: {file}: `{from}` stands there {times} times, not once; bring hdl/src/mutants.rs up to date"
    )]
    NotOnce {
        /// The file.
        file: String,
        /// The text that was looked for.
        from: String,
        /// Number of times that it is there.
        times: usize,
    },
    /// A report of Yosys lacks a part that is looked for.
    #[error("hdl: {unit}: Yosys's report has no {what}; is this a version of another form? See {log}", log = .log.display())]
    Report {
        /// The unit's name.
        unit: String,
        /// The part that is missing.
        what: String,
        /// The report.
        log: PathBuf,
    },
    /// The table in the README does not describe the units.
    #[error(
        "hdl: the table in hdl/README.md is not that of these units; `make hdl` writes it anew. It should be:\n\n{0}"
    )]
    Outdated(String),
}

/// Exit status of a bench that has found a difference (`hdl/common/bench.h`).
const DIFFERS: i32 = 1;

/// Places of the Verilog, and of what is made from it.
#[derive(Clone, Debug)]
pub struct Places {
    /// The folder with the units.
    pub units: PathBuf,
    /// A folder for build products.
    pub build: PathBuf,
}

impl Places {
    /// This checkout, and `hdl` in cargo's target folder.
    pub fn here() -> Self {
        let units = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| units.join("../target"), PathBuf::from);
        Self { build: target.join("hdl"), units }
    }

    /// The gates of a unit, as Verilog.
    pub fn netlist(&self, unit: &Unit) -> PathBuf {
        self.build.join(unit.file_name()).with_extension("gates.v")
    }

    /// Returns the file that describes each gate in Verilog.
    pub fn cells(&self) -> PathBuf {
        self.build.join("cells.v")
    }

    /// The folders in which modules are, those of this checkout.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.folders_of(|_| true)
    }

    /// The folders of some units, and the one of what units share.
    pub fn folders_of(&self, is_one: impl Fn(&Unit) -> bool) -> Vec<PathBuf> {
        let units = ALL.iter().filter(|unit| is_one(unit)).map(|unit| unit.module);
        let mut names: Vec<_> = std::iter::once("common").chain(units).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(|name| self.units.join(name)).collect()
    }
}

/// Verilator's own part of every bench, compiled once.
pub struct Runtime {
    include: PathBuf,
    objects: Vec<PathBuf>,
}

/// Options of the C++ compiler; the definitions are those that Verilator's own makefiles give.
const CXX_OPTIONS: [&str; 8] = [
    "-std=gnu++17",
    "-w",
    "-pthread",
    "-DVERILATOR=1",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TRACE=0",
    "-DVM_TRACE_FST=0",
];

impl Runtime {
    /// Compiles it into `build`.
    pub fn new(build: &Path) -> Result<Self, HdlError> {
        let said =
            run("Verilator", Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
        let root = PathBuf::from(String::from_utf8_lossy(&said.stdout).trim());
        let include = root.join("include");
        make_folder(build)?;
        let mut objects = Vec::new();
        // Later versions have their threads in a file of their own, which every bench is linked
        // with.
        for name in ["verilated", "verilated_threads"] {
            let object = build.join(name).with_extension("o");
            let mut compiler = compiler(&include, "-O1");
            run(
                "Verilator",
                compiler
                    .arg("-c")
                    .arg(include.join(name).with_extension("cpp"))
                    .arg("-o")
                    .arg(&object),
            )?;
            objects.push(object);
        }
        Ok(Self { include, objects })
    }
}

/// A unit's bench, ready to run.
pub struct Bench<'a> {
    unit: &'a Unit,
    program: PathBuf,
}

/// The form of a unit that a bench runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The Verilog as it is written. A warning of Verilator is an error.
    Written,
    /// The same with a fault in it, which may be one that Verilator warns of.
    Broken,
    /// The gates that [`size`](crate::size) has counted.
    Gates,
}

impl<'a> Bench<'a> {
    /// Builds the bench of a unit from the files in `places`.
    ///
    /// # Errors
    /// [`HdlError`], if Verilator or the compiler fails.
    pub fn build(
        places: &Places,
        runtime: &Runtime,
        unit: &'a Unit,
        form: Form,
    ) -> Result<Self, HdlError> {
        let out = places.build.join(match form {
            Form::Gates => format!("{}-gates", unit.file_name()),
            Form::Written | Form::Broken => unit.file_name(),
        });
        // What another version of Verilator has left there would be compiled, too.
        match fs::remove_dir_all(&out) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(HdlError::File { path: out, source });
            }
            _ => {}
        }
        make_folder(&out)?;
        let mut verilator = Command::new("verilator");
        verilator.args([
            "--cc",
            "-O3",
            "--language",
            "1364-2005",
            "--prefix",
            "Vunit",
            "--top-module",
            unit.module,
        ]);
        verilator
            .arg(if form == Form::Written { "-Wall" } else { "-Wno-fatal" })
            .arg("--Mdir")
            .arg(&out);
        let folder = places.units.join(unit.module);
        if form == Form::Gates {
            verilator.args([places.netlist(unit), places.cells()]);
        } else {
            verilator.arg(format!("-I{}", places.units.join("common").display()));
            for folder in places.folders() {
                verilator.arg("-y").arg(folder);
            }
            verilator.args(unit.parameters.iter().map(|(name, value)| format!("-G{name}={value}")));
            verilator.arg(folder.join(unit.module).with_extension("v"));
        }
        run(unit.name, &mut verilator)?;

        // One file that includes all others compiles several times as fast as they do alone.
        let all = out.join("all.cpp");
        let mut names: Vec<PathBuf> = read_folder(&out)?;
        names.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
        names.sort();
        names.push(folder.join("bench.cpp"));
        let includes: String =
            names.iter().map(|path| format!("#include \"{}\"\n", path.display())).collect();
        fs::write(&all, includes).map_err(|source| HdlError::File { path: all.clone(), source })?;
        let program = out.join("bench");
        // Few operations run sooner if nothing is optimised; for thousands of gates that would take
        // longest of all.
        let mut compiler =
            compiler(&runtime.include, if form == Form::Written { "-O1" } else { "-O0" });
        compiler
            .arg("-I")
            .arg(&out)
            .arg("-I")
            .arg(places.units.join("common"))
            .args(unit.definitions());
        run(unit.name, compiler.arg(&all).args(&runtime.objects).arg("-o").arg(&program))?;
        Ok(Self { unit, program })
    }

    /// Runs so many operations. The error is [`HdlError::Differs`] where an answer is not what it
    /// must be.
    pub fn run(&self, operations: u64, seed: u64) -> Result<(), HdlError> {
        let unit = || self.unit.name.to_owned();
        let start =
            |source| HdlError::Start { program: self.program.display().to_string(), source };
        let mut command = Command::new(&self.program);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(start)?;
        if let Some(input) = child.stdin.take() {
            match self.send(input, operations, seed) {
                // It has seen enough: what it has to say is read below.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                sent => sent.map_err(start)?,
            }
        }
        let output = child.wait_with_output().map_err(start)?;
        let said = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        match output.status.code() {
            Some(0) if said.trim() == operations.to_string() => Ok(()),
            Some(0) => Err(HdlError::Count { unit: unit(), sent: operations, said }),
            Some(DIFFERS) => Err(HdlError::Differs { unit: unit(), seed, said }),
            _ => Err(HdlError::Failed { unit: unit(), program: "its bench".into(), said }),
        }
    }

    fn send(&self, input: ChildStdin, operations: u64, seed: u64) -> io::Result<()> {
        let mut input = BufWriter::with_capacity(1 << 16, input);
        let mut vectors = self.unit.vectors(seed);
        let mut record = Vec::new();
        for _ in 0..operations {
            record.clear();
            vectors.next(&mut record);
            for word in &record {
                input.write_all(&word.to_le_bytes())?;
            }
        }
        input.flush()
    }
}

fn compiler(include: &Path, optimisation: &str) -> Command {
    let mut compiler = Command::new(std::env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    compiler
        .args(CXX_OPTIONS)
        .arg(optimisation)
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(include.join("vltstd"));
    compiler
}

/// Runs a program to its end; an error shows its output.
pub(crate) fn run(unit: &str, command: &mut Command) -> Result<Output, HdlError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source| HdlError::Start { program: program.clone(), source })?;
    if output.status.success() {
        return Ok(output);
    }
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let lines: Vec<_> = said.lines().collect();
    let said = lines[lines.len().saturating_sub(40)..].join("\n");
    Err(HdlError::Failed { unit: unit.into(), program, said })
}

pub(crate) fn make_folder(path: &Path) -> Result<(), HdlError> {
    fs::create_dir_all(path).map_err(|source| HdlError::File { path: path.into(), source })
}

fn read_folder(path: &Path) -> Result<Vec<PathBuf>, HdlError> {
    let failed = |source| HdlError::File { path: path.into(), source };
    let entries = fs::read_dir(path).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}
