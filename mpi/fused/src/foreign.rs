//! The interface of C: jobs by number, and a message for what went wrong.
#![expect(unsafe_code, reason = "pointers of C")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use netfold_settings::{Program, Settings};

use crate::chain::Chain;
use crate::error::Error;
use crate::job::{Input, Job, Rows, beside};

type Jobs = HashMap<i64, Arc<Mutex<Job>>>;

static JOBS: LazyLock<Mutex<Jobs>> = LazyLock::new(Mutex::default);
static NEXT: AtomicI64 = AtomicI64::new(1);

thread_local! {
    static MESSAGE: RefCell<CString> = RefCell::default();
}

/// A module of WebAssembly.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Module {
    bytes: *const u8,
    length: usize,
}

/// Input of a group of a chain.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Given {
    buffer: *const u8,
    /// Elements in it; not used of rows.
    count: usize,
    /// Of rows: one number for each rank; null for others.
    counts: *const c_int,
    /// Of rows: where they begin, in elements.
    displacements: *const c_int,
}

fn jobs() -> MutexGuard<'static, Jobs> {
    JOBS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something for a program in C: returns what it gives, or `failed` with a message.
fn guarded<T>(failed: T, work: impl FnOnce() -> Result<T, Error>) -> T {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Error::Panic));
    outcome.unwrap_or_else(|error| {
        let text = error.to_string().replace('\0', " ");
        MESSAGE.with_borrow_mut(|message| *message = CString::new(text).unwrap_or_default());
        failed
    })
}

/// # Safety
/// `text` is null or a string that ends with a zero.
unsafe fn string<'a>(text: *const c_char, what: &'static str) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::Text(what));
    }
    // SAFETY: not null, and so a string, by the contract.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Error::Text(what))
}

/// # Safety
/// `start` is null, or `length` values lie there that stay as they are while the slice is used.
unsafe fn many<'a, T>(start: *const T, length: usize) -> &'a [T] {
    if start.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: by the contract.
    unsafe { slice::from_raw_parts(start, length) }
}

/// Runs `work` with a job, and returns 0, or 1 with a message.
fn with_job(number: i64, work: impl FnOnce(&mut Job) -> Result<(), Error>) -> c_int {
    guarded(1, || {
        let job = jobs().get(&number).cloned().ok_or(Error::Text("the number of a job"))?;
        work(&mut job.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok(0)
    })
}

/// The switch of a program that names none.
const DEFAULT_SWITCH: &str = "127.0.0.1:5555";

/// Joins a job, as rank `rank` of `size`, and returns its number; -1 with a message if it fails.
/// Without `switch` it is the one of the settings, which also have the token. `progress` is as in
/// [`netfold_fused_run`].
///
/// # Safety
/// `progress` is as in [`netfold_fused_run`]. `switch` is null or a string, `name` is one, and
/// `modules` has `number` of them, each with its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netfold_fused_join(
    switch: *const c_char,
    name: *const c_char,
    rank: c_int,
    size: c_int,
    modules: *const Module,
    number: usize,
    progress: unsafe extern "C" fn(*mut c_void),
    of: *mut c_void,
) -> i64 {
    guarded(-1, || {
        let settings = Settings::load(Program::Mpi, [], |name| env::var_os(name))?;
        let switch = if switch.is_null() {
            settings.switch.clone().unwrap_or_else(|| DEFAULT_SWITCH.to_owned())
        } else {
            // SAFETY: by the contract.
            unsafe { string(switch, "the switch") }?.to_owned()
        };
        let token = settings.token()?;
        // SAFETY: by the contract.
        let (name, modules) = unsafe { (string(name, "the name")?, many(modules, number)) };
        // SAFETY: by the contract.
        let modules: Vec<&[u8]> =
            modules.iter().map(|it| unsafe { many(it.bytes, it.length) }).collect();
        let join = || Job::join(&switch, name, (rank, size), token, &modules);
        // SAFETY: by the contract.
        let job = beside(|| unsafe { progress(of) }, join)?;
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        jobs().insert(id, Arc::new(Mutex::new(job)));
        Ok(id)
    })
}

