//! `netfold lab` starts the laboratory of the Python package that the user means. Interpreters are
//! played by shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ended, netfold};

/// Returns an empty folder under a name of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// An interpreter that says who it is and how it was called, and ends with status 7. Asked whether
/// it has the package, it agrees or not.
fn interpreter(path: &Path, who: &str, has_package: bool) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let probe = if has_package { "exit 0" } else { "echo Traceback >&2; exit 1" };
    let script =
        format!("#!/bin/sh\nif [ \"$1\" = -c ]; then {probe}; fi\necho {who}: \"$*\"\nexit 7\n");
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The command without any Python but those that the test adds.
fn lab(path: &Path, arguments: &[&str]) -> Command {
    let mut command = netfold(&["lab"]);
    // The shell that plays interpreters needs no path.
    command.args(arguments).env_remove("VIRTUAL_ENV").env("PATH", path);
    command
}

#[test]
fn arguments_and_exit_status_pass_through() {
    let path = folder("lab-through");
    interpreter(&path.join("python3"), "path", true);
    for arguments in [
        &["ratios", "--out", "some folder", "--quick"] as &[&str],
        &["--help"],
        &["-h"],
        &["--version"],
        &[],
    ] {
        let ended = ended(&mut lab(&path, arguments));
        assert_eq!(ended.status, Some(7), "{}", ended.stderr);
        let expected = [&["path: -m netfold.lab"], arguments].concat().join(" ");
        assert_eq!(ended.stdout, expected + "\n");
        assert_eq!(ended.stderr, "");
    }
}

#[test]
fn the_interpreter_is_the_first_that_has_the_package() {
    let (path, environment, installed) =
        (folder("lab-path"), folder("lab-environment"), folder("lab-beside"));
    let program = installed.join("netfold");
    fs::hard_link(env!("CARGO_BIN_EXE_netfold"), &program).unwrap();
    let who = |[active, beside, on_path]: [bool; 3]| {
        interpreter(&environment.join("bin/python"), "active", active);
        interpreter(&installed.join("python"), "beside", beside);
        interpreter(&path.join("python3"), "path", on_path);
        let mut command = Command::new(&program);
        ended(command.args(["lab", "curves"]).env("VIRTUAL_ENV", &environment).env("PATH", &path))
            .stdout
    };
    assert_eq!(who([true, true, true]), "active: -m netfold.lab curves\n");
    assert_eq!(who([false, true, true]), "beside: -m netfold.lab curves\n");
    assert_eq!(who([false, false, true]), "path: -m netfold.lab curves\n");
}

#[test]
fn without_the_package_the_message_says_what_to_install_where() {
    let path = folder("lab-without");
    let environment = folder("lab-active-without");
    interpreter(&path.join("python3"), "path", false);
    let asked = environment.join("bin/python");
    for command in [
        &mut lab(&path, &["ratios"]),
        lab(Path::new("/nowhere"), &["ratios"]).env("VIRTUAL_ENV", &environment),
    ] {
        let ended = ended(command);
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(
            ended.stderr.contains("python3; install it there with `pip install 'netfold[lab]'`"),
            "{}",
            ended.stderr
        );
        assert!(!ended.stderr.contains("Traceback"), "{}", ended.stderr);
    }
    let ended = ended(lab(&path, &["ratios"]).env("VIRTUAL_ENV", &environment));
    assert!(
        ended.stderr.contains(&format!("not installed for {}, python3;", asked.display())),
        "{}",
        ended.stderr
    );
}
