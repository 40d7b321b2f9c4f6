//! Frames for a table in a pipeline (R-PISA-70).

use netfold_num::ElementType;
use netfold_pisa::catalog::{example_address as address, example_switch as switch};
use netfold_wire::{
    Epoch, Integrity, JobId, TABLE_HEADER_BYTES, TableKind, TableRepr, TableTerms, WorkerId,
};
use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::replay::{FRAMES, WORKERS};

/// Rows of sixteen registers with as many words as [`crate::replay::request`] asks for.
const ROWS: u32 = 16 * 16;

/// Pushes, some of them again and some marked by the network, loads and pulls, whose pairs are
/// often of one register.
pub fn requests(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    of(rng, ROWS, ElementType::I32)
}

/// The same of floats, whose program has one register.
pub fn floats(rng: &mut Pcg64Mcg) -> Vec<Vec<u8>> {
    of(rng, ROWS / 16, ElementType::F32)
}

fn of(rng: &mut Pcg64Mcg, rows: u32, element_type: ElementType) -> Vec<Vec<u8>> {
    let mut pushed = [0_u32; WORKERS as usize];
    let request = || {
        let worker = rng.random_range(0..WORKERS);
        let pushed = &mut pushed[usize::from(worker)];
        let kind = match rng.random_range(0..4) {
            0 | 1 => TableKind::Push,
            2 => TableKind::Load,
            _ => TableKind::Pull,
        };
        let again = *pushed > 0 && rng.random_bool(0.3);
        let sequence = if again { rng.random_range(0..*pushed) } else { *pushed };
        *pushed += u32::from(kind == TableKind::Push && !again);
        let terms = TableTerms { rows, width: 1, element_type, resident: true };
        let pairs = rng.random_range(0..=13);
        let repr = TableRepr {
            worker: WorkerId(worker),
            sequence,
            pairs,
            repeated: again && kind == TableKind::Push,
            ..TableRepr::request(kind, JobId(1), Epoch(1), &terms)
        };
        let mut datagram = vec![0; TABLE_HEADER_BYTES];
        let spread = [4, 16, rows][rng.random_range(0..3)];
        datagram.extend((0..pairs).flat_map(|_| rng.random_range(0..spread).to_be_bytes()));
        if kind != TableKind::Pull {
            datagram.extend((0..pairs).flat_map(|_| rng.random::<u32>().to_be_bytes()));
        }
        repr.seal(&Integrity::Transport, &mut datagram);
        let mut frame = address(worker + 1).frame(&switch(), &datagram);
        frame[15] |= if rng.random_bool(0.1) { 3 } else { 0 };
        frame
    };
    std::iter::repeat_with(request).take(FRAMES).collect()
}
