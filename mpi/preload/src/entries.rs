//! The functions of MPI that this library defines in front of the host's: one table of collectives,
//! from which all their forms are made (R-MPI-1).

#![expect(non_snake_case, reason = "names of MPI")]
#![expect(clippy::too_many_arguments, reason = "MPI's functions have as many as they have")]

use std::ffi::{c_int, c_void};
use std::mem::transmute;

use netfold_mpi::{Flavour, Kind};

use crate::host::{Next, host};
use crate::task::{Arguments, Numbers};
use crate::{call, fortran, job};

/// Kinds of arguments in C, with counts of type `int`.
mod small {
    use super::*;

    pub(super) type Send = *const c_void;
    pub(super) type Recv = *mut c_void;
    pub(super) type Count = c_int;
    pub(super) type Counts = *const c_int;
    pub(super) type Displs = *const c_int;

    pub(super) fn Count(count: Count) -> Numbers {
        Numbers::One(count.into())
    }

    pub(super) fn Counts(counts: Counts) -> Numbers {
        Numbers::Ints(counts)
    }

    pub(super) fn Displs(places: Displs) -> Numbers {
        Numbers::Ints(places)
    }

    pub(super) use super::same::*;
}

/// Kinds of arguments in C, with counts of type `MPI_Count`.
mod large {
    use super::*;

    pub(super) type Send = *const c_void;
    pub(super) type Recv = *mut c_void;
    pub(super) type Count = i64;
    pub(super) type Counts = *const i64;
    pub(super) type Displs = *const i64;

    pub(super) fn Count(count: Count) -> Numbers {
        Numbers::One(count)
    }

    pub(super) fn Counts(counts: Counts) -> Numbers {
        Numbers::Longs(counts)
    }

    pub(super) fn Displs(places: Displs) -> Numbers {
        Numbers::Longs(places)
    }

    pub(super) use super::same::*;
}

/// Kinds of arguments that all of C's forms have in common.
mod same {
    use super::*;

    pub(super) type Type = usize;
    pub(super) type Op = usize;
    pub(super) type Root = c_int;
    pub(super) type Comm = usize;

    pub(super) fn Send(buffer: *const c_void) -> *const c_void {
        buffer
    }

    pub(super) fn Recv(buffer: *mut c_void) -> *mut c_void {
        buffer
    }

    pub(super) fn Type(handle: usize) -> usize {
        handle
    }

    pub(super) fn Op(handle: usize) -> usize {
        handle
    }

    pub(super) fn Root(root: c_int) -> c_int {
        root
    }

    pub(super) fn Comm(handle: usize) -> usize {
        handle
    }
}

/// `MPI_ERR_OTHER` of a host that lacks a function which its program calls.
const NO_FUNCTION: c_int = 16;

/// Defines the blocking forms of collectives: in C with both kinds of counts, and in Fortran.
macro_rules! collectives {
    ($(
        $kind:ident $arguments:tt
        $small:ident $pmpi:literal $large:ident $pmpi_large:literal
        $([$fortran:ident $next:literal])*;
    )*) => {
        $(
            in_c!($kind $arguments $small $pmpi $large $pmpi_large);
            $(in_fortran!($kind $arguments $fortran $next);)*
        )*

        /// The functions with counts of type `MPI_Count` by those with `int`, where the host has no
        /// others.
        mod narrowed {
            use super::*;

            $(by_narrowing!($arguments $small $pmpi);)*
        }
    };
}

macro_rules! in_c {
    (
        $kind:ident ($($field:ident: $is:ident),*)
        $small:ident $pmpi:literal $large:ident $pmpi_large:literal
    ) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $small($($field: small::$is),*) -> c_int {
            let arguments = Arguments { $($field: small::$is($field),)* ..Arguments::NONE };
            call::blocking(Kind::$kind, &arguments, || {
                static NEXT: Next = Next::new($pmpi);
                let Some(next) = NEXT.get() else { return NO_FUNCTION };
                // SAFETY: the host's function has the signature of this one.
                unsafe {
                    let next: unsafe extern "C" fn($(small::$is),*) -> c_int = transmute(next);
                    next($($field),*)
                }
            })
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $large($($field: large::$is),*) -> c_int {
            let arguments = Arguments { $($field: large::$is($field),)* ..Arguments::NONE };
            call::blocking(Kind::$kind, &arguments, || {
                static NEXT: Next = Next::new($pmpi_large);
                let Some(next) = NEXT.get() else {
                    // SAFETY: the arguments are those of this call.
                    return unsafe { narrowed::$small($($field),*) };
                };
                // SAFETY: the host's function has the signature of this one.
                unsafe {
                    let next: unsafe extern "C" fn($(large::$is),*) -> c_int = transmute(next);
                    next($($field),*)
                }
            })
        }
    };
}

