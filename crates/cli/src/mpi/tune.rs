//! `netfold mpi tune`: the table of the calls that netfold takes from MPI programs, measured on
//! this machine (R-MPI-4, R-MPI-16).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use indicatif::ProgressBar;
use netfold_mpi::{Form, Kind, Place, Table};
use netfold_settings::Settings;

use super::run::Run;
use crate::cli::TuneFlags;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// The program that measures.
const SOURCE: &str = include_str!("tune.c");

/// Collectives that it measures, in all their forms.
const MEASURED: u64 = 29;

/// Share of the host's time from which on netfold is faster: what is nearer stays with the host,
/// since the next run may tell otherwise.
const FASTER: f64 = 0.95;

/// The times of a call by both, in seconds: medians.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    bytes: u64,
    host: f64,
    netfold: f64,
}

impl Measured {
    fn pays(&self) -> bool {
        self.netfold <= FASTER * self.host
    }
}

/// Measured sizes of each collective and number of ranks, the smaller first.
type All = BTreeMap<(Form, Kind, u16), Vec<Measured>>;

/// Measures, and writes the table.
pub(crate) fn run(flags: &TuneFlags, settings: &Settings) -> Result<i32, Error> {
    let folder = tempfile::tempdir().map_err(Error::system("there is no folder to compile in"))?;
    let program = compile(&flags.mpicc, folder.path())?;
    let mut all = All::new();
    let steps = MEASURED * flags.ranks.len() as u64;
    let bar = if terminal::stderr_is_terminal() {
        ProgressBar::new(steps)
    } else {
        ProgressBar::hidden()
    };
    for ranks in &flags.ranks {
        measure(flags, settings, &program, *ranks, &mut all, &bar)?;
    }
    bar.finish_and_clear();
    let table = table(&all);
    terminal::say(&summary(&all))?;
    let text =
        format!("# measured by netfold {} mpi tune\n{}", env!("CARGO_PKG_VERSION"), table.text());
    fs::write(&flags.out, text)
        .map_err(|source| Error::Results { path: flags.out.clone(), source })?;
    terminal::tell(&format!(
        "{} is written; programs use it with NETFOLD_MPI_TABLE={}",
        flags.out.display(),
        std::path::absolute(&flags.out).unwrap_or_else(|_| flags.out.clone()).display()
    ));
    Ok(SUCCESS)
}

fn compile(mpicc: &OsString, folder: &Path) -> Result<PathBuf, Error> {
    let (source, program) = (folder.join("tune.c"), folder.join("tune"));
    fs::write(&source, SOURCE).map_err(Error::system("the program cannot be written"))?;
    let shown = mpicc.to_string_lossy();
    let mut command = Command::new(mpicc);
    command.arg("-O2").arg("-o").arg(&program).arg(&source).arg("-ldl");
    let output = command.output().map_err(|error| {
        let remedy = "install an MPI, or name its compiler for C with --mpicc";
        Error::Usage(format!("{shown} cannot be run: {error}; {remedy}"))
    })?;
    if output.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Error::Usage(format!("{shown} has failed: {}", said.trim())))
}

/// Measures with one number of ranks.
fn measure(
    flags: &TuneFlags,
    settings: &Settings,
    program: &Path,
    ranks: u16,
    all: &mut All,
    bar: &ProgressBar,
) -> Result<(), Error> {
    let own = [("NETFOLD_MPI_TABLE", "all"), ("NETFOLD_MPI_REPORT", "0")];
    let mut run =
        Run::new(&flags.mpirun, flags.library.as_deref(), flags.settings.given(), &own, settings)?;
    run.command.args(&flags.arguments).args(["-n", &ranks.to_string()]);
    run.command.arg(program).arg(flags.largest.0.to_string()).stdout(Stdio::piped());
    let mut started = run.start()?;
    let output = started.child.stdout.take();
    let (read, status) = thread::scope(|scope| {
        let reader = scope.spawn(|| output.map_or(Ok(0), |output| read(output, ranks, all, bar)));
        let status = started.wait();
        (reader.join(), status)
    });
    let (read, status) = (read.unwrap_or_else(|panic| resume_unwind(panic)), status?);
    let collectives = read?;
    if collectives == 0 && status.success() {
        return Err(Error::Usage(format!(
            "netfold has carried out no call of {ranks} ranks, and no table is written: its times would be those of the MPI alone; see the messages above"
        )));
    }
    if !status.success() {
        return Err(Error::Usage(format!(
            "the program that measures has failed with {ranks} ranks; its messages are above. Arguments for mpirun go behind --, as in netfold mpi tune -- --oversubscribe"
        )));
    }
    Ok(())
}

