// The bridge is removed where a row leaves.
action strip_strip() { hdr.bridge.setInvalid(); }
table strip {
    key = { hdr.bridge.mode : exact; }
    actions = { strip_strip; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { 0 : strip_strip(); }
}
