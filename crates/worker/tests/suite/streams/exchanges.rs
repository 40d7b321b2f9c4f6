//! Exchanges (R-STREAM-16, R-STREAM-17): their slots, and parts of different lengths.

use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_wire::{Delivery, Direction, Ecn, HEADER_BYTES, Integrity, Packet, Repr, WorkerId};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, Lengths, OtherSlots, Plan, Priority, Reduction, Streams,
};

use super::{CONFIG, Hand, OTHERS, places};

/// R-STREAM-16: exchanges have slots behind the others, and go after urgent calls and before bulk;
/// a barrier does not wait for them. In a round of theirs every worker has a contribution.
#[test]
fn exchanges_have_slots_of_their_own() {
    let mut worker = Hand::exchanging();
    worker.submit(1, Priority::Bulk);
    worker.all_to_all(2, Priority::Bulk);
    worker.submit(1, Priority::Urgent);
    let sent = worker.transmissions(0);
    let slots: Vec<_> = sent.iter().map(|sent| places(sent)).collect();
    assert_eq!(slots, [vec![(4, 0)], vec![(6, 0), (7, 1)], vec![(0, 0)]]);
    let exchanged =
        |sent: &[Repr]| sent.iter().map(|sent| (sent.delivery, sent.empty)).collect::<Vec<_>>();
    assert_eq!(exchanged(&sent[1]), [(Delivery::Shift(1), false); 2]);
    worker.answer(1, &sent[2][0]);
    assert_eq!(worker.completed(), [0], "bulk does not wait for an exchange");
    worker.answer(1, &sent[1][0]);
    worker.answer(1, &sent[1][1]);
    let rest = worker.send(2);
    assert_eq!(
        (places(&rest), exchanged(&rest)),
        (vec![(6, 2), (7, 3)], vec![(Delivery::Shift(2), false); 2])
    );
    rest.iter().for_each(|sent| worker.answer(3, sent));
    assert_eq!(worker.completed(), [1]);
}

/// R-STREAM-17: a part that is shorter than others is filled up with zeros, what fills up the
/// result is left out, and behind a part's end there is nothing to send or to take.
#[test]
fn shorter_parts_are_filled_up() {
    let others = OtherSlots { exchange: 4, ..OTHERS };
    let mut streams: Streams<Dense<Vec<u8>>> = Streams::new(CONFIG, others);
    // Packets of 8 bytes. Rank 1 sends 3 bytes to rank 2 and takes 5 from rank 0; the longest part
    // of that group, from rank 2 to rank 0, has 11. Of the other group only rank 1 takes: 2 bytes.
    let lengths: Lengths = vec![0, 5, 0, 0, 0, 3, 11, 2, 0].into();
    let call = Call {
        collective: Collective::AllToAll,
        reduction: Reduction::Fold(Operation::Copy),
        element_type: ElementType::U8,
        elements: 0,
        priority: Some(Priority::Bulk),
    };
    let plan = Plan::with_lengths(call, lengths, Arithmetic::Native, 3, WorkerId(1), 8)
        .expect("parts to exchange");
    // Beyond the output there is a byte that nothing may touch.
    let memory = vec![1, 2, 3, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE];
    streams.submit(CallId(0), plan.clone(), Dense::new(plan, memory));
    let mut buffer = vec![0xAA; 8 * (HEADER_BYTES + 8)];
    let mut sent = Vec::new();
    while let Some(transmit) = streams.poll_transmit(0, &mut buffer, 8) {
        sent.extend(buffer[..transmit.len].chunks(transmit.segment).map(<[u8]>::to_vec));
    }
    let packets: Vec<_> =
        sent.iter().map(|bytes| Packet::new_checked(bytes).expect("a packet")).collect();
    let lanes: Vec<_> =
        packets.iter().map(|packet| (packet.repr().elements, packet.lanes())).collect();
    assert_eq!(lanes, [(8, &[1, 2, 3, 0, 0, 0, 0, 0][..]), (3, &[]), (2, &[])]);
    for (packet, lanes) in
        packets.iter().zip([&[9, 8, 7, 6, 5, 0x77, 0x77, 0x77][..], &[], &[4, 3]])
    {
        let result = Repr {
            direction: Direction::Result(Some(WorkerId(1))),
            empty: lanes.is_empty(),
            ..*packet.repr()
        };
        let mut datagram = vec![0; HEADER_BYTES];
        result.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        datagram.extend(lanes);
        Integrity::Checksum.seal(&mut datagram);
        streams.handle(1, &datagram, Ecn::Clear);
    }
    let Some(Event::Completed(_, tensor)) = streams.poll_event() else { panic!("it is complete") };
    assert_eq!(tensor.into_memory(), [9, 8, 7, 6, 5, 4, 3, 0xEE]);
}

/// R-STREAM-16: an urgent all-to-all, and one in a job without exchange slots, is one of pairs.
#[test]
fn other_all_to_alls_are_folds() {
    for (mut worker, priority) in
        [(Hand::exchanging(), Priority::Urgent), (Hand::new(), Priority::Bulk)]
    {
        worker.all_to_all(1, priority);
        let sent = worker.send(0);
        assert!(sent.iter().all(|sent| matches!(sent.delivery, Delivery::One(_))), "{sent:?}");
        assert!(sent.iter().any(|sent| sent.empty));
    }
}
