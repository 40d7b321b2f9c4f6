//! Tests that need tools outside netfold: compilers of P4, and bmv2. A test whose tools are not on
//! the path is listed as ignored, with the names of what is missing.

mod compile;
mod endpoints;
mod replay;
mod roce;
mod tables;
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
    for (program, request, draw) in replay::PROGRAMS {
        let trial = move || replay::replay(request, draw);
        trials.push(needs(bmv2::missing(), format!("as_the_interpreter::{program}"), trial));
    }
    let two = || replay::two_switches_at_once().map_err(Failed::from);
    trials.push(needs(bmv2::missing(), "two_switches_at_once".into(), two));
    for (name, test) in real() {
        trials.push(needs(bmv2::missing(), format!("workers_through_bmv2::{name}"), test));
    }
    for (name, test) in lossy() {
        trials.push(needs(cannot_lose(), format!("workers_through_bmv2::{name}"), test));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    // What runs is ended before the process: nobody would do it afterwards.
    drop(shared.lock().unwrap_or_else(PoisonError::into_inner).take());
    conclusion.exit_code()
}

/// A test with workers.
type Real = (&'static str, fn() -> Result<(), Failed>);

fn real() -> [Real; 6] {
    [
        ("sums", workers::sums_through_bmv2),
        ("little_endian_floats", workers::little_endian_floats_through_bmv2),
        ("what_a_pipeline_cannot_fold_is_refused", workers::what_a_pipeline_cannot_fold_is_refused),
        ("integers_over_roce", endpoints::integers_over_roce),
        ("floats_over_roce", endpoints::floats_in_roce),
        ("sums_by_p4sgd", endpoints::sums_by_p4sgd),
    ]
}

/// Those whose cables lose datagrams.
fn lossy() -> [Real; 2] {
    [
        ("acknowledged_sums", workers::acknowledged_sums_through_bmv2),
        ("floats", workers::floats_through_bmv2),
    ]
}

fn cannot_lose() -> Option<String> {
    let without_nft = || (!bmv2::is_there("nft")).then(|| "nft is not on the path".to_owned());
    bmv2::missing().or_else(without_nft)
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
