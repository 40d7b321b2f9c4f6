//! A worker's side of a table, with the switch's part written by hand (R-KEY-5).

use crate::hand::config;
use netfold_num::{ByteOrder, ElementType, Protocol};
use netfold_wire::{
    Ecn, Integrity, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr, TableTerms,
};
use netfold_worker::keyed::{Client, ClientConfig};
use proptest::prelude::*;

const TABLE: TableTerms =
    TableTerms { rows: 1000, width: 1, element_type: ElementType::I32, resident: true };

/// Datagrams of one pair.
const DATAGRAM: usize = TABLE_HEADER_BYTES + 8;

/// A round trip.
const TRIP_US: u64 = 100;

/// A client that is to push and to pull so many rows, each in a datagram of its own.
fn busy(pushes: u32, pulls: u32) -> Client {
    let stream = config(1, Protocol::Shadow);
    let mut client =
        Client::new(ClientConfig { stream, table: TABLE, datagram_bytes: DATAGRAM as u32 });
    let ranks: Vec<u32> = (0..1000).collect();
    client.push(&ranks[..pushes as usize], &vec![1; 4 * pushes as usize]);
    client.pull(&ranks[..pulls as usize]);
    client
}

/// Sends what is due.
fn send(client: &mut Client, now_us: u64) -> Vec<TableRepr> {
    let mut buffer = [0; 16 * DATAGRAM];
    let mut sent = Vec::new();
    while let Some((len, segment)) = client.poll_transmit(now_us, &mut buffer, 16) {
        let datagrams = buffer[..len].chunks(segment);
        sent.extend(datagrams.map(|datagram| TablePacket::new_checked(datagram).unwrap().repr));
    }
    sent
}

/// Answers a request; a pull with a row that is not loaded.
fn answer(client: &mut Client, now_us: u64, request: TableRepr, marked: bool) {
    hear(client, now_us, TableRepr { marked, ..request.answered() });
}

fn hear(client: &mut Client, now_us: u64, mut answer: TableRepr) {
    if answer.kind == TableKind::Pull {
        answer.pairs = 0;
    }
    let mut datagram = vec![0; answer.datagram_bytes()];
    answer.seal(&Integrity::Checksum, &mut datagram);
    client.handle(now_us, &datagram, Ecn::Clear);
}

/// The window of a client begins with 64 rounds. Its first round trip, with an answer after 100 us,
/// is far below the 400 us of R-WORK-8 here: the window grows by 3/4.
const GROWN: usize = 64 * 7 / 4;

/// After a mark, 7/10 are left (R-ECN-3).
const MARKED: usize = GROWN * 7 / 10;

#[test]
fn pulls_and_pushes_share_a_window_and_pulls_go_first() {
    let mut client = busy(200, 40);
    let sent = send(&mut client, 0);
    assert!(sent[..40].iter().all(|repr| repr.kind == TableKind::Pull));
    assert!(sent[40..].iter().all(|repr| repr.kind == TableKind::Push));
    assert_eq!(sent.len(), 64);
    // Nothing more goes out until an answer comes, to whichever of them.
    assert!(send(&mut client, 1).is_empty());
    answer(&mut client, TRIP_US, sent[0], true);
    assert_eq!(send(&mut client, TRIP_US).len(), MARKED - 63);

    let mut client = busy(200, 100);
    let sent = send(&mut client, 0);
    assert!(sent.iter().all(|repr| repr.kind == TableKind::Pull));
    answer(&mut client, TRIP_US, sent[0], false);
    let more = send(&mut client, TRIP_US);
    let pulls = more.iter().filter(|repr| repr.kind == TableKind::Pull).count();
    assert_eq!((more.len(), pulls), (GROWN - 63, 100 - 64));
}

#[test]
fn answers_to_pulls_open_the_window() {
    let mut client = busy(0, 1000);
    let mut sent = send(&mut client, 0);
    for trip in 1..=3 {
        let now_us = trip * TRIP_US;
        sent.iter().for_each(|request| answer(&mut client, now_us, *request, false));
        sent = send(&mut client, now_us);
    }
    // 64, 112, 196, and then as many as there are registers.
    assert_eq!(sent.len(), 256);
}

