//! SwitchML over RoCE: a job that shows how it is used, and its figures beside those of the paper.

use super::{Passes, Request, example_switch};
use crate::programs::roce::{self, Roce};
use crate::programs::{Address, Arithmetic};
use crate::report::{Comparison, FRAME_BYTES, Report};
use crate::target::Target;

/// The job in the files for control planes.
pub(super) fn example_job(request: Request, config: &Roce) -> roce::Job {
    let queue_pairs = (config.messages / config.workers).next_power_of_two();
    let worker = |(number, (port, Address { mac, ip, .. })): (u16, _)| {
        let queue_pairs = (0..queue_pairs).map(|pair| u32::from(number) << 12 | pair).collect();
        roce::Worker { port, mac, ip, queue_pairs, rkey: 0x1000 + u32::from(number), base: 1 << 32 }
    };
    let Address { mac, ip, .. } = example_switch();
    roce::Job {
        first_qp: 0x10_0000,
        queue_pairs,
        slots: request.slots.min(u16::MAX.into()) as u16,
        first_slot: 0,
        first_word: 0,
        first_message: 0,
        workers: (1..).zip(request.workers()).map(worker).collect(),
        switch: (mac, ip),
        group: 1,
    }
}

/// The program's figures beside those of its paper.
pub(super) fn comparisons(arithmetic: Arithmetic) -> Vec<Comparison> {
    let mut comparisons = match arithmetic {
        Arithmetic::Block => of_integers(),
        Arithmetic::Fpisa(_) => vec![of_floats()],
    };
    comparisons.push(Comparison {
        what: "ICRC of results".into(),
        here: "right (R-PISA-57 to 59)".into(),
        published: "not said; the published program leaves that of the contribution".into(),
        why: "identification and UDP source port are chosen so that it is right".into(),
    });
    comparisons.push(Comparison {
        what: "sequence numbers of results".into(),
        here: "by round and place in the message (R-PISA-55)".into(),
        published: "a register for each queue pair (appendix B)".into(),
        why: "a counter numbers packets as they leave, and a NIC would take one for another".into(),
    });
    comparisons
}

fn of_floats() -> Comparison {
    let Passes { fold, result } = Passes::FLOATS_OVER_ROCE;
    Comparison {
        what: "passes".into(),
        here: format!("{fold} to add, {result} for the packet that completes a round"),
        published: "not given".into(),
        why: "one pass reads, and one has the sums for the ICRC (R-PISA-61)".into(),
    }
}

fn of_integers() -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    // Of a message of 16 packets: one RETH, and one Immediate.
    let header = |packets: f64| {
        (roce::BTH_BYTES + roce::ICRC_BYTES) as f64
            + (roce::RETH_BYTES + roce::IMMEDIATE_BYTES) as f64 / packets
    };
    for (elements, packets, published) in [
        (64, 16.0, "77 % over UDP (section 5)"),
        (256, 16.0, "93 % over UDP (section 5)"),
        (256, 1.0, "not given"),
    ] {
        let lanes = f64::from(4 * elements);
        let share = lanes / (lanes + f64::from(FRAME_BYTES) + header(packets));
        comparisons.push(Comparison {
            what: format!("goodput at {elements} lanes, {packets} packet(s) to a message"),
            here: format!("{:.1} % of line rate", 100.0 * share),
            published: published.into(),
            why: "BTH and ICRC take 16 bytes of each packet, RETH and Immediate 20 of each message"
                .into(),
        });
    }
    for (elements, pipelines) in [(64, 1), (256, 4)] {
        let Passes { fold, result } = Passes::over(pipelines);
        let report = Report::of(&Roce::new(elements).program(), &Target::tofino());
        comparisons.push(Comparison {
            what: format!("passes at {elements} lanes"),
            here: format!(
                "{fold} to fold, {result} for the packet that completes a round, in {} stages",
                report.stages
            ),
            published: "as over UDP".into(),
            why: String::new(),
        });
    }
    comparisons
}
