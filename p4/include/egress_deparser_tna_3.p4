control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta,
    in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    Checksum() internet;
    apply {
        if (hdr.ipv4.isValid() && hdr.bth.isValid()) {
            hdr.ipv4.checksum = internet.update({ hdr.ipv4.version_ihl, hdr.ipv4.tos,
                hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.fragment, hdr.ipv4.ttl,
                hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst });
        }
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.bth); packet.emit(hdr.reth);
        packet.emit(hdr.immediate); packet.emit(hdr.front);
    }
}
