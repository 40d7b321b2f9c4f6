//! The files that are made of programs, one set for each language.

use netfold_num::Protocol;

use super::includes::{self, Sharer};
use super::{Dialect, Made, Name, Request, Rows};
use crate::p4::{self, EmitError};
use crate::programs::Arithmetic;
use crate::programs::fpisa::Variant;
use crate::programs::libra::{MOST_PAIRS, Sums};

/// The files under `p4/`: path from there, and text. Programs include the text that they
/// share, and long lists of entries, each of which is there once.
///
/// # Errors
/// [`EmitError`] does not occur for the programs that are checked in.
pub fn files() -> Result<Vec<(String, String)>, EmitError> {
    let (mut files, mut programs) = (Vec::new(), Vec::new());
    let of_name = |name| Protocol::ALL.map(|protocol| (name, protocol));
    for (name, protocol) in Name::ALL.into_iter().flat_map(of_name) {
        for dialect in Dialect::ALL {
            for elements in sizes(name, protocol, dialect) {
                let (elements, one_pipeline) = (*elements, dialect == Dialect::V1Model);
                let request =
                    Request { protocol, slots: 128, one_pipeline, ..Request::new(name, elements) };
                let stem = request.file_stem();
                // Floats over RoCE have an entry for each queue pair of each worker.
                let floats_over_roce = matches!(name, Name::SwitchMlRoce(Arithmetic::Fpisa(_)));
                let made = request.make_with_job(if floats_over_roce { 8 } else { request.slots });
                let (parts, runtime) =
                    (p4::parts(&made.program, dialect.arch())?, runtime(&made, dialect, &stem));
                let stem = format!("{}/{stem}", dialect.as_str());
                let suffix = match dialect {
                    Dialect::V1Model => "commands",
                    Dialect::Tna => "bfrt.py",
                };
                programs.push(Sharer { path: format!("{stem}.p4"), dialect, parts });
                files.push((format!("{stem}.{suffix}"), runtime));
            }
        }
    }
    files.extend(includes::shared(&programs));
    Ok(files)
}

fn sizes(name: Name, protocol: Protocol, dialect: Dialect) -> &'static [u16] {
    match (name, dialect) {
        _ if protocol == Protocol::Acked => match name {
            Name::SwitchMl(Arithmetic::Block) => &[64],
            _ => &[],
        },
        (Name::SwitchMl(Arithmetic::Block), Dialect::V1Model) => &[64],
        (Name::SwitchMl(Arithmetic::Block), Dialect::Tna) => &[64, 256],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)), Dialect::V1Model) => &[4],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)), Dialect::Tna) => &[1, 4],
        (Name::SwitchMl(Arithmetic::Fpisa(Variant::Full)), Dialect::V1Model) => &[8],
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::V1Model) => &[64],
        (Name::SwitchMlRoce(Arithmetic::Block), Dialect::Tna) => &[64, 256],
        (Name::P4Sgd, _) => &[8],
        (Name::FpisaA, _) => &[1],
        (Name::Fpisa, Dialect::V1Model) => &[4],
        // What fills its tables is long, and is emitted on request.
        (Name::Libra(_, Sums::LogTable), _) => &[],
        (Name::Libra(..), Dialect::V1Model) => &[MOST_PAIRS],
        // It is emitted on request: no compiler has placed it yet (R-PISA-41).
        (Name::Libra(..), Dialect::Tna) => &[],
        (Name::Rows(Rows::Filter), Dialect::V1Model) => &[6],
        (Name::Rows(Rows::Thresholds), Dialect::V1Model) => &[8],
        (Name::Rows(Rows::Matrix), Dialect::V1Model) => &[12],
        (Name::Rows(Rows::Distinct | Rows::Extreme), Dialect::V1Model) => &[2],
        (Name::Rows(Rows::Bloom | Rows::Sum), Dialect::V1Model) => &[1],
        // As those of Libra.
        (Name::Rows(_), Dialect::Tna) => &[],
        (Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full)), Dialect::V1Model) => &[4],
        // FPISA-A takes more stages than are left, and its text is longest.
        (Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Approximate)), _) => &[],
        // They need extensions that Tofino does not have.
        (
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Full))
            | Name::SwitchMlRoce(Arithmetic::Fpisa(Variant::Full))
            | Name::Fpisa,
            Dialect::Tna,
        ) => &[],
    }
}

/// Returns a program and its control plane's steps in one language. `stem` is the name of its file,
/// without the dialect's end.
///
/// # Errors
/// [`EmitError`] if the language cannot express the program.
pub fn emit(made: &Made, dialect: Dialect, stem: &str) -> Result<(String, String), EmitError> {
    let text = match dialect {
        Dialect::V1Model => p4::v1model(&made.program)?,
        Dialect::Tna => p4::tna(&made.program)?,
    };
    Ok((text, runtime(made, dialect, stem)))
}

/// Returns the control plane's steps in one language.
fn runtime(made: &Made, dialect: Dialect, stem: &str) -> String {
    match dialect {
        Dialect::V1Model => p4::Commands::new(made.program.clone()).text(&made.controls),
        Dialect::Tna => p4::bfrt(&made.program, stem, &made.controls),
    }
}
