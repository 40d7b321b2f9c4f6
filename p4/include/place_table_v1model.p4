table place {
    key = { meta.first : exact; }
    actions = { place_place; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { 1 : place_place(); }
}
