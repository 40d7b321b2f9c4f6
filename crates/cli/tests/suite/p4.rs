//! The programs under `p4/` are those that the emitters write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use netfold_pisa::catalog::{self, Dialect, Name, Request};
use netfold_pisa::p4::EmitError;
use netfold_pisa::programs::Arithmetic;

/// Every file is what would be written now.
#[test]
fn checked_in_programs_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    for (name, text) in catalog::files().unwrap() {
        let present = fs::read_to_string(root.join(&name)).unwrap_or_default();
        let same = present
            .lines()
            .zip(text.lines())
            .take_while(|(present, wanted)| present == wanted)
            .count();
        assert!(
            present == text,
            "p4/{name} is not what the emitter writes, from line {}; run `cargo run -p netfold-cli -- p4 emit --all --out p4` and commit the result",
            same + 1
        );
    }
}

/// Nothing else is there, as a file of a program that has another name now.
#[test]
fn nothing_else_is_checked_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    let names: Vec<String> = catalog::files().unwrap().into_iter().map(|(name, _)| name).collect();
    for folder in Dialect::ALL.map(Dialect::as_str).into_iter().chain(["lists"]) {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(names.contains(&name), "p4/{name} belongs to no program; remove it");
        }
    }
}

/// Returns a program of `files` as a compiler reads it, with its lists in their places.
fn whole(files: &[(String, String)], name: &str) -> String {
    let text = |name: &str| &files.iter().find(|(other, _)| other == name).expect(name).1;
    let mut whole = String::new();
    for line in text(name).lines() {
        match line.trim().strip_prefix("#include \"../") {
            Some(list) => text(list.trim_end_matches('"')).lines().for_each(|entry| {
                whole.push_str(&format!("            {entry}\n"));
            }),
            None => whole.push_str(&format!("{line}\n")),
        }
    }
    whole
}

#[test]
fn programs_with_their_lists_are_those_that_are_emitted_one_by_one() {
    let files = catalog::files().unwrap();
    assert!(files.iter().filter(|(name, _)| name.ends_with(".entries")).count() > 4);
    for (program, dialect, stem) in [
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::Tna, "tna/switchml_roce_64"),
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::V1Model, "v1model/switchml_roce_64"),
        (Name::SwitchMl(Arithmetic::Block), Dialect::Tna, "tna/switchml_64"),
    ] {
        let one_pipeline = dialect == Dialect::V1Model;
        let request = Request { slots: 128, one_pipeline, ..Request::new(program, 64) };
        let (text, _) = catalog::emit(&request.make(), dialect, &request.file_stem()).unwrap();
        assert_eq!(whole(&files, &format!("{stem}.p4")), text, "{stem}");
    }
}

