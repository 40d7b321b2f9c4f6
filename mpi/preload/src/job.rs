//! The job of a program: joined when its MPI has started, left before its MPI ends (R-MPI-1,
//! R-MPI-11).

use std::ffi::c_int;
use std::fs;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use netfold::raw::{Communicator, JoinRequest};
use netfold::{Operations, Switch};
use netfold_mpi::Table;
use netfold_ops::{Loader, Policy};
use netfold_settings::{Program, Settings, unknown_variables};

use crate::communicators;
use crate::failure::say;
use crate::host::{Host, host};
use crate::operations::Bodies;
use crate::{persistent, presence, reporting, trace};

/// Settings that all ranks of the program have in common.
pub(crate) struct Terms {
    /// The calls that pay.
    pub(crate) table: Table,
    /// A report is printed at the end.
    pub(crate) reports: bool,
}

/// Bytes of the message by which rank 0 tells the others where to join.
const MESSAGE_BYTES: usize = 512;

static TERMS: OnceLock<Terms> = OnceLock::new();
static SWITCH: Mutex<Option<Switch>> = Mutex::new(None);

/// Returns the program's settings, if its ranks have joined.
#[inline]
pub(crate) fn terms() -> Option<&'static Terms> {
    TERMS.get()
}

/// Joins, when the host has been initialized. Ranks that cannot all join leave all calls with the
/// host, and one line says why.
pub(crate) fn start() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let Some(host) = host() else { return };
        let (mut rank, mut size, mut initialized): (c_int, c_int, c_int) = (0, 0, 0);
        // SAFETY: the results are variables of this frame.
        unsafe {
            (host.call.initialized)(&raw mut initialized);
            if initialized == 0 {
                return;
            }
            (host.call.comm_rank)(host.handles.world, &raw mut rank);
            (host.call.comm_size)(host.handles.world, &raw mut size);
        }
        if rank == 0 {
            let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
            unknown_variables(names).iter().for_each(|warning| say(warning));
        }
        if !presence::all_present(host, rank, size) {
            return;
        }
        let settings = Settings::load(Program::Mpi, [], |name| std::env::var_os(name));
        let traced = settings.as_ref().ok().and_then(|settings| settings.mpi_trace.as_deref());
        trace::start(host, traced, rank, size);
        if size < 2 {
            return;
        }
        let settings = settings.map_err(|error| error.to_string());
        if let Err(why) = join_all(host, settings, rank, size)
            && !why.is_empty()
        {
            say(&format!("rank {rank}: {why}; the program's MPI carries out all collectives"));
        }
    });
}

/// Joins with all ranks, or none. The text of an error is empty at ranks that are not its cause.
fn join_all(
    host: &'static Host,
    settings: Result<Settings, String>,
    rank: c_int,
    size: c_int,
) -> Result<(), String> {
    let mine = settings.and_then(|settings| prepare(settings, rank, size));
    let text = mine.as_ref().ok().and_then(|mine| mine.told.clone()).unwrap_or_default();
    let told = tell(host, &text);
    let (address, rest) = told.split_once(' ').unwrap_or_default();
    let (job, hash) = rest.split_once(' ').unwrap_or_default();
    let mine = mine.and_then(|mine| {
        if address.is_empty() {
            return Err(String::new());
        }
        if hash != mine.hash() {
            let why = "its table of decisions or its operations are not those of rank 0; give all \
                       ranks one table, and one list of operations";
            return Err(why.to_owned());
        }
        Ok(mine)
    });
    let Prepared { settings, table, bodies, .. } = agree(host, mine)?;
    let operations = bodies.as_ref().map(|bodies| bodies.operations.clone()).unwrap_or_default();
    let joined = join(&settings, operations, (address, job), (rank as u16, size as u16));
    let communicator = agree(host, joined)?;
    if let Some(bodies) = bodies {
        bodies.find(host, rank);
    }
    let reports = settings.mpi_report;
    if TERMS.set(Terms { table, reports }).is_ok() {
        communicators::start(host, communicator);
    }
    Ok(())
}

/// A rank before it joins.
struct Prepared {
    settings: Settings,
    table: Table,
    bodies: Option<Bodies>,
    /// The message of rank 0 to the others.
    told: Option<String>,
}

impl Prepared {
    /// Returns a hash of what all ranks must have in common.
    fn hash(&self) -> String {
        let bodies = self.bodies.as_ref().map_or(0, |bodies| bodies.hash);
        format!("{:016x}", self.table.hash() ^ bodies)
    }
}

