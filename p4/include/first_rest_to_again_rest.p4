// Lanes that are left for the pipelines to come.
action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w64; }
table first_rest {
    actions = { first_rest_leave; }
    const default_action = first_rest_leave(); size = 1;
}
// Lanes that are left for the pipelines to come.
action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w64; }
table again_rest {
    actions = { again_rest_leave; }
    const default_action = again_rest_leave(); size = 1;
}
