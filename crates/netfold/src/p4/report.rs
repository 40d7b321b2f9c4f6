//! `netfold p4 report`: what a program takes of a switch, beside published figures.

use netfold_pisa::report::Report;
use serde_json::json;

use super::flags::ProgramFlags;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Prints the report of a program.
pub(super) fn run(flags: &ProgramFlags, as_json: bool) -> Result<i32, Error> {
    let request = super::request(flags, false)?;
    let made = request.make();
    let target = request.name.target();
    super::held_to(&made, target.clone())?;
    let report = Report::of(&made.program, &target);
    let comparisons = request.comparisons();
    if as_json {
        let lines = report
            .lines
            .iter()
            .map(|line| json!({ "what": line.what, "total": line.total, "most": line.most, "share": line.share }));
        let lines: Vec<_> = lines.collect();
        let beside: Vec<_> = comparisons
            .iter()
            .map(|one| json!({ "what": one.what, "here": one.here, "published": one.published, "why": one.why }))
            .collect();
        let all = json!({
            "program": report.program, "target": report.target, "stages": report.stages, "pipelines": made.pipelines,
            "register_bytes": report.register_bytes, "resources": lines, "beside": beside,
        });
        terminal::say(&format!("{all:#}\n"))?;
        return Ok(SUCCESS);
    }
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let mut table = terminal::table(vec!["resource", "in all", "of the switch", "most in a stage", "of the stage"]);
    for line in &report.lines {
        let (all, most) =
            line.share.map_or((String::new(), String::new()), |(all, most)| (percent(all), percent(most)));
        let in_stage = line.most.map_or(String::new(), |most| most.to_string());
        table.add_row(vec![line.what.clone(), line.total.to_string(), all, in_stage, most]);
    }
    let mut beside = terminal::table(vec!["figure", "here", "published", "why they differ"]);
    for one in &comparisons {
        beside.add_row(vec![&one.what, &one.here, &one.published, &one.why]);
    }
    terminal::say(&format!(
        "{} on {}: {} stages, {} pipeline(s), {} KiB of registers in each\n{table}\n{beside}\n",
        report.program,
        report.target,
        report.stages,
        made.pipelines,
        report.register_bytes.div_ceil(1024),
    ))?;
    Ok(SUCCESS)
}
