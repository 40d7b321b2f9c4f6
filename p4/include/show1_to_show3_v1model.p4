// Lanes that the packet has behind this pass (R-PISA-35).
action show1_show() { hdr.lane1.setValid(); }
action show1_hide() { hdr.lane1.setInvalid(); }
table show1 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
    actions = { show1_show; show1_hide; }
    const default_action = show1_hide(); ENTRIES(1)
    const entries = { (2, 0, 2..0xFFFF) : show1_show(); }
}
// Lanes that the packet has behind this pass (R-PISA-35).
action show2_show() { hdr.lane2.setValid(); }
action show2_hide() { hdr.lane2.setInvalid(); }
table show2 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
    actions = { show2_show; show2_hide; }
    const default_action = show2_hide(); ENTRIES(1)
    const entries = { (2, 0, 3..0xFFFF) : show2_show(); }
}
// Lanes that the packet has behind this pass (R-PISA-35).
action show3_show() { hdr.lane3.setValid(); }
action show3_hide() { hdr.lane3.setInvalid(); }
table show3 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
    actions = { show3_show; show3_hide; }
    const default_action = show3_hide(); ENTRIES(1)
    const entries = { (2, 0, 4..0xFFFF) : show3_show(); }
}
