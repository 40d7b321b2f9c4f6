//! Duration of a call on links with a rate, a length and losses, in virtual time. The assertions
//! are about shares of what the links allow, so that they hold on any machine. Measurements on real
//! links are in `bench/`.

use netfold_conformance::Rack;
use netfold_conformance::rack::{Run, Stall};
use netfold_worker::{Counters, Timing};

/// Workers that no operating system makes wait for a core: a queue may cost 100 us.
const EAGER: Timing = Timing { rto_initial_us: 20_000, rto_min_us: 200, rto_max_us: 500_000 };

/// The run of the seed with the median time.
fn median(rack: &Rack) -> Run {
    let mut runs: Vec<_> = (0..3).map(|seed| rack.run(seed)).collect();
    runs.sort_by_key(|run| run.took_ns);
    runs.swap_remove(1)
}

/// Rounds of all workers.
fn rounds(rack: &Rack) -> f64 {
    (u64::from(rack.workers) * rack.blocks) as f64
}

/// Rounds that were sent again, or asked for.
fn retransmissions(run: &Run) -> u64 {
    run.counters.iter().map(|counters| counters.retransmissions + counters.queries).sum()
}

/// R-TIME-5 to R-TIME-7: losses cost little more than the packets that are sent again. A worker
/// sends again the share 2q of its packets of which its own links have lost the contribution or the
/// result, and no other: a result that is on its way comes before the recall. A round is late for a
/// loss on any of 2n links, and is asked for: at most a share of 2nq, in headers. Packets that are
/// sent again are lost again in the same share, which makes geometric series. In time, the rest is
/// the wait for the last rounds of the call: some round trips of 5 ms on the slowest link, where a
/// queue of that length is borne (R-WORK-8), of the 0.74 s that the call takes there; and some of
/// the shortest timeouts, 100 us, of the 1.5 ms on the fastest.
#[test]
fn losses_cost_little_time() {
    for (rate_bps, link_ns, rest) in [
        (200_000_000, 10_000, 0.05),
        (10_000_000_000, 10_000, 0.05),
        (100_000_000_000, 5_000, 0.15),
    ] {
        for workers in [2, 8] {
            let clean = Rack::new(workers, 512, 16_384, rate_bps, link_ns);
            let clean_ns = median(&clean).took_ns as f64;
            assert!(clean_ns < 1.01 * clean.ideal_ns(), "{clean:?} takes {clean_ns}");
            for loss in [0.0001, 0.001, 0.01] {
                let rack = Rack { loss, ..clean.clone() };
                let run = median(&rack);
                let share = |of: fn(&Counters) -> u64| {
                    run.counters.iter().map(of).sum::<u64>() as f64 / rounds(&rack)
                };
                // Four standard deviations of a number of rare events.
                let at_most =
                    |share: f64| share / (1.0 - share) + 4.0 * (share / rounds(&rack)).sqrt();
                let (again, asked) =
                    (at_most(2.0 * loss), at_most(2.0 * f64::from(workers) * loss));
                assert!(
                    share(|counters| counters.retransmissions) < again,
                    "{rack:?}: {:?}",
                    run.counters
                );
                assert!(share(|counters| counters.queries) < asked, "{rack:?}: {:?}", run.counters);
                let inflation = run.took_ns as f64 / clean_ns;
                let most = 1.0 + again + asked * rack.short_ns() / rack.datagram_ns() + rest;
                assert!(
                    inflation < most,
                    "{inflation}, above {most}, with {rack:?}: {:?}",
                    run.counters[0]
                );
                assert!(loss > 0.001 || inflation < 1.1, "{inflation}");
            }
        }
    }
}

/// R-TIME-6: with eight workers and a call of 25 MiB at 200 Mbit/s, a loss of 1 % on every link
/// costs less than a tenth of the time.
#[test]
fn one_percent_of_losses_costs_less_than_a_tenth() {
    let clean = Rack::new(8, 512, 25_600, 200_000_000, 10_000);
    let clean_ns = clean.run(0).took_ns as f64;
    for seed in 0..5 {
        let inflation = Rack { loss: 0.01, ..clean.clone() }.run(seed).took_ns as f64 / clean_ns;
        assert!(inflation < 1.1, "{inflation} with seed {seed}");
    }
}

