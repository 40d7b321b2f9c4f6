//! A plot of a sweep: how long the first call took over the parameter that has most values, a line
//! for each choice of the others.

use std::collections::BTreeMap;

use super::chart::Chart;
use super::results::{Results, Run, shown};
use crate::error::Error;

/// Points of each line, by the choice of the other parameters.
type Lines = BTreeMap<String, Vec<(f64, f64)>>;

/// The plot as SVG.
pub(super) fn svg(results: &Results) -> Result<String, Error> {
    let axis = axis(results)?;
    let lines = lines(results, axis);
    let lines = lines.iter().map(|(name, points)| {
        (if name.is_empty() { "first call" } else { name }, points.as_slice())
    });
    let lines = lines.collect();
    let (caption, x) =
        (format!("{} (simulated)", results.title), results.parameters[axis].as_str());
    Chart { caption, x, y: "ms", logarithmic: false, lines }.svg()
}

/// The parameter with most different values, all of them numbers.
fn axis(results: &Results) -> Result<usize, Error> {
    let numbers = (0..results.parameters.len()).filter_map(|parameter| {
        let values: Option<Vec<_>> =
            results.runs.iter().map(|run| run.values[parameter].as_f64()).collect();
        let mut values = values?;
        values.sort_by(f64::total_cmp);
        values.dedup();
        Some((values.len(), parameter))
    });
    // Of several with as many values, the first.
    let most = numbers.max_by_key(|(values, parameter)| (*values, usize::MAX - parameter));
    most.map(|(_, parameter)| parameter).ok_or_else(|| {
        Error::Usage(
            "--plot needs a scenario with a sweep over numbers; give it one, or leave --plot out"
                .into(),
        )
    })
}

fn lines(results: &Results, axis: usize) -> Lines {
    let mut lines = Lines::new();
    for Run { values, report } in &results.runs {
        let took =
            report.jobs.first().and_then(|job| job.calls.first()).and_then(|call| call.took_ms);
        let (Some(x), Some(y)) = (values[axis].as_f64(), took) else { continue };
        let others = results
            .parameters
            .iter()
            .zip(values)
            .enumerate()
            .filter(|(parameter, _)| *parameter != axis);
        let name: Vec<_> =
            others.map(|(_, (path, value))| format!("{path} = {}", shown(value))).collect();
        lines.entry(name.join(", ")).or_default().push((x, y));
    }
    for points in lines.values_mut() {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    lines
}
