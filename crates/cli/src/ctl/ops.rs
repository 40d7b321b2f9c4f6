//! The operations of users, as `netfold ctl ops` shows them.

use netfold_management::OperationReport;

use crate::terminal;

/// Returns a table of operations, with their work at the switch.
pub(super) fn table(operations: &[OperationReport]) -> String {
    if operations.is_empty() {
        return "no operations\n".into();
    }
    let mut table = terminal::table([
        "job",
        "number",
        "operation",
        "sha256",
        "element",
        "order",
        "calls",
        "bytes",
        "traps",
        "time",
        "a call",
    ]);
    for operation in operations {
        let element = match operation.message_elements {
            None => format!("{} B", operation.element_bytes),
            Some(most) => format!("{} B, messages of up to {most}", operation.element_bytes),
        };
        let time_ms = operation.time_us as f64 / 1e3;
        let call_ns = match operation.calls {
            0 => "-".into(),
            calls => format!("{:.0} ns", operation.time_us as f64 * 1e3 / calls as f64),
        };
        table.add_row([
            operation.job.clone() + if operation.ended { " (ended)" } else { "" },
            operation.number.to_string(),
            operation.name.clone(),
            operation.hash.chars().take(16).collect(),
            element,
            (if operation.any_order { "any" } else { "ranks" }).into(),
            operation.calls.to_string(),
            operation.bytes.to_string(),
            operation.traps.to_string(),
            format!("{time_ms:.1} ms"),
            call_ns,
        ]);
    }
    format!("{table}\n")
}
