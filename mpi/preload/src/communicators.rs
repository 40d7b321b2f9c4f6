//! The program's communicators, and the netfold jobs of those that have one (R-MPI-9).

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, RwLock};

use netfold::raw::Communicator;
use netfold::{Arithmetic, Waiting};
use netfold_mpi::{Kind, Place, Refusal, Sizes};

use crate::failure::say;
use crate::host::{Host, host};
use crate::job::{agreed, terms};
use crate::{persistent, requests};

/// A communicator of the program that has a netfold job.
pub(crate) struct Net {
    /// Its handle, as long as the program has not freed it.
    handle: usize,
    /// This rank's number in it.
    pub(crate) rank: u16,
    /// Its ranks.
    pub(crate) size: u16,
    /// Another rank than this one, by its number in `MPI_COMM_WORLD`.
    pub(crate) other: c_int,
    /// The job.
    pub(crate) job: Communicator,
    /// The place of its ranks.
    pub(crate) place: Place,
    /// The calls that pay.
    pub(crate) sizes: Sizes,
    /// The job's arithmetic.
    pub(crate) arithmetic: Arithmetic,
    /// It has failed, and its user has been told.
    pub(crate) failed: AtomicBool,
    is_freed: AtomicBool,
    /// Calls that pay, by collective and size class, of which some are sampled.
    pub(crate) calls: Mutex<HashMap<(Kind, u8), u64>>,
}

/// A communicator as it was found when it was used first.
type Found = Result<Arc<Net>, Refusal>;

static WORLD: OnceLock<Arc<Net>> = OnceLock::new();
static OTHERS: RwLock<Option<HashMap<usize, Found>>> = RwLock::new(None);
static KEY: OnceLock<c_int> = OnceLock::new();

/// Begins with the job of `MPI_COMM_WORLD`.
pub(crate) fn start(host: &Host, job: Communicator) {
    let world = Arc::new(Net::new(host.handles.world, job, None));
    // The first one stays.
    let _ = WORLD.set(world);
    let _ = KEY.set(key(host, freed as *const c_void));
}

/// Returns the key of an attribute whose end `ended` is told, and that no duplicate gets.
pub(crate) fn key(host: &Host, ended: *const c_void) -> c_int {
    let (mut key, nothing) = (0, std::ptr::null_mut());
    // SAFETY: the functions have the signatures of attribute callbacks.
    unsafe { (host.call.comm_create_keyval)(copy as *const c_void, ended, &raw mut key, nothing) };
    key
}

/// Returns the communicator of a handle, if its collectives can be taken. With `may_join` it gets
/// its job now if it has none: all its ranks make their first collective that blocks (R-MPI-9).
///
/// # Errors
/// The reason for which the host carries them out.
#[inline]
pub(crate) fn of(host: &Host, handle: usize, may_join: bool) -> Found {
    if let Some(world) = world(handle) {
        return Ok(world.clone());
    }
    let world = WORLD.get().ok_or(Refusal::Alone)?;
    other(host, world, handle, may_join)
}

/// Returns the communicator of a handle, if it is `MPI_COMM_WORLD`. Most calls are on it, and those
/// of the host are to take no longer than without this library.
#[inline]
pub(crate) fn world(handle: usize) -> Option<&'static Arc<Net>> {
    WORLD.get().filter(|world| world.handle == handle)
}

fn other(host: &Host, world: &Net, handle: usize, may_join: bool) -> Found {
    let known = OTHERS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known.as_ref().and_then(|known| known.get(&handle)) {
        return found.clone();
    }
    drop(known);
    if !may_join || handle == host.handles.null_communicator {
        return Err(Refusal::Form);
    }
    let found = join(host, world, handle);
    let key = *KEY.get().ok_or(Refusal::Alone)?;
    // SAFETY: the key is this library's; the attribute has no value, and is there for its end.
    if unsafe { (host.call.comm_set_attr)(handle, key, std::ptr::null_mut()) } == 0 {
        let mut known = OTHERS.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().insert(handle, found.clone());
    }
    found
}

/// Joins the job of a communicator. All its ranks do so.
fn join(host: &Host, world: &Net, handle: usize) -> Found {
    let (mut inter, mut size) = (0, 0);
    // SAFETY: the results are variables of this frame, and the handle is the program's.
    unsafe {
        if (host.call.comm_test_inter)(handle, &raw mut inter) != 0
            || (host.call.comm_size)(handle, &raw mut size) != 0
        {
            return Err(Refusal::Arguments);
        }
    }
    if inter != 0 {
        return Err(Refusal::Inter);
    }
    if size < 2 {
        return Err(Refusal::Alone);
    }
    let table = &terms().ok_or(Refusal::Alone)?.table;
    let pays_none = |place| table.sizes(place, size as u16).is_empty();
    if pays_none(world.place) && pays_none(Place::Host) {
        return Err(Refusal::Table);
    }
    form(host, world, handle, size)
}

/// Returns a job of its own for the ranks of a communicator; all of them make this call. Its calls
/// are matched with each other alone.
///
/// # Errors
/// [`Refusal::Alone`], at all ranks.
pub(crate) fn own(host: &Host, net: &Net) -> Found {
    let world = WORLD.get().ok_or(Refusal::Alone)?;
    form(host, world, net.handle, net.size.into())
}

