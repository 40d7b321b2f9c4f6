//! Functions that start, complete and free requests, in C and in Fortran (R-MPI-13, R-MPI-14).

use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::time::Duration;

use super::{NO_FUNCTION, by_host, named};
use crate::host::{Next, host};
use crate::persistent;
use crate::requests::{self, Before, Row, Spelling};
use crate::task::WaitTimes;

/// Arguments as they came, each in a register of its own.
type Words<'a> = &'a [usize];

/// Place of the requests among a function's arguments.
#[derive(Clone, Copy)]
enum Place {
    /// The first argument is the address of one.
    One,
    /// The first argument is their number, the second their address.
    Many,
    /// The first argument is one in C, and its address in Fortran.
    Value,
}

impl Place {
    /// Returns the requests, which may be among the words.
    ///
    /// # Safety
    /// The words are the arguments of a function of MPI.
    unsafe fn row(self, spelling: Spelling, words: Words<'_>) -> Row {
        let (address, count) = match (self, spelling) {
            (Self::Value, Spelling::C) => (words.as_ptr().cast(), 1),
            (Self::One | Self::Value, _) => (words[0] as *const c_void, 1),
            (Self::Many, Spelling::C) => (words[1] as *const c_void, words[0] as c_int),
            (Self::Many, Spelling::Fortran) => {
                // SAFETY: Fortran gives the address of an integer.
                (words[1] as *const c_void, unsafe { *(words[0] as *const c_int) })
            }
        };
        // What Fortran's functions do not read here, those of C do, which they call.
        let is_taken = host().is_some_and(|host| spelling.is_taken(host));
        let count = if address.is_null() || !is_taken { 0 } else { count.max(0) as usize };
        Row { spelling, address, count }
    }
}

/// Has the host complete requests, or look at them, after those of netfold have had their turn.
fn completes(row: Row, what: Before, by_host: impl FnOnce() -> c_int) -> c_int {
    let Some(host) = host() else { return by_host() };
    let watched = requests::before(host, row, what);
    let told = watched.told;
    let code = by_host();
    requests::after(host, row, watched);
    if code == 0 { told } else { code }
}

fn waits_for_all(row: Row, by_host: impl FnOnce() -> c_int) -> c_int {
    completes(row, Before::Complete, by_host)
}

/// Looks once, and gives no time to what is not done.
fn looks(row: Row, by_host: impl FnOnce() -> c_int) -> c_int {
    completes(row, Before::Look(Duration::ZERO), by_host)
}

fn frees(row: Row, by_host: impl FnOnce() -> c_int) -> c_int {
    completes(row, Before::Complete, || {
        if let Some(host) = host() {
            persistent::forget(host, row);
        }
        by_host()
    })
}

fn starts(row: Row, by_host: impl FnOnce() -> c_int) -> c_int {
    let code = by_host();
    match host().filter(|host| row.spelling.is_taken(host)) {
        Some(host) if code == 0 => persistent::start(host, row),
        _ => code,
    }
}

/// Waits for some of the requests by `test`, which returns its code and whether that is the end, if
/// netfold has a part in them: the host's own function would wait for the host alone.
fn waits(row: Row, by_host: impl FnOnce() -> c_int, test: impl Fn() -> (c_int, bool)) -> c_int {
    let Some(host) = host() else { return by_host() };
    if !requests::has_own(host, row) {
        return looks(row, by_host);
    }
    let (mut times, mut limit) = (WaitTimes::default(), Duration::ZERO);
    loop {
        let mut ends = false;
        let code = completes(row, Before::Look(limit), || {
            let (code, end) = test();
            ends = end;
            code
        });
        if ends {
            return code;
        }
        limit = times.next();
    }
}

/// Returns whether a function has told a number other than 0 at an address.
fn told(address: usize) -> bool {
    let address = address as *const c_int;
    // SAFETY: the program gives the address of an integer, or leaves it out.
    !address.is_null() && unsafe { *address } != 0
}

macro_rules! requests {
    ($([$($name:literal),*] [$($next:literal),*] $spelling:ident
        ($($argument:ident),*) $place:ident $work:ident;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn of_requests($($argument: usize),*) -> c_int {
                let by_host = || by_host!([$($next),*] ($($argument => usize),*) else NO_FUNCTION);
                if !requests::any() {
                    return by_host();
                }
                let words = [$($argument),*];
                // SAFETY: the words are the arguments, and stay until the end.
                let row = unsafe { Place::$place.row(Spelling::$spelling, &words) };
                $work(row, by_host)
            }
        };
    )*};
}

