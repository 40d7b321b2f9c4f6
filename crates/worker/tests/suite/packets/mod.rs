//! A stream whose packets do not travel does what one does that sends and takes datagrams.

use netfold_num::{Exponent, Protocol};
use netfold_wire::{Ecn, Integrity, Packet, Repr};
use netfold_worker::Sending;
use proptest::prelude::*;

use crate::hand::Hand;

/// The next step.
#[derive(Clone, Copy, Debug)]
enum Step {
    Submit {
        blocks: u64,
    },
    /// The result of one of the rounds that are under way, with what is agreed on for the slot.
    Answer {
        index: prop::sample::Index,
        agreed: Exponent,
    },
    /// So much time passes, and the timeout is handled.
    Wait {
        us: u64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let agreed = prop_oneof![Just(Exponent::ZERO), Just(Exponent::UNKNOWN)];
    prop_oneof![
        2 => (1..5u64).prop_map(|blocks| Step::Submit { blocks }),
        6 => (any::<prop::sample::Index>(), agreed).prop_map(|(index, agreed)| Step::Answer { index, agreed }),
        1 => (100..60_000u64).prop_map(|us| Step::Wait { us }),
    ]
}

/// Sends the worker's packets as datagrams, and returns their headers and lanes.
fn datagrams(hand: &mut Hand, now_us: u64, what: Sending) -> Vec<(Repr, Vec<u8>)> {
    let mut buffer = [0; 256];
    let mut sent = Vec::new();
    loop {
        let transmit = match what {
            Sending::Everything => hand.stream.poll_transmit(now_us, &mut buffer, 1),
            Sending::Pressing => hand.stream.poll_transmit_pressing(now_us, &mut buffer, 1),
        };
        let Some(transmit) = transmit else { return sent };
        let packet = Packet::new_checked(&buffer[..transmit.len]).expect("a stream sends packets");
        sent.push((*packet.repr(), packet.lanes().to_vec()));
    }
}

/// The same as packets.
fn packets(hand: &mut Hand, now_us: u64, what: Sending) -> Vec<(Repr, Vec<u8>)> {
    let mut sent = Vec::new();
    while let Some(outgoing) = hand.stream.poll_outgoing(now_us, what) {
        let mut lanes = vec![0xEE; outgoing.header().lane_bytes()];
        outgoing.pack(&mut lanes);
        sent.push((*outgoing.header(), lanes));
    }
    sent
}

proptest! {
    #[test]
    fn packets_are_what_datagrams_would_be(
        steps in prop::collection::vec((step(), any::<bool>()), 0..60),
        protocol in prop::sample::select(&Protocol::ALL[..]),
    ) {
        // With lanes so long that a query saves something (R-TIME-6).
        let [mut travels, mut stays] = [(); 2].map(|()| {
            let mut hand = Hand::with(4, protocol);
            hand.lanes = 16;
            hand
        });
        let (mut now_us, mut under_way) = (0, Vec::new());
        for (step, everything) in steps {
            match step {
                Step::Submit { blocks } => {
                    travels.submit(blocks);
                    stays.submit(blocks);
                }
                Step::Answer { .. } if under_way.is_empty() => {}
                Step::Answer { index, agreed } => {
                    let (header, _) = under_way.swap_remove(index.index(under_way.len()));
                    let result = Hand::result(&header, agreed);
                    travels.stream.handle(now_us, &result, Ecn::Clear);
                    let packet = Packet::new_checked(&result).expect("a switch sends packets");
                    prop_assert!(packet.is_whole(&Integrity::Checksum));
                    let packet = Packet::local(*packet.repr(), packet.lanes()).expect("the same lanes");
                    stays.stream.handle_packet(now_us, &packet);
                }
                Step::Wait { us } => {
                    now_us += us;
                    travels.stream.handle_timeout(now_us);
                    stays.stream.handle_timeout(now_us);
                }
            }
            let what = if everything { Sending::Everything } else { Sending::Pressing };
            let sent = datagrams(&mut travels, now_us, what);
            prop_assert_eq!(&sent, &packets(&mut stays, now_us, what));
            prop_assert_eq!(travels.completed(), stays.completed());
            prop_assert_eq!(travels.stream.counters(), stays.stream.counters());
            prop_assert_eq!(travels.stream.poll_timeout(), stays.stream.poll_timeout());
            under_way.extend(sent);
        }
    }
}
