//! Functions that make and free operations of the program, in C and in Fortran (R-MPI-18).

use std::ffi::c_int;
use std::mem::transmute;

use super::{NO_FUNCTION, by_host, named};
use crate::host::{Host, Next, host};
use crate::operations;
use crate::requests::Spelling;

macro_rules! functions {
    ($([$name:literal] [$next:literal] $spelling:ident ($($argument:ident),*) $work:ident;)*) => {$(
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn of_operations($($argument: usize),*) -> c_int {
                $work(Spelling::$spelling, &[$($argument),*], || {
                    by_host!([$next] ($($argument => usize),*) else NO_FUNCTION)
                })
            }
        };
    )*};
}

functions! {
    ["MPI_Op_create"] ["PMPI_Op_create"] C (function, commutes, op) makes;
    ["MPI_Op_create_c"] ["PMPI_Op_create_c"] C (function, commutes, op) makes;
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
