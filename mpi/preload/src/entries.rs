//! The functions of MPI that this library defines in front of the host's: one table of collectives,
//! from which all their forms are made (R-MPI-1).

#![expect(non_snake_case, reason = "named as the kinds of arguments")]

mod counts;
mod narrow;
mod one_by_one;
mod operations;
mod phases;
mod requests;

use std::cell::LazyCell;
use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;

use netfold_mpi::Kind;

use crate::arguments::Arguments;
use crate::host::{Next, host};
use crate::requests::Spelling;
use crate::{call, fortran};
use counts::{large, small};

/// Returns `MPI_ERR_OTHER` of a host that lacks a function which its program calls.
fn no_function() -> c_int {
    host().map_or(16, |host| host.handles.other_error)
}

/// Returns a name that ends with a zero.
const fn named(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a name ends with a zero"),
    }
}

/// Calls a function of the host by its name, or gives another value where the host lacks it.
macro_rules! by_host {
    ([$($name:expr),*] ($($argument:expr => $of:ty),* $(,)?) else $missing:expr) => {{
        static NEXT: Next = Next::new(named(concat!($($name,)* "\0")));
        match NEXT.get() {
            None => $missing,
            Some(next) => {
                // SAFETY: the host's function has this signature, or returns nothing.
                unsafe {
                    let next: unsafe extern "C" fn($($of),*) -> c_int = transmute(next);
                    next($($argument),*)
                }
            }
        }
    }};
}
use by_host;

/// Calls the first of some functions that the host has, or gives another value.
macro_rules! by_first {
    ([] $arguments:tt else $missing:expr) => {
        $missing
    };
    ([$name:tt $($other:tt)*] $arguments:tt else $missing:expr) => {
        by_host!($name $arguments else by_first!([$($other)*] $arguments else $missing))
    };
}

/// Gives the value where the host lacks a function: that of another one, or an error code.
macro_rules! missing {
    () => {
        no_function()
    };
    ($missing:expr) => {
        $missing
    };
}
use missing;

/// Defines the forms of collectives (blocking, non-blocking, persistent): in C with both kinds of
/// counts, and in Fortran as each compiler spells names. The persistent ones of Open MPI 4 are an
/// extension, with names of their own.
macro_rules! collectives {
    ($($kind:ident $c:literal $fortran:literal $arguments:tt;)*) => {$(
        const _: () = {
            in_c!($kind $arguments small (request)
                concat!("MPI_", $c), ["PMPI_", $c] else no_function(),
                concat!("MPI_I", $fortran), ["PMPI_I", $fortran] else no_function());
            in_c!($kind $arguments large (request)
                concat!("MPI_", $c, "_c"), ["PMPI_", $c, "_c"]
                    else by_narrowing!($kind $arguments given (): ["PMPI_", $c]),
                concat!("MPI_I", $fortran, "_c"), ["PMPI_I", $fortran, "_c"]
                    else by_narrowing!($kind $arguments kept (request => *mut c_void):
                        ["PMPI_I", $fortran]));
            prepared_in_c!($kind $arguments small (request info) concat!("MPI_", $c, "_init"),
                [["PMPI_", $c, "_init"] ["PMPIX_", $c, "_init"]] else no_function());
            prepared_in_c!($kind $arguments small (request info) concat!("MPIX_", $c, "_init"),
                [["PMPIX_", $c, "_init"]] else no_function());
            prepared_in_c!($kind $arguments large (request info) concat!("MPI_", $c, "_init_c"),
                [["PMPI_", $c, "_init_c"]]
                    else by_narrowing!($kind $arguments kept
                        (info => usize, request => *mut c_void):
                        ["PMPI_", $c, "_init"] ["PMPIX_", $c, "_init"]));
            in_fortran!($kind $arguments Fortran ["mpi_", $fortran, "_"] ["mpi_i", $fortran, "_"]
                ["mpi_", $fortran, "_init_"]);
            in_fortran!($kind $arguments Fortran ["mpi_", $fortran, "__"] ["mpi_i", $fortran, "__"]
                ["mpi_", $fortran, "_init__"]);
            in_fortran!($kind $arguments Fortran ["ompi_", $fortran, "_f"]
                ["ompi_i", $fortran, "_f"] ["ompi_", $fortran, "_init_f"]);
            prepared_in_fortran!($kind $arguments Fortran ["mpix_", $fortran, "_init_"]);
            prepared_in_fortran!($kind $arguments Fortran ["mpix_", $fortran, "_init__"]);
            prepared_in_fortran!($kind $arguments Fortran ["ompix_", $fortran, "_init_f"]);
        };
    )*};
}