fn prepare(settings: Settings, rank: c_int, size: c_int) -> Result<Prepared, String> {
    if size > 1024 {
        return Err(format!("{size} ranks are more than the 1024 of a job"));
    }
    let table = match settings.mpi_table.as_deref() {
        None => Table::default(),
        Some("all") => Table::all(),
        Some("none") => Table::none(),
        Some(path) => {
            let text = fs::read_to_string(path)
                .map_err(|error| format!("the table {path} cannot be read: {error}"))?;
            Table::parse(&text).map_err(|error| format!("{path}: {error}"))?
        }
    };
    let bodies = settings.mpi_operations.as_deref().map(Bodies::read).transpose()?;
    let mut prepared = Prepared { settings, table, bodies, told: None };
    if rank != 0 {
        return Ok(prepared);
    }
    let address = match &prepared.settings.switch {
        Some(address) => address.clone(),
        None => start_switch(&prepared.settings)?,
    };
    let told = format!("{address} mpi-{:016x} {}", rand::random::<u64>(), prepared.hash());
    if told.len() >= MESSAGE_BYTES {
        return Err("the list of switches is too long".into());
    }
    prepared.told = Some(told);
    Ok(prepared)
}

/// Starts a switch in this process, and returns its address.
fn start_switch(settings: &Settings) -> Result<String, String> {
    let mut options = settings.switch_options().map_err(|error| error.to_string())?;
    if settings.mpi_operations.is_some() {
        options.operations = Some(Arc::new(Loader::new(Policy::Any)));
    }
    let switch = Switch::start(&options).map_err(|error| error.to_string())?;
    let address = switch.address().to_string();
    *SWITCH.lock().unwrap_or_else(PoisonError::into_inner) = Some(switch);
    Ok(address)
}

/// Has all ranks know the text of rank 0.
fn tell(host: &Host, text: &str) -> String {
    let mut message = [0_u8; MESSAGE_BYTES];
    message[..text.len()].copy_from_slice(text.as_bytes());
    let (address, length) = (message.as_mut_ptr().cast(), MESSAGE_BYTES as c_int);
    // SAFETY: all ranks make this call with a message of this length.
    unsafe { (host.call.bcast)(address, length, host.handles.byte, 0, host.handles.world) };
    String::from_utf8_lossy(&message).trim_end_matches('\0').to_owned()
}

/// Returns the value if all ranks have one.
fn agree<T>(host: &Host, mine: Result<T, String>) -> Result<T, String> {
    let all = agreed(host, host.handles.world, mine.is_ok());
    match mine {
        Ok(_) if !all => Err(String::new()),
        mine => mine,
    }
}

/// Returns whether all ranks of a communicator say so.
pub(crate) fn agreed(host: &Host, communicator: usize, mine: bool) -> bool {
    smallest(host, communicator, mine.into()) == 1
}

/// Returns the smallest number of a communicator's ranks; of an inter-communicator, of those on the
/// other side.
pub(crate) fn smallest(host: &Host, communicator: usize, own: i64) -> i64 {
    let mut all = 0_i64;
    let (input, output) = ((&raw const own).cast(), (&raw mut all).cast());
    let (of, minimum) = (host.handles.long, host.handles.minimum);
    // SAFETY: all ranks of the communicator make this call, on variables of their frames.
    unsafe { (host.call.allreduce)(input, output, 1, of, minimum, communicator) };
    all
}

fn join(
    settings: &Settings,
    operations: Operations,
    (address, job): (&str, &str),
    (rank, size): (u16, u16),
) -> Result<Communicator, String> {
    let request = settings.request(job, rank, size).map_err(|error| error.to_string())?;
    let request = JoinRequest { operations, ..request };
    let (start, limit) = (Instant::now(), request.timeout);
    let wait = |_: &netfold::Waiting| match start.elapsed() < limit {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    Communicator::connect_on(settings.pin.as_ref(), address, request, wait)
        .map_err(|error| error.to_string())
}

/// Leaves the job, before the host is finalized: prints the report, and stops a switch that was
/// started here once all have left.
pub(crate) fn finish() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let (Some(host), Some(terms)) = (host(), terms()) else { return };
        if terms.reports {
            reporting::print(host);
        }
        persistent::close(host);
        communicators::close();
        agreed(host, host.handles.world, true);
        drop(SWITCH.lock().unwrap_or_else(PoisonError::into_inner).take());
    });
}
