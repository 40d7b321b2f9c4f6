control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot,
                hdr.netfold.position, meta.sender, meta.first_worker });
        }
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.netfold); packet.emit(hdr.lanes_32);
        packet.emit(hdr.lanes_16); packet.emit(hdr.lanes_8); packet.emit(hdr.lanes_4);
        packet.emit(hdr.lanes_2); packet.emit(hdr.lanes_1); packet.emit(hdr.lanes_last);
    }
}
