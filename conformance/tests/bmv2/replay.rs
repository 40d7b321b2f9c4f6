//! Every program through bmv2 and through the interpreter: the same frames, and the same frames in
//! answer, byte by byte.

use std::time::Duration;

use libtest_mimic::Failed;
use netfold_conformance::hardware::bmv2::{Cable, Namespace, Process};
use netfold_num::{ByteOrder, ElementType, Exponent, Operation};
use netfold_pisa::catalog::{
    Made, Name, Record, Request, example_address as address, example_switch as switch,
};
use netfold_pisa::programs::fpisa::Variant;
use netfold_pisa::programs::libra::Sums;
use netfold_pisa::programs::{Address, Arithmetic, FRAME_BYTES};
use netfold_pisa::{Pipeline, Target};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, JobId, Kind, Pool, Position,
};
use netfold_wire::{Repr, SlotIndex, WorkerId};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::roce::frame as roce;
use crate::tables;

/// The longest wait for a frame that must come.
const WAIT_LIMIT: Duration = Duration::from_secs(30);

/// Workers of the job that [`Request::make`] sets up, at the ports from 1 on.
pub const WORKERS: u16 = 3;

/// Frames of each program.
pub const FRAMES: usize = 300;

/// Draws frames.
type Draw = fn(&mut Pcg64Mcg) -> Vec<Vec<u8>>;

pub const fn request(name: Name, elements: u16) -> Request {
    Request { workers: WORKERS, slots: 16, one_pipeline: true, ..Request::new(name, elements) }
}

/// FPISA's sums in slots.
const fn sums_in_slots(variant: Variant) -> Request {
    request(Name::SwitchMl(Arithmetic::Fpisa(variant)), 4)
}

/// FPISA's sums over RoCE: of a length that is no path MTU.
pub const fn floats_over_roce(variant: Variant) -> Request {
    request(Name::SwitchMlRoce(Arithmetic::Fpisa(variant)), 6)
}

const LITTLE: Request = Request { byte_order: ByteOrder::Little, ..sums_in_slots(Variant::Full) };

/// Programs and their frames.
pub const PROGRAMS: [(&str, Request, Draw); 13] = [
    ("p4sgd", request(Name::P4Sgd, 2), acknowledged),
    ("fpisa_a", request(Name::FpisaA, 1), one_sum),
    ("fpisa", request(Name::Fpisa, 4), four_sums),
    ("switchml_fpisa_a", sums_in_slots(Variant::Approximate), floats),
    ("switchml_fpisa", sums_in_slots(Variant::Full), floats),
    ("switchml_fpisa_little", LITTLE, little_floats),
    ("switchml_fpisa_7", Request { elements: 7, ..sums_in_slots(Variant::Full) }, seven_floats),
    ("switchml_roce", request(Name::SwitchMlRoce(Arithmetic::Block), 64), messages),
    ("switchml_roce_fpisa", floats_over_roce(Variant::Full), float_messages),
    ("switchml_roce_fpisa_a", floats_over_roce(Variant::Approximate), float_messages),
    ("libra", request(Name::Libra(Record::Windows, Sums::Integers), 13), tables::requests),
    ("libra_fpisa_a", request(Name::Libra(Record::Windows, Sums::FpisaA), 13), tables::floats),
    ("libra_bloom", request(Name::Libra(Record::Bloom, Sums::Integers), 13), tables::requests),
];

/// A switch that runs a program with the job of [`Request::make`], and the cables of its workers.
pub struct Switch {
    pub cables: Vec<Cable>,
    _process: Process,
    // Last: cables end with it.
    _namespace: Namespace,
}

impl Switch {
    /// Starts it.
    pub fn start(request: Request) -> Result<Self, Failed> {
        let Made { program, controls } = request.checked()?.make();
        let namespace = Namespace::new("switch")?;
        let (cables, ports): (Vec<_>, Vec<_>) = (1..=WORKERS)
            .map(|port| {
                Cable::new(&namespace, port).map(|(cable, interface)| (cable, (port, interface)))
            })
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .unzip();
        let mut process = Process::start(&program, &namespace, &ports)?;
        process.control(&controls)?;
        Ok(Self { cables, _process: process, _namespace: namespace })
    }
}

