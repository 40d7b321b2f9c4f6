// The PSN of the packet before, times 256, and the packets that are left of its message,
// negative (R-PISA-53).
Register<signed_pair_t, bit<16>>(64) reg_expected;
// The copy that the latest packet belongs to.
Register<bit<16>, bit<16>>(64) reg_message_copy;
// The word of `last` that belongs to it.
Register<bit<16>, bit<16>>(64) reg_message_word;
// The round of the message.
Register<bit<32>, bit<16>>(64) reg_message_round;
