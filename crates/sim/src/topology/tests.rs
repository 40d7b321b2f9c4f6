use super::*;
use crate::faults::Faults;

fn tree(fan_outs: &[u32]) -> Topology {
    trees(fan_outs, 1).unwrap()
}

fn trees(fan_outs: &[u32], trees: u32) -> Result<Topology, Error> {
    let layer = |fan_out: &u32| Layer {
        fan_out: *fan_out,
        rate_gbps: 1.0,
        delay_ns: 0,
        queue_bytes: 0,
        mark_bytes: None,
        faults: Faults::default(),
    };
    Topology::new(&fan_outs.iter().map(layer).collect::<Vec<_>>(), trees)
}

#[test]
fn nodes_are_numbered_layer_by_layer() {
    let topology = tree(&[2, 3]);
    assert_eq!((topology.switches(), topology.hosts()), (3, 6));
    assert_eq!(
        [0, 1, 2, 3, 5, 6, 8].map(|node| topology.parent(node)),
        [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)]
    );
    assert_eq!((topology.child(1, 5), topology.layer(8), topology.layer(2)), (Ok(8), 1, 0));
    assert!(topology.child(1, 6).is_err() && topology.child(2, 0).is_err());
    assert_eq!((below(up(5)), below(down(5))), ((5, true), (5, false)));
}

/// Every tree has the shape of the first, with switches of its own and the same hosts.
#[test]
fn hosts_have_a_leg_in_each_tree() {
    let topology = trees(&[2, 3], 3).unwrap();
    assert_eq!((topology.switches(), topology.hosts(), topology.legs()), (9, 6, 27));
    assert_eq!(
        [0, 3, 4, 6, 8].map(|switch| topology.parent(switch)),
        [None, None, Some(3), None, Some(6)]
    );
    assert_eq!([0, 2, 3, 8].map(|switch| topology.tree(switch)), [0, 0, 1, 2]);
    for (host, rack) in [(0, 1), (2, 1), (3, 2), (5, 2)] {
        for tree in 0..3 {
            let leg = topology.leg(topology.host(host), tree);
            assert_eq!((topology.node(leg), topology.layer(leg)), (topology.host(host), 1));
            assert_eq!(topology.parent(leg), Some(3 * tree + rack));
            assert_eq!(topology.child(1, 6 * tree + host), Ok(leg));
        }
    }
    assert_eq!([0, 1, 2, 5].map(|child| topology.child(0, child).unwrap()), [1, 2, 4, 8]);
    assert!(topology.child(0, 6).is_err() && topology.child(1, 18).is_err());
    assert!(trees(&[2], 0).is_err() && trees(&[1 << 19], 2).is_err());
}

#[test]
fn the_way_to_a_host_goes_up_and_then_down() {
    let topology = tree(&[2, 2, 2]);
    let (from, to) = (topology.host(0), topology.host(3));
    assert_eq!((topology.parent(from), topology.parent(to)), (Some(3), Some(4)));
    assert_eq!([3, 1, 4].map(|switch| topology.next_link(switch, to)), [up(3), down(4), down(to)]);
    // To another half the way goes through the root.
    let far = topology.host(7);
    assert_eq!(
        [1, 0, 2, 6].map(|switch| topology.next_link(switch, far)),
        [up(1), down(2), down(6), down(far)]
    );
}

/// A job that fits below one switch goes no further up.
#[test]
fn the_top_of_a_job_is_the_lowest_switch_above_it() {
    let topology = tree(&[2, 2, 2]);
    assert_eq!(topology.top(0..8), 0);
    assert_eq!(topology.top(0..3), 1);
    assert_eq!(topology.top(2..4), 4);
    assert_eq!(topology.top(7..8), 6);
    assert_eq!(topology.top(3..5), 0);
}

/// Ranks 1 to 4 of hosts 1 to 4 on racks of two: R-TREE-1 names leaves by their lowest ranks.
#[test]
fn members_are_called_by_ranks() {
    let topology = tree(&[3, 2]);
    let memberships = memberships(&topology, 1, 4);
    let members = |switch: usize| {
        let membership = memberships[switch].as_ref().unwrap();
        membership.members.iter().map(|(name, node)| (name.0, *node)).collect::<Vec<_>>()
    };
    assert_eq!(members(0), [(0, 1), (1, 2), (3, 3)]);
    assert_eq!(
        (members(1), members(2), members(3)),
        (vec![(0, 5)], vec![(1, 6), (2, 7)], vec![(3, 8)])
    );
    assert_eq!(memberships[2].as_ref().unwrap().place.parent(), Some(WorkerId(1)));
}

/// Every switch has all its children as members, each once, however many workers the job has.
#[test]
fn in_a_large_job_each_switch_has_its_children() {
    let topology = tree(&[15, 15, 16]);
    for (switch, membership) in (0..).zip(memberships(&topology, 0, 3600)) {
        let membership = membership.unwrap();
        let children: Vec<_> =
            topology.children().filter(|node| topology.parent(*node) == Some(switch)).collect();
        assert_eq!(membership.members.iter().map(|(_, node)| *node).collect::<Vec<_>>(), children);
        assert_eq!(membership.place.count(), children.len() as u16);
        assert_eq!(membership.place.parent().is_none(), switch == 0);
    }
}
