-- Group-by-having max (FPISA, table 2; Cheetah, appendix B, query 5): prunes by the largest FP32 of
-- each group.
select useragent, max(adrevenue) as revenue
from uservisits
group by useragent
having max(adrevenue) > 999
