//! A program as P4_16: for bmv2 (v1model) and for Tofino (TNA), with what their control planes are
//! told.
//!
//! Both come from the one description that the interpreter runs; nothing is written twice.
//! [`v1model`] and [`tna`] give programs, [`Commands`] and [`bfrt`](fn@bfrt) turn steps of the
//! control plane into what bmv2's command line and Tofino's shell take.

mod bfrt;
mod commands;
mod expr;
mod parser;
mod registers;
mod runtime;
mod tables;
mod tna;
mod units;
mod v1model;

pub use bfrt::bfrt;
pub use commands::Commands;
pub use tna::tna;
pub use v1model::v1model;

use thiserror::Error;

/// The reason why a program cannot be written for a target.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// bmv2 has one pipeline, and registers belong to a pipeline.
    #[error(
        "program `{program}` goes through {pipelines} pipelines, and bmv2 has one; build it with all lanes in one pipeline, which bmv2 has no limits against"
    )]
    Pipelines {
        /// The program.
        program: String,
        /// Its pipelines.
        pipelines: usize,
    },
    /// A parser that converts the byte order of lanes is an extension that Tofino does not have.
    #[error(
        "header `{header}` is little-endian, and Tofino's parser takes bytes in network order alone; make the program for lanes in network order"
    )]
    ByteOrder {
        /// The header.
        header: String,
    },
    /// An operation that the target's language cannot express.
    #[error("table `{table}`: {what}")]
    Operation {
        /// The table.
        table: String,
        /// The operation that it asks for, and the remedy.
        what: &'static str,
    },
}

/// One of the two architectures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arch {
    V1Model,
    Tna,
}

/// The controls before and after replication. Architectures have types called `Ingress` and
/// `Egress`.
pub(crate) const INGRESS: &str = "SwitchIngress";
pub(crate) const EGRESS: &str = "SwitchEgress";

/// Lines with their indentation.
#[derive(Debug, Default)]
pub(crate) struct Text {
    out: String,
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
        if !line.is_empty() {
            self.out.push_str(&"    ".repeat(self.depth));
            self.out.push_str(line);
        }
        self.out.push('\n');
        if line.ends_with('{') || line.ends_with("= {") {
            self.depth += 1;
        }
    }

    /// Lines that are indented already, from the left.
    pub fn block(&mut self, lines: &str) {
        self.out.push_str(lines);
    }

    /// Writes an empty line.
    pub fn gap(&mut self) {
        self.out.push('\n');
    }

    /// Returns the whole text.
    pub fn finish(self) -> String {
        self.out
    }
}

/// Writes the head of a file: its purpose and its origin.
pub(crate) fn head(text: &mut Text, program: &crate::Program, arch: &str) {
    text.line(format!("// {} for {arch}.", program.name));
    program.doc.iter().for_each(|line| text.line(format!("// {line}")));
    text.line("// Written by `netfold p4 emit`; do not edit.");
    text.gap();
}

/// Types of headers, of their collection, of metadata and of reports. `headers` and `fields` say
/// which of them.
pub(crate) fn types(text: &mut Text, program: &crate::Program) {
    for header in &program.headers {
        text.line(format!("header {}_h {{", header.name));
        for field in &header.fields {
            let field = program.field(*field);
            text.line(format!("bit<{}> {};", field.bits, expr::safe(&field.name)));
        }
        text.line("}");
        text.gap();
    }
    if !program.report.is_empty() {
        text.line("// What the control plane is told.");
        text.line("struct report_t {");
        for field in &program.report {
            let field = program.field(*field);
            text.line(format!("bit<{}> {};", field.bits, expr::safe(&field.name)));
        }
        text.line("}");
        text.gap();
    }
}
