// R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
action folds_skip() { }
action folds_set() { meta.sums_are = 8w1; }
action folds_add() { meta.sums_are = 8w2; }
action folds_read() { meta.sums_are = 8w3; }
table folds {
    key = {
        meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
        meta.round_is : ternary; hdr.netfold.flags : ternary; meta.order : ternary;
        meta.was_filled : ternary; meta.left : ternary;
    }
    actions = { folds_skip; folds_set; folds_add; folds_read; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(6)
    const entries = {
        (0 &&& 2, _, 2, 2, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
        (0 &&& 2, _, 2, 8, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, _, 0) : folds_skip();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 0, _) : folds_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 1, _) : folds_add();
        (2, _, _, _, _, _, _, _) : folds_read();
    }
}
