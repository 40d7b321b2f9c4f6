//! FPISA's programs beside `num`, and beside the software switch (R-PISA-30).

use crate::dice::Dice;
use crate::sums::{Sum, adder, any_bits};
use netfold_num::fpisa::Rounding;
use netfold_num::{Arithmetic, ByteOrder, ElementType, Exponent, Operation};
use netfold_pisa::program::Pattern;
use netfold_pisa::programs::fpisa::{ETHER_TYPE, Fpisa, Variant, operation};
use netfold_pisa::report::Report;
use netfold_pisa::{Pipeline, Target};
use netfold_switch::{JobSpec, Operations, Place, Shard};
use netfold_wire::{
    CallDigest, Delivery, Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Kind, Pool,
    Position, Repr, SlotIndex, Terms, WorkerId,
};
use proptest::prelude::*;

fn packet(op: u64, index: u16, values: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; 12];
    bytes[11] = 9;
    bytes.extend_from_slice(&ETHER_TYPE.to_be_bytes());
    bytes.push(op as u8);
    bytes.extend_from_slice(&index.to_be_bytes());
    for value in values {
        bytes.extend_from_slice(&value.to_be_bytes());
        bytes.extend_from_slice(&[0; 7]);
    }
    bytes
}

struct Adders {
    pipeline: Pipeline,
    modules: usize,
}

impl Adders {
    fn new(config: &Fpisa, target: Target) -> Self {
        let mut pipeline =
            Pipeline::load(config.program(), target).unwrap_or_else(|refusal| panic!("{refusal}"));
        pipeline.insert("ports", &[Pattern::Is(9)], "answer", &[3]).unwrap();
        Self { pipeline, modules: config.modules.into() }
    }

    fn send(&mut self, op: u64, index: u16, values: &[u32]) -> Vec<u8> {
        let outcome = self
            .pipeline
            .process(3, &packet(op, index, values))
            .unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!((outcome.passes, outcome.sent.len()), (1, 1));
        outcome.sent[0].bytes.clone()
    }

    /// Reads each module's sum in a word.
    fn read(&mut self, index: u16) -> Vec<u32> {
        let answer = self.send(operation::READ, index, &vec![0; self.modules]);
        let sums = answer[17..].chunks_exact(11);
        sums.map(|sum| u32::from_be_bytes(sum[..4].try_into().unwrap())).collect()
    }
}

