//! Macros for what the architectures have under names of their own, so that they share the rest.

use super::{Arch, Text};
use crate::program::{Gress, Intrinsic};

/// Tells a parser how the packet came in.
pub(crate) const ARRIVAL: &str = "ARRIVAL";
/// Its value for packets that come in again.
pub(crate) const RECIRCULATED: &str = "RECIRCULATED";
/// The state to which packets that are dropped go.
pub(crate) const REJECT: &str = "REJECT";
/// Tells the control plane of a packet, with a reason.
pub(crate) const REPORT: &str = "REPORT";

/// Says how many constant entries a table has. Tofino has to be told, and bmv2 warns of it.
pub(crate) const ENTRIES: &str = "ENTRIES";

const EGRESS_PORT: &str = "EGRESS_PORT";
const MULTICAST_GROUP: &str = "MULTICAST_GROUP";
const REPLICA: &str = "REPLICA";
const LEAVING_PORT: &str = "LEAVING_PORT";

/// The value of `instance_type` in bmv2 for a packet that comes in again, and its state for
/// packets that are dropped: it has no way to reject one while parsing.
const V1MODEL: [(&str, &str); 9] = [
    (ARRIVAL, "standard_metadata.instance_type"),
    (RECIRCULATED, "4"),
    (REJECT, "refused"),
    (EGRESS_PORT, "standard_metadata.egress_spec"),
    (MULTICAST_GROUP, "standard_metadata.mcast_grp"),
    (REPLICA, "standard_metadata.egress_rid"),
    (LEAVING_PORT, "standard_metadata.egress_port"),
    (drop(Gress::Ingress), "mark_to_drop(standard_metadata)"),
    (drop(Gress::Egress), "mark_to_drop(standard_metadata)"),
];

/// Packets come in again by port 68 of a pipeline: seven bits of a port give its number there.
const TNA: [(&str, &str); 9] = [
    (ARRIVAL, "ig_intr_md.ingress_port"),
    (RECIRCULATED, "68 &&& 127"),
    (REJECT, "reject"),
    (EGRESS_PORT, "ig_tm_md.ucast_egress_port"),
    (MULTICAST_GROUP, "ig_tm_md.mcast_grp_a"),
    (REPLICA, "eg_intr_md.egress_rid"),
    (LEAVING_PORT, "eg_intr_md.egress_port"),
    (drop(Gress::Ingress), "ig_dprsr_md.drop_ctl = 3w1"),
    (drop(Gress::Egress), "eg_dprsr_md.drop_ctl = 3w1"),
];

/// Drops the packet.
pub(crate) const fn drop(gress: Gress) -> &'static str {
    match gress {
        Gress::Ingress => "INGRESS_DROP",
        Gress::Egress => "EGRESS_DROP",
    }
}

/// The macro for a field of the switch itself.
pub(crate) const fn of(intrinsic: Intrinsic, gress: Gress) -> &'static str {
    match intrinsic {
        Intrinsic::Around => ARRIVAL,
        Intrinsic::EgressPort => EGRESS_PORT,
        Intrinsic::Group => MULTICAST_GROUP,
        Intrinsic::Drop => drop(gress),
        Intrinsic::Report => REPORT,
        Intrinsic::Replica => REPLICA,
        Intrinsic::LeavesBy => LEAVING_PORT,
    }
}

/// Writes the macros.
pub(crate) fn define(text: &mut Text, arch: Arch) {
    text.begin("names");
    let names = match arch {
        Arch::V1Model => V1MODEL,
        Arch::Tna => TNA,
    };
    names.iter().for_each(|(name, own)| text.line(format!("#define {name} {own}")));
    let entries = if arch == Arch::Tna { " size = count;" } else { "" };
    text.line(format!("#define {ENTRIES}(count){entries}"));
    text.end();
}
