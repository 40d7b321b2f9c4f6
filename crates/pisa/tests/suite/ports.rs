//! R-PISA-6: jobs of more workers than a pipeline has ports to hosts, and as many as a switch
//! takes.

use std::collections::BTreeSet;

use netfold_num::{ElementType, Exponent, Operation};
use netfold_pisa::catalog::{
    Dialect, MOST_WORKERS, Made, Name, Request, emit, example_address, example_switch,
};
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::{Pipeline, Sent, Target};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, JobId, Kind, Pool, Position, Repr,
    SlotIndex, WorkerId,
};

const BLOCK: Name = Name::SwitchMl(Arithmetic::Block);
const FLOATS: Name = Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate));

/// Returns a worker's port in an emitted job: port 68 is the way back into the pipeline.
fn bmv2_port(worker: u16) -> u16 {
    if worker < 68 { worker } else { worker + 1 }
}

fn request(name: Name, workers: u16, one_pipeline: bool) -> Request {
    Request { workers, slots: 16, one_pipeline, ..Request::new(name, 4) }
}

/// The frame in which a worker, counted from 1, contributes a lane of its own number, or of 1.0,
/// four times.
fn contribution(name: Name, worker: u16) -> Vec<u8> {
    let (element_type, lane) = match name {
        BLOCK => (ElementType::I32, u32::from(worker)),
        _ => (ElementType::F32, 1f32.to_bits()),
    };
    let repr = Repr {
        direction: Direction::Contribution(WorkerId(worker - 1)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: JobId(1),
        epoch: Epoch(1),
        position: Position(0),
        slot: SlotIndex(0),
        elements: 4,
        element_type,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::UNKNOWN,
        delivery: Delivery::All,
        call: CallDigest(7),
    };
    let mut datagram = vec![0; HEADER_BYTES];
    repr.emit(datagram.first_chunk_mut().unwrap());
    datagram.extend([lane; 4].iter().flat_map(|lane| lane.to_be_bytes()));
    example_address(worker).frame(&example_switch(), &datagram)
}

/// Runs one round of the emitted job, and checks that every worker gets the sum, once, at its port
/// and address.
fn every_worker_gets_the_sum(name: Name, workers: u16, target: Target, port: impl Fn(u16) -> u16) {
    let Made { program, controls } = request(name, workers, target == Target::bmv2())
        .checked()
        .unwrap_or_else(|error| panic!("{error}"))
        .make();
    let mut pipeline =
        Pipeline::load(program, target).unwrap_or_else(|refusal| panic!("{refusal}"));
    for control in &controls {
        control.apply(&mut pipeline).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
    let mut sent = Vec::new();
    for worker in 1..=workers {
        assert_eq!(sent, [], "before worker {worker} of {workers} contributes");
        sent = pipeline
            .process(port(worker), &contribution(name, worker))
            .unwrap_or_else(|refusal| panic!("{refusal}"))
            .sent;
    }
    let sum = match name {
        BLOCK => (1..=u32::from(workers)).sum(),
        _ => f32::from(workers).to_bits(),
    };
    sent.sort_by_key(|sent| sent.port);
    assert_eq!(sent.len(), usize::from(workers));
    for (worker, Sent { port: by, bytes }) in (1..).zip(&sent) {
        assert_eq!(*by, port(worker));
        let datagram = example_address(worker)
            .unframe(bytes)
            .unwrap_or_else(|other| panic!("{worker}: {other}"));
        let lanes: Vec<u8> = [sum; 4].iter().flat_map(|lane: &u32| lane.to_be_bytes()).collect();
        assert_eq!(datagram[HEADER_BYTES..], lanes, "worker {worker} of {workers}");
    }
}

#[test]
fn bmv2_serves_more_workers_than_a_pipeline_of_tofino() {
    for workers in [64, 67, 68, 69, 129, 254, MOST_WORKERS] {
        every_worker_gets_the_sum(BLOCK, workers, Target::bmv2(), bmv2_port);
    }
    // 256 operands of one exponent do not fit a register (R-FPI-16).
    every_worker_gets_the_sum(FLOATS, 200, Target::bmv2(), bmv2_port);
}

#[test]
fn tofino_serves_as_many_workers_as_its_first_pipeline_has_ports() {
    for name in [BLOCK, FLOATS] {
        every_worker_gets_the_sum(name, 63, Target::tofino(), |worker| worker);
    }
    for name in [BLOCK, FLOATS, Name::FpisaA, Name::Fpisa] {
        for workers in [64, 68, 128] {
            let elements = if name == Name::FpisaA { 1 } else { 4 };
            let refused = Request { elements, ..request(name, workers, false) }
                .checked()
                .unwrap_err()
                .to_string();
            assert!(
                refused.contains(&format!("{workers} workers")) && refused.contains("--workers 63"),
                "{refused}"
            );
        }
    }
}

/// The rest of each line that has a word, behind the word.
fn after<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    text.lines().filter_map(|line| line.split_once(word)).map(|(_, rest)| rest).collect()
}

fn number(text: &str) -> u64 {
    let text = text.trim_matches([',', ')', ' ']);
    text.strip_prefix("0x")
        .map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16))
        .unwrap()
}

