state first_first_length {
    transition select(hdr.udp.length) { 296: first_lanes; default: other; }
}
state first_middle_length {
    transition select(hdr.udp.length) { 280: first_lanes; default: other; }
}
state first_last_length {
    transition select(hdr.udp.length) { 284: first_lanes; default: other; }
}
state first_only_length {
    transition select(hdr.udp.length) { 300: first_lanes; 44: first_end; default: other; }
}
