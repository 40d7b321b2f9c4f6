//! Tests that need tools outside netfold: compilers of P4, and bmv2. A test whose tools are not on
//! the path is listed as ignored, with the names of what is missing.

mod compile;
mod replay;
mod workers;

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};
use netfold_conformance::hardware::bmv2::{self, Bmv2};
use netfold_conformance::{HardwareTarget, LANES, Target};

/// The switch that the cases share: each leaves it without jobs. One that a case has failed on is
/// not used again.
type Shared = Arc<Mutex<Option<HardwareTarget<Bmv2>>>>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Cases share a switch, and compilers take all of the machine's memory.
    arguments.test_threads = Some(1);
    let mut trials = compile::trials();
    let shared = Shared::default();
    for (name, case) in netfold_conformance::conformance_cases!(named) {
        let shared = shared.clone();
        let trial = move || on_bmv2(&shared, case);
        trials.push(needs(bmv2::missing(), format!("through_bmv2::{name}"), trial));
    }
    for (program, name, elements, draw) in replay::PROGRAMS {
        let trial = move || replay::replay(name, elements, draw);
        trials.push(needs(bmv2::missing(), format!("as_the_interpreter::{program}"), trial));
    }
    let two = || replay::two_switches_at_once().map_err(Failed::from);
    trials.push(needs(bmv2::missing(), "two_switches_at_once".into(), two));
    let mut real = |name: &str, test: fn() -> Result<(), Failed>| {
        trials.push(needs(bmv2::missing(), format!("workers_through_bmv2::{name}"), test));
    };
    real("sums", workers::sums_through_bmv2);
    real("what_a_pipeline_cannot_fold_is_refused", workers::what_a_pipeline_cannot_fold_is_refused);
    let conclusion = libtest_mimic::run(&arguments, trials);
    // What runs is ended before the process: nobody would do it afterwards.
    drop(shared.lock().unwrap_or_else(PoisonError::into_inner).take());
    conclusion.exit_code()
}

/// A test that is ignored where something is missing.
fn needs(
    missing: Option<String>,
    name: String,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let ignored = missing.is_some();
    Trial::test(name, test).with_kind(missing.unwrap_or_default()).with_ignored_flag(ignored)
}

fn on_bmv2(shared: &Shared, case: fn(&mut dyn Target)) -> Result<(), Failed> {
    let mut place = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let mut target = match place.take() {
        Some(target) => target,
        None => HardwareTarget::start(LANES)?,
    };
    case(&mut target);
    target.release_all();
    *place = Some(target);
    Ok(())
}
