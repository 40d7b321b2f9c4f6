#define ARRIVAL ig_intr_md.ingress_port
#define RECIRCULATED 68 &&& 127
#define REJECT reject
#define EGRESS_PORT ig_tm_md.ucast_egress_port
#define MULTICAST_GROUP ig_tm_md.mcast_grp_a
#define REPLICA eg_intr_md.egress_rid
#define LEAVING_PORT eg_intr_md.egress_port
#define INGRESS_DROP ig_dprsr_md.drop_ctl = 3w1
#define EGRESS_DROP eg_dprsr_md.drop_ctl = 3w1
#define ENTRIES(count) size = count;
