//! Trees of switches.

use netfold_switch::{Leaf, Tree};
use netfold_wire::WorkerId;

/// A tree of switches, and where the workers are on it.
#[derive(Clone, Debug)]
pub struct Shape {
    /// For each switch the one above.
    pub parents: Vec<Option<usize>>,
    /// For each worker its switch.
    pub homes: Vec<usize>,
}

impl Shape {
    /// One switch.
    pub fn single(workers: u16) -> Self {
        Self { parents: vec![None], homes: vec![0; workers.into()] }
    }

    /// A root, two switches below it, and one below the second, with a worker or more at some.
    pub fn tree(homes: &[usize]) -> Self {
        Self { parents: vec![None, Some(0), Some(0), Some(2)], homes: homes.to_vec() }
    }

    /// The switches below a switch that have workers, by their names.
    pub fn leaves(&self, switch: usize) -> Vec<(usize, Leaf)> {
        let tree = Tree::new(&self.parents, &self.homes);
        let Some(place) = tree.place(switch) else { return Vec::new() };
        let below = (0..self.parents.len()).filter(|other| self.parents[*other] == Some(switch));
        let leaf = |other| {
            let name = tree.name(other)?;
            let ranks = (0..self.homes.len() as u16).map(WorkerId);
            let own = |rank: &WorkerId| {
                place.member_for(*rank) == Some(name) && self.homes[usize::from(rank.0)] != switch
            };
            Some((other, Leaf { name, workers: ranks.filter(own).collect() }))
        };
        below.filter_map(leaf).collect()
    }
}
