# Registers, multicast groups and table entries of p4sgd, in this order, for
# bfshell -b FILE, with the program loaded.

pipe = bfrt.p4sgd_8.pipe
pre = bfrt.pre

pre.node.entry(MULTICAST_NODE_ID=1, MULTICAST_RID=0, MULTICAST_LAG_ID=[], DEV_PORT=[1]).push()
pre.node.entry(MULTICAST_NODE_ID=2, MULTICAST_RID=1, MULTICAST_LAG_ID=[], DEV_PORT=[2]).push()
pre.node.entry(MULTICAST_NODE_ID=3, MULTICAST_RID=2, MULTICAST_LAG_ID=[], DEV_PORT=[3]).push()
pre.node.entry(MULTICAST_NODE_ID=4, MULTICAST_RID=3, MULTICAST_LAG_ID=[], DEV_PORT=[4]).push()
pre.node.entry(MULTICAST_NODE_ID=5, MULTICAST_RID=4, MULTICAST_LAG_ID=[], DEV_PORT=[5]).push()
pre.node.entry(MULTICAST_NODE_ID=6, MULTICAST_RID=5, MULTICAST_LAG_ID=[], DEV_PORT=[6]).push()
pre.node.entry(MULTICAST_NODE_ID=7, MULTICAST_RID=6, MULTICAST_LAG_ID=[], DEV_PORT=[7]).push()
pre.node.entry(MULTICAST_NODE_ID=8, MULTICAST_RID=7, MULTICAST_LAG_ID=[], DEV_PORT=[8]).push()
pre.mgid.entry(MGID=1, MULTICAST_NODE_ID=list(range(1, 9)), MULTICAST_NODE_L1_XID_VALID=[False] * 8, MULTICAST_NODE_L1_XID=[0] * 8).push()
bfrt.complete_operations()
