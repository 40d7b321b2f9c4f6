// The latest round of each worker in each slot (R-PISA-11).
Register<int<32>, bit<16>>(1024) reg_last;
// The round that each copy holds, and what it agrees on (R-SLOT-7).
Register<signed_pair_t, bit<16>>(256) reg_round;
// The same round, and the worker that started it.
Register<signed_pair_t, bit<16>>(256) reg_first;
// Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
Register<int<16>, bit<16>>(256) reg_count;
