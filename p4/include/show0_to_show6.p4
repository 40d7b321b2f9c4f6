// Lanes that the packet has behind this pass (R-PISA-14).
action show0_show() { hdr.lanes_32.setValid(); meta.shown0 = 1w1; }
table show0 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show0_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = {
        (2, 0, 64 &&& 0xFFC0) : show0_show(); (2, 0, 32 &&& 0xFFE0) : show0_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show1_show() { hdr.lanes_16.setValid(); meta.shown1 = 1w1; }
table show1 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show1_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show1_show(); (2, 1, 16 &&& 0xFFD0) : show1_show();
        (0, _, 64 &&& 0xFFC0) : show1_show(); (0, _, 16 &&& 0xFFD0) : show1_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show2_show() { hdr.lanes_8.setValid(); meta.shown2 = 1w1; }
table show2 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show2_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show2_show(); (2, 1, 8 &&& 0xFFC8) : show2_show();
        (0, _, 64 &&& 0xFFC0) : show2_show(); (0, _, 8 &&& 0xFFC8) : show2_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show3_show() { hdr.lanes_4.setValid(); meta.shown3 = 1w1; }
table show3 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show3_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show3_show(); (2, 1, 4 &&& 0xFFC4) : show3_show();
        (0, _, 64 &&& 0xFFC0) : show3_show(); (0, _, 4 &&& 0xFFC4) : show3_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show4_show() { hdr.lanes_2.setValid(); meta.shown4 = 1w1; }
table show4 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show4_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show4_show(); (2, 1, 2 &&& 0xFFC2) : show4_show();
        (0, _, 64 &&& 0xFFC0) : show4_show(); (0, _, 2 &&& 0xFFC2) : show4_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show5_show() { hdr.lanes_1.setValid(); meta.shown5 = 1w1; }
table show5 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show5_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show5_show(); (2, 1, 1 &&& 0xFFC1) : show5_show();
        (0, _, 64 &&& 0xFFC0) : show5_show(); (0, _, 1 &&& 0xFFC1) : show5_show();
    }
}
// Lanes that the packet has behind this pass (R-PISA-14).
action show6_show() { hdr.lanes_last.setValid(); meta.shown6 = 1w1; }
table show6 {
    key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
    actions = { show6_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = {
        (2, 1, 64 &&& 0xFFC0) : show6_show(); (0, _, 64 &&& 0xFFC0) : show6_show();
    }
}