/// Runs a chain and keeps its results. Meanwhile `progress` is called with `of`, by this thread, so
/// that the program's MPI goes on. Returns 0, or 1 with a message.
///
/// # Safety
/// `chain` is a string, and `progress` may be called with `of` until this returns. `inputs` has
/// `number` of them. The buffer of each has its elements, and that of rows all that counts and
/// displacements say, of which there is one for each rank.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netfold_fused_run(
    job: i64,
    chain: *const c_char,
    inputs: *const Given,
    number: usize,
    progress: unsafe extern "C" fn(*mut c_void),
    of: *mut c_void,
) -> c_int {
    with_job(job, |job| {
        // SAFETY: by the contract.
        let (text, inputs) = unsafe { (string(chain, "the chain")?, many(inputs, number)) };
        let (unit, size) = (Chain::parse(text)?.element_bytes(), job.size());
        let inputs: Vec<Input<'_>> = inputs
            .iter()
            // SAFETY: by the contract.
            .map(|given| unsafe { input(given, unit, size) })
            .collect();
        // SAFETY: by the contract.
        beside(|| unsafe { progress(of) }, || job.run(text, &inputs))
    })
}

/// # Safety
/// As [`netfold_fused_run`] of its inputs.
unsafe fn input<'a>(given: &Given, unit: usize, size: usize) -> Input<'a> {
    if given.counts.is_null() {
        // SAFETY: by the contract.
        return Input { bytes: unsafe { many(given.buffer, given.count * unit) }, rows: None };
    }
    // SAFETY: by the contract.
    let rows = unsafe { rows(given.counts, given.displacements, size) };
    let ends = rows.counts.iter().zip(rows.displacements).filter(|(count, _)| **count > 0);
    let end = ends.map(|(count, start)| i64::from(*count) + i64::from(*start)).max().unwrap_or(0);
    let bytes = usize::try_from(end).unwrap_or(0) * unit;
    // SAFETY: the buffer has all that counts and displacements say.
    Input { bytes: unsafe { many(given.buffer, bytes) }, rows: Some(rows) }
}

/// # Safety
/// There is one of both for each of `size` ranks.
unsafe fn rows<'a>(counts: *const c_int, displacements: *const c_int, size: usize) -> Rows<'a> {
    // SAFETY: by the contract.
    unsafe { Rows { counts: many(counts, size), displacements: many(displacements, size) } }
}

/// Writes a result of the last run of a chain to `to`, which nothing is written to if this rank
/// gets none. Returns 0, or 1 with a message.
///
/// # Safety
/// `chain` is a string, and `to` has room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netfold_fused_take(
    job: i64,
    chain: *const c_char,
    result: usize,
    to: *mut c_void,
) -> c_int {
    with_job(job, |job| {
        // SAFETY: by the contract.
        let text = unsafe { string(chain, "the chain")? };
        let bytes = job.take(text, result)?;
        if !bytes.is_empty() {
            // SAFETY: there is room for them.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len()) };
        }
        Ok(())
    })
}

/// Writes the rows that a chain has received to `to`, where displacements say. Returns 0, or 1 with
/// a message.
///
/// # Safety
/// `chain` is a string, there is one count and displacement for each rank, and `to` has room for
/// what they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn netfold_fused_take_rows(
    job: i64,
    chain: *const c_char,
    result: usize,
    to: *mut c_void,
    counts: *const c_int,
    displacements: *const c_int,
) -> c_int {
    with_job(job, |job| {
        // SAFETY: by the contract.
        let (text, rows) =
            unsafe { (string(chain, "the chain")?, rows(counts, displacements, job.size())) };
        job.take_rows(text, result, rows, |start, row| {
            // SAFETY: there is room for what counts and displacements say.
            unsafe { ptr::copy_nonoverlapping(row.as_ptr(), to.cast::<u8>().add(start), row.len()) }
        })
    })
}

/// Returns the message of the last call of this thread that failed. It is valid until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn netfold_fused_error() -> *const c_char {
    MESSAGE.with_borrow(|message| message.as_ptr())
}

/// Leaves a job, and does nothing for one that was left.
#[unsafe(no_mangle)]
pub extern "C" fn netfold_fused_leave(job: i64) {
    let left = jobs().remove(&job);
    guarded((), || {
        if let Some(job) = left {
            job.lock().unwrap_or_else(PoisonError::into_inner).close();
        }
        Ok(())
    });
}

/// Leaves all jobs of the process.
#[unsafe(no_mangle)]
pub extern "C" fn netfold_fused_leave_all() {
    let all: Vec<i64> = jobs().keys().copied().collect();
    all.into_iter().for_each(|job| netfold_fused_leave(job));
}
