state again_lanes {
    transition select(hdr.bridge.rest) {
        64 &&& 64: again_all_lanes; 128 &&& 128: again_all_lanes; 256 &&& 256: again_all_lanes;
        512 &&& 512: again_all_lanes; 0x400 &&& 0x400: again_all_lanes;
        0x800 &&& 0x800: again_all_lanes; 0x1000 &&& 0x1000: again_all_lanes;
        0x2000 &&& 0x2000: again_all_lanes; 0x4000 &&& 0x4000: again_all_lanes;
        0x8000 &&& 0x8000: again_all_lanes; default: again_look_32;
    }
}
