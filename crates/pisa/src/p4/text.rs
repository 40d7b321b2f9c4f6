//! The text of a program: what its lines say, in parts that several programs can share.

mod layout;

pub(crate) use layout::{Chunk, Part, whole};

/// A statement, a block of statements, or another element of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    /// A statement, a comment or a directive.
    Line(String),
    /// Statements between a line that opens a block and one that closes it.
    Block { head: String, nodes: Vec<Node>, tail: String },
    /// The entries of a table.
    Entries { table: String, entries: Vec<String> },
    /// An element that stands in several programs, perhaps.
    Piece { name: String, nodes: Vec<Node> },
    /// An empty line.
    Gap,
}

/// An element that is still open.
#[derive(Debug)]
enum Open {
    Block(String),
    Piece(String),
}

/// Lines, which are laid out when all of them are there.
#[derive(Debug, Default)]
pub(crate) struct Text {
    nodes: Vec<Node>,
    /// The elements that are open, each with the nodes before it.
    open: Vec<(Open, Vec<Node>)>,
}

/// Nodes of a text, for another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fragment(Vec<Node>);

impl Text {
    /// Writes a line. One that ends with a brace opens a block, and one that begins with a brace
    /// closes it.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if let Some(rest) = line.strip_prefix('}') {
            let tail = if rest.starts_with(';') { "};" } else { "}" };
            self.close(tail);
            let rest = rest.trim_start_matches(';').trim_start();
            if !rest.is_empty() {
                self.line(rest);
            }
        } else if line.ends_with('{') {
            self.open(Open::Block(line.into()));
        } else {
            self.nodes.push(Node::Line(line.into()));
        }
    }

    fn open(&mut self, what: Open) {
        let before = std::mem::take(&mut self.nodes);
        self.open.push((what, before));
    }

    fn close(&mut self, tail: &str) {
        let Some((what, before)) = self.open.pop() else { return };
        let nodes = std::mem::replace(&mut self.nodes, before);
        self.nodes.push(match what {
            Open::Block(head) => Node::Block { head, nodes, tail: tail.into() },
            Open::Piece(name) => Node::Piece { name, nodes },
        });
    }

    /// Begins an element that may stand in several programs, under a name for its file.
    pub fn begin(&mut self, name: impl Into<String>) {
        self.open(Open::Piece(name.into()));
    }

    /// Ends the element that was begun last.
    pub fn end(&mut self) {
        self.close("");
    }

    /// Writes nodes of another text.
    pub fn append(&mut self, fragment: &Fragment) {
        self.nodes.extend_from_slice(&fragment.0);
    }

    /// Writes the entries of a table.
    pub fn entries(&mut self, table: &str, entries: Vec<String>) {
        self.nodes.push(Node::Entries { table: table.into(), entries });
    }

    /// Writes an empty line.
    pub fn gap(&mut self) {
        self.nodes.push(Node::Gap);
    }

    /// Returns the nodes, for another text.
    pub fn fragment(self) -> Fragment {
        Fragment(self.nodes)
    }

    /// Returns the parts of the text, laid out.
    pub fn finish(self) -> Vec<Part> {
        layout::parts(&self.nodes)
    }
}
