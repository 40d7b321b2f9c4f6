//! Long lists of entries in files of their own, which the programs under `p4/` include.

/// Lines from which a list has a file of its own.
const LONG: usize = 48;

/// The lists of several programs, each once.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Name of the table, and the lines.
    lists: Vec<(String, String)>,
}

impl Lists {
    /// Returns a program with an include in place of each long list.
    pub fn taken_out_of(&mut self, program: &str) -> String {
        let mut short = String::new();
        let (mut table, mut lines) = ("", program.lines());
        while let Some(line) = lines.next() {
            short.push_str(line);
            short.push('\n');
            if let Some(name) = line.trim().strip_prefix("table ") {
                table = name.trim_end_matches(" {");
            }
            if line.trim() != "const entries = {" {
                continue;
            }
            let entries: Vec<&str> =
                lines.clone().map(str::trim).take_while(|line| *line != "}").collect();
            if entries.len() >= LONG {
                lines.nth(entries.len() - 1);
                let name = self.name(table, entries.join("\n") + "\n");
                short.push_str(&format!("            #include \"../{name}\"\n"));
            }
        }
        short
    }

    /// Returns the files of the lists: path under `p4/`, and text.
    pub fn files(self) -> impl Iterator<Item = (String, String)> {
        (0..self.lists.len()).map(move |at| (self.path(at), self.lists[at].1.clone()))
    }

    /// Returns the path of a list, which is taken in if it is new.
    fn name(&mut self, table: &str, entries: String) -> String {
        let known = self.lists.iter().position(|(name, lines)| name == table && *lines == entries);
        let at = known.unwrap_or_else(|| {
            self.lists.push((table.into(), entries));
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
