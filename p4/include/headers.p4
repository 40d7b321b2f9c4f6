struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold;
    lanes_32_h lanes_32; lanes_16_h lanes_16; lanes_8_h lanes_8; lanes_4_h lanes_4;
    lanes_2_h lanes_2; lanes_1_h lanes_1; lanes_last_h lanes_last;
}
