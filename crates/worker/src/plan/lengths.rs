//! Lengths of parts that differ from worker to worker.

use std::sync::Arc;

use netfold_wire::WorkerId;
use xxhash_rust::xxh3::xxh3_64;

use crate::call::Collective;

/// Lengths of the parts of a call, in elements of its type: the same at every worker
/// (R-STREAM-13).
///
/// They are n, one of each worker in the order of ranks, for an all-gather, a reduce-scatter, a
/// gather and a scatter. For an all-to-all of n workers they are n * n: that of the part from
/// worker r to worker s is number r * n + s.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lengths(Arc<[u64]>);

impl From<Vec<u64>> for Lengths {
    fn from(lengths: Vec<u64>) -> Self {
        Self(lengths.into())
    }
}

impl Lengths {
    /// Returns all lengths.
    pub fn all(&self) -> &[u64] {
        &self.0
    }

    /// Returns the number of lengths that a call of so many workers needs; `None` if its collective
    /// has no parts.
    pub(crate) fn needed(collective: Collective, workers: u16) -> Option<usize> {
        let workers = usize::from(workers);
        match collective {
            Collective::AllGather
            | Collective::ReduceScatter
            | Collective::Gather { .. }
            | Collective::Scatter { .. } => Some(workers),
            Collective::AllToAll => Some(workers * workers),
            _ => None,
        }
    }

    /// Returns a hash that stands for them in digests (R-STREAM-6).
    pub(super) fn hash(&self) -> u64 {
        let bytes: Vec<u8> = self.0.iter().flat_map(|length| length.to_be_bytes()).collect();
        xxh3_64(&bytes)
    }

    /// Returns the elements of all parts together; `None` if they do not fit 64 bits.
    pub(super) fn total(&self) -> Option<u64> {
        self.0.iter().try_fold(0_u64, |sum, length| sum.checked_add(*length))
    }
}

/// Parts of a call, as one worker has them in memory. Of parts that differ, those of the input
/// and those of the output lie one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Each has so many elements.
    Even(u64),
    /// They have lengths of their own.
    Uneven(Arc<Uneven>),
}

/// Parts whose lengths differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Uneven {
    lengths: Lengths,
    workers: u16,
    /// Offsets at which the parts of the input begin, and after the last one its end.
    inputs: Vec<u64>,
    /// The same of the output.
    outputs: Vec<u64>,
}

impl Parts {
    /// Returns the parts of an all-to-all, or of another collective, at worker `rank`.
    ///
    /// # Panics
    /// If there are not as many lengths as [`Lengths::needed`] says.
    pub(super) fn uneven(
        lengths: Lengths,
        collective: Collective,
        workers: u16,
        rank: WorkerId,
    ) -> Self {
        let (n, rank) = (usize::from(workers), usize::from(rank.0));
        let ends = |lengths: &mut dyn Iterator<Item = u64>| {
            let mut end = 0;
            let mut ends = vec![0];
            ends.extend(lengths.map(|length| {
                end += length;
                end
            }));
            ends
        };
        let all = lengths.all();
        let (inputs, outputs) = if collective == Collective::AllToAll {
            let sent = &mut all[rank * n..][..n].iter().copied();
            (ends(sent), ends(&mut all.iter().skip(rank).step_by(n).copied()))
        } else {
            let starts = ends(&mut all.iter().copied());
            (starts.clone(), starts)
        };
        Self::Uneven(Arc::new(Uneven { lengths, workers, inputs, outputs }))
    }

    /// Returns the elements of the part of `rank`; of an all-to-all, of the part from worker `rank`
    /// to worker `to`.
    pub(super) fn elements(&self, rank: u16, to: Option<u16>) -> u64 {
        match self {
            Self::Even(elements) => *elements,
            Self::Uneven(uneven) => {
                let index = to.map_or(usize::from(rank), |to| {
                    usize::from(rank) * usize::from(uneven.workers) + usize::from(to)
                });
                uneven.lengths.all()[index]
            }
        }
    }

    /// Returns the offset of the part of `rank` in an input that has one of each worker; for
    /// `rank` as the number of workers, the input's length.
    pub(super) fn input(&self, rank: u16) -> u64 {
        match self {
            Self::Even(elements) => u64::from(rank) * elements,
            Self::Uneven(uneven) => uneven.inputs[usize::from(rank)],
        }
    }

    /// Returns the same in an output.
    pub(super) fn output(&self, rank: u16) -> u64 {
        match self {
            Self::Even(elements) => u64::from(rank) * elements,
            Self::Uneven(uneven) => uneven.outputs[usize::from(rank)],
        }
    }

    /// Returns the lengths, if they differ.
    pub(super) fn lengths(&self) -> Option<&Lengths> {
        match self {
            Self::Even(_) => None,
            Self::Uneven(uneven) => Some(&uneven.lengths),
        }
    }
}
