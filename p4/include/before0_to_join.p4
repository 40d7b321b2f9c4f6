// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before0_change(bit<32> bits) { hdr.bridge.crc = bits; }
table before0 {
    key = { meta.byte0 : exact; }
    actions = { before0_change; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : before0_change(v0);
    const entries = {
        #include "../lists/before0.entries"
    }
    #undef E
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before1_change(bit<32> bits) { hdr.bridge.late = bits; }
table before1 {
    key = { meta.byte1 : exact; }
    actions = { before1_change; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : before1_change(v0);
    const entries = {
        #include "../lists/before1.entries"
    }
    #undef E
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before2_change(bit<32> bits) { hdr.bridge.crc = hdr.bridge.crc ^ bits; }
table before2 {
    key = { meta.byte2 : exact; }
    actions = { before2_change; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : before2_change(v0);
    const entries = {
        #include "../lists/before2.entries"
    }
    #undef E
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before3_change(bit<32> bits) { hdr.bridge.late = hdr.bridge.late ^ bits; }
table before3 {
    key = { meta.byte3 : exact; }
    actions = { before3_change; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : before3_change(v0);
    const entries = {
        #include "../lists/before3.entries"
    }
    #undef E
}
// The state before these lanes.
action join_join() { hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late; }
table join {
    key = { hdr.bridge.mode : exact; }
    actions = { join_join; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : join_join(); 2 : join_join(); }
}
