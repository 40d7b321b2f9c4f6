// A result that gathers its lanes: R-PISA-59.
action resume_resume() {
    meta.copy = hdr.bridge.copy; hdr.front.setValid(); hdr.rest.setValid();
}
table resume { actions = { resume_resume; } const default_action = resume_resume(); size = 1; }
