// R-SLOT-8, R-PISA-11: rounds as serial numbers.
action rounds_number() {
    meta.key_ = hash_rounds_number_key.get({ hdr.netfold.position[29:0], meta.order });
    meta.foreign = hdr.netfold.worker ^ hdr.netfold.delivery;
    meta.sender = (bit<32>) hdr.netfold.worker;
}
