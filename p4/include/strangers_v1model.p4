// R-KEY-2: of workers and servers alone.
action strangers_admit() { }
action strangers_refuse() { meta.what = 3w0; INGRESS_DROP; }
table strangers {
    key = { meta.known : ternary; meta.placed : ternary; }
    actions = { strangers_admit; strangers_refuse; }
    const default_action = strangers_refuse(); ENTRIES(1)
    const entries = { (1, 1) : strangers_admit(); }
}
