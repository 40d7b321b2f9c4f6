table outcome {
    key = {
        meta.what : ternary; meta.left : ternary; hdr.ipv4.tos : ternary; meta.fresh : ternary;
    }
    actions = { outcome_answer; outcome_again; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(16)
    const entries = {
        (1, 0, 3 &&& 3, _) : outcome_answer(17); (1, 0, _, _) : outcome_answer(1);
        (1, _, _, 2) : outcome_again(1); (1, _, 3 &&& 3, _) : outcome_answer(17);
        (1, _, _, _) : outcome_answer(1); (2, 0, 3 &&& 3, _) : outcome_answer(17);
        (2, 0, _, _) : outcome_answer(1); (2, _, _, _) : outcome_again(1);
        (3, 0, 3 &&& 3, _) : outcome_answer(17); (3, 0, _, _) : outcome_answer(1);
        (3, _, _, _) : outcome_again(2); (4, 0, 3 &&& 3, _) : outcome_answer(17);
        (4, 0, _, _) : outcome_answer(1); (4, _, _, _) : outcome_again(2);
        (5, _, 3 &&& 3, _) : outcome_answer(17); (5, _, _, _) : outcome_answer(1);
    }
}
