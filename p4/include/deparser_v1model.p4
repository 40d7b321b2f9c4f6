control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.netfold); packet.emit(hdr.lanes_32);
        packet.emit(hdr.lanes_16); packet.emit(hdr.lanes_8); packet.emit(hdr.lanes_4);
        packet.emit(hdr.lanes_2); packet.emit(hdr.lanes_1); packet.emit(hdr.lanes_last);
    }
}
