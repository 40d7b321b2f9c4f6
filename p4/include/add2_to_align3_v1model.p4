add_unit() add2;
flag_unit() flag2;
exponents_unit() exponents3;
distance_unit() distance3;
align_unit() align3;
