//! Switches as hardware has them: the budget of a pipeline's program, and what passes cost.

use netfold_cgra::{Array, Effort, Memories, Request, compile, extract};
use netfold_num::{Arithmetic, ElementType, Protocol};
use netfold_sim::{
    Calibration, CallSetup, Cluster, Error, Faults, Hardware, JobSetup, Layer, Scenario, Setup,
    Time,
};
use netfold_wire::IntegrityKind;

const WORKERS: u16 = 4;
const ELEMENTS: u64 = 64 * 1_000;

/// A cycle of an array at 250 MHz.
const CYCLE_PS: u64 = 4_000;

fn hardware(elements: u16, pass_ns: f64) -> Option<Hardware> {
    Some(Hardware { elements, pass_ns })
}

fn setup(payload_bytes: u32, hardware: Option<Hardware>) -> Setup {
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

fn ended(setup: &Setup) -> Cluster {
    let mut cluster = Cluster::new(setup, &Calibration::built_in(), 1).unwrap();
    cluster.run();
    assert!(cluster.completed(0, 0).is_some());
    cluster
}

fn refusal(change: impl Fn(&mut Setup)) -> String {
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

/// Cycles of the fold of one packet, by running on the array what a compiler makes of a sum: until
/// its last result, and until another packet may begin.
fn cycles(elements: usize) -> (u64, u64) {
    let module = "(module (memory (export \"memory\") 1)
        (func (export \"fold\") (param $l i32) (param $r i32) (param $n i32)
          (i32.store (local.get $l)
            (i32.add (i32.load (local.get $l)) (i32.load (local.get $r))))))";
    let request = Request { function: "fold", sizes: [4, 4], message: false, keeps: false };
    let program = extract(&wat::parse_str(module).unwrap(), &request).unwrap();
    let array = Array::parse(Array::ACIS).unwrap();
    let compiled = compile(program, &array, Effort::default()).unwrap();
    let operand = vec![0; 4 * elements];
    let mut memories = Memories::new(&compiled.program, operand.clone(), operand, 0);
    let whole = compiled.run(&array, &mut memories, elements).cycles;
    (whole, (elements as f64 * compiled.figures(&array).cycles_per_element).ceil() as u64)
}

/// The packets of all workers come at the same time, and take the array one behind the other; what
/// the last one brings comes out with its last result (R-CGRA-28).
#[test]
fn folds_take_what_their_mapping_on_an_array_says() {
    let took = |elements: u64, array: Option<&str>| {
        let mut setup = setup(1024, None);
        setup.switches.array = array.map(str::to_owned);
        let job = &mut setup.jobs[0];
        job.terms.arithmetic = Arithmetic::Native;
        job.content = netfold_sim::Content::Real;
        job.calls[0] =
            CallSetup { elements, element_type: ElementType::I32, ..CallSetup::default() };
        ended(&setup).completed(0, 0).unwrap().ps()
    };
    for elements in [1, 16, 17, 256] {
        let (whole, busy) = cycles(elements as usize);
        let busy = busy.max(1);
        let more = took(elements, Some("acis")) - took(elements, None);
        assert_eq!(more, (u64::from(WORKERS - 1) * busy + whole) * CYCLE_PS, "{elements}");
    }
    // A long call takes no less than the array takes for all of its packets.
    let packets = ELEMENTS / 256 * u64::from(WORKERS);
    let busy_ps = packets * cycles(256).1 * CYCLE_PS;
    let with_array = took(ELEMENTS, Some("acis"));
    assert!(with_array >= busy_ps, "{with_array} for {busy_ps}");
}

/// Whatever the collective, its packets go through the array: each takes at least the cycles of two
/// loads or one, and a store.
#[test]
fn packets_of_all_collectives_go_through_the_array() {
    use netfold_sim::CollectiveName::*;
    for collective in [
        AllReduce,
        Reduce,
        Broadcast,
        AllGather,
        ReduceScatter,
        Gather,
        Scatter,
        AllToAll,
        Scan,
        ExScan,
        Prefixes,
        ScanTotal,
    ] {
        let took = |array: Option<&str>| {
            let mut setup = setup(1024, None);
            setup.switches.array = array.map(str::to_owned);
            let job = &mut setup.jobs[0];
            job.terms.arithmetic = Arithmetic::Native;
            job.content = netfold_sim::Content::Real;
            let element_type = ElementType::I32;
            job.calls[0] =
                CallSetup { collective, elements: 64, element_type, ..CallSetup::default() };
            ended(&setup).completed(0, 0).unwrap().ps()
        };
        let more = took(Some("acis")) - took(None);
        assert!(more >= 4 * CYCLE_PS, "{collective:?}: {more} ps");
    }
}

/// The scenario of the repository: the operands of both workers go through the array, 16 elements
/// in each cycle.
#[test]
fn the_scenario_takes_the_cycles_of_all_operands() {
    let scenario = Scenario::parse(include_str!("../../scenarios/array.toml")).unwrap();
    assert_eq!(scenario.runs.len(), 4);
    for (run, elements) in scenario.runs.iter().zip([16, 256, 4096, 65536]) {
        let took = |array: Option<&str>| {
            let mut setup = run.setup.clone();
            setup.switches.array = array.map(str::to_owned);
            ended(&setup).completed(0, 0).unwrap().ps()
        };
        let (with, without) = (took(Some("acis")), took(None));
        assert!(with >= without + 4 * CYCLE_PS, "{elements}: {with} ps, {without} ps without it");
        assert!(with >= 2 * elements / 16 * CYCLE_PS, "{elements}: {with} ps");
    }
}

#[test]
fn folds_that_an_array_does_not_have_are_refused_by_name() {
    let array = |change: &dyn Fn(&mut Setup)| {
        refusal(|setup| {
            setup.switches.hardware = None;
            setup.switches.array = Some("acis".into());
            change(setup);
        })
    };
    let why = array(&|setup| setup.jobs[0].terms.arithmetic = Arithmetic::FpisaA);
    assert!(why.contains("no sum of f32 in fpisa-a arithmetic"), "{why}");
    let mut setup = setup(256, hardware(64, 1.0));
    setup.switches.array = Some("acis".into());
    let built = Cluster::new(&setup, &Calibration::built_in(), 1);
    assert!(built.err().unwrap().to_string().contains("one of the two"));
    (setup.switches.hardware, setup.switches.array) = (None, Some("large".into()));
    let built = Cluster::new(&setup, &Calibration::built_in(), 1);
    assert!(built.err().unwrap().to_string().contains("\"small-2x2\""));
}
