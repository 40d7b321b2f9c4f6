//! A program as P4_16: for bmv2 (v1model) and for Tofino (TNA), with what their control planes are
//! told.
//!
//! Both come from the one description that the interpreter runs; nothing is written twice.
//! [`v1model`] and [`tna`] give programs, [`Commands`] and [`bfrt`](fn@bfrt) turn steps of the
//! control plane into what bmv2's command line and Tofino's shell take.

mod bfrt;
mod commands;
mod expr;
mod names;
mod parser;
mod registers;
mod runtime;
mod tables;
mod text;
mod tna;
mod units;
mod v1model;

pub use bfrt::bfrt;
pub use commands::Commands;
pub(crate) use text::{Chunk, Part, Text};

use thiserror::Error;

use self::expr::Scope;
use crate::program::{Gress, Program};

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

/// The program for bmv2.
///
/// # Errors
/// [`EmitError::Pipelines`] if it needs more than one pipeline.
pub fn v1model(program: &Program) -> Result<String, EmitError> {
    Ok(text::whole(&v1model::parts(program)?))
}

/// The program for Tofino 1 and 2.
///
/// # Errors
/// [`EmitError::Operation`] if it shifts by a field, [`EmitError::ByteOrder`] if a header is
/// little-endian.
pub fn tna(program: &Program) -> Result<String, EmitError> {
    Ok(text::whole(&tna::parts(program)?))
}

/// The parts of a program, for those that are written together.
pub(crate) fn parts(program: &Program, arch: Arch) -> Result<Vec<Part>, EmitError> {
    match arch {
        Arch::V1Model => v1model::parts(program),
        Arch::Tna => tna::parts(program),
    }
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

/// Writes the head of a file: its purpose and its origin.
pub(crate) fn head(text: &mut Text, program: &Program, arch: &str) {
    text.line(format!("// {} for {arch}.", program.name));
    program.doc.iter().for_each(|line| text.line(format!("// {line}")));
    text.line("// Written by `netfold p4 emit`; do not edit.");
    text.gap();
}

/// Types of headers, of their collection, of metadata and of reports. `headers` and `fields` say
/// which of them.
pub(crate) fn types(text: &mut Text, program: &Program, arch: Arch) {
    for header in &program.headers {
        text.begin(format!("{}_header", header.name));
        text.line(format!("header {}_h {{", header.name));
        for field in &header.fields {
            let field = program.field(*field);
            text.line(format!("bit<{}> {};", field.bits, expr::safe(&field.name)));
        }
        text.line("}");
        text.end();
    }
    if !program.report.is_empty() {
        text.begin("report");
        text.line("// What the control plane is told.");
        text.line("struct report_t {");
        for field in &program.report {
            let field = program.field(*field);
            text.line(format!("bit<{}> {};", field.bits, expr::safe(&field.name)));
        }
        text.line("}");
        if arch == Arch::V1Model {
            let scope = Scope { program, arch, gress: Gress::Ingress, in_unit: false };
            let fields: Vec<_> = program.report.iter().map(|field| scope.read(*field)).collect();
            let report = names::REPORT;
            text.line(format!(
                "#define {report}(reason) digest<report_t>(reason, {{ {} }})",
                fields.join(", ")
            ));
        } else {
            text.line(format!(
                "#define {}(reason) ig_dprsr_md.digest_type = 3w##reason",
                names::REPORT
            ));
        }
        text.end();
    }
}
