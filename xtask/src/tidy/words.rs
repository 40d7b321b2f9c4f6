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
    (concat!("Ch", "ief"), "management plane"),
    (concat!("Odd", "ity"), "behaviour"),
    (concat!("Happen", "ing"), "event"),
    (concat!("Left", "overs"), "leaks"),
    (concat!("Wea", "ther"), "fault profile"),
    (concat!("wea", "ther"), "faults"),
    (concat!("sto", "rm"), "heavy faults"),
];

/// Refuses them in every file but the change log, which tells of the past.
pub fn check(source: &Source) -> Vec<Violation> {
    if source.path == "CHANGELOG.md" || source.path.contains("/results/") {
        return Vec::new();
    }
    let mut violations = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        for (word, term) in REFUSED {
            if super::text::stands_alone(line, word) {
                let what = format!("`{word}`: say {term} (docs/glossary.md)");
                violations.push(Violation::at_line(&source.path, index + 1, what));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::{REFUSED, Source, check};

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
