//! Arguments of a function with counts of type `MPI_Count`, as those of the one with `int`, which a
//! host may have alone.

use std::collections::BTreeSet;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

use netfold_mpi::Kind;

use super::counts::in_common;
use crate::arguments::Arguments;
use crate::host::host;

/// Lengths of the arrays of a call: a number for each rank, or 0 where MPI does not read them.
pub(crate) struct Lengths {
    sent: usize,
    received: usize,
}

impl Lengths {
    pub(crate) fn of(kind: Kind, arguments: &Arguments) -> Self {
        let Some(host) = host() else { return Self { sent: 0, received: 0 } };
        let &Arguments { comm, root, send, .. } = arguments;
        let (mut inter, mut size, mut rank) = (0, 0, 0);
        // SAFETY: the results are variables of this frame, and the handle is the program's. What
        // the host refuses stays 0.
        unsafe {
            (host.call.comm_test_inter)(comm, &raw mut inter);
            (host.call.comm_rank)(comm, &raw mut rank);
            // Between groups, arrays are about the other one, but for what a group shares out.
            let size_of = if inter != 0 && kind != Kind::ReduceScatter {
                host.call.comm_remote_size
            } else {
                host.call.comm_size
            };
            size_of(comm, &raw mut size);
        }
        let is_read = match kind {
            Kind::Gatherv | Kind::Scatterv if inter != 0 => root == host.handles.root,
            Kind::Gatherv | Kind::Scatterv => root == rank,
            _ => true,
        };
        let received = if is_read { usize::try_from(size).unwrap_or(0) } else { 0 };
        let in_place = send as usize == host.handles.in_place;
        Self { sent: if in_place { 0 } else { received }, received }
    }

    /// Returns the length of an array, by the name of its argument.
    pub(crate) fn of_argument(&self, name: &str) -> usize {
        if name.starts_with('s') { self.sent } else { self.received }
    }
}

macro_rules! unchanged {
    ($($is:ident: $of:ty),*) => {
        $(
            pub(crate) fn $is(value: $of, _: impl Fn() -> usize) -> Option<$of> {
                Some(value)
            }
        )*
    };
}

in_common!(unchanged);

/// Returns a count; `None` if an `int` does not hold it.
pub(crate) fn Count(count: i64, _: impl Fn() -> usize) -> Option<c_int> {
    c_int::try_from(count).ok()
}

/// Returns the numbers of an array, whose length `len` gives; `None` if an `int` does not hold all
/// of them.
pub(crate) fn Counts(counts: *const i64, len: impl Fn() -> usize) -> Option<Vec<c_int>> {
    // SAFETY: the array has so many numbers where MPI reads it; a null one is not looked at by its
    // caller.
    let one = |at| unsafe { c_int::try_from(*counts.add(at)).ok() };
    if counts.is_null() { Some(Vec::new()) } else { (0..len()).map(one).collect() }
}

pub(crate) use Counts as Displs;

/// A value as an argument of this type.
pub(crate) trait Given<T> {
    /// Returns the argument of a function that has read it when it returns.
    fn given(&self) -> T;

    /// Returns the argument of a function that may read it later.
    fn kept(&self) -> T;
}

impl<T: Copy> Given<T> for T {
    fn given(&self) -> T {
        *self
    }

    fn kept(&self) -> T {
        *self
    }
}

impl Given<*const c_int> for Vec<c_int> {
    fn given(&self) -> *const c_int {
        self.as_ptr()
    }

    /// Keeps the numbers for good, once for all calls with the same ones: the host does not tell
    /// when it has read them.
    fn kept(&self) -> *const c_int {
        static KEPT: Mutex<BTreeSet<&'static [c_int]>> = Mutex::new(BTreeSet::new());
        let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = all.get(self.as_slice()) {
            return kept.as_ptr();
        }
        let kept: &'static [c_int] = self.clone().leak();
        all.insert(kept);
        kept.as_ptr()
    }
}
