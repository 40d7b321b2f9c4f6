//! A search is as good as the faults that it finds: each test breaks one rule, and the search gives
//! a way to what comes of it.

mod broken;
mod order;

use std::num::NonZero;

use broken::{
    BrokenExchange, BrokenLeaf, BrokenSwitch, ExchangeRule, LeafRule, OpenSwitch, SwitchRule,
};
use netfold_model::{Elastic, Explored, Job, Model, Property, Switch, Tamper, Tampering};
use netfold_num::{ElementType, Exponent};
use netfold_switch::JobSpec;
use netfold_wire::{
    CallDigest, Direction, Epoch, HEADER_BYTES, Packet, Pool, Position, Repr, WorkerId,
};
use netfold_worker::Progress;

const ONE: NonZero<usize> = NonZero::<usize>::MIN;

fn search<S: Switch>(model: Model<S>) -> Explored {
    model.explore(ONE)
}

/// Searches until it is found that a property does not hold.
///
/// # Panics
/// If it is not found.
fn breaks<S: Switch>(property: Property, model: Model<S>) {
    let counterexample =
        model.break_property(property, ONE).expect("the search finds what is broken");
    assert!(!counterexample.steps.is_empty(), "a counterexample is a way to a state");
    println!("{}:\n{}", property.name(), counterexample.steps);
}

fn parse(datagram: &[u8]) -> Option<Repr> {
    Some(Repr::parse(&Packet::new_checked(datagram).ok()?))
}

fn rewrite(datagram: &mut [u8], header: &Repr) {
    let header_bytes: &mut [u8; HEADER_BYTES] =
        datagram.first_chunk_mut().expect("a datagram has a header");
    header.emit(header_bytes);
}

fn blocks(blocks: u64) -> Job {
    Job::new(&[0, 0], 1).all_reduce(blocks)
}

fn long_block() -> Job {
    Job::new(&[0, 0], 1).long_blocks().all_reduce(1)
}

mod acknowledgements {
    use super::*;

    fn broken(property: Property, rule: fn(&JobSpec) -> BrokenSwitch) {
        breaks(property, Model::with(Job::new(&[0, 0], 1).acked().all_reduce(2), rule));
    }

    /// R-ACK-1: an acknowledgement that comes twice stands for two workers, and the sum goes while
    /// one still needs it.
    #[test]
    fn without_the_bitmap() {
        broken(Property::Kept, |spec| BrokenSwitch::new(spec, Some(SwitchRule::Bitmap)));
    }

    /// R-ACK-1: the worker's next contribution is taken for the one that it has acknowledged.
    #[test]
    fn without_clearing_what_is_acknowledged() {
        broken(Property::Recovers, |spec| BrokenSwitch::new(spec, Some(SwitchRule::OtherCopy)));
    }

    /// R-ACK-1: a worker whose confirmation is lost never gets it.
    #[test]
    fn without_answers() {
        broken(Property::Recovers, |spec| BrokenSwitch::new(spec, Some(SwitchRule::Answer)));
    }
}

mod switch {
    use super::*;

    fn broken(property: Property, job: Job, make: fn(&JobSpec) -> BrokenSwitch) {
        breaks(property, Model::with(job, make));
    }

    /// The switch of these tests is a right one as long as it keeps all rules: it comes to as many
    /// states as the real one.
    #[test]
    fn with_all_rules_nothing_is_found() {
        for job in [|| blocks(3), long_block] {
            let whole = search(Model::with(job(), |spec| BrokenSwitch::new(spec, None)));
            assert!(whole.counterexamples.is_empty(), "{:?}", whole.counterexamples);
            let real = search(Model::new(job()));
            assert_eq!((whole.states, whole.steps), (real.states, real.steps));
        }
    }

    /// R-SLOT-8: a contribution of two rounds ago starts a round, in the place of a result that a
    /// worker still needs.
    #[test]
    fn without_the_order_of_rounds() {
        broken(Property::Kept, blocks(3), |spec| BrokenSwitch::new(spec, Some(SwitchRule::Order)));
    }

