//! Workers whose packets are filled for a pipeline, at the pipeline (R-HOT-7, R-PISA-73).

use std::collections::BTreeMap;

use netfold_num::ByteOrder;
use netfold_wire::{Ecn, Integrity, TableKind, Terms, WorkerId};
use netfold_worker::keyed::{Client, ClientConfig, ClientEvent};
use netfold_worker::{StreamConfig, Timing};

use super::bench::{Bench, EPOCH, JOB, Pairs, datagram, request, terms};
use super::{WORKERS, small};
use crate::dice::Dice;

fn client(bench: &Bench, worker: u16) -> Client {
    let mut of_job = Terms::new(Integrity::Transport);
    of_job.byte_order = ByteOrder::Network;
    let stream = StreamConfig {
        job: JOB,
        epoch: EPOCH,
        rank: WorkerId(worker),
        first_slot: 0,
        slots: 1,
        flow: 0,
        flows: 1,
        terms: of_job,
        timing: Timing::default(),
    };
    let config = ClientConfig { stream, table: terms(&bench.config), datagram_bytes: 1472 };
    Client::new(config).for_pipeline(u32::from(bench.config.registers).try_into().unwrap())
}

/// Sends what there is to send, and hears the answers. Returns the number of datagrams.
fn settle(bench: &mut Bench, client: &mut Client, worker: u16) -> usize {
    let (mut buffer, mut datagrams) = (vec![0; 64 << 10], 0);
    while let Some((len, segment)) = client.poll_transmit(0, &mut buffer, 64) {
        for sent in buffer[..len].chunks(segment) {
            datagrams += 1;
            let answer = bench.ask(worker, sent, Ecn::Clear).expect("an answer");
            client.handle(1, &answer, Ecn::Clear);
        }
    }
    datagrams
}

/// Every row that is pulled comes, and has what all have pushed, although the pipeline answers for
/// one rank of each register.
#[test]
fn all_rows_come_from_a_pipeline_that_answers_for_one_of_a_register() {
    for registers in [2, 8, 16] {
        let (mut bench, mut dice) = (Bench::new(small(registers)), Dice(registers.into()));
        let rows = bench.config.rows();
        for rank in 0..rows {
            let load = request(&bench.config, TableKind::Load, 0, rank);
            let pairs: Pairs = vec![(rank, rank as i32)];
            bench.ask(WORKERS, &datagram(load, &pairs), Ecn::Clear).expect("an answer");
        }
        let mut expected: BTreeMap<u32, i32> = (0..rows).map(|rank| (rank, rank as i32)).collect();
        let mut clients: Vec<Client> = (0..WORKERS).map(|worker| client(&bench, worker)).collect();
        for turn in 0..60 {
            let worker = turn % WORKERS;
            let own = &mut clients[usize::from(worker)];
            let ranks: Vec<u32> = (0..rows).filter(|_| dice.below(3) == 0).collect();
            let numbers: Vec<i32> = ranks.iter().map(|_| dice.roll() as i32).collect();
            let lanes: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
            own.push(&ranks, &lanes);
            settle(&mut bench, own, worker);
            for (rank, number) in ranks.iter().zip(&numbers) {
                let sum = expected.get_mut(rank).unwrap();
                *sum = sum.wrapping_add(*number);
            }
            let asked: Vec<u32> = (0..rows).rev().filter(|_| dice.below(2) == 0).collect();
            let own = &mut clients[usize::from(worker)];
            own.pull(&asked);
            settle(&mut bench, own, worker);
            assert!(own.has_pulled());
            let mut found = BTreeMap::new();
            while let Some(ClientEvent::Pulled { ranks, rows, asked }) = own.poll_event() {
                assert_eq!(ranks.len(), asked, "none is left out");
                let values = rows.chunks(4).map(|row| i32::from_be_bytes(row.try_into().unwrap()));
                found.extend(ranks.into_iter().zip(values));
            }
            let wanted: BTreeMap<u32, i32> =
                asked.iter().map(|rank| (*rank, expected[rank])).collect();
            assert_eq!(found, wanted, "{registers} registers, turn {turn}");
        }
        assert!(clients.iter().all(|client| client.counters().retransmissions == 0));
    }
}
