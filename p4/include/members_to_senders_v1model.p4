// R-KEY-2: a worker of the job, in its epoch.
action members_find(bit<8> member) { meta.member = member; meta.known = 1w1; }
table members {
    key = {
        hdr.request.job : exact @name("job"); hdr.request.epoch : exact @name("epoch");
        hdr.request.worker : exact @name("worker");
    }
    actions = { members_find; @defaultonly NoAction; }
    const default_action = NoAction(); size = 8;
}
// R-KEY-2: the port that the answer goes to.
action senders_answer_by(bit<16> port) { meta.port = port; meta.placed = 1w1; }
table senders {
    key = { hdr.ethernet.src : exact @name("src"); }
    actions = { senders_answer_by; @defaultonly NoAction; }
    const default_action = NoAction(); size = 1024;
}
