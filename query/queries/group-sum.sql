-- Group-by sum (FPISA, table 2; Big Data Benchmark, query 2 with X = 8): adds FP32.
select substr(sourceip, 1, 8) as prefix, sum(adrevenue) as revenue
from uservisits
group by substr(sourceip, 1, 8)