/// A function in C, and as Fortran compilers spell its name.
macro_rules! spelt {
    ($($c:literal $fortran:literal ($($argument:ident),*) $place:ident $work:ident;)*) => {$(
        requests! {
            ["MPI_", $c] ["PMPI_", $c] C ($($argument),*) $place $work;
            ["mpi_", $fortran, "_"] ["mpi_", $fortran, "_"]
                Fortran ($($argument,)* error) $place $work;
            ["mpi_", $fortran, "__"] ["mpi_", $fortran, "__"]
                Fortran ($($argument,)* error) $place $work;
            ["ompi_", $fortran, "_f"] ["ompi_", $fortran, "_f"]
                Fortran ($($argument,)* error) $place $work;
        }
    )*};
}

spelt! {
    "Start" "start" (request) One starts;
    "Startall" "startall" (count, requests) Many starts;
    "Wait" "wait" (request, status) One waits_for_all;
    "Waitall" "waitall" (count, requests, statuses) Many waits_for_all;
    "Request_free" "request_free" (request) One frees;
    "Test" "test" (request, flag, status) One looks;
    "Testall" "testall" (count, requests, flag, statuses) Many looks;
    "Testany" "testany" (count, requests, index, flag, status) Many looks;
    "Testsome" "testsome" (count, requests, number, indices, statuses) Many looks;
    "Request_get_status" "request_get_status" (request, flag, status) Value looks;
    "Request_get_status_all" "request_get_status_all" (count, requests, flag, statuses) Many looks;
    "Request_get_status_any" "request_get_status_any"
        (count, requests, index, flag, status) Many looks;
    "Request_get_status_some" "request_get_status_some"
        (count, requests, number, indices, statuses) Many looks;
}

/// Functions that wait for some of their requests, each with the one that tests for the same, and
/// what that tells at the end.
macro_rules! waiting {
    ($([$($name:literal),*] [$($next:literal),*] $spelling:ident ($($argument:ident),*)
        [$($test:literal),*] ($($tested:expr),*) $flag:ident $code:ident $ends:expr;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn waiting($($argument: usize),*) -> c_int {
                let by_host = || by_host!([$($next),*] ($($argument => usize),*) else NO_FUNCTION);
                if !requests::any() {
                    return by_host();
                }
                // SAFETY: the words are the arguments.
                let row = unsafe { Place::Many.row(Spelling::$spelling, &[$($argument),*]) };
                waits(row, by_host, || {
                    let mut told_here: c_int = 0;
                    let $flag = (&raw mut told_here).expose_provenance();
                    let $code = by_host!([$($test),*] ($($tested => usize),*) else NO_FUNCTION);
                    ($code, $ends || told($flag))
                })
            }
        };
    )*};
}

/// Such a function in C, where its code tells of an error, and as Fortran compilers spell its name,
/// where the last argument does.
macro_rules! waiting_spelt {
    ($($c:literal $fortran:literal ($($argument:ident),*) $test:literal $test_fortran:literal
        ($($tested:ident),*) $flag:ident $also:expr;)*) => {$(
        waiting! {
            ["MPI_", $c] ["PMPI_", $c] C ($($argument),*)
                ["PMPI_", $test] ($($tested),*) $flag code code != 0 || $also;
            ["mpi_", $fortran, "_"] ["mpi_", $fortran, "_"] Fortran ($($argument,)* error)
                ["mpi_", $test_fortran, "_"] ($($tested,)* error) $flag code told(error) || $also;
            ["mpi_", $fortran, "__"] ["mpi_", $fortran, "__"] Fortran ($($argument,)* error)
                ["mpi_", $test_fortran, "__"] ($($tested,)* error) $flag code told(error) || $also;
            ["ompi_", $fortran, "_f"] ["ompi_", $fortran, "_f"] Fortran ($($argument,)* error)
                ["ompi_", $test_fortran, "_f"] ($($tested,)* error) $flag code told(error) || $also;
        }
    )*};
}

waiting_spelt! {
    "Waitany" "waitany" (count, requests, index, status)
        "Testany" "testany" (count, requests, index, flag, status) flag false;
    "Waitsome" "waitsome" (count, requests, number, indices, statuses)
        "Testsome" "testsome" (count, requests, number, indices, statuses) flag told(number);
}
