// Lanes that are left for the pipelines to come.
action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w64; }
// Lanes that are left for the pipelines to come.
action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w64; }
