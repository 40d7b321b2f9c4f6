//! The trace of a program's collectives (`spec/mpi-trace.md`): each call is a line, written when it
//! ends, so that nothing is lost whatever becomes of the program.

mod lengths;
mod persistent;
mod site;

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{OnceLock, PoisonError, RwLock};

use netfold_mpi::{Form, Header, Kind, Record};

use crate::arguments::Arguments;
use crate::communicators;
use crate::failure::say;
use crate::host::{Host, host};
use crate::job::{agreed, smallest};
pub(crate) use persistent::{forget, prepare, start_again};

/// A trace that this rank writes.
struct Trace {
    file: File,
    rank: c_int,
    /// Number of the next call.
    next: AtomicU64,
    /// Names of communicators, by their handles, and the first number that no name has (R-MTR-5).
    names: RwLock<HashMap<usize, String>>,
    free: AtomicI64,
    /// Attribute by which the end of a communicator is noticed.
    key: c_int,
}

static TRACE: OnceLock<Trace> = OnceLock::new();

thread_local! {
    /// Nanoseconds that writing the last line has taken.
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// Begins the trace, if all ranks can write theirs. All ranks call this.
pub(crate) fn start(host: &Host, path: Option<&str>, rank: c_int, size: c_int) {
    let all = agreed(host, host.handles.world, path.is_some());
    let Some(path) = path else { return };
    if !all {
        return say(&format!("rank {rank}: no trace is written, since not all ranks have one"));
    }
    let shared = !path.contains("%r");
    let path = path.replace("%r", &rank.to_string());
    if !shared || rank == 0 {
        // It is told below if what stands there cannot be replaced.
        let _ = fs::remove_file(&path);
    }
    // Nobody writes before the file of an earlier run has gone.
    agreed(host, host.handles.world, true);
    let file = OpenOptions::new().create(true).append(true).open(&path).and_then(|mut file| {
        file.write_all(header(host, rank, size).line().as_bytes())?;
        Ok(file)
    });
    let all = agreed(host, host.handles.world, file.is_ok());
    match file {
        Ok(file) if all => {
            let key = communicators::key(host, ended as *const c_void);
            let (next, free) = (AtomicU64::new(0), AtomicI64::new(0));
            let trace = Trace { file, rank, next, names: RwLock::default(), free, key };
            // The first one stays.
            let _ = TRACE.set(trace);
        }
        Ok(_) => {}
        Err(why) => say(&format!("rank {rank}: no trace is written: {path}: {why}")),
    }
}

fn header(host: &Host, rank: c_int, size: c_int) -> Header {
    let (mut text, mut length): ([c_char; 8192], c_int) = ([0; 8192], 0);
    // SAFETY: the text is as long as MPI's longest in any flavour.
    unsafe { (host.call.library_version)(text.as_mut_ptr(), &raw mut length) };
    let bytes: Vec<u8> = text.iter().map(|byte| *byte as u8).take_while(|byte| *byte > 0).collect();
    let version = String::from_utf8_lossy(&bytes);
    let version = version.lines().next().unwrap_or_default().trim().to_owned();
    let program = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Header::new((rank, size), program, version, name.trim().to_owned())
}

/// A call that has begun.
pub(crate) struct Entered(Record);

/// Notes that a call begins, if there is a trace.
#[inline]
pub(crate) fn enter(host: &Host, call: (Form, Kind), arguments: &Arguments) -> Option<Entered> {
    TRACE.get().map(|trace| trace.enter(host, call, arguments))
}

impl Trace {
    #[cold]
    fn enter(&self, host: &Host, call: (Form, Kind), arguments: &Arguments) -> Entered {
        let before = now();
        self.begin(self.record(host, call, arguments), before)
    }

    /// Notes that a call begins of which this record tells. The trace has had to do with it since
    /// `before`.
    fn begin(&self, record: Record, before: u64) -> Entered {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        let site = site::of_caller();
        let start = now();
        Entered(Record { n, site, start, spent: SPENT.take() + (start - before), ..record })
    }

    /// Returns what is known of a call by its arguments.
    fn record(&self, host: &Host, (form, kind): (Form, Kind), arguments: &Arguments) -> Record {
        let handle = host.handle(arguments.comm);
        let (mut rank, mut size, mut inter): (c_int, c_int, c_int) = (0, 0, 0);
        if handle != host.handles.null_communicator {
            // SAFETY: the communicator is the program's, and the results are variables of this
            // frame.
            unsafe {
                (host.call.comm_rank)(handle, &raw mut rank);
                (host.call.comm_size)(handle, &raw mut size);
                (host.call.comm_test_inter)(handle, &raw mut inter);
            }
        }
        let lengths = match inter {
            0 => lengths::of(host, kind, arguments, (rank, size)),
            _ => lengths::NONE,
        };
        let op = host.handles.operation(host.handle(arguments.op));
        Record {
            rank: self.rank,
            n: 0,
            call: kind.mpi_name(form),
            comm: self.name(host, handle, inter != 0, form),
            size,
            lengths,
            op: kind.folds().then(|| op.map_or("user", netfold_mpi::Op::traced)),
            root: kind.has_root().then_some(arguments.root),
            start: 0,
            returned: None,
            waited: None,
            end: 0,
            spent: 0,
            path: "host",
            site: None,
        }
    }

    /// Returns the name of a communicator. In its first call that blocks, or makes a persistent
    /// request, all its ranks agree on one (R-MTR-5).
    fn name(&self, host: &Host, handle: usize, inter: bool, form: Form) -> String {
        if handle == host.handles.world {
            return "world".into();
        }
        if handle == host.handles.own {
            return "self".into();
        }
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(&handle) {
            return name.clone();
        }
        drop(names);
        if form == Form::Started || handle == host.handles.null_communicator {
            return UNNAMED.into();
        }
        let own = self.free.fetch_add(1, Ordering::Relaxed);
        let (mut number, mut least) = (-smallest(host, handle, -own), i64::from(self.rank));
        least = smallest(host, handle, least);
        if inter {
            // Each side has got those of the other one.
            number = number.max(-smallest(host, handle, -number));
            least = least.min(smallest(host, handle, least));
        }
        self.free.fetch_max(number + 1, Ordering::Relaxed);
        let name = format!("{number}.{least}");
        // SAFETY: the key is this library's; the attribute has no value, and is there for its end.
        if unsafe { (host.call.comm_set_attr)(handle, self.key, std::ptr::null_mut()) } == 0 {
            let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
            names.insert(handle, name.clone());
        }
        name
    }
}

/// Name of a communicator whose ranks have not agreed on one yet.
const UNNAMED: &str = "?";

impl Entered {
    /// Notes that a call that does not block has returned.
    pub(crate) fn returned(&mut self) {
        self.0.returned = Some(now());
    }

    /// Notes when the call was entered that completes this one.
    pub(crate) fn waited(&mut self, since: u64) {
        self.0.waited = Some(since);
    }

    /// Notes that the call has ended.
    pub(crate) fn leave(self, by_netfold: bool) {
        let (Some(trace), end) = (TRACE.get(), now()) else { return };
        let path = if by_netfold { "switch" } else { "host" };
        let line = Record { end, path, ..self.0 }.line();
        // One write for a line, so that those of ranks that share a file stay whole (R-MTR-2). A
        // full disk costs the program its trace, and nothing else.
        let _ = (&trace.file).write_all(line.as_bytes());
        SPENT.set(SPENT.get() + (now() - end));
    }
}

/// Returns nanoseconds of the clock `CLOCK_MONOTONIC`.
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the result is a variable of this frame.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Forgets the name of a communicator that is freed: its handle may come again.
extern "C" fn ended(
    communicator: usize,
    _key: c_int,
    _value: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    if let (Some(host), Some(trace)) = (host(), TRACE.get()) {
        let mut names = trace.names.write().unwrap_or_else(PoisonError::into_inner);
        names.remove(&host.handle(communicator));
    }
    0
}
