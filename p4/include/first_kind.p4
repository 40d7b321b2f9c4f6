state first_kind {
    transition select(hdr.netfold.kind) {
        2: first_exponents; 3: first_classes; 1: first_values; default: REJECT;
    }
}
