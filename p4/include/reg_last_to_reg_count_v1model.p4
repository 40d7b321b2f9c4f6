// The latest round of each worker in each slot (R-PISA-11).
register<bit<32>, bit<32>>(1024) reg_last;
// The round that each copy holds, and what it agrees on (R-SLOT-7).
register<bit<64>, bit<32>>(256) reg_round;
// The same round, and the worker that started it.
register<bit<64>, bit<32>>(256) reg_first;
// Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
register<bit<16>, bit<32>>(256) reg_count;