macro_rules! in_c {
    (
        $kind:ident ($($field:ident: $is:ident),*) $counts:ident ($request:ident)
        $name:expr, $pmpi:tt else $missing:expr,
        $started:expr, $pmpi_started:tt else $missing_started:expr
    ) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn blocking($($field: $counts::$is),*) -> c_int {
                let arguments = Arguments { $($field: $counts::$is($field),)* ..Arguments::NONE };
                call::blocking(Kind::$kind, &arguments, || {
                    by_host!($pmpi ($($field => $counts::$is),*) else $missing)
                })
            }

            #[unsafe(export_name = $started)]
            unsafe extern "C" fn started(
                $($field: $counts::$is,)*
                $request: *mut c_void,
            ) -> c_int {
                let arguments = Arguments { $($field: $counts::$is($field),)* ..Arguments::NONE };
                call::started(Kind::$kind, &arguments, (Spelling::C, $request), || {
                    by_host!($pmpi_started
                        ($($field => $counts::$is,)* $request => *mut c_void)
                        else $missing_started)
                })
            }
        };
    };
}

macro_rules! prepared_in_c {
    (
        $kind:ident ($($field:ident: $is:ident),*) $counts:ident ($request:ident $info:ident)
        $name:expr, [$($pmpi:tt)*] else $missing:expr
    ) => {
        const _: () = {
            #[unsafe(export_name = $name)]
            unsafe extern "C" fn prepared(
                $($field: $counts::$is,)*
                $info: usize,
                $request: *mut c_void,
            ) -> c_int {
                let arguments = Arguments { $($field: $counts::$is($field),)* ..Arguments::NONE };
                call::prepared(Kind::$kind, &arguments, (Spelling::C, $request), || {
                    by_first!([$($pmpi)*]
                        ($($field => $counts::$is,)* $info => usize, $request => *mut c_void)
                        else $missing)
                })
            }
        };
    };
}

macro_rules! in_fortran {
    (
        $kind:ident ($($field:ident: $is:ident),*) $spelling:ident
        [$($name:literal),*] [$($started:literal),*] [$($prepared:literal),*]
    ) => {
        const _: () = {
            #[unsafe(export_name = concat!($($name),*))]
            unsafe extern "C" fn blocking($($field: *const c_void,)* error: *mut c_int) {
                let by_host = |error: *mut c_int| {
                    let _: c_int = by_host!([$($name),*]
                        ($($field => *const c_void,)* error => *mut c_int) else no_function());
                };
                let code = match fortran_arguments!($spelling $($field: $is),*) {
                    None => return by_host(error),
                    Some(arguments) => {
                        call::blocking(Kind::$kind, &arguments, || fortran::code(&by_host))
                    }
                };
                fortran::tell(code, error);
            }

            #[unsafe(export_name = concat!($($started),*))]
            unsafe extern "C" fn started(
                $($field: *const c_void,)*
                request: *mut c_void,
                error: *mut c_int,
            ) {
                let by_host = |error: *mut c_int| {
                    let _: c_int = by_host!([$($started),*]
                        ($($field => *const c_void,)* request => *mut c_void, error => *mut c_int)
                        else no_function());
                };
                let given = (Spelling::$spelling, request);
                let code = match fortran_arguments!($spelling $($field: $is),*) {
                    None => return by_host(error),
                    Some(arguments) => call::started(Kind::$kind, &arguments, given, || {
                        fortran::code(&by_host)
                    }),
                };
                fortran::tell(code, error);
            }
        };

        prepared_in_fortran!(
            $kind ($($field: $is),*) $spelling [$($prepared),*]
        );
    };
}

