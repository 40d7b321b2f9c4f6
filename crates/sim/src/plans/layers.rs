//! Topologies beyond a rack (SwitchML, section 7): the same all-reduce in trees of more and more
//! layers.

use serde::Deserialize;

use super::figures::{Cell, Sheet};
use super::rack::{Line, LinkRate, Rack, Tree, elements_per_s, vectors_per_link};
use super::{Found, Means};
use crate::error::Error;

/// Systems on trees.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layers {
    elements: u64,
    rack: Rack,
    rate: LinkRate,
    lines: Vec<Line>,
    trees: Vec<Tree>,
}

impl Layers {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut points = Vec::new();
        for tree in &self.trees {
            for line in self.lines.iter().filter(|line| tree.lines.contains(&line.id)) {
                let job = line.job(tree.workers(), self.elements, self.rate.slots)?;
                let setup = line.on(self.rack, &tree.fan_outs, self.rate.gbps, job.clone());
                points.push((line, tree, job, setup));
            }
        }
        let setups: Vec<_> = points.iter().map(|(.., setup)| setup.clone()).collect();
        let times_ms = means.times_ms(&setups)?;
        let header = ["workers", "layers", "system", "ms", "share of line rate", "bound by links"];
        let mut sheet = Sheet::new("One all-reduce in trees of switches", header);
        let mut found = Found::default();
        for ((line, tree, job, _), took_ms) in points.iter().zip(&times_ms) {
            let least_ms = self.elements as f64 / elements_per_s(self.rate.gbps, job) * 1e3;
            let share = least_ms / took_ms;
            found.values.extend([
                (format!("share.{}.{}", line.id, job.workers), share),
                (format!("ms.{}.{}", line.id, job.workers), *took_ms),
            ]);
            sheet.rows.push(vec![
                Cell::Number(job.workers.into(), 0),
                Cell::Number(tree.fan_outs.len() as f64, 0),
                Cell::text(&line.name),
                Cell::Number(*took_ms, 3),
                Cell::Number(share, 3),
                Cell::Number(1.0 / vectors_per_link(job), 3),
            ]);
        }
        found.sheets.push(sheet);
        Ok(found)
    }
}
