//! Functions of MPI 4.1 that look at several requests of a program in C, by the one that looks at a
//! single request, which a host may have alone (R-MPI-1).

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use super::no_function;
use crate::host::{Host, host};
use crate::requests::{Row, Spelling};

/// Requests, and where the statuses of those that are complete go.
struct Requests {
    host: &'static Host,
    requests: Vec<usize>,
    statuses: usize,
}

impl Requests {
    fn new(count: usize, requests: usize, statuses: usize) -> Option<Self> {
        let host = host()?;
        let count = usize::try_from(count as c_int).unwrap_or(0);
        let row = Row { spelling: Spelling::C, address: requests as *const c_void, count };
        Some(Self { host, requests: row.read(host), statuses })
    }

    /// Returns the numbers of the requests that are not null, and these.
    fn active(&self) -> impl Iterator<Item = (usize, usize)> {
        let null = self.host.handles.null_request;
        self.requests.iter().copied().enumerate().filter(move |(_, request)| *request != null)
    }

    /// Looks at a request. Returns whether it is complete; if so, its status is at a place.
    ///
    /// # Errors
    /// The code of the host.
    fn look(&self, request: usize, place: usize) -> Result<bool, c_int> {
        let handles = &self.host.handles;
        let mut status = self.statuses;
        if status != handles.statuses_ignore {
            status += place * handles.status_bytes;
        }
        let mut flag = 0;
        // SAFETY: the program has given the place, or that which stands for none.
        let code = unsafe {
            (self.host.call.request_get_status)(request, &raw mut flag, status as *mut c_void)
        };
        if code == 0 { Ok(flag != 0) } else { Err(code) }
    }
}

/// Writes a number to an address that the program has given.
fn put(address: usize, number: usize) {
    // SAFETY: it is that of an integer.
    unsafe { *(address as *mut c_int) = number as c_int };
}

/// `MPI_UNDEFINED` of all hosts.
const UNDEFINED: usize = -32766_isize as usize;

/// Returns the code of a look at requests: 0, or the host's error.
fn code(looked: Option<Result<(), c_int>>) -> c_int {
    looked.map_or_else(no_function, |looked| looked.err().unwrap_or(0))
}

/// `MPI_Request_get_status_all`
pub(super) fn all(count: usize, requests: usize, flag: usize, statuses: usize) -> c_int {
    let looks = |of: Requests| {
        for (place, &request) in of.requests.iter().enumerate() {
            if !of.look(request, place)? {
                put(flag, 0);
                return Ok(());
            }
        }
        put(flag, 1);
        Ok(())
    };
    code(Requests::new(count, requests, statuses).map(looks))
}

/// `MPI_Request_get_status_any`
pub(super) fn any(
    count: usize,
    requests: usize,
    index: usize,
    flag: usize,
    status: usize,
) -> c_int {
    let looks = |of: Requests| {
        if of.active().next().is_none() {
            let (index, flag) = (index as *mut c_int, flag as *mut c_int);
            let empty = status as *mut c_void;
            // SAFETY: the addresses are the program's. It tells of no request what this does.
            let code = unsafe { (of.host.call.testany)(0, null_mut(), index, flag, empty) };
            // An empty status has no error, of which a host may say nothing there.
            if code == 0 && status != of.host.handles.statuses_ignore {
                put(status + of.host.handles.status_error_at, 0);
            }
            return if code == 0 { Ok(()) } else { Err(code) };
        }
        put(flag, 0);
        for (number, request) in of.active() {
            if of.look(request, 0)? {
                put(index, number);
                put(flag, 1);
                break;
            }
        }
        Ok(())
    };
    code(Requests::new(count, requests, status).map(looks))
}

/// `MPI_Request_get_status_some`
pub(super) fn some(
    count: usize,
    requests: usize,
    number: usize,
    indices: usize,
    statuses: usize,
) -> c_int {
    let looks = |of: Requests| {
        let mut found = 0;
        for (at, request) in of.active() {
            if of.look(request, found)? {
                put(indices + found * size_of::<c_int>(), at);
                found += 1;
            }
        }
        put(number, if of.active().next().is_none() { UNDEFINED } else { found });
        Ok(())
    };
    code(Requests::new(count, requests, statuses).map(looks))
}