/// The commands for bmv2's control plane: ports of copies and of answers, and the addresses of
/// workers.
#[test]
fn the_commands_lead_every_worker_to_a_port_of_its_own() {
    let made = request(BLOCK, MOST_WORKERS, true).checked().unwrap().make();
    let (_, commands) = emit(&made, Dialect::V1Model, "switchml_4").unwrap();
    let wanted: Vec<u64> = (1..=MOST_WORKERS).map(|worker| bmv2_port(worker).into()).collect();
    let copies: Vec<[u64; 2]> = after(&commands, "mc_node_create ")
        .into_iter()
        .map(|rest| <[_; 2]>::try_from(rest.split(' ').map(number).collect::<Vec<_>>()).unwrap())
        .collect();
    // The second group, of results that one worker gets, goes back into the pipeline, too.
    let ports: Vec<u64> = copies.iter().map(|[_, port]| *port).collect();
    assert_eq!(ports, [&wanted[..], &wanted, &[68]].concat());
    let members: Vec<u64> = after(&commands, "members_know ")
        .into_iter()
        .map(|rest| number(rest.rsplit(' ').next().unwrap()))
        .collect();
    assert_eq!(members, wanted);
    // Ethernet and IPv4 of the worker, and of the switch, alternate.
    let reached: Vec<Vec<u64>> = after(&commands, "reach_each_reach ")
        .into_iter()
        .map(|rest| rest.split_once("=> ").unwrap().1.split(' ').map(number).collect())
        .collect();
    assert_eq!(reached.len(), usize::from(MOST_WORKERS));
    for (mac, own, ip, own_ip) in
        reached.iter().map(|values| (values[0], values[1], values[2], values[3]))
    {
        assert!(mac != own && ip != own_ip && !matches!(ip & 0xFF, 0 | 0xFF), "{mac:#x} {ip:#x}");
    }
    let distinct: BTreeSet<_> = reached.iter().map(|values| (values[0], values[2])).collect();
    assert_eq!(distinct.len(), usize::from(MOST_WORKERS));
}

/// The script for Tofino's shell names no port but those to hosts, and the way back.
#[test]
fn the_script_for_tofino_stays_in_the_first_pipeline() {
    let made = request(BLOCK, 63, false).checked().unwrap().make();
    let (_, script) = emit(&made, Dialect::Tna, "switchml_4").unwrap();
    let ports: BTreeSet<u64> = after(&script, "DEV_PORT=[")
        .into_iter()
        .flat_map(|rest| rest.split_once(']').unwrap().0.split(','))
        .map(number)
        .collect();
    assert_eq!(ports, (1..=63).chain([68]).collect(), "{script}");
}

/// Requests of FPISA's program without slots come back by the port of whoever asks.
#[test]
fn answers_without_slots_go_back_by_the_same_ports() {
    let made = Request { elements: 1, ..request(Name::FpisaA, MOST_WORKERS, true) }
        .checked()
        .unwrap()
        .make();
    let (_, commands) = emit(&made, Dialect::V1Model, "fpisa_a_1").unwrap();
    let ports: Vec<u64> = after(&commands, "ports_answer ")
        .into_iter()
        .map(|rest| number(rest.rsplit(' ').next().unwrap()))
        .collect();
    assert_eq!(
        ports,
        (1..=MOST_WORKERS).map(|worker| bmv2_port(worker).into()).collect::<Vec<u64>>()
    );
}
