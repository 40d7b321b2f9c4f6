//! Text that several programs under `p4/` share, in files that they include.

use std::collections::{BTreeMap, BTreeSet};

use super::Dialect;
use crate::p4::{Chunk, Part};

/// Lines from which a list of entries has a file of its own.
const LONG: usize = 24;

/// Lines that a file of shared text saves at least.
const SAVED: usize = 6;

/// A program whose text may be shared.
#[derive(Debug)]
pub(super) struct Sharer {
    /// Its path under `p4/`.
    pub path: String,
    /// The language that it is written in.
    pub dialect: Dialect,
    /// Its text.
    pub parts: Vec<Part>,
}

/// Returns the programs, with an include in place of each text that has a file of its own, and
/// those files: path under `p4/`, and text.
pub(super) fn shared(programs: &[Sharer]) -> Vec<(String, String)> {
    let mut lists = Files::new("lists", "entries");
    let elements: Vec<Vec<Element>> =
        programs.iter().map(|program| elements(&program.parts, &mut lists)).collect();
    let shared = repeated(elements.iter().map(Vec::as_slice));
    let sequences: Vec<Vec<Atom>> = elements.iter().map(|all| atoms(all, &shared)).collect();
    let runs = Runs::of(&sequences);
    let mut includes = Files::new("include", "p4");
    let mut texts = vec![String::new(); programs.len()];
    for at in 0..programs.len() {
        for run in runs.split(&sequences[at]) {
            let text: String = run.iter().map(|atom| atom.text).collect();
            let users: Vec<usize> = runs.users(run[0]).collect();
            let lines = text.lines().count();
            if users.len() < 2 || lines * users.len() < lines + users.len() + SAVED {
                texts[at].push_str(&text);
                continue;
            }
            let dialects: BTreeSet<&str> =
                users.iter().map(|user| programs[*user].dialect.as_str()).collect();
            let path = includes.path_of(&name(&run, &dialects), &unindented(&text));
            let indent = &text[..text.len() - text.trim_start_matches(' ').len()];
            texts[at].push_str(&format!("{indent}#include \"../{path}\"\n"));
        }
    }
    let paths = programs.iter().map(|program| program.path.clone());
    paths.zip(texts).chain(lists.files()).chain(includes.files()).collect()
}

/// Names a run of elements by its first and its last, and by the language if only one has it.
fn name(run: &[&Atom<'_>], dialects: &BTreeSet<&str>) -> String {
    let name = |atom: &Atom<'_>| atom.name.unwrap_or_default().to_owned();
    let mut name = match run {
        [only] => name(only),
        [first, .., last] => format!("{}_to_{}", name(first), name(last)),
        [] => String::new(),
    };
    if let (Some(dialect), 1) = (dialects.first(), dialects.len()) {
        name.push_str(&format!("_{dialect}"));
    }
    name
}

/// Returns lines without the indentation that they share.
fn unindented(text: &str) -> String {
    let width = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let least = text.lines().filter(|line| !line.is_empty()).map(width).min().unwrap_or(0);
    text.lines().map(|line| format!("{}\n", line.get(least..).unwrap_or_default())).collect()
}

/// A part with its long lists in files.
struct Element {
    name: Option<String>,
    text: String,
    within: Vec<Element>,
}

fn elements(parts: &[Part], lists: &mut Files) -> Vec<Element> {
    let mut text = |chunk: &Chunk| match chunk {
        Chunk::Entries { table, lines, depth } if lines.len() >= LONG => {
            let path = lists.path_of(table, &(lines.join("\n") + "\n"));
            format!("{}#include \"../{path}\"\n", "    ".repeat(*depth))
        }
        other => other.text(),
    };
    let texts: Vec<String> =
        parts.iter().map(|part| part.chunks.iter().map(&mut text).collect()).collect();
    let element = |(part, text): (&Part, String)| Element {
        name: part.name.clone(),
        text,
        within: elements(&part.within, lists),
    };
    parts.iter().zip(texts).map(element).collect()
}

/// Returns the texts of elements that several programs have, and how many of them.
fn repeated<'e>(programs: impl Iterator<Item = &'e [Element]>) -> BTreeMap<&'e str, usize> {
    fn add<'e>(elements: &'e [Element], texts: &mut BTreeSet<&'e str>) {
        for element in elements {
            if element.name.is_some() {
                texts.insert(&element.text);
            }
            add(&element.within, texts);
        }
    }
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    for elements in programs {
        let mut texts = BTreeSet::new();
        add(elements, &mut texts);
        texts.into_iter().for_each(|text| *users.entry(text).or_default() += 1);
    }
    users.retain(|_, users| *users > 1);
    users
}

