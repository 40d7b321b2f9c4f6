table outcome {
    key = {
        meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step");
        meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
        meta.left : ternary @name("left"); meta.alone : ternary @name("alone");
        hdr.netfold.flags : ternary @name("flags"); meta.order : ternary @name("order");
        meta.was_filled : ternary @name("was_filled"); meta.to_all : ternary @name("to_all");
        meta.foreign : ternary @name("foreign"); hdr.netfold.elements : range @name("elements");
        hdr.bridge.single : ternary @name("single");
        meta.known_shape : ternary @name("known_shape");
        meta.known_exponents : ternary @name("known_exponents");
        meta.known_seal : ternary @name("known_seal");
        meta.known_job : ternary @name("known_job");
        meta.known_member : ternary @name("known_member");
        meta.known_delivery : ternary @name("known_delivery");
    }
    actions = {
        outcome_refuse; outcome_mismatch; outcome_onward; outcome_recall; outcome_gather;
        outcome_gather_one; outcome_relay; outcome_spread; outcome_spread_empty; outcome_reply;
        outcome_reply_empty; outcome_harvest; outcome_spread_whole; outcome_reply_whole;
    }
    const default_action = outcome_refuse();
    const entries = {
        #include "../lists/outcome_3.entries"
    }
}