/// Adds what the program prints, and returns the number of collectives.
fn read(output: impl Read, ranks: u16, all: &mut All, bar: &ProgressBar) -> Result<usize, Error> {
    let (mut last, mut collectives) = (None, 0);
    for line in BufReader::new(output).lines() {
        let line = line.map_err(Error::system("the program's output cannot be read"))?;
        let Some((form, kind, measured)) = parse(&line) else { continue };
        if last.replace((form, kind)) != Some((form, kind)) {
            collectives += 1;
            bar.inc(1);
            bar.set_message(format!("{ranks} ranks: {}", form.name(kind)));
        }
        all.entry((form, kind, ranks)).or_default().push(measured);
    }
    Ok(collectives)
}

/// Reads a line of the program: a name, bytes, and times by turns.
fn parse(line: &str) -> Option<(Form, Kind, Measured)> {
    let mut words = line.split_whitespace();
    let (form, kind) = Form::named(words.next()?)?;
    let bytes = words.next()?.parse().ok()?;
    let times: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    let median = |first: usize| {
        let mut times: Vec<f64> = times.iter().copied().skip(first).step_by(2).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    Some((form, kind, Measured { bytes, host: median(0)?, netfold: median(1)? }))
}

/// Returns the table (R-MPI-16).
fn table(all: &All) -> Table {
    let mut table = Table::none();
    for ((form, kind, ranks), measured) in all {
        let sizes = if kind.has_private_lengths() {
            // The table is asked about no length at all (R-MPI-5).
            let all_pay = measured.iter().all(Measured::pays);
            if all_pay { vec![(0, 0)] } else { Vec::new() }
        } else {
            ranges(measured)
        };
        table.set(Place::Host, *form, *kind, *ranks, sizes);
    }
    table
}

/// Returns the sizes from one that pays to another between which all do. Those below the least that
/// was measured are as it is, and those above the largest as that one.
fn ranges(measured: &[Measured]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    let last = measured.len().saturating_sub(1);
    let mut before = false;
    for (place, one) in measured.iter().enumerate() {
        let (from, to) = (if place == 0 { 0 } else { one.bytes }, one.bytes);
        let to = if place == last { u64::MAX } else { to };
        match ranges.last_mut() {
            Some(range) if before && one.pays() => range.1 = to,
            _ if one.pays() => ranges.push((from, to)),
            _ => {}
        }
        before = one.pays();
    }
    ranges
}

/// Returns a table of all that was measured: netfold's time by the host's.
fn summary(all: &All) -> String {
    let header = ["collective", "ranks", "netfold's time by the host's, by bytes"];
    let mut table = terminal::table(header.map(String::from).to_vec());
    for ((form, kind, ranks), measured) in all {
        let ratios: Vec<String> = measured
            .iter()
            .map(|one| format!("{}: {:.2}", one.bytes, one.netfold / one.host))
            .collect();
        table.add_row([form.name(*kind), ranks.to_string(), ratios.join("  ")]);
    }
    format!("{table}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(bytes: u64, ratio: f64) -> Measured {
        Measured { bytes, host: 2e-6, netfold: 2e-6 * ratio }
    }

    #[test]
    fn a_size_between_two_that_pay_pays() {
        // R-MPI-16
        let of = |ratios: [f64; 5]| {
            let sizes = [4, 16, 64, 256, 1024];
            let all: Vec<_> = sizes.into_iter().zip(ratios).map(|(b, r)| measured(b, r)).collect();
            ranges(&all)
        };
        assert_eq!(of([0.9; 5]), [(0, u64::MAX)]);
        assert_eq!(of([1.0, 0.9, 0.8, 0.96, 0.9]), [(16, 64), (1024, u64::MAX)]);
        assert_eq!(of([0.9, 1.2, 0.9, 1.2, 1.2]), [(0, 4), (64, 64)]);
        assert_eq!(of([1.0; 5]), []);
    }

    #[test]
    fn lines_are_medians_by_turns() {
        let (form, kind, found) = parse("iscan 64 5.0 1.0 3.0 9.0 4.0 2.0").unwrap();
        assert_eq!((form, kind), (Form::Started, Kind::Scan));
        assert_eq!(found, Measured { bytes: 64, host: 4.0, netfold: 2.0 });
        assert_eq!(parse("a warning of mpirun"), None);
        assert_eq!(parse("bcast 4"), None);
    }

    #[test]
    fn private_lengths_pay_at_all_sizes_or_at_none() {
        // R-MPI-5
        let key = |kind| (Form::Blocking, kind, 4);
        let all = All::from([
            (key(Kind::Gatherv), vec![measured(4, 0.5), measured(16, 0.9)]),
            (key(Kind::Alltoallv), vec![measured(4, 0.5), measured(16, 1.9)]),
        ]);
        let call = |kind| table(&all).sizes(Place::Host, 4).take((Form::Blocking, kind), 0);
        assert!(call(Kind::Gatherv) && !call(Kind::Alltoallv));
    }
}
