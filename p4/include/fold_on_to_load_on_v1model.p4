state fold_on {
    meta.what = 2;
    transition select(hdr.request.pairs) { 0: fold_on_of_nothing; default: with_row_rank0; }
}
state load_on {
    meta.what = 4; meta.loads = 1;
    transition select(hdr.request.pairs) { 0: load_on_of_nothing; default: with_row_rank0; }
}
