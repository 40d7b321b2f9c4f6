//! Lines of at most 100 columns: what fits stands in one line, statements beside each other.

use super::Node;

/// Columns of a line.
const COLUMNS: usize = 100;

/// An element of a text that may stand in several programs, or the lines between two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The name of an element.
    pub name: Option<String>,
    /// The lines.
    pub chunks: Vec<Chunk>,
    /// The elements that this one has within it, and the lines between them.
    pub within: Vec<Part>,
}

/// Lines of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Chunk {
    /// Whole lines, with their indentation.
    Lines(String),
    /// The entries of a table.
    Entries {
        /// The table.
        table: String,
        /// The lines, without indentation.
        lines: Vec<String>,
        /// Levels of indentation.
        depth: usize,
    },
}

impl Chunk {
    /// Returns the lines, with their indentation.
    pub fn text(&self) -> String {
        match self {
            Self::Lines(lines) => lines.clone(),
            Self::Entries { lines, depth, .. } => {
                lines.iter().map(|line| format!("{}{line}\n", indent(*depth))).collect()
            }
        }
    }
}

/// Returns the text that parts make.
pub(crate) fn whole(parts: &[Part]) -> String {
    parts.iter().flat_map(|part| &part.chunks).map(Chunk::text).collect()
}

/// A line, or a boundary between parts.
enum Row {
    /// A line with its indentation; others of its kind may follow in it if `joins`.
    Line {
        text: String,
        joins: bool,
    },
    Entries {
        table: String,
        lines: Vec<String>,
        depth: usize,
    },
    Begin(String),
    End,
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}

/// Returns the parts of a text.
pub(super) fn parts(nodes: &[Node]) -> Vec<Part> {
    let mut rows = rows(nodes, 0).into_iter();
    collect(&mut rows)
}

/// Collects the parts up to the end of the one that the rows are in.
fn collect(rows: &mut impl Iterator<Item = Row>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut between = Vec::new();
    while let Some(row) = rows.next() {
        match row {
            Row::Line { text, .. } => match between.last_mut() {
                Some(Chunk::Lines(lines)) => {
                    lines.push_str(&text);
                    lines.push('\n');
                }
                _ => between.push(Chunk::Lines(text + "\n")),
            },
            Row::Entries { table, lines, depth } => {
                between.push(Chunk::Entries { table, lines, depth });
            }
            Row::Begin(name) => {
                parts.extend(unnamed(std::mem::take(&mut between)));
                let within = collect(rows);
                let chunks = within.iter().flat_map(|part| part.chunks.clone()).collect();
                parts.push(Part { name: Some(name), chunks, within });
            }
            Row::End => break,
        }
    }
    parts.extend(unnamed(between));
    parts
}

fn unnamed(chunks: Vec<Chunk>) -> Option<Part> {
    (!chunks.is_empty()).then(|| Part { name: None, chunks, within: Vec::new() })
}

fn rows(nodes: &[Node], depth: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for node in nodes {
        match node {
            Node::Gap => rows.push(Row::Line { text: String::new(), joins: false }),
            Node::Line(line) => statement(&mut rows, line, depth),
            Node::Entries { table, entries } => {
                let lines = filled(entries, COLUMNS - 4 * depth);
                rows.push(Row::Entries { table: table.clone(), lines, depth });
            }
            Node::Piece { name, nodes } => {
                rows.push(Row::Begin(name.clone()));
                rows.extend(self::rows(nodes, depth));
                rows.push(Row::End);
            }
            Node::Block { head, nodes, tail } => block(&mut rows, head, nodes, tail, depth),
        }
    }
    rows
}

/// Writes a statement, behind others in their line if it fits there.
fn statement(rows: &mut Vec<Row>, line: &str, depth: usize) {
    let plain = is_code(line);
    match rows.last_mut() {
        Some(Row::Line { text, joins: true })
            if plain && text.len() + 1 + line.len() <= COLUMNS =>
        {
            text.push(' ');
            text.push_str(line);
        }
        _ => {
            let lines = broken(line, depth);
            let joins = plain && lines.len() == 1;
            rows.extend(lines.into_iter().map(|text| Row::Line { text, joins }));
        }
    }
}

/// Returns whether others may stand beside this in a line: it is no comment, directive or hint.
fn is_code(line: &str) -> bool {
    !["//", "#", "@pa_"].iter().any(|start| line.starts_with(start))
}

/// Writes a block, in one line if it fits there.
fn block(rows: &mut Vec<Row>, head: &str, nodes: &[Node], tail: &str, depth: usize) {
    let inner = self::rows(nodes, depth + 1);
    let code = |row: &Row| match row {
        Row::Line { text, .. } if is_code(text.trim_start()) => Some(text.trim_start().to_owned()),
        Row::Entries { lines, .. } => Some(lines.join(" ")),
        _ => None,
    };
    let inside: Option<Vec<String>> = inner.iter().map(code).collect();
    let flat = inside.map(|inside| {
        let words = [vec![head.to_owned()], inside, vec![tail.to_owned()]].concat();
        format!("{}{}", indent(depth), words.join(" "))
    });
    if let Some(text) = flat.filter(|flat| flat.len() <= COLUMNS) {
        rows.push(Row::Line { text, joins: false });
        return;
    }
    match rows.last_mut() {
        Some(Row::Line { text, .. }) if head.starts_with("else") && text.trim() == "}" => {
            text.push(' ');
            text.push_str(head);
        }
        _ => {
            let lines = broken(head, depth).into_iter();
            rows.extend(lines.map(|text| Row::Line { text, joins: false }));
        }
    }
    rows.extend(inner);
    rows.push(Row::Line { text: format!("{}{tail}", indent(depth)), joins: false });
}

/// Returns a line as several, if it is too long: broken between arguments, conditions or words.
fn broken(line: &str, depth: usize) -> Vec<String> {
    let (next, end) = match line {
        _ if line.starts_with("//") => ("// ", ""),
        _ if line.starts_with('#') => ("    ", " \\"),
        _ => ("    ", ""),
    };
    let words: Vec<&str> = if line.starts_with("//") {
        line.split_inclusive(' ').collect()
    } else {
        let breaks = [", ", " && ", " ? ", " : "];
        breaks.iter().fold(vec![line], |words, end| {
            words.into_iter().flat_map(|word| word.split_inclusive(end)).collect()
        })
    };
    let mut lines = vec![indent(depth)];
    for word in words {
        let last = lines.last_mut().expect("there is a first line");
        if last.len() + word.trim_end().len() + end.len() > COLUMNS && !last.trim().is_empty() {
            *last = format!("{}{end}", last.trim_end());
            lines.push(format!("{}{next}{word}", indent(depth)));
        } else {
            last.push_str(word);
        }
    }
    lines
}

/// Returns entries in lines of at most so many columns, or of one entry.
fn filled(entries: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + entry.len() <= columns => {
                line.push(' ');
                line.push_str(entry);
            }
            _ => lines.push(entry.clone()),
        }
    }
    lines
}
