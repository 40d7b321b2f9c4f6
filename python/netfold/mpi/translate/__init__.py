"""Translation of C programs to fused collectives: `netfold translate --help`, spec/translate.md.

libclang parses (:mod:`.program`); :mod:`.effects` tells what statements read and write;
:mod:`.chains` looks for chains and proves the rules, or says which one does not hold;
:mod:`.rewrite` writes the new program, whose calls are those of `netfold_mpi.h`, and :mod:`.check`
runs it beside the original.
"""
