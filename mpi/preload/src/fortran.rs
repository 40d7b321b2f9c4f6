//! Arguments of Fortran: all by address, and handles as integers (R-MPI-2).

#![expect(non_snake_case, reason = "named as the kinds of arguments in `entries`")]

use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;

use crate::arguments::Numbers;
use crate::host::{Next, object};

macro_rules! converted {
    ($($name:ident = $function:literal),*) => {$(
        /// Returns the handle of C for one of Fortran. In MPICH both are the same integer, and no
        /// function is there.
        pub(crate) unsafe fn $name(handle: *const c_void) -> usize {
            static CONVERT: Next = Next::new($function);
            // SAFETY: Fortran gives the address of an integer.
            let handle = unsafe { *handle.cast::<c_int>() };
            let Some(convert) = CONVERT.get() else { return handle as u32 as usize };
            // SAFETY: MPI's standard gives the function this signature.
            unsafe {
                let convert: unsafe extern "C" fn(c_int) -> usize = transmute(convert);
                convert(handle)
            }
        }
    )*};
}

converted! {
    Comm = c"PMPI_Comm_f2c",
    Type = c"PMPI_Type_f2c",
    Op = c"PMPI_Op_f2c",
    Request = c"PMPI_Request_f2c"
}

/// Calls a function that tells its code by address, and returns the code.
pub(crate) fn code(call: &dyn Fn(*mut c_int)) -> c_int {
    let mut code = 0;
    call(&raw mut code);
    code
}

/// Tells a caller a code, unless it has left the argument out.
pub(crate) fn tell(code: c_int, error: *mut c_int) {
    if !error.is_null() {
        // SAFETY: Fortran gives the address of an integer.
        unsafe { *error = code };
    }
}

/// Returns the handle of Fortran for a request of C.
pub(crate) fn of_request(handle: usize) -> c_int {
    static CONVERT: Next = Next::new(c"PMPI_Request_c2f");
    let Some(convert) = CONVERT.get() else { return handle as c_int };
    // SAFETY: MPI's standard gives the function this signature.
    unsafe {
        let convert: unsafe extern "C" fn(usize) -> c_int = transmute(convert);
        convert(handle)
    }
}

pub(crate) unsafe fn Count(count: *const c_void) -> Numbers {
    // SAFETY: Fortran gives the address of an integer.
    Numbers::One(unsafe { *count.cast::<c_int>() }.into())
}

pub(crate) unsafe fn Counts(counts: *const c_void) -> Numbers {
    Numbers::Ints(counts.cast())
}

pub(crate) unsafe fn Displs(places: *const c_void) -> Numbers {
    Numbers::Ints(places.cast())
}

pub(crate) unsafe fn Root(root: *const c_void) -> c_int {
    // SAFETY: Fortran gives the address of an integer.
    unsafe { *root.cast::<c_int>() }
}

pub(crate) unsafe fn Send(buffer: *const c_void) -> *const c_void {
    constant(buffer)
}

pub(crate) unsafe fn Recv(buffer: *const c_void) -> *mut c_void {
    constant(buffer).cast_mut()
}

/// Value of `MPI_IN_PLACE` in Open MPI's C.
const IN_PLACE_IN_C: usize = 1;

/// Returns an address as C means it: `MPI_IN_PLACE` and `MPI_BOTTOM` are variables in Fortran.
fn constant(buffer: *const c_void) -> *const c_void {
    const IN_PLACE: [&CStr; 4] = [
        c"mpi_fortran_in_place_",
        c"mpi_fortran_in_place__",
        c"mpi_fortran_in_place",
        c"MPI_FORTRAN_IN_PLACE",
    ];
    const BOTTOM: [&CStr; 4] = [
        c"mpi_fortran_bottom_",
        c"mpi_fortran_bottom__",
        c"mpi_fortran_bottom",
        c"MPI_FORTRAN_BOTTOM",
    ];
    static KNOWN: std::sync::OnceLock<[Vec<usize>; 2]> = std::sync::OnceLock::new();
    let [in_place, bottom] = KNOWN.get_or_init(|| {
        let found = |names: [&CStr; 4]| {
            names.iter().filter_map(|name| object(name)).map(|found| found as usize).collect()
        };
        [found(IN_PLACE), found(BOTTOM)]
    });
    match buffer as usize {
        address if in_place.contains(&address) => std::ptr::without_provenance(IN_PLACE_IN_C),
        address if bottom.contains(&address) => std::ptr::null(),
        _ => buffer,
    }
}
