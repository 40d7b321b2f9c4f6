! Calls by `mpi_f08` alone, from the beginning to the end, and requests that are completed in every
! way (R-MPI-1, R-MPI-13, R-MPI-18).
module folds
contains
  ! An operation of the program, whose body a list names.
  subroutine least(a, b, length, type)
    use mpi_f08, only: MPI_Datatype
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: a, b
    integer :: length
    type(MPI_Datatype) :: type
    integer, pointer :: x(:), y(:)
    call c_f_pointer(a, x, [length])
    call c_f_pointer(b, y, [length])
    if (type%MPI_VAL /= 0) y = min(x, y)
  end subroutine
end module

program modern
  use mpi_f08
  use folds
  implicit none
  integer, parameter :: ways = 8
  integer, asynchronous :: own(ways), sums(ways), told(ways)
  integer :: rank, size, failures, way, total
  type(MPI_Request) :: requests(2)
  type(MPI_Op) :: operation
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  failures = 0
  do way = 1, ways
    own(way) = way * (rank + 1)
    sums(way) = -1
    told(way) = merge(way, -1, rank == 0)
    call MPI_Iallreduce(own(way:way), sums(way:way), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                        requests(1))
    call MPI_Ibcast(told(way:way), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(2))
    call complete(requests, way)
    if (any([requests(1) /= MPI_REQUEST_NULL, requests(2) /= MPI_REQUEST_NULL])) &
      failures = failures + 1
    if (sums(way) /= way * size * (size + 1) / 2) failures = failures + 1
    if (told(way) /= way) failures = failures + 1
  end do
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  call MPI_Op_create(least, .true., operation)
  own(1:2) = [abs(rank - 1), -rank]
  call MPI_Scan(MPI_IN_PLACE, own, 2, MPI_INTEGER, operation, MPI_COMM_WORLD)
  if (any(own(1:2) /= [merge(1, 0, rank == 0), -rank])) failures = failures + 1
  call MPI_Op_free(operation)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a, i0)', 'failures: ', total
  call MPI_Finalize()
contains
  subroutine complete(requests, way)
    type(MPI_Request), intent(inout) :: requests(2)
    integer, intent(in) :: way
    type(MPI_Status) :: statuses(2)
    integer :: i, index, number, left, indices(2)
    logical :: flag
    left = 2
    flag = .false.
    select case (way)
    case (1)
      do i = 1, 2
        call MPI_Wait(requests(i), statuses(i))
      end do
    case (2)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    case (3)
      do i = 1, 2
        call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE)
        ! MPICH 4.0 counts from 0 here.
        if (index < 0 .or. index > 2) error stop 'no index'
      end do
    case (4)
      do while (left > 0)
        call MPI_Waitsome(2, requests, number, indices, statuses)
        left = left - number
      end do
    case (5)
      do i = 1, 2
        flag = .false.
        do while (.not. flag)
          call MPI_Test(requests(i), flag, MPI_STATUS_IGNORE)
        end do
      end do
    case (6)
      do while (.not. flag)
        call MPI_Testall(2, requests, flag, MPI_STATUSES_IGNORE)
      end do
    case (7)
      do while (left > 0)
        call MPI_Testany(2, requests, index, flag, MPI_STATUS_IGNORE)
        if (flag) left = left - 1
      end do
    case (8)
      do while (left > 0)
        call MPI_Testsome(2, requests, number, indices, MPI_STATUSES_IGNORE)
        left = left - number
      end do
    end select
  end subroutine
end program