/// R-WORK-8: windows fill links from 0.2 to 100 Gbit/s and paths from 10 us to 1 ms, and what waits
/// for a link waits for a bounded time: the queue that is borne and as much as the path is long,
/// twice, since a window grows for a round trip before that shows.
#[test]
fn windows_fit_the_path() {
    for rate_bps in [200_000_000, 1_000_000_000, 10_000_000_000, 100_000_000_000] {
        for link_ns in [2_500, 25_000, 250_000] {
            let mut rack = Rack { timing: EAGER, ..Rack::new(2, 4096, 0, rate_bps, link_ns) };
            // There and back, and once through each link.
            let path_ns = 4.0 * link_ns as f64 / 2.0 + 2.0 * rack.datagram_ns();
            if path_ns / rack.datagram_ns() > 0.7 * f64::from(rack.slots) {
                continue;
            }
            // A hundred round trips, and what the smallest window makes of a slow link.
            rack.blocks = (100.0 * path_ns / rack.datagram_ns()).max(20_000.0) as u64;
            let run = rack.run(0);
            let second_half_ns = (run.took_ns - run.half_ns) as f64;
            let goodput = rack.blocks as f64 / 2.0 * rack.datagram_ns() / second_half_ns;
            assert!(goodput > 0.95, "{goodput} of {rack:?}");
            let most_ns = 2.0 * (2.0 * path_ns + EAGER.queue_us() as f64 * 1e3);
            let smallest_ns = 32.0 * rack.datagram_ns();
            assert!(
                (run.longest_wait_ns as f64) < most_ns.max(smallest_ns),
                "{} with {rack:?}",
                run.longest_wait_ns
            );
            assert_eq!(retransmissions(&run), 0, "{rack:?}");
        }
    }
}

/// R-TIME-4: a round trip above the first timeout is no loss. The first window takes 29 ms on this
/// link, and the timeout is 20 ms as long as nothing has been measured.
#[test]
fn a_slow_link_is_not_flooded() {
    let rack = Rack::new(4, 512, 4096, 20_000_000, 10_000);
    let run = rack.run(0);
    assert_eq!(retransmissions(&run), 0);
    assert!((run.took_ns as f64) < 1.01 * rack.ideal_ns());
}

/// R-TIME-4, R-TIME-5: a worker that waits for a core costs the others a packet each time that the
/// timeout doubles, and nothing is taken for lost.
#[test]
fn a_stalled_worker_costs_few_packets() {
    let stall = Stall { worker: 1, from_ns: 5_000_000, until_ns: 13_000_000 };
    let rack = Rack { stall: Some(stall), ..Rack::new(4, 512, 16_384, 10_000_000_000, 10_000) };
    let run = rack.run(0);
    let stalled_ns = (stall.until_ns - stall.from_ns) as f64;
    assert!((run.took_ns as f64) < 1.02 * rack.ideal_ns() + stalled_ns, "{}", run.took_ns);
    for counters in &run.counters {
        assert_eq!(counters.fast_retransmissions, 0);
        // 100 us doubled seven times are above 8 ms.
        assert!(counters.retransmissions + counters.queries <= 7, "{counters:?}");
    }
}

/// R-WORK-7: whatever is lost, and however the windows of the workers differ and shrink, nobody
/// holds back for good what the others wait for.
#[test]
fn held_back_rounds_do_not_lock_each_other() {
    for seed in 0..60 {
        let timing = Timing { rto_initial_us: 2_000, rto_min_us: 10, rto_max_us: 4_000 };
        let rack = Rack { loss: 0.2, timing, ..Rack::new(5, 256, 3_000, 1_000_000_000, 5_000) };
        let run = rack.run(seed);
        assert!(run.counters.iter().all(|counters| counters.rounds == rack.blocks));
    }
}