/// Holds a program to `num`, sum by sum. Gives how many sums have cancelled, and overflowed.
fn compare(config: &Fpisa, target: Target, seed: u64, sums: usize) -> (usize, usize) {
    let mut adders = Adders::new(config, target);
    let adder = adder(config.variant);
    let mut dice = Dice(seed);
    let (mut cancelled, mut overflowed) = (0, 0);
    for _ in 0..sums {
        let index = dice.below(4) as u16;
        let operands: Vec<Vec<u32>> = (0..1 + dice.below(9))
            .map(|_| (0..adders.modules).map(|_| any_bits(&mut dice)).collect())
            .collect();
        for (at, values) in operands.iter().enumerate() {
            adders.send(if at == 0 { operation::FIRST } else { operation::ADD }, index, values);
        }
        let read = adders.read(index);
        for (module, read) in read.into_iter().enumerate() {
            let operands: Vec<u32> = operands.iter().map(|values| values[module]).collect();
            let mut sum = Sum::default();
            for bits in &operands {
                sum.add(config.variant, *bits);
            }
            let register = sum.register();
            assert_eq!(
                read,
                adder.read(&register, Rounding::TowardZero),
                "seed {seed}: {operands:x?} {register:?}"
            );
            let by_num = adder.fold(operands.iter().copied());
            cancelled += usize::from(sum.cancelled);
            overflowed += usize::from(by_num.overflowed());
            if !sum.cancelled {
                assert_eq!(
                    read,
                    adder.read(&by_num, Rounding::TowardZero),
                    "seed {seed}: {operands:x?}"
                );
            }
        }
    }
    (cancelled, overflowed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// R-PISA-30, R-PISA-31: FPISA-A on a switch without extensions.
    #[test]
    fn fpisa_a_is_that_of_num(seed in any::<u64>()) {
        compare(&Fpisa::new(Variant::Approximate, 1), Target::tofino(), seed, 250);
    }

    /// R-PISA-30, R-PISA-33: FPISA on one with the extensions, four values at a time.
    #[test]
    fn fpisa_is_that_of_num(seed in any::<u64>()) {
        compare(&Fpisa::new(Variant::Full, 4), Target::fpisa_ext(), seed, 100);
    }
}

/// R-PISA-34: every place of the leading one under every exponent at which a result may be
/// subnormal, of both signs.
#[test]
fn results_underflow_gradually() {
    for (variant, target) in
        [(Variant::Approximate, Target::tofino()), (Variant::Full, Target::fpisa_ext())]
    {
        let mut adders = Adders::new(&Fpisa::new(variant, 1), target);
        for exponent in 1..=26u32 {
            for place in 0..23 {
                for sign in [0, 1 << 31] {
                    // Under one exponent, the difference is 2^place units, and a bit below where
                    // there is one.
                    let large = sign | exponent << 23 | 0x7F_FFFF;
                    let small = (1 << 31 ^ sign)
                        | exponent << 23
                        | (0x7F_FFFF - (1 << place) - (1 << place >> 1));
                    adders.send(operation::FIRST, 0, &[large]);
                    adders.send(operation::ADD, 0, &[small]);
                    let wanted = (f32::from_bits(large) + f32::from_bits(small)).to_bits();
                    assert_eq!(adders.read(0), [wanted], "{large:x} and {small:x}");
                }
            }
        }
    }
}

/// The operands of the comparisons meet rare cases.
#[test]
fn the_operands_cancel_and_overflow() {
    let (cancelled, overflowed) =
        compare(&Fpisa::new(Variant::Approximate, 1), Target::tofino(), 5, 800);
    assert!(
        cancelled > 10 && overflowed > 10,
        "{cancelled} have cancelled, {overflowed} overflowed"
    );
}

/// R-PISA-31: nine stages as in table 3 of the paper, with 31 of 32 VLIW words where values are
/// shifted; a second module does not fit.
#[test]
fn fpisa_a_fits_once() {
    let config = Fpisa::new(Variant::Approximate, 1);
    let report = Report::of(&config.program(), &Target::tofino());
    assert_eq!(report.stages, 9);
    let vliw = report.lines.iter().find(|line| line.what == "VLIW slots").unwrap();
    assert_eq!(vliw.most, Some(32.0));
    let second = Pipeline::load(Fpisa::new(Variant::Approximate, 2).program(), Target::tofino());
    let message = second.unwrap_err().to_string();
    assert!(message.contains("VLIW slots"), "{message}");
}

/// R-PISA-33: with the extensions modules share stages; without them the program is refused.
#[test]
fn fpisa_fits_four_times_with_extensions() {
    for (modules, fits) in [(1, true), (4, true), (5, false)] {
        let program = Fpisa::new(Variant::Full, modules).program();
        assert_eq!(Report::of(&program, &Target::fpisa_ext()).stages, 8);
        assert_eq!(Pipeline::load(program, Target::fpisa_ext()).is_ok(), fits, "{modules} modules");
    }
    let message = Pipeline::load(Fpisa::new(Variant::Full, 1).program(), Target::tofino())
        .unwrap_err()
        .to_string();
    assert!(message.contains("shift"), "{message}");
}

/// R-PISA-30: what the software switch's slots make of the same contributions.
#[test]
fn sums_are_those_of_the_software_switch() {
    for (variant, arithmetic, target) in [
        (Variant::Approximate, Arithmetic::FpisaA, Target::tofino()),
        (Variant::Full, Arithmetic::Fpisa, Target::fpisa_ext()),
    ] {
        let workers = 4;
        let spec = JobSpec {
            job: JobId(1),
            epoch: Epoch(2),
            workers,
            slots: 1,
            exchange_slots: 0,
            lent_slots: 0,
            payload_bytes: 8,
            terms: Terms {
                arithmetic,
                byte_order: ByteOrder::Network,
                ..Terms::new(Integrity::Transport)
            },
            place: Place::only(workers),
            operations: Operations::default(),
        };
        let mut shard = Shard::new(1 << 16);
        shard.admit(spec).unwrap();
        let mut adders = Adders::new(&Fpisa::new(variant, 1), target);
        let mut dice = Dice(11);
        for round in 0..400u32 {
            // Same sign, so that nothing cancels, and exponents at most 5 apart, so that nothing
            // overflows (R-FPI-16).
            let values: Vec<u32> = (0..workers)
                .map(|_| (100 + dice.below(6) as u32) << 23 | dice.roll() as u32 >> 9)
                .collect();
            let mut by_shard = None;
            for (worker, value) in (0..).zip(&values) {
                adders.send(
                    if worker == 0 { operation::FIRST } else { operation::ADD },
                    0,
                    &[*value],
                );
                let repr = Repr {
                    direction: Direction::Contribution(WorkerId(worker)),
                    kind: Kind::Values,
                    empty: false,
                    marked: false,
                    overflowed: false,
                    pool: if round % 2 == 0 { Pool::Even } else { Pool::Odd },
                    job: JobId(1),
                    epoch: Epoch(2),
                    position: Position(round),
                    slot: SlotIndex(0),
                    elements: 1,
                    element_type: ElementType::F32,
                    operation: Operation::Sum,
                    exponent: Exponent::ZERO,
                    next_exponent: Exponent::ZERO,
                    delivery: Delivery::All,
                    call: CallDigest(1),
                };
                let mut datagram = vec![0; HEADER_BYTES];
                repr.emit(datagram.first_chunk_mut().unwrap());
                datagram.extend_from_slice(&value.to_be_bytes());
                shard.handle(&datagram, Ecn::Clear);
                let mut buffer = [0; HEADER_BYTES + 8];
                while let Some(sent) = shard.poll_transmit(&mut buffer, 1) {
                    by_shard = Some(u32::from_be_bytes(
                        buffer[HEADER_BYTES..sent.len].try_into().unwrap(),
                    ));
                }
            }
            let by_shard = by_shard.expect("four contributions complete a round");
            assert_eq!(adders.read(0), [by_shard], "{values:x?}");
        }
    }
}
