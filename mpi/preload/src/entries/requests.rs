//! Functions that start, complete and free requests, in C and in Fortran (R-MPI-13, R-MPI-14).

use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::time::Duration;

use super::{by_host, missing, named, no_function, one_by_one};
use crate::host::{Next, host};
use crate::requests::{self, Before, Done, Row, Spelling};
use crate::task::WaitTimes;
use crate::{fortran, persistent, trace};

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
            (Self::Many, Spelling::Fortran | Spelling::Module) => {
                // SAFETY: Fortran gives the address of an integer.
                (words[1] as *const c_void, unsafe { *(words[0] as *const c_int) })
            }
        };
        // What Fortran's functions do not read here, those of C do, which they call.
        let is_read = host().is_some_and(|host| spelling.is_read(host));
        let count = if address.is_null() || !is_read { 0 } else { count.max(0) as usize };
        Row { spelling, address, count }
    }
}

/// Has the host complete requests, or look at them, after those of netfold have had their turn.
/// `done` gives those that the function tells to be complete, once it has returned.
fn completes(
    row: Row,
    what: Before,
    by_host: impl FnOnce() -> c_int,
    done: impl FnOnce() -> Done,
) -> c_int {
    let Some(host) = host() else { return by_host() };
    let watched = requests::before(host, row, what);
    let told = watched.told;
    let code = by_host();
    let done = if code == 0 { done() } else { Done::NONE };
    requests::after(host, row, &done, watched);
    if code == 0 { told } else { code }
}

fn waits_for_all(row: Row, by_host: impl FnOnce() -> c_int, done: impl FnOnce() -> Done) -> c_int {
    completes(row, Before::Complete, by_host, done)
}

/// Looks once, and gives no time to what is not done.
fn looks(row: Row, by_host: impl FnOnce() -> c_int, done: impl FnOnce() -> Done) -> c_int {
    completes(row, Before::Look(Duration::ZERO), by_host, done)
}

fn frees(row: Row, by_host: impl FnOnce() -> c_int, done: impl FnOnce() -> Done) -> c_int {
    let forgets = || {
        if let Some(host) = host() {
            persistent::forget(host, row);
            trace::forget(host, row);
        }
        by_host()
    };
    completes(row, Before::Complete, forgets, done)
}

fn starts(row: Row, by_host: impl FnOnce() -> c_int, _: impl FnOnce() -> Done) -> c_int {
    let Some(host) = host().filter(|host| row.spelling.is_taken(host)) else { return by_host() };
    let traced = |handle: usize| Some((handle, trace::start_again(handle)?));
    let started = row.read(host).into_iter().filter_map(traced).collect();
    let mut code = by_host();
    if code == 0 {
        code = persistent::start(host, row);
        requests::follow_again(host, started);
    }
    code
}

