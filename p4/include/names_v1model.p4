#define ARRIVAL standard_metadata.instance_type
#define RECIRCULATED 4
#define REJECT refused
#define EGRESS_PORT standard_metadata.egress_spec
#define MULTICAST_GROUP standard_metadata.mcast_grp
#define REPLICA standard_metadata.egress_rid
#define LEAVING_PORT standard_metadata.egress_port
#define INGRESS_DROP mark_to_drop(standard_metadata)
#define EGRESS_DROP mark_to_drop(standard_metadata)
#define ENTRIES(count)
