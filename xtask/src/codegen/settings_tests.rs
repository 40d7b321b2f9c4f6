use super::*;

const HEAD: &str = "[programs]\nswitch = 'a switch'\ntorch = 'a backend'\n";

fn fault(setting: &str) -> String {
    let all =
        format!("{HEAD}[[setting]]\nkey = 'cores'\ndoc = 'Threads'\nvalue = 'N'\n{setting}\n");
    Spec::parse(&all).unwrap_err()
}

#[test]
fn a_setting_that_no_emitter_could_take_is_refused_by_name() {
    let ranged = "type = 'whole'\nleast = 1\nmost = 2";
    let faults = [
        (format!("{ranged}\nread_by = ['bench']\ndefault = 1"), "no program `bench`"),
        (format!("{ranged}\nread_by = []\ndefault = 1"), "no program reads it"),
        (format!("{ranged}\nread_by = ['switch']"), "`unset`"),
        (format!("{ranged}\nread_by = ['switch']\ndefault = 1\nunset = 'x'"), "`unset`"),
        ("type = 'whole'\nread_by = ['switch']\ndefault = 1".into(), "`least` and `most`"),
        ("type = 'choice'\nread_by = ['switch']\ndefault = 'a'".into(), "the type `rust`"),
        ("type = 'bool'\nread_by = ['switch']\ndefault = false".into(), "placeholder"),
        ("type = 'loud'\nread_by = ['switch']".into(), "loud"),
    ];
    for (setting, part) in faults {
        let fault = fault(&setting);
        assert!(fault.contains(part), "{setting}: {fault}");
    }
    let twice = "[[setting]]\nkey = 'a'\ndoc = 'A'\ntype = 'text'\nvalue = 'A'\nunset = 'none'\nread_by = ['switch']\n";
    assert!(Spec::parse(&format!("{HEAD}{twice}{twice}")).unwrap_err().contains("twice"));
}

fn one_setting() -> Spec {
    let setting = "[[setting]]\nkey = 'quiet_time'\ndoc = 'Seconds of silence'\ntype = 'duration'\nvalue = 'SECONDS'\nleast = 0.5\nmost = 60\ndefault = 10\ndefault_of = { switch = '5' }\nread_by = ['switch', 'torch']\n";
    Spec::parse(&format!("{HEAD}{setting}")).unwrap()
}

#[test]
fn a_setting_goes_to_rust_python_and_the_page() {
    let spec = one_setting();
    let rust = rust::emit(&spec);
    for part in [
        "pub quiet_time: Seconds,",
        "Kind::Duration { least: 0.5, most: 60.0 }",
        "(Program::Switch, \"5\")",
        "read_by: &[Program::Switch, Program::Torch], options: &[Program::Switch]",
    ] {
        assert!(rust.contains(part), "{part}: {rust}");
    }
    let python = python::emit(&spec).unwrap();
    assert!(python.contains("    quiet_time_s: float = 10.0\n"), "{python}");
    let page = format!("before\n{}{}after\n", document::START, document::END);
    let page = document::emit(&spec, &page).unwrap();
    let row = "| `NETFOLD_QUIET_TIME` | `--quiet-time SECONDS` | 0.5 to 60 seconds | `10`; switch: `5` | switch, torch | Seconds of silence |";
    assert!(page.contains(row) && page.starts_with("before\n") && page.ends_with("after\n"));
    assert_eq!(document::emit(&spec, &page).unwrap(), page, "made anew, it stays");
    assert!(document::emit(&spec, "nothing").unwrap_err().contains("marks"));
}
