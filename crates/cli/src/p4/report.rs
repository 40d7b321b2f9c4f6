//! `netfold p4 report`: the resources that a program takes of a switch, beside published figures.

use netfold_pisa::Target;
use netfold_pisa::catalog::COMPILER;
use netfold_pisa::report::Report;
use netfold_pisa::schedule::Stages;
use serde_json::json;

use super::flags::ProgramFlags;
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Register memory for which slots are counted, in all pipelines together.
const MEMORY: u64 = 1 << 20;

/// Prints the report of a program, held to a target or to the one that it is for.
pub(super) fn run(
    flags: &ProgramFlags,
    target: Option<Target>,
    as_json: bool,
) -> Result<i32, Error> {
    let target =
        target.unwrap_or_else(|| flags.name().map_or_else(Target::tofino, |name| name.target()));
    let request = super::request(flags, target.limits.is_none())?;
    let made = request.make();
    super::held_to(&made, target.clone())?;
    let report = Report::of(&made.program, &target);
    let comparisons = request.comparisons();
    let sizes = request.by_packet();
    let compiled: Vec<_> = request.compiled().filter(|_| target == Target::tofino()).collect();
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
        let sizes: Vec<_> = sizes
            .iter()
            .map(|one| {
                json!({
                    "elements": one.elements, "packet_bytes": one.bytes, "goodput": one.goodput, "passes_to_fold": one.passes.fold,
                    "passes_with_result": one.passes.result, "slot_bytes": one.slot_bytes,
                })
            })
            .collect();
        let all = json!({
            "program": report.program, "target": report.target, "stages": report.stages, "pipelines": made.program.pipelines(),
            "ingress_stages": report.placed.ingress, "egress_stages": report.placed.egress,
            "scheduled": {
                "stages": report.scheduled.last, "ingress_stages": report.scheduled.ingress, "egress_stages": report.scheduled.egress,
            },
            "compiled": compiled.iter().map(|one| json!({
                "compiler": COMPILER, "target": one.target, "ingress_stages": one.ingress, "egress_stages": one.egress,
            })).collect::<Vec<_>>(),
            "register_bytes": report.register_bytes, "resources": lines, "by_packet": sizes, "beside": beside,
        });
        terminal::say(&format!("{all:#}\n"))?;
        return Ok(SUCCESS);
    }
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let mut table = terminal::table(vec![
        "resource",
        "in all",
        "of the switch",
        "most in a stage",
        "of the stage",
    ]);
    for line in &report.lines {
        let (all, most) = line
            .share
            .map_or((String::new(), String::new()), |(all, most)| (percent(all), percent(most)));
        let in_stage = line.most.map_or(String::new(), |most| most.to_string());
        table.add_row(vec![line.what.clone(), line.total.to_string(), all, in_stage, most]);
    }
    let mut by_packet = terminal::table(vec![
        "lanes",
        "bytes on the wire",
        "goodput",
        "passes to fold",
        "with the result",
        "bytes for a slot",
        "slots in 1 MiB",
    ]);
    for one in &sizes {
        by_packet.add_row(vec![
            one.elements.to_string(),
            format!("{:.0}", one.bytes),
            percent(one.goodput),
            one.passes.fold.to_string(),
            one.passes.result.to_string(),
            one.slot_bytes.to_string(),
            one.slots_in(MEMORY).map_or_else(|| "any".into(), |slots| slots.to_string()),
        ]);
    }
    let mut beside = terminal::table(vec!["figure", "here", "published", "why they differ"]);
    for one in &comparisons {
        beside.add_row(vec![&one.what, &one.here, &one.published, &one.why]);
    }
    let compiled = compiled.iter().map(|one| {
        format!(
            "p4/tna/{}.p4, of 8 workers and 128 slots, compiled for {} by bf-p4c {COMPILER}: {} stages of ingress and {} of egress\n",
            one.stem, one.target, one.ingress, one.egress
        )
    });
    terminal::say(&format!(
        "{} on {}: {}, {} pipeline(s), {} KiB of registers in each\nscheduled as by a compiler (R-PISA-41): {}\n{}{table}\n{by_packet}\n{beside}\n",
        report.program,
        report.target,
        stages(report.placed),
        made.program.pipelines(),
        report.register_bytes.div_ceil(1024),
        stages(report.scheduled),
        compiled.collect::<String>(),
    ))?;
    Ok(SUCCESS)
}

fn stages(stages: Stages) -> String {
    let Stages { last, ingress, egress } = stages;
    format!("{last} stages, {ingress} with tables of ingress and {egress} of egress")
}