    /// R-SLOT-1: the worker's next round in the first copy is taken for an old one.
    #[test]
    fn without_clearing_the_other_copy() {
        broken(Property::Recovers, blocks(3), |spec| {
            BrokenSwitch::new(spec, Some(SwitchRule::OtherCopy))
        });
    }

    /// R-SLOT-1, R-SLOT-4: a contribution that comes twice is counted twice.
    #[test]
    fn without_the_bitmap() {
        broken(Property::Exact, blocks(2), |spec| {
            BrokenSwitch::new(spec, Some(SwitchRule::Bitmap))
        });
    }

    /// R-SLOT-4: a worker whose result is lost never gets it.
    #[test]
    fn without_answers() {
        broken(Property::Recovers, blocks(1), |spec| {
            BrokenSwitch::new(spec, Some(SwitchRule::Answer))
        });
    }

    /// R-SLOT-10: a worker whose contribution is lost asks for ever.
    #[test]
    fn without_recalls() {
        broken(Property::Recovers, long_block(), |spec| {
            BrokenSwitch::new(spec, Some(SwitchRule::Recall))
        });
    }

    /// R-SLOT-2: a round begins with the copy's old contents.
    #[test]
    fn without_overwriting() {
        broken(Property::Exact, blocks(3), |spec| {
            BrokenSwitch::new(spec, Some(SwitchRule::Overwrite))
        });
    }
}

mod exchange {
    use super::*;

    fn broken(make: fn(&JobSpec) -> BrokenExchange) {
        let job = Job::new(&[0, 0, 0], 1).exchange_slots().all_to_all(1);
        breaks(Property::Exact, Model::with(job, make));
    }

    /// R-SLOT-13: a worker whose result is lost gets what it has sent itself.
    #[test]
    fn that_repeats_a_result_of_another() {
        broken(|spec| BrokenExchange::new(spec, ExchangeRule::Again));
    }

    /// R-SLOT-13: workers get their own prefix again, and lack that of the first rank.
    #[test]
    fn that_gives_all_the_same_prefixes() {
        let job = Job::new(&[0, 0, 0], 1).exchange_slots().prefixes(1);
        let make = |spec: &JobSpec| BrokenExchange::new(spec, ExchangeRule::Folds);
        breaks(Property::Exact, Model::with(job, make));
    }

    /// R-SLOT-13: a worker gets the lanes of the round before.
    #[test]
    fn with_one_place_for_two_rounds() {
        broken(|spec| BrokenExchange::new(spec, ExchangeRule::Place));
    }
}

mod leaf {
    use super::*;

    fn broken(property: Property, make: fn(&JobSpec) -> BrokenLeaf) {
        breaks(property, Model::with(Job::new(&[0, 1], 1).all_reduce(3), make));
    }

    #[test]
    fn with_all_rules_nothing_is_found() {
        let job = || Job::new(&[0, 1], 1).all_reduce(2);
        let whole = search(Model::with(job(), |spec| BrokenLeaf::new(spec, None)));
        assert!(whole.counterexamples.is_empty(), "{:?}", whole.counterexamples);
        assert_eq!(whole.states, search(Model::new(job())).states);
    }

    /// R-TREE-3: a leaf takes a result of an earlier round of the copy.
    #[test]
    fn without_looking_at_the_round() {
        broken(Property::Exact, |spec| BrokenLeaf::new(spec, Some(LeafRule::Round)));
    }

    /// R-TREE-4: a datagram that is lost between leaf and root is lost for ever.
    #[test]
    fn without_sending_up_again() {
        broken(Property::Recovers, |spec| BrokenLeaf::new(spec, Some(LeafRule::Again)));
    }
}

mod worker {
    use super::*;

    fn broken(property: Property, job: Job, tamper: Tamper) {
        breaks(property, Model::new(job).tampered(tamper));
    }

    /// Returns whether a round has gone out before.
    fn is_repeated(before: &Progress, sent: &Repr) -> bool {
        let slot = &before.slots[usize::from(sent.slot.0)];
        let again = (slot.position as u32, slot.pool) == (sent.position.0, sent.pool);
        again && slot.round.is_some_and(|round| round.kind == sent.kind && round.queried.is_some())
    }

