//! A table in a tree of switches (R-KEY-17 to R-KEY-19).

use super::*;

/// Workers of the leaf, more than are asked for at a time: ranks 0 to 19. Rank 20 is at the root.
const BELOW: u16 = 20;

/// The first part of a root, which a leaf is below.
fn pair() -> [Table; 2] {
    let spec = spec(Arithmetic::Native, ElementType::I32, false);
    let workers = (0..BELOW).map(WorkerId).collect();
    let root = TableTree { leaves: vec![Leaf { name: WorkerId(0), workers }], has_parent: false };
    let leaf = TableTree { leaves: vec![], has_parent: true };
    [root, leaf].map(|tree| Table::new(TableSpec { workers: BELOW + 1, tree, ..spec.clone() }))
}

/// Gives a datagram to a table. Returns its answer, if there is one.
fn give(table: &mut Table, datagram: &[u8], going: bool) -> Option<Vec<u8>> {
    let mut bytes = vec![0; MAX_ANSWER_BYTES];
    let packet = TablePacket::new_checked(datagram).unwrap();
    let len = table.handle(&packet, Ecn::Clear, going, &mut bytes).unwrap();
    (len > 0).then(|| bytes[..len].to_vec())
}

fn header(datagram: &[u8]) -> TableRepr {
    TablePacket::new_checked(datagram).unwrap().repr
}

/// Delivers what the root asks the leaf, and the answers, until there is nothing more. Returns how
/// many requests there were.
fn settle([root, leaf]: &mut [Table; 2], going: [bool; 2]) -> usize {
    let mut requests = 0;
    while let Some(request) = root.requests().pop_front() {
        requests += 1;
        if let Some(answer) = give(leaf, request.datagram(), going[1]) {
            assert_eq!(give(root, &answer, going[0]), None, "an answer is not answered");
        }
    }
    requests
}

/// R-KEY-17, R-KEY-18: the root has the leaf's sums, and the windows of all of its workers.
#[test]
fn a_generation_has_what_was_pushed_through_a_leaf() {
    let mut tables = pair();
    let mut expected = BTreeMap::new();
    for worker in 0..=BELOW {
        for number in 0..=u32::from(worker) {
            let rank = |pair: u32| (u32::from(worker) * 41 + number * 17 + pair * 5) % ROWS;
            let pairs: Pairs =
                (0..5_u32).map(|pair| (rank(pair), [1, i32::from(worker)])).collect();
            add(&mut expected, &pairs);
            let at = usize::from(worker < BELOW);
            give(&mut tables[at], &push(worker, number, &pairs), false).unwrap();
        }
    }
    // The first read begins, the second finds the generation closed.
    let first = give(&mut tables[0], &read(u64::MAX, 1, 0, 0), false).unwrap();
    assert_eq!((header(&first).generation, header(&first).last), (1, false));
    settle(&mut tables, [false; 2]);
    let (mut sums, mut place) = (BTreeMap::new(), 0);
    loop {
        let answer = ask(&mut tables[0], &read(u64::MAX, 1, place, 0)).unwrap();
        assert_eq!(answer.repr.generation, 2);
        add(&mut sums, &answer.pairs);
        place = answer.repr.place;
        if answer.repr.last {
            break;
        }
    }
    assert_eq!(sums, expected);
    assert_eq!(tables[0].counters.pairs_gathered, tables[1].rows_of(1), "each row once");
    for worker in 0..=BELOW {
        let repr = TableRepr { worker: WorkerId(worker), ..request(TableKind::Windows) };
        let answer = ask(&mut tables[0], &datagram(repr, &[])).unwrap();
        let registers: Vec<u32> = netfold_wire::registers(&answer.rest).collect();
        assert_eq!(netfold_wire::pushes_in(&registers), u32::from(worker) + 1, "rank {worker}");
    }
}

impl Table {
    /// Rows that were pushed to in a generation, the open one or the one before it.
    fn rows_of(&self, generation: u32) -> u64 {
        self.memory().copies[(generation % 2) as usize].order.len() as u64
    }
}

