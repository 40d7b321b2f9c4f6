// R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.
action shapes_pass() { meta.known_shape = 1w1; }
