! Collectives of Fortran, by `use mpi` and by `use mpi_f08` (R-MPI-2).
module modern
contains
  subroutine check_modern(failures)
    use mpi_f08
    integer, intent(inout) :: failures
    integer :: rank, size, i
    integer :: own(3), all(64)
    double precision :: values(5)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    values = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, values, 5, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    if (any(values /= size * (size + 1) / 2)) failures = failures + 1
    own = [rank, 2 * rank, 3 * rank]
    call MPI_Allgather(own, 3, MPI_INTEGER, all, 3, MPI_INTEGER, MPI_COMM_WORLD)
    do i = 0, size - 1
      if (any(all(3 * i + 1:3 * i + 3) /= [i, 2 * i, 3 * i])) failures = failures + 1
    end do
    if (rank == 1) own = [7, 8, 9]
    call MPI_Bcast(own, 3, MPI_INTEGER, 1, MPI_COMM_WORLD)
    if (any(own /= [7, 8, 9])) failures = failures + 1
    call MPI_Barrier(MPI_COMM_WORLD)
  end subroutine
end module

! An operation of the program, whose body a list names (R-MPI-18).
subroutine least(a, b, length, type)
  integer, intent(in) :: length, type, a(length)
  integer, intent(inout) :: b(length)
  if (type /= 0) b = min(a, b)
end subroutine

program collectives
  use mpi
  use modern
  implicit none
  external :: least
  integer :: error, rank, size, failures, total, half, pair(2), operation
  real :: values(100), sums(100)
  logical :: all_true
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  failures = 0
  values = real(rank)
  call MPI_Allreduce(values, sums, 100, MPI_REAL, MPI_MAX, MPI_COMM_WORLD, error)
  if (error /= MPI_SUCCESS .or. any(sums /= size - 1)) failures = failures + 1
  call MPI_Reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0 .and. total /= size * (size - 1) / 2) failures = failures + 1
  pair = [mod(rank, 2), rank]
  call MPI_Allreduce(MPI_IN_PLACE, pair, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, error)
  if (any(pair /= [1, 1])) failures = failures + 1
  all_true = rank /= 1
  call MPI_Allreduce(MPI_IN_PLACE, all_true, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, error)
  if (all_true) failures = failures + 1
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
  total = 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, half, error)
  if (total /= (size + 1 - mod(rank, 2)) / 2) failures = failures + 1
  call MPI_Comm_free(half, error)
  call MPI_Op_create(least, .true., operation, error)
  pair = [abs(rank - 1), -rank]
  call MPI_Scan(MPI_IN_PLACE, pair, 2, MPI_INTEGER, operation, MPI_COMM_WORLD, error)
  if (any(pair /= [merge(1, 0, rank == 0), -rank])) failures = failures + 1
  call MPI_Op_free(operation, error)
  call check_modern(failures)
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a, i0)', 'failures: ', failures
  call MPI_Finalize(error)
end program