/// Braces and parentheses match, every state and action that is named is there, and no two are
/// alike.
#[test]
fn what_is_named_is_declared() {
    for (name, text) in
        catalog::files().unwrap().into_iter().filter(|(name, _)| name.ends_with(".p4"))
    {
        for (open, close) in [('{', '}'), ('(', ')')] {
            assert_eq!(
                text.matches(open).count(),
                text.matches(close).count(),
                "{name}: {open} and {close}"
            );
        }
        for part in text.split("\ncontrol ").flat_map(|part| part.split("\nparser ")) {
            let declared = |keyword: &str| -> Vec<&str> {
                let lines = part.lines().filter_map(|line| line.trim_start().strip_prefix(keyword));
                lines.map(|rest| rest.split([' ', '(']).next().unwrap()).collect()
            };
            let (mut states, mut actions) = (declared("state "), declared("action "));
            for line in part.lines().map(str::trim) {
                if let Some(next) =
                    line.strip_prefix("transition ").filter(|next| !next.starts_with("select"))
                {
                    let next = next.trim_end_matches(';');
                    assert!(
                        ["accept", "reject"].contains(&next) || states.contains(&next),
                        "{name}: state {next}"
                    );
                }
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
    let files = catalog::files().unwrap();
    for (name, text) in
        files.iter().filter(|(name, _)| name.starts_with("tna/") && name.ends_with(".p4"))
    {
        let mut units = BTreeSet::new();
        for control in text.split("\ncontrol ").skip(1) {
            let lines: Vec<&str> = control.lines().map(str::trim).collect();
            if let Some((unit, "")) = lines[0].split_once('(') {
                units.insert(unit);
            }
            arrays_are_met_once(name, &lines);
            let declared =
                lines.iter().filter_map(|line| line.strip_suffix(';')?.split_once("() "));
            for (_, instance) in declared.filter(|(control, _)| control.contains("_unit")) {
                let applied =
                    lines.iter().filter(|line| line.starts_with(&format!("{instance}.apply(")));
                assert_eq!(applied.count(), 1, "{name}: {instance}");
            }
        }
        let used = |unit: &&str| text.matches(&format!("    {unit}() ")).count() > 1;
        assert!(units.iter().all(used), "{name}: {units:?}");
    }
}

/// The lines of a control.
fn arrays_are_met_once(name: &str, lines: &[&str]) {
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
    let files = catalog::files().unwrap();
    let mut tables_met = 0;
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".p4")) {
        let script = name.replace(".p4", ".bfrt.py");
        let script = files.iter().find(|(name, _)| *name == script).map_or("", |(_, text)| text);
        for part in text.split("\n    table ").skip(1) {
            let (table, rest) = part.split_once(" {").unwrap();
            let body = rest.split("\n    }").next().unwrap();
            let keys: Vec<&str> = body
                .split("@name(\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap())
                .collect();
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
            tables_met += 1;
        }
    }
    assert!(tables_met > 100, "{tables_met} tables");
}

/// bmv2 has one pipeline.
#[test]
fn folded_pipelines_are_not_for_bmv2() {
    let request = Request::new(Name::SwitchMl(Arithmetic::Block), 256);
    let refused = catalog::emit(&request.make(), Dialect::V1Model, "switchml_256");
    assert_eq!(refused, Err(EmitError::Pipelines { program: "switchml".into(), pipelines: 4 }));
}

fn netfold(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_netfold")).arg("p4").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The command prints what the library writes, and the report has the figures of the paper beside
/// its own.
#[test]
fn the_command_emits_and_reports() {
    let (status, program, _) = netfold(&[
        "emit",
        "--target",
        "tna",
        "--elements",
        "64",
        "--workers",
        "8",
        "--slots",
        "128",
    ]);
    let files = catalog::files().unwrap();
    assert!(status == Some(0) && program == whole(&files, "tna/switchml_64.p4"));
    let (status, report, _) = netfold(&["report", "--program", "p4sgd"]);
    assert_eq!(status, Some(0));
    assert!(report.contains("70.83 %"), "{report}");
    // A frame of 14 + 8 + 4 * 8 bytes is padded to 64, and takes 84 with preamble and gap.
    assert!(report.contains("38.10 %"), "{report}");
    // FPISA's table 3, all seven rows.
    let (status, report, _) = netfold(&["report", "--program", "fpisa-a"]);
    assert_eq!(status, Some(0));
    for row in ["1.15 %", "0.03 %", "8.33 %", "19.01 %", "0.09 %", "2.34 %", "1.06 %"] {
        assert!(report.contains(&format!("{row}, ")), "{row}: {report}");
    }
    let (status, _, said) = netfold(&["report", "--program", "fpisa", "--target", "tofino"]);
    assert!(status == Some(2) && said.contains("`tofino` shifts by a number"), "{said}");
    // Stages of ingress and egress together, each of them, and of both as a compiler places them
    // (R-PISA-41).
    for (program, arithmetic, stages, placed, scheduled) in [
        ("switchml", None, 12, (12, 2), (11, 2)),
        ("switchml", Some("block"), 12, (12, 2), (11, 2)),
        ("switchml", Some("fpisa-a"), 12, (11, 5), (11, 3)),
        ("switchml", Some("fpisa"), 11, (9, 5), (9, 4)),
        ("p4sgd", None, 5, (5, 0), (5, 0)),
        ("fpisa-a", None, 9, (7, 3), (7, 3)),
        ("fpisa", None, 8, (6, 3), (6, 3)),
    ] {
        let asked = ["report", "--program", program, "--json"].into_iter();
        let asked: Vec<&str> =
            asked.chain(arithmetic.into_iter().flat_map(|name| ["--arithmetic", name])).collect();
        let (status, report, said) = netfold(&asked);
        assert_eq!((status, said.as_str()), (Some(0), ""));
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["stages"], stages, "{program}, {arithmetic:?}");
        for (counts, (ingress, egress)) in [(&report, placed), (&report["scheduled"], scheduled)] {
            assert_eq!(counts["ingress_stages"], ingress, "{program}, {arithmetic:?}");
            assert_eq!(counts["egress_stages"], egress, "{program}, {arithmetic:?}");
        }
    }
    // What the compiler takes of the program that is checked in.
    let (_, report, _) = netfold(&["report", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let compiled = report["compiled"].as_array().unwrap();
    let targets: Vec<_> = compiled.iter().map(|one| one["target"].as_str().unwrap()).collect();
    assert_eq!(targets, ["tofino", "tofino2"]);
    assert_eq!(compiled[0]["ingress_stages"], 11);
    let (status, program, _) = netfold(&[
        "emit",
        "--arithmetic",
        "fpisa-a",
        "--elements",
        "4",
        "--workers",
        "8",
        "--slots",
        "128",
    ]);
    assert!(status == Some(0) && program == whole(&files, "v1model/switchml_fpisa_a_4.p4"));
}

/// Impossible requests are refused with what to do instead.
#[test]
fn the_command_refuses_what_cannot_be() {
    for (asked, nearest) in [
        (&["emit", "--elements", "257"][..], 256),
        (&["emit", "--elements", "0"], 1),
        (&["report", "--arithmetic", "fpisa-a", "--elements", "8"], 4),
        (&["report", "--program", "switchml-roce", "--elements", "67"], 68),
        (&["report", "--program", "switchml-roce", "--elements", "4"], 34),
    ] {
        let (status, _, said) = netfold(asked);
        let named = format!("the nearest number that can is {nearest} ");
        assert!(status == Some(2) && said.contains(&named), "{said}");
    }
    let (status, _, said) = netfold(&["report", "--program", "p4sgd", "--workers", "33"]);
    assert!(status == Some(2) && said.contains("1 to 32 workers"), "{said}");
    for asked in [&["--program", "fpisa"][..], &["--arithmetic", "fpisa"]] {
        let (status, _, said) = netfold(&[&["emit", "--target", "tna"], asked].concat());
        assert!(status == Some(2) && said.contains("shifts by constants"), "{said}");
    }
    let (status, _, said) = netfold(&["emit", "--program", "p4sgd", "--protocol", "acked"]);
    assert!(status == Some(2) && said.contains("--protocol is for switchml"), "{said}");
    let little = ["--byte-order", "little"];
    let (status, _, said) = netfold(&[&["emit", "--program", "p4sgd"][..], &little].concat());
    assert!(status == Some(2) && said.contains("--byte-order is for switchml"), "{said}");
    let (status, _, said) = netfold(&[&["report"][..], &little].concat());
    assert!(status == Some(2) && said.contains("`tofino` takes bytes in network order"), "{said}");
    let (status, _, said) = netfold(&["emit", "--program", "p4sgd", "--arithmetic", "fpisa"]);
    assert!(status == Some(2) && said.contains("--arithmetic is for switchml and"), "{said}");
    // R-PISA-61: the budget says what does not fit.
    let roce = ["report", "--program", "switchml-roce", "--arithmetic"];
    let (status, _, said) = netfold(&[&roce[..], &["fpisa-a"]].concat());
    assert!(status == Some(2) && said.contains("`tofino` has stages 0 to 11"), "{said}");
    let (status, _, said) = netfold(&[&roce[..], &["fpisa", "--elements", "8"]].concat());
    assert!(status == Some(2) && said.contains("header vector of `fpisa-ext`"), "{said}");
    let (status, _, said) = netfold(&["report", "--arithmetic", "fpisa", "--workers", "129"]);
    assert!(status == Some(2) && said.contains("1 to 128 workers"), "{said}");
    // R-PISA-6: port 68 leads back into the pipeline, and bmv2 has others behind it.
    let asked = ["emit", "--workers", "68", "--runtime"];
    let (status, _, said) = netfold(&[&asked[..], &["--target", "tna"]].concat());
    assert!(status == Some(2) && said.contains("give --workers 63 or fewer"), "{said}");
    let (status, commands, said) = netfold(&[&asked[..], &["--target", "v1model"]].concat());
    assert!(status == Some(0) && commands.contains("mc_node_create 67 69"), "{said}{commands}");
}
