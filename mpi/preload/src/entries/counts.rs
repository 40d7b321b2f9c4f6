//! Kinds of arguments of functions in C, with counts of type `int` (`small`) and of type
//! `MPI_Count` (`large`).

use std::ffi::{c_int, c_void};

use crate::arguments::Numbers;

/// Defines something for each kind that functions with either type of counts have in common.
macro_rules! in_common {
    ($define:ident) => {
        $define! {
            Send: *const c_void, Recv: *mut c_void, Type: usize, Op: usize, Root: c_int,
            Comm: usize
        }
    };
}
pub(super) use in_common;

macro_rules! same {
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
    };
}

in_common!(same);

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
