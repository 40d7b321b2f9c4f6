//! All-to-alls over UDP (R-STREAM-16): one packet each way for each packet of elements.

use netfold_net::{Collective, ElementType, Operation, SwitchOptions};

use crate::support::{WAIT_LIMIT, Way, call, workers};

const WORKERS: u16 = 4;
const PART: usize = 300_000;

#[test]
fn an_all_to_all_sends_nothing_that_is_empty() {
    let switch = Way::Udp.switch(SwitchOptions::default());
    let byte =
        |from: u16, to: u16, at: usize| (at * 7 + usize::from(from) * 31 + usize::from(to)) as u8;
    workers(
        &switch,
        Way::Udp,
        WORKERS,
        |_| (),
        |comm| {
            let part = |from, to| (0..PART).map(move |at| byte(from, to, at));
            let input: Vec<u8> = (0..WORKERS).flat_map(|to| part(comm.rank(), to)).collect();
            let mut output = vec![0; input.len()];
            let moves = call(Collective::AllToAll, Operation::Copy, ElementType::U8, PART as u64);
            comm.run(moves, &input, &mut output, WAIT_LIMIT).unwrap();
            assert!(output.into_iter().eq((0..WORKERS).flat_map(|from| part(from, comm.rank()))));

            let stats = comm.stats().unwrap();
            assert!(stats.exchange_slots > 0, "{stats:?}");
            let blocks = (WORKERS as usize - 1) * PART.div_ceil(stats.payload_bytes as usize);
            let counters = stats.counters;
            assert_eq!(counters.rounds, blocks as u64);
            let sent_once = counters.packets_sent - counters.retransmissions - counters.queries;
            assert_eq!(sent_once, counters.rounds);
        },
    );
}
