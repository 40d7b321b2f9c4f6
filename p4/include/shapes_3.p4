// R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.
action shapes_pass() { meta.known_shape = 1w1; }
table shapes {
    key = {
        hdr.netfold.flags : ternary; hdr.netfold.element_type : ternary;
        hdr.netfold.operation : ternary; hdr.netfold.elements : range; hdr.udp.length : ternary;
    }
    actions = { shapes_pass; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(6)
    const entries = {
        (2 &&& 2, 1, 1, 0..4, 48) : shapes_pass(); (0 &&& 2, 1, 1, 0..0, 48) : shapes_pass();
        (0 &&& 2, 1, 1, 1..1, 52) : shapes_pass(); (0 &&& 2, 1, 1, 2..2, 56) : shapes_pass();
        (0 &&& 2, 1, 1, 3..3, 60) : shapes_pass(); (0 &&& 2, 1, 1, 4..4, 64) : shapes_pass();
    }
}
