//! Results are compared with the inputs, not with each other: a switch that adds wrongly is found.

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_sim::{
    Calibration, CallReport, CallSetup, Cluster, CollectiveName, Content, Faults, Input, JobSetup,
    Layer, Management, Miscount, Report, Setup, SwitchError, Time, WrongResult,
};
use netfold_wire::{IntegrityKind, Terms};
use netfold_worker::{Call, Collective, Reduction};

const WORKERS: u16 = 6;

fn layer(fan_out: u32) -> Layer {
    Layer {
        fan_out,
        rate_gbps: 10.0,
        delay_ns: 500,
        queue_bytes: 4 << 20,
        mark_bytes: None,
        faults: Faults::default(),
    }
}

/// Six workers below two switches, 1 and 2, below the root, 0.
fn setup(job: JobSetup, errors: &[SwitchError]) -> Setup {
    Setup { switch_errors: errors.to_vec(), ..Setup::new(vec![layer(2), layer(3)], vec![job]) }
}

fn job(arithmetic: Arithmetic, call: CallSetup) -> JobSetup {
    let calls = vec![call];
    JobSetup {
        terms: Terms { arithmetic, ..Terms::new(IntegrityKind::default()) },
        content: Content::Real,
        payload_bytes: 256,
        calls,
        ..JobSetup::new(WORKERS)
    }
}

fn sum(element_type: ElementType) -> CallSetup {
    CallSetup { elements: 3000, element_type, ..CallSetup::default() }
}

fn error(switch: u32, share: f64, does: Miscount) -> SwitchError {
    SwitchError { switch, share, does }
}

fn report(setup: &Setup, seed: u64) -> Report {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), seed).unwrap();
    cluster.run();
    cluster.report()
}

fn first_call(report: &Report) -> &CallReport {
    &report.jobs[0].calls[0]
}

/// Every arithmetic and type: right without errors, and wrong when a third of the contributions to
/// a switch, of any level, count twice.
#[test]
fn a_contribution_that_counts_twice_is_found() {
    use ElementType::{Bf16, F16, F32, F64, I32, I64, U8};
    for (arithmetic, types) in [
        (Arithmetic::Native, &[F32, F64, F16, Bf16, I32, I64, U8][..]),
        (Arithmetic::Block, &[F32, F16, Bf16, I32]),
        (Arithmetic::Fpisa, &[F32, F16, Bf16, I64]),
        (Arithmetic::FpisaA, &[F32]),
        (Arithmetic::LogTable, &[F32]),
    ] {
        for element_type in types {
            let job = job(arithmetic, sum(*element_type));
            let well = report(&setup(job.clone(), &[]), 1);
            assert!(
                well.is_well() && first_call(&well).wrong.is_none(),
                "{arithmetic} {element_type:?}: {well:?}"
            );
            for switch in 0..3 {
                let ill =
                    report(&setup(job.clone(), &[error(switch, 0.3, Miscount::AddsTwice)]), 1);
                let call = first_call(&ill);
                assert!(
                    call.took_ms.is_some() && !ill.is_well(),
                    "{arithmetic} {element_type:?}: {ill:?}"
                );
                assert!(call.wrong_lanes > 0 && call.wrong.is_some());
            }
        }
    }
}

/// R-NUM-20, R-NUM-21: where the links are the limit, a sum of elements of 16 bits takes the time
/// of its packets, which have as many lanes of half the length: at 1024 bytes of lanes of 4, 106
/// bytes of headers in either.
#[test]
fn a_slow_link_carries_elements_of_16_bits_in_half_the_bytes() {
    let took = |element_type| {
        let call = CallSetup { elements: 1_000_000, ..sum(element_type) };
        let job = JobSetup { payload_bytes: 1024, ..job(Arithmetic::Block, call) };
        let slow = Layer { rate_gbps: 0.1, ..layer(WORKERS.into()) };
        let report = report(&Setup::new(vec![slow], vec![job]), 1);
        let call = first_call(&report);
        let share = call.line_rate_share.expect("it has ended");
        assert!((0.95..=1.0).contains(&share), "{element_type:?} takes {share} of the link");
        call.took_ms.expect("it has ended")
    };
    let full = took(ElementType::F32);
    for element_type in [ElementType::F16, ElementType::Bf16] {
        let share = took(element_type) / full;
        assert!(
            (share - 618.0 / 1130.0).abs() < 0.02,
            "{element_type:?} takes {share} of the time"
        );
    }
}

