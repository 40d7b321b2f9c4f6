//! Inputs and outputs of `netfold glm train`: labels, the file of a test, the file of a model.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use netfold_glm::Model;
use serde_json::Value;

use super::glm::{FEATURES, samples, train};
use crate::support::{ended, file, netfold};

/// A test's file need not have the first feature: its indices count from where the samples' do.
#[test]
fn indices_of_a_test_count_as_those_of_the_samples() {
    // The features 0 and 1 are the classes; the test has only samples of the second class.
    let (path, test) = (
        file("base.svm", &"1 0:1 2:0.5\n2 1:1 2:0.5\n".repeat(50)),
        file("base-test.svm", "2 1:1\n2 1:1\n"),
    );
    let train = |test: &str, options: &[&str]| {
        let mut command =
            netfold(&["glm", "train", path.to_str().unwrap(), "--test", test, "--epochs", "4"]);
        ended(command.args(options))
    };
    let test = test.to_str().unwrap();
    for options in [&[][..], &["--index-base", "0"], &["--memory", "1KiB"]] {
        let ended = train(test, options);
        assert!(
            ended.stdout.contains("accuracy on the test's samples: 1.0000"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
    }
    let refused = train(test, &["--index-base", "1"]);
    assert_ne!(refused.status, Some(0));
    assert!(refused.stderr.contains("an index from 1"), "{}", refused.stderr);
}

#[test]
fn labels_of_a_table_go_by_name() {
    let (table, labels) = (&data_file("columns.parquet"), &data_file("labels.npy"));
    let run =
        |options: &[&str]| ended(netfold(&["glm", "train", table, "--epochs", "1"]).args(options));
    // The same classes by another name.
    let named = run(&["--label", "label", "--test", table]);
    assert!(named.stdout.contains("7 samples of 5 features"), "{}", named.stderr);
    assert!(
        named.stdout.contains("accuracy") && !named.stderr.contains("left out"),
        "{}",
        named.stderr
    );
    // Text has its labels where it has them.
    let text = run(&["--label", "label", "--test", &data_file("zero_based.svm")]);
    assert!(text.stdout.contains("accuracy"), "{}", text.stderr);
    let beside = run(&["--labels", labels]);
    assert!(beside.stdout.contains("7 samples of 5 features"), "{}", beside.stdout);
    assert!(beside.stderr.contains("left out: `label` (Int64)"), "{}", beside.stderr);
    assert!(run(&["--label", "x9"]).stderr.contains("`x0` (Float64)"));
    assert_eq!(run(&["--label", "label", "--labels", labels]).status, Some(2));
}

/// SciPy's matrices have no labels: those of a test stand in a file of their own, as those of the
/// samples do.
#[test]
fn labels_of_a_test_may_stand_in_a_file_of_their_own() {
    let labels = data_file("labels.npy");
    for workers in ["1", "2"] {
        let files = [
            &data_file("csr.npz"),
            "--labels",
            &labels,
            "--test",
            &data_file("csc.npz"),
            "--test-labels",
            &labels,
        ];
        let ended =
            ended(netfold(&["glm", "train", "--epochs", "1", "--workers", workers]).args(files));
        assert!(
            ended.stdout.contains("accuracy on the test's samples"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
    }
}

/// The paths of the model and of the test are looked at before anything is trained.
#[test]
fn what_cannot_be_used_in_the_end_is_refused_in_the_beginning() {
    let path = samples("glm-early.svm", 10, 8);
    let kept = file("glm-early.safetensors", "kept");
    let kept = kept.to_str().unwrap();
    for (options, words) in [
        (
            &["--save", "no-such-folder/model"] as &[&str],
            &["no-such-folder/model", "name a file"] as &[&str],
        ),
        (&["--save", env!("CARGO_TARGET_TMPDIR")], &["directory"]),
        (&["--trace", "no-such-folder/trace"], &["no-such-folder/trace"]),
        (&["--save", kept, "--test", "no-such-test.svm"], &["--test", "no-such-test.svm"]),
    ] {
        let ended = ended(netfold(&["glm", "train"]).arg(&path).args(options));
        assert_ne!(ended.status, Some(0), "{options:?}");
        assert!(!ended.stderr.contains("epoch"), "trained: {}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` in: {}", ended.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "kept");
}

#[test]
fn a_test_that_fails_does_not_lose_the_model() {
    let (path, model) = (samples("glm-kept.svm", 400, 9), file("glm-kept.safetensors", ""));
    // A class that there is not.
    let test = file("glm-kept-test.svm", "1 1:1\n7 2:1\n");
    for workers in ["1", "2"] {
        let ended = ended(
            train(path.to_str().unwrap(), test.to_str().unwrap(), model.to_str().unwrap())
                .args(["--workers", workers]),
        );
        assert_eq!(ended.status, Some(1));
        for words in ["saved to", "glm-kept.safetensors", "label 7"] {
            assert!(ended.stderr.contains(words), "`{words}` in: {}", ended.stderr);
        }
        assert!(ended.stdout.contains("400 samples"), "{}", ended.stdout);
        assert_eq!(Model::load(File::open(&model).unwrap()).unwrap().features, FEATURES);
        std::fs::remove_file(&model).unwrap();
    }
}

/// Rows are counted over the whole file, however much of it is read at a time, and whichever worker
/// has them.
#[test]
fn a_label_that_cannot_be_taken_is_told_by_its_row() {
    let rows = |wrong: &str| {
        let label =
            |row: usize| if row == 150 { wrong.to_owned() } else { (1 + row % 2).to_string() };
        (0..200).map(|row| format!("{} 1:{} 2:1\n", label(row), row % 2)).collect::<String>()
    };
    let path = file("glm-label.svm", &rows("1"));
    let (seventh, huge) =
        (file("glm-label-7.svm", &rows("7")), file("glm-label-huge.svm", &rows("1e300")));
    let (memory, seldom) =
        (&["--memory", "1KiB"] as &[&str], &["--workers", "3", "--spread", "data"] as &[&str]);
    let squared: &[&str] = &["--loss", "squared", "--rate", "constant", "--eta0", "0.01"];
    for options in [&[] as &[&str], memory, seldom] {
        for (loss, samples, test, words) in [
            (
                &[] as &[&str],
                &path,
                Some(&seventh),
                "glm-label-7.svm: row 150 (from 0): the label 7 is not one",
            ),
            (
                squared,
                &path,
                Some(&huge),
                "glm-label-huge.svm: row 150 (from 0): the label 1e300 does not fit",
            ),
            (
                squared,
                &huge,
                None,
                "glm-label-huge.svm: row 150 (from 0): the label 1e300 does not fit",
            ),
        ] {
            let mut command = netfold(&["glm", "train", "--epochs", "1"]);
            command.args(options).args(loss).arg(samples);
            test.map(|test| command.arg("--test").arg(test));
            let ended = ended(&mut command);
            assert_eq!(ended.status, Some(1), "{options:?}: {}", ended.stdout);
            assert!(ended.stderr.contains(words), "{options:?}: `{words}` in: {}", ended.stderr);
        }
    }
}

/// As of a1a and its test: a word that no sample has counts nothing.
#[test]
fn features_that_only_a_test_has_are_dropped() {
    let path = file("glm-narrow.svm", &"1 1:1 3:0.5\n2 2:1 3:0.5\n".repeat(50));
    let test = file("glm-wide.svm", "1 1:1 9:50\n2 2:1 4:-50 1000000:3\n");
    let test = test.to_str().unwrap();
    for options in [&[][..], &["--workers", "2", "--bits", "4"], &["--memory", "1KiB"]] {
        let ended = ended(
            netfold(&["glm", "train", "--test", test, "--epochs", "4"]).arg(&path).args(options),
        );
        assert!(
            ended.stdout.contains("accuracy on the test's samples: 1.0000"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
    }
}

/// The samples are trained on as few bits, but what is saved predicts from features as they are,
/// and so it is tried: on the samples' grid both of these would be alike.
#[test]
fn a_model_of_few_bits_is_tried_on_features_as_they_are() {
    let path = file("glm-grid.svm", &"1 1:1\n2 2:1\n".repeat(50));
    let test = file("glm-grid-test.svm", "1 1:3 2:1.2\n2 1:1.2 2:3\n");
    for workers in ["1", "2"] {
        let test = [
            "--test",
            test.to_str().unwrap(),
            "--bits",
            "4",
            "--epochs",
            "4",
            "--workers",
            workers,
        ];
        let ended = ended(netfold(&["glm", "train"]).arg(&path).args(test));
        assert!(
            ended.stdout.contains("accuracy on the test's samples: 1.0000"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
    }
}

/// The same table in both forms: 5 features, and samples of three classes.
#[test]
fn a_test_may_be_dense_where_the_samples_are_sparse() {
    let (sparse, dense) = (&data_file("zero_based.svm"), &data_file("plain.npz"));
    for [path, test] in [[sparse, dense], [dense, sparse]] {
        for bits in ["4", "32"] {
            let tried = |test: &str| {
                let ended = ended(
                    netfold(&["glm", "train", path, "--test", test, "--epochs", "4"])
                        .args(["--bits", bits]),
                );
                assert_eq!(ended.status, Some(0), "{}", ended.stderr);
                ended.stdout.lines().find(|line| line.contains("accuracy")).unwrap().to_owned()
            };
            assert_eq!(tried(path), tried(test));
        }
    }
}

/// Weights go by place, and as many other columns would be scored by them.
#[test]
fn a_test_has_the_columns_of_the_samples() {
    let [stream, table, vectors] =
        ["columns.arrows", "columns.parquet", "vectors.parquet"].map(data_file);
    let bytes = std::fs::read(&stream).unwrap();
    let with_names = |name: &str, names: [&[u8; 2]; 5]| {
        let mut bytes = bytes.clone();
        let places = (0..bytes.len() - 1)
            .filter(|&at| bytes[at] == b'x' && (b'0'..=b'4').contains(&bytes[at + 1]));
        let places: Vec<usize> = places.collect();
        assert_eq!(places.len(), names.len());
        // The last column comes first.
        places
            .iter()
            .zip(names.iter().rev())
            .for_each(|(&at, name)| bytes[at..at + 2].copy_from_slice(*name));
        let path = file(name, "");
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let swapped = with_names("glm-swapped.arrows", [b"x0", b"x3", b"x2", b"x1", b"x4"]);
    let other = with_names("glm-other.arrows", [b"x0", b"x1", b"x2", b"x3", b"z4"]);
    let run = |samples: &str, test: &str, options: &[&str]| {
        ended(netfold(&["glm", "train", samples, "--test", test, "--epochs", "1"]).args(options))
    };
    for (samples, test, words) in [
        (&stream, &swapped, "glm-swapped.arrows: it has `x3` where the samples have `x1`"),
        (&table, &other, "glm-other.arrows: it has `z4` where the samples have `x4`"),
        (
            &table,
            &vectors,
            "vectors.parquet: it has `v` (a vector of 5) where the samples have `x0`",
        ),
        (
            &vectors,
            &table,
            "columns.parquet: it has `x0` where the samples have `v` (a vector of 5)",
        ),
    ] {
        let refused = run(samples, test, &[]);
        assert_eq!(refused.status, Some(2), "{}", refused.stdout);
        assert!(
            refused.stderr.contains(words) && !refused.stderr.contains("epoch"),
            "{}",
            refused.stderr
        );
    }
    let tried = run(&table, &stream, &[]);
    assert!(
        tried.stdout.contains("accuracy") && !tried.stderr.contains("left out"),
        "{}",
        tried.stderr
    );
    // What it has beside them is told, as of the samples.
    let labels = data_file("labels.npy");
    let beside = run(&table, &stream, &["--labels", &labels, "--test-labels", &labels]);
    assert!(beside.stdout.contains("accuracy"), "{}", beside.stderr);
    for name in ["columns.parquet", "columns.arrows"] {
        assert!(
            beside.stderr.contains(&format!("{name}: columns left out: `label` (Int64)")),
            "{}",
            beside.stderr
        );
    }
}

/// Beside the two lists there is the column of labels, which is one in a test, too.
#[test]
fn a_test_may_be_sparse_rows_of_a_table() {
    let table = &data_file("sparse.parquet");
    for options in [&[][..], &["--label", "target"]] {
        let ended = ended(
            netfold(&["glm", "train", table, "--test", table, "--epochs", "1"]).args(options),
        );
        assert!(
            ended.stdout.contains("accuracy on the test's samples"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
    }
}

#[test]
fn a_saved_model_has_the_labels_of_its_classes() {
    for (name, labels, kept) in [
        ("whole", ["-1", "+1"], r#"{"type":"<i8","values":[-1,1]}"#),
        ("halves", ["1.5", "-0.5"], r#"{"type":"<f8","values":[-0.5,1.5]}"#),
    ] {
        let path = file(
            &format!("glm-{name}.svm"),
            &format!("{} 1:1\n{} 2:1\n", labels[0], labels[1]).repeat(20),
        );
        let model = file(&format!("glm-{name}.safetensors"), "");
        let save = || {
            let ended = ended(
                netfold(&["glm", "train", "--epochs", "2"]).arg(&path).arg("--save").arg(&model),
            );
            assert_eq!(ended.status, Some(0), "{}", ended.stderr);
            std::fs::read(&model).unwrap()
        };
        let bytes = save();
        let (length, rest) = bytes.split_first_chunk().unwrap();
        let header: Value =
            serde_json::from_slice(&rest[..u64::from_le_bytes(*length) as usize]).unwrap();
        let metadata = &header["__metadata__"];
        assert_eq!((&metadata["labels"], &metadata["classes"]), (&kept.into(), &"2".into()));
        assert_eq!(Model::load(&bytes[..]).unwrap().classes, Some(2));
        // The same run, the same bytes.
        assert_eq!(save(), bytes);
    }
}

#[test]
fn a_model_takes_the_place_of_another_when_it_is_whole() {
    let path = samples("glm-place.svm", 50, 10);
    let model = file("glm-place.safetensors", "an older one");
    let link = model.with_file_name("glm-place-link");
    // Of an earlier run.
    let _ = std::fs::remove_file(&link);
    symlink(&model, &link).unwrap();
    let run = |limit: &str, to: &Path| {
        // What a process writes beyond its limit is an error, as on a full disk.
        let mut limited = Command::new("sh");
        limited.args([
            "-c",
            "trap '' XFSZ; ulimit -f $0 && exec \"$@\"",
            limit,
            env!("CARGO_BIN_EXE_netfold"),
        ]);
        limited.args(["glm", "train", "--epochs", "2", "--save"]).arg(to).arg(&path);
        ended(limited.current_dir(env!("CARGO_TARGET_TMPDIR")))
    };
    let full = run("0", &link);
    assert_eq!(full.status, Some(1), "{}", full.stderr);
    assert!(
        full.stderr.contains("glm-place-link") && full.stdout.contains("50 samples"),
        "{}",
        full.stderr
    );
    assert_eq!(std::fs::read_to_string(&model).unwrap(), "an older one");
    for to in [&link, &PathBuf::from("/dev/null")] {
        let saved = run("unlimited", to);
        assert_eq!(saved.status, Some(0), "{}", saved.stderr);
    }
    assert!(link.is_symlink());
    assert_eq!(Model::load(File::open(&model).unwrap()).unwrap().features, FEATURES);
    let parts = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let left: Vec<_> =
        parts.filter(|name| name.to_string_lossy().starts_with("glm-place.safetensors.")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A file that another library has made.
pub fn data_file(name: &str) -> String {
    format!("{}/../../glm/data/tests/files/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_test_that_says_nothing_is_refused() {
    let (path, numbers) =
        (samples("glm-said.svm", 50, 14), file("glm-said-numbers.svm", "1.5 1:1\n2 2:1\n"));
    let (empty, alike) =
        (file("glm-said-empty.svm", ""), file("glm-said-alike.svm", "1 1:1\n1 2:1\n"));
    for (options, path, test, words) in [
        (&["--loss", "log"] as &[&str], &path, &empty, "no samples"),
        (
            &["--loss", "squared", "--rate", "constant"],
            &numbers,
            &alike,
            "all targets are the same",
        ),
    ] {
        let ended = ended(
            netfold(&["glm", "train", "--epochs", "1"])
                .args(options)
                .arg(path)
                .arg("--test")
                .arg(test),
        );
        assert_eq!(ended.status, Some(1));
        let name = test.file_name().unwrap().to_str().unwrap();
        assert!(ended.stderr.contains(words) && ended.stderr.contains(name), "{}", ended.stderr);
    }
}
