//! Functions that begin and end MPI, in C and in Fortran (R-MPI-11).

use std::ffi::{c_int, c_void};
use std::mem::transmute;

use super::{by_host, named, no_function};
use crate::host::Next;
use crate::job;

macro_rules! phases {
    ($([$($name:literal),*] [$($next:literal),*] ($($argument:ident: $of:ty),*) $moment:ident;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn phase($($argument: $of),*) -> c_int {
                $moment(|| by_host!([$($next),*] ($($argument => $of),*) else no_function()))
            }
        };
    )*};
}

/// A phase in C, and as Fortran compilers spell its name.
macro_rules! spelt {
    ($c:literal $fortran:literal ($($in_c:tt)*) ($($in_fortran:tt)*) $moment:ident) => {
        phases! {
            ["MPI_", $c] ["PMPI_", $c] ($($in_c)*) $moment;
            ["mpi_", $fortran, "_"] ["mpi_", $fortran, "_"] ($($in_fortran)*) $moment;
            ["mpi_", $fortran, "__"] ["mpi_", $fortran, "__"] ($($in_fortran)*) $moment;
            ["ompi_", $fortran, "_f"] ["ompi_", $fortran, "_f"] ($($in_fortran)*) $moment;
            ["mpi_", $fortran, "_f08_"] ["mpi_", $fortran, "_f08_"] ($($in_fortran)*) $moment;
        }
    };
}

spelt! { "Init" "init" (count: *mut c_int, words: *mut c_void) (error: *mut c_int) begins }
spelt! {
    "Init_thread" "init_thread"
    (count: *mut c_int, words: *mut c_void, needed: c_int, given: *mut c_int)
    (needed: *mut c_int, given: *mut c_int, error: *mut c_int)
    begins
}
spelt! { "Finalize" "finalize" () (error: *mut c_int) ends }

fn begins(by_host: impl FnOnce() -> c_int) -> c_int {
    let code = by_host();
    job::start();
    code
}

fn ends(by_host: impl FnOnce() -> c_int) -> c_int {
    job::finish();
    by_host()
}
