C     Collectives of Fortran 77, which knows of MPI by its include file alone (R-MPI-2).
      program fixed
      include 'mpif.h'
      integer error, rank, ranks, failures, i, request
      integer status(MPI_STATUS_SIZE), own(3), every(24)
      integer values(5), most(5), faults(1), sum(1)
      call MPI_INIT(error)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
      failures = 0
      do 10 i = 1, 5
   10 values(i) = i * (rank + 1)
      call MPI_ALLREDUCE(values, most, 5, MPI_INTEGER, MPI_MAX,
     &                   MPI_COMM_WORLD, error)
      do 20 i = 1, 5
   20 if (most(i) .ne. i * ranks) failures = failures + 1
      do 30 i = 1, 3
   30 own(i) = 10 * rank + i
      call MPI_ALLGATHER(own, 3, MPI_INTEGER, every, 3, MPI_INTEGER,
     &                   MPI_COMM_WORLD, error)
      do 40 i = 1, 3 * ranks
   40 if (every(i) .ne. 10 * ((i - 1) / 3) + mod(i - 1, 3) + 1)
     &    failures = failures + 1
      own(1) = rank
      call MPI_IBCAST(own, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, request,
     &                error)
      call MPI_WAIT(request, status, error)
      if (own(1) .ne. 1) failures = failures + 1
      call MPI_BARRIER(MPI_COMM_WORLD, error)
      faults(1) = failures
      call MPI_ALLREDUCE(faults, sum, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, error)
      if (rank .eq. 0) print '(a, i0)', 'failures: ', sum(1)
      call MPI_FINALIZE(error)
      end
