// R-PISA-72: around with what is left, or back as an answer.
action outcome_answer(bit<8> flags) {
    hdr.rank0.setInvalid(); hdr.row0.setInvalid(); hdr.rank1.setInvalid();
    hdr.row1.setInvalid(); hdr.rank2.setInvalid(); hdr.row2.setInvalid();
    hdr.rank3.setInvalid(); hdr.row3.setInvalid(); hdr.rank4.setInvalid();
    hdr.row4.setInvalid(); hdr.rank5.setInvalid(); hdr.row5.setInvalid();
    hdr.rank6.setInvalid(); hdr.row6.setInvalid(); hdr.rank7.setInvalid();
    hdr.row7.setInvalid(); hdr.rank8.setInvalid(); hdr.row8.setInvalid();
    hdr.rank9.setInvalid(); hdr.row9.setInvalid(); hdr.rank10.setInvalid();
    hdr.row10.setInvalid(); hdr.rank11.setInvalid(); hdr.row11.setInvalid();
    hdr.rank12.setInvalid(); hdr.row12.setInvalid(); hdr.bridge.mode = 8w3;
    EGRESS_PORT = (bit<9>) meta.port; hdr.request.flags = flags; hdr.request.generation = 32w1;
    hdr.request.integrity = 64w0; hdr.ipv4.tos = 8w0; hdr.ethernet.dst = hdr.ethernet.src;
    hdr.ipv4.dst = hdr.ipv4.src; hdr.udp.dst_port = hdr.udp.src_port;
}
action outcome_again(bit<8> mode) {
    hdr.bridge.mode = mode; EGRESS_PORT = 9w68; hdr.bridge.even = meta.left;
    hdr.bridge.odd = meta.left;
}