/// Runs a program on both.
pub fn replay(request: Request, draw: Draw) -> Result<(), Failed> {
    let Made { program, controls } = request.checked()?.make();
    let mut interpreter = Pipeline::load(program.clone(), Target::bmv2())?;
    for control in &controls {
        control.apply(&mut interpreter)?;
    }
    let mut switch = Switch::start(request)?;
    let cables = &mut switch.cables;
    let rng = &mut Pcg64Mcg::seed_from_u64(0xB32);
    let mut answers = 0;
    for (number, frame) in draw(rng).into_iter().enumerate() {
        // All by one port, which programs do not look at: bmv2 takes frames of several in any
        // order. Frames that go around are answered, and the test waits for the answers.
        let mut wanted = interpreter.process(1, &frame)?.sent;
        cables[0].send(&frame);
        answers += wanted.len();
        // What comes by one port, comes in order; a frame that is not wanted stands where the next
        // one is looked for.
        wanted.sort_by_key(|sent| sent.port);
        for sent in wanted {
            let got = received(&mut cables[usize::from(sent.port) - 1], sent.bytes.len())?;
            if got != sent.bytes {
                return Err(format!(
                    "frame {number}, {frame:02x?}: at port {}\n{got:02x?}, not\n{:02x?}",
                    sent.port, sent.bytes
                )
                .into());
            }
        }
    }
    assert!(answers > FRAMES / 10, "{answers} answers to {FRAMES} frames");
    Ok(())
}

/// Switches that run side by side, each in a namespace of its own, do not meet.
pub fn two_switches_at_once() -> Result<(), String> {
    let program = request(Name::P4Sgd, 1).make().program;
    let start = || {
        let namespace = Namespace::new("switch")?;
        let (cable, interface) = Cable::new(&namespace, 1)?;
        let process = Process::start(&program, &namespace, &[(1, interface)])?;
        Ok((process, cable, namespace))
    };
    let both: Vec<_> = (0..2).map(|_| start()).collect::<Result<_, String>>()?;
    drop(both);
    Ok(())
}

/// Returns the next frame, without the padding to the least length of Ethernet.
fn received(cable: &mut Cable, length: usize) -> Result<Vec<u8>, Failed> {
    let mut frame = cable.receive(WAIT_LIMIT)?;
    let padded = frame.len() > length && length < 60;
    frame.truncate(if padded { length } else { frame.len() });
    Ok(frame)
}

pub fn ethernet(port: u16, ether_type: u16) -> Vec<u8> {
    let macs = [&switch().mac.to_be_bytes()[2..], &address(port).mac.to_be_bytes()[2..]].concat();
    [macs, ether_type.to_be_bytes().to_vec()].concat()
}

fn any_worker(rng: &mut Pcg64Mcg) -> u16 {
    rng.random_range(1..=WORKERS)
}

/// Algorithm 2: packets of both kinds, in any order, for few slots.
fn acknowledged(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    let packet = || {
        let worker = any_worker(rng);
        let mut frame = ethernet(worker, 0x88B5);
        frame.extend([u8::from(rng.random_bool(0.6)), 0]);
        frame.extend(rng.random_range(0..3u16).to_be_bytes());
        frame.extend((1u32 << (worker - 1)).to_be_bytes());
        frame.extend((0..2).flat_map(|_| rng.random::<u32>().to_be_bytes()));
        frame
    };
    std::iter::repeat_with(packet).take(FRAMES).collect()
}

fn one_sum(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    sums(rng, 1)
}

fn four_sums(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    sums(rng, 4)
}

/// Sums that are begun, added to and read, of all sorts of values.
fn sums(rng: &mut Pcg64Mcg, values: usize) -> Vec<Vec<u8>> {
    let packet = || {
        let worker = any_worker(rng);
        let mut frame = ethernet(worker, netfold_pisa::programs::fpisa::ETHER_TYPE);
        frame.push(rng.random_range(1..=3));
        frame.extend(rng.random_range(0..4u16).to_be_bytes());
        let empty = (program_bytes(values) - 4 * values) / values;
        for _ in 0..values {
            frame.extend(value(rng).to_be_bytes());
            frame.extend(vec![0; empty]);
        }
        frame
    };
    std::iter::repeat_with(packet).take(FRAMES).collect()
}

/// Bytes of the headers behind op and word, as the program has them.
fn program_bytes(values: usize) -> usize {
    let name = if values == 1 { Name::FpisaA } else { Name::Fpisa };
    let program = request(name, values as u16).make().program;
    let headers = program
        .headers
        .iter()
        .filter(|header| header.name.starts_with("sum"))
        .flat_map(|header| &header.fields);
    headers.map(|field| program.field(*field).bits as usize).sum::<usize>() / 8
}

/// Numbers of like exponents, and those that are special.
fn value(rng: &mut Pcg64Mcg) -> u32 {
    let special = [0, 1 << 31, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 1, 0x007F_FFFF];
    if rng.random_bool(0.05) {
        return *special.choose(rng).expect("there are some");
    }
    let exponent = rng.random_range(110..140u32);
    (rng.next_u32() & 0x807F_FFFF) | exponent << 23
}

