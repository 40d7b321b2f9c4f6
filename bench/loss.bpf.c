// Drops packets at random on one direction of an emulated link. An XDP program at the receiving end: there the packets have taken
// their share of the link and are still as long as on the wire; the kernel coalesces them (GRO) only afterwards, as it does with
// those of a network card. The kernel counts the drops in the interface's statistics.
//
// Which packets are lost depends only on the seed, the interface and the packet's number on it, so a run can be repeated, and
// every contender meets the same probability.
//
// Compiled once per rack with
//   LOSS_THRESHOLD  probability times 2^32, below 2^32
//   LOSS_SEED       64 bits

#include <linux/bpf.h>

// Packets seen. Each attachment is a load of its own, so every interface has its own counter.
static __u64 seen;

// The finaliser of splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014): a bijection whose
// every output bit depends on every input bit, so consecutive packet numbers give independent draws.
static inline __attribute__((always_inline)) __u64 mix(__u64 x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    x ^= x >> 31;
    return x;
}

__attribute__((section("xdp.frags"), used)) int lose(struct xdp_md *packet)
{
    __u64 number = __sync_fetch_and_add(&seen, 1);
    // Seed and interface go through `mix` first, so that two links, or two seeds, are not one sequence shifted by a few packets.
    __u64 link = mix(mix(LOSS_SEED) + packet->ingress_ifindex);
    // 2^64 divided by the golden ratio: the increment of splitmix64.
    __u64 draw = mix(link + number * 0x9e3779b97f4a7c15ULL) >> 32;
    return draw < LOSS_THRESHOLD ? XDP_DROP : XDP_PASS;
}
