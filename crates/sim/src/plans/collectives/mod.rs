//! Collectives in direct and indirect networks (ACiS, figure 3): netfold's switches in a torus, or
//! one of them, and MPI by the best of its algorithms, on the same links.
//!
//! A call of either system goes through MPI's library once; in MPI each message costs its overhead,
//! half of it at either end, and netfold's call costs one overhead in all. An FPGA folds what comes
//! through it at the rate of its links, with the latency of its pipeline on top of that between two
//! ports.

mod sheets;

use serde::Deserialize;

use super::times::{Mpi, Network, Place, Point, Times, Took};
use super::{Found, Means};
use crate::error::Error;
use crate::setup::CollectiveName;
pub(super) use sheets::called;
use sheets::{name, summary};

/// The figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Collectives {
    /// Bytes of a message, as OSU's benchmarks count them: of a part, where parts are gathered.
    sizes: Vec<u64>,
    /// Tori, each with a node at every place.
    tori: Vec<[u32; 3]>,
    /// Most blocks of a call of netfold's that are simulated.
    most_blocks: u64,
    network: Network,
    /// MPI's overheads; the first is the paper's.
    overheads_us: Vec<f64>,
    mpi: Mpi,
}

const PLACES: [(Place, &str, &str); 2] =
    [(Place::Torus, "torus", "3D torus"), (Place::Switch, "switch", "one switch")];

const COLLECTIVES: [(CollectiveName, &str, &str); 4] = [
    (CollectiveName::AllGather, "all_gather", "all-gather"),
    (CollectiveName::AllReduce, "all_reduce", "all-reduce"),
    (CollectiveName::Broadcast, "broadcast", "broadcast"),
    (CollectiveName::Gather, "gather", "gather"),
];

impl Collectives {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let points = self.points();
        let (network, most_blocks) = (self.network.clone(), self.most_blocks);
        let times = Times { network, mpi: self.mpi.clone(), most_blocks };
        let netfold = times.netfold(&points, means)?;
        let mut found = Found::default();
        for (number, overhead_us) in self.overheads_us.iter().enumerate() {
            let best = times.best(&points, *overhead_us, means)?;
            let mut rows = Vec::new();
            for ((point, took), (algorithm, last, mean)) in points.iter().zip(&netfold).zip(best) {
                let took = Took {
                    last_us: took.last_us + overhead_us,
                    mean_us: took.mean_us + overhead_us,
                };
                let at = name(point);
                let by = if number == 0 { String::new() } else { format!("{overhead_us}us.") };
                found.values.extend([
                    (format!("{by}netfold_us.{at}"), took.last_us),
                    (format!("{by}mpi_us.{at}"), last),
                    (format!("{by}gain.{at}"), last / took.last_us),
                    (format!("{by}gain_on_average.{at}"), mean / took.mean_us),
                ]);
                rows.push((*point, took, algorithm, last, mean));
            }
            if number == 0 {
                let sheets = PLACES.map(|(place, _, title)| self.sheet(place, title, &rows));
                found.sheets.extend(sheets);
                found
                    .plots
                    .extend(PLACES.map(|(place, id, title)| self.plot(place, (id, title), &rows)));
            }
            found.sheets.push(summary(*overhead_us, number, &rows, &mut found.values));
        }
        Ok(found)
    }

    fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for (place, ..) in PLACES {
            for (collective, ..) in COLLECTIVES {
                for torus in &self.tori {
                    points.extend(self.sizes.iter().map(|bytes| Point {
                        place,
                        torus: *torus,
                        collective,
                        bytes: *bytes,
                    }));
                }
            }
        }
        points
    }
}

/// A call, netfold's time, MPI's best algorithm and its time, and the least one on average.
type Row = (Point, Took, String, f64, f64);
