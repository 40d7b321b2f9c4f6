//! Tables that differ in their fields and arrays alone: one control, which is instantiated for
//! each.
//!
//! A *unit* is such a control with its array and its table. The fields are its parameters.

mod calls;

use std::collections::{BTreeMap, BTreeSet};

use self::calls::Call;

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
    /// By control, if it has several instances, what applies them.
    calls: BTreeMap<String, Call>,
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

impl Rendered {
    /// Returns whether the control replaces all tables of its kind: one that is alone is a unit as
    /// well, so that programs for one lane share its text with those for several.
    fn is_worth_it(&self, tables: &[Table]) -> bool {
        let kind = stem(&self.tables[0].0);
        self.tables.len() > 1
            || tables.iter().filter(|table| stem(&table.name) == kind).count() == 1
    }
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
        for control in controls.into_iter().filter(|control| control.is_worth_it(tables)) {
            let unit = format!("{}_unit", stem(&control.tables[0].0));
            let numbered = (2..).map(|number| format!("{unit}_{number}"));
            let mut candidates = std::iter::once(unit.clone()).chain(numbered);
            let name =
                candidates.find(|name| names.insert(name.clone())).expect("numbers have no end");
            units.take(scope, name, control);
        }
        Ok(units)
    }

    /// Takes a control in under a name.
    fn take(&mut self, scope: &Scope<'_>, name: String, control: Rendered) {
        let mut text = Text::default();
        text.append(&self.text);
        text.begin(name.clone());
        text.line(format!("control {name}({}) {{", control.params));
        text.append(&control.body);
        text.line("}");
        text.end();
        self.text = text.fragment();
        self.arrays.extend(control.arrays);
        let arguments =
            |fields: &[FieldId]| fields.iter().map(|field| scope.read(*field)).collect();
        let instances: Vec<(String, Vec<String>)> =
            control.tables.into_iter().map(|(table, fields)| (table, arguments(&fields))).collect();
        if instances.len() > 1 {
            self.calls.insert(name.clone(), Call::of(&name, &instances));
        }
        let instances = instances.into_iter();
        self.instances.extend(instances.map(|(table, all)| (table, (name.clone(), all))));
    }

    /// Returns whether an array stands in a unit.
    pub fn have(&self, array: ArrayId) -> bool {
        self.arrays.contains(&array)
    }

    /// Returns whether a table stands in a unit.
    pub fn have_table(&self, table: &Table) -> bool {
        self.instances.contains_key(&table.name)
    }

    /// Declares the unit that a table is.
    pub fn declare(&self, text: &mut Text, table: &Table) {
        if let Some((control, _)) = self.instances.get(&table.name) {
            text.line(format!("{control}() {};", table.name));
        }
    }

    /// Writes a macro for each control that has several instances.
    pub fn macros(&self, text: &mut Text) {
        for (control, call) in &self.calls {
            text.begin(format!("apply_{control}"));
            text.line(call.definition());
            text.end();
        }
    }

    /// Applies a table.
    pub fn apply(&self, text: &mut Text, table: &Table) {
        text.line(match self.instances.get(&table.name) {
            None => tables::application(table),
            Some((control, arguments)) => match self.calls.get(control) {
                None => format!("{}.apply({});", table.name, arguments.join(", ")),
                Some(call) => call.statement(&table.name, arguments),
            },
        });
    }
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
        let plain = match stem(&item.name) {
            // The lane itself, in whatever header it is.
            "value" => "lane".to_owned(),
            other => other.to_owned(),
        };
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
    let applied = tables::application(&shared);
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
    text.line(applied);
    text.line("}");
    Ok(Rendered {
        params: params.join(", "),
        body: text.fragment(),
        arrays,
        tables: vec![(table.name.clone(), fields)],
    })
}
