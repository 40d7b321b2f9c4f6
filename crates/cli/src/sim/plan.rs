//! `netfold sim plan`: figures of papers, with the paper's numbers beside ours.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use netfold_sim::plans::{Cell, Compared, Figures, Means, Plan, Plot, Scale, Sheet};

use super::chart::Chart;
use super::{calibration, read, refused, write};
use crate::cli::PlanFlags;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Text that stands where the paper has no number.
const MISSING: &str = "not stated";

/// Runs all plans, one after the other.
pub(super) fn run(flags: &PlanFlags) -> Result<i32, Error> {
    let calibration = calibration(flags.calibration.as_deref())?;
    let means = Means { seed: flags.seed, calibration, threads: flags.threads };
    // What is wrong with a file is told before anything takes minutes.
    let plan = |path: &PathBuf| {
        let plan = Plan::parse(&read("the plan", path)?, flags.quick).map_err(refused(path))?;
        Ok((path.clone(), plan))
    };
    let plans = flags.plans.iter().map(plan).collect::<Result<Vec<_>, Error>>()?;
    for (path, plan) in plans {
        let figures = plan.run(&means).map_err(refused(&path))?;
        terminal::say(&text(&figures, terminal::table))?;
        if let Some(folder) = &flags.out {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            store(folder, &name, &figures)?;
        }
    }
    Ok(SUCCESS)
}

/// Writes tables, values and plots to a folder, under this name.
pub(super) fn store(folder: &Path, name: &str, figures: &Figures) -> Result<(), Error> {
    fs::create_dir_all(folder)
        .map_err(|source| Error::Results { path: folder.to_owned(), source })?;
    let json = serde_json::to_string_pretty(figures).unwrap_or_default();
    write(&folder.join(format!("{name}.json")), &(json + "\n"))?;
    write(&folder.join(format!("{name}.md")), &text(figures, markdown))?;
    for plot in &figures.plots {
        write(&folder.join(format!("{name}-{}.svg", plot.name)), &svg(plot)?)?;
    }
    Ok(())
}

fn svg(plot: &Plot) -> Result<String, Error> {
    Chart {
        caption: format!("{} (simulated)", plot.title),
        x: &plot.x,
        y: &plot.y,
        logarithmic: plot.x_scale == Scale::Logarithmic,
        lines: plot
            .curves
            .iter()
            .map(|curve| (curve.name.as_str(), curve.points.as_slice()))
            .collect(),
    }
    .svg()
}

/// Everything but the plots, in tables of a kind.
pub(super) fn text(figures: &Figures, table: impl Fn(Vec<String>) -> Table) -> String {
    let Figures { title, paper, seed, sheets, claims, .. } = figures;
    let mut text = format!("# {title}\n\n{paper}. Our figures are simulated, from seed {seed}.\n");
    for Sheet { title, header, rows } in sheets {
        let mut table = table(header.clone());
        for row in rows {
            table.add_row(row.iter().map(cell));
        }
        // Writing to a text does not fail.
        let _ = write!(text, "\n## {title}\n\n{table}\n");
    }
    if !claims.is_empty() {
        let mut table = table(
            ["claim", "section", "paper", "ours", "ratio", "why they differ"]
                .map(String::from)
                .into(),
        );
        for Compared { what, section, paper, says, ours, ratio, reason, chosen } in claims {
            let stated = says
                .clone()
                .or(paper.map(|paper| paper.to_string()))
                .unwrap_or_else(|| MISSING.into());
            let ratio = ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"));
            let reason = chosen.as_ref().map_or_else(
                || reason.clone(),
                |chosen| format!("Circular: {chosen}, was chosen for it. {reason}"),
            );
            table.add_row([
                what.clone(),
                section.clone(),
                stated,
                significant(*ours),
                ratio,
                reason,
            ]);
        }
        let _ = write!(text, "\n## What the paper claims\n\n{table}\n");
    }
    text
}

/// A table as Markdown has them.
fn markdown(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header);
    table
}

fn cell(cell: &Cell) -> comfy_table::Cell {
    let text = match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number, digits) => format!("{number:.digits$}"),
        Cell::Missing => MISSING.into(),
    };
    let alignment =
        if matches!(cell, Cell::Text(_)) { CellAlignment::Left } else { CellAlignment::Right };
    comfy_table::Cell::new(text).set_alignment(alignment)
}

/// A number with three digits at least, and none behind the point that nobody reads.
fn significant(number: f64) -> String {
    let digits = (2 - number.abs().max(1e-6).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{number:.digits$}")
}
