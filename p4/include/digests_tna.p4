// R-SLOT-7, R-PISA-12: what contributions agree on.
action digests_digest() {
    meta.digest = hash_digests_digest_digest.get({ hdr.netfold.position, hdr.netfold.kind,
        hdr.netfold.call, hdr.netfold.element_type, hdr.netfold.operation, hdr.netfold.elements,
        hdr.netfold.exponent, hdr.netfold.delivery });
}
