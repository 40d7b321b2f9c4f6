//! SwitchML over RoCE beside the software switch: packet by packet the same answers, byte by byte
//! with the ICRC (R-PISA-50 to 61).

mod frames;
mod messages;
mod plan;
mod traffic;

use crate::fabric::frame::{FIRST, LAST, MIDDLE, ONLY, Reth, Write};
use crate::fabric::{FIRST_QP, Fabric};
use netfold_pisa::Target;
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::roce::Roce;

/// The slots of each queue pair: where they begin, and how many packets a message has.
const MESSAGES: [(u16, u16); 4] = [(0, 4), (4, 1), (5, 3), (8, 16)];
const SLOTS: u16 = 24;

fn small(elements: u16) -> Roce {
    small_with(Arithmetic::Block, elements)
}

fn small_with(arithmetic: Arithmetic, elements: u16) -> Roce {
    Roce { slots: 32, workers: 4, messages: 64, ..Roce::with(arithmetic, elements) }
}

fn message(
    pair: usize,
    round: u16,
    psn: u32,
    offset: u32,
    length: u32,
    immediate: u32,
    lanes: Vec<Vec<u32>>,
) -> Vec<Write> {
    let last = lanes.len() - 1;
    let packet = |(at, lanes): (usize, Vec<u32>)| Write {
        opcode: match at {
            0 if last == 0 => ONLY,
            0 => FIRST,
            at if at == last => LAST,
            _ => MIDDLE,
        },
        dest_qp: FIRST_QP + pair as u32,
        psn: (psn + at as u32) & 0xFF_FFFF,
        reth: (at == 0).then_some(Reth {
            address: 0x5555_0000_0000 | u64::from(offset),
            rkey: u32::from(round) << 16 | u32::from(MESSAGES[pair].0),
            length,
        }),
        immediate: (at == last).then_some(immediate),
        lanes,
    };
    lanes.into_iter().enumerate().map(packet).collect()
}

/// The packets of a message that a job of two agrees on, with lanes of one number.
fn plain(pair: usize, round: u16, psn: u32) -> Vec<Write> {
    let lanes: Vec<_> = (1..=u32::from(MESSAGES[pair].1)).map(|number| vec![number; 64]).collect();
    let length = 256 * lanes.len() as u32;
    message(pair, round, psn, 0x40, length, 0x0003_0004, lanes)
}

fn two_workers() -> Fabric {
    Fabric::new(&small(64), Target::tofino(), 2, SLOTS)
}

/// Sends packets of a worker, and says for each how many answers went out.
fn answers(fabric: &mut Fabric, worker: u16, writes: &[Write]) -> Vec<usize> {
    writes.iter().map(|write| fabric.compare(worker, write).0.len()).collect()
}
