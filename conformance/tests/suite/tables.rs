//! Tables (R-KEY): workers, servers and switches over a network that loses, repeats and delays, and
//! switches that are lost. Every contribution is counted once.

mod shape;
mod world;

use std::collections::BTreeMap;

use netfold_wire::{in_parts, pushes_in};
use netfold_worker::keyed::ClientEvent;
use proptest::prelude::{
    ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use shape::Shape;
use world::{TABLE, World, without_zeros};

/// One switch, or a tree of them, with one to five workers anywhere.
fn shapes() -> impl Strategy<Value = Shape> {
    let single = (1..6_u16).prop_map(Shape::single);
    let tree = prop::collection::vec(0..4_usize, 1..6).prop_map(|homes| Shape::tree(&homes));
    prop_oneof![single, tree]
}

/// Has servers load their rows, three times the rank each.
fn load(world: &mut World) {
    for server in &mut world.servers {
        let ranks: Vec<u32> =
            (0..TABLE.rows).filter(|rank| in_parts(server.parts, *rank)).collect();
        let rows: Vec<u8> =
            ranks.iter().flat_map(|rank| (*rank as i32 * 3).to_le_bytes()).collect();
        server.reader.load(&ranks, &rows);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(240))]

    /// R-KEY-3 to R-KEY-9, R-KEY-17, R-KEY-18.
    #[test]
    fn servers_get_every_push_once(
        seed: u64, shape in shapes(), servers in 1..4usize, lost in 0..200u64, repeated in 0..200u64,
    ) {
        let mut world = World::new(seed, shape, servers, lost, repeated);
        world.work(2_000);
        world.finish();
        prop_assert_eq!(without_zeros(world.stored()), without_zeros(world.expected()));
        // Workers keep nothing then.
        for (worker, index) in world.workers.iter_mut().zip(0..) {
            world.servers.iter().for_each(|server| {
                worker.client.note_stored(server.parts, pushes_in(&server.windows[index]));
            });
            prop_assert_eq!(worker.client.kept_bytes(), 0);
        }
    }

    /// R-KEY-10, R-KEY-19: a switch is lost at any moment, with what is under way. The others go on
    /// until the epoch is sealed.
    #[test]
    fn nothing_is_lost_with_a_switch(
        seed: u64,
        shape in shapes(),
        servers in 1..4usize,
        lost in 0..200u64,
        steps in 0..3_000usize,
        lost_switch in any::<prop::sample::Index>(),
        more in 0..1_000usize,
    ) {
        let mut world = World::new(seed, shape, servers, lost, 100);
        world.work(steps);
        world.lost = Some(lost_switch.index(world.switches.len()));
        world.work(more);
        let expected = world.expected();
        world.replay();
        prop_assert_eq!(without_zeros(world.stored()), without_zeros(expected));
    }

    /// R-KEY-12: values are what was loaded and all that was pushed.
    #[test]
    fn workers_pull_what_was_pushed(seed: u64, shape in shapes(), lost in 0..200u64) {
        let mut world = World::new(seed, shape, 2, lost, 100);
        load(&mut world);
        world.work(800);
        world.finish();
        let ranks: Vec<u32> = (0..TABLE.rows).rev().collect();
        let last = world.workers.len() - 1;
        world.workers[last].client.pull(&ranks);
        while !world.workers[last].client.has_pulled() {
            prop_assert!(world.advance());
        }
        let expected = world.expected();
        let mut pulled = BTreeMap::new();
        while let Some(ClientEvent::Pulled { asked, ranks, rows }) =
            world.workers[last].client.poll_event()
        {
            prop_assert_eq!(asked, ranks.len(), "every row is loaded");
            for (rank, row) in ranks.into_iter().zip(rows.chunks_exact(4)) {
                pulled.insert(rank, i64::from(i32::from_le_bytes(row.try_into().unwrap())));
            }
        }
        let value = |rank| i64::from(rank) * 3 + expected.get(&rank).copied().unwrap_or(0);
        prop_assert_eq!(pulled, (0..TABLE.rows).map(|rank| (rank, value(rank))).collect());
    }
}

/// Returns the bytes between the root and all that is below it. Eight workers push in 40 rounds,
/// and the server reads after every so many.
fn bytes_at_the_root(shape: Shape, every: usize) -> usize {
    let mut world = World::new(1, shape, 1, 0, 0);
    for round in 1..=40 {
        (0..8).for_each(|worker| world.push(worker));
        if round % every == 0 {
            world.finish();
        }
    }
    assert_eq!(without_zeros(world.stored()), without_zeros(world.expected()));
    let pushed: u64 = world.switches.iter().map(|switch| switch.counters().pairs_pushed).sum();
    let root = world.switches[0].counters();
    let (gathered, closed) = (root.pairs_gathered, root.generations_closed);
    assert!(gathered <= closed * u64::from(TABLE.rows), "a pair for each row of a generation");
    let bytes = world.root_bytes;
    println!("{pushed} pairs, {gathered} gathered in {closed} generations: {bytes} bytes");
    bytes
}

/// R-KEY-17: what is pushed through a leaf comes to the root folded.
#[test]
fn a_leaf_keeps_bytes_from_the_link_of_the_root() {
    for (every, factor) in [(40, 8), (10, 2)] {
        let direct = bytes_at_the_root(Shape::single(8), every);
        let through_a_leaf = bytes_at_the_root(Shape::tree(&[1; 8]), every);
        // About 320 * 20.5 pairs are pushed, 6 in a packet of 88 bytes that is acknowledged with
        // 40: at least 140 KB. Through the leaf come, for a generation, at most 300 pairs in such
        // packets, each with a request of 48 bytes, and 8 windows of 1 KiB: some 17 KB.
        assert!(factor * through_a_leaf < direct, "{through_a_leaf} bytes for {direct}");
    }
}
