//! The layer law: a crate depends only on crates below it, and `switch` and `worker` never on each
//! other. A product builds on the core: the core does not depend on it, nor does another product.
//!
//! The law is about what is built into a crate. Development dependencies are free: switch and
//! worker meet in tests.

use std::path::Path;

use toml::{Table, Value};

use super::{Source, Violation};

/// Every crate of the workspace in the order in which they may build on each other: a dependency
/// stands in an earlier row, or earlier in the same row. The core comes first, then the products,
/// a row each, and then what may use all of them.
const LAYERS: [&[&str]; 10] = [
    &["netfold-num", "netfold-wire"],
    &[
        "netfold-kernels",
        "netfold-switch",
        "netfold-worker",
        "netfold-pisa",
        "netfold-cgra",
        "netfold-management",
    ],
    &[
        "netfold-ops",
        "netfold-shm",
        "netfold-control",
        "netfold-net",
        "netfold-settings",
        "netfold-sim",
    ],
    &["netfold"],
    GLM,
    SPARSE,
    MPI,
    QUERY,
    &["netfold-cli", "netfold-py"],
    &["netfold-conformance", "netfold-model", "netfold-hdl", "netfold-fuzz"],
];

/// Linear models.
const GLM: &[&str] =
    &["netfold-data", "netfold-glm-kernels", "netfold-glm", "netfold-glm-net", "netfold-bench-sgd"];

/// Tables of sparse models.
const SPARSE: &[&str] = &["netfold-sparse", "netfold-sparse-net"];

/// MPI programs.
const MPI: &[&str] = &["netfold-mpi", "netfold-mpi-fused", "netfold-mpi-preload"];

/// Queries. The first crate is a workspace of its own, as `fuzz` is.
const QUERY: &[&str] = &["netfold-query", "netfold-spark"];

/// The products, each with the folder that has its crates and no others. They do not build on one
/// another.
const PRODUCTS: [(&str, &[&str]); 4] =
    [("glm", GLM), ("sparse", SPARSE), ("mpi", MPI), ("query", QUERY)];

/// Pairs that must not meet although the order would let them.
const STRANGERS: [(&str, &str); 1] = [("netfold-switch", "netfold-worker")];

/// Chores, and the list of dependencies' features: they build before everything else and use no
/// part of it.
const APART: [&str; 2] = ["xtask", "workspace-hack"];

/// Checks the manifests among `sources`.
pub fn check(sources: &[Source]) -> Vec<Violation> {
    sources
        .iter()
        .filter(|source| source.path.ends_with("/Cargo.toml"))
        .flat_map(check_manifest)
        .collect()
}

fn check_manifest(source: &Source) -> Vec<Violation> {
    let violation = |what: String| Violation::in_file(&source.path, what);
    let manifest: Table = match source.text.parse() {
        Ok(manifest) => manifest,
        Err(error) => return vec![violation(format!("not TOML: {error}"))],
    };
    let name =
        manifest.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    let Some(name) = name else {
        return vec![violation("a manifest without a package name".into())];
    };
    let place = rank(name);
    if place.is_none() && !APART.contains(&name) {
        return vec![violation(format!(
            "crate `{name}` has no layer; give it one in xtask/src/tidy/layers.rs"
        ))];
    }
    let own = product(name);
    let mut folders = PRODUCTS.iter().map(|(folder, _)| *folder);
    if own != folders.find(|folder| Path::new(&source.path).starts_with(folder)) {
        let belongs = own.unwrap_or("no product");
        return vec![violation(format!(
            "crate `{name}` belongs to {belongs} by xtask/src/tidy/layers.rs, and its folder to \
             another place; move one of them"
        ))];
    }
    dependencies(&manifest)
        .into_iter()
        .filter(|dependency| dependency.starts_with("netfold") || *dependency == "xtask")
        .filter(|dependency| {
            let stranger =
                STRANGERS.iter().any(|(a, b)| [(*a, *b), (*b, *a)].contains(&(name, dependency)));
            let other = differ(own, product(dependency));
            stranger || other || rank(dependency).is_none() || rank(dependency) >= place
        })
        .map(|dependency| {
            violation(format!("`{name}` must not depend on `{dependency}`: edges go down only"))
        })
        .collect()
}

/// Row and place in the row; tuples order as the law does.
fn rank(name: &str) -> Option<(usize, usize)> {
    LAYERS.iter().enumerate().find_map(|(row, crates)| {
        crates.iter().position(|candidate| *candidate == name).map(|place| (row, place))
    })
}

/// The folder of the product that a crate belongs to.
fn product(name: &str) -> Option<&'static str> {
    let (folder, _) = PRODUCTS.iter().find(|(_, crates)| crates.contains(&name))?;
    Some(folder)
}

