//! Training replayed from a published profile (SwitchML, tables 1 and 2, figures 4 and 5; FPISA,
//! figure 11).
//!
//! The profile has, at two rates, how long a batch takes, which share of that is communication at
//! line rate, and which share of that overlaps with computation. So computation takes c = b - t
//! (1 - o) for a batch of b with t of communication of which the share o overlaps. Another system
//! communicates for another time; how much of it overlaps is interpolated between the profile's two
//! rates, in proportion below them, and no more above them, unless all did. The communication of a
//! system is simulated for a vector of `elements`, and taken in proportion for a model's size.
//!
//! An accelerator that is a times as fast takes 1 / a of all computation. A batch with the
//! communication t then takes 1 / a of one with the profile's accelerator and a communication of
//! a t, in which as much overlaps.

use serde::Deserialize;

use super::figures::{Cell, Sheet, Values};
use super::rack::{ELEMENT_BYTES, Line, LinkRate, Rack};
use super::{Found, Means};
use crate::error::Error;
use crate::faults::Faults;

/// Share of the slower rate's communication from which on all of it overlaps, within a percent. The
/// profile then tells of no limit but the computation.
const ALL: f64 = 0.99;

/// Models, and the systems that add up their gradients.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replay {
    workers: u16,
    elements: u64,
    rack: Rack,
    /// Two, the slower first, as profiles have them.
    rates: [LinkRate; 2],
    /// The first is compared with the profile. Speedups are relative to the second.
    lines: Vec<Line>,
    models: Vec<Model>,
    /// Lines beside others, at the faster rate; what is shown if there are any.
    #[serde(default)]
    pairs: Vec<Pair>,
    /// Speeds of accelerators, by the profile's, with which pairs are compared.
    #[serde(default = "one")]
    accelerators: Vec<f64>,
    /// Share of computation in which communication goes on, for the accelerators that saturate
    /// links at the faster rate.
    communicating: Option<f64>,
}

fn one() -> Vec<f64> {
    vec![1.0]
}

/// A line, and the one that its speedup is relative to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    line: String,
    over: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    name: String,
    mib: f64,
    /// Profile at each rate.
    profile: [Profile; 2],
    /// Speedups at each rate, for each line but the second; empty where the paper shows none.
    #[serde(default)]
    speedups: [Vec<f64>; 2],
    /// Speed of an accelerator that saturates links at the faster rate, by the paper.
    alpha: Option<f64>,
}

/// A batch, as the paper has profiled it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    batch_ms: f64,
    /// Share of the batch that is communication.
    communication: f64,
    /// Share of that which overlaps with computation.
    overlap: f64,
}

impl Profile {
    fn communication_ms(&self) -> f64 {
        self.batch_ms * self.communication
    }

    fn overlapped_ms(&self) -> f64 {
        self.communication_ms() * self.overlap
    }

    fn computation_ms(&self) -> f64 {
        self.batch_ms - self.communication_ms() + self.overlapped_ms()
    }
}

impl Model {
    /// The same with an accelerator that is `accelerator` times as fast.
    fn accelerated_ms(&self, rate: usize, communication_ms: f64, accelerator: f64) -> f64 {
        self.batch_ms(rate, communication_ms * accelerator) / accelerator
    }

    /// The speed of an accelerator, at least the profile's, from which on links at the faster rate
    /// carry something all the time in which communication goes on: `communicating` of computation.
    fn saturates(&self, communicating: f64) -> f64 {
        let fast = &self.profile[1];
        (communicating * fast.computation_ms() / fast.communication_ms()).max(1.0)
    }

    /// A batch at the rate of this place, if communication takes `communication_ms`.
    fn batch_ms(&self, rate: usize, communication_ms: f64) -> f64 {
        let [slow, fast] = &self.profile;
        let computation_ms = self.profile[rate].computation_ms();
        computation_ms + communication_ms
            - overlapped_ms(fast, slow, communication_ms).min(computation_ms)
    }
}

/// Interpolates, between two profiles of the same computation, the part of a communication that
/// overlaps with it.
fn overlapped_ms(short: &Profile, long: &Profile, communication_ms: f64) -> f64 {
    let [from, to] =
        [short, long].map(|profile| (profile.communication_ms(), profile.overlapped_ms()));
    if communication_ms <= from.0 {
        from.1 * communication_ms / from.0
    } else if communication_ms <= to.0 {
        from.1 + (to.1 - from.1) * (communication_ms - from.0) / (to.0 - from.0)
    } else if long.overlap >= ALL {
        communication_ms * long.overlap
    } else {
        to.1
    }
}

