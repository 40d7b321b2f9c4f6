// What the control plane is told.
struct report_t {
    bit<16> job; bit<32> epoch; bit<16> slot; bit<32> position; bit<32> sender;
    bit<32> first_worker;
}
#define REPORT(reason) ig_dprsr_md.digest_type = 3w##reason