/// Rounds of floats one after the other, in which workers contribute in any order, some of them
/// twice.
fn floats(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    blocks(rng, 4)
}

/// The same with a length that is no power of two.
fn seven_floats(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    blocks(rng, 7)
}

fn blocks(rng: &mut Pcg64Mcg, elements: u16) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut position = 0;
    while frames.len() < FRAMES {
        let mut senders: Vec<u16> =
            (1..=WORKERS).chain((1..=WORKERS).filter(|_| rng.random_bool(0.3))).collect();
        (0..senders.len()).for_each(|at| senders.swap(at, rng.random_range(0..=at)));
        let lanes: Vec<Vec<u32>> =
            (0..WORKERS).map(|_| (0..elements).map(|_| value(rng)).collect()).collect();
        for worker in senders {
            let repr = contribution(worker - 1, position, elements);
            let mut datagram = vec![0; HEADER_BYTES];
            repr.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
            datagram
                .extend(lanes[usize::from(worker) - 1].iter().flat_map(|lane| lane.to_be_bytes()));
            frames.push(address(worker).frame(&switch(), &datagram));
        }
        position += 1;
    }
    frames
}

/// The same with lanes in little-endian order.
fn little_floats(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    let mut frames = floats(rng);
    let lanes =
        frames.iter_mut().flat_map(|frame| frame[FRAME_BYTES + HEADER_BYTES..].chunks_exact_mut(4));
    lanes.for_each(<[u8]>::reverse);
    frames
}

fn contribution(rank: u16, position: u32, elements: u16) -> Repr {
    Repr {
        direction: Direction::Contribution(WorkerId(rank)),
        kind: Kind::Values,
        empty: false,
        marked: false,
        overflowed: false,
        pool: if position.is_multiple_of(2) { Pool::Even } else { Pool::Odd },
        job: JobId(1),
        epoch: Epoch(1),
        position: Position(position),
        slot: SlotIndex(0),
        elements,
        element_type: ElementType::F32,
        operation: Operation::Sum,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(7),
    }
}

/// Messages of three packets, or of one, of which some are lost or come twice, and all are sent
/// once more then.
fn messages(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    all_messages(rng, 3, |rng| (0..64).map(|_| rng.next_u32()).collect())
}

/// Messages of one packet each, with floats.
fn float_messages(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    all_messages(rng, 1, |rng| (0..6).map(|_| value(rng)).collect())
}

/// Makes the lanes of a packet.
type Lanes = fn(&mut Pcg64Mcg) -> Vec<u32>;

fn all_messages(rng: &mut Pcg64Mcg, most: u32, lanes: Lanes) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut round = 1u32;
    while frames.len() < FRAMES {
        for _ in 0..2 {
            for worker in 1..=WORKERS {
                let psn = rng.next_u32() & 0xFF_FFFF;
                let packets = if round.is_multiple_of(3) { 1 } else { most };
                for place in 0..packets {
                    // The same whenever it is asked for, but for its PSN.
                    let seed = u64::from(worker) << 40 | u64::from(round) << 8 | u64::from(place);
                    let lanes = lanes(&mut Pcg64Mcg::seed_from_u64(seed));
                    let psn = psn.wrapping_add(place) & 0xFF_FFFF;
                    let packet = roce_packet(worker, round, psn, (place, packets), lanes);
                    let copies = *[0, 1, 1, 1, 1, 1, 1, 2].choose(rng).expect("there are some");
                    frames.extend(std::iter::repeat_n(packet, copies));
                }
            }
        }
        round += 1;
    }
    frames
}

/// A packet of a worker's message in a round: its place, of so many.
pub fn roce_packet(
    worker: u16,
    round: u32,
    psn: u32,
    (place, packets): (u32, u32),
    lanes: Vec<u32>,
) -> Vec<u8> {
    let length = packets * 4 * lanes.len() as u32;
    let reth = roce::Reth { address: 0x1000 * u64::from(round), rkey: round << 16, length };
    let exponents = u32::from(Exponent::ZERO.to_wire() as u16);
    let packet = roce::Write {
        opcode: match place {
            _ if packets == 1 => roce::ONLY,
            0 => roce::FIRST,
            _ if place + 1 == packets => roce::LAST,
            _ => roce::MIDDLE,
        },
        dest_qp: 0x10_0000,
        psn,
        reth: (place == 0).then_some(reth),
        immediate: (place + 1 == packets).then_some(exponents << 16 | exponents),
        lanes,
    };
    let end = |at: Address| (at.mac, at.ip);
    roce::frame(roce::Ends { from: end(address(worker)), to: end(switch()) }, 0, 0xC000, &packet)
}
