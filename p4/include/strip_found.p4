// R-PISA-36: what sums were put together from.
action strip_found_strip() { hdr.found.setInvalid(); }
table strip_found {
    actions = { strip_found_strip; }
    const default_action = strip_found_strip(); size = 1;
}
