// What is carried from pass to pass.
action carry_carry() { hdr.bridge.setValid(); }
table carry { actions = { carry_carry; } const default_action = carry_carry(); size = 1; }
// R-PISA-59: an ICRC of 0 behind the last lanes.
action begin_begin() { hdr.bridge.crc = 32w0xFFFFFFFF; }
table begin { actions = { begin_begin; } const default_action = begin_begin(); size = 1; }
// R-PISA-50: a whole payload, or none; no padding.
action shapes_pass() { meta.known_shape = 1w1; }