macro_rules! in_fortran {
    ($kind:ident ($($field:ident: $is:ident),*) $name:ident $next:literal) => {
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($field: *const c_void,)* error: *mut c_int) {
            let by_host = |error: *mut c_int| {
                static NEXT: Next = Next::new($next);
                let Some(next) = NEXT.get() else { return };
                // SAFETY: the host's function has the signature of this one.
                unsafe {
                    let next: unsafe extern "C" fn($(fortran_argument!($is),)* *mut c_int) =
                        transmute(next);
                    next($($field,)* error);
                }
            };
            // Another host's functions for Fortran call those of C, which are taken there.
            if !host().is_some_and(|host| host.flavour == Flavour::OpenMpi) {
                return by_host(error);
            }
            let mut arguments = Arguments::NONE;
            $(
                // SAFETY: Fortran gives the address of each argument.
                arguments.$field = unsafe { fortran::$is($field) };
            )*
            let code = call::blocking(Kind::$kind, &arguments, || {
                let mut code = 0;
                by_host(&raw mut code);
                code
            });
            if !error.is_null() {
                // SAFETY: it is the address of an integer, or the caller has left it out.
                unsafe { *error = code };
            }
        }
    };
}

macro_rules! by_narrowing {
    (($($field:ident: $is:ident),*) $small:ident $pmpi:literal) => {
        pub(super) unsafe fn $small($($field: large::$is),*) -> c_int {
            let arguments = Arguments { $($field: large::$is($field),)* ..Arguments::NONE };
            let ranks = narrow::ranks(arguments.comm);
            $(let Some($field) = narrow::$is($field, ranks) else { return NO_FUNCTION };)*
            static NEXT: Next = Next::new($pmpi);
            let Some(next) = NEXT.get() else { return NO_FUNCTION };
            // SAFETY: the host's function has this signature, and all arguments fit it.
            unsafe {
                let next: unsafe extern "C" fn($(small::$is),*) -> c_int = transmute(next);
                next($(Given::<small::$is>::given(&$field)),*)
            }
        }
    };
}

macro_rules! fortran_argument {
    ($is:ident) => {
        *const c_void
    };
}

/// Arguments with counts of type `MPI_Count` as those with `int`.
mod narrow {
    use super::*;

    /// Returns the ranks of a communicator; 0 if the host refuses it.
    pub(super) fn ranks(communicator: usize) -> usize {
        let mut size = 0;
        if let Some(host) = host() {
            // SAFETY: the result is a variable of this frame.
            unsafe { (host.call.comm_size)(communicator, &raw mut size) };
        }
        size.max(0) as usize
    }

    pub(super) fn Count(count: i64, _: usize) -> Option<c_int> {
        c_int::try_from(count).ok()
    }

    pub(super) fn Counts(counts: *const i64, ranks: usize) -> Option<Vec<c_int>> {
        // SAFETY: the array has a number for each rank; a null one is not looked at by its caller.
        let one = |rank| unsafe { c_int::try_from(*counts.add(rank)).ok() };
        if counts.is_null() { Some(Vec::new()) } else { (0..ranks).map(one).collect() }
    }

    pub(super) use Counts as Displs;

    macro_rules! kept {
        ($($is:ident: $of:ty),*) => {$(
            pub(super) fn $is(value: $of, _: usize) -> Option<$of> {
                Some(value)
            }
        )*};
    }

    kept! {
        Send: *const c_void, Recv: *mut c_void, Type: usize, Op: usize, Root: c_int, Comm: usize
    }
}

/// A value as an argument of this type.
trait Given<T> {
    fn given(&self) -> T;
}

impl<T: Copy> Given<T> for T {
    fn given(&self) -> T {
        *self
    }
}

impl Given<*const c_int> for Vec<c_int> {
    fn given(&self) -> *const c_int {
        self.as_ptr()
    }
}

