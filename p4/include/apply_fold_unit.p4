#define FOLD(N, F9) fold##N.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, \
    hdr.netfold.flags, meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane##N, F9, \
    meta.copy)
