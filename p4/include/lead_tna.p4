// R-PISA-59: the lanes that ingress had last.
action lead_hash() {
    meta.term = hash_lead_hash_term.get({ hdr.front.lane0, hdr.front.lane1, hdr.front.lane2,
        hdr.front.lane3, 896w0 });
    hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
}
table lead {
    key = { hdr.bridge.mode : exact; }
    actions = { lead_hash; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : lead_hash(); 2 : lead_hash(); }
}