    /// R-TIME-1: a round that is sent again with the other version clears its bit in the copy where
    /// it has been counted, and is counted there once more.
    #[test]
    fn that_sends_again_with_the_wrong_version() {
        let outgoing = |before: &Progress, datagram: &mut [u8]| {
            if let Some(sent) = parse(datagram).filter(|sent| is_repeated(before, sent)) {
                rewrite(datagram, &Repr { pool: sent.pool.flipped(), ..sent });
            }
        };
        broken(Property::Exact, blocks(2), Tamper { outgoing, ..Tamper::NONE });
    }

    /// R-WORK-1: a worker that never flips the version takes the place of its own last round.
    #[test]
    fn that_never_flips_the_version() {
        let outgoing = |_: &Progress, datagram: &mut [u8]| {
            if let Some(sent) = parse(datagram) {
                rewrite(datagram, &Repr { pool: Pool::Even, ..sent });
            }
        };
        let incoming = |before: &Progress, datagram: &mut [u8]| {
            if let Some(result) = parse(datagram) {
                rewrite(
                    datagram,
                    &Repr { pool: before.slots[usize::from(result.slot.0)].pool, ..result },
                );
            }
        };
        broken(Property::Recovers, blocks(3), Tamper { outgoing, incoming });
    }

    /// R-WORK-2: a worker that looks at the version alone takes a result of two rounds ago.
    #[test]
    fn that_does_not_look_at_the_position() {
        let incoming = |before: &Progress, datagram: &mut [u8]| {
            if let Some(result) = parse(datagram) {
                let position = Position(before.slots[usize::from(result.slot.0)].position as u32);
                rewrite(datagram, &Repr { position, ..result });
            }
        };
        broken(Property::Exact, blocks(3), Tamper { incoming, ..Tamper::NONE });
    }

    /// R-WORK-3: a worker that takes a recall for a result comes to a copy again whose result
    /// another worker still needs. It takes no lanes, or it would see that they are missing.
    #[test]
    fn that_does_not_wait_for_the_result() {
        let incoming = |_: &Progress, datagram: &mut [u8]| {
            if let Some(recall) = parse(datagram)
                && matches!(recall.direction, Direction::Recall(_))
            {
                rewrite(datagram, &Repr { direction: Direction::Result(None), ..recall });
            }
        };
        let job = Job::new(&[0, 0], 1).long_blocks().reduce(0, 3);
        broken(Property::Kept, job, Tamper { incoming, ..Tamper::NONE });
    }

    /// R-SLOT-7: workers that do not make the same calls are told of.
    #[test]
    fn that_makes_another_call() {
        let outgoing = |_: &Progress, datagram: &mut [u8]| {
            if let Some(sent) = parse(datagram)
                && sent.direction == Direction::Contribution(WorkerId(1))
            {
                rewrite(datagram, &Repr { call: CallDigest(!sent.call.0), ..sent });
            }
        };
        broken(Property::Agreed, blocks(1), Tamper { outgoing, ..Tamper::NONE });
    }

    /// R-SLOT-11: a worker that does not see that a sum has overflowed waits for lanes that nobody
    /// sends.
    #[test]
    fn that_does_not_fold_again() {
        let incoming = |_: &Progress, datagram: &mut [u8]| {
            if let Some(result) = parse(datagram) {
                rewrite(datagram, &Repr { overflowed: false, ..result });
            }
        };
        let job = Job::new(&[0, 0], 1).refolds().all_reduce(1);
        broken(Property::Recovers, job, Tamper { incoming, ..Tamper::NONE });
    }

