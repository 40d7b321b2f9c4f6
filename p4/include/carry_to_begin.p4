// What is carried from pass to pass.
action carry_carry() { hdr.bridge.setValid(); }
// R-PISA-59: an ICRC of 0 behind the last lanes.
action begin_begin() { hdr.bridge.crc = 32w0xFFFFFFFF; }
