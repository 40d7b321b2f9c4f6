//! Aggregated tensor elements in a second (SwitchML, figure 3), beside what the links can carry.

use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::rack::{ELEMENT_BYTES, Line, LinkRate, Rack, elements_per_s, vectors_per_link};
use super::{Found, Means};
use crate::error::Error;
use crate::faults::Faults;

/// Systems at rates and numbers of workers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rate {
    elements: u64,
    workers: Vec<u16>,
    rack: Rack,
    rates: Vec<LinkRate>,
    lines: Vec<Line>,
}

impl Rate {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut points = Vec::new();
        for rate in &self.rates {
            for line in &self.lines {
                for workers in &self.workers {
                    points.push((
                        rate,
                        line,
                        *workers,
                        line.job(*workers, self.elements, rate.slots)?,
                    ));
                }
            }
        }
        let setups: Vec<_> = points
            .iter()
            .map(|(rate, line, _, job)| {
                line.setup(self.rack, rate.gbps, job.clone(), Faults::default())
            })
            .collect();
        let times_ms = means.times_ms(&setups)?;
        let mut found = Found::default();
        let header =
            ["Gbit/s", "system", "workers", "10^6 elements/s", "bound by links", "share of bound"];
        let mut sheet = Sheet::new("Aggregated tensor elements in a second", header);
        for ((rate, line, workers, job), took_ms) in points.iter().zip(&times_ms) {
            let ate = self.elements as f64 / took_ms * 1e3;
            let bound = elements_per_s(rate.gbps, job) / vectors_per_link(job);
            let at = format!("{}.{}.{workers}", line.id, rate.gbps);
            let goodput = elements_per_s(rate.gbps, job) * ELEMENT_BYTES * 8.0 / (rate.gbps * 1e9);
            found.values.extend([
                (format!("rate.{at}"), ate),
                (format!("share.{at}"), ate / bound),
                (format!("goodput.{}", line.id), goodput),
            ]);
            sheet.rows.push(vec![
                Cell::Number(rate.gbps, 0),
                Cell::text(&line.name),
                Cell::Number((*workers).into(), 0),
                Cell::Number(ate / 1e6, 1),
                Cell::Number(bound / 1e6, 1),
                Cell::Number(ate / bound, 3),
            ]);
        }
        for rate in &self.rates {
            let curves = self.lines.iter().map(|line| {
                let value = |workers: &u16| {
                    found.values[&format!("rate.{}.{}.{workers}", line.id, rate.gbps)] / 1e6
                };
                let points = self
                    .workers
                    .iter()
                    .map(|workers| (f64::from(*workers), value(workers)))
                    .collect();
                Curve { name: line.name.clone(), points }
            });
            found.plots.push(Plot {
                name: format!("{}gbps", rate.gbps),
                title: format!("Aggregated tensor elements at {} Gbit/s", rate.gbps),
                x: "workers".into(),
                y: "10^6 elements/s".into(),
                x_scale: Scale::Linear,
                curves: curves.collect(),
            });
        }
        found.sheets.push(sheet);
        Ok(found)
    }
}
