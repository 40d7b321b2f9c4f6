//! The MPIs by which programs are compiled and run.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use tempfile::TempDir;

/// Programs and libraries that tests have compiled.
static COMPILED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Options that the commands of an MPI take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Open,
    Mpich,
}

/// An MPI: its name, and its commands.
#[derive(Clone, Debug)]
pub(crate) struct Mpi {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    mpicc: PathBuf,
    mpifort: PathBuf,
    mpirun: PathBuf,
}

impl Mpi {
    /// Returns the MPI whose commands in a folder have these endings; without a folder, they are
    /// found on the path.
    fn new(name: &'static str, family: Family, folder: &str, endings: [&str; 2]) -> Self {
        let command = |name: &str, ending: &str| Path::new(folder).join(format!("{name}{ending}"));
        let [compiler, runner] = endings;
        let (mpicc, mpifort) = (command("mpicc", compiler), command("mpifort", compiler));
        Self { name, family, mpicc, mpifort, mpirun: command("mpirun", runner) }
    }

    /// Compiles one of the programs beside this folder, or a library to be preloaded; `None` if a
    /// compiler is missing.
    fn compile(&self, folder: &Path, source: &str, is_library: bool) -> Option<PathBuf> {
        let compiler = if source.ends_with(".c") { &self.mpicc } else { &self.mpifort };
        if !is_installed(compiler) {
            println!("passed over: {source}, since there is no {}", compiler.display());
            return None;
        }
        let name = Path::new(source).file_name().and_then(OsStr::to_str).expect("a name");
        let ending = if is_library { ".so" } else { "" };
        let program = folder.join(format!("{name}.{}{ending}", self.name));
        // Another test may have compiled it, and run it now: it is not written once more.
        let mut made = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
        if made.contains(&program) {
            return Some(program);
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
        let mut command = Command::new(compiler);
        command
            .args(if is_library { &["-shared", "-fPIC", "-DAS_LIBRARY"][..] } else { &[] })
            .args(["-O1", "-g", "-pthread", "-o"])
            .arg(&program)
            .arg(source)
            .arg("-ldl")
            .current_dir(folder);
        let output = command.output().expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        made.insert(program.clone());
        Some(program)
    }

    /// Compiles a library that is preloaded behind that of netfold, if the settings of a run name
    /// it; `None` if a compiler is missing.
    pub(crate) fn behind(&self, source: &str) -> Option<PathBuf> {
        self.compile(folder(), source, true)
    }

    /// Runs a program on so many ranks with these settings, the library preloaded.
    pub(crate) fn run(
        &self,
        ranks: usize,
        program: &Path,
        words: &[&str],
        settings: &[(&str, &str)],
    ) -> Run {
        let mut command = self.command(ranks, program, words, settings);
        let output = command.output().expect("mpirun runs");
        Run { output, what: format!("{}, {ranks} ranks, {words:?}, {settings:?}", self.name) }
    }

    pub(crate) fn command(
        &self,
        ranks: usize,
        program: &Path,
        words: &[&str],
        settings: &[(&str, &str)],
    ) -> Command {
        let mut preload = built("libnetfold_mpi.so").to_str().expect("a path in UTF-8").to_owned();
        let (behind, settings): (Vec<_>, Vec<_>) =
            settings.iter().copied().partition(|(name, _)| *name == "LD_PRELOAD");
        behind.iter().for_each(|(_, path)| preload += &format!(":{path}"));
        let mut command = Command::new(&self.mpirun);
        let all = settings.into_iter().chain([("LD_PRELOAD", &*preload)]);
        command.args(self.options());
        match self.family {
            Family::Open => all.for_each(|(name, value)| {
                command.arg("-x").arg(format!("{name}={value}"));
            }),
            Family::Mpich => all.for_each(|(name, value)| {
                command.args(["-genv", name, value]);
            }),
        }
        command.args(["-n", &ranks.to_string()]).arg(program).args(words);
        command
    }
}

impl Mpi {
    /// Returns the command that has netfold run a program.
    pub(crate) fn by_netfold(
        &self,
        ranks: usize,
        words: &[impl AsRef<OsStr>],
        settings: &[(&str, &str)],
    ) -> Command {
        let mut command = Command::new(built("netfold"));
        command.args([OsStr::new("mpirun"), OsStr::new("--mpirun"), self.mpirun.as_os_str()]);
        command.args(self.options()).args(["-n", &ranks.to_string()]).args(words);
        command.envs(settings.iter().copied());
        command
    }