collectives! {
    Allreduce (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm)
        MPI_Allreduce c"PMPI_Allreduce" MPI_Allreduce_c c"PMPI_Allreduce_c"
        [mpi_allreduce_ c"mpi_allreduce_"]
        [mpi_allreduce__ c"mpi_allreduce__"]
        [ompi_allreduce_f c"ompi_allreduce_f"];
    Reduce (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, root: Root, comm: Comm)
        MPI_Reduce c"PMPI_Reduce" MPI_Reduce_c c"PMPI_Reduce_c"
        [mpi_reduce_ c"mpi_reduce_"]
        [mpi_reduce__ c"mpi_reduce__"]
        [ompi_reduce_f c"ompi_reduce_f"];
    Bcast (recv: Recv, rcount: Count, rtype: Type, root: Root, comm: Comm)
        MPI_Bcast c"PMPI_Bcast" MPI_Bcast_c c"PMPI_Bcast_c"
        [mpi_bcast_ c"mpi_bcast_"] [mpi_bcast__ c"mpi_bcast__"] [ompi_bcast_f c"ompi_bcast_f"];
    Allgather (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        comm: Comm
    )
        MPI_Allgather c"PMPI_Allgather" MPI_Allgather_c c"PMPI_Allgather_c"
        [mpi_allgather_ c"mpi_allgather_"]
        [mpi_allgather__ c"mpi_allgather__"]
        [ompi_allgather_f c"ompi_allgather_f"];
    Allgatherv (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Counts, rdispls: Displs,
        rtype: Type, comm: Comm
    )
        MPI_Allgatherv c"PMPI_Allgatherv" MPI_Allgatherv_c c"PMPI_Allgatherv_c"
        [mpi_allgatherv_ c"mpi_allgatherv_"]
        [mpi_allgatherv__ c"mpi_allgatherv__"]
        [ompi_allgatherv_f c"ompi_allgatherv_f"];
    Gather (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        root: Root, comm: Comm
    )
        MPI_Gather c"PMPI_Gather" MPI_Gather_c c"PMPI_Gather_c"
        [mpi_gather_ c"mpi_gather_"]
        [mpi_gather__ c"mpi_gather__"]
        [ompi_gather_f c"ompi_gather_f"];
    Gatherv (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Counts, rdispls: Displs,
        rtype: Type, root: Root, comm: Comm
    )
        MPI_Gatherv c"PMPI_Gatherv" MPI_Gatherv_c c"PMPI_Gatherv_c"
        [mpi_gatherv_ c"mpi_gatherv_"]
        [mpi_gatherv__ c"mpi_gatherv__"]
        [ompi_gatherv_f c"ompi_gatherv_f"];
    Scatter (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        root: Root, comm: Comm
    )
        MPI_Scatter c"PMPI_Scatter" MPI_Scatter_c c"PMPI_Scatter_c"
        [mpi_scatter_ c"mpi_scatter_"]
        [mpi_scatter__ c"mpi_scatter__"]
        [ompi_scatter_f c"ompi_scatter_f"];
    Scatterv (
        send: Send, scount: Counts, sdispls: Displs, stype: Type, recv: Recv, rcount: Count,
        rtype: Type, root: Root, comm: Comm
    )
        MPI_Scatterv c"PMPI_Scatterv" MPI_Scatterv_c c"PMPI_Scatterv_c"
        [mpi_scatterv_ c"mpi_scatterv_"]
        [mpi_scatterv__ c"mpi_scatterv__"]
        [ompi_scatterv_f c"ompi_scatterv_f"];
    ReduceScatterBlock (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm)
        MPI_Reduce_scatter_block c"PMPI_Reduce_scatter_block"
        MPI_Reduce_scatter_block_c c"PMPI_Reduce_scatter_block_c"
        [mpi_reduce_scatter_block_ c"mpi_reduce_scatter_block_"]
        [mpi_reduce_scatter_block__ c"mpi_reduce_scatter_block__"]
        [ompi_reduce_scatter_block_f c"ompi_reduce_scatter_block_f"];
    ReduceScatter (send: Send, recv: Recv, rcount: Counts, rtype: Type, op: Op, comm: Comm)
        MPI_Reduce_scatter c"PMPI_Reduce_scatter" MPI_Reduce_scatter_c c"PMPI_Reduce_scatter_c"
        [mpi_reduce_scatter_ c"mpi_reduce_scatter_"]
        [mpi_reduce_scatter__ c"mpi_reduce_scatter__"]
        [ompi_reduce_scatter_f c"ompi_reduce_scatter_f"];
    Alltoall (
        send: Send, scount: Count, stype: Type, recv: Recv, rcount: Count, rtype: Type,
        comm: Comm
    )
        MPI_Alltoall c"PMPI_Alltoall" MPI_Alltoall_c c"PMPI_Alltoall_c"
        [mpi_alltoall_ c"mpi_alltoall_"]
        [mpi_alltoall__ c"mpi_alltoall__"]
        [ompi_alltoall_f c"ompi_alltoall_f"];
    Alltoallv (
        send: Send, scount: Counts, sdispls: Displs, stype: Type, recv: Recv, rcount: Counts,
        rdispls: Displs, rtype: Type, comm: Comm
    )
        MPI_Alltoallv c"PMPI_Alltoallv" MPI_Alltoallv_c c"PMPI_Alltoallv_c"
        [mpi_alltoallv_ c"mpi_alltoallv_"]
        [mpi_alltoallv__ c"mpi_alltoallv__"]
        [ompi_alltoallv_f c"ompi_alltoallv_f"];
    Scan (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm)
        MPI_Scan c"PMPI_Scan" MPI_Scan_c c"PMPI_Scan_c"
        [mpi_scan_ c"mpi_scan_"] [mpi_scan__ c"mpi_scan__"] [ompi_scan_f c"ompi_scan_f"];
    Exscan (send: Send, recv: Recv, rcount: Count, rtype: Type, op: Op, comm: Comm)
        MPI_Exscan c"PMPI_Exscan" MPI_Exscan_c c"PMPI_Exscan_c"
        [mpi_exscan_ c"mpi_exscan_"]
        [mpi_exscan__ c"mpi_exscan__"]
        [ompi_exscan_f c"ompi_exscan_f"];
    Barrier (comm: Comm)
        MPI_Barrier c"PMPI_Barrier" MPI_Barrier_c c"PMPI_Barrier_c"
        [mpi_barrier_ c"mpi_barrier_"]
        [mpi_barrier__ c"mpi_barrier__"]
        [ompi_barrier_f c"ompi_barrier_f"];
}

