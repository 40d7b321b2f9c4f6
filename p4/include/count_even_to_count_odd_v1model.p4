// R-PISA-73: the number of bits that are set.
action count_even_is(bit<16> pairs) { meta.found_even_count = pairs; }
table count_even {
    key = { hdr.bridge.found_even : exact; }
    actions = { count_even_is; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : count_even_is(v0);
    const entries = {
        #include "../lists/count_even.entries"
    }
    #undef E
}
// R-PISA-73: the number of bits that are set.
action count_odd_is(bit<16> pairs) { meta.found_odd_count = pairs; }
table count_odd {
    key = { hdr.bridge.found_odd : exact; }
    actions = { count_odd_is; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(256)
    #define E(k0, v0) k0 : count_odd_is(v0);
    const entries = {
        #include "../lists/count_odd.entries"
    }
    #undef E
}
