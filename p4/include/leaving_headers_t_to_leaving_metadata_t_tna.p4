struct leaving_headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold;
}
struct metadata_t {
    bit<2> order; bit<2> phase; bit<1> known_shape; bit<1> known_exponents; bit<1> known_seal;
    bit<1> known_job; bit<1> known_member; bit<1> known_delivery; bit<32> key_; bit<32> digest;
    bit<16> copy; bit<16> word; bit<16> others; bit<1> alone; bit<16> members_group;
    bit<16> relay_group; bit<16> member_port; bit<1> to_all; bit<16> foreign; bit<16> rest;
    bit<4> age; bit<4> round_is; bit<32> first_worker; bit<32> sender; bit<16> left;
    bit<8> was_filled; bit<16> largest_exponent; bit<1> shown0; bit<1> shown1; bit<1> shown2;
    bit<1> shown3; bit<1> shown4; bit<1> shown5; bit<1> shown6;
}
struct leaving_metadata_t { bit<16> lane_bytes; bit<16> elsewhere; }
