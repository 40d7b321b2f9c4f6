state first_take_4 { packet.extract(hdr.lanes_4); transition first_look_2; }
state first_look_2 {
    transition select(hdr.netfold.elements) { 2 &&& 2: first_take_2; default: first_look_1; }
}
state first_take_2 { packet.extract(hdr.lanes_2); transition first_look_1; }
state first_look_1 {
    transition select(hdr.netfold.elements) { 1 &&& 1: first_take_1; default: first_end; }
}
state first_take_1 { packet.extract(hdr.lanes_1); transition first_end; }
