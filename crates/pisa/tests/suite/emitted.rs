//! The text of the programs under `p4/`.

use std::collections::{BTreeMap, BTreeSet};

use netfold_num::Protocol;
use netfold_pisa::catalog::{self, Dialect, Name, Request};
use netfold_pisa::p4::EmitError;
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;

type Files = BTreeMap<String, String>;

fn files() -> Files {
    catalog::files().unwrap().into_iter().collect()
}

/// The name of the file that a line includes.
fn included(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#include \"../")?.strip_suffix('"')
}

/// Returns a program of `files` as a compiler reads it, with what it includes in its place.
fn whole(files: &Files, name: &str) -> String {
    let mut whole = String::new();
    for line in files[name].lines() {
        let Some(file) = included(line) else {
            whole.push_str(&format!("{line}\n"));
            continue;
        };
        let indent = &line[..line.find('#').unwrap()];
        for line in self::whole(files, file).lines() {
            let indent = if line.is_empty() { "" } else { indent };
            whole.push_str(&format!("{indent}{line}\n"));
        }
    }
    whole
}

#[test]
fn programs_with_what_they_include_are_those_that_are_emitted_one_by_one() {
    let files = files();
    let full = Arithmetic::Fpisa(Variant::Full);
    for (program, dialect, elements) in [
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::Tna, 64),
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::V1Model, 64),
        (Name::SwitchMlRoce(full), Dialect::V1Model, 4),
        (Name::SwitchMl(Arithmetic::Block), Dialect::Tna, 256),
        (Name::SwitchMl(full), Dialect::V1Model, 8),
        (Name::P4Sgd, Dialect::Tna, 8),
        (Name::FpisaA, Dialect::V1Model, 1),
    ] {
        let one_pipeline = dialect == Dialect::V1Model;
        let request = Request { slots: 128, one_pipeline, ..Request::new(program, elements) };
        let stem = request.file_stem();
        let (text, _) = catalog::emit(&request.make(), dialect, &stem).unwrap();
        assert_eq!(whole(&files, &format!("{}/{stem}.p4", dialect.as_str())), text, "{stem}");
    }
}

/// Two programs or more include each file of shared text, and each list is included somewhere.
#[test]
fn what_is_shared_has_users() {
    let files = files();
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.values().flat_map(|text| text.lines()).filter_map(included) {
        *users.entry(file).or_default() += 1;
    }
    for name in files.keys() {
        let least = match name.split_once('/').unwrap().0 {
            "include" => 2,
            "lists" => 1,
            _ => continue,
        };
        assert!(users.get(name.as_str()).is_some_and(|users| *users >= least), "{name}");
    }
}

/// "A program is a page to read": entries of tables apart, no line is longer than one.
#[test]
fn lines_have_100_columns_at_most() {
    for (name, text) in files().into_iter().filter(|(name, _)| name.ends_with(".p4")) {
        for line in text.lines().filter(|line| !line.trim_start().starts_with('(')) {
            assert!(line.len() <= 100, "{name}: {line}");
        }
    }
}

/// The programs, each with its statements: a line that opens a block, closes one, or does neither.
fn programs() -> Vec<(String, Vec<String>)> {
    let files = files();
    let programs = files.keys().filter(|name| {
        name.ends_with(".p4") && (name.starts_with("tna/") || name.starts_with("v1model/"))
    });
    programs.map(|name| (name.clone(), statements(&whole(&files, name)))).collect()
}

fn statements(text: &str) -> Vec<String> {
    let mut directive = false;
    let mut code = String::new();
    for line in text.lines().map(str::trim) {
        let skipped = directive || line.starts_with('#');
        directive = skipped && line.ends_with('\\');
        if !skipped && !line.starts_with("//") && !line.starts_with("@pa_") {
            code.push_str(line);
            code.push(' ');
        }
    }
    let (mut statements, mut statement, mut depth) = (Vec::new(), String::new(), 0);
    for letter in code.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if letter == '}' && depth == 0 && !statement.trim().is_empty() {
            statements.push(std::mem::take(&mut statement).trim().to_owned());
        }
        statement.push(letter);
        if depth == 0 && ['{', '}', ';'].contains(&letter) {
            statements.push(std::mem::take(&mut statement).trim().to_owned());
        }
    }
    statements
}

