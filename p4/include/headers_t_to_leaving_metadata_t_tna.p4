struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold; found_h found;
    lane0_h lane0;
}
struct leaving_headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold; found_h found;
    lane0_h lane0;
}
struct metadata_t {
    bit<2> order; bit<2> phase; bit<1> known_shape; bit<1> known_exponents; bit<1> known_seal;
    bit<1> known_job; bit<1> known_member; bit<1> known_delivery; bit<32> key_; bit<32> digest;
    bit<16> copy; bit<16> word; bit<16> others; bit<1> alone; bit<16> members_group;
    bit<16> relay_group; bit<16> member_port; bit<1> to_all; bit<16> foreign; bit<16> rest;
    bit<4> age; bit<4> round_is; bit<32> first_worker; bit<32> sender; bit<16> left;
    bit<8> was_filled; bit<16> largest_exponent; bit<8> sums_are; bit<1> overflowed0;
    bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0;
    bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<32> limit0; bit<4> added0; bit<16> lane;
}
struct leaving_metadata_t {
    bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0; bit<32> sign0; bit<16> lane_bytes;
    bit<16> elsewhere;
}
