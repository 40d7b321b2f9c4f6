state again_take_16 { packet.extract(hdr.lanes_16); transition again_look_8; }
state again_look_8 {
    transition select(hdr.bridge.rest) { 8 &&& 8: again_take_8; default: again_look_4; }
}
state first_all_lanes {
    packet.extract(hdr.lanes_32); packet.extract(hdr.lanes_16); packet.extract(hdr.lanes_8);
    packet.extract(hdr.lanes_4); packet.extract(hdr.lanes_2); packet.extract(hdr.lanes_1);
    packet.extract(hdr.lanes_last); transition accept;
}
state first_look_32 {
    transition select(hdr.netfold.elements) {
        32 &&& 32: first_take_32; default: first_look_16;
    }
}
state again_take_8 { packet.extract(hdr.lanes_8); transition again_look_4; }
state again_look_4 {
    transition select(hdr.bridge.rest) { 4 &&& 4: again_take_4; default: again_look_2; }
}
state first_take_32 { packet.extract(hdr.lanes_32); transition first_look_16; }
state first_look_16 {
    transition select(hdr.netfold.elements) { 16 &&& 16: first_take_16; default: first_look_8; }
}
state again_take_4 { packet.extract(hdr.lanes_4); transition again_look_2; }
state again_look_2 {
    transition select(hdr.bridge.rest) { 2 &&& 2: again_take_2; default: again_look_1; }
}
state first_take_16 { packet.extract(hdr.lanes_16); transition first_look_8; }
state first_look_8 {
    transition select(hdr.netfold.elements) { 8 &&& 8: first_take_8; default: first_look_4; }
}
state again_take_2 { packet.extract(hdr.lanes_2); transition again_look_1; }
state again_look_1 {
    transition select(hdr.bridge.rest) { 1 &&& 1: again_take_1; default: again_end; }
}
state first_take_8 { packet.extract(hdr.lanes_8); transition first_look_4; }
state first_look_4 {
    transition select(hdr.netfold.elements) { 4 &&& 4: first_take_4; default: first_look_2; }
}
state again_take_1 { packet.extract(hdr.lanes_1); transition again_end; }
