//! MPI programs: run with `libnetfold_mpi.so` preloaded (`netfold mpirun`), and the table of the
//! calls that it takes, measured (`netfold mpi tune`).

mod presence;
mod run;
mod tune;

pub(crate) use run::run;
pub(crate) use tune::run as tune;
