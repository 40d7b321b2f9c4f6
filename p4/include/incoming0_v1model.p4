incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
incoming_unit() incoming1; extract_unit() extract1; sign_unit() sign1;
incoming_unit() incoming2; extract_unit() extract2; sign_unit() sign2;
incoming_unit() incoming3; extract_unit() extract3; sign_unit() sign3;
exponents_unit() exponents0; distance_unit() distance0; align_unit() align0; add_unit() add0;
flag_unit() flag0; exponents_unit() exponents1; distance_unit() distance1; align_unit() align1;
add_unit() add1; flag_unit() flag1; exponents_unit() exponents2; distance_unit() distance2;
align_unit() align2; add_unit() add2; flag_unit() flag2; exponents_unit() exponents3;
distance_unit() distance3; align_unit() align3; add_unit() add3; flag_unit() flag3;
