state first_take_0 { packet.extract(hdr.lane0); transition first_look_1; }
state again_look_2 {
    transition select(hdr.bridge.rest) { 2: again_end; default: again_take_2; }
}
state first_look_1 {
    transition select(hdr.netfold.elements) { 1: first_end; default: first_take_1; }
}
state again_take_2 { packet.extract(hdr.lane2); transition again_look_3; }
state first_take_1 { packet.extract(hdr.lane1); transition first_look_2; }
state again_look_3 {
    transition select(hdr.bridge.rest) { 3: again_end; default: again_take_3; }
}
state first_look_2 {
    transition select(hdr.netfold.elements) { 2: first_end; default: first_take_2; }
}