/// Forms a job of a communicator's ranks.
fn form(host: &Host, world: &Net, handle: usize, size: c_int) -> Found {
    let ranks = world_ranks(host, world.handle, handle, size).ok_or(Refusal::Alone)?;
    // Rank 0 names the job, so that two communicators of the same ranks are not mixed up.
    let mut label = rand::random::<u64>();
    let length = size_of::<u64>() as c_int;
    // SAFETY: all ranks of the communicator make this call, on a variable of their frames.
    unsafe { (host.call.bcast)((&raw mut label).cast(), length, host.handles.byte, 0, handle) };
    // Another rank may wait for a message of this one before it comes here.
    let waiting = |_: &Waiting| {
        host.progress(world.other);
        ControlFlow::Continue(())
    };
    let job = world.job.subgroup(&ranks, &format!(" {label:016x}"), None, waiting);
    let all = agreed(host, handle, job.is_ok());
    match job {
        Ok(job) if all => Ok(Arc::new(Net::new(handle, job, Some(world)))),
        Ok(_) => Err(Refusal::Alone),
        Err(why) => {
            // Of hundreds, one line: the reason is mostly the same.
            static ONCE: Once = Once::new();
            let rank = world.rank;
            ONCE.call_once(|| {
                say(&format!(
                    "rank {rank}: a communicator or a persistent call stays with the program's \
                     MPI, and others may do so, too, without being told: {why}"
                ))
            });
            Err(Refusal::Alone)
        }
    }
}

/// Returns the numbers in `MPI_COMM_WORLD` of a communicator's ranks; `None` if one has none.
fn world_ranks(host: &Host, world: usize, handle: usize, size: c_int) -> Option<Vec<u16>> {
    let own: Vec<c_int> = (0..size).collect();
    let mut theirs = vec![-1; own.len()];
    let (mut group, mut all) = (0, 0);
    // SAFETY: both lists have as many numbers as the communicator has ranks, and the groups are
    // freed here.
    unsafe {
        (host.call.comm_group)(handle, &raw mut group);
        (host.call.comm_group)(world, &raw mut all);
        let of = own.as_ptr();
        (host.call.group_translate_ranks)(group, size, of, all, theirs.as_mut_ptr());
        (host.call.group_free)(&raw mut group);
        (host.call.group_free)(&raw mut all);
    }
    theirs.into_iter().map(|rank| u16::try_from(rank).ok()).collect()
}

impl Net {
    fn new(handle: usize, job: Communicator, world: Option<&Self>) -> Self {
        let shares = job.stats().is_ok_and(|stats| {
            stats.transport == netfold::Transport::Shm || stats.host_workers == stats.workers
        });
        let place = if shares { Place::Host } else { Place::Network };
        let (rank, size, arithmetic) = (job.rank(), job.size(), job.arithmetic());
        let [failed, is_freed] = [false; 2].map(AtomicBool::new);
        let calls = Mutex::default();
        let other = world.map_or((c_int::from(rank) + 1) % c_int::from(size), |world| world.other);
        let sizes = terms().map_or_else(Sizes::default, |terms| terms.table.sizes(place, size));
        Self { handle, rank, size, other, job, place, sizes, arithmetic, failed, is_freed, calls }
    }
}

impl Net {
    /// Returns a communicator of the host for what concerns this rank alone: the program's, or
    /// `MPI_COMM_WORLD` if the program has freed that before it started a persistent call on it.
    pub(crate) fn communicator(&self, host: &Host) -> usize {
        if self.is_freed.load(Ordering::SeqCst) { host.handles.world } else { self.handle }
    }

    /// Notes that the program has freed a communicator, if it is this one.
    pub(crate) fn forget(&self, freed: usize) {
        if self.handle == freed {
            self.is_freed.store(true, Ordering::SeqCst);
        }
    }
}

/// Leaves all jobs.
pub(crate) fn close() {
    let others = OTHERS.write().unwrap_or_else(PoisonError::into_inner).take();
    others.into_iter().flatten().flat_map(|(_, found)| found).for_each(|net| net.job.close());
    if let Some(world) = WORLD.get() {
        world.job.close();
    }
}

/// Keeps the attribute from being copied to a duplicate of its communicator.
extern "C" fn copy(
    _communicator: usize,
    _key: c_int,
    _extra: *mut c_void,
    _value: *mut c_void,
    _copy: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: MPI gives the callback a flag to set.
    unsafe { *flag = 0 };
    0
}

/// Leaves the job of a communicator that is freed: its handle may come again.
extern "C" fn freed(
    communicator: usize,
    _key: c_int,
    _value: *mut c_void,
    _extra: *mut c_void,
) -> c_int {
    if let Some(host) = host() {
        let mut known = OTHERS.write().unwrap_or_else(PoisonError::into_inner);
        let found = known.as_mut().and_then(|known| known.remove(&host.handle(communicator)));
        drop(known);
        if let Some(Ok(net)) = found {
            requests::complete_all(host, &net);
            net.job.close();
        }
        persistent::freed(host.handle(communicator));
    }
    0
}
