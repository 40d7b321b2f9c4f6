//! Packets that come between the passes of another.

use netfold_pisa::programs::switchml::SwitchMl;
use netfold_pisa::{Outcome, Sent};
use netfold_wire::{HEADER_BYTES, Packet, Repr};

use super::answers::Answers;
use super::traffic::{LaneMaker, Network, Traffic};
use super::{Rack, Received};
use crate::dice::Dice;
use crate::loopback::{Loopback, Pass};

/// A datagram on its way through the pipeline.
struct UnderWay {
    header: Repr,
    wanted: Vec<Received>,
    got: Vec<Sent>,
    /// Copies of it that are still inside.
    inside: usize,
}

/// Drives both forms with the same packets, and has other packets go through the pipeline between
/// the passes of one. Loopback ports are first in, first out. The shard answers at once what the
/// pipeline answers when it has gone around.
pub fn between_passes(
    rack: &mut Rack,
    config: &SwitchMl,
    lanes: LaneMaker,
    seed: u64,
    packets: usize,
) -> usize {
    let mut dice = Dice(seed);
    let shapes = rack.jobs.clone().into_iter();
    let mut jobs: Vec<_> =
        shapes.map(|shape| Traffic::new(shape, config.elements, lanes, dice.roll())).collect();
    jobs.iter_mut().for_each(|job| job.protocol = config.protocol);
    let (mut network, mut seen) = (Network::default(), Answers::default());
    let mut under_way: Vec<UnderWay> = Vec::new();
    let mut loops = Loopback::default();
    let mut most_inside = 0;
    for left in (0..packets).rev() {
        let again = loops.draw(&mut dice, left == 0);
        let Pass { port, number, bytes } = if let Some(pass) = again {
            pass
        } else {
            let Some((worker, bytes)) = network.next(&mut dice, &jobs) else { continue };
            let header = Repr::parse(&Packet::new_checked(&bytes).unwrap());
            let (wanted, _) = rack.by_shard(&bytes);
            under_way.push(UnderWay { header, wanted, got: Vec::new(), inside: 1 });
            let bytes = rack.framed(worker, &bytes);
            Pass { port: 1, number: under_way.len() - 1, bytes }
        };
        let outcome =
            rack.pipeline.pass(port, &bytes).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert_eq!(outcome.reports, [], "seed {seed}");
        let one = &mut under_way[number];
        one.inside -= 1;
        for sent in outcome.sent {
            if config.frame.loopbacks.contains(&sent.port) {
                one.inside += 1;
                loops.push(Pass { port: sent.port, number, bytes: sent.bytes });
            } else {
                one.got.push(sent);
            }
        }
        most_inside = most_inside.max(loops.len());
        if one.inside == 0 {
            let got = rack
                .received(&Outcome { sent: std::mem::take(&mut one.got), ..Default::default() });
            assert_eq!(got.len(), one.wanted.len(), "seed {seed}: the answers to {:?}", one.header);
            for (got, wanted) in got.iter().zip(&one.wanted) {
                let alike = |bytes: &[u8]| bytes[..HEADER_BYTES].to_vec();
                assert_eq!(
                    (got.0, got.1, alike(&got.2)),
                    (wanted.0, wanted.1, alike(&wanted.2)),
                    "seed {seed}"
                );
                // R-PISA-14: the lanes of a result that its worker has already may be those of a
                // later round.
                let job = jobs.iter().find(|job| job.shape.job == got.0).unwrap();
                let drops = !job.waits_for(got.1, &got.2);
                assert!(got.2 == wanted.2 || drops, "seed {seed}: the answer to {:?}", one.header);
            }
            seen.deliver(got, 1, &mut jobs, &mut dice);
        }
    }
    assert!(seen.taken > 10, "seed {seed}: {seen:?}");
    most_inside
}
