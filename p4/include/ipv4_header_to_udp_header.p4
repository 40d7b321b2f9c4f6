header ipv4_h {
    bit<8> version_ihl; bit<8> tos; bit<16> total_length; bit<16> identification; bit<16> fragment;
    bit<8> ttl; bit<8> protocol; bit<16> checksum; bit<32> src; bit<32> dst;
}
header udp_h { bit<16> src_port; bit<16> dst_port; bit<16> length; bit<16> checksum; }
