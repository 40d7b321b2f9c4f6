state pull {
    meta.what = 5; meta.first = 1;
    transition select(hdr.request.pairs) { 0: pull_of_nothing; default: alone_rank0; }
}
state with_row_row2 {
    packet.extract(hdr.row2);
    transition select(hdr.request.pairs) { 3: with_row_done; default: with_row_row3; }
}
state with_row_rank2 {
    packet.extract(hdr.rank2);
    transition select(hdr.rank2.beyond) { 0: with_row_more2; default: REJECT; }
}
state push_of_nothing { transition accept; }
state load_of_nothing { transition accept; }
state pull_of_nothing { transition accept; }
state alone_rank0 {
    packet.extract(hdr.rank0);
    transition select(hdr.rank0.beyond) { 0: alone_more0; default: REJECT; }
}
state with_row_row3 {
    packet.extract(hdr.row3);
    transition select(hdr.request.pairs) { 4: with_row_done; default: with_row_row4; }
}
state with_row_more2 {
    transition select(hdr.request.pairs) { 3: with_row_row0; default: with_row_rank3; }
}
state alone_more0 {
    transition select(hdr.request.pairs) { 1: alone_done; default: alone_rank1; }
}
state with_row_row4 {
    packet.extract(hdr.row4);
    transition select(hdr.request.pairs) { 5: with_row_done; default: with_row_row5; }
}
state with_row_rank3 {
    packet.extract(hdr.rank3);
    transition select(hdr.rank3.beyond) { 0: with_row_more3; default: REJECT; }
}
state alone_done { transition accept; }
state alone_rank1 {
    packet.extract(hdr.rank1);
    transition select(hdr.rank1.beyond) { 0: alone_more1; default: REJECT; }
}
state with_row_row5 {
    packet.extract(hdr.row5);
    transition select(hdr.request.pairs) { 6: with_row_done; default: with_row_row6; }
}
state with_row_more3 {
    transition select(hdr.request.pairs) { 4: with_row_row0; default: with_row_rank4; }
}
state alone_more1 {
    transition select(hdr.request.pairs) { 2: alone_done; default: alone_rank2; }
}
state with_row_row6 {
    packet.extract(hdr.row6);
    transition select(hdr.request.pairs) { 7: with_row_done; default: with_row_row7; }
}
state with_row_rank4 {
    packet.extract(hdr.rank4);
    transition select(hdr.rank4.beyond) { 0: with_row_more4; default: REJECT; }
}
state alone_rank2 {
    packet.extract(hdr.rank2);
    transition select(hdr.rank2.beyond) { 0: alone_more2; default: REJECT; }
}
state with_row_row7 {
    packet.extract(hdr.row7);
    transition select(hdr.request.pairs) { 8: with_row_done; default: with_row_row8; }
}
state with_row_more4 {
    transition select(hdr.request.pairs) { 5: with_row_row0; default: with_row_rank5; }
}
state alone_more2 {
    transition select(hdr.request.pairs) { 3: alone_done; default: alone_rank3; }
}
state with_row_row8 {
    packet.extract(hdr.row8);
    transition select(hdr.request.pairs) { 9: with_row_done; default: with_row_row9; }
}
state with_row_rank5 {
    packet.extract(hdr.rank5);
    transition select(hdr.rank5.beyond) { 0: with_row_more5; default: REJECT; }
}
state alone_rank3 {
    packet.extract(hdr.rank3);
    transition select(hdr.rank3.beyond) { 0: alone_more3; default: REJECT; }
}
state with_row_row9 {
    packet.extract(hdr.row9);
    transition select(hdr.request.pairs) { 10: with_row_done; default: with_row_row10; }
}
state with_row_more5 {
    transition select(hdr.request.pairs) { 6: with_row_row0; default: with_row_rank6; }
}
state alone_more3 {
    transition select(hdr.request.pairs) { 4: alone_done; default: alone_rank4; }
}
state with_row_row10 {
    packet.extract(hdr.row10);
    transition select(hdr.request.pairs) { 11: with_row_done; default: with_row_row11; }
}
state with_row_rank6 {
    packet.extract(hdr.rank6);
    transition select(hdr.rank6.beyond) { 0: with_row_more6; default: REJECT; }
}
state alone_rank4 {
    packet.extract(hdr.rank4);
    transition select(hdr.rank4.beyond) { 0: alone_more4; default: REJECT; }
}
state with_row_row11 {
    packet.extract(hdr.row11);
    transition select(hdr.request.pairs) { 12: with_row_done; default: with_row_row12; }
}
state with_row_more6 {
    transition select(hdr.request.pairs) { 7: with_row_row0; default: with_row_rank7; }
}
state alone_more4 {
    transition select(hdr.request.pairs) { 5: alone_done; default: alone_rank5; }
}
state with_row_row12 {
    packet.extract(hdr.row12);
    transition select(hdr.request.pairs) { 13: with_row_done; default: REJECT; }
}
state with_row_rank7 {
    packet.extract(hdr.rank7);
    transition select(hdr.rank7.beyond) { 0: with_row_more7; default: REJECT; }
}
state alone_rank5 {
    packet.extract(hdr.rank5);
    transition select(hdr.rank5.beyond) { 0: alone_more5; default: REJECT; }
}
state with_row_more7 {
    transition select(hdr.request.pairs) { 8: with_row_row0; default: with_row_rank8; }
}
state alone_more5 {
    transition select(hdr.request.pairs) { 6: alone_done; default: alone_rank6; }
}
state with_row_rank8 {
    packet.extract(hdr.rank8);
    transition select(hdr.rank8.beyond) { 0: with_row_more8; default: REJECT; }
}
state alone_rank6 {
    packet.extract(hdr.rank6);
    transition select(hdr.rank6.beyond) { 0: alone_more6; default: REJECT; }
}
state with_row_more8 {
    transition select(hdr.request.pairs) { 9: with_row_row0; default: with_row_rank9; }
}
state alone_more6 {
    transition select(hdr.request.pairs) { 7: alone_done; default: alone_rank7; }
}
state with_row_rank9 {
    packet.extract(hdr.rank9);
    transition select(hdr.rank9.beyond) { 0: with_row_more9; default: REJECT; }
}
state alone_rank7 {
    packet.extract(hdr.rank7);
    transition select(hdr.rank7.beyond) { 0: alone_more7; default: REJECT; }
}
state with_row_more9 {
    transition select(hdr.request.pairs) { 10: with_row_row0; default: with_row_rank10; }
}
state alone_more7 {
    transition select(hdr.request.pairs) { 8: alone_done; default: alone_rank8; }
}
state with_row_rank10 {
    packet.extract(hdr.rank10);
    transition select(hdr.rank10.beyond) { 0: with_row_more10; default: REJECT; }
}
state alone_rank8 {
    packet.extract(hdr.rank8);
    transition select(hdr.rank8.beyond) { 0: alone_more8; default: REJECT; }
}
state with_row_more10 {
    transition select(hdr.request.pairs) { 11: with_row_row0; default: with_row_rank11; }
}
state alone_more8 {
    transition select(hdr.request.pairs) { 9: alone_done; default: alone_rank9; }
}
state with_row_rank11 {
    packet.extract(hdr.rank11);
    transition select(hdr.rank11.beyond) { 0: with_row_more11; default: REJECT; }
}
state alone_rank9 {
    packet.extract(hdr.rank9);
    transition select(hdr.rank9.beyond) { 0: alone_more9; default: REJECT; }
}
state with_row_more11 {
    transition select(hdr.request.pairs) { 12: with_row_row0; default: with_row_rank12; }
}
state alone_more9 {
    transition select(hdr.request.pairs) { 10: alone_done; default: alone_rank10; }
}
state with_row_rank12 {
    packet.extract(hdr.rank12);
    transition select(hdr.rank12.beyond) { 0: with_row_more12; default: REJECT; }
}
state alone_rank10 {
    packet.extract(hdr.rank10);
    transition select(hdr.rank10.beyond) { 0: alone_more10; default: REJECT; }
}
state with_row_more12 {
    transition select(hdr.request.pairs) { 13: with_row_row0; default: REJECT; }
}
state alone_more10 {
    transition select(hdr.request.pairs) { 11: alone_done; default: alone_rank11; }
}
state alone_rank11 {
    packet.extract(hdr.rank11);
    transition select(hdr.rank11.beyond) { 0: alone_more11; default: REJECT; }
}
state alone_more11 {
    transition select(hdr.request.pairs) { 12: alone_done; default: alone_rank12; }
}
state alone_rank12 {
    packet.extract(hdr.rank12);
    transition select(hdr.rank12.beyond) { 0: alone_more12; default: REJECT; }
}
state alone_more12 { transition select(hdr.request.pairs) { 13: alone_done; default: REJECT; } }