/// R-KEY-18: what a leaf does not answer is sent again with the second, the fourth and the eighth
/// read, and with each one after that, which is not answered.
#[test]
fn a_silent_leaf_is_asked_again_ever_more_rarely() {
    let [mut root, mut leaf] = pair();
    give(&mut leaf, &push(3, 0, &vec![(1, [1, 1])]), false).unwrap();
    let asked = |root: &mut Table| {
        let answered = give(root, &read(u64::MAX, 1, 0, 0), false).is_some();
        (root.requests().drain(..).collect::<Vec<_>>(), answered)
    };
    let (first, answered) = asked(&mut root);
    assert_eq!((first.len(), answered), (1, true));
    for number in 1..=11 {
        let (again, answered) = asked(&mut root);
        let due = matches!(number, 2 | 4 | 8..);
        assert_eq!(again, if due { first.clone() } else { vec![] }, "read {number}");
        assert_eq!(answered, number <= 8, "read {number}");
    }
    // An answer begins the count anew. Twenty windows are asked for, eight at a time.
    let closed = give(&mut leaf, first[0].datagram(), false).unwrap();
    give(&mut root, &closed, false);
    assert_eq!(root.requests().drain(..).count(), 8);
    for (number, again) in [(1, 0), (2, 8), (3, 0)] {
        let (requests, answered) = asked(&mut root);
        assert_eq!((requests.len(), answered), (again, true), "read {number}");
    }
}

/// R-KEY-16, R-KEY-19: workers of the leaf hear that the root is to stop, which knows when the leaf
/// has nothing any more; and servers hear that the leaf is.
#[test]
fn who_is_to_stop_is_known_in_the_whole_tree() {
    let pairs = vec![(7, [1, 2])];
    let mut tables = pair();
    // Nothing is there, and the root knows it.
    for _ in 0..2 {
        give(&mut tables[0], &read(u64::MAX, 1, 0, 0), false).unwrap();
        settle(&mut tables, [true, false]);
    }
    assert!(tables[0].is_drained());
    give(&mut tables[1], &push(0, 0, &pairs), false).unwrap();
    tables[0].doubt_leaves();
    assert!(!tables[0].is_drained(), "the leaf was not asked since");
    give(&mut tables[0], &read(u64::MAX, 1, 0, 0), true).unwrap();
    settle(&mut tables, [true, false]);
    let acknowledged = give(&mut tables[1], &push(0, 1, &pairs), false).unwrap();
    assert!(header(&acknowledged).going, "the leaf passes on what the root has told it");
    assert!(!tables[0].is_drained(), "no server has stored it");
    // Generation 1 is stored; 2 has the second push, and then nothing is left.
    for (open, stored) in [(2, 1), (3, 2), (3, 2)] {
        give(&mut tables[0], &read(u64::MAX, open, 0, stored), true).unwrap();
        settle(&mut tables, [true, false]);
    }
    assert!(tables[0].is_drained());

    // A server that asks for news has the leaf asked, too, and hears of it with the next news.
    let mut tables = pair();
    let repr = TableRepr { generation: 1, ..request(TableKind::Read) };
    let news = datagram(repr, &u64::MAX.to_be_bytes());
    let going = |tables: &mut [Table; 2]| {
        let answer = give(&mut tables[0], &news, false).unwrap();
        assert_eq!(settle(tables, [false, true]), 1);
        header(&answer).going
    };
    assert!(!going(&mut tables));
    assert!(going(&mut tables), "the root passes on what the leaf has told it");
    assert_eq!(tables[1].open, 1, "nothing is closed");
}

/// R-KEY-11, R-KEY-19: when a job is over, a leaf takes no pushes, and its table goes with the last
/// word of the root.
#[test]
fn a_leaf_waits_for_the_last_word() {
    let pairs = vec![(7, [1, 2])];
    let mut tables = pair();
    give(&mut tables[1], &push(0, 0, &pairs), false).unwrap();
    tables[0].end();
    tables[1].end();
    assert!(!tables[0].is_over() && !tables[1].is_over());
    for (open, stored) in [(1, 0), (2, 1)] {
        give(&mut tables[0], &read(u64::MAX, open, 0, stored), false).unwrap();
        settle(&mut tables, [false; 2]);
    }
    assert!(tables[0].is_over(), "the server has stored all there was");
    assert!(tables[1].is_drained() && !tables[1].is_over(), "the root may ask again");
    tables[0].dismiss_leaves();
    assert_eq!(settle(&mut tables, [false; 2]), 1);
    assert!(tables[1].is_over());

    // The leaf has not heard of the end, but from the root.
    let mut tables = pair();
    tables[0].end();
    give(&mut tables[0], &read(u64::MAX, 1, 0, 0), false).unwrap();
    settle(&mut tables, [false; 2]);
    let refused = push(0, 0, &pairs);
    let packet = TablePacket::new_checked(&refused).unwrap();
    let mut answer = vec![0; MAX_ANSWER_BYTES];
    let refusal = tables[1].handle(&packet, Ecn::Clear, false, &mut answer);
    assert_eq!(refusal, Err(Refusal::UnknownJob));
}

