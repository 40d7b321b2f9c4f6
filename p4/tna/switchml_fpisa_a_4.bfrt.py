# Registers, multicast groups and table entries of switchml_fpisa_a, in this order, for
# bfshell -b FILE, with the program loaded.

pipe = bfrt.switchml_fpisa_a_4.pipe
pre = bfrt.pre

for word in range(0, 1024):
    pipe.SwitchIngress.reg_last.mod(word, 0)
for word in range(0, 128):
    pipe.SwitchIngress.reg_round.mod(word, 0, 0)
for word in range(128, 256):
    pipe.SwitchIngress.reg_round.mod(word, 0, 0)
for word in range(0, 128):
    pipe.SwitchIngress.reg_first.mod(word, 0, 0)
for word in range(128, 256):
    pipe.SwitchIngress.reg_first.mod(word, 0, 0)
for word in range(0, 128):
    pipe.SwitchIngress.reg_count.mod(word, 0)
for word in range(128, 256):
    pipe.SwitchIngress.reg_count.mod(word, 0)
for word in range(0, 128):
    pipe.SwitchIngress.reg_filled.mod(word, 0)
for word in range(128, 256):
    pipe.SwitchIngress.reg_filled.mod(word, 0)
for word in range(0, 128):
    pipe.SwitchIngress.reg_largest.mod(word, 0)
for word in range(128, 256):
    pipe.SwitchIngress.reg_largest.mod(word, 0)
