// R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.
action overflows_overflow(bit<16> module) {
    meta.lane = meta.lane + module; INGRESS_DROP; REPORT(2);
}
action overflows_withhold() { INGRESS_DROP; }
table overflows {
    key = { meta.sums_are : ternary; meta.overflowed0 : ternary; hdr.found.flags0 : ternary; }
    actions = { overflows_overflow; overflows_withhold; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = {
        (2, 1, _) : overflows_overflow(0); (3, _, 8 &&& 8) : overflows_withhold();
    }
}
