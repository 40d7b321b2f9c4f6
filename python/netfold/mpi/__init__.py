"""Sources and traces of MPI programs: what they call, and what of it can be fused.

- :mod:`netfold.mpi.survey` counts collectives in sources of C, C++ and Fortran (`netfold survey`).
- :mod:`netfold.mpi.translate` writes C that calls fused collectives (`netfold translate`).

Both build on :mod:`~netfold.mpi.signatures` (the parameters of MPI's collectives),
:mod:`~netfold.mpi.chains` (what can be fused) and :mod:`~netfold.mpi.trace` (what a program called
as it ran), and need the packages of the extra `mpi`.
"""
