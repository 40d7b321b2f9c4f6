add_unit() add0;
flag_unit() flag0;
exponents_unit() exponents1;
distance_unit() distance1;
align_unit() align1;
