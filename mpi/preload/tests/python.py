"""Collectives of mpi4py: of arrays and of objects, which it sends as bytes (R-MPI-1)."""

import array
import sys

try:
    from mpi4py import MPI

    version = MPI.Get_library_version().lower().replace(" ", "")
except (ImportError, RuntimeError):
    version = ""
if sys.argv[1] not in version:
    sys.stdout.write("another MPI\n")
    sys.exit()

world = MPI.COMM_WORLD
rank, size = world.rank, world.size

own, sums = array.array("i", [rank, 2 * rank, 7]), array.array("i", [0] * 3)
world.Allreduce(own, sums)
total = size * (size - 1) // 2
assert list(sums) == [total, 2 * total, 7 * size], sums
everyone = array.array("i", [0] * size)
world.Allgather(array.array("i", [rank + 1]), everyone)
assert list(everyone) == [one + 1 for one in range(size)], everyone
parts = world.Split(rank % 2, rank)
assert parts.allreduce(1) == (size + 1 - rank % 2) // 2
parts.Free()
assert world.bcast({"from": rank}, root=1) == {"from": 1}
assert world.allreduce([rank]) == list(range(size))
most = array.array("d", [0.0])
world.Iallreduce(array.array("d", [0.5 * rank]), most, op=MPI.MAX).Wait()
assert most[0] == 0.5 * (size - 1), most
world.Barrier()
if rank == 0:
    sys.stdout.write("went well\n")