/// The controls and parsers of a program.
fn controls(statements: &[String]) -> impl Iterator<Item = &[String]> {
    let begins = |one: &String| one.starts_with("control ") || one.starts_with("parser ");
    let starts: Vec<usize> = (0..statements.len())
        .filter(|at| begins(&statements[*at]))
        .chain([statements.len()])
        .collect();
    let pairs: Vec<_> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
    pairs.into_iter().map(|range| &statements[range])
}

/// Braces and parentheses match, in every file; every state and action that is named is there, and
/// no two are alike.
#[test]
fn what_is_named_is_declared() {
    for (name, text) in files().iter().filter(|(name, _)| name.ends_with(".p4")) {
        for (open, close) in [('{', '}'), ('(', ')')] {
            let count = |letter| text.matches(letter).count();
            assert_eq!(count(open), count(close), "{name}: {open} and {close}");
        }
    }
    for (name, statements) in programs() {
        for part in controls(&statements) {
            let declared = |keyword: &str| -> Vec<&str> {
                let found = part.iter().filter_map(|line| line.strip_prefix(keyword));
                found.map(|rest| rest.split([' ', '(']).next().unwrap()).collect()
            };
            let (mut states, mut actions) = (declared("state "), declared("action "));
            let next = |line: &str| -> Option<String> {
                let next = line.strip_prefix("transition ");
                let next = next.or_else(|| Some(line.split_once(": ")?.1))?;
                next.strip_suffix(';').map(str::to_owned)
            };
            for line in part.iter().filter(|_| part[0].starts_with("parser ")) {
                if let Some(next) = next(line) {
                    let known = ["accept", "REJECT"].contains(&next.as_str());
                    assert!(known || states.contains(&next.as_str()), "{name}: state {next}");
                }
            }
            for line in part.iter().filter(|_| part[0].starts_with("control ")) {
                if let Some((_, call)) = line.split_once(" : ").filter(|(_, call)| {
                    call.ends_with(");") && !call.contains('@') && !line.contains(" = ")
                }) {
                    let action = call.split('(').next().unwrap();
                    assert!(actions.contains(&action), "{name}: action {action}");
                }
            }
            for names in [&mut states, &mut actions] {
                let all = names.len();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), all, "{name}: a name twice");
            }
        }
    }
}

/// R-PISA-2, R-PISA-40: in TNA an array is reached from one table, which is applied once, and an
/// action of it reaches it once. A compiler may make two of an array that is not. A unit has an
/// array and a table of its own wherever it is instantiated, and is applied once there.
#[test]
fn no_array_is_met_twice() {
    for (name, statements) in programs().iter().filter(|(name, _)| name.starts_with("tna/")) {
        let mut units = BTreeSet::new();
        for control in controls(statements).filter(|part| part[0].starts_with("control ")) {
            let head = control[0].strip_prefix("control ").unwrap();
            units.extend(head.split_once('(').map(|(unit, _)| unit).filter(|unit| is_unit(unit)));
            arrays_are_met_once(name, control);
            let declared =
                control.iter().filter_map(|line| line.strip_suffix(';')?.split_once("() "));
            for (unit, instance) in declared.filter(|(unit, _)| is_unit(unit)) {
                // By a macro with its number, if it is one of several.
                let call = unit.replace("_unit", "").to_uppercase();
                let number = instance.trim_start_matches(|letter: char| !letter.is_ascii_digit());
                let calls = [
                    format!("{call}({number});"),
                    format!("{call}({number}, "),
                    format!("{instance}.apply("),
                ];
                let is_call = |line: &&String| calls.iter().any(|call| line.starts_with(call));
                assert_eq!(control.iter().filter(is_call).count(), 1, "{name}: {instance}");
            }
        }
        let instances = |unit: &&str| {
            let instance = format!("{unit}() ");
            statements.iter().any(|line| line.starts_with(&instance))
        };
        assert!(units.iter().all(instances), "{name}: {units:?}");
    }
}

fn is_unit(control: &str) -> bool {
    control.contains("_unit")
}

