table outcome {
    key = {
        meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
        meta.round_is : ternary; meta.left : ternary; meta.alone : ternary;
        hdr.netfold.flags : ternary; meta.order : ternary; meta.was_filled : ternary;
        meta.to_all : ternary; meta.foreign : ternary; hdr.netfold.elements : range;
        hdr.bridge.single : ternary; meta.known_shape : ternary; meta.known_exponents : ternary;
        meta.known_seal : ternary; meta.known_job : ternary; meta.known_member : ternary;
        meta.known_delivery : ternary;
    }
    actions = {
        outcome_refuse; outcome_mismatch; outcome_onward; outcome_recall; outcome_gather;
        outcome_gather_one; outcome_relay; outcome_spread; outcome_spread_empty; outcome_reply;
        outcome_reply_empty; outcome_harvest; outcome_spread_whole; outcome_reply_whole;
    }
    const default_action = outcome_refuse(); ENTRIES(36)
    const entries = {
        #include "../lists/outcome_3.entries"
    }
}
