//! Lanes that are quantised while they are folded.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use netfold_kernels::{Lanes, Quantised};
use netfold_num::{ElementType, Exponent, Scale};
use netfold_shm::{PortError, Segment};
use netfold_switch::JobSpec;
use netfold_wire::{Repr, WorkerId};
use proptest::prelude::*;

use crate::driver::spec;
use crate::workers;

/// Elements of a packet of these jobs.
const ELEMENTS: usize = 16;

/// Longer than a busy machine keeps a thread from its core.
const BOUND: Duration = Duration::from_secs(10);

/// Returns the header of a worker's contribution to a round of the first slot.
fn contribution(spec: &JobSpec, worker: u16, round: u32) -> Repr {
    let (elements, element_type) = (ELEMENTS as u16, ElementType::I32);
    Repr { elements, element_type, ..workers::contribution(spec, worker, round) }
}

fn elements(values: &[f32; ELEMENTS]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_ne_bytes()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The sum is that of the reference's lanes, whoever has its lanes quantised on the way, and in
    /// whatever order workers come. The first and the last worker of a round find the slot
    /// unwanted, so that they write no lanes; those between them do.
    #[test]
    fn sums_are_those_of_packed_lanes(
        workers in 1..=5u16,
        packs in any::<[bool; 5]>(),
        rounds in prop::collection::vec((any::<[[i16; ELEMENTS]; 5]>(), 0..5usize), 1..5),
    ) {
        let spec = spec(workers, 1, 4 * ELEMENTS as u32);
        let scale = Scale::new(workers, Exponent::of_magnitude_bits(32768f32.to_bits())).expect("agreed");
        let segment = Segment::create(&spec, 1).expect("memory to share");
        let mut ports: Vec<_> = (0..workers)
            .map(|worker| segment.port(0, WorkerId(worker)).expect("its only one"))
            .collect();
        for (round, (values, first)) in rounds.iter().enumerate() {
            let values = values.map(|of_worker| of_worker.map(f32::from));
            for number in 0..workers {
                let worker = (number + *first as u16) % workers;
                let own = &values[usize::from(worker)];
                let elements = elements(own);
                let quantised = Quantised { element_type: ElementType::F32, elements: &elements, scale };
                let lanes = (!packs[usize::from(worker)]).then_some(Lanes::Quantised(quantised));
                let packed = std::cell::Cell::new(false);
                let delivered = ports[usize::from(worker)].contribute(
                    contribution(&spec, worker, round as u32),
                    lanes,
                    |lanes| {
                        packed.set(true);
                        let all = own.map(|x| scale.quantise(x).to_le_bytes()).concat();
                        lanes.copy_from_slice(&all);
                    },
                );
                prop_assert_eq!(delivered, Ok(None));
                let between = number > 0 && number + 1 < workers;
                prop_assert_eq!(packed.get(), lanes.is_none() || between);
            }
            let lane = |at: usize| {
                values[..workers.into()].iter().map(|own| scale.quantise(own[at])).sum::<i32>()
            };
            let expected: Vec<u8> = (0..ELEMENTS).flat_map(|at| lane(at).to_le_bytes()).collect();
            for port in &mut ports {
                let mut results = Vec::new();
                let received = port.receive(|packet| results.push(packet.lanes().to_vec()));
                prop_assert_eq!((received, &results), (Ok(1), &vec![expected.clone()]));
            }
        }
    }
}

/// A worker packs its lanes while another is at the slot, and waits for the slot only then.
#[test]
fn lanes_are_packed_while_another_worker_has_the_slot() {
    let spec = spec(2, 1, 4 * ELEMENTS as u32);
    let segment = Segment::create(&spec, 1).expect("memory to share");
    let mut port = segment.port(0, WorkerId(0)).expect("the first one");
    segment.seize(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let header = contribution(&spec, 0, 0);
        let worker = scope.spawn(move || {
            let elements = elements(&[1.0; ELEMENTS]);
            let scale = Scale::new(2, Exponent::of_magnitude_bits(1f32.to_bits())).expect("agreed");
            let lanes = Quantised { element_type: ElementType::F32, elements: &elements, scale };
            port.contribute(header, Some(Lanes::Quantised(lanes)), |lanes| {
                sender.send(lanes.len()).expect("somebody listens");
            })
        });
        let packed = receiver.recv_timeout(BOUND);
        segment.fail();
        assert_eq!(packed, Ok(4 * ELEMENTS));
        assert_eq!(worker.join().expect("a worker"), Err(PortError::Failed));
    });
}
