//! Words of our own for things that the field has a name for. The glossary has the names.

use super::{Source, Violation};

/// A word that is refused, and the term that says the same. The words are spelled in two halves, so
/// that this file does not contain them.
const REFUSED: &[(&str, &str)] = &[
    (concat!("R-MA", "IL"), "R-EAGER"),
    (concat!("Mail", "box"), "a cell of the eager path, or a channel of commands"),
    (concat!("mail", "box"), "a cell of the eager path, or a channel of commands"),
    (concat!("by ", "mail"), "by the eager path"),
    (concat!("Se", "at"), "driver lock"),
    (concat!("Sea", "ted"), "driver guard"),
    (concat!("Rel", "ief"), "background driver"),
    (concat!("De", "sk"), "memory server"),
    (concat!("visi", "tor"), "client"),
    (concat!("Wis", "hes"), "preferences"),
    (concat!("wis", "hes"), "preferences"),
    (concat!("Err", "and"), "request"),
    (concat!("err", "and"), "request"),
    (concat!("Pati", "ence"), "spin policy, or time-out"),
    (concat!("PATI", "ENCE"), "spin policy, or time-out"),
    (concat!("Ch", "ief"), "management plane"),
    (concat!("Odd", "ity"), "behaviour"),
    (concat!("Happen", "ing"), "event"),
    (concat!("Left", "overs"), "leaks"),
    (concat!("Wea", "ther"), "fault profile"),
    (concat!("wea", "ther"), "faults"),
    (concat!("sto", "rm"), "heavy faults"),
    (concat!("li", "fe"), "epoch; of anything but a job, phases or lifetime"),
    (concat!("Li", "fe"), "epoch; of anything but a job, phases or lifetime"),
    (concat!("LI", "FE"), "epoch; of anything but a job, phases or lifetime"),
    (concat!("Li", "ves"), "epochs"),
    (concat!("li", "ves of"), "epochs of"),
];

/// Refuses them in every file but the change log, which tells of the past.
pub fn check(source: &Source) -> Vec<Violation> {
    if source.path == "CHANGELOG.md" || source.path.contains("/results/") {
        return Vec::new();
    }
    let mut violations = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for (word, term) in REFUSED {
            if is_part(line, word) {
                let what = format!("`{word}`: say {term} (docs/glossary.md)");
                violations.push(Violation::at_line(&source.path, index + 1, what));
            }
        }
    }
    violations
}

/// Returns whether `line` has `word` by itself or as a part of a name, such as `end_word` and
/// `WordKind`, but not in a longer word.
fn is_part(line: &str, word: &str) -> bool {
    let capital = word.starts_with(char::is_uppercase);
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        // A capital after a small letter begins another part of a name.
        let begins = before
            .is_none_or(|letter| !letter.is_alphanumeric() || capital && letter.is_lowercase());
        let ends = after.is_none_or(|letter| {
            !letter.is_alphanumeric() || letter.is_uppercase() && word.ends_with(char::is_lowercase)
        });
        begins && ends
    })
}

#[cfg(test)]
mod tests {
    use super::{REFUSED, Source, check, is_part};

    #[test]
    fn names_have_parts() {
        let word = concat!("Li", "fe");
        for name in [format!("Job{word}"), format!("{word}Kind"), format!("A_{word}_B")] {
            assert!(is_part(&name, word), "{name}");
        }
        let word = concat!("li", "fe");
        for name in [format!("end_{word}"), format!("{word}_of(x)"), format!("self.{word}.x")] {
            assert!(is_part(&name, word), "{name}");
        }
        for name in ["lifetime", "lifecycle", "Lifetime", "alife", "NOLIFE", "where it lives"] {
            assert!(!REFUSED.iter().any(|(word, _)| is_part(name, word)), "{name}");
        }
    }

    #[test]
    fn each_word_is_refused_alone_and_not_in_a_longer_one() {
        for (word, term) in REFUSED {
            let found =
                check(&Source::new("docs/a.md", &format!("one\nthe {word} of it\n{word}x")));
            assert_eq!(found.len(), 1, "{word}");
            let text = found[0].to_string();
            assert!(text.starts_with("docs/a.md:2: ") && text.contains(term), "{text}");
        }
    }

    #[test]
    fn the_past_keeps_its_words() {
        for path in ["CHANGELOG.md", "bench/results/rack/table.txt"] {
            assert!(check(&Source::new(path, REFUSED[0].0)).is_empty());
        }
    }
}
