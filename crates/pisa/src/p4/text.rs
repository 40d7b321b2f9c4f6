//! The text of a program, in parts: lines, and lists of entries.

/// A part of a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
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

impl Part {
    /// Returns the part's lines, with their indentation.
    pub fn text(&self) -> String {
        match self {
            Self::Lines(lines) => lines.clone(),
            Self::Entries { lines, depth, .. } => {
                let indent = "    ".repeat(*depth);
                lines.iter().map(|line| format!("{indent}{line}\n")).collect()
            }
        }
    }
}

/// Returns the text that parts make.
pub(crate) fn whole(parts: &[Part]) -> String {
    parts.iter().map(Part::text).collect()
}

/// Lines with their indentation.
#[derive(Debug, Default)]
pub(crate) struct Text {
    parts: Vec<Part>,
    depth: usize,
}

impl Text {
    /// Writes a line. A line that closes a block stands further to the left, and those behind a
    /// line that opens a block further to the right.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with('}') {
            self.depth = self.depth.saturating_sub(1);
        }
        let indent = if line.is_empty() { String::new() } else { "    ".repeat(self.depth) };
        self.block(&format!("{indent}{line}\n"));
        if line.ends_with('{') || line.ends_with("= {") {
            self.depth += 1;
        }
    }

    /// Lines that are indented already, from the left.
    pub fn block(&mut self, lines: &str) {
        match self.parts.last_mut() {
            Some(Part::Lines(text)) => text.push_str(lines),
            _ => self.parts.push(Part::Lines(lines.into())),
        }
    }

    /// Writes parts of another text.
    pub fn append(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Lines(lines) => self.block(lines),
                entries @ Part::Entries { .. } => self.parts.push(entries.clone()),
            }
        }
    }

    /// Writes the entries of a table.
    pub fn entries(&mut self, table: &str, lines: Vec<String>) {
        self.parts.push(Part::Entries { table: table.into(), lines, depth: self.depth });
    }

    /// Writes an empty line.
    pub fn gap(&mut self) {
        self.block("\n");
    }

    /// Returns the whole text.
    pub fn finish(self) -> Vec<Part> {
        self.parts
    }
}
