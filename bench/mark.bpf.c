// Marks packets on one direction of an emulated link (ECN, RFC 3168), as a switch does whose queue is longer than a threshold. A classifier in front of the token
// bucket: it keeps the account of a queue that is emptied at the link's rate, as the bucket's is once its tokens are spent, and sets CE on what finds
// more in it than the threshold, if its sender heeds marks. It never drops.
//
// Compiled once per rack with
//   MARK_PS_PER_BYTE   picoseconds that a byte takes on the link
//   MARK_ABOVE_NS      nanoseconds that a packet waits in that queue at most without a mark

#include <linux/bpf.h>

static __u64 (*const ktime_get_ns)(void) = (void *)BPF_FUNC_ktime_get_ns;
static long (*const ecn_set_ce)(struct __sk_buff *packet) = (void *)BPF_FUNC_skb_ecn_set_ce;

// Attempts to enter a packet while other processors enter theirs. One that fails so often is not in the account.
#define ATTEMPTS 8

// When the queue will be empty. Each attachment is a load of its own, so every interface has its own queue.
static __u64 empty_at_ns;

__attribute__((section("tc"), used)) int mark(struct __sk_buff *packet)
{
    // With the headers of all segments, if the packet is a batch.
    __u64 span_ns = (__u64)packet->wire_len * MARK_PS_PER_BYTE / 1000;
    __u64 now_ns = ktime_get_ns();
    __u64 leaves_ns = now_ns;
#pragma unroll
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        __u64 before_ns = empty_at_ns;
        leaves_ns = before_ns > now_ns ? before_ns : now_ns;
        if (__sync_val_compare_and_swap(&empty_at_ns, before_ns, leaves_ns + span_ns) == before_ns)
            break;
    }
    if (leaves_ns - now_ns > MARK_ABOVE_NS)
        ecn_set_ce(packet);
    return -1; // TC_ACT_UNSPEC: on with it.
}
