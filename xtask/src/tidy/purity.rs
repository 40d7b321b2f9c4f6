//! The promises of crates: no unsafe code, and in the lower layers no input or output, no clock, no
//! threads.

use super::{Source, Violation};

/// Folders of the crates that do no I/O: they take time, bytes and seeds as arguments.
const PURE: [&str; 10] = [
    "crates/num",
    "crates/wire",
    "crates/kernels",
    "crates/switch",
    "crates/worker",
    "crates/pisa",
    "crates/cgra",
    "crates/management",
    "glm/kernels",
    "sparse/server",
];

/// Folders of the crates that may have unsafe code: intrinsics, shared memory, system calls,
/// foreign functions.
const MAY_BE_UNSAFE: [&str; 9] = [
    "crates/control",
    "crates/kernels",
    "crates/shm",
    "crates/net",
    "crates/py",
    "glm/bench",
    "mpi/fused",
    "mpi/preload",
    "query/spark",
];

const FORBID_UNSAFE: &str = "#![forbid(unsafe_code)]";

/// The lint configuration that every pure crate links to.
const PURE_LINTS: &str = "lints/pure.toml";

/// Modules that a pure crate does not name. Clippy knows what a path resolves to but wants every
/// function by name; this takes whole modules, but only as they are written.
const IMPURE: [&str; 6] =
    ["std::net", "std::time", "std::fs", "std::thread", "std::env", "std::process"];

/// The modules that a file of a pure crate names, outside comments.
pub fn check_source(source: &Source) -> Vec<Violation> {
    let pure = PURE.iter().any(|folder| source.path.starts_with(&format!("{folder}/src/")));
    if !pure || !source.path.ends_with(".rs") {
        return Vec::new();
    }
    let lines =
        source.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines
        .flat_map(|(index, line)| {
            IMPURE
                .iter()
                .filter(|module| line.contains(**module))
                .map(move |module| (index, module))
        })
        .map(|(index, module)| {
            let what = format!(
                "`{module}`: a crate of the lower layers does no I/O; take it as an argument"
            );
            Violation::at_line(&source.path, index + 1, what)
        })
        .collect()
}

/// Every crate's root forbids unsafe code, and every pure crate has the pure lint configuration.
pub fn check_crates(sources: &[Source]) -> Vec<Violation> {
    let text_of = |path: &str| {
        sources.iter().find(|source| source.path == path).map(|source| source.text.as_str())
    };
    let mut violations = Vec::new();
    for manifest in sources {
        let Some(folder) = manifest.path.strip_suffix("/Cargo.toml") else {
            continue;
        };
        for root in ["src/lib.rs", "src/main.rs"].map(|file| format!("{folder}/{file}")) {
            let unsafe_possible = text_of(&root).is_some_and(|text| !text.contains(FORBID_UNSAFE));
            if unsafe_possible && !MAY_BE_UNSAFE.contains(&folder) {
                violations.push(Violation::in_file(&root, format!("add `{FORBID_UNSAFE}`")));
            }
        }
        let lints = format!("{folder}/clippy.toml");
        if PURE.contains(&folder)
            && (text_of(&lints).is_none() || text_of(&lints) != text_of(PURE_LINTS))
        {
            violations.push(Violation::in_file(&lints, format!("make it a link to {PURE_LINTS}")));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::{FORBID_UNSAFE, PURE_LINTS, Source, check_crates, check_source};

    #[test]
    fn pure_crates_name_no_impure_module() {
        let code = "use std::time::Instant;\nlet a = core::time::Duration::ZERO;\n";
        let found = check_source(&Source::new("crates/worker/src/rtt.rs", code));
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("crates/worker/src/rtt.rs:1: `std::time`"));
        assert_eq!(check_source(&Source::new("glm/kernels/src/linear.rs", code)).len(), 1);
    }

    #[test]
    fn comments_tests_folders_and_upper_layers_may_name_them() {
        assert_eq!(
            check_source(&Source::new("crates/worker/src/lib.rs", "//! names no std::net\n")),
            []
        );
        assert_eq!(
            check_source(&Source::new("crates/worker/tests/suite/vectors.rs", "use std::fs;\n")),
            []
        );
        assert_eq!(
            check_source(&Source::new("crates/net/src/udp.rs", "use std::net::UdpSocket;\n")),
            []
        );
    }

    fn roots(folder: &str, root: &str) -> Vec<Source> {
        vec![
            Source::new(&format!("{folder}/Cargo.toml"), ""),
            Source::new(&format!("{folder}/src/lib.rs"), root),
        ]
    }

    #[test]
    fn unsafe_code_is_forbidden_but_where_it_may_be() {
        assert_eq!(check_crates(&roots("crates/ops", FORBID_UNSAFE)), []);
        assert_eq!(check_crates(&roots("crates/ops", "")).len(), 1);
        assert_eq!(check_crates(&roots("crates/net", "")), []);
        // Of one name, in another folder.
        assert_eq!(check_crates(&roots("glm/net", "")).len(), 1);
        let mut two_roots = roots("crates/cli", FORBID_UNSAFE);
        two_roots.push(Source::new("crates/cli/src/main.rs", "fn main() {}"));
        assert_eq!(check_crates(&two_roots).len(), 1);
    }

    #[test]
    fn pure_crates_have_the_pure_lints() {
        let mut sources = roots("crates/num", FORBID_UNSAFE);
        sources.push(Source::new(PURE_LINTS, "bans"));
        assert_eq!(check_crates(&sources).len(), 1, "no configuration");
        sources.push(Source::new("crates/num/clippy.toml", "bans"));
        assert_eq!(check_crates(&sources), []);
        sources.last_mut().unwrap().text = "fewer bans".into();
        assert_eq!(check_crates(&sources).len(), 1, "another configuration");
    }
}
