/* Persistent calls whose lines in a trace are known (R-MTR-4), completed by one function after the
 * other. With the word `once` each is started once, and completed by one that waits for all. */
#include "persistent.h"

enum { WAYS = 8 };

static void complete(MPI_Request* request, int way) {
  int flag = 0, index = 0, number = 0, indices[1];
  MPI_Request* one = request;
  MPI_Status status;
  switch (way) {
    case 0:
      MPI_Wait(request, MPI_STATUS_IGNORE);
      break;
    case 1:
      MPI_Waitall(1, one, MPI_STATUSES_IGNORE);
      break;
    case 2:
      while (!flag) MPI_Test(request, &flag, &status);
      break;
    case 3:
      while (!flag) MPI_Testall(1, one, &flag, MPI_STATUSES_IGNORE);
      break;
    case 4:
      while (!flag) MPI_Testany(1, one, &index, &flag, &status);
      break;
    case 5:
      while (number < 1) MPI_Testsome(1, one, &number, indices, MPI_STATUSES_IGNORE);
      break;
    case 6:
      MPI_Waitany(1, one, &index, &status);
      break;
    case 7:
      MPI_Waitsome(1, one, &number, indices, MPI_STATUSES_IGNORE);
      break;
  }
}

int main(int argc, char** argv) {
  int once = argc > 1;
  double send[3] = {0}, sums[3];
  int told[5] = {0};
  MPI_Request requests[2];
  MPI_Comm twin;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  PERSISTENT(Allreduce, send, sums, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
             &requests[0]);
  PERSISTENT(Bcast, told, 5, MPI_INT, 1, twin, MPI_INFO_NULL, &requests[1]);
  for (int way = 0; !once && way < WAYS; way++) {
    MPI_Start(&requests[0]);
    complete(&requests[0], way);
  }
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; i++) MPI_Request_free(&requests[i]);
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