/// The statements of a control.
fn arrays_are_met_once(name: &str, lines: &[String]) {
    let between = |line: &str, before: &str, after: &str| -> Option<String> {
        let (_, rest) = line.split_once(before)?;
        rest.split_once(after).map(|(found, _)| found.to_owned())
    };
    // The array of each access, the arrays that each action accesses, and the table of each action.
    let (mut array_of, mut done, mut tables) = (BTreeMap::new(), Vec::new(), Vec::new());
    let (mut action, mut table) = (String::new(), String::new());
    for line in lines {
        if let Some(array) =
            line.strip_prefix("RegisterAction<").and_then(|rest| between(rest, ">(", ")"))
        {
            array_of.insert(between(line, ") ", " =").unwrap(), array);
        } else if let Some(found) = between(line, "action ", "(") {
            action = found;
        } else if let Some(found) = between(line, "table ", " {") {
            table = found;
        } else if let Some((access, _)) = line.split_once(".execute(") {
            let access = access.rsplit(' ').next().unwrap();
            done.push((action.clone(), array_of[access].clone()));
        } else if let Some(found) =
            line.strip_suffix(';').filter(|found| found.starts_with(&format!("{table}_")))
        {
            tables.push((found.to_owned(), table.clone()));
        }
    }
    let arrays: BTreeSet<_> = array_of.values().collect();
    for array in &arrays {
        let actions: Vec<_> =
            done.iter().filter(|(_, met)| met == *array).map(|(action, _)| action).collect();
        let distinct = actions.iter().collect::<BTreeSet<_>>().len();
        assert_eq!(distinct, actions.len(), "{name}: {array} twice in an action");
        let of = |action: &&String| {
            tables.iter().find(|(listed, _)| listed == *action).map(|(_, table)| table)
        };
        let met: BTreeSet<_> = actions.iter().map(|action| of(action).unwrap()).collect();
        assert_eq!(met.len(), 1, "{name}: {array} from {met:?}");
        let apply = format!("{}.apply();", met.first().unwrap());
        assert_eq!(lines.iter().filter(|line| **line == apply).count(), 1, "{name}: {apply}");
    }
    let declared = lines.iter().filter(|line| line.starts_with("Register<")).count();
    assert_eq!(arrays.len(), declared, "{name}");
}

/// R-PISA-40: the keys of a table have names of their own, by which Tofino's control plane tells
/// them apart, and scripts for its shell use these.
#[test]
fn no_table_has_two_keys_of_one_name() {
    let files = files();
    let mut tables_met = 0;
    for (name, statements) in programs() {
        let script = name.replace(".p4", ".bfrt.py");
        let script = files.get(&script).map_or("", String::as_str);
        let starts = statements.iter().enumerate().filter(|(_, line)| line.starts_with("table "));
        for (at, line) in starts {
            let table = line["table ".len()..].trim_end_matches(" {");
            let rest = &statements[at + 1..];
            let keys: Vec<&str> = match rest[0].as_str() {
                "key = {" => rest[1..]
                    .iter()
                    .take_while(|line| *line != "}")
                    .map(|key| key_name(key))
                    .collect(),
                _ => Vec::new(),
            };
            let distinct: BTreeSet<_> = keys.iter().collect();
            assert_eq!(distinct.len(), keys.len(), "{name}: table {table} has the keys {keys:?}");
            for line in script.lines().filter(|line| line.contains(&format!(".{table}.add_with"))) {
                let arguments = line.split_once('(').unwrap().1.trim_end_matches(')').split(", ");
                let named =
                    arguments.filter_map(|argument| argument.split_once('=')).map(|(name, _)| name);
                let named: BTreeSet<_> = named.collect();
                let known = |key: &str| named.iter().any(|name| name.strip_prefix(key).is_some());
                assert!(keys.iter().all(|key| known(key)), "{script}: {line}, and not {keys:?}");
            }
            tables_met += usize::from(!keys.is_empty());
        }
    }
    assert!(tables_met > 300, "{tables_met} tables");
}

/// The name of a key: what it says, or the field.
fn key_name(key: &str) -> &str {
    match key.split_once("@name(\"") {
        Some((_, name)) => name.split('"').next().unwrap(),
        None => key.split(" : ").next().unwrap(),
    }
}

/// bmv2 has one pipeline.
#[test]
fn folded_pipelines_are_not_for_bmv2() {
    let request = Request::new(Name::SwitchMl(Arithmetic::Block), 256);
    let refused = catalog::emit(&request.make(), Dialect::V1Model, "switchml_256");
    assert_eq!(refused, Err(EmitError::Pipelines { program: "switchml".into(), pipelines: 4 }));
}

/// The protocol is in a program's name where there are several.
#[test]
fn programs_of_both_protocols_are_there() {
    for protocol in Protocol::ALL {
        let request =
            Request { protocol, slots: 128, ..Request::new(Name::SwitchMl(Arithmetic::Block), 64) };
        assert!(files().contains_key(&format!("tna/{}.p4", request.file_stem())));
    }
}
