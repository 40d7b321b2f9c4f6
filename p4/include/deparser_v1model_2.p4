control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.request); packet.emit(hdr.rank0);
        packet.emit(hdr.rank1); packet.emit(hdr.rank2); packet.emit(hdr.rank3);
        packet.emit(hdr.rank4); packet.emit(hdr.rank5); packet.emit(hdr.rank6);
        packet.emit(hdr.rank7); packet.emit(hdr.rank8); packet.emit(hdr.rank9);
        packet.emit(hdr.rank10); packet.emit(hdr.rank11); packet.emit(hdr.rank12);
        packet.emit(hdr.found_rank0); packet.emit(hdr.found_rank1); packet.emit(hdr.found_rank2);
        packet.emit(hdr.found_rank3); packet.emit(hdr.found_rank4); packet.emit(hdr.found_rank5);
        packet.emit(hdr.found_rank6); packet.emit(hdr.found_rank7); packet.emit(hdr.found_rank8);
        packet.emit(hdr.found_rank9); packet.emit(hdr.found_rank10); packet.emit(hdr.found_rank11);
        packet.emit(hdr.found_rank12); packet.emit(hdr.found_rank13); packet.emit(hdr.found_rank14);
        packet.emit(hdr.found_rank15); packet.emit(hdr.row0); packet.emit(hdr.row1);
        packet.emit(hdr.row2); packet.emit(hdr.row3); packet.emit(hdr.row4); packet.emit(hdr.row5);
        packet.emit(hdr.row6); packet.emit(hdr.row7); packet.emit(hdr.row8); packet.emit(hdr.row9);
        packet.emit(hdr.row10); packet.emit(hdr.row11); packet.emit(hdr.row12);
        packet.emit(hdr.found_row0); packet.emit(hdr.found_row1); packet.emit(hdr.found_row2);
        packet.emit(hdr.found_row3); packet.emit(hdr.found_row4); packet.emit(hdr.found_row5);
        packet.emit(hdr.found_row6); packet.emit(hdr.found_row7); packet.emit(hdr.found_row8);
        packet.emit(hdr.found_row9); packet.emit(hdr.found_row10); packet.emit(hdr.found_row11);
        packet.emit(hdr.found_row12); packet.emit(hdr.found_row13); packet.emit(hdr.found_row14);
        packet.emit(hdr.found_row15);
    }
}
