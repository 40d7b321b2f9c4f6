// What the control plane is told.
struct report_t {
    bit<16> job; bit<32> epoch; bit<16> slot; bit<32> position; bit<32> sender;
    bit<32> first_worker;
}
#define REPORT(reason) digest<report_t>(reason, { hdr.netfold.job, hdr.netfold.epoch, \
    hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker })
