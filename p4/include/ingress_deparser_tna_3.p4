control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.bth.dest_qp, meta.copy, meta.key_, meta.worker,
                meta.first_worker });
        }
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.bth); packet.emit(hdr.reth);
        packet.emit(hdr.immediate); packet.emit(hdr.front); packet.emit(hdr.rest);
        packet.emit(hdr.high); packet.emit(hdr.icrc);
    }
}
