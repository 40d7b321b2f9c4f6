//! Rules on single files: no file and no line too long, no words that say "unfinished", no path of
//! one person's machine, no doc comment that begins with a question word.

use super::{Source, Violation};

/// Lines of code, without blank lines and comments, above which a file asks to be split by concern.
const MOST_CODE_LINES: usize = 600;

/// Columns of a line of code, of a comment and of a document.
const MOST_COLUMNS: usize = 100;

/// Files of a length that no person chose.
const UNBOUNDED: [&str; 4] = [
    "crates/wire/src/generated.rs",
    "crates/wire/src/query/generated.rs",
    "crates/wire/src/table/generated.rs",
    "crates/settings/src/generated.rs",
];

/// Words that must not stand in a file, the files that this holds for, and the advice for each. The
/// words are spelled in two halves, so that this file does not contain them.
const BANNED: &[(&str, Where, &str)] = &[
    (concat!("TO", "DO"), Where::Everywhere, "finish it, or list it in README as not there"),
    (concat!("FIX", "ME"), Where::Everywhere, "fix it"),
    (concat!("X", "XX"), Where::Everywhere, "say what is meant"),
    (concat!("unimpl", "emented!"), Where::Rust, "return an error that names what is not there"),
    (concat!("to", "do!("), Where::Rust, "return an error that names what is not there"),
    (
        concat!("#[al", "low("),
        Where::Rust,
        "use #[expect(.., reason = \"..\")], which says when it is no longer needed",
    ),
    (
        concat!("#![al", "low("),
        Where::Rust,
        "use #![expect(.., reason = \"..\")], which says when it is no longer needed",
    ),
    (concat!("expect(dead", "_code"), Where::Rust, "remove the code"),
    (concat!("/ho", "me/"), Where::Everywhere, "a path of one machine; make it relative"),
    (concat!("/ro", "ot/"), Where::Everywhere, "a path of one machine; make it relative"),
    (concat!("/Us", "ers/"), Where::Everywhere, "a path of one machine; make it relative"),
    (concat!("/wo", "rk/"), Where::Everywhere, "a path of one machine; make it relative"),
];

/// Words that a doc comment must not begin with: it begins with a noun or a verb.
const QUESTIONS: [&str; 6] = ["What", "Whether", "Who", "Whose", "How", "Why"];

#[derive(Clone, Copy)]
enum Where {
    Everywhere,
    Rust,
}

/// All rules on the text of one file.
pub fn check(source: &Source) -> Vec<Violation> {
    let mut violations = banned_words(source);
    violations.extend(length(source));
    violations.extend(columns(source));
    violations.extend(openings(source));
    violations
}

/// Refuses doc comments that begin with a question word, in Rust, Python and Scala.
fn openings(source: &Source) -> Vec<Violation> {
    let markers: &[&str] = match source.path.rsplit('.').next() {
        Some("rs") => &["///", "//!"],
        Some("py" | "pyi") => &["\"\"\""],
        Some("scala") => &["/**"],
        _ => &[],
    };
    let marker_of = |line: &str| markers.iter().find(|marker| line.starts_with(**marker));
    let (mut violations, mut before) = (Vec::new(), None);
    for (number, line) in (1..).zip(source.text.lines()) {
        let line = line.trim_start();
        let marker = marker_of(line);
        // The lines that follow in a comment of Rust have its marker, too.
        let goes_on = marker.is_some() && marker == before && line.starts_with("//");
        let begin = marker.filter(|_| !goes_on).map(|marker| line[marker.len()..].trim_start());
        let word = begin.and_then(|text| text.split(' ').next());
        if let Some(word) = word.filter(|word| QUESTIONS.contains(word)) {
            let what = format!("a doc comment begins with `{word}`; begin with a noun or a verb");
            violations.push(Violation::at_line(&source.path, number, what));
        }
        before = marker;
    }
    violations
}

/// Refuses lines that are too long in what people write and read: comments, documents and Python.
/// The formatters break code, as far as it can be broken. Tables, commands of a document, links and
/// text in quotes may be longer.
fn columns(source: &Source) -> Vec<Violation> {
    let path = source.path.as_str();
    let (rust, document) = (path.ends_with(".rs"), path.ends_with(".md"));
    let written = rust || document || [".py", ".pyi", ".sh"].iter().any(|end| path.ends_with(end));
    if !written
        || path.contains("/results/")
        || path.starts_with("p4/")
        || UNBOUNDED.contains(&path)
    {
        return Vec::new();
    }
    let mut fenced = false;
    let mut may_be_long = |line: &str| {
        let line = line.trim_start();
        let comment = line.starts_with(if rust { "//" } else { "#" });
        fenced ^= line.trim_start_matches(['/', '!', ' ']).starts_with("```");
        let code = rust && !comment;
        let quoted = !document && !comment && line.contains('"');
        let table = line.trim_start_matches(['/', '!', ' ']).starts_with('|');
        code || quoted || fenced || table || line.contains("](") || line.contains("://")
    };
    let lines = (1..).zip(source.text.lines());
    let long = lines.filter(|(_, line)| !may_be_long(line) && line.chars().count() > MOST_COLUMNS);
    let what = format!("more than {MOST_COLUMNS} columns; break the line");
    long.map(|(number, _)| Violation::at_line(path, number, what.clone())).collect()
}

