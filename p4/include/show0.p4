// Lanes that the packet has behind this pass (R-PISA-35).
action show0_show() { hdr.lane0.setValid(); }
action show0_hide() { hdr.lane0.setInvalid(); }
table show0 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
    actions = { show0_show; show0_hide; }
    const default_action = show0_hide(); ENTRIES(1)
    const entries = { (2, 0, 1..0xFFFF) : show0_show(); }
}
