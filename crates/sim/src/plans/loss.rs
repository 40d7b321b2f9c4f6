//! Losses (SwitchML, figures 6 and 7): how much longer an all-reduce takes, and what a worker sends
//! in each slot of time.

use serde::Deserialize;

use super::figures::{Cell, Curve, Plot, Scale, Sheet};
use super::rack::{Line, LinkRate, Rack};
use super::{Found, Means};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::faults::Faults;
use crate::time::Time;

/// Systems on links that lose datagrams.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Loss {
    workers: u16,
    elements: u64,
    rack: Rack,
    rate: LinkRate,
    /// Shares of the datagrams on every link, beginning with none.
    losses: Vec<f64>,
    /// The losses and the line whose packets are counted over time.
    timeline: Timeline,
    lines: Vec<Line>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Timeline {
    line: String,
    losses: Vec<f64>,
    slot_us: u64,
}

/// Observations of a run.
struct Seen {
    took_ms: f64,
    /// Packets that the first worker has sent in each slot of time.
    packets: Vec<u64>,
}

impl Loss {
    pub(super) fn run(&self, means: &Means) -> Result<Found, Error> {
        let mut points = Vec::new();
        for line in &self.lines {
            let job = line.job(self.workers, self.elements, self.rate.slots)?;
            for loss in &self.losses {
                let faults = Faults { loss: *loss, ..Faults::default() };
                points.push((
                    line,
                    *loss,
                    line.setup(self.rack, self.rate.gbps, job.clone(), faults),
                ));
            }
        }
        let setups: Vec<_> = points.iter().map(|(.., setup)| setup.clone()).collect();
        let seen = means
            .each(&setups, |cluster| watch(cluster, Time::from_us(self.timeline.slot_us.max(1))))?;
        let mut found = Found::default();
        let mut sheet = Sheet::new(
            "Inflation of the time of an all-reduce",
            ["system", "loss", "ms", "inflation"],
        );
        let mut curves: Vec<Curve> = Vec::new();
        let mut without_ms = f64::NAN;
        for ((line, loss, _), Seen { took_ms, .. }) in points.iter().zip(&seen) {
            if *loss == self.losses[0] {
                without_ms = *took_ms;
                curves.push(Curve { name: line.name.clone(), points: Vec::new() });
            }
            let inflation = took_ms / without_ms;
            found.values.extend([
                (format!("ms.{}.{loss}", line.id), *took_ms),
                (format!("inflation.{}.{loss}", line.id), inflation),
            ]);
            if let Some(curve) = curves.last_mut().filter(|_| *loss > 0.0) {
                curve.points.push((*loss, inflation));
            }
            sheet.rows.push(vec![
                Cell::text(&line.name),
                Cell::text(percent(*loss)),
                Cell::Number(*took_ms, 3),
                Cell::Number(inflation, 3),
            ]);
        }
        found.sheets.push(sheet);
        found.plots.push(Plot {
            name: "inflation".into(),
            title: "Inflation of the time of an all-reduce by losses".into(),
            x: "share of datagrams lost on every link".into(),
            y: "time, by that without losses".into(),
            x_scale: Scale::Logarithmic,
            curves,
        });
        let lines = points.iter().zip(&seen).filter(|((line, loss, _), _)| {
            line.id == self.timeline.line && self.timeline.losses.contains(loss)
        });
        self.add_timeline(lines.map(|((_, loss, _), seen)| (*loss, seen)).collect(), &mut found);
        Ok(found)
    }

    fn add_timeline(&self, lines: Vec<(f64, &Seen)>, found: &mut Found) {
        let slot_ms = self.timeline.slot_us as f64 / 1e3;
        let header = [
            "loss",
            "whole slots",
            "packets in the first",
            "most",
            "least after the first",
            "ms in all",
        ];
        let mut sheet =
            Sheet::new(format!("Packets that a worker sends in each {slot_ms} ms"), header);
        for (loss, Seen { took_ms, packets }) in &lines {
            // The last is not a whole one.
            let whole = &packets[..packets.len().saturating_sub(1)];
            let least = whole.iter().skip(1).min().copied();
            let most = whole.iter().max().copied();
            let number = |count: Option<u64>| Cell::stated(count.map(|count| count as f64), 0);
            if let (Some(least), Some(most)) = (least, most) {
                found.values.insert(format!("steadiness.{loss}"), least as f64 / most as f64);
            }
            sheet.rows.push(vec![
                Cell::text(percent(*loss)),
                Cell::Number(whole.len() as f64, 0),
                number(whole.first().copied()),
                number(most),
                number(least),
                Cell::Number(*took_ms, 3),
            ]);
        }
        found.sheets.push(sheet);
        let curves = lines.iter().map(|(loss, seen)| {
            let points = (0..).map(|slot: u32| f64::from(slot) * slot_ms);
            Curve {
                name: percent(*loss),
                points: points.zip(seen.packets.iter().map(|count| *count as f64)).collect(),
            }
        });
        found.plots.push(Plot {
            name: "timeline".into(),
            title: format!("Packets that a worker sends in each {slot_ms} ms"),
            x: "ms".into(),
            y: "packets".into(),
            x_scale: Scale::Linear,
            curves: curves.collect(),
        });
    }
}

fn percent(share: f64) -> String {
    format!("{} %", share * 100.0)
}

fn watch(cluster: &mut Cluster, slot: Time) -> Seen {
    let (mut packets, mut before, mut at) = (Vec::new(), 0, slot);
    let mut goes_on = true;
    while goes_on {
        goes_on = cluster.run_until(at) && cluster.completed(0, 0).is_none();
        let sent = cluster.counters(0, 0).packets_sent;
        packets.push(sent - before);
        before = sent;
        at += slot;
    }
    Seen { took_ms: cluster.completed(0, 0).map_or(f64::NAN, |time| time.ms()), packets }
}
