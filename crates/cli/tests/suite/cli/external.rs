//! `netfold NAME` runs `netfold-NAME`. Shell scripts play the programs.

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

/// A program that says where it is and how it was called, and ends with status 7.
fn program(path: &Path, place: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\necho {place}: \"$*\"\nexit 7\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The command where no programs are but those in this folder.
fn command(path: &Path, arguments: &[&str]) -> Command {
    let mut command = netfold(arguments);
    command.env_remove("VIRTUAL_ENV").env("PATH", path);
    command
}

#[test]
fn arguments_and_exit_status_pass_through() {
    let path = folder("external-through");
    program(&path.join("netfold-lab"), "path");
    program(&path.join("netfold-of-a-user"), "path");
    for name in ["lab", "of-a-user"] {
        for arguments in [
            &["ratios", "--out", "some folder", "--quick"] as &[&str],
            &["--help"],
            &["-h"],
            &["--version"],
            &["--log", "debug"],
            &[],
        ] {
            let ended = ended(&mut command(&path, &[&[name], arguments].concat()));
            assert_eq!(ended.status, Some(7), "{}", ended.stderr);
            assert_eq!(ended.stdout, format!("path: {}\n", arguments.join(" ")));
            assert_eq!(ended.stderr, "");
        }
    }
}

#[test]
fn the_program_of_the_active_environment_comes_first_then_the_one_beside_netfold() {
    let (path, environment, installed) =
        (folder("external-path"), folder("external-active"), folder("external-beside"));
    let own = installed.join("netfold");
    fs::hard_link(env!("CARGO_BIN_EXE_netfold"), &own).unwrap();
    let ask = || {
        let mut command = Command::new(&own);
        ended(command.arg("lab").env("VIRTUAL_ENV", &environment).env("PATH", &path)).stdout
    };
    program(&path.join("netfold-lab"), "path");
    assert_eq!(ask(), "path: \n");
    program(&installed.join("netfold-lab"), "beside");
    assert_eq!(ask(), "beside: \n");
    program(&environment.join("bin/netfold-lab"), "active");
    assert_eq!(ask(), "active: \n");
}

#[test]
fn a_program_that_is_missing_is_named_with_what_to_do() {
    let path = folder("external-missing");
    for (name, advice) in [
        ("lab", "pip install 'netfold[lab]'"),
        ("lib", "did you mean lab?"),
        ("swich", "did you mean switch?"),
        ("train-my-model", "netfold --help lists the commands"),
    ] {
        let ended = ended(&mut command(&path, &[name]));
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(&format!("netfold-{name}")), "{}", ended.stderr);
        assert!(ended.stderr.contains(advice), "{}", ended.stderr);
    }
}

#[test]
fn the_help_lists_commands_of_other_packages() {
    let shown = ended(&mut command(Path::new("/nowhere"), &["--help"]));
    assert_eq!(shown.status, Some(0));
    assert!(shown.stdout.contains("pip install 'netfold[lab]'"), "{}", shown.stdout);
}
