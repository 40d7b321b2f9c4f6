-- Top-N (FPISA, table 2; Cheetah, appendix B, query 4): prunes by an order of FP32.
select *
from uservisits
order by adrevenue desc
limit 250
