struct leaving_headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; bth_h bth; reth_h reth;
    immediate_h immediate; front_h front;
}
struct metadata_t {
    bit<32> key_; bit<32> digest; bit<16> copy; bit<16> word; bit<16> worker; bit<16> others;
    bit<4> age; bit<4> round_is; bit<16> first_worker; bit<16> left; bit<16> largest_exponent;
    bit<2> phase; bit<1> known_pair; bit<1> known_shape; bit<1> known_exponents; bit<32> place;
    bit<32> number; bit<16> message; bit<1> alone; bit<16> members_group; bit<16> member_port;
    bit<32> term;
}
struct leaving_metadata_t { bit<32> term; bit<8> byte0; bit<8> byte1; bit<8> byte2; bit<8> byte3; }
