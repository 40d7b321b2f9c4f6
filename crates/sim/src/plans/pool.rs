//! The size of the pool (SwitchML, figure 9 and appendix C): time and round trip over the number of
//! slots.

use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::rack::{ELEMENT_BYTES, Line, Rack, elements_per_s};
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::faults::Faults;
use crate::setup::JobSetup;
use crate::time::Time;

/// Interval at which the round trip is read.
const READ_EVERY: Time = Time::from_us(50);

/// Times within this of the shortest count as the shortest.
const AS_GOOD: f64 = 1.02;

/// A system at rates, with pools of different sizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pool {
    workers: u16,
    slots: Vec<u16>,
    latency_ns: u64,
    rates: Vec<Path>,
    line: Line,
}

/// A rate, and the delay of its path.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Path {
    gbps: f64,
    elements: u64,
    /// Delay of each link. On the way to the switch and back, it stands for the hosts' own delay,
    /// too.
    delay_ns: u64,
}

impl Pool {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut found = Found::default();
        for path in &self.rates {
            let rack = Rack { delay_ns: path.delay_ns, latency_ns: self.latency_ns };
            let jobs =
                self.slots.iter().map(|slots| self.line.job(self.workers, path.elements, *slots));
            let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
            let setups: Vec<_> = jobs
                .iter()
                .map(|job| self.line.setup(rack, path.gbps, job.clone(), Faults::default()))
                .collect();
            let seen = means.each(&setups, watch)?;
            let best_ms = seen.iter().map(|(took_ms, _)| *took_ms).fold(f64::INFINITY, f64::min);
            let header = ["slots", "ms", "by the shortest", "bound", "round trip, us"];
            let mut sheet = Sheet::new(format!("Pool size at {} Gbit/s", path.gbps), header);
            let (mut times, mut round_trips) = (Vec::new(), Vec::new());
            let knee = self
                .slots
                .iter()
                .zip(&seen)
                .find(|(_, (took_ms, _))| *took_ms <= AS_GOOD * best_ms);
            for ((slots, job), (took_ms, round_trip_us)) in self.slots.iter().zip(&jobs).zip(&seen)
            {
                let bound_ms = self.bound_ms(path, job, *slots);
                let at = format!("{}.{slots}", path.gbps);
                found.values.extend([
                    (format!("ms.{at}"), *took_ms),
                    (format!("round_trip_us.{at}"), *round_trip_us),
                    (format!("share.{at}"), bound_ms / took_ms),
                ]);
                times.push((f64::from(*slots), *took_ms));
                round_trips.push((f64::from(*slots), *round_trip_us));
                sheet.rows.push(vec![
                    Cell::Number((*slots).into(), 0),
                    Cell::Number(*took_ms, 3),
                    Cell::Number(took_ms / best_ms, 3),
                    Cell::Number(bound_ms, 3),
                    Cell::Number(*round_trip_us, 1),
                ]);
            }
            found
                .values
                .extend(knee.map(|(slots, _)| (format!("slots.{}", path.gbps), f64::from(*slots))));
            found.sheets.push(sheet);
            found.plots.extend([
                path.plot("time", "Time of an all-reduce", "ms", times),
                path.plot("round-trip", "Round trip", "us", round_trips),
            ]);
        }
        Ok(found)
    }

    /// Returns the time that the links need, or that of a window for each round trip: the longer
    /// one.
    fn bound_ms(&self, path: &Path, job: &JobSetup, slots: u16) -> f64 {
        const MS_PER_NS: f64 = 1e-6;
        let packet_elements = f64::from(job.payload_bytes) / ELEMENT_BYTES;
        let per_s = elements_per_s(path.gbps, job);
        let span_ms = packet_elements / per_s * 1e3;
        let path_ms = (2 * path.delay_ns + self.latency_ns) as f64 * MS_PER_NS + 2.0 * span_ms;
        let packets = path.elements as f64 / packet_elements;
        (path.elements as f64 / per_s * 1e3).max(packets / f64::from(slots) * path_ms)
    }
}

impl Path {
    /// Returns a plot of something over the number of slots.
    fn plot(&self, name: &str, title: &str, y: &str, points: Vec<(f64, f64)>) -> Plot {
        Plot {
            name: format!("{name}-{}gbps", self.gbps),
            title: format!("{title} over the size of the pool, {} Gbit/s", self.gbps),
            x: "slots".into(),
            y: y.into(),
            x_scale: Scale::Logarithmic,
            curves: vec![Curve { name: format!("{} Gbit/s", self.gbps), points }],
        }
    }
}

/// Runs a cluster to its end. Returns the time that its call took, in milliseconds, and the mean of
/// the round trips that its first worker has estimated on the way, in microseconds.
fn watch(cluster: &mut Cluster) -> (f64, f64) {
    let (mut sum, mut readings, mut at) = (0, 0_u32, READ_EVERY);
    while cluster.completed(0, 0).is_none() && cluster.run_until(at) {
        sum += cluster.round_trip_us(0, 0);
        readings += 1;
        at += READ_EVERY;
    }
    let took_ms = cluster.completed(0, 0).map_or(f64::NAN, |time| time.ms());
    (took_ms, sum as f64 / f64::from(readings.max(1)))
}
