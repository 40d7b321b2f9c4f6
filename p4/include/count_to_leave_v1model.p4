// R-PISA-73: pairs of the answer to a pull.
action count_count() { meta.found_pairs = meta.found_even_count + meta.found_odd_count; }
// Bytes of the pairs: a rank and a row of 4 each.
action measure_measure() { meta.body = meta.found_pairs << 3; }
// The answer as a datagram; the bridge is removed.
action leave_bare() { hdr.bridge.setInvalid(); }
action leave_leave() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = meta.body + 16w48; hdr.ipv4.total_length = meta.body + 16w68;
}
action leave_leave_pulled() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = meta.body + 16w48; hdr.ipv4.total_length = meta.body + 16w68;
    hdr.request.pairs = meta.found_pairs;
}
table leave {
    key = { hdr.bridge.mode : ternary; hdr.request.kind : ternary; }
    actions = { leave_bare; leave_leave; leave_leave_pulled; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (4, _) : leave_bare(); (3, 19) : leave_leave_pulled(); (3, _) : leave_leave();
    }
}
