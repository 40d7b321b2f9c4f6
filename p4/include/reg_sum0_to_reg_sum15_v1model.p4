// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum0;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum1;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum2;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum3;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum4;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum5;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum6;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum7;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum8;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum9;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum10;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum11;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum12;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum13;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum14;
// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum15;