impl Replay {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut setups = Vec::new();
        for rate in &self.rates {
            for line in &self.lines {
                let job = line.job(self.workers, self.elements, rate.slots)?;
                setups.push(line.setup(self.rack, rate.gbps, job, Faults::default()));
            }
        }
        let times_ms = means.times_ms(&setups)?;
        let simulated_mib = self.elements as f64 * ELEMENT_BYTES / f64::from(1 << 20);
        // By rate, then line.
        let ms_per_mib: Vec<Vec<f64>> = times_ms
            .chunks(self.lines.len())
            .map(|of| of.iter().map(|ms| ms / simulated_mib).collect())
            .collect();
        let mut found = Found::default();
        if self.pairs.is_empty() {
            self.add_profile(&ms_per_mib, &mut found);
            for (place, rate) in self.rates.iter().enumerate() {
                self.add_speedups(place, rate.gbps, &ms_per_mib[place], &mut found);
            }
        }
        for pair in &self.pairs {
            self.add_pair(pair, &ms_per_mib[1], &mut found)?;
        }
        if let Some(communicating) = self.communicating {
            found.sheets.push(self.saturation(communicating, &mut found.values));
        }
        Ok(found)
    }

    fn line(&self, id: &str) -> Result<usize, Error> {
        let missing =
            || Error::Toml(format!("a pair names two lines by their ids; no line has {id:?}"));
        self.lines.iter().position(|line| line.id == id).ok_or_else(missing)
    }

    /// Speedups of a line relative to another at the faster rate, with each accelerator.
    fn add_pair(&self, pair: &Pair, ms_per_mib: &[f64], found: &mut Found) -> Result<(), Error> {
        let (line, over) = (self.line(&pair.line)?, self.line(&pair.over)?);
        let [name, other] = [line, over].map(|place| &self.lines[place].name);
        let gbps = self.rates[1].gbps;
        let header = self.accelerators.iter().map(|speed| match speed {
            1.0 => "the profile's accelerator".to_owned(),
            _ => format!("{speed} times as fast"),
        });
        let mut sheet = Sheet {
            title: format!("Speedup of a batch with {name} relative to {other} at {gbps} Gbit/s"),
            header: std::iter::once("model".to_owned()).chain(header).collect(),
            rows: Vec::new(),
        };
        for model in &self.models {
            let mut row = vec![Cell::text(&model.name)];
            for speed in &self.accelerators {
                let batch_ms =
                    |place: usize| model.accelerated_ms(1, model.mib * ms_per_mib[place], *speed);
                let speedup = batch_ms(over) / batch_ms(line);
                let at = format!("{}.{}.{speed}x", pair.line, pair.over);
                let most = found.values.entry(format!("most.{at}")).or_insert(speedup);
                *most = most.max(speedup);
                let least = found.values.entry(format!("least.{at}")).or_insert(speedup);
                *least = least.min(speedup);
                let name = format!("pair.{}.{}.{}.{speed}x", pair.line, pair.over, model.name);
                found.values.insert(name, speedup);
                row.push(Cell::Number(speedup, 2));
            }
            sheet.rows.push(row);
        }
        found.sheets.push(sheet);
        Ok(())
    }

    /// Table 1's alpha: how much faster an accelerator saturates the links.
    fn saturation(&self, communicating: f64, values: &mut Values) -> Sheet {
        let header = ["model", "paper", "ours", "ratio", "with communication all the time"];
        let title = format!(
            "Speed of an accelerator that saturates {} Gbit/s, by the profile's",
            self.rates[1].gbps
        );
        let mut sheet = Sheet::new(title, header);
        for model in &self.models {
            let (ours, most) = (model.saturates(communicating), model.saturates(1.0));
            values.insert(format!("alpha.{}", model.name), ours);
            sheet.rows.push(vec![
                Cell::text(&model.name),
                Cell::stated(model.alpha, 1),
                Cell::Number(ours, 1),
                Cell::ratio(ours, model.alpha),
                Cell::Number(most, 1),
            ]);
        }
        sheet
    }

    /// Batches with the first line's communication, beside the profile's, which is at line rate.
    fn add_profile(&self, ms_per_mib: &[Vec<f64>], found: &mut Found) {
        let header = [
            "model",
            "Gbit/s",
            "paper: ms of a batch",
            "ours",
            "ratio",
            "paper: communication",
            "ours",
        ];
        let mut sheet =
            Sheet::new("A batch, with communication of one vector at line rate", header);
        for model in &self.models {
            for (place, rate) in self.rates.iter().enumerate() {
                let Profile { batch_ms, communication, .. } = model.profile[place];
                let communication_ms = model.mib * ms_per_mib[place][0];
                let ours = model.batch_ms(place, communication_ms);
                found.values.insert(format!("batch.{}.{}", model.name, rate.gbps), ours);
                sheet.rows.push(vec![
                    Cell::text(&model.name),
                    Cell::Number(rate.gbps, 0),
                    Cell::Number(batch_ms, 0),
                    Cell::Number(ours, 0),
                    Cell::ratio(ours, Some(batch_ms)),
                    Cell::text(format!("{:.0} %", communication * 100.0)),
                    Cell::text(format!("{:.0} %", communication_ms / ours * 100.0)),
                ]);
            }
        }
        found.sheets.push(sheet);
    }

    /// Speedups relative to the second line.
    fn add_speedups(&self, place: usize, gbps: f64, ms_per_mib: &[f64], found: &mut Found) {
        let others = || self.lines.iter().enumerate().filter(|(number, _)| *number != 1);
        let names = others()
            .flat_map(|(_, line)| [format!("{}: paper", line.name), "ours".into(), "ratio".into()]);
        let title =
            format!("Speedup of a batch relative to {} at {gbps} Gbit/s", self.lines[1].name);
        let mut sheet = Sheet {
            title,
            header: std::iter::once("model".into()).chain(names).collect(),
            rows: Vec::new(),
        };
        for model in &self.models {
            let batch_ms = |line: usize| model.batch_ms(place, model.mib * ms_per_mib[line]);
            let mut row = vec![Cell::text(&model.name)];
            for (column, (number, line)) in others().enumerate() {
                let ours = batch_ms(1) / batch_ms(number);
                let paper = model.speedups[place].get(column).copied();
                let best = found.values.entry(format!("best.{}.{gbps}", line.id)).or_insert(0.0);
                *best = best.max(ours);
                found.values.insert(format!("speedup.{}.{}.{gbps}", line.id, model.name), ours);
                row.extend([
                    Cell::stated(paper, 2),
                    Cell::Number(ours, 2),
                    Cell::ratio(ours, paper),
                ]);
            }
            sheet.rows.push(row);
        }
        found.sheets.push(sheet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Profile = Profile { batch_ms: 100.0, communication: 0.2, overlap: 0.5 };
    const LONG: Profile = Profile { batch_ms: 300.0, communication: 0.8, overlap: 0.25 };

    /// The profile's own communication gives the profile's own batch.
    #[test]
    fn a_profile_replays_itself() {
        let model = Model {
            name: String::new(),
            mib: 0.0,
            profile: [LONG, SHORT],
            speedups: [vec![], vec![]],
            alpha: None,
        };
        for (rate, profile) in model.profile.iter().enumerate() {
            assert!(
                (model.batch_ms(rate, profile.communication_ms()) - profile.batch_ms).abs() < 1e-9
            );
        }
        // A tenth of the computation at ten times the rate is a tenth of all.
        let accelerated_ms = model.accelerated_ms(0, LONG.communication_ms() / 10.0, 10.0);
        assert!((accelerated_ms - 30.0).abs() < 1e-9, "{accelerated_ms}");
        // 90 ms of computation beside 20 ms of communication; two thirds of them are 60.
        assert!((model.saturates(2.0 / 3.0) - 3.0).abs() < 1e-9);
        assert_eq!(model.saturates(0.1), 1.0);
    }

    /// 10 of 20 ms and 60 of 240 ms overlap.
    #[test]
    fn overlap_is_interpolated() {
        let overlaps =
            [0.0, 10.0, 20.0, 130.0, 240.0, 900.0].map(|ms| overlapped_ms(&SHORT, &LONG, ms));
        for (overlap, expected) in overlaps.into_iter().zip([0.0, 5.0, 10.0, 35.0, 60.0, 60.0]) {
            assert!((overlap - expected).abs() < 1e-9, "{overlaps:?}");
        }
        let all = Profile { overlap: 1.0, ..LONG };
        assert_eq!(overlapped_ms(&SHORT, &all, 900.0), 900.0);
    }
}
