//! Functions that make and free operations of the program, in C and in Fortran (R-MPI-18).

use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::ptr::with_exposed_provenance;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{by_host, missing, named, no_function};
use crate::host::{Host, Next, host};
use crate::operations;
use crate::requests::Spelling;

macro_rules! functions {
    ($(
        [$name:literal] [$next:literal] $spelling:ident ($($argument:ident),*) $work:ident
        $(else $missing:expr)?;
    )*) => {$(
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn of_operations($($argument: usize),*) -> c_int {
                $work(Spelling::$spelling, &[$($argument),*], || {
                    by_host!([$next] ($($argument => usize),*)
                        else missing!($($missing)?))
                })
            }
        };
    )*};
}

functions! {
    ["MPI_Op_create"] ["PMPI_Op_create"] C (function, commutes, op) makes;
    ["MPI_Op_create_c"] ["PMPI_Op_create_c"] C (function, commutes, op) makes
        else match narrowed(function) {
            None => no_function(),
            Some(function) => by_host!(["PMPI_Op_create"]
                (function => usize, commutes => usize, op => usize) else no_function()),
        };
    ["mpi_op_create_"] ["mpi_op_create_"] Fortran (function, commutes, op, error) makes;
    ["mpi_op_create__"] ["mpi_op_create__"] Fortran (function, commutes, op, error) makes;
    ["ompi_op_create_f"] ["ompi_op_create_f"] Fortran (function, commutes, op, error) makes;
    ["mpi_op_create_f08_"] ["mpi_op_create_f08_"] Module (function, commutes, op, error) makes;
    ["MPI_Op_free"] ["PMPI_Op_free"] C (op) frees;
    ["mpi_op_free_"] ["mpi_op_free_"] Fortran (op, error) frees;
    ["mpi_op_free__"] ["mpi_op_free__"] Fortran (op, error) frees;
    ["ompi_op_free_f"] ["ompi_op_free_f"] Fortran (op, error) frees;
    ["mpi_op_free_f08_"] ["mpi_op_free_f08_"] Module (op, error) frees;
}

/// Returns the host, if an operation is taken note of here.
fn taken(spelling: Spelling) -> Option<&'static Host> {
    host().filter(|host| spelling.is_read(host))
}

fn makes(spelling: Spelling, arguments: &[usize], by_host: impl FnOnce() -> c_int) -> c_int {
    let code = by_host();
    let &[function, commutes, op, ..] = arguments else { return code };
    let Some(host) = taken(spelling) else { return code };
    let commutes = match spelling {
        Spelling::C if code != 0 => return code,
        Spelling::C => commutes as c_int != 0,
        // SAFETY: Fortran gives the address of a truth value.
        _ => unsafe { *(commutes as *const c_int) != 0 },
    };
    operations::note(operations::read(spelling, host, op), function, commutes);
    code
}

fn frees(spelling: Spelling, arguments: &[usize], by_host: impl FnOnce() -> c_int) -> c_int {
    if let (Some(host), &[op, ..]) = (taken(spelling), arguments) {
        operations::forget(operations::read(spelling, host, op));
    }
    by_host()
}

/// A program's function for an operation, with a length of type `int`.
type Small = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut c_void);
/// A program's function for an operation, with a length of type `MPI_Count`.
type Large = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut c_void);

/// Addresses of the program's functions with lengths of type `MPI_Count`; 0 marks a free place. A
/// host without `MPI_Op_create_c` calls the function at the same place of [`NARROWED`].
static FUNCTIONS: [AtomicUsize; NARROWED.len()] = [const { AtomicUsize::new(0) }; NARROWED.len()];

macro_rules! numbered {
    ($($number:literal)*) => {
        [$(narrowed_function::<$number>),*]
    };
}

/// Functions that hosts call, each for the function of the program at its place.
const NARROWED: [Small; 32] = numbered! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
};

unsafe extern "C" fn narrowed_function<const N: usize>(
    input: *mut c_void,
    output: *mut c_void,
    len: *mut c_int,
    of: *mut c_void,
) {
    let function = FUNCTIONS[N].load(Ordering::Relaxed);
    // SAFETY: it is the address that the program has given for a function of this type, since the
    // host was given this one for it. The arguments are those of the host.
    unsafe {
        let function = transmute::<*const c_void, Large>(with_exposed_provenance(function));
        let mut len = i64::from(*len);
        function(input, output, &raw mut len, of);
    }
}

/// Returns the address of a function with a length of type `int` that calls one of the program with
/// `MPI_Count`; `None` if the program has more such functions than there are places.
fn narrowed(function: usize) -> Option<usize> {
    let place = FUNCTIONS.iter().position(|place| {
        let taken = place.compare_exchange(0, function, Ordering::Relaxed, Ordering::Relaxed);
        taken.is_ok() || taken == Err(function)
    });
    place.map(|place| NARROWED[place] as usize)
}
