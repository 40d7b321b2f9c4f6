//! The report of all ranks (R-MPI-12).

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use netfold_mpi::{Class, Line, Report};

use crate::host::Host;

static REPORT: Mutex<Option<Report>> = Mutex::new(None);

/// Counts a call of this rank.
pub(crate) fn count(class: Class, took: Duration) {
    let mut report = REPORT.lock().unwrap_or_else(PoisonError::into_inner);
    report.get_or_insert_default().count(class, took.as_nanos() as u64);
}

/// Prints the report of all ranks at rank 0. All ranks call this.
pub(crate) fn print(host: &Host) {
    let own = REPORT.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    let lines: Vec<Line> = own.lines();
    let (mut rank, mut size): (c_int, c_int) = (0, 0);
    // SAFETY: the results are variables of this frame.
    unsafe {
        (host.call.comm_rank)(host.handles.world, &raw mut rank);
        (host.call.comm_size)(host.handles.world, &raw mut size);
    }
    // The host only moves them: their sign does not count.
    let number = host.handles.long;
    let own = lines.as_flattened();
    let length = own.len() as c_int;
    let mut lengths = vec![0 as c_int; size as usize];
    let bytes = size_of::<c_int>() as c_int;
    // SAFETY: all ranks make this call; rank 0 has room for a length of each.
    unsafe {
        (host.call.gather)(
            (&raw const length).cast(),
            bytes,
            host.handles.byte,
            lengths.as_mut_ptr().cast(),
            bytes,
            host.handles.byte,
            0,
            host.handles.world,
        );
    }
    let mut places = vec![0 as c_int; lengths.len()];
    for at in 1..lengths.len() {
        places[at] = places[at - 1] + lengths[at - 1];
    }
    let mut all: Vec<u64> = vec![0; lengths.iter().map(|length| *length as usize).sum()];
    // SAFETY: all ranks make this call; rank 0 has room for what they have said they send.
    unsafe {
        (host.call.gatherv)(
            own.as_ptr().cast(),
            length,
            number,
            all.as_mut_ptr().cast(),
            lengths.as_ptr(),
            places.as_ptr(),
            number,
            0,
            host.handles.world,
        );
    }
    if rank == 0 {
        let mut report = Report::default();
        report.add(all.as_chunks().0);
        eprint!("{}", report.text(size as u16));
    }
}
