//! Tables that differ in their fields and arrays alone: one control, which is instantiated for
//! each.
//!
//! A *unit* is such a control with its array and its table. The fields are its parameters.

use std::collections::{BTreeMap, BTreeSet};

use super::expr::{Scope, safe};
use super::text::Fragment;
use super::{EGRESS, EmitError, INGRESS, Text, registers, tables, tna};
use crate::check::{reads, writes};
use crate::program::{ArrayId, FieldId, Gress, Home, Program, Table};

/// Names that accesses and hash units use inside an action.
const LOCAL: [&str; 9] =
    ["value", "word", "rv", "old_lo", "old_hi", "new_lo", "new_hi", "first_holds", "second_holds"];

/// The units of one sequence of stages.
#[derive(Debug, Default)]
pub(crate) struct Units {
    /// The controls.
    pub text: Fragment,
    /// By table, its control and the arguments of its call.
    instances: BTreeMap<String, (String, Vec<String>)>,
    /// The controls, and which of their arguments differ between their instances.
    differing: BTreeMap<String, Vec<bool>>,
    arrays: BTreeSet<ArrayId>,
}

/// A control without a name.
struct Rendered {
    params: String,
    body: Fragment,
    arrays: BTreeSet<ArrayId>,
    /// The tables that it stands for, each with the fields that are its arguments.
    tables: Vec<(String, Vec<FieldId>)>,
}

impl Units {
    /// Finds the tables that share a control with another one.
    pub fn of(scope: &Scope<'_>) -> Result<Self, EmitError> {
        let tables = scope.program.tables(scope.gress);
        let bare = Program { ingress: Vec::new(), egress: Vec::new(), ..scope.program.clone() };
        let mut controls: Vec<Rendered> = Vec::new();
        let mut units = Self::default();
        for table in tables.iter().filter(|table| can_be_shared(scope.program, table)) {
            let rendered = render(scope, &bare, table)?;
            match controls
                .iter_mut()
                .find(|other| (&other.params, &other.body) == (&rendered.params, &rendered.body))
            {
                Some(other) => {
                    other.tables.extend(rendered.tables);
                    other.arrays.extend(rendered.arrays);
                }
                None => controls.push(rendered),
            }
        }
        let mut names = BTreeSet::new();
        for control in controls.into_iter().filter(|control| control.tables.len() > 1) {
            let stem = format!("{}_unit", stem(&control.tables[0].0));
            let numbered = (2..).map(|number| format!("{stem}_{number}"));
            let mut candidates = std::iter::once(stem.clone()).chain(numbered);
            let name =
                candidates.find(|name| names.insert(name.clone())).expect("numbers have no end");
            let mut text = Text::default();
            text.append(&units.text);
            text.begin(name.clone());
            text.line(format!("control {name}({}) {{", control.params));
            text.append(&control.body);
            text.line("}");
            text.end();
            units.text = text.fragment();
            units.arrays.extend(control.arrays);
            let first = &control.tables[0].1;
            let differs = |at: usize| {
                let mut fields = control.tables.iter().map(|(_, fields)| fields[at]);
                fields.any(|field| field != first[at])
            };
            units.differing.insert(name.clone(), (0..first.len()).map(differs).collect());
            for (table, fields) in control.tables {
                let arguments = fields.iter().map(|field| scope.read(*field)).collect();
                units.instances.insert(table, (name.clone(), arguments));
            }
        }
        Ok(units)
    }

    /// Returns whether an array stands in a unit.
    pub fn have(&self, array: ArrayId) -> bool {
        self.arrays.contains(&array)
    }

    /// The control of a table that has one.
    pub fn control(&self, table: &Table) -> Option<&str> {
        self.instances.get(&table.name).map(|(control, _)| control.as_str())
    }

    /// Writes, for each control, what its instances are applied with: the arguments that they
    /// share stand in a macro.
    pub fn macros(&self, text: &mut Text) {
        for (control, differing) in &self.differing {
            let arguments = self.instances.values().find(|(other, _)| other == control);
            let (_, arguments) = arguments.expect("a control has instances");
            let named: Vec<String> = (arguments.iter().zip(differing).enumerate())
                .map(|(at, (same, differs))| if *differs { letter(at) } else { same.clone() })
                .collect();
            let letters = (0..differing.len()).filter(|at| differing[*at]).map(letter);
            let parameters: Vec<String> = std::iter::once("UNIT".into()).chain(letters).collect();
            text.begin(format!("apply_{control}"));
            text.line(format!(
                "#define {}({}) UNIT.apply({})",
                macro_name(control),
                parameters.join(", "),
                named.join(", ")
            ));
            text.end();
        }
    }

