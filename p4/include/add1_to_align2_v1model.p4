add_unit() add1;
flag_unit() flag1;
exponents_unit() exponents2;
distance_unit() distance2;
align_unit() align2;
