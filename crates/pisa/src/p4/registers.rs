//! Register arrays and accesses to them.

use super::expr::{Scope, number};
use super::tables::action_name;
use super::units::Units;
use super::{Arch, Text};
use crate::check::mask;
use crate::program::{
    Access, Action, AluOp, ArrayId, Gress, Half, Operand, Output, Program, Relation, Table, Update,
    When, Word,
};

/// The P4 name of an array.
pub(crate) fn array_name(program: &Program, array: ArrayId) -> String {
    format!("reg_{}", program.array(array).name)
}

/// Arrays that one sequence of stages uses.
fn arrays(scope: &Scope<'_>) -> Vec<ArrayId> {
    let tables = scope.program.tables(scope.gress).iter();
    let accesses =
        tables.flat_map(|table| &table.actions).filter_map(|action| action.access.as_ref());
    let mut arrays: Vec<_> = accesses.map(|access| access.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays
}

/// Returns whether one sequence of stages uses an array.
pub(crate) fn is_used(program: &Program, gress: Gress, array: ArrayId) -> bool {
    let actions = program.tables(gress).iter().flat_map(|table| &table.actions);
    actions.filter_map(|action| action.access.as_ref()).any(|access| access.array == array)
}

/// Declares the arrays that stand in no unit.
pub(crate) fn declare(text: &mut Text, scope: &Scope<'_>, units: &Units) {
    for id in arrays(scope).into_iter().filter(|array| !units.have(*array)) {
        let array = scope.program.array(id);
        let (name, size, bits) = (array_name(scope.program, id), array.size, array.word.bits());
        let index = index_bits(scope, id);
        text.begin(name.clone());
        text.line(format!("// {}", array.doc));
        match (scope.arch, array.word) {
            (Arch::V1Model, _) => {
                text.line(format!("register<bit<{bits}>, bit<32>>({size}) {name};"))
            }
            (Arch::Tna, Word::Single(_)) => {
                let word = number_type(scope.program, id);
                text.line(format!("Register<{word}, bit<{index}>>({size}) {name};"));
            }
            (Arch::Tna, Word::Pair) => {
                text.line(format!(
                    "Register<{}, bit<{index}>>({size}) {name};",
                    pair_type(scope.program, id)
                ));
            }
        }
        text.end();
    }
}

/// Width of the field that says which word; all accesses to an array have one of the same width.
fn index_bits(scope: &Scope<'_>, array: ArrayId) -> u32 {
    let tables = scope.program.tables(scope.gress).iter();
    let mut accesses =
        tables.flat_map(|table| &table.actions).filter_map(|action| action.access.as_ref());
    let access = accesses.find(|access| access.array == array);
    access.map_or(u32::BITS, |access| scope.program.field(access.index).bits)
}

/// Types of pairs for TNA, whose two numbers are both signed or neither.
pub(crate) fn pair_types(text: &mut Text, program: &Program) {
    for (name, number) in [(PAIR, "bit"), (SIGNED_PAIR, "int")] {
        let mut pairs = (0..program.arrays.len())
            .map(ArrayId)
            .filter(|id| program.array(*id).word == Word::Pair);
        if pairs.any(|id| pair_type(program, id) == name) {
            text.begin(name);
            text.line(format!("struct {name} {{"));
            text.line(format!("{number}<32> lo;"));
            text.line(format!("{number}<32> hi;"));
            text.line("}");
            text.end();
        }
    }
}

const PAIR: &str = "pair_t";
const SIGNED_PAIR: &str = "signed_pair_t";

/// Returns whether a number of an array's words is compared or bounded as a signed one, anywhere in
/// the program.
fn is_signed(program: &Program, array: ArrayId) -> bool {
    let tables =
        [Gress::Ingress, Gress::Egress].into_iter().flat_map(|gress| program.tables(gress));
    let accesses =
        tables.flat_map(|table| &table.actions).filter_map(|action| action.access.as_ref());
    accesses.filter(|access| access.array == array).any(|access| {
        access.conditions.iter().any(|condition| condition.relation != Relation::Equal)
            || access.updates.iter().any(|update| {
                matches!(update.op, AluOp::MinSigned | AluOp::MaxSigned | AluOp::ShiftAdd { .. })
            })
    })
}

fn number_type(program: &Program, array: ArrayId) -> String {
    let sign = if is_signed(program, array) { "int" } else { "bit" };
    format!("{sign}<{}>", program.array(array).word.half_bits())
}

fn pair_type(program: &Program, array: ArrayId) -> &'static str {
    if is_signed(program, array) { SIGNED_PAIR } else { PAIR }
}