/// R-KEY-19: when all is stored, tables go with their job, and no server is needed for that.
#[test]
fn tables_go_with_their_job_when_nothing_is_left() {
    let [mut root, mut leaf] = [0, 1].map(|_| crate::tables::Tables::default());
    for (tables, Table { spec, .. }) in [&mut root, &mut leaf].into_iter().zip(pair()) {
        tables.admit(spec, u64::MAX).unwrap();
    }
    let mut buffer = vec![0; MAX_ANSWER_BYTES];
    root.release(JobId(3));
    assert_eq!((root.status().len(), leaf.status().len()), (1, 1), "the leaf may have pushes");
    let mut requests = 0;
    while let Some(request) = root.poll_leaf_request() {
        requests += 1;
        let len = leaf.handle(request.datagram(), Ecn::Clear, &mut buffer).unwrap();
        let answer = buffer[..len].to_vec();
        if len > 0 {
            assert_eq!(root.handle(&answer, Ecn::Clear, &mut buffer), Ok(0));
        }
    }
    assert_eq!((requests, root.status().len(), leaf.status().len()), (2, 0, 0));
    leaf.release(JobId(3));
}

/// R-KEY-2: answers that no leaf has given do nothing.
#[test]
fn answers_of_others_are_dropped() {
    let [mut root, mut leaf] = pair();
    give(&mut root, &read(u64::MAX, 1, 0, 0), false).unwrap();
    let request = root.requests().pop_front().unwrap();
    give(&mut leaf, &push(0, 0, &vec![(1, [1, 1])]), false).unwrap();
    let answer = give(&mut leaf, request.datagram(), false).unwrap();
    let repr = header(&answer);
    for other in [
        TableRepr { worker: WorkerId(BELOW), ..repr },
        TableRepr { sequence: repr.sequence + 1, ..repr },
        TableRepr { generation: repr.generation + 1, ..repr },
    ] {
        let mut forged = answer.clone();
        other.seal(&Integrity::Checksum, &mut forged);
        give(&mut root, &forged, false);
        assert_eq!(root.rows_of(1), 0, "{other:?}");
    }
    // The leaf of another table, which has more rows.
    let mut beyond = answer.clone();
    beyond[TABLE_HEADER_BYTES..][..RANK_BYTES].copy_from_slice(&ROWS.to_le_bytes());
    repr.seal(&Integrity::Checksum, &mut beyond);
    assert_eq!(ask(&mut root, &beyond).unwrap_err(), Refusal::Range);
    assert_eq!(root.rows_of(1), 0);
    give(&mut root, &answer, false);
    give(&mut root, &answer, false);
    assert_eq!((root.rows_of(1), root.counters.pairs_gathered), (1, 1));
    // A table without leaves takes no answers.
    let mut bytes = vec![0; MAX_ANSWER_BYTES];
    let packet = TablePacket::new_checked(&answer).unwrap();
    assert_eq!(leaf.handle(&packet, Ecn::Clear, false, &mut bytes), Err(Refusal::Direction));
}

/// R-KEY-19: a switch without one above takes nobody's word for it.
#[test]
fn only_a_parent_is_believed() {
    let [mut root, _] = pair();
    for close in [false, true] {
        let repr = TableRepr { last: true, going: true, close, ..request(TableKind::Read) };
        give(&mut root, &datagram(repr, &u64::MAX.to_be_bytes()), false).unwrap();
    }
    let acknowledged = give(&mut root, &push(BELOW, 0, &vec![(1, [1, 1])]), false).unwrap();
    assert!(!header(&acknowledged).going && root.rows_of(1) == 1);
}

/// R-KEY-7: the answer of a leaf is not the question of a server.
#[test]
fn what_is_told_of_a_table_is_when_a_server_has_asked() {
    let mut tables = crate::tables::Tables::default();
    let [root, mut leaf] = pair();
    tables.admit(root.spec, u64::MAX).unwrap();
    let mut buffer = vec![0; MAX_ANSWER_BYTES];
    tables.now_us = 5;
    tables.handle(&read(u64::MAX, 1, 0, 0), Ecn::Clear, &mut buffer).unwrap();
    let request = tables.poll_leaf_request().unwrap();
    let answer = give(&mut leaf, request.datagram(), false).unwrap();
    tables.now_us = 9;
    assert_eq!(tables.handle(&answer, Ecn::Clear, &mut buffer), Ok(0));
    let [status] = &tables.status()[..] else { panic!("one table") };
    assert_eq!(status.asked_us, Some(5));
}
