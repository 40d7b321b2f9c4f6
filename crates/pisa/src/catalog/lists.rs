//! Long lists of entries in files of their own, which the programs under `p4/` include.

use crate::p4::Part;

/// Lines from which a list has a file of its own.
const LONG: usize = 48;

/// The lists of several programs, each once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Name of the table, and the lines.
    lists: Vec<(String, Vec<String>)>,
}

impl Lists {
    /// Returns a program with an include in place of each long list.
    pub fn taken_out_of(&mut self, program: &[Part]) -> String {
        let text = |part: &Part| match part {
            Part::Entries { table, lines, depth } if lines.len() >= LONG => {
                let path = self.path_of(table, lines);
                format!("{}#include \"../{path}\"\n", "    ".repeat(*depth))
            }
            other => other.text(),
        };
        program.iter().map(text).collect()
    }

    /// Returns the files of the lists: path under `p4/`, and text.
    pub fn files(self) -> impl Iterator<Item = (String, String)> {
        (0..self.lists.len()).map(move |at| (self.path(at), self.lists[at].1.join("\n") + "\n"))
    }

    /// Returns the path of a list, which is taken in if it is new.
    fn path_of(&mut self, table: &str, entries: &[String]) -> String {
        let known = self.lists.iter().position(|(name, lines)| name == table && lines == entries);
        let at = known.unwrap_or_else(|| {
            self.lists.push((table.into(), entries.into()));
            self.lists.len() - 1
        });
        self.path(at)
    }

    /// Numbers the lists of tables of one name from the second on.
    fn path(&self, at: usize) -> String {
        let table = &self.lists[at].0;
        let number = self.lists[..=at].iter().filter(|(name, _)| name == table).count();
        if number == 1 {
            format!("lists/{table}.entries")
        } else {
            format!("lists/{table}_{number}.entries")
        }
    }
}
