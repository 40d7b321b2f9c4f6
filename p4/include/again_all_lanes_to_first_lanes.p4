state again_all_lanes {
    packet.extract(hdr.lanes_32); packet.extract(hdr.lanes_16); packet.extract(hdr.lanes_8);
    packet.extract(hdr.lanes_4); packet.extract(hdr.lanes_2); packet.extract(hdr.lanes_1);
    packet.extract(hdr.lanes_last); transition accept;
}
state again_look_32 {
    transition select(hdr.bridge.rest) { 32 &&& 32: again_take_32; default: again_look_16; }
}
state first_way {
    transition select(hdr.netfold.flags) {
        0: first_lanes; 2: first_without_lanes; 6: first_without_lanes; default: REJECT;
    }
}
state again_take_32 { packet.extract(hdr.lanes_32); transition again_look_16; }
state again_look_16 {
    transition select(hdr.bridge.rest) { 16 &&& 16: again_take_16; default: again_look_8; }
}
state first_lanes {
    transition select(hdr.netfold.elements) {
        64 &&& 64: first_all_lanes; 128 &&& 128: first_all_lanes; 256 &&& 256: first_all_lanes;
        512 &&& 512: first_all_lanes; 0x400 &&& 0x400: first_all_lanes;
        0x800 &&& 0x800: first_all_lanes; 0x1000 &&& 0x1000: first_all_lanes;
        0x2000 &&& 0x2000: first_all_lanes; 0x4000 &&& 0x4000: first_all_lanes;
        0x8000 &&& 0x8000: first_all_lanes; default: first_look_32;
    }
}
