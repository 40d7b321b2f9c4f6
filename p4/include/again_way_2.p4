state again_way {
    transition select(hdr.netfold.flags) {
        0: again_look_0; 2: again_without_lanes; 6: again_without_lanes; default: REJECT;
    }
}