/// Functions that begin and end MPI, in C and in Fortran.
macro_rules! phases {
    ($($name:ident $next:literal ($($argument:ident: $of:ty),*) $moment:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $of),*) -> c_int {
            static NEXT: Next = Next::new($next);
            phase(Moment::$moment, || {
                let Some(next) = NEXT.get() else { return NO_FUNCTION };
                // SAFETY: the host's function has the signature of this one, or returns nothing.
                unsafe {
                    let next: unsafe extern "C" fn($($of),*) -> c_int = transmute(next);
                    next($($argument),*)
                }
            })
        }
    )*};
}

/// The side of a function of the host on which this library has something to do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Begins,
    Ends,
}

fn phase(moment: Moment, by_host: impl FnOnce() -> c_int) -> c_int {
    if moment == Moment::Ends {
        job::finish();
        return by_host();
    }
    let code = by_host();
    job::start();
    code
}

phases! {
    MPI_Init c"PMPI_Init" (count: *mut c_int, words: *mut c_void) Begins;
    MPI_Init_thread c"PMPI_Init_thread"
        (count: *mut c_int, words: *mut c_void, needed: c_int, given: *mut c_int) Begins;
    MPI_Finalize c"PMPI_Finalize" () Ends;
    mpi_init_ c"mpi_init_" (error: *mut c_int) Begins;
    mpi_init__ c"mpi_init__" (error: *mut c_int) Begins;
    ompi_init_f c"ompi_init_f" (error: *mut c_int) Begins;
    mpi_init_thread_ c"mpi_init_thread_"
        (needed: *mut c_int, given: *mut c_int, error: *mut c_int) Begins;
    mpi_init_thread__ c"mpi_init_thread__"
        (needed: *mut c_int, given: *mut c_int, error: *mut c_int) Begins;
    ompi_init_thread_f c"ompi_init_thread_f"
        (needed: *mut c_int, given: *mut c_int, error: *mut c_int) Begins;
    mpi_finalize_ c"mpi_finalize_" (error: *mut c_int) Ends;
    mpi_finalize__ c"mpi_finalize__" (error: *mut c_int) Ends;
    ompi_finalize_f c"ompi_finalize_f" (error: *mut c_int) Ends;
}