/// The outcomes of two conditions as an expression over both.
fn when(when: When, first: &str, second: &str) -> Option<String> {
    let minterm = |outcome: u8| {
        let one = |holds: bool, text: &str| {
            if holds { format!("({text})") } else { format!("!({text})") }
        };
        format!("{} && {}", one(outcome & 1 == 1, first), one(outcome & 2 == 2, second))
    };
    Some(match when.0 & 0b1111 {
        0b1111 => return None,
        0b1010 => first.into(),
        0b0101 => format!("!({first})"),
        0b1100 => second.into(),
        0b0011 => format!("!({second})"),
        0b0111 => format!("!(({first}) && ({second}))"),
        other => {
            let terms: Vec<_> =
                (0..4).filter(|outcome| other >> outcome & 1 == 1).map(minterm).collect();
            if terms.len() == 1 { terms[0].clone() } else { format!("({})", terms.join(") || (")) }
        }
    })
}

/// Returns the writes of each case, for the outcomes that have some. Both numbers of a word are
/// written at once, since a condition in P4 sees what has been written before it.
fn writes(access: &Access) -> Vec<(When, Vec<&Update>)> {
    let possible = (1 << access.conditions.len()) - 1;
    let mut cases: Vec<(When, Vec<&Update>)> = Vec::new();
    for outcome in (0..4_u8).rev() {
        let holds = |update: &&Update| update.when.0 >> (outcome & possible) & 1 == 1;
        let of = |half| access.updates.iter().filter(|update| update.half == half).find(holds);
        let updates: Vec<_> = [Half::Lo, Half::Hi].into_iter().filter_map(of).collect();
        match cases.iter_mut().find(|(_, others)| *others == updates) {
            Some((outcomes, _)) => outcomes.0 |= 1 << outcome,
            None => cases.push((When(1 << outcome), updates)),
        }
    }
    cases.retain(|(_, updates)| !updates.is_empty());
    cases
}

/// The second condition of an access without one.
const NEVER: &str = "false";

// ---- v1model: a word is read, computed and written within one action.

/// An access, inside an action.
pub(crate) fn access(text: &mut Text, scope: &Scope<'_>, action: &Action, access: &Access) {
    let array = scope.program.array(access.array);
    let (bits, half_bits) = (array.word.bits(), array.word.half_bits());
    let name = array_name(scope.program, access.array);
    let index = scope.operand(access.index.into(), action, 32);
    // Conditions on the word that was read, and the statements behind them.
    let (mut conditions, mut body) = (Vec::new(), Vec::new());
    for (condition, name) in access.conditions.iter().zip(["first_holds", "second_holds"]) {
        let with = scope.operand(condition.with, action, half_bits);
        let plus = if condition.plus == 0 {
            String::new()
        } else {
            format!(" + {half_bits}w{}", condition.plus)
        };
        let difference = format!("(int<{half_bits}>) ({} - {with}{plus})", old(condition.half));
        let relation = match condition.relation {
            Relation::Behind => "<",
            Relation::Equal => "==",
            Relation::Ahead => ">",
        };
        conditions.push((name, format!("bool {name} = {difference} {relation} 0;")));
    }
    let second = if access.conditions.len() > 1 { "second_holds" } else { NEVER };
    let halves: &[Half] =
        if array.word == Word::Pair { &[Half::Lo, Half::Hi] } else { &[Half::Lo] };
    let written: &[Half] = if access.updates.is_empty() { &[] } else { halves };
    for half in written {
        let updates: Vec<_> = access.updates.iter().filter(|update| update.half == *half).collect();
        let mut value = old(*half).to_owned();
        for update in updates.into_iter().rev() {
            let with = scope.operand(update.with, action, half_bits);
            let computed = compute(scope, update.op, old(*half), &with, half_bits, action);
            value = match when(update.when, "first_holds", second) {
                Some(condition) => format!("({condition}) ? ({computed}) : ({value})"),
                None => computed,
            };
        }
        body.push(format!("bit<{half_bits}> {} = {value};", new(*half)));
    }
    if !access.updates.is_empty() {
        let word = if array.word == Word::Pair { "new_hi ++ new_lo" } else { "new_lo" };
        body.push(format!("{name}.write({index}, {word});"));
    }
    if let Some((to, output)) = access.output {
        let to_bits = scope.program.field(to).bits;
        let value = match output {
            Output::Old(half) => old(half).to_owned(),
            Output::New(half) if access.updates.is_empty() => old(half).into(),
            Output::New(half) => new(half).into(),
            Output::Outcome => {
                let bit = |value: u32| format!("{to_bits}w{value}");
                let first = format!("first_holds ? {} : {}", bit(2), bit(1));
                if access.conditions.len() > 1 {
                    format!("second_holds ? (first_holds ? {} : {}) : ({first})", bit(8), bit(4))
                } else {
                    first
                }
            }
        };
        let narrow = output == Output::Outcome || to_bits == half_bits;
        let value = if narrow { value } else { format!("(bit<{to_bits}>) {value}") };
        body.push(format!("{} = {value};", scope.read(to)));
    }
    let used = |(name, line): (&str, String)| {
        body.iter().any(|other: &String| other.contains(name)).then_some(line)
    };
    let mut lines: Vec<String> = conditions.into_iter().filter_map(used).collect();
    lines.append(&mut body);
    let read = |half: &&Half| lines.iter().any(|line| line.contains(old(**half)));
    let needed: Vec<Half> = halves.iter().filter(read).copied().collect();
    text.line("@atomic {");
    match (array.word, &needed[..]) {
        (_, []) => {}
        (Word::Single(_), _) => {
            text.line(format!("bit<{bits}> {};", old(Half::Lo)));
            text.line(format!("{name}.read({}, {index});", old(Half::Lo)));
        }
        (Word::Pair, needed) => {
            text.line(format!("bit<{bits}> word;"));
            text.line(format!("{name}.read(word, {index});"));
            for half in needed {
                let (low, high) = if *half == Half::Lo { (0, 31) } else { (32, 63) };
                text.line(format!("bit<{half_bits}> {} = word[{high}:{low}];", old(*half)));
            }
        }
    }
    lines.iter().for_each(|line| text.line(line));
    text.line("}");
}

