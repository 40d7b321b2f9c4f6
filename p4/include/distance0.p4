// How far the two exponents are apart.
action distance0_subtract() { meta.distance0 = meta.incoming0 - meta.stored0; }
table distance0 {
    actions = { distance0_subtract; }
    const default_action = distance0_subtract(); size = 1;
}
