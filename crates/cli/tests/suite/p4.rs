//! The commands about the switch as hardware: the programs under `p4/` are those that they write.

use std::fs;
use std::path::Path;
use std::process::Command;

use netfold_pisa::catalog::{self, Dialect, Name, Request};
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;

/// Returns a program of 8 workers and 128 slots as the library writes it.
fn emitted(name: Name, elements: u16, dialect: Dialect) -> String {
    let one_pipeline = dialect == Dialect::V1Model;
    let request = Request { slots: 128, one_pipeline, ..Request::new(name, elements) };
    catalog::emit(&request.make(), dialect, &request.file_stem()).unwrap().0
}

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
    for folder in Dialect::ALL.map(Dialect::as_str).into_iter().chain(["lists", "include"]) {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(names.contains(&name), "p4/{name} belongs to no program; remove it");
        }
    }
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
    let wanted = emitted(Name::SwitchMl(Arithmetic::Block), 64, Dialect::Tna);
    assert!(status == Some(0) && program == wanted);
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
    let floats = Arithmetic::Fpisa(Variant::Approximate);
    let wanted = emitted(Name::SwitchMl(floats), 4, Dialect::V1Model);
    assert!(status == Some(0) && program == wanted);
}

/// Every program has a report, also those whose registers do not grow with the slots.
#[test]
fn every_program_is_reported() {
    for name in Name::ALL {
        let (status, report, said) = netfold(&["report", "--program", name.as_str()]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{}", name.as_str());
        assert!(report.contains("slots in 1 MiB"), "{report}");
    }
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
    for (program, arithmetic) in [("p4sgd", "fpisa"), ("switchml", "logtable"), ("libra", "fpisa")]
    {
        let (status, _, said) =
            netfold(&["emit", "--program", program, "--arithmetic", arithmetic]);
        assert!(status == Some(2) && said.contains("logtable for libra, libra-cpu and"), "{said}");
    }
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
