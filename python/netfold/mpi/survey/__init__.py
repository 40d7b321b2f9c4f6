"""A survey of what MPI programs call: `netfold survey --help`, docs/mpi-sources.md.

Sources of C, C++ and Fortran are parsed (:mod:`.parser`), calls are resolved to collectives
(:mod:`.resolve`), and put into a database (:mod:`.database`), which :mod:`.questions` asks and
:mod:`.report` prints. The parser does not preprocess: all branches of an `#if` count.
"""
