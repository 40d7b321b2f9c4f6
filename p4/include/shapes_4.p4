// R-PISA-50: a whole payload, or none; no padding.
action shapes_pass() { meta.known_shape = 1w1; }
table shapes {
    key = {
        hdr.bth.opcode : ternary; hdr.bth.flags : ternary; hdr.udp.length : ternary;
        hdr.reth.length : ternary;
    }
    actions = { shapes_pass; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(5)
    const entries = {
        (38, 0 &&& 63, 296, _) : shapes_pass(); (39, 0 &&& 63, 280, _) : shapes_pass();
        (41, 0 &&& 63, 284, _) : shapes_pass(); (43, 0 &&& 63, 300, 256) : shapes_pass();
        (43, 0 &&& 63, 44, 0) : shapes_pass();
    }
}