/// Returns whether an element is better shared in pieces than as a whole: other programs have some
/// of what is within it, which would be there twice.
fn falls_apart(element: &Element, shared: &BTreeMap<&str, usize>) -> bool {
    let users = |element: &Element| match element.name {
        Some(_) => shared.get(element.text.as_str()).copied().unwrap_or(1),
        None => 1,
    };
    let lines = |element: &Element| element.text.lines().count();
    let own = users(element);
    let twice = element.within.iter().filter(|one| users(one) > own).map(lines).sum::<usize>();
    own < 2 || twice > (lines(element) - twice) * (own - 1)
}

/// A text that is shared as a whole, or not.
struct Atom<'e> {
    /// The name of one that several programs have.
    name: Option<&'e str>,
    text: &'e str,
}

/// Returns the elements that are shared, and the text between them.
fn atoms<'e>(elements: &'e [Element], shared: &BTreeMap<&str, usize>) -> Vec<Atom<'e>> {
    let mut atoms = Vec::new();
    for element in elements {
        let Element { name, text, within } = element;
        let in_pieces = name.is_none() || falls_apart(element, shared);
        if in_pieces && within.iter().any(|one| one.name.is_some()) {
            atoms.extend(self::atoms(within, shared));
        } else {
            let name = name.as_deref().filter(|_| !in_pieces);
            atoms.push(Atom { name, text });
        }
    }
    atoms
}

/// The neighbours of shared elements.
struct Runs<'e> {
    /// The elements that follow an element, `None` at an end or before text of one program.
    after: BTreeMap<&'e str, BTreeSet<Option<&'e str>>>,
    /// The elements before an element.
    before: BTreeMap<&'e str, BTreeSet<Option<&'e str>>>,
    /// The programs that have an element.
    users: BTreeMap<&'e str, BTreeSet<usize>>,
}

impl<'e> Runs<'e> {
    fn of(sequences: &[Vec<Atom<'e>>]) -> Self {
        let mut runs =
            Self { after: BTreeMap::new(), before: BTreeMap::new(), users: BTreeMap::new() };
        for (program, sequence) in sequences.iter().enumerate() {
            let text = |at: Option<usize>| {
                let atom = sequence.get(at?)?;
                atom.name.map(|_| atom.text)
            };
            for (at, atom) in sequence.iter().enumerate().filter(|(_, atom)| atom.name.is_some()) {
                runs.after.entry(atom.text).or_default().insert(text(at.checked_add(1)));
                runs.before.entry(atom.text).or_default().insert(text(at.checked_sub(1)));
                runs.users.entry(atom.text).or_default().insert(program);
            }
        }
        runs
    }

    /// Returns whether two elements are neighbours wherever one of them is.
    fn belong(&self, first: &Atom<'e>, second: &Atom<'e>) -> bool {
        let only = |set: Option<&BTreeSet<Option<&'e str>>>, other: &Atom<'e>| {
            set.is_some_and(|set| set.len() == 1 && set.contains(&Some(other.text)))
        };
        only(self.after.get(first.text), second) && only(self.before.get(second.text), first)
    }

    /// Splits a program into runs of elements that belong together.
    fn split<'s>(&self, sequence: &'s [Atom<'e>]) -> Vec<Vec<&'s Atom<'e>>> {
        let mut runs: Vec<Vec<&Atom<'e>>> = Vec::new();
        for atom in sequence {
            match runs.last_mut() {
                Some(run) if self.belong(run[run.len() - 1], atom) => run.push(atom),
                _ => runs.push(vec![atom]),
            }
        }
        runs
    }

    /// The programs that have a run which begins with this element.
    fn users(&self, first: &Atom<'e>) -> impl Iterator<Item = usize> {
        let users = if first.name.is_some() { self.users.get(first.text) } else { None };
        users.into_iter().flatten().copied()
    }
}

/// Files of one folder, each once.
#[derive(Debug)]
struct Files {
    folder: &'static str,
    end: &'static str,
    /// Name without a number, and text.
    files: Vec<(String, String)>,
}

impl Files {
    const fn new(folder: &'static str, end: &'static str) -> Self {
        Self { folder, end, files: Vec::new() }
    }

    /// Returns the path of a file, which is taken in if it is new.
    fn path_of(&mut self, name: &str, text: &str) -> String {
        let mut files = self.files.iter();
        let at = files.position(|file| (file.0.as_str(), file.1.as_str()) == (name, text));
        let at = at.unwrap_or_else(|| {
            self.files.push((name.into(), text.into()));
            self.files.len() - 1
        });
        self.path(at)
    }

    /// Returns a path: files of one name are numbered from the second on.
    fn path(&self, at: usize) -> String {
        let Self { folder, end, files } = self;
        let name = &files[at].0;
        match files[..=at].iter().filter(|(other, _)| other == name).count() {
            1 => format!("{folder}/{name}.{end}"),
            number => format!("{folder}/{name}_{number}.{end}"),
        }
    }

    /// Returns paths and texts.
    fn files(self) -> impl Iterator<Item = (String, String)> {
        (0..self.files.len()).map(move |at| (self.path(at), self.files[at].1.clone()))
    }
}