#[test]
fn marks_on_pulls_reduce_the_window_once_in_a_round_trip() {
    let mut client = busy(0, 500);
    let sent = send(&mut client, 0);
    assert_eq!(sent.len(), 64);
    for (index, request) in sent.iter().enumerate() {
        answer(&mut client, TRIP_US, *request, index % 9 == 0);
    }
    assert_eq!(client.counters().marked, 8);
    assert_eq!(send(&mut client, TRIP_US).len(), MARKED);
}

/// Does what is due, and sends it.
fn wait_until(client: &mut Client, now_us: u64) -> Vec<TableRepr> {
    let mut sent = Vec::new();
    while let Some(due_us) = client.poll_timeout().filter(|due| *due <= now_us) {
        client.handle_timeout(due_us);
        sent.extend(send(client, due_us));
    }
    sent
}

/// R-KEY-5 by R-TIME-4: answers that come one after the other show that those behind them wait in a
/// queue, however much longer than a round trip.
#[test]
fn pulls_that_wait_in_a_queue_are_not_repeated() {
    let mut client = busy(0, 64);
    for (request, place) in send(&mut client, 0).into_iter().zip(1..) {
        let now_us = place * TRIP_US;
        assert!(wait_until(&mut client, now_us).is_empty());
        answer(&mut client, now_us, request, false);
    }
    assert!(client.has_pulled());
}

/// R-KEY-5 by R-TIME-5: answers to later pulls tell of one that is lost, and R-TIME-4: so does
/// silence.
#[test]
fn lost_pulls_are_repeated() {
    let mut client = busy(0, 64);
    let sent = send(&mut client, 0);
    for request in &sent[1..63] {
        answer(&mut client, TRIP_US, *request, false);
    }
    // A round trip and a quarter of one after it went out, the first counts as lost.
    assert!(wait_until(&mut client, TRIP_US * 5 / 4 - 1).is_empty());
    assert_eq!(wait_until(&mut client, TRIP_US * 5 / 4), sent[..1]);
    answer(&mut client, 2 * TRIP_US, sent[0], false);
    // Nothing was answered that went out after the last one.
    assert_eq!(wait_until(&mut client, 1_000_000)[0], sent[63]);
    answer(&mut client, 1_000_000, sent[63], false);
    assert!(client.has_pulled());
}

/// R-KEY-16: what is under way is sent again, and nothing else; all is kept for the servers.
#[test]
fn a_switch_that_is_to_stop_gets_no_further_pushes() {
    let mut client = busy(100, 0);
    let sent = send(&mut client, 0);
    assert_eq!(sent.len(), 64);
    hear(&mut client, TRIP_US, TableRepr { going: true, ..sent[0].answered() });
    assert_eq!(send(&mut client, TRIP_US), []);
    client.push(&[1], &[0; 4]);
    assert_eq!(send(&mut client, TRIP_US), []);
    let repeated = wait_until(&mut client, 10_000_000);
    assert!(!repeated.is_empty());
    assert!(repeated.iter().all(|repr| repr.repeated && repr.sequence < 64), "{repeated:?}");
    for repr in &sent[1..] {
        answer(&mut client, 10_000_000, *repr, false);
    }
    assert_eq!(wait_until(&mut client, 20_000_000), []);
    assert_eq!(client.unacknowledged(), 100 + 1 - 64);
    assert_eq!(
        client.kept(u64::MAX).map(|kept| kept.number).collect::<Vec<_>>(),
        Vec::from_iter(0..101)
    );
}

