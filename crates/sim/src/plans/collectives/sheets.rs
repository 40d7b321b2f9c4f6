//! Tables and plots of collectives.

use super::{COLLECTIVES, Collectives, PLACES, Row};
use crate::mpi::Algorithm;
use crate::plans::figures::{Cell, Curve, Plot, Scale, Sheet, Values};
use crate::plans::times::{Place, Point};
use crate::setup::CollectiveName;

impl Collectives {
    pub(super) fn sheet(&self, place: Place, title: &str, rows: &[Row]) -> Sheet {
        let header = [
            "collective",
            "nodes",
            "bytes",
            "netfold, us",
            "MPI, us",
            "its algorithm",
            "gain",
            "gain on average",
        ];
        let mut sheet = Sheet::new(format!("Calls on {title}"), header);
        for (point, took, algorithm, last_us, mean_us) in rows {
            if point.place != place {
                continue;
            }
            let is_extended = if point.blocks() > self.most_blocks { " (extended)" } else { "" };
            sheet.rows.push(vec![
                Cell::text(format!("{}{is_extended}", title_of(point.collective))),
                Cell::Number(point.nodes().into(), 0),
                Cell::Number(point.bytes as f64, 0),
                Cell::Number(took.last_us, 2),
                Cell::Number(*last_us, 2),
                Cell::text(algorithm),
                Cell::Number(last_us / took.last_us, 2),
                Cell::Number(mean_us / took.mean_us, 2),
            ]);
        }
        sheet
    }

    /// Gains of the largest network.
    pub(super) fn plot(&self, place: Place, (id, title): (&str, &str), rows: &[Row]) -> Plot {
        let torus = self.tori.last().copied().unwrap_or_default();
        let curve = |(collective, _, name): &(CollectiveName, &str, &str)| Curve {
            name: (*name).to_owned(),
            points: rows
                .iter()
                .filter(|(point, ..)| {
                    (point.place, point.torus, point.collective) == (place, torus, *collective)
                })
                .map(|(point, took, _, last_us, _)| (point.bytes as f64, last_us / took.last_us))
                .collect(),
        };
        let nodes: u32 = torus.iter().product();
        Plot {
            name: format!("gain-{id}"),
            title: format!("{nodes} nodes, {title}: time of MPI by that of netfold"),
            x: "bytes".to_owned(),
            y: "times as fast as MPI".to_owned(),
            x_scale: Scale::Logarithmic,
            curves: COLLECTIVES.iter().map(curve).collect(),
        }
    }
}

fn title_of(collective: CollectiveName) -> &'static str {
    COLLECTIVES.iter().find(|(name, ..)| *name == collective).map_or("", |(.., title)| title)
}

pub(super) fn name(point: &Point) -> String {
    let id = |(collective, id, _): &(CollectiveName, &'static str, &str)| {
        (*collective == point.collective).then_some(*id)
    };
    let collective = COLLECTIVES.iter().find_map(id).unwrap_or_default();
    let place = if point.place == Place::Torus { "torus" } else { "switch" };
    format!("{place}.{collective}.{}.{}", point.nodes(), point.bytes)
}

/// The name of an algorithm in tables.
pub(in crate::plans) fn called(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::RecursiveDoubling => "recursive doubling",
        Algorithm::RecursiveHalving => "recursive halving",
        Algorithm::Rabenseifner => "Rabenseifner",
        Algorithm::Ring => "ring",
        Algorithm::Binomial => "binomial",
        Algorithm::ScatterDoubling => "scatter, doubling",
        Algorithm::ScatterRing => "scatter, ring",
        Algorithm::Chain => "chain",
        Algorithm::Linear => "linear",
        Algorithm::Bruck => "Bruck",
        Algorithm::Pairwise => "pairwise",
        Algorithm::Tree => "tree",
        Algorithm::DoubleTree => "two trees",
    }
}

/// The geometric mean of gains over all sizes, and the least.
pub(super) fn summary(overhead_us: f64, number: usize, rows: &[Row], values: &mut Values) -> Sheet {
    let header = [
        "network",
        "collective",
        "nodes",
        "gain, mean",
        "least",
        "at bytes",
        "on average over workers, mean",
        "least",
        "at bytes",
    ];
    let title = format!("Gain over all sizes, with an overhead of {overhead_us} us");
    let mut sheet = Sheet::new(title, header);
    let by = if number == 0 { String::new() } else { format!("{overhead_us}us.") };
    let alike = |one: &Row, other: &Row| {
        let of = |(point, ..): &Row| (point.place, point.torus, point.collective);
        of(one) == of(other)
    };
    for group in rows.chunk_by(alike) {
        let (point, ..) = &group[0];
        let gains = |on_average: bool| {
            let gain = |(point, took, _, last_us, mean_us): &Row| {
                let gain = if on_average { mean_us / took.mean_us } else { last_us / took.last_us };
                (gain, point.bytes)
            };
            let gains: Vec<_> = group.iter().map(gain).collect();
            let logs: f64 = gains.iter().map(|(gain, _)| gain.ln()).sum();
            let least = gains.iter().copied().min_by(|one, other| one.0.total_cmp(&other.0));
            ((logs / gains.len() as f64).exp(), least.unwrap_or((f64::NAN, 0)))
        };
        let ((mean, least), (of_average, least_of_average)) = (gains(false), gains(true));
        let network = PLACES.iter().find(|(place, ..)| *place == point.place);
        let at = name(point);
        let (at, _) = at.rsplit_once('.').unwrap_or((&at, ""));
        values.extend([
            (format!("{by}mean_gain.{at}"), mean),
            (format!("{by}least_gain.{at}"), least.0),
            (format!("{by}mean_gain_on_average.{at}"), of_average),
            (format!("{by}least_gain_on_average.{at}"), least_of_average.0),
        ]);
        sheet.rows.push(vec![
            Cell::text(network.map_or("", |(.., title)| *title)),
            Cell::text(title_of(point.collective)),
            Cell::Number(point.nodes().into(), 0),
            Cell::Number(mean, 2),
            Cell::Number(least.0, 2),
            Cell::Number(least.1 as f64, 0),
            Cell::Number(of_average, 2),
            Cell::Number(least_of_average.0, 2),
            Cell::Number(least_of_average.1 as f64, 0),
        ]);
    }
    sheet
}
