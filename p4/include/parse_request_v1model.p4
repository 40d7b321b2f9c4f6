state parse_request {
    packet.extract(hdr.request);
    transition select(hdr.request.version, hdr.request.element_type, hdr.request.width) {
        (1, 5, 1): parse_kind; default: REJECT;
    }
}
