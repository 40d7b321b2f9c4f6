"""netfold and its peers side by side: `python -m bench PLAN` runs a plan, `bench/plans` has them.

A plan names contenders, sizes of vectors and numbers of workers. All contenders of one number of
workers live at once and take turns, round by round, so that whatever else the machine does meets
all of them. The harness measures nothing that it has not seen to be right, compares no figures from
different runs, and knows nothing of how a contender works.

The first file to open is `measure.py`. `plan.py` reads plans, `launch.py` starts contenders at a
place (`place.py`), `team.py` commands one, `rank.py` is a Python contender's process and
`peers/allreduce.c` that of an MPI library, `report.py` and `plot.py` show the results. `rack.py`
emulates a network of hosts on one machine. `kernels.py` and `conversion.py` measure arithmetic
alone.
"""
