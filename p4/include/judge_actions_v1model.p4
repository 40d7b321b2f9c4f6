// R-QRY-4: the verdict on the row.
action judge_forward() {
    hdr.row.verdict = 8w1; hdr.bridge.mode = 8w0; EGRESS_PORT = (bit<9>) meta.master;
}
action judge_give_back() {
    hdr.row.verdict = 8w2; hdr.bridge.mode = 8w0; EGRESS_PORT = (bit<9>) meta.worker;
}
