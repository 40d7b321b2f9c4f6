//! Parser states.

use netfold_num::ByteOrder;

use super::expr::{Scope, number};
use super::{Text, names};
use crate::program::{FieldId, Header, HeaderId, Home, Intrinsic, Pattern, StateId, Transition};

/// All states that can be reached from `start`, which is called `first`.
pub(crate) fn states(text: &mut Text, scope: &Scope<'_>, start: StateId, first: &str) {
    let name = |state: StateId| {
        if state == start { first.to_owned() } else { scope.program.parser[state.0].name.clone() }
    };
    for state in reachable(scope, start) {
        let current = &scope.program.parser[state.0];
        text.begin(name(state));
        text.line(format!("state {} {{", name(state)));
        for header in &current.extracts {
            text.line(format!("packet.extract(hdr.{});", scope.program.header(*header).name));
            turn(text, scope, *header);
        }
        for (field, value) in &current.sets {
            text.line(format!("{} = {};", scope.read(*field), number(*value)));
        }
        match &current.next {
            Transition::Accept => text.line("transition accept;"),
            Transition::Reject => text.line(format!("transition {};", names::REJECT)),
            Transition::To(next) => text.line(format!("transition {};", name(*next))),
            Transition::Select { on, cases, otherwise } => {
                let fields: Vec<_> = on.iter().map(|field| scope.read(*field)).collect();
                text.line(format!("transition select({}) {{", fields.join(", ")));
                for (patterns, next) in cases {
                    let patterns: Vec<_> = patterns
                        .iter()
                        .zip(on)
                        .map(|(pattern, field)| case(scope, *pattern, *field))
                        .collect();
                    let joined = if patterns.len() == 1 {
                        patterns[0].clone()
                    } else {
                        format!("({})", patterns.join(", "))
                    };
                    text.line(format!("{joined}: {};", name(*next)));
                }
                text.line(format!(
                    "default: {};",
                    otherwise.map_or_else(|| names::REJECT.into(), name)
                ));
                text.line("}");
            }
        }
        text.line("}");
        text.end();
    }
}

/// Turns the fields of a little-endian header around (R-PISA-39): behind their extraction, or
/// before they leave.
pub(crate) fn turn(text: &mut Text, scope: &Scope<'_>, header: HeaderId) {
    let Header { fields, byte_order, .. } = scope.program.header(header);
    if *byte_order == ByteOrder::Network {
        return;
    }
    for field in fields {
        let (name, bits) = (scope.read(*field), scope.program.field(*field).bits);
        let bytes = (0..bits).step_by(8).map(|low| format!("{name}[{}:{low}]", low + 7));
        text.line(format!("{name} = {};", bytes.collect::<Vec<_>>().join(" ++ ")));
    }
}

/// Writes the state that stands for `reject` in bmv2: ingress drops packets that have been there.
pub(crate) fn refused(text: &mut Text) {
    text.begin("refused");
    text.line("state refused {");
    text.line("meta.refused = 1;");
    text.line("transition accept;");
    text.line("}");
    text.end();
}

/// A pattern of a select expression.
fn case(scope: &Scope<'_>, pattern: Pattern, field: FieldId) -> String {
    if scope.program.field(field).home == Home::Intrinsic(Intrinsic::Around) {
        return names::RECIRCULATED.into();
    }
    match pattern {
        Pattern::Any => "_".into(),
        Pattern::Is(value) => number(value),
        Pattern::Masked(value, mask) => format!("{} &&& {}", number(value), number(mask)),
        Pattern::Range(low, high) => format!("{}..{}", number(low), number(high)),
        Pattern::Prefix(value, length) => {
            let bits = scope.program.field(field).bits;
            format!(
                "{} &&& {}",
                number(value),
                number(crate::check::mask(bits) & !crate::check::mask(bits - length))
            )
        }
    }
}

fn reachable(scope: &Scope<'_>, start: StateId) -> Vec<StateId> {
    let (mut found, mut at) = (vec![start], 0);
    while let Some(state) = found.get(at).copied() {
        at += 1;
        let next: Vec<StateId> = match &scope.program.parser[state.0].next {
            Transition::Accept | Transition::Reject => Vec::new(),
            Transition::To(next) => vec![*next],
            Transition::Select { cases, otherwise, .. } => {
                cases.iter().map(|(_, next)| *next).chain(*otherwise).collect()
            }
        };
        for state in next {
            if !found.contains(&state) {
                found.push(state);
            }
        }
    }
    found
}