fn banned_words(source: &Source) -> Vec<Violation> {
    let rust = source.path.ends_with(".rs");
    let mut violations = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for (word, scope, advice) in BANNED {
            if (rust || matches!(scope, Where::Everywhere)) && stands_alone(line, word) {
                violations.push(Violation::at_line(
                    &source.path,
                    index + 1,
                    format!("`{word}`: {advice}"),
                ));
            }
        }
    }
    violations
}

/// Returns whether `line` has `word` outside of longer words and paths, such as `target/root/x`.
fn stands_alone(line: &str, word: &str) -> bool {
    let joins = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let joined_before = before.is_some_and(|letter| {
            joins(letter) || (word.starts_with('/') && ".-}~".contains(letter))
        });
        let joined_after = word.ends_with(joins) && after.is_some_and(joins);
        !joined_before && !joined_after
    })
}

fn length(source: &Source) -> Option<Violation> {
    let comment = match source.path.rsplit_once('.')?.1 {
        "rs" => "//",
        "py" | "pyi" | "sh" => "#",
        _ => return None,
    };
    if UNBOUNDED.contains(&source.path.as_str()) {
        return None;
    }
    let code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with(comment);
    let lines = source.text.lines().filter(code).count();
    (lines > MOST_CODE_LINES).then(|| {
        let what =
            format!("{lines} lines of code; split it by concern (at most {MOST_CODE_LINES})");
        Violation::in_file(&source.path, what)
    })
}

#[cfg(test)]
mod tests {
    use super::{MOST_CODE_LINES, Source, check};

    fn found(path: &str, text: &str) -> usize {
        check(&Source::new(path, text)).len()
    }

    #[test]
    fn every_banned_word_is_found_where_it_is_banned() {
        for (word, scope, _) in super::BANNED {
            assert_eq!(found("a.rs", &format!("x {word} y")), 1, "{word} in Rust");
            let elsewhere = usize::from(matches!(scope, super::Where::Everywhere));
            assert_eq!(found("a.md", &format!("x {word} y")), elsewhere, "{word} in a document");
        }
    }

    #[test]
    fn longer_words_and_paths_are_not_meant() {
        for text in [
            concat!("mktemp /tmp/nX", "X", "X"),
            concat!("let methodTO", "DO = 1;"),
            concat!("../ro", "ot/x"),
            concat!("$(CURDIR)/target/ro", "ot/x"),
            concat!("${X}/ho", "me/x"),
        ] {
            assert_eq!(found("a.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn doc_comments_begin_with_no_question() {
        for (path, text) in [
            ("a.rs", "/// What it is.\nstruct A;"),
            ("a.rs", "//! A file.\n\n    /// Whether it is.\n"),
            ("a.rs", "/// Is it.\nfn a();\n/// How it is."),
            ("a.py", "def a():\n    \"\"\"Who it is.\"\"\""),
            ("a.scala", "/** Why it is. */"),
        ] {
            assert_eq!(found(path, text), 1, "{text}");
        }
        for (path, text) in [
            ("a.rs", "/// It says\n/// What it is."),
            ("a.rs", "/// It is.\n///\n/// What is not, is not."),
            ("a.rs", "// What it is.\n/// Whatever it is."),
            ("a.py", "text = \"\"\"What\"\"\""),
            ("a.md", "/// What it is."),
        ] {
            assert_eq!(found(path, text), 0, "{text}");
        }
    }

    #[test]
    fn long_lines_are_refused_but_where_they_cannot_be_broken() {
        let long = "x".repeat(101);
        for (path, line, refused) in [
            ("a.rs", format!("// {}", &long[3..]), true),
            ("a.rs", format!("/// \"{}", &long[5..]), true),
            ("a.rs", format!("// {}", &long[4..]), false),
            ("a.rs", long.clone(), false),
            ("a.rs", format!("//! | {long} |"), false),
            ("a.py", long.clone(), true),
            ("a.py", format!("f(\"{long}\")"), false),
            ("a.md", long.clone(), true),
            ("a.md", format!("```sh\nx\n```\n{long}"), true),
            ("a.md", format!("```sh\n{long}\n```"), false),
            ("a.md", "\u{e4}".repeat(100), false),
            ("a.md", format!("| {long} |"), false),
            ("a.md", format!("[docs]({long})"), false),
            ("bench/results/a.md", long.clone(), false),
            ("p4/tna/a.py", long.clone(), false),
        ] {
            assert_eq!(found(path, &line), usize::from(refused), "{path}: {line}");
        }
    }

    #[test]
    fn a_violation_names_file_and_line() {
        let text = format!("fn f() {{}}\n// {} later\n", concat!("TO", "DO"));
        let message = check(&Source::new("a.rs", &text))[0].to_string();
        assert!(message.starts_with("a.rs:2: "), "{message}");
    }

    #[test]
    fn length_counts_code_not_comments_or_blank_lines() {
        let code = "let x = 1;\n".repeat(MOST_CODE_LINES);
        let padding = "\n// why\n".repeat(MOST_CODE_LINES);
        assert_eq!(found("a.rs", &format!("{code}{padding}")), 0);
        assert_eq!(found("a.rs", &format!("{code}{padding}x();\n")), 1);
        assert_eq!(found("a.py", &"x = 1\n".repeat(MOST_CODE_LINES + 1)), 1);
        assert_eq!(found("a.csv", &"1,2\n".repeat(MOST_CODE_LINES + 1)), 0);
        assert_eq!(found("crates/wire/src/generated.rs", &"x();\n".repeat(MOST_CODE_LINES + 1)), 0);
    }
}