/// Takes all packets of a client apart, and answers them: kinds, ranks and rows.
fn packets(client: &mut Client) -> Vec<(TableKind, Vec<u32>, Vec<u8>)> {
    let (mut buffer, mut sent, mut now_us) = ([0; 64 * 1500], Vec::new(), 0);
    while let Some((len, segment)) = client.poll_transmit(now_us, &mut buffer, 64) {
        now_us += TRIP_US;
        for datagram in buffer[..len].chunks(segment) {
            // With the headers of Ethernet, IPv4 and UDP.
            assert!(datagram.len() + 14 + 20 + 8 <= 192, "{}", datagram.len());
            let packet = TablePacket::new_checked(datagram).unwrap();
            let ranks =
                packet.ranks.chunks(4).map(|rank| u32::from_le_bytes(rank.try_into().unwrap()));
            sent.push((packet.repr.kind, ranks.collect(), packet.rest.to_vec()));
            answer(client, now_us, packet.repr, false);
        }
    }
    sent
}

proptest! {
    /// R-HOT-7, R-HOT-8, R-PISA-73: for a pipeline with m registers each pair goes once, its row
    /// with it; packets are as few as could hold the batch but for keys that find no register; in
    /// a pull no packet has two keys of a register.
    #[test]
    fn packets_for_pipelines_spare_passes(
        ranks in prop::collection::btree_set(0_u32..1000, 1..200),
        m in 1_u32..40,
    ) {
        let ranks: Vec<u32> = ranks.into_iter().collect();
        let stream = config(1, Protocol::Shadow);
        prop_assert_eq!(stream.terms.byte_order, ByteOrder::Little);
        let client_config = ClientConfig { stream, table: TABLE, datagram_bytes: 1472 };
        let client = Client::new(client_config).for_pipeline(m.try_into().unwrap());
        let rows: Vec<u8> = ranks.iter().flat_map(|rank| (!rank).to_le_bytes()).collect();
        let (mut pushes, mut pulls) = (client.clone(), client);
        pushes.push(&ranks, &rows);
        pulls.pull(&ranks);
        let most = |packet: &[u32]| -> usize {
            (0..m).map(|register| packet.iter().filter(|rank| *rank % m == register).count())
                .max().unwrap()
        };
        let (mut pushed, mut recirculations) = (Vec::new(), 0);
        for (kind, packet, own) in packets(&mut pushes) {
            prop_assert_eq!(kind, TableKind::Push);
            prop_assert!((1..=12).contains(&packet.len()));
            let expected: Vec<u8> = packet.iter().flat_map(|rank| (!rank).to_le_bytes()).collect();
            prop_assert_eq!(own, expected);
            recirculations += most(&packet) - 1;
            pushed.extend(packet);
        }
        pushed.sort_unstable();
        prop_assert_eq!(&pushed, &ranks);
        prop_assert_eq!(pushes.counters().recirculations, recirculations as u64);
        let mut pulled = Vec::new();
        for (kind, packet, _) in packets(&mut pulls) {
            prop_assert_eq!(kind, TableKind::Pull);
            prop_assert!((1..=12).contains(&packet.len()));
            prop_assert_eq!(most(&packet), 1, "{:?}", packet);
            pulled.extend(packet);
        }
        pulled.sort_unstable();
        prop_assert_eq!(pulled, ranks);
    }
}

/// Twelve keys of as many registers, and one more of the first: two packets are needed, and by
/// algorithm 1 each takes one pass.
#[test]
fn keys_of_one_register_go_into_different_packets() {
    let stream = config(1, Protocol::Shadow);
    let client_config = ClientConfig { stream, table: TABLE, datagram_bytes: 1472 };
    let mut client = Client::new(client_config).for_pipeline(16.try_into().unwrap());
    let ranks: Vec<u32> = (0..12).chain([16]).collect();
    client.push(&ranks, &[0; 4 * 13]);
    assert_eq!(client.counters().recirculations, 0);
    let sent: Vec<Vec<u32>> = packets(&mut client).into_iter().map(|(_, ranks, _)| ranks).collect();
    assert_eq!(sent, [(0..12).collect::<Vec<_>>(), vec![16]]);
    // Three keys of one register, where one packet holds them: the others share a further one,
    // which takes two passes.
    client.push(&[0, 16, 32], &[0; 12]);
    assert_eq!(client.counters().recirculations, 1);
}
