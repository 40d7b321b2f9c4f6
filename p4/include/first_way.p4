state first_way {
    transition select(hdr.netfold.flags) {
        0: first_look_0; 2: first_without_lanes; 6: first_without_lanes; default: REJECT;
    }
}