const fn old(half: Half) -> &'static str {
    match half {
        Half::Lo => "old_lo",
        Half::Hi => "old_hi",
    }
}

const fn new(half: Half) -> &'static str {
    match half {
        Half::Lo => "new_lo",
        Half::Hi => "new_hi",
    }
}

fn compute(
    scope: &Scope<'_>,
    op: AluOp,
    stored: &str,
    with: &str,
    bits: u32,
    action: &Action,
) -> String {
    match op {
        AluOp::Set => with.into(),
        AluOp::Add => format!("{stored} + {with}"),
        AluOp::Sub => format!("{stored} - {with}"),
        AluOp::Or => format!("{stored} | {with}"),
        AluOp::And => format!("{stored} & {with}"),
        AluOp::AndNot => format!("{stored} & ~({with})"),
        AluOp::MinSigned => {
            format!("(int<{bits}>) {stored} < (int<{bits}>) {with} ? {stored} : {with}")
        }
        AluOp::MaxSigned => {
            format!("(int<{bits}>) {stored} > (int<{bits}>) {with} ? {stored} : {with}")
        }
        AluOp::ShiftAdd { by } => {
            let by = scope.operand(by.into(), action, 8);
            format!("(bit<{bits}>) ((int<{bits}>) {stored} >> {by}) + {with}")
        }
    }
}

// ---- TNA: an access is a RegisterAction, which the table's action executes.

/// Returns the type of a RegisterAction's output.
fn output_type(scope: &Scope<'_>, access: &Access) -> String {
    match access.output {
        Some((_, Output::Old(_) | Output::New(_))) => number_type(scope.program, access.array),
        Some((to, Output::Outcome)) => format!("bit<{}>", scope.program.field(to).bits),
        None => format!("bit<{}>", scope.program.array(access.array).word.half_bits()),
    }
}

