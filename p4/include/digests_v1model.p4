// R-SLOT-7, R-PISA-12: what contributions agree on.
action digests_digest() {
    hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.netfold.position, hdr.netfold.kind,
        hdr.netfold.call, hdr.netfold.element_type, hdr.netfold.operation, hdr.netfold.elements,
        hdr.netfold.exponent, hdr.netfold.delivery }, 64w0x100000000);
}
