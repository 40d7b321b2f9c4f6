//! The arguments of a collective, whichever form it has (R-MPI-3, R-MPI-7).

use std::ffi::{c_int, c_void};

use netfold_mpi::Refusal;

use crate::host::Host;
use crate::memory::{Part, Parts};
use crate::types::Type;

/// Numbers that a caller gives: one, or an array with one for each rank.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    None,
    One(i64),
    Ints(*const c_int),
    Longs(*const i64),
}

impl Numbers {
    /// Returns that of a rank.
    pub(crate) fn of(self, rank: usize) -> i64 {
        // SAFETY: an array has one number for each rank of the communicator.
        unsafe {
            match self {
                Self::None => 0,
                Self::One(number) => number,
                Self::Ints(all) => (*all.add(rank)).into(),
                Self::Longs(all) => *all.add(rank),
            }
        }
    }
}

/// The arguments of a collective, whichever form it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    pub(crate) send: *const c_void,
    pub(crate) scount: Numbers,
    pub(crate) sdispls: Numbers,
    pub(crate) stype: usize,
    pub(crate) recv: *mut c_void,
    pub(crate) rcount: Numbers,
    pub(crate) rdispls: Numbers,
    pub(crate) rtype: usize,
    pub(crate) op: usize,
    pub(crate) root: c_int,
    pub(crate) comm: usize,
}

impl Arguments {
    pub(crate) const NONE: Self = Self {
        send: std::ptr::null(),
        scount: Numbers::None,
        sdispls: Numbers::None,
        stype: 0,
        recv: std::ptr::null_mut(),
        rcount: Numbers::None,
        rdispls: Numbers::None,
        rtype: 0,
        op: 0,
        root: 0,
        comm: 0,
    };
}

/// One side of a call: elements by address, number and place.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) address: *mut c_void,
    pub(crate) counts: Numbers,
    pub(crate) places: Numbers,
    pub(crate) of: Type,
}

impl Side {
    pub(crate) fn new(
        host: &Host,
        address: *mut c_void,
        counts: Numbers,
        places: Numbers,
        handle: usize,
    ) -> Result<Self, Refusal> {
        let of = Type::of(host, handle).ok_or(Refusal::Arguments)?;
        Ok(Self { address, counts, places, of })
    }

    /// Returns the part of a rank. Without places, parts follow each other.
    pub(crate) fn part(&self, rank: usize) -> Result<Part, Refusal> {
        let count = u64::try_from(self.counts.of(rank)).map_err(|_| Refusal::Arguments)?;
        self.fits(count)?;
        let place = match self.places {
            Numbers::None => {
                let before = (rank as u64).checked_mul(count).ok_or(Refusal::Arguments)?;
                self.fits(before)?;
                before as isize
            }
            places => places.of(rank) as isize,
        };
        Ok(Part { address: self.of.at(self.address, place), count, of: self.of })
    }

    /// Returns the parts of so many ranks.
    pub(crate) fn parts(&self, ranks: u16) -> Result<Parts, Refusal> {
        (0..ranks.into()).map(|rank| self.part(rank)).collect::<Result<_, _>>().map(Parts)
    }

    /// Refuses a number of elements whose bytes no memory has.
    fn fits(&self, count: u64) -> Result<(), Refusal> {
        let bytes = count.checked_mul(self.of.size.max(1) as u64);
        bytes.filter(|bytes| i64::try_from(*bytes).is_ok()).map(drop).ok_or(Refusal::Arguments)
    }

    /// Returns elements that follow each other as the parts of all ranks.
    pub(crate) fn whole(&self, ranks: u16) -> Result<Parts, Refusal> {
        let count = match self.counts {
            Numbers::One(count) => count.checked_mul(ranks.into()),
            counts => {
                (0..ranks.into()).try_fold(0_i64, |sum, rank| sum.checked_add(counts.of(rank)))
            }
        };
        let count = count.and_then(|count| u64::try_from(count).ok()).ok_or(Refusal::Arguments)?;
        self.fits(count)?;
        Ok(Parts::one(Part { address: self.address.cast(), count, of: self.of }))
    }
}