    /// R-RES-10: a round that has overflowed is replayed as one that has not, and a worker that has
    /// not completed it lacks its lanes.
    #[test]
    fn that_does_not_replay_an_overflow() {
        let outgoing = |_: &Progress, datagram: &mut [u8]| {
            if let Some(sent) = parse(datagram).filter(|sent| sent.overflowed) {
                rewrite(datagram, &Repr { overflowed: false, ..sent });
            }
        };
        let job = Job::new(&[0, 0], 1).refolds().losses(1).all_reduce(1);
        broken(Property::Recovers, job, Tamper { outgoing, ..Tamper::NONE });
    }

    /// A round whose result is replayed as bytes, in jobs that have no bytes of their own.
    fn is_replayed(datagram: &[u8]) -> Option<Repr> {
        parse(datagram).filter(|sent| sent.element_type == ElementType::U8)
    }

    /// R-RES-5: a worker that replays a round in the other copy leaves bits there that the next
    /// round finds.
    #[test]
    fn that_replays_in_the_other_copy() {
        let flip = |_: &Progress, datagram: &mut [u8]| {
            if let Some(round) = is_replayed(datagram) {
                rewrite(datagram, &Repr { pool: round.pool.flipped(), ..round });
            }
        };
        let job = || blocks(2).losses(1);
        broken(Property::Recovers, job(), Tamper { outgoing: flip, incoming: flip });
    }

    /// R-RES-5: where another than the source says what comes next, workers go on in different
    /// ways.
    #[test]
    fn that_has_a_say_in_a_replay() {
        let outgoing = |_: &Progress, datagram: &mut [u8]| {
            if let Some(sent) = is_replayed(datagram).filter(|sent| sent.empty) {
                rewrite(datagram, &Repr { next_exponent: Exponent::UNKNOWN, ..sent });
            }
        };
        let job = Job::new(&[0, 0], 1).losses(1).block_arithmetic().all_reduce(2);
        broken(Property::Agreed, job, Tamper { outgoing, ..Tamper::NONE });
    }
}

mod elastic {
    use super::*;

    fn job(homes: &[usize]) -> Job {
        Job::new(homes, 1).losses(1).all_reduce(1).all_reduce(1)
    }

    fn broken<S: Switch>(property: Property, model: Elastic<S>) {
        let counterexample =
            model.break_property(property, ONE).expect("the search finds what is broken");
        assert!(!counterexample.steps.is_empty(), "a counterexample is a way to a state");
        println!("{}:\n{}", property.name(), counterexample.steps);
    }

    /// R-PKT-4: a worker takes a result of the epoch that has ended. It does not look at the digest
    /// either, which differs there, since no number of a call is used again (R-RES-9).
    #[test]
    fn a_worker_that_does_not_look_at_the_epoch() {
        let incoming = |epoch: Epoch, first: Option<CallDigest>, datagram: &mut [u8]| {
            if let (Some(result), Some(call)) = (parse(datagram), first) {
                rewrite(datagram, &Repr { epoch, call, ..result });
            }
        };
        let tampering = Tampering { incoming, ..Tampering::NONE };
        broken(Property::Exact, Elastic::new(job(&[0, 0])).tampered(tampering));
    }

    /// R-PKT-4: a switch takes datagrams that were sent in the epoch that has ended.
    #[test]
    fn a_switch_that_does_not_look_at_the_epoch() {
        broken(Property::Agreed, Elastic::with(job(&[0, 0, 0]), OpenSwitch::new));
    }

    /// R-RES-9: a call that is in progress when a worker is lost completes with the sum of the
    /// others.
    #[test]
    fn a_call_that_goes_on_without_a_worker() {
        let tampering = Tampering { keeps_calls: true, ..Tampering::NONE };
        broken(Property::Exact, Elastic::new(job(&[0, 0])).tampered(tampering));
    }

    /// R-RES-9: calls go on with a number that is not the greatest, or that leaves a worker without
    /// a call that tells it of the loss.
    #[test]
    fn calls_that_go_on_with_a_lower_number() {
        let welcome = |welcome: &mut netfold_management::Welcome| {
            welcome.first_call = welcome.first_call.saturating_sub(1);
        };
        let tampering = Tampering { welcome, ..Tampering::NONE };
        broken(Property::Told, Elastic::new(job(&[0, 0])).tampered(tampering));
    }
}
