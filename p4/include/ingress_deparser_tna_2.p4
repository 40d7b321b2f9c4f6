control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1; Digest<report_t>() report_2;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot,
                hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
        }
        if (ig_dprsr_md.digest_type == 2) {
            report_2.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot,
                hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
        }
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.netfold); packet.emit(hdr.found);
        packet.emit(hdr.lane0);
    }
}
