table number_result {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; }
    actions = { number_result_number; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (0, _) : number_result_number(); }
}