    /// Applies a table.
    pub fn apply(&self, text: &mut Text, table: &Table) {
        let Some((control, arguments)) = self.instances.get(&table.name) else {
            return text.line(format!("{}.apply();", table.name));
        };
        let own = arguments.iter().zip(&self.differing[control]);
        let own = own.filter(|(_, differs)| **differs).map(|(argument, _)| argument.as_str());
        let own: Vec<&str> = std::iter::once(table.name.as_str()).chain(own).collect();
        text.line(format!("{}({});", macro_name(control), own.join(", ")));
    }
}

/// The macro that applies instances of a control.
fn macro_name(control: &str) -> String {
    control.replace("_unit", "").to_uppercase()
}

/// A name for an argument: no field has one in capitals.
fn letter(at: usize) -> String {
    format!("F{at}")
}

/// Returns the control that an array is in, and its name there.
pub(crate) fn array_path(program: &Program, array: ArrayId) -> (String, String) {
    let ingress = registers::is_used(program, Gress::Ingress, array);
    let (gress, control) =
        if ingress { (Gress::Ingress, INGRESS) } else { (Gress::Egress, EGRESS) };
    let name = registers::array_name(program, array);
    if stem(&name) == name {
        return (control.into(), name);
    }
    let scope = Scope { program, arch: super::Arch::V1Model, gress, in_unit: false };
    let uses = |table: &&Table| arrays_of(table).any(|other| other == array);
    let table = program.tables(gress).iter().find(uses);
    match (table, Units::of(&scope)) {
        (Some(table), Ok(units)) if units.have(array) => {
            (format!("{control}.{}", table.name), stem(&name).into())
        }
        _ => (control.into(), name),
    }
}

/// The name without the number at its end.
fn stem(name: &str) -> &str {
    name.trim_end_matches(|digit: char| digit.is_ascii_digit())
}

fn arrays_of(table: &Table) -> impl Iterator<Item = ArrayId> {
    table.actions.iter().filter_map(|action| action.access.as_ref()).map(|access| access.array)
}

/// Returns whether a table can stand in a control of its own: one of several of its kind, which the
/// control plane leaves alone, and which needs nothing of the switch itself.
fn can_be_shared(program: &Program, table: &Table) -> bool {
    let plain =
        |field: &FieldId| matches!(program.field(*field).home, Home::Header(_) | Home::Metadata);
    let numbered = |array: ArrayId| stem(&program.array(array).name) != program.array(array).name;
    let used = || fields(table).into_iter();
    stem(&table.name) != table.name
        && table.capacity == 0
        && used().all(|field| plain(&field))
        && arrays_of(table).all(numbered)
}

/// The fields that a table reads and writes, but for its gates, each once.
fn fields(table: &Table) -> Vec<FieldId> {
    let bare = Table { gates: Vec::new(), ..table.clone() };
    let mut fields = Vec::new();
    for field in reads(&bare).into_iter().chain(writes(&bare)) {
        if !fields.contains(&field) {
            fields.push(field);
        }
    }
    fields
}

fn render(scope: &Scope<'_>, bare: &Program, table: &Table) -> Result<Rendered, EmitError> {
    let fields = fields(table);
    let written = writes(table);
    let mut program = bare.clone();
    let mut taken: BTreeSet<String> = LOCAL.iter().map(ToString::to_string).collect();
    taken.extend(
        table.actions.iter().flat_map(|action| action.params.iter().map(|(name, _)| name.clone())),
    );
    let mut params = Vec::new();
    for field in &fields {
        let item = &mut program.fields[field.0];
        let plain = stem(&item.name).to_owned();
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let mut candidates = std::iter::once(plain.clone()).chain(numbered);
        item.name =
            candidates.find(|name| taken.insert(name.clone())).expect("numbers have no end");
        let direction = if written.contains(field) { "inout" } else { "in" };
        params.push(format!("{direction} bit<{}> {}", item.bits, safe(&item.name)));
    }
    let arrays: BTreeSet<_> = arrays_of(table).collect();
    for array in &arrays {
        let item = &mut program.arrays[array.0];
        item.name = stem(&item.name).into();
    }
    let shared =
        Table { name: stem(&table.name).into(), gates: Vec::new(), stage: 0, ..table.clone() };
    let name = shared.name.clone();
    match scope.gress {
        Gress::Ingress => program.ingress.push(shared),
        Gress::Egress => program.egress.push(shared),
    }
    let scope = Scope { program: &program, in_unit: true, ..*scope };
    let mut text = Text::default();
    if !arrays.is_empty() {
        registers::declare(&mut text, &scope, &Units::default());
    }
    if scope.arch == super::Arch::Tna {
        tna::hash_units(&mut text, &scope, &Units::default());
    }
    tables::tables(&mut text, &scope, &Units::default())?;
    text.line("apply {");
    text.line(format!("{name}.apply();"));
    text.line("}");
    Ok(Rendered {
        params: params.join(", "),
        body: text.fragment(),
        arrays,
        tables: vec![(table.name.clone(), fields)],
    })
}
