//! The programs under `p4/` are those that the emitters write.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use netfold_pisa::catalog::{self, Dialect, Name, Request};
use netfold_pisa::p4::EmitError;

/// Every file is what would be written now.
#[test]
fn checked_in_programs_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    for (name, text) in catalog::files().unwrap() {
        let present = fs::read_to_string(root.join(&name)).unwrap_or_default();
        let same = present.lines().zip(text.lines()).take_while(|(present, wanted)| present == wanted).count();
        assert!(
            present == text,
            "p4/{name} is not what the emitter writes, from line {}; run `cargo run -p netfold -- p4 emit --all --out p4` and commit the result",
            same + 1
        );
    }
}

/// Nothing else is there, as a file of a program that has another name now.
#[test]
fn nothing_else_is_checked_in() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4");
    let names: Vec<String> = catalog::files().unwrap().into_iter().map(|(name, _)| name).collect();
    for dialect in Dialect::ALL {
        for entry in fs::read_dir(root.join(dialect.as_str())).unwrap() {
            let name = format!("{}/{}", dialect.as_str(), entry.unwrap().file_name().to_string_lossy());
            assert!(names.contains(&name), "p4/{name} belongs to no program; remove it");
        }
    }
}

/// Braces and parentheses match, every state and action that is named is there, and no two are alike.
#[test]
fn what_is_named_is_declared() {
    for (name, text) in catalog::files().unwrap().into_iter().filter(|(name, _)| name.ends_with(".p4")) {
        for (open, close) in [('{', '}'), ('(', ')')] {
            assert_eq!(text.matches(open).count(), text.matches(close).count(), "{name}: {open} and {close}");
        }
        for part in text.split("\ncontrol ").flat_map(|part| part.split("\nparser ")) {
            let declared = |keyword: &str| -> Vec<&str> {
                let lines = part.lines().filter_map(|line| line.trim_start().strip_prefix(keyword));
                lines.map(|rest| rest.split([' ', '(']).next().unwrap()).collect()
            };
            let (mut states, mut actions) = (declared("state "), declared("action "));
            for line in part.lines().map(str::trim) {
                if let Some(next) = line.strip_prefix("transition ").filter(|next| !next.starts_with("select")) {
                    let next = next.trim_end_matches(';');
                    assert!(["accept", "reject"].contains(&next) || states.contains(&next), "{name}: state {next}");
                }
                if let Some((_, call)) = line
                    .split_once(" : ")
                    .filter(|(_, call)| call.ends_with(");") && !call.contains('@') && !line.contains(" = "))
                {
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

/// bmv2 has one pipeline.
#[test]
fn folded_pipelines_are_not_for_bmv2() {
    let request = Request { name: Name::SwitchMl, elements: 256, workers: 8, slots: 128, one_pipeline: false };
    let refused = catalog::emit(&request.make(), Dialect::V1Model, "switchml_256");
    assert_eq!(refused, Err(EmitError::Pipelines { program: "switchml".into(), pipelines: 4 }));
}

/// Compiles every program that is checked in for a dialect. Where the compiler is not on the path, says so by its name, and compiles none.
fn compile_all(dialect: Dialect, compiler: &str, arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4").join(dialect.as_str());
    for entry in fs::read_dir(root).unwrap() {
        let source = entry.unwrap().path();
        if source.extension().is_none_or(|extension| extension != "p4") {
            continue;
        }
        let out = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{compiler}-{}", source.file_stem().unwrap().display()));
        match Command::new(compiler).args(arguments).arg("-o").arg(out).arg(&source).output() {
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{compiler} {}: {said}", source.display());
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                eprintln!("skipped: {compiler} is not on the path");
                return;
            }
            Err(error) => panic!("{compiler}: {error}"),
        }
    }
}

#[test]
fn bmv2_programs_compile() {
    compile_all(Dialect::V1Model, "p4c-bm2-ss", &["--std", "p4-16"]);
}

#[test]
fn tofino_programs_compile() {
    compile_all(Dialect::Tna, "bf-p4c", &["--target", "tofino", "--arch", "tna"]);
}

#[test]
fn tofino_2_programs_compile() {
    compile_all(Dialect::Tna, "bf-p4c", &["--target", "tofino2", "--arch", "t2na"]);
}

fn netfold(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_netfold")).arg("p4").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The command prints what the library writes, and the report has the figures of the paper beside its own.
#[test]
fn the_command_emits_and_reports() {
    let (status, program, _) =
        netfold(&["emit", "--target", "tna", "--elements", "64", "--workers", "8", "--slots", "128"]);
    let files = catalog::files().unwrap();
    let (_, wanted) = files.iter().find(|(name, _)| name == "tna/switchml_64.p4").unwrap();
    assert!(status == Some(0) && program == *wanted);
    let (status, report, _) = netfold(&["report", "--program", "p4sgd"]);
    assert_eq!(status, Some(0));
    assert!(report.contains("70.83 %"), "{report}");
    for name in ["switchml", "fpisa-a", "fpisa"] {
        let (status, report, said) = netfold(&["report", "--program", name, "--json"]);
        assert_eq!((status, said.as_str()), (Some(0), ""));
        assert!(serde_json::from_str::<serde_json::Value>(&report).unwrap()["stages"].is_number(), "{name}");
    }
}

/// What cannot be is refused with what to do instead.
#[test]
fn the_command_refuses_what_cannot_be() {
    let (status, _, said) = netfold(&["emit", "--elements", "48"]);
    assert!(status == Some(2) && said.contains("power of two from 2 to 256"), "{said}");
    let (status, _, said) = netfold(&["report", "--program", "p4sgd", "--workers", "33"]);
    assert!(status == Some(2) && said.contains("1 to 32 workers"), "{said}");
    let (status, _, said) = netfold(&["emit", "--program", "fpisa", "--target", "tna"]);
    assert!(status == Some(2) && said.contains("shifts by constants"), "{said}");
}