/// Waits for some of the requests by `test`, which returns its code and whether that is the end, if
/// netfold has a part in them: the host's own function would wait for the host alone.
fn waits(
    row: Row,
    by_host: impl FnOnce() -> c_int,
    test: impl Fn() -> (c_int, bool),
    done: impl Fn() -> Done,
) -> c_int {
    let Some(host) = host() else { return by_host() };
    if !requests::has_own(host, row) {
        return looks(row, by_host, done);
    }
    let (mut times, mut limit) = (WaitTimes::default(), Duration::ZERO);
    loop {
        let mut ends = false;
        let tests = || {
            let (code, end) = test();
            ends = end;
            code
        };
        let code = completes(row, Before::Look(limit), tests, &done);
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

/// Returns all requests if a function has told a number other than 0 at an address.
fn all_if(flag: usize) -> Done {
    if told(flag) { Done::All } else { Done::NONE }
}

/// Returns the requests of so many numbers at an address.
fn numbered(count: usize, numbers: usize) -> Done {
    let numbers = numbers as *const c_int;
    if numbers.is_null() {
        return Done::NONE;
    }
    // SAFETY: the function has told as many numbers at the address.
    Done::Numbers((0..count).map(|at| unsafe { *numbers.add(at) }).collect())
}

/// Returns the requests whose numbers are at an address, as many as another one tells.
fn some(number: usize, numbers: usize) -> Done {
    let number = number as *const c_int;
    // SAFETY: the program gives the address of an integer.
    let count = if number.is_null() { 0 } else { unsafe { *number } };
    numbered(count.max(0) as usize, numbers)
}

/// Returns the code of a function: what it has returned in C, and told in Fortran, where the
/// address for it is the last argument.
fn code_of(spelling: Spelling, words: Words<'_>, returned: c_int) -> c_int {
    let error = words[words.len() - 1] as *const c_int;
    match spelling {
        Spelling::C => returned,
        _ if error.is_null() => 0,
        // SAFETY: Fortran gives the address of an integer.
        _ => unsafe { *error },
    }
}

/// Tells a function's code where its language has it.
fn tell(spelling: Spelling, words: Words<'_>, code: c_int) -> c_int {
    if spelling != Spelling::C {
        fortran::tell(code, words[words.len() - 1] as *mut c_int);
    }
    code
}

macro_rules! requests {
    ($([$($name:literal),*] [$($next:literal),*] $spelling:ident
        ($($argument:ident),*) $place:ident $work:ident $done:expr $(, $missing:expr)?;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn of_requests($($argument: usize),*) -> c_int {
                let by_host = || {
                    by_host!([$($next),*] ($($argument => usize),*) else missing!($($missing)?))
                };
                if !requests::any() {
                    return by_host();
                }
                let (words, spelling) = ([$($argument),*], Spelling::$spelling);
                // SAFETY: the words are the arguments, and stay until the end.
                let row = unsafe { Place::$place.row(spelling, &words) };
                let by_host = || code_of(spelling, &words, by_host());
                tell(spelling, &words, $work(row, by_host, || $done))
            }
        };
    )*};
}

/// A function in C, and as Fortran compilers spell its name.
macro_rules! spelt {
    ($($c:literal $fortran:literal
        ($($argument:ident),*) $place:ident $work:ident $done:expr $(, $missing:expr)?;)*) => {$(
        requests! {
            ["MPI_", $c] ["PMPI_", $c] C ($($argument),*) $place $work $done $(, $missing)?;
            ["mpi_", $fortran, "_"] ["mpi_", $fortran, "_"]
                Fortran ($($argument,)* error) $place $work $done;
            ["mpi_", $fortran, "__"] ["mpi_", $fortran, "__"]
                Fortran ($($argument,)* error) $place $work $done;
            ["ompi_", $fortran, "_f"] ["ompi_", $fortran, "_f"]
                Fortran ($($argument,)* error) $place $work $done;
            ["mpi_", $fortran, "_f08_"] ["mpi_", $fortran, "_f08_"]
                Module ($($argument,)* error) $place $work $done;
        }
    )*};
}

spelt! {
    "Start" "start" (request) One starts Done::NONE;
    "Startall" "startall" (count, requests) Many starts Done::NONE;
    "Wait" "wait" (request, status) One waits_for_all Done::All;
    "Waitall" "waitall" (count, requests, statuses) Many waits_for_all Done::All;
    "Request_free" "request_free" (request) One frees Done::NONE;
    "Test" "test" (request, flag, status) One looks all_if(flag);
    "Testall" "testall" (count, requests, flag, statuses) Many looks all_if(flag);
    "Testany" "testany" (count, requests, index, flag, status) Many looks
        numbered(told(flag).into(), index);
    "Testsome" "testsome" (count, requests, number, indices, statuses) Many looks
        some(number, indices);
    "Request_get_status" "request_get_status" (request, flag, status) Value looks Done::NONE;
    "Request_get_status_all" "request_get_status_all" (count, requests, flag, statuses) Many looks
        Done::NONE, one_by_one::all(count, requests, flag, statuses);
    "Request_get_status_any" "request_get_status_any"
        (count, requests, index, flag, status) Many looks
        Done::NONE, one_by_one::any(count, requests, index, flag, status);
    "Request_get_status_some" "request_get_status_some"
        (count, requests, number, indices, statuses) Many looks
        Done::NONE, one_by_one::some(count, requests, number, indices, statuses);
}

/// Functions that wait for some of their requests, each with the one that tests for the same, what
/// else that tells at the end, and the requests that are complete then.
macro_rules! waiting {
    ($([$($name:literal),*] [$($next:literal),*] $spelling:ident ($($argument:ident),*)
        [$($test:literal),*] ($($tested:expr),*) $flag:ident $also:expr, $done:expr;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn waiting($($argument: usize),*) -> c_int {
                let by_host = || by_host!([$($next),*] ($($argument => usize),*) else no_function());
                if !requests::any() {
                    return by_host();
                }
                let (words, spelling) = ([$($argument),*], Spelling::$spelling);
                // SAFETY: the words are the arguments.
                let row = unsafe { Place::Many.row(spelling, &words) };
                let test = || {
                    let mut told_here: c_int = 0;
                    let $flag = (&raw mut told_here).expose_provenance();
                    let returned =
                        by_host!([$($test),*] ($($tested => usize),*) else no_function());
                    let code = code_of(spelling, &words, returned);
                    (code, code != 0 || told($flag) || $also)
                };
                let by_host = || code_of(spelling, &words, by_host());
                tell(spelling, &words, waits(row, by_host, test, || $done))
            }
        };
    )*};
}

/// Such a function in C, and as Fortran compilers spell its name.
macro_rules! waiting_spelt {
    ($($c:literal $fortran:literal ($($argument:ident),*) $test:literal $test_fortran:literal
        ($($tested:ident),*) $flag:ident $also:expr, $done:expr;)*) => {$(
        waiting! {
            ["MPI_", $c] ["PMPI_", $c] C ($($argument),*)
                ["PMPI_", $test] ($($tested),*) $flag $also, $done;
            ["mpi_", $fortran, "_"] ["mpi_", $fortran, "_"] Fortran ($($argument,)* error)
                ["mpi_", $test_fortran, "_"] ($($tested,)* error) $flag $also, $done;
            ["mpi_", $fortran, "__"] ["mpi_", $fortran, "__"] Fortran ($($argument,)* error)
                ["mpi_", $test_fortran, "__"] ($($tested,)* error) $flag $also, $done;
            ["ompi_", $fortran, "_f"] ["ompi_", $fortran, "_f"] Fortran ($($argument,)* error)
                ["ompi_", $test_fortran, "_f"] ($($tested,)* error) $flag $also, $done;
            ["mpi_", $fortran, "_f08_"] ["mpi_", $fortran, "_f08_"] Module ($($argument,)* error)
                ["mpi_", $test_fortran, "_f08_"] ($($tested,)* error) $flag $also, $done;
        }
    )*};
}

waiting_spelt! {
    "Waitany" "waitany" (count, requests, index, status)
        "Testany" "testany" (count, requests, index, flag, status)
        flag false, numbered(1, index);
    "Waitsome" "waitsome" (count, requests, number, indices, statuses)
        "Testsome" "testsome" (count, requests, number, indices, statuses)
        flag told(number), some(number, indices);
}
