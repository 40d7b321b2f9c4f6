state push {
    meta.what = 1; meta.first = 1;
    transition select(hdr.request.pairs) { 0: push_of_nothing; default: with_row_rank0; }
}
state load {
    meta.what = 3; meta.first = 1; meta.loads = 1;
    transition select(hdr.request.pairs) { 0: load_of_nothing; default: with_row_rank0; }
}
