control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.row); }
}
