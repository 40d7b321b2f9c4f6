//! `netfold p4`: the switch as hardware, as P4_16 and by the resources that it takes of a switch.

mod files;
pub(crate) mod flags;
mod report;

use netfold_pisa::catalog::{Dialect, Made, Request};
use netfold_pisa::{Pipeline, Target};

use self::flags::{EmitFlags, P4, ProgramFlags};
use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Runs the command.
///
/// # Errors
/// [`Error::Usage`] for what cannot be made, [`Error::Results`] for a folder that cannot be written
/// to.
pub(crate) fn run(what: &P4) -> Result<i32, Error> {
    match what {
        P4::Emit(flags) => emit(flags),
        P4::Report { program, target, json } => {
            report::run(program, target.map(Target::from), *json)
        }
    }
}

fn emit(flags: &EmitFlags) -> Result<i32, Error> {
    if flags.all {
        let out = flags
            .out
            .as_deref()
            .ok_or_else(|| Error::Usage("--all writes many files; say where with --out".into()))?;
        let all =
            netfold_pisa::catalog::files().map_err(|error| Error::Usage(error.to_string()))?;
        files::write(out, &all)?;
        return Ok(SUCCESS);
    }
    let dialect: Dialect = flags.target.into();
    let request = request(&flags.program, dialect == Dialect::V1Model)?;
    let made = request.make();
    // No program leaves that the interpreter would refuse; a successful compilation is no proof.
    if dialect == Dialect::Tna {
        held_to(&made, request.name.target())?;
    } else {
        held_to(&made, Target::bmv2())?;
    }
    let stem = request.file_stem();
    let (text, runtime) = netfold_pisa::catalog::emit(&made, dialect, &stem)
        .map_err(|error| Error::Usage(error.to_string()))?;
    match flags.out.as_deref() {
        Some(out) => {
            let suffix = if dialect == Dialect::Tna { "bfrt.py" } else { "commands" };
            files::write(
                out,
                &[(format!("{stem}.p4"), text), (format!("{stem}.{suffix}"), runtime)],
            )?;
        }
        None => terminal::say(if flags.runtime { &runtime } else { &text })?,
    }
    Ok(SUCCESS)
}

/// Returns the request that the flags make.
fn request(flags: &ProgramFlags, one_pipeline: bool) -> Result<Request, Error> {
    let mismatched = || {
        Error::Usage(
            "--arithmetic is block, fpisa-a or fpisa for switchml and switchml-roce, and block, fpisa-a or logtable for libra, libra-cpu and libra-bloom; other programs have one of their own".into(),
        )
    };
    let name = flags.name().ok_or_else(mismatched)?;
    let request = Request {
        name,
        protocol: flags.protocol.into(),
        byte_order: flags.byte_order.into(),
        elements: flags.elements.unwrap_or(flags::usual_elements(name)),
        workers: flags.workers,
        slots: flags.slots,
        one_pipeline,
    };
    request.checked().map_err(|error| Error::Usage(error.to_string()))
}

fn held_to(made: &Made, target: Target) -> Result<(), Error> {
    let loaded = Pipeline::load(made.program.clone(), target);
    loaded.map(|_| ()).map_err(|refusal| Error::Usage(refusal.to_string()))
}