/// Returns whether these are the folders of two products.
fn differ(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// Package names of the dependencies that are built into the crate, on any target.
fn dependencies(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let tables = std::iter::once(manifest)
        .chain(targets.into_iter().flat_map(Table::values).filter_map(Value::as_table));
    let mut names = Vec::new();
    for table in tables {
        for section in ["dependencies", "build-dependencies"] {
            for (key, value) in table.get(section).and_then(Value::as_table).into_iter().flatten() {
                let package = value.get("package").and_then(Value::as_str);
                names.push(package.unwrap_or(key).to_owned());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{LAYERS, PRODUCTS, Source, check, differ, product};

    /// Violations of a crate with these lines below its package section.
    fn found(name: &str, rest: &str) -> Vec<String> {
        found_in(product(name).unwrap_or("crates"), name, rest)
    }

    fn found_in(folder: &str, name: &str, rest: &str) -> Vec<String> {
        let manifest = format!("[package]\nname = \"{name}\"\n{rest}");
        check(&[Source::new(&format!("{folder}/x/Cargo.toml"), &manifest)])
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn edges_down_pass() {
        let rest = "[dependencies]\nnetfold-num.workspace = true\nnetfold-kernels.workspace = true\nserde = \"1\"\n";
        assert_eq!(found("netfold-switch", rest), [""; 0]);
        assert_eq!(
            found("netfold-wire", "[dependencies]\nnetfold-num.workspace = true\n"),
            [""; 0]
        );
        assert_eq!(found("xtask", "[dependencies]\nserde = \"1\"\n"), [""; 0]);
    }

    #[test]
    fn edges_up_and_to_itself_are_refused() {
        for (name, dependency) in [
            ("netfold-num", "netfold-wire"),
            ("netfold-wire", "netfold-switch"),
            ("netfold-kernels", "netfold-kernels"),
            ("netfold-control", "netfold-net"),
            ("netfold-net", "netfold-cli"),
            ("xtask", "netfold-num"),
            ("netfold-cli", "xtask"),
        ] {
            let found = found(name, &format!("[dependencies]\n{dependency}.workspace = true\n"));
            assert_eq!(found.len(), 1, "{name} on {dependency}: {found:?}");
            assert!(found[0].contains(name) && found[0].contains(dependency), "{found:?}");
        }
    }

    #[test]
    fn a_product_builds_on_the_core_and_the_core_on_no_product() {
        let on = |name: &str, dependency: &str| {
            found(name, &format!("[dependencies]\n{dependency}.workspace = true\n")).len()
        };
        let products: Vec<_> = PRODUCTS.iter().flat_map(|(_, crates)| crates.to_vec()).collect();
        let above = LAYERS[LAYERS.len() - 2..].concat();
        let core = LAYERS.concat();
        for core in core.iter().filter(|name| !products.contains(name) && !above.contains(name)) {
            for product in products.iter().copied() {
                assert_eq!(on(core, product), 1, "{core} on {product}");
                assert_eq!(on(product, core), 0, "{product} on {core}");
            }
        }
        for product in products.iter().copied() {
            assert_eq!(on("netfold-cli", product), 0, "{product}");
            assert_eq!(on(product, "netfold-cli"), 1, "{product}");
        }
        assert_eq!(on("netfold-glm", "netfold-glm-kernels"), 0);
        assert_eq!(on("netfold-glm-kernels", "netfold-glm"), 1);
    }

    #[test]
    fn products_do_not_build_on_each_other() {
        assert!(differ(Some("glm"), Some("queries")));
        assert!(!differ(Some("glm"), Some("glm")));
        assert!(!differ(Some("glm"), None) && !differ(None, Some("glm")));
    }

    #[test]
    fn a_product_has_its_crates_in_one_folder() {
        assert_eq!(found_in("glm", "netfold-data", ""), [""; 0]);
        for (folder, name) in [("crates", "netfold-data"), ("glm", "netfold-net")] {
            let found = found_in(folder, name, "");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].contains(name) && found[0].contains("layers.rs"), "{found:?}");
        }
    }

    #[test]
    fn switch_and_worker_meet_only_in_tests() {
        assert_eq!(
            found("netfold-worker", "[dependencies]\nnetfold-switch.workspace = true\n").len(),
            1
        );
        assert_eq!(
            found("netfold-switch", "[dependencies]\nnetfold-worker.workspace = true\n").len(),
            1
        );
        assert_eq!(
            found("netfold-worker", "[dev-dependencies]\nnetfold-switch.workspace = true\n").len(),
            0
        );
    }

    #[test]
    fn no_way_around_by_target_build_script_or_another_name() {
        for rest in [
            "[target.'cfg(unix)'.dependencies]\nnetfold-cli.workspace = true\n",
            "[build-dependencies]\nnetfold-cli.workspace = true\n",
            "[dependencies]\nfolder = { package = \"netfold-cli\", path = \"../cli\" }\n",
        ] {
            assert_eq!(found("netfold-num", rest).len(), 1, "{rest}");
        }
    }

    #[test]
    fn a_crate_without_a_layer_is_refused() {
        let found = found("netfold-novel", "");
        assert!(found[0].contains("layers.rs"), "{found:?}");
    }
}