/// Declares the RegisterAction of an action.
pub(crate) fn register_action(
    text: &mut Text,
    scope: &Scope<'_>,
    table: &Table,
    action: &Action,
    access: &Access,
) {
    let array = scope.program.array(access.array);
    let word = match array.word {
        Word::Single(_) => number_type(scope.program, access.array),
        Word::Pair => pair_type(scope.program, access.array).into(),
    };
    let (index, output) = (index_bits(scope, access.array), output_type(scope, access));
    let (name, register) =
        (action_name(table, &action.name), array_name(scope.program, access.array));
    text.line(format!(
        "RegisterAction<{word}, bit<{index}>, {output}>({register}) alu_{name} = {{"
    ));
    let result = if access.output.is_some() { format!(", out {output} rv") } else { String::new() };
    text.line(format!("void apply(inout {word} value{result}) {{"));
    let part = |half: Half| match (array.word, half) {
        (Word::Single(_), _) => "value",
        (Word::Pair, Half::Lo) => "value.lo",
        (Word::Pair, Half::Hi) => "value.hi",
    };
    let bits = array.word.half_bits();
    let signed = is_signed(scope.program, access.array);
    let input = |operand: Operand| match operand {
        Operand::Const(value) if signed => crate::alu::signed(value & mask(bits), bits).to_string(),
        Operand::Const(value) => number(value),
        other if signed => format!("(int<{bits}>) {}", scope.operand(other, action, bits)),
        other => scope.operand(other, action, bits),
    };
    let condition = |at: usize| {
        access.conditions.get(at).map_or(NEVER.into(), |condition| {
            let (stored, with) = (part(condition.half), input(condition.with));
            match condition.relation {
                Relation::Equal if condition.plus > 0 => {
                    format!("{stored} - {with} == -{}", condition.plus)
                }
                Relation::Equal => format!("{stored} == {with}"),
                Relation::Behind if condition.plus > 0 => {
                    format!("{stored} - {with} < -{}", condition.plus)
                }
                Relation::Behind if condition.with == Operand::Const(0) => format!("{stored} < 0"),
                Relation::Behind => format!("{stored} - {with} < 0"),
                Relation::Ahead => format!("{stored} - {with} > 0"),
            }
        })
    };
    let (first, second) = (condition(0), condition(1));
    // The output is taken before it is overwritten, or after.
    let given = |output| match output {
        Output::Old(half) | Output::New(half) => format!("rv = {};", part(half)),
        Output::Outcome if access.conditions.len() > 1 => {
            format!("rv = this.predicate({first}, {second});")
        }
        Output::Outcome => format!("rv = this.predicate({first});"),
    };
    if let Some((_, output @ (Output::Old(_) | Output::Outcome))) = access.output {
        text.line(given(output));
    }
    let write = |text: &mut Text, update: &Update| {
        let (stored, with) = (part(update.half), input(update.with));
        let value = match update.op {
            AluOp::Set => with,
            AluOp::Add => format!("{stored} + {with}"),
            AluOp::Sub => format!("{stored} - {with}"),
            AluOp::Or => format!("{stored} | {with}"),
            AluOp::And => format!("{stored} & {with}"),
            AluOp::AndNot => format!("{stored} & ~{with}"),
            AluOp::MinSigned => format!("min({stored}, {with})"),
            AluOp::MaxSigned => format!("max({stored}, {with})"),
            AluOp::ShiftAdd { by } => {
                format!("({stored} >> {}) + {with}", scope.operand(by.into(), action, 8))
            }
        };
        text.line(format!("{stored} = {value};"));
    };
    let cases = writes(access);
    let mut left = When::ALWAYS.0;
    for (outcomes, updates) in &cases {
        let otherwise = if left == When::ALWAYS.0 { "" } else { "} else " };
        match when(*outcomes, &first, &second) {
            None => {}
            Some(_) if left == outcomes.0 => text.line("} else {"),
            Some(condition) => text.line(format!("{otherwise}if ({condition}) {{")),
        }
        left &= !outcomes.0;
        updates.iter().for_each(|update| write(text, update));
    }
    if cases.iter().any(|(outcomes, _)| *outcomes != When::ALWAYS) {
        text.line("}");
    }
    if let Some((_, output @ Output::New(_))) = access.output {
        text.line(given(output));
    }
    text.line("}");
    text.line("};");
}

/// Executes the RegisterAction, inside the action.
pub(crate) fn execute(
    text: &mut Text,
    scope: &Scope<'_>,
    table: &Table,
    action: &Action,
    access: &Access,
) {
    let index = scope.read(access.index);
    let call = format!("alu_{}.execute({index})", action_name(table, &action.name));
    match access.output {
        Some((to, _)) => {
            let (bits, given) = (scope.program.field(to).bits, output_type(scope, access));
            // Signs and widths change one at a time.
            let given_bits = scope.program.array(access.array).word.half_bits();
            let unsigned = if given.starts_with("int") {
                format!("(bit<{given_bits}>) ")
            } else {
                String::new()
            };
            let changes_width = bits != given_bits
                && access.output.is_some_and(|(_, output)| output != Output::Outcome);
            let cast = if changes_width { format!("(bit<{bits}>) {unsigned}") } else { unsigned };
            text.line(format!("{} = {cast}{call};", scope.read(to)));
        }
        None => text.line(format!("{call};")),
    }
}