macro_rules! prepared_in_fortran {
    ($kind:ident ($($field:ident: $is:ident),*) $spelling:ident [$($prepared:literal),*]) => {
        const _: () = {
            #[unsafe(export_name = concat!($($prepared),*))]
            unsafe extern "C" fn prepared(
                $($field: *const c_void,)*
                info: *const c_void,
                request: *mut c_void,
                error: *mut c_int,
            ) {
                let by_host = |error: *mut c_int| {
                    let _: c_int = by_host!([$($prepared),*] (
                        $($field => *const c_void,)* info => *const c_void,
                        request => *mut c_void, error => *mut c_int,
                    ) else no_function());
                };
                let given = (Spelling::$spelling, request);
                let code = match fortran_arguments!($spelling $($field: $is),*) {
                    None => return by_host(error),
                    Some(arguments) => call::prepared(Kind::$kind, &arguments, given, || {
                        fortran::code(&by_host)
                    }),
                };
                fortran::tell(code, error);
            }
        };
    };
}

/// Returns the arguments of a function for Fortran, if it is this library's to take.
macro_rules! fortran_arguments {
    ($spelling:ident $($field:ident: $is:ident),*) => {
        host().filter(|host| Spelling::$spelling.is_taken(host)).map(|_| Arguments {
            $(
                // SAFETY: Fortran gives the address of each argument.
                $field: unsafe { fortran::$is($field) },
            )*
            ..Arguments::NONE
        })
    };
}

/// Calls the host's function with counts of type `int`, where it has none with `MPI_Count`.
macro_rules! by_narrowing {
    (
        $kind:ident ($($field:ident: $is:ident),*) $given:ident
        ($($other:ident => $of:ty),*): $($pmpi:tt)*
    ) => {{
        let arguments = Arguments { $($field: large::$is($field),)* ..Arguments::NONE };
        // Most calls have no array.
        let lengths = LazyCell::new(|| narrow::Lengths::of(Kind::$kind, &arguments));
        $(
            let len = || lengths.of_argument(stringify!($field));
            let Some($field) = narrow::$is($field, len) else { return no_function() };
        )*
        by_first!([$($pmpi)*] (
            $(narrow::Given::<small::$is>::$given(&$field) => small::$is,)*
            $($other => $of),*
        ) else no_function())
    }};
}

collectives! {
    Allreduce "Allreduce" "allreduce"
        (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm);
    Reduce "Reduce" "reduce"
        (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, root: Root, comm: Comm);
    Bcast "Bcast" "bcast" (recv: Recv, rcount: Count, rtype: Type, root: Root, comm: Comm);
    Allgather "Allgather" "allgather" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        comm: Comm
    );
    Allgatherv "Allgatherv" "allgatherv" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Counts, rdispls: Displs,
        rtype: Type, comm: Comm
    );
    Gather "Gather" "gather" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        root: Root, comm: Comm
    );
    Gatherv "Gatherv" "gatherv" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Counts, rdispls: Displs,
        rtype: Type, root: Root, comm: Comm
    );
    Scatter "Scatter" "scatter" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        root: Root, comm: Comm
    );
    Scatterv "Scatterv" "scatterv" (
        send: Send, scount: Counts, sdispls: Displs, stype: Type, recv: Recv, rcount: Count,
        rtype: Type, root: Root, comm: Comm
    );
    ReduceScatterBlock "Reduce_scatter_block" "reduce_scatter_block"
        (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm);
    ReduceScatter "Reduce_scatter" "reduce_scatter"
        (send: Send, recv: Recv, rcount: Counts, rtype: Type, op: Op, comm: Comm);
    Alltoall "Alltoall" "alltoall" (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        comm: Comm
    );
    Alltoallv "Alltoallv" "alltoallv" (
        send: Send, scount: Counts, sdispls: Displs, stype: Type, recv: Recv, rcount: Counts,
        rdispls: Displs, rtype: Type, comm: Comm
    );
    Scan "Scan" "scan"
        (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm);
    Exscan "Exscan" "exscan"
        (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm);
    Barrier "Barrier" "barrier" (comm: Comm);
}

// Of the collectives of MPICH's module `mpi_f08`, all others call those of C.
in_fortran!(Barrier (comm: Comm) Module
    ["mpi_barrier_f08_"] ["mpi_ibarrier_f08_"] ["mpi_barrier_init_f08_"]);
