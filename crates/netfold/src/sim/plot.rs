//! A plot of a sweep: how long the first call took over the parameter that has most values, a line for each choice of the others.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::results::{Results, Run, shown};
use crate::error::Error;

/// Width and height of a plot, in pixels.
const SIZE: (u32, u32) = (800, 500);

/// Points of each line, by the choice of the other parameters.
type Lines = BTreeMap<String, Vec<(f64, f64)>>;

/// The plot as SVG.
pub(super) fn svg(results: &Results) -> Result<String, Error> {
    let axis = axis(results)?;
    let lines = lines(results, axis);
    let mut svg = String::new();
    draw(&mut svg, results, &results.parameters[axis], &lines).map_err(|why| Error::Plot(why.to_string()))?;
    Ok(svg)
}

/// The parameter with most different values, all of them numbers.
fn axis(results: &Results) -> Result<usize, Error> {
    let numbers = (0..results.parameters.len()).filter_map(|parameter| {
        let values: Option<Vec<_>> = results.runs.iter().map(|run| run.values[parameter].as_f64()).collect();
        let mut values = values?;
        values.sort_by(f64::total_cmp);
        values.dedup();
        Some((values.len(), parameter))
    });
    // Of several with as many values, the first.
    let most = numbers.max_by_key(|(values, parameter)| (*values, usize::MAX - parameter));
    most.map(|(_, parameter)| parameter).ok_or_else(|| {
        Error::Usage("--plot needs a scenario with a sweep over numbers; give it one, or leave --plot out".into())
    })
}

fn lines(results: &Results, axis: usize) -> Lines {
    let mut lines = Lines::new();
    for Run { values, report } in &results.runs {
        let took = report.jobs.first().and_then(|job| job.calls.first()).and_then(|call| call.took_ms);
        let (Some(x), Some(y)) = (values[axis].as_f64(), took) else { continue };
        let others = results.parameters.iter().zip(values).enumerate().filter(|(parameter, _)| *parameter != axis);
        let name: Vec<_> = others.map(|(_, (path, value))| format!("{path} = {}", shown(value))).collect();
        lines.entry(name.join(", ")).or_default().push((x, y));
    }
    for points in lines.values_mut() {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    lines
}

fn draw(svg: &mut String, results: &Results, parameter: &str, lines: &Lines) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.values().flatten();
    let low = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let high = points().map(|point| point.0).fold(f64::NEG_INFINITY, f64::max);
    let most = points().map(|point| point.1).fold(0.0, f64::max);
    if low > high {
        return Err("no call has ended".into());
    }
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(format!("{} (simulated)", results.title), ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        // A single value needs some width, too.
        .build_cartesian_2d(low..if high > low { high } else { low + 1.0 }, 0.0..most * 1.05)?;
    chart.configure_mesh().x_desc(parameter).y_desc("ms").light_line_style(WHITE).draw()?;
    for (number, (name, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(number).to_rgba();
        chart
            .draw_series(LineSeries::new(points.iter().copied(), &color).point_size(3))?
            .label(if name.is_empty() { "first call" } else { name })
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
