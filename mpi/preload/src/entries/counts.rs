//! Kinds of arguments of functions in C, with counts of type `int` (`small`) and of type
//! `MPI_Count` (`large`).

use std::ffi::{c_int, c_void};

use crate::arguments::Numbers;

/// Arguments that both kinds of functions have in common, as they are.
macro_rules! kept {
    ($($is:ident: $of:ty),*) => {
        mod same {
            use super::*;

            $(
                pub(crate) type $is = $of;

                pub(crate) fn $is(value: $of) -> $of {
                    value
                }
            )*
        }

        /// Arguments with counts of type `MPI_Count` as those with `int`.
        pub(crate) mod narrow {
            use super::*;
            use crate::host::host;

            $(
                pub(crate) fn $is(value: $of, _: usize) -> Option<$of> {
                    Some(value)
                }
            )*

            /// Returns the ranks of a communicator; 0 if the host refuses it.
            pub(crate) fn ranks(communicator: usize) -> usize {
                let mut size = 0;
                if let Some(host) = host() {
                    // SAFETY: the result is a variable of this frame.
                    unsafe { (host.call.comm_size)(communicator, &raw mut size) };
                }
                size.max(0) as usize
            }

            pub(crate) fn Count(count: i64, _: usize) -> Option<c_int> {
                c_int::try_from(count).ok()
            }

            pub(crate) fn Counts(counts: *const i64, ranks: usize) -> Option<Vec<c_int>> {
                // SAFETY: the array has a number for each rank; a null one is not looked at by its
                // caller.
                let one = |rank| unsafe { c_int::try_from(*counts.add(rank)).ok() };
                if counts.is_null() { Some(Vec::new()) } else { (0..ranks).map(one).collect() }
            }

            pub(crate) use Counts as Displs;

            /// A value as an argument of this type.
            pub(crate) trait Given<T> {
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
        }
    };
}

kept! {
    Send: *const c_void, Recv: *mut c_void, Type: usize, Op: usize, Root: c_int, Comm: usize
}

macro_rules! counted {
    ($module:ident: $number:ty, $array:ident) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) type Count = $number;
            pub(crate) type Counts = *const $number;

            pub(crate) fn Count(count: Count) -> Numbers {
                Numbers::One(count.into())
            }

            pub(crate) fn Counts(counts: Counts) -> Numbers {
                Numbers::$array(counts)
            }

            pub(crate) use self::Counts as Displs;
            pub(crate) use super::same::*;
        }
    };
}

counted! { small: c_int, Ints }
counted! { large: i64, Longs }
