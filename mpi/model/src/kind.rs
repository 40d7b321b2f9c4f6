//! The collectives of MPI.

use netfold_net::Collective;
use netfold_net::WorkerId;

/// A collective of MPI, whichever form its call has (blocking, non-blocking, persistent).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// `MPI_Allreduce`
    Allreduce,
    /// `MPI_Reduce`
    Reduce,
    /// `MPI_Bcast`
    Bcast,
    /// `MPI_Allgather`
    Allgather,
    /// `MPI_Allgatherv`
    Allgatherv,
    /// `MPI_Gather`
    Gather,
    /// `MPI_Gatherv`
    Gatherv,
    /// `MPI_Scatter`
    Scatter,
    /// `MPI_Scatterv`
    Scatterv,
    /// `MPI_Reduce_scatter_block`
    ReduceScatterBlock,
    /// `MPI_Reduce_scatter`
    ReduceScatter,
    /// `MPI_Alltoall`
    Alltoall,
    /// `MPI_Alltoallv`
    Alltoallv,
    /// `MPI_Scan`
    Scan,
    /// `MPI_Exscan`
    Exscan,
    /// `MPI_Barrier`
    Barrier,
}

/// The form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Form {
    /// It returns when it is done.
    Blocking,
    /// It returns a request (`MPI_Iallreduce`).
    Started,
    /// It returns a request that is started again and again (`MPI_Allreduce_init`).
    Persistent,
}

impl Form {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Blocking, Self::Started, Self::Persistent];

    /// Returns the letters before and behind a collective's name in MPI's name of this form.
    const fn affixes(self) -> (&'static str, &'static str) {
        match self {
            Self::Blocking => ("", ""),
            Self::Started => ("i", ""),
            Self::Persistent => ("", "_init"),
        }
    }

    /// Returns MPI's name of a collective of this form without the prefix, in small letters.
    pub fn name(self, kind: Kind) -> String {
        let (before, behind) = self.affixes();
        format!("{before}{}{behind}", kind.name())
    }

    /// Returns the form and the collective of a name, as in `iallreduce`.
    pub fn named(name: &str) -> Option<(Self, Kind)> {
        let of = |form: Self| {
            let (before, behind) = form.affixes();
            let kind = name.strip_prefix(before)?.strip_suffix(behind)?;
            Some((form, Kind::named(kind)?))
        };
        Self::ALL.into_iter().find_map(of)
    }
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::Allreduce,
        Self::Reduce,
        Self::Bcast,
        Self::Allgather,
        Self::Allgatherv,
        Self::Gather,
        Self::Gatherv,
        Self::Scatter,
        Self::Scatterv,
        Self::ReduceScatterBlock,
        Self::ReduceScatter,
        Self::Alltoall,
        Self::Alltoallv,
        Self::Scan,
        Self::Exscan,
        Self::Barrier,
    ];

    /// Returns MPI's name without the prefix, in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allreduce => "allreduce",
            Self::Reduce => "reduce",
            Self::Bcast => "bcast",
            Self::Allgather => "allgather",
            Self::Allgatherv => "allgatherv",
            Self::Gather => "gather",
            Self::Gatherv => "gatherv",
            Self::Scatter => "scatter",
            Self::Scatterv => "scatterv",
            Self::ReduceScatterBlock => "reduce_scatter_block",
            Self::ReduceScatter => "reduce_scatter",
            Self::Alltoall => "alltoall",
            Self::Alltoallv => "alltoallv",
            Self::Scan => "scan",
            Self::Exscan => "exscan",
            Self::Barrier => "barrier",
        }
    }

    /// Returns MPI's name in C of a call of a form, without the ending `_c`.
    pub fn mpi_name(self, form: Form) -> String {
        let name = form.name(self);
        format!("MPI_{}{}", name[..1].to_uppercase(), &name[1..])
    }

    /// Returns the collective of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the collective of netfold that does it, with this root where it has one.
    pub const fn collective(self, root: u16) -> Collective {
        let root = WorkerId(root);
        match self {
            Self::Allreduce => Collective::AllReduce,
            Self::Reduce => Collective::Reduce { root },
            Self::Bcast => Collective::Broadcast { root },
            Self::Allgather | Self::Allgatherv => Collective::AllGather,
            Self::Gather | Self::Gatherv => Collective::Gather { root },
            Self::Scatter | Self::Scatterv => Collective::Scatter { root },
            Self::ReduceScatterBlock | Self::ReduceScatter => Collective::ReduceScatter,
            Self::Alltoall | Self::Alltoallv => Collective::AllToAll,
            Self::Scan => Collective::Scan,
            Self::Exscan => Collective::ExScan,
            Self::Barrier => Collective::Barrier,
        }
    }

    /// Returns whether it folds, and so has an operation.
    pub const fn folds(self) -> bool {
        matches!(
            self,
            Self::Allreduce
                | Self::Reduce
                | Self::ReduceScatterBlock
                | Self::ReduceScatter
                | Self::Scan
                | Self::Exscan
        )
    }

    /// Returns whether the lengths of the parts are known to some ranks only, so that all must
    /// first be told (R-MPI-5).
    pub const fn has_private_lengths(self) -> bool {
        matches!(self, Self::Gatherv | Self::Scatterv | Self::Alltoallv)
    }

    /// Returns whether each rank gives or gets a part of its own, so that bytes are counted for one
    /// part.
    pub const fn has_root(self) -> bool {
        matches!(
            self,
            Self::Reduce
                | Self::Bcast
                | Self::Gather
                | Self::Gatherv
                | Self::Scatter
                | Self::Scatterv
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_name_and_stand_in_their_order() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert_eq!(kind as usize, number);
        }
        assert_eq!(Kind::named("alltoallw"), None);
        assert_eq!(Form::named("iscan"), Some((Form::Started, Kind::Scan)));
        assert_eq!(Form::named("scan"), Some((Form::Blocking, Kind::Scan)));
        assert_eq!(Form::named("scan_init"), Some((Form::Persistent, Kind::Scan)));
        assert_eq!(Form::named("iiscan"), None);
        assert_eq!(Form::named("iscan_init"), None);
        assert_eq!(Kind::ReduceScatter.mpi_name(Form::Blocking), "MPI_Reduce_scatter");
        assert_eq!(Kind::ReduceScatter.mpi_name(Form::Started), "MPI_Ireduce_scatter");
        assert_eq!(Kind::ReduceScatter.mpi_name(Form::Persistent), "MPI_Reduce_scatter_init");
    }
}