    /// Has `netfold mpi tune` use this MPI; `false` if its compiler for C is missing.
    pub(crate) fn names_commands(&self, command: &mut Command) -> bool {
        command.args([OsStr::new("--mpirun"), self.mpirun.as_os_str()]);
        command.args([OsStr::new("--mpicc"), self.mpicc.as_os_str()]);
        command.arg("--").args(self.options());
        is_installed(&self.mpicc)
    }

    /// Options of the launcher on one machine of any size.
    fn options(&self) -> &'static [&'static str] {
        match self.family {
            Family::Open => &["--oversubscribe", "--allow-run-as-root"],
            Family::Mpich => &[],
        }
    }
}

/// Returns the MPIs to test: that of the folder which `NETFOLD_TEST_MPI` names, or those of Debian.
pub(crate) fn all() -> Vec<Mpi> {
    let Some(folder) = env::var_os("NETFOLD_TEST_MPI") else {
        return vec![
            Mpi::new("openmpi", Family::Open, "", [".openmpi"; 2]),
            Mpi::new("mpich", Family::Mpich, "", [".mpich"; 2]),
        ];
    };
    let folder = Path::new(&folder).join("bin");
    let has = |command: &str| folder.join(command).is_file();
    assert!(has("mpicc") && has("mpirun"), "{} has no MPI", folder.display());
    let of = |name, family, endings| Mpi::new(name, family, folder.to_str().unwrap(), endings);
    if has("ompi_info") {
        return vec![of("openmpi", Family::Open, [""; 2])];
    }
    let standard = has("mpicc_abi").then(|| of("standard", Family::Mpich, ["_abi", ""]));
    [of("mpich", Family::Mpich, [""; 2])].into_iter().chain(standard).collect()
}

/// A program that has ended.
pub(crate) struct Run {
    pub(crate) output: Output,
    what: String,
}

impl Run {
    pub(crate) fn text(&self) -> String {
        let Output { stdout, stderr, .. } = &self.output;
        [stdout, stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
    }

    pub(crate) fn succeeded(&self) -> String {
        let text = self.text();
        assert!(self.output.status.success(), "{}: {text}", self.what);
        text
    }
}

/// Returns whether a command is there: at its place, or on the path if it has none.
fn is_installed(command: &Path) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(command).is_file())
}

/// Returns the command, killed if it takes longer. Signals are passed on to it.
pub(crate) fn limited(command: &Command, seconds: u32) -> Command {
    let mut limited = Command::new("timeout");
    limited.args(["--signal=KILL", &seconds.to_string()]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited
}

/// Returns a file of the project that is built beside this test: the library, or the command.
pub(crate) fn built(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a path");
    let file =
        test.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|f| f.is_file());
    file.unwrap_or_else(|| {
        panic!("{name} is missing: cargo build -p netfold-mpi-preload -p netfold-cli")
    })
}

/// Returns the folder of what is compiled.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| TempDir::new().expect("a folder")).path()
}

/// Returns the programs of a source, one for each MPI.
pub(crate) fn programs(source: &'static str) -> Vec<(Mpi, PathBuf)> {
    let build = |mpi: Mpi| {
        let program = mpi.compile(folder(), source, false)?;
        Some((mpi, program))
    };
    all().into_iter().filter_map(build).collect()
}

pub(crate) const ALL: (&str, &str) = ("NETFOLD_MPI_TABLE", "all");
pub(crate) const REPORT: (&str, &str) = ("NETFOLD_MPI_REPORT", "1");
pub(crate) const UDP: (&str, &str) = ("NETFOLD_TRANSPORT", "udp");

/// Returns the collectives that the report says netfold has carried out.
pub(crate) fn taken(text: &str) -> Vec<&str> {
    let of_netfold = |line: &&str| line.split_whitespace().nth(2) == Some("netfold");
    let mut taken: Vec<&str> =
        text.lines().filter(of_netfold).filter_map(|line| line.split_whitespace().next()).collect();
    taken.dedup();
    taken
}