/// Probes, and whatever packets prove, with and without a management plane: a flipped bit of an
/// integer shows in its sum.
#[test]
fn a_flipped_bit_is_found() {
    let flips = [error(2, 0.2, Miscount::FlipsABit)];
    let job = job(Arithmetic::Native, sum(ElementType::I32));
    for content in [Content::Probe, Content::Real] {
        for integrity in [IntegrityKind::Transport, IntegrityKind::Checksum, IntegrityKind::Token] {
            for managed in [false, true] {
                if managed && content == Content::Probe {
                    continue;
                }
                let mut all = setup(
                    JobSetup { content, terms: job.terms.with_integrity(integrity), ..job.clone() },
                    &flips,
                );
                all.management = managed.then(Management::default);
                let ill = report(&all, 3);
                assert!(first_call(&ill).took_ms.is_some(), "{ill:?}");
                assert!(ill.jobs[0].ends.iter().all(|end| end.is_well), "{ill:?}");
                assert!(first_call(&ill).wrong_lanes > 0 && !ill.is_well(), "{ill:?}");
                all.switch_errors.clear();
                assert!(report(&all, 3).is_well());
            }
        }
    }
}

/// The other collectives: each element of each result is checked at the worker that has it.
#[test]
fn no_collective_goes_unchecked() {
    for collective in [
        CollectiveName::AllReduce,
        CollectiveName::Reduce,
        CollectiveName::ReduceScatter,
        CollectiveName::AllGather,
        CollectiveName::Broadcast,
    ] {
        let call = CallSetup { collective, root: 4, ..sum(ElementType::I32) };
        let ill =
            report(&setup(job(Arithmetic::Native, call), &[error(0, 1.0, Miscount::FlipsABit)]), 1);
        assert!(first_call(&ill).wrong_lanes > 0, "{collective:?}");
    }
}

/// With every contribution counted twice by the only switch the sums are twice what they should be,
/// and the report says so.
#[test]
fn the_report_names_rank_element_and_both_values() {
    for management in [None, Some(Management::default())] {
        let mut twice = setup(
            JobSetup { calls: Vec::new(), ..job(Arithmetic::Native, sum(ElementType::I32)) },
            &[],
        );
        twice.layers = vec![layer(u32::from(WORKERS))];
        twice.switch_errors = vec![error(0, 1.0, Miscount::AddsTwice)];
        twice.management = management;
        let mut cluster = Cluster::new(&twice, &Calibration::built_in(), 1).unwrap();
        // Element e of rank r is (r + 1) (1000 + e).
        let factors = 1..=i32::from(WORKERS);
        let input =
            |factor: i32| (1000..1100).flat_map(|value| (factor * value).to_le_bytes()).collect();
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements: 100,
            priority: None,
        };
        let inputs = factors.clone().map(input).collect();
        cluster.submit(0, call, Time::ZERO, Input::Bytes { inputs, in_place: true }).unwrap();
        cluster.run();
        let report = cluster.report();
        assert_eq!(first_call(&report).wrong_lanes, 100 * u64::from(WORKERS));
        let Some(WrongResult { rank, element }) = &first_call(&report).wrong else {
            panic!("{report:?}")
        };
        let wanted = factors.sum::<i32>() * 1000;
        assert!(*rank < WORKERS);
        assert_eq!(
            (element.element, &element.wanted, &element.got),
            (0, &wanted.to_string(), &(2 * wanted).to_string())
        );
    }
}

/// Errors are drawn from the seed, and share 0 draws none.
#[test]
fn one_seed_has_the_same_errors() {
    let with = |share| {
        setup(
            job(Arithmetic::Native, sum(ElementType::I32)),
            &[error(1, share, Miscount::FlipsABit)],
        )
    };
    let wrong = |share, seed| first_call(&report(&with(share), seed)).wrong.clone();
    assert_eq!(wrong(0.1, 5), wrong(0.1, 5));
    assert_ne!(wrong(0.1, 5), wrong(0.1, 6));
    assert_eq!(wrong(0.0, 5), None);
}

#[test]
fn errors_that_cannot_be_are_refused() {
    let refused = |error| {
        let setup = setup(job(Arithmetic::Native, sum(ElementType::I32)), &[error]);
        Cluster::new(&setup, &Calibration::built_in(), 1).err().unwrap().to_string()
    };
    assert!(refused(error(0, 1.5, Miscount::AddsTwice)).contains("switch_errors.share = 1.5"));
    assert!(
        refused(error(3, 0.5, Miscount::AddsTwice)).contains("switch 3 is not there: there are 3")
    );
}