pre.node.entry(MULTICAST_NODE_ID=1, MULTICAST_RID=0, MULTICAST_LAG_ID=[], DEV_PORT=[1]).push()
pre.node.entry(MULTICAST_NODE_ID=2, MULTICAST_RID=1, MULTICAST_LAG_ID=[], DEV_PORT=[2]).push()
pre.node.entry(MULTICAST_NODE_ID=3, MULTICAST_RID=2, MULTICAST_LAG_ID=[], DEV_PORT=[3]).push()
pre.node.entry(MULTICAST_NODE_ID=4, MULTICAST_RID=3, MULTICAST_LAG_ID=[], DEV_PORT=[4]).push()
pre.node.entry(MULTICAST_NODE_ID=5, MULTICAST_RID=4, MULTICAST_LAG_ID=[], DEV_PORT=[5]).push()
pre.node.entry(MULTICAST_NODE_ID=6, MULTICAST_RID=5, MULTICAST_LAG_ID=[], DEV_PORT=[6]).push()
pre.node.entry(MULTICAST_NODE_ID=7, MULTICAST_RID=6, MULTICAST_LAG_ID=[], DEV_PORT=[7]).push()
pre.node.entry(MULTICAST_NODE_ID=8, MULTICAST_RID=7, MULTICAST_LAG_ID=[], DEV_PORT=[8]).push()
pre.mgid.entry(MGID=1, MULTICAST_NODE_ID=list(range(1, 9)), MULTICAST_NODE_L1_XID_VALID=[False] * 8, MULTICAST_NODE_L1_XID=[0] * 8).push()
pre.node.entry(MULTICAST_NODE_ID=9, MULTICAST_RID=0, MULTICAST_LAG_ID=[], DEV_PORT=[1]).push()
pre.node.entry(MULTICAST_NODE_ID=10, MULTICAST_RID=1, MULTICAST_LAG_ID=[], DEV_PORT=[2]).push()
pre.node.entry(MULTICAST_NODE_ID=11, MULTICAST_RID=2, MULTICAST_LAG_ID=[], DEV_PORT=[3]).push()
pre.node.entry(MULTICAST_NODE_ID=12, MULTICAST_RID=3, MULTICAST_LAG_ID=[], DEV_PORT=[4]).push()
pre.node.entry(MULTICAST_NODE_ID=13, MULTICAST_RID=4, MULTICAST_LAG_ID=[], DEV_PORT=[5]).push()
pre.node.entry(MULTICAST_NODE_ID=14, MULTICAST_RID=5, MULTICAST_LAG_ID=[], DEV_PORT=[6]).push()
pre.node.entry(MULTICAST_NODE_ID=15, MULTICAST_RID=6, MULTICAST_LAG_ID=[], DEV_PORT=[7]).push()
pre.node.entry(MULTICAST_NODE_ID=16, MULTICAST_RID=7, MULTICAST_LAG_ID=[], DEV_PORT=[8]).push()
pre.node.entry(MULTICAST_NODE_ID=17, MULTICAST_RID=65535, MULTICAST_LAG_ID=[], DEV_PORT=[452]).push()
pre.mgid.entry(MGID=2, MULTICAST_NODE_ID=list(range(9, 18)), MULTICAST_NODE_L1_XID_VALID=[False] * 9, MULTICAST_NODE_L1_XID=[0] * 9).push()
pipe.SwitchIngress.deliveries.add_with_deliveries_everyone(job=0x1, delivery=0xffff)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x0)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x0, dst_mac=0x20000000001, src_mac=0x200000000fe, dst_ip=0xa000001, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x0, dst_mac=0x20000000001, src_mac=0x200000000fe, dst_ip=0xa000001, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x0, first=0x0, port=0x1)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x1)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x1, dst_mac=0x20000000002, src_mac=0x200000000fe, dst_ip=0xa000002, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x1, dst_mac=0x20000000002, src_mac=0x200000000fe, dst_ip=0xa000002, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x1, first=0x80, port=0x2)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x2)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x2, dst_mac=0x20000000003, src_mac=0x200000000fe, dst_ip=0xa000003, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x2, dst_mac=0x20000000003, src_mac=0x200000000fe, dst_ip=0xa000003, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x2, first=0x100, port=0x3)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x3)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x3, dst_mac=0x20000000004, src_mac=0x200000000fe, dst_ip=0xa000004, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x3, dst_mac=0x20000000004, src_mac=0x200000000fe, dst_ip=0xa000004, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x3, first=0x180, port=0x4)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x4)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x4, dst_mac=0x20000000005, src_mac=0x200000000fe, dst_ip=0xa000005, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x4, dst_mac=0x20000000005, src_mac=0x200000000fe, dst_ip=0xa000005, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x4, first=0x200, port=0x5)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x5)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x5, dst_mac=0x20000000006, src_mac=0x200000000fe, dst_ip=0xa000006, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x5, dst_mac=0x20000000006, src_mac=0x200000000fe, dst_ip=0xa000006, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x5, first=0x280, port=0x6)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x6)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x6, dst_mac=0x20000000007, src_mac=0x200000000fe, dst_ip=0xa000007, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x6, dst_mac=0x20000000007, src_mac=0x200000000fe, dst_ip=0xa000007, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x6, first=0x300, port=0x7)
pipe.SwitchIngress.deliveries.add_with_deliveries_one(job=0x1, delivery=0x7)
pipe.SwitchEgress.reach_one.add_with_reach_one_reach(job=0x1, worker=0x7, dst_mac=0x20000000008, src_mac=0x200000000fe, dst_ip=0xa000008, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchEgress.reach_each.add_with_reach_each_reach(job=0x1, replica=0x7, dst_mac=0x20000000008, src_mac=0x200000000fe, dst_ip=0xa000008, src_ip=0xa0000fe, dst_port=0x15b3, src_port=0x15b3)
pipe.SwitchIngress.members.add_with_members_know(job=0x1, worker=0x7, first=0x380, port=0x8)
pipe.SwitchIngress.jobs.add_with_jobs_find(job=0x1, job_mask=0xffff, epoch=0x1, epoch_mask=0xffffffff, pool=0x0, pool_mask=0xff, slot_start=0x0, slot_end=0x7f, match_priority=1, first=0x0, others=0x7, alone=0x0, group=0x1, relay=0x2)
pipe.SwitchIngress.jobs.add_with_jobs_find(job=0x1, job_mask=0xffff, epoch=0x1, epoch_mask=0xffffffff, pool=0x1, pool_mask=0xff, slot_start=0x0, slot_end=0x7f, match_priority=1, first=0x80, others=0x7, alone=0x0, group=0x1, relay=0x2)
bfrt.complete_operations()
