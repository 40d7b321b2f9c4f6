// Only the last packet of a message has some.
action no_exponents_pass() { meta.known_exponents = 1w1; }
table no_exponents {
    actions = { no_exponents_pass; }
    const default_action = no_exponents_pass(); size = 1;
}
