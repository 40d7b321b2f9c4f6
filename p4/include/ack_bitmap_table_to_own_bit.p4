table ack_bitmap {
    key = { meta.around_again : ternary; meta.seen : ternary; }
    actions = { ack_bitmap_mark; ack_bitmap_clear; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { (0, _) : ack_bitmap_mark(); (1, _) : ack_bitmap_clear(); }
}
// Whether this worker's packet has come before.
action own_bit_test() { meta.seen = meta.before & hdr.p4sgd.bm; }
