"""FPISA's five queries by netfold, by DataFusion and by Spark, in an emulated rack:
`python -m bench.query` (FPISA, section 6.2).

Workers are processes on hosts of the rack, each with a part of the tables; the master is another
host. What workers do before they send, and what is done on the way, are told apart:

| contender | workers send | on the way |
| --- | --- | --- |
| rows | each row that a filter leaves, the columns that the query reads | nothing |
| DataFusion | what its partial stages leave: first rows, partial aggregates | nothing |
| netfold, rows | as `rows` | programs in the master's process prune and add |
| netfold | as DataFusion | the same |
| netfold, switch | as DataFusion | programs at the rack's switch prune and add |
| Spark | what its partial stages leave | nothing |
| Spark, netfold | as Spark | programs at the rack's switch prune and add |

So `rows` to `netfold, rows` is the gain of pruning and adding by themselves, to `DataFusion` that
of combining first; Spark to DataFusion is that of the engine. Spark takes part where the jar is
built (`make spark`).
"""
