//! Switches as hardware has them: the budget of a pipeline's program, and what passes cost.

use netfold_num::{Arithmetic, Protocol};
use netfold_sim::{
    Calibration, CallSetup, Cluster, Error, Faults, Hardware, JobSetup, Layer, Setup, Time,
};
use netfold_wire::IntegrityKind;

pub const WORKERS: u16 = 4;
pub const ELEMENTS: u64 = 64 * 1_000;

pub fn hardware(elements: u16, pass_ns: f64) -> Option<Hardware> {
    Some(Hardware { elements, pass_ns })
}

pub fn setup(payload_bytes: u32, hardware: Option<Hardware>) -> Setup {
    let layer = Layer {
        fan_out: WORKERS.into(),
        rate_gbps: 100.0,
        delay_ns: 500,
        queue_bytes: 4 << 20,
        mark_bytes: None,
        faults: Faults::default(),
    };
    let call = CallSetup { elements: ELEMENTS, ..CallSetup::default() };
    let job = JobSetup { payload_bytes, calls: vec![call], slots: 64, ..JobSetup::new(WORKERS) };
    let mut setup = Setup::new(vec![layer], vec![job]);
    setup.switches.hardware = hardware;
    setup
}

pub fn ended(setup: &Setup) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), 1).unwrap();
    cluster.run();
    assert!(cluster.completed(0, 0).is_some());
    cluster
}

pub fn refusal(change: impl Fn(&mut Setup)) -> String {
    let mut setup = setup(256, hardware(64, 1.0));
    change(&mut setup);
    match Cluster::new(&setup, &Calibration::built_in(), 1).err() {
        Some(Error::Hardware { job, why }) => {
            assert!(job.contains("job"), "{job}");
            why
        }
        Some(other) => panic!("refused otherwise: {other}"),
        None => panic!("not refused"),
    }
}

/// SwitchML, section 5: 64 lanes take one pass and one more with the result, 256 lanes four, and
/// seven more. All blocks are full, and none is lost.
#[test]
fn packets_recirculate_as_the_program_has_them() {
    for (elements, fold, result) in [(64u64, 1, 2), (256, 4, 11)] {
        let cluster = ended(&setup(4 * elements as u32, hardware(elements as u16, 1.0)));
        let rounds = cluster.counters(0, 0).rounds;
        assert!(rounds >= ELEMENTS / elements);
        let of_a_round = u64::from(WORKERS - 1) * (fold - 1) + (result - 1);
        assert_eq!(cluster.report().recirculations, rounds * of_a_round);
    }
    assert_eq!(ended(&setup(256, None)).report().recirculations, 0);
}

/// A pipeline that is slower than its links is what the call takes: its packets' passes, one after
/// the other.
#[test]
fn a_slow_pipeline_bounds_the_call() {
    const PASS_NS: u64 = 1_000;
    let cluster = ended(&setup(256, hardware(64, PASS_NS as f64)));
    let passes = cluster.counters(0, 0).rounds * u64::from(WORKERS + 1);
    let busy = Time::from_ns(passes * PASS_NS);
    let took = cluster.completed(0, 0).unwrap();
    // Besides, the links' delay, and the first packet's way: far below a hundredth of it.
    assert!(took >= busy && took.ns() < busy.ns() + busy.ns() / 100 + 10_000, "{took} for {busy}");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    assert!(refusal(|setup| setup.jobs[0].payload_bytes = 512).contains("payload_bytes"));
    assert!(refusal(|setup| setup.jobs[0].terms.arithmetic = Arithmetic::Native).contains("block"));
    assert!(refusal(|setup| setup.jobs[0].terms.protocol = Protocol::Acked).contains("shadow"));
    assert!(
        refusal(|setup| setup.jobs[0].terms.integrity = IntegrityKind::Checksum)
            .contains("transport")
    );
    let why = refusal(|setup| setup.switches.hardware = hardware(300, 1.0));
    assert!(why.contains("nearest number that can is 256"), "{why}");
    let why = refusal(|setup| setup.switches.hardware = hardware(96, 1.0));
    assert!(why.contains("payload_bytes = 384"), "{why}");
    // 64 lanes of 4 bytes in two copies are 512 bytes: the 16384 slots of bulk and those of urgent
    // calls are above 8 MiB, which twelve stages do not have for lanes.
    let why = refusal(|setup| setup.jobs[0].slots = 16_384);
    assert!(why.contains("SRAM blocks for registers"), "{why}");
}
