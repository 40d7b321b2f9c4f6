//! R-HOT-6, R-HOT-7: packets of hot keys beside a transliteration of the paper's algorithm.

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroUsize};

use netfold_worker::keyed::{Layout, Packer};
use proptest::prelude::*;

fn layout(registers: u32) -> Layout {
    Layout::new(NonZeroU32::new(registers).unwrap())
}

fn packed(ranks: &[u32], registers: u32, capacity: usize) -> Vec<Vec<u32>> {
    let mut packer = Packer::new(layout(registers), NonZeroUsize::new(capacity).unwrap());
    // Whatever the batch before has left behind.
    packer.pack(&[7, 7, 3]);
    packer
        .pack(ranks)
        .iter()
        .map(|packet| packet.iter().map(|position| ranks[*position as usize]).collect())
        .collect()
}

/// Algorithm 1, line by line: sets of packets in place of pointers.
fn algorithm_1(gradients: &[u32], m: u32, capacity: usize) -> Vec<Vec<u32>> {
    let mut packets: Vec<Vec<u32>> = vec![Vec::new(); gradients.len().div_ceil(capacity)];
    let mut open: BTreeSet<usize> = (0..packets.len()).collect();
    let mut rest = Vec::new();
    for id in gradients {
        let k = id % m;
        let mut candidates = open.clone();
        candidates.retain(|packet| packets[*packet].iter().all(|other| other % m != k));
        match candidates.first() {
            Some(packet) => {
                packets[*packet].push(*id);
                if packets[*packet].len() == capacity {
                    open.remove(packet);
                }
            }
            None => rest.push(*id),
        }
    }
    packets.extend(rest.chunks(capacity).map(<[u32]>::to_vec));
    packets
}

#[test]
fn a_key_lies_where_figure_8_has_it() {
    // Ten keys in three registers: 0, 3, 6, 9 in the first.
    let three = layout(3);
    let places: Vec<_> = (0..10).map(|rank| (three.register(rank), three.index(rank))).collect();
    let by_hand = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3)];
    assert_eq!(places, by_hand);
}

#[test]
fn a_batch_by_hand() {
    // Four registers, three keys a packet; two packets would hold all. 0 and 4 share a register, so
    // 4 goes into the second; 8 finds a key of its register in both.
    assert_eq!(packed(&[0, 4, 8, 1, 5], 4, 3), [vec![0, 1], vec![4, 5], vec![8]]);
    assert_eq!(packed(&[], 4, 3), Vec::<Vec<u32>>::new());
    assert_eq!(packed(&[9], 1, 1), [vec![9]]);
}

proptest! {
    #[test]
    fn packets_are_those_of_algorithm_1(
        ranks in prop::collection::btree_set(0_u32..400, 0..200).prop_map(Vec::from_iter).prop_shuffle(),
        registers in 1_u32..40, capacity in 1_usize..24,
    ) {
        prop_assert_eq!(packed(&ranks, registers, capacity), algorithm_1(&ranks, registers, capacity));
    }

    #[test]
    fn each_key_travels_once(
        ranks in prop::collection::vec(any::<u32>(), 0..300), registers in 1_u32..50,
        capacity in 1_usize..30,
    ) {
        let packets = packed(&ranks, registers, capacity);
        prop_assert!(packets.iter().all(|packet| (1..=capacity).contains(&packet.len())));
        let mut sent = packets.concat();
        sent.sort_unstable();
        let mut all = ranks;
        all.sort_unstable();
        prop_assert_eq!(sent, all);
    }
}
