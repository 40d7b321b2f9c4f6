//! Lengths of a call at one rank, from its arguments (R-MTR-4, R-MTR-6).

use std::ffi::c_int;

use netfold_mpi::{Kind, Lengths};

use crate::arguments::{Arguments, Numbers};
use crate::host::Host;
use crate::types::{Type, is_named};

/// Lengths of a call of which they are not known, or that has none.
pub(super) const NONE: Lengths = Lengths { count: 0, bytes: 0, received: 0, of: "bytes" };

/// Elements of a type.
type Elements = (i64, usize);

/// Returns the lengths of a call on an intra-communicator. What does not count at this rank is not
/// looked at.
pub(super) fn of(
    host: &Host,
    kind: Kind,
    arguments: &Arguments,
    (rank, size): (c_int, c_int),
) -> Lengths {
    let Arguments { send, scount, stype, recv, rcount, rtype, root, .. } = *arguments;
    let (own, is_root) = (rank.max(0) as usize, root == rank);
    let all = |numbers: Numbers| (0..size.max(0) as usize).map(|rank| numbers.of(rank)).sum();
    let in_place = |buffer: usize| host.handles.in_place == buffer;
    let stays = in_place(send as usize);
    const NOTHING: Elements = (0, 0);
    let (sent, taken): (Elements, Elements) = match kind {
        Kind::Barrier => return NONE,
        Kind::Bcast if is_root => ((rcount.of(0), rtype), NOTHING),
        Kind::Reduce if !is_root => ((rcount.of(0), rtype), NOTHING),
        Kind::Exscan if rank == 0 => ((rcount.of(0), rtype), NOTHING),
        Kind::Bcast | Kind::Allreduce | Kind::Reduce | Kind::Scan | Kind::Exscan => {
            ((rcount.of(0), rtype), (rcount.of(0), rtype))
        }
        Kind::ReduceScatterBlock | Kind::ReduceScatter => {
            ((all(rcount), rtype), (rcount.of(own), rtype))
        }
        Kind::Allgather | Kind::Allgatherv => {
            let sent = if stays { (rcount.of(own), rtype) } else { (scount.of(0), stype) };
            (sent, (all(rcount), rtype))
        }
        Kind::Gather | Kind::Gatherv if is_root => {
            let sent = if stays { (rcount.of(own), rtype) } else { (scount.of(0), stype) };
            (sent, (all(rcount), rtype))
        }
        Kind::Gather | Kind::Gatherv => ((scount.of(0), stype), NOTHING),
        Kind::Scatter | Kind::Scatterv if is_root => {
            let stays = in_place(recv as usize);
            let taken = if stays { (scount.of(own), stype) } else { (rcount.of(0), rtype) };
            ((all(scount), stype), taken)
        }
        Kind::Scatter | Kind::Scatterv => (NOTHING, (rcount.of(0), rtype)),
        Kind::Alltoall | Kind::Alltoallv => {
            let taken = (all(rcount), rtype);
            (if stays { taken } else { (all(scount), stype) }, taken)
        }
    };
    let (count, bytes, of) = measured(host, sent);
    let (_, received, of_taken) = measured(host, taken);
    Lengths { count, bytes, received, of: of.or(of_taken).unwrap_or("bytes") }
}

/// Returns number, bytes and type of elements.
fn measured(host: &Host, (count, handle): Elements) -> (u64, u64, Option<&'static str>) {
    let count = u64::try_from(count).unwrap_or(0);
    if handle == 0 {
        return (count, 0, None);
    }
    let Some(of) = Type::of(host, handle) else { return (count, 0, None) };
    let name = match of.element {
        Some(element) => element.traced(),
        None if is_named(host, of.handle) => "bytes",
        None => "derived",
    };
    (count, count.saturating_mul(of.size as u64), Some(name))
}
