"""Collectives of MPI: their parameters, types and operations (MPI 4.1, chapters 6 and 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROWS = """
Allgather sendbuf sendcount sendtype recvbuf recvcount recvtype comm
Allgatherv sendbuf sendcount sendtype recvbuf recvcounts displs recvtype comm
Allreduce sendbuf recvbuf count datatype op comm
Alltoall sendbuf sendcount sendtype recvbuf recvcount recvtype comm
Alltoallv sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm
Alltoallw sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes comm
Barrier comm
Bcast buffer count datatype root comm
Exscan sendbuf recvbuf count datatype op comm
Gather sendbuf sendcount sendtype recvbuf recvcount recvtype root comm
Gatherv sendbuf sendcount sendtype recvbuf recvcounts displs recvtype root comm
Reduce sendbuf recvbuf count datatype op root comm
Reduce_scatter sendbuf recvbuf recvcounts datatype op comm
Reduce_scatter_block sendbuf recvbuf recvcount datatype op comm
Scan sendbuf recvbuf count datatype op comm
Scatter sendbuf sendcount sendtype recvbuf recvcount recvtype root comm
Scatterv sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root comm
"""

COLLECTIVES = {row.split()[0]: tuple(row.split()[1:]) for row in _ROWS.strip().splitlines()}
"""Parameters of each collective in C, by its name without `MPI_`."""

NEIGHBORS = ("Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw")
"""Collectives that have a form over a topology, `MPI_Neighbor_...`."""

_BY_LOWER = {name.lower(): name for name in COLLECTIVES}
_NAME = re.compile(r"^p?mpi_(i?)(neighbor_)?([a-z_]+?)(_init)?(_c|_f08)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Form:
    """A collective in one of its forms."""

    base: str
    """Its name without `MPI_`, as in :data:`COLLECTIVES`."""
    nonblocking: bool = False
    persistent: bool = False
    neighbor: bool = False

    @property
    def name(self) -> str:
        """The name in C, such as `MPI_Ialltoall`."""
        stem = f"Neighbor_{self.base.lower()}" if self.neighbor else self.base
        if self.nonblocking:
            stem = "I" + stem[0].lower() + stem[1:]
        return f"MPI_{stem}{'_init' if self.persistent else ''}"

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of its parameters in order, without Fortran's `ierror`."""
        more = ("info",) if self.persistent else ()
        request = ("request",) if self.nonblocking or self.persistent else ()
        return COLLECTIVES[self.base] + more + request


def form(name: str) -> Form | None:
    """Return the collective that a function of this name is, in any case; None for others."""
    found = _NAME.match(name)
    if found is None:
        return None
    nonblocking, neighbor, stem, persistent, _ = found.groups()
    base = _BY_LOWER.get(stem.lower())
    if base is None or (nonblocking and persistent) or (neighbor and base not in NEIGHBORS):
        return None
    return Form(base, bool(nonblocking), bool(persistent), bool(neighbor))


OPERATIONS = {
    f"MPI_{name.upper()}": name
    for name in [
        "sum",
        "min",
        "max",
        "prod",
        "land",
        "lor",
        "lxor",
        "band",
        "bor",
        "bxor",
        "minloc",
        "maxloc",
        "replace",
        "no_op",
    ]
}
"""Operations that MPI has itself, and their names in a trace (R-MTR-4)."""

TYPES = {
    "MPI_CHAR": "i8", "MPI_SIGNED_CHAR": "i8", "MPI_INT8_T": "i8", "MPI_INTEGER1": "i8",
    "MPI_UNSIGNED_CHAR": "u8", "MPI_UINT8_T": "u8",
    "MPI_SHORT": "i16", "MPI_INT16_T": "i16", "MPI_INTEGER2": "i16",
    "MPI_UNSIGNED_SHORT": "u16", "MPI_UINT16_T": "u16",
    "MPI_INT": "i32", "MPI_INT32_T": "i32", "MPI_INTEGER": "i32", "MPI_INTEGER4": "i32",
    "MPI_UNSIGNED": "u32", "MPI_UINT32_T": "u32",
    "MPI_LONG": "i64", "MPI_LONG_LONG": "i64", "MPI_LONG_LONG_INT": "i64", "MPI_INT64_T": "i64",
    "MPI_INTEGER8": "i64", "MPI_AINT": "i64", "MPI_OFFSET": "i64", "MPI_COUNT": "i64",
    "MPI_UNSIGNED_LONG": "u64", "MPI_UNSIGNED_LONG_LONG": "u64", "MPI_UINT64_T": "u64",
    "MPI_FLOAT": "f32", "MPI_REAL": "f32", "MPI_REAL4": "f32",
    "MPI_DOUBLE": "f64", "MPI_DOUBLE_PRECISION": "f64", "MPI_REAL8": "f64",
    "MPI_C_FLOAT_COMPLEX": "c64", "MPI_C_COMPLEX": "c64", "MPI_COMPLEX": "c64",
    "MPI_COMPLEX8": "c64", "MPI_CXX_FLOAT_COMPLEX": "c64",
    "MPI_C_DOUBLE_COMPLEX": "c128", "MPI_DOUBLE_COMPLEX": "c128", "MPI_COMPLEX16": "c128",
    "MPI_CXX_DOUBLE_COMPLEX": "c128",
    "MPI_FLOAT_INT": "f32,i32", "MPI_DOUBLE_INT": "f64,i32", "MPI_LONG_INT": "i64,i32",
    "MPI_2INT": "i32,i32", "MPI_SHORT_INT": "i16,i32", "MPI_2INTEGER": "i32,i32",
    "MPI_2REAL": "f32,f32", "MPI_2DOUBLE_PRECISION": "f64,f64",
    "MPI_BYTE": "bytes", "MPI_PACKED": "bytes", "MPI_WCHAR": "bytes", "MPI_CHARACTER": "bytes",
    "MPI_C_BOOL": "bytes", "MPI_CXX_BOOL": "bytes", "MPI_LOGICAL": "bytes",
    "MPI_LONG_DOUBLE": "bytes",
}  # fmt: skip
"""Types that MPI has itself, by their names in a trace (R-MTR-4), on Linux with 64 bits."""

WORLD, SELF, IN_PLACE = "MPI_COMM_WORLD", "MPI_COMM_SELF", "MPI_IN_PLACE"
