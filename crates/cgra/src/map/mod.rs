//! Places and routes of a loop on an array (R-CGRA-10 to R-CGRA-15, R-CGRA-21).

mod bounds;
#[cfg(feature = "exact")]
mod exact;
mod expand;
mod legal;
mod levels;
mod order;
mod route;
mod search;
mod table;
mod waits;

pub use self::bounds::Bounds;
#[cfg(feature = "exact")]
pub use self::exact::fits;
pub use self::expand::expand;
pub use self::legal::check;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use self::search::Search;
use crate::array::Array;
use crate::graph::Graph;
use crate::refusal::Refusal;

/// The time and the processing element of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Processing element, by rows.
    pub element: usize,
    /// Cycle in which the first round's operation begins.
    pub time: u32,
}

/// A step of a value: over a link, or in a register of its processing element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The node that has made the value.
    pub value: usize,
    /// Cycle in which the first round's value leaves; it arrives in the next.
    pub time: u32,
    /// Processing element that it leaves.
    pub from: usize,
    /// Processing element that it arrives at; the same one if a register holds it.
    pub to: usize,
}

/// A loop on an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Initiation interval: cycles from one round to the next.
    pub interval: u32,
    /// Place of each node.
    pub places: Vec<Place>,
    /// Steps of all values.
    pub hops: Vec<Hop>,
    /// Bounds of the interval.
    pub bounds: Bounds,
}

/// Limits of the search for a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seed of all choices.
    pub seed: u64,
    /// Attempts for each interval.
    pub attempts: u32,
    /// Most intervals that are tried.
    pub intervals: u32,
    /// Most places of nodes that are routed, in all attempts.
    pub places: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { seed: 1, attempts: 12, intervals: 12, places: 100_000 }
    }
}

/// Looks for a mapping with the least interval.
///
/// # Errors
/// [`Refusal`], if the array has no unit for an operation, its instruction memory is too small, or
/// nothing was found.
pub fn map(graph: &Graph, array: &Array, effort: Effort) -> Result<Mapping, Refusal> {
    let bounds = Bounds::of(graph, array)?;
    let least = bounds.interval();
    if least > array.instructions {
        return Err(Refusal::Instructions {
            interval: least,
            bound: bounds.to_string(),
            array: array.name.clone(),
            depth: array.instructions,
        });
    }
    let mut dice = Pcg64Mcg::seed_from_u64(effort.seed);
    // A large graph takes long: fewer attempts.
    let size = graph.nodes.len().max(40);
    let attempts = (effort.attempts as usize * 40 * 40 / (size * size)).max(1);
    let (mut interval, mut tried, mut left) = (least, least, effort.places);
    for _ in 0..effort.intervals {
        if interval > array.instructions || left == 0 {
            break;
        }
        tried = interval;
        for _ in 0..attempts {
            let search = Search::new(graph, array, interval, left);
            let (found, unused) = search.run(&mut dice);
            if let Some((places, hops)) = found {
                return Ok(Mapping { interval, places, hops, bounds });
            }
            left = unused;
        }
        interval += 1.max(interval / 5);
    }
    Err(Refusal::NotMapped {
        array: array.name.clone(),
        from: least,
        to: tried,
        bound: bounds.to_string(),
    })
}
