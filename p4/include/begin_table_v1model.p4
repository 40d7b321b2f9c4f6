table begin {
    key = { hdr.request.pairs : exact; }
    actions = { begin_begin; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(14)
    const entries = {
        0 : begin_begin(0); 1 : begin_begin(1); 2 : begin_begin(3); 3 : begin_begin(7);
        4 : begin_begin(15); 5 : begin_begin(31); 6 : begin_begin(63); 7 : begin_begin(127);
        8 : begin_begin(255); 9 : begin_begin(511); 10 : begin_begin(1023);
        11 : begin_begin(0x7FF); 12 : begin_begin(0xFFF); 13 : begin_begin(0x1FFF);
    }
}
