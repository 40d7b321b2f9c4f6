state first_opcode {
    transition select(hdr.bth.opcode) {
        38: first_first; 39: first_middle; 41: first_last; 43: first_only; default: other;
    }
}
