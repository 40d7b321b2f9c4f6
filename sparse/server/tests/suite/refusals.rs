//! Refusals of a server, by name; and terms that another run may change.

use netfold_sparse::optimizer::{Adagrad, Optimizer, Sgd};
use netfold_sparse::{
    Answer, Change, ElementType, Generation, Hello, Output, Plane, Pushed, Reply, Request,
};

use crate::cluster::{EPOCH, HOT, hello};
use crate::driver::{Driver, assert_names, end_step, why};

type Alter = fn(&mut Hello);

#[test]
fn a_difference_is_told_with_both_values_and_both_ranks() {
    let cases: [(Alter, &[&str]); 13] = [
        (|hello| hello.table.name = "views".into(), &["table \"views\"", "\"clicks\""]),
        (|hello| hello.table.rows = 41, &["rows 41", "rank 0 has 40"]),
        (|hello| hello.table.seed = 5, &["seed 5", "has 1;"]),
        (|hello| hello.table.staleness = Some(2), &["staleness Some(2)", "has None"]),
        (|hello| hello.table.resident = true, &["resident true", "has false"]),
        (|hello| hello.table.max_age_ms = 7, &["max_age_ms 7", "has 20;"]),
        (|hello| hello.workers = 4, &["workers 4", "has 3;"]),
        (|hello| hello.servers = 3, &["servers 3", "has 2;"]),
        (|hello| hello.server = 1, &["server 1", "has 0;"]),
        (|hello| hello.hot_keys[2] = 1, &["key 1 as hot rank 2", "key 0 as hot rank 2"]),
        (
            |hello| hello.table.optimizer = Optimizer::Sgd(Sgd::default()),
            &["lr: 0.001", "lr: -1.0"],
        ),
        (
            |hello| hello.table.optimizer = Optimizer::Adagrad(Adagrad::default()),
            &["\"adagrad\", 3", "\"sgd\", 1"],
        ),
        (|hello| hello.switch.as_mut().expect("a switch").epoch = 10, &["epoch: 10", "epoch: 9"]),
    ];
    for (alter, parts) in cases {
        let mut driver = Driver::new();
        driver.welcome(1, &hello(0, 3, 2));
        let mut other = hello(2, 3, 2);
        alter(&mut other);
        let replies = driver.greet(2, &other);
        assert_names(why(&replies, 2), &[parts, &["rank 2 has", "rank 0 has"]].concat());
        // The others go on.
        assert!(driver.send(1, Request::Pull { id: 1, step: None, keys: vec![3] }).len() == 1);
    }
}

#[test]
fn a_hello_that_makes_no_sense_is_refused() {
    let cases: [(Alter, &str); 9] = [
        (|hello| hello.table.rows = 0, "0 rows"),
        (|hello| hello.table.width = 0, "no numbers"),
        (|hello| hello.rank = 3, "not below the 3 workers"),
        (|hello| (hello.server, hello.servers) = (0, 65), "at most 64"),
        (|hello| hello.hot_keys[0] = 40, "hot key Some(40) is not below the 40 rows"),
        (|hello| hello.hot_keys[0] = hello.hot_keys[1], "8 hot keys, of which 7 are distinct"),
        (|hello| hello.switch.as_mut().expect("a switch").width = 2, "10 rows of 2"),
        (
            |hello| {
                hello.table.resident = true;
                hello.table.optimizer = Optimizer::Adagrad(Adagrad::default());
            },
            "adagrad does not",
        ),
        (
            |hello| (hello.table.resident, hello.table.staleness) = (true, Some(0)),
            "steps cannot be applied as one",
        ),
    ];
    for (alter, part) in cases {
        let mut driver = Driver::new();
        let mut other = hello(2, 3, 2);
        alter(&mut other);
        let replies = driver.greet(2, &other);
        assert_names(why(&replies, 2), &["rank ", part]);
    }
}

#[test]
fn sessions_have_one_rank_and_ranks_one_process() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 3, 1));
    let stolen = Hello { session: 100, ..hello(1, 3, 1) };
    let replies = driver.greet(2, &stolen);
    assert_names(why(&replies, 2), &["is that of rank 0, not of rank 1"]);
    let second = Hello { session: 7, ..hello(0, 3, 1) };
    let replies = driver.greet(3, &second);
    assert_names(why(&replies, 3), &["rank 0 is connected", "0000000000000064"]);
    // The process before has ended: another takes its rank, with numbers of its own.
    driver.server.disconnected(1);
    let replies = driver.greet(4, &second);
    assert!(matches!(replies[0], (4, Reply::Welcome { stored: 0, .. })), "{replies:?}");
    // The same process with another connection replaces the one that it has lost.
    driver.welcome(5, &second);
    assert!(
        driver.send(4, Request::Flush { id: 1, pushed: Pushed::default() }).len() == 1,
        "it is to say hello"
    );
}

#[test]
fn changes_that_cannot_be_are_refused_and_change_nothing() {
    let mut driver = Driver::new();
    let first = hello(0, 1, 2);
    let own = |change| Request::Change { number: 1, change };
    // Of two servers, this one has the even parts. By hand (R-SERVE-1), a is 27: key 0 is at part
    // 0, and key 39 at part 1053 mod 40 = 13. So key 0 has rank 0, and key 3 rank 1.
    let cases = [
        (
            own(Change::Push { keys: vec![0, 40], rows: vec![1.0_f32; 2].into() }),
            "key 40 is not below",
        ),
        (
            own(Change::Push { keys: vec![0, 39], rows: vec![1.0_f32; 2].into() }),
            "key 39 is not of this",
        ),
        (
            own(Change::Push { keys: vec![0], rows: vec![1.0_f32; 2].into() }),
            "2 numbers for 1 rows",
        ),
        (
            own(Change::Replay { epoch: 8, push: 0, ranks: vec![0], rows: vec![1.0_f32].into() }),
            "rank 0 is in Some(9)",
        ),
        (
            own(Change::Replay { epoch: 9, push: 0, ranks: vec![1], rows: vec![1.0_f32].into() }),
            "rank 1 is not of this server's parts",
        ),
        (Request::Change { number: 2, change: end_step(0) }, "change 2 after 0"),
        (Request::Pull { id: 1, step: None, keys: vec![39] }, "key 39"),
        (Request::Hello(Box::new(first.clone())), "a second hello"),
    ];
    for (connection, (request, part)) in (1..).zip(cases) {
        driver.welcome(connection, &first);
        let replies = driver.send(connection, request);
        assert_names(why(&replies, connection), &[part]);
    }
    driver.welcome(20, &first);
    let replies = driver.send(20, Request::Pull { id: 1, step: None, keys: vec![0] });
    assert_eq!(replies, [(20, Reply::Rows { id: 1, rows: vec![0.0_f32].into() })]);
    let replies = driver.send(21, Request::Flush { id: 1, pushed: Pushed::default() });
    assert_names(why(&replies, 21), &["begins with a hello"]);
}

#[test]
fn steps_are_ended_one_after_the_other() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 1, 1));
    // The first may be any, where a training goes on.
    for (number, step) in [(1, 5), (2, 6)] {
        let change = end_step(step);
        driver.send(1, Request::Change { number, change });
    }
    let replies = driver.send(1, Request::Change { number: 3, change: end_step(8) });
    assert_names(why(&replies, 1), &["step 8 after step 6"]);
}

#[test]
fn resident_hot_keys_are_pushed_at_the_switch() {
    let mut driver = Driver::new();
    let mut first = hello(0, 1, 1);
    first.table.resident = true;
    driver.welcome(1, &first);
    let change = Change::Push { keys: vec![HOT[4]], rows: vec![1.0_f32].into() };
    let replies = driver.send(1, Request::Change { number: 1, change });
    assert_names(why(&replies, 1), &["hot key of rank 4 is resident"]);
}

#[test]
fn a_missing_generation_ends_the_server() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 1, 1));
    let generation = Generation { number: 3, windows: vec![[0; 256]], ..Generation::default() };
    let answer = Answer { open: 4, empty: false, going: false, generation: Some(generation) };
    let error = driver.server.answered(0, EPOCH, Some(answer)).expect_err("rows are lost");
    assert_names(&error.to_string(), &["generation 3 of epoch 9 came after 0"]);
    let replies = driver.replies();
    assert_names(why(&replies, 1), &["generation 3 of epoch 9"]);
}

#[test]
fn a_generation_that_comes_again_is_counted_once() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 1, 1));
    let generation = Generation {
        number: 1,
        ranks: vec![2],
        rows: vec![5.0_f32].into(),
        windows: vec![[0; 256]],
    };
    let answer = Answer { open: 2, empty: false, going: false, generation: Some(generation) };
    for _ in 0..2 {
        driver.server.answered(0, EPOCH, Some(answer.clone())).expect("goes on");
    }
    driver.replies();
    let replies = driver.send(1, Request::Pull { id: 1, step: None, keys: vec![HOT[2]] });
    assert_eq!(replies, [(1, Reply::Rows { id: 1, rows: vec![5.0_f32].into() })]);
}

#[test]
fn set_puts_weights_and_begins_their_state_anew() {
    let mut driver = Driver::new();
    let mut first = hello(0, 1, 1);
    // The first change of Adagrad is the learning rate, and each later one is less.
    let options = Adagrad { lr: 1.0, eps: 0.0, ..Adagrad::default() };
    first.table.optimizer = Optimizer::Adagrad(options);
    driver.welcome(1, &first);
    let push = || Change::Push { keys: vec![1], rows: vec![3.0_f32].into() };
    let set = Change::Set { keys: vec![1], rows: vec![10.0_f32].into() };
    for (number, change) in (1..).zip([push(), push(), set, push()]) {
        driver.send(1, Request::Change { number, change });
    }
    let replies = driver.send(1, Request::Pull { id: 1, step: None, keys: vec![1] });
    assert_eq!(replies, [(1, Reply::Rows { id: 1, rows: vec![9.0_f32].into() })]);
}

/// Another run over stored rows may have other workers and options, and no other layout.
#[test]
fn another_run_goes_on_with_the_rows() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 1, 1));
    let change = Change::Push { keys: vec![1], rows: vec![5.0_f32].into() };
    driver.send(1, Request::Change { number: 1, change });
    let mut driver = Driver::over(driver.store);
    let mut next = Hello { session: 1, ..hello(1, 2, 1) };
    next.table.optimizer = Optimizer::Sgd(Sgd { lr: -2.0, ..Sgd::default() });
    next.switch.as_mut().expect("a switch").epoch = EPOCH + 1;
    driver.welcome(1, &next);
    let change = Change::Push { keys: vec![1], rows: vec![1.0_f32].into() };
    driver.send(1, Request::Change { number: 1, change });
    let replies = driver.send(1, Request::Pull { id: 1, step: None, keys: vec![1] });
    assert_eq!(replies, [(1, Reply::Rows { id: 1, rows: vec![7.0_f32].into() })]);
    // The run before is over: its rank 0 differs from what is agreed now.
    let replies = driver.greet(2, &hello(0, 1, 1));
    assert_names(why(&replies, 2), &["workers 1", "has 2;"]);
    let mut driver = Driver::over(driver.store);
    next.table.seed += 1;
    let replies = driver.greet(1, &next);
    assert_names(why(&replies, 1), &["seed 2", "of the run that is stored had"]);
    next.table.seed -= 1;
    // R-SERVE-24
    let mut doubles = next.clone();
    doubles.table.element_type = ElementType::F64;
    let why_not = |driver: &mut Driver, hello: &Hello| why(&driver.greet(1, hello), 1).to_owned();
    let mixed = why_not(&mut Driver::new(), &doubles);
    assert_names(&mixed, &["rows of f32", "rows of f64"]);
    doubles.switch.as_mut().expect("a switch").element_type = ElementType::F64;
    let other = why_not(&mut driver, &doubles);
    assert_names(&other, &["element type", "f64", "f32", "of the run that is stored had"]);
    // Rows stay where they are when other keys are hot.
    next.hot_keys.rotate_left(1);
    driver.welcome(2, &next);
    for (id, (key, row)) in (1..).zip([(1, 7.0_f32), (HOT[0], 0.0)]) {
        let replies = driver.send(2, Request::Pull { id, step: None, keys: vec![key] });
        assert_eq!(replies, [(2, Reply::Rows { id, rows: vec![row].into() })]);
    }
}

/// Numbers that were told as stored are there in the next process, and replies come after it.
#[test]
fn nothing_is_acknowledged_before_it_is_stored() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 1, 1));
    let change = Change::Push { keys: vec![1], rows: vec![5.0_f32].into() };
    driver.server.request(0, 1, Request::Change { number: 1, change }).expect("goes on");
    driver.server.request(0, 1, Request::Seal { epoch: EPOCH }).expect("goes on");
    let change = Change::EndReplay { epoch: EPOCH };
    driver.server.request(0, 1, Request::Change { number: 2, change }).expect("goes on");
    driver
        .server
        .request(0, 1, Request::Flush { id: 3, pushed: Pushed::default() })
        .expect("goes on");
    let commit = loop {
        match driver.server.output().expect("a commit") {
            Output::Commit { batch, .. } => break batch,
            Output::Reply { reply, .. } => panic!("{reply:?} before the commit"),
            _ => {}
        }
    };
    assert!(driver.server.output().is_none());
    driver.server.stored(0, commit).expect("goes on");
    let told: Vec<_> = driver.replies().into_iter().map(|(_, reply)| reply).collect();
    let expected = [
        Reply::Stored { number: 2, pushed: Pushed { epoch: EPOCH, count: 0 } },
        Reply::Sealed { epoch: EPOCH },
        Reply::Flushed { id: 3 },
    ];
    assert_eq!(told, expected);
}

/// R-SERVE-6: what a worker has pushed to a switch that is lost is flushed when it is replayed.
#[test]
fn a_flush_waits_for_the_replays_of_its_worker() {
    let mut driver = Driver::new();
    driver.welcome(1, &hello(0, 2, 1));
    driver.welcome(2, &Hello { session: 1, ..hello(1, 2, 1) });
    let flushed = |replies: &[(u64, Reply)]| {
        replies.iter().any(|(at, reply)| (*at, reply) == (1, &Reply::Flushed { id: 3 }))
    };
    let pushed = Pushed { epoch: EPOCH, count: 1 };
    assert!(!flushed(&driver.send(1, Request::Flush { id: 3, pushed })));
    // The other worker has noticed first.
    assert!(!flushed(&driver.send(2, Request::Seal { epoch: EPOCH })));
    let (ranks, rows) = (vec![2], vec![5.0_f32].into());
    let replay = Change::Replay { epoch: EPOCH, push: 0, ranks, rows };
    assert!(!flushed(&driver.send(1, Request::Change { number: 1, change: replay })));
    let end = Change::EndReplay { epoch: EPOCH };
    assert!(flushed(&driver.send(1, Request::Change { number: 2, change: end })));
}

/// A server that told of a step, and started again without it, would take the next step's pushes
/// at the switch for those of this one (R-SERVE-5). Pulls need not wait for the store.
#[test]
fn a_step_is_told_when_it_is_stored() {
    let mut driver = Driver::new();
    let mut first = hello(0, 1, 1);
    (first.table.staleness, first.switch) = (Some(0), None);
    driver.welcome(1, &first);
    let push = Change::Push { keys: vec![1], rows: vec![5.0_f32].into() };
    let step = end_step(0);
    let batch = |driver: &mut Driver| match driver.server.output() {
        Some(Output::Commit { batch, .. }) => batch,
        other => panic!("{other:?}"),
    };
    driver.server.request(0, 1, Request::Change { number: 1, change: push }).expect("goes on");
    let before = batch(&mut driver);
    driver.server.request(0, 1, Request::Change { number: 2, change: step }).expect("goes on");
    let pull = Request::Pull { id: 1, step: Some(1), keys: vec![1] };
    driver.server.request(0, 1, pull).expect("goes on");
    let told = |driver: &mut Driver| match driver.server.output() {
        Some(Output::Reply { reply, .. }) => reply,
        other => panic!("{other:?}"),
    };
    assert_eq!(told(&mut driver), Reply::Rows { id: 1, rows: vec![5.0_f32].into() });
    driver.server.stored(0, before).expect("goes on");
    assert_eq!(told(&mut driver), Reply::Stored { number: 1, pushed: Pushed::default() });
    let with_step = batch(&mut driver);
    assert!(driver.server.output().is_none());
    driver.server.stored(0, with_step).expect("goes on");
    assert_eq!(told(&mut driver), Reply::Stored { number: 2, pushed: Pushed::default() });
    assert_eq!(told(&mut driver), Reply::Stepped { step: 0 });
}

/// R-SERVE-10: a plane that workers do not agree on, or to which they come too early.
#[test]
fn planes_that_cannot_be_are_refused() {
    let plane = |change: fn(&mut Plane)| {
        let Hello { switch, hot_keys, .. } = hello(0, 2, 1);
        let mut plane = Plane { switch: switch.expect("a switch"), hot_keys };
        plane.switch.epoch = EPOCH + 1;
        change(&mut plane);
        Change::Open { plane: Box::new(plane) }
    };
    let end = || Change::EndReplay { epoch: EPOCH };
    let same = |_: &mut Plane| {};
    // Whether another worker has opened the plane before.
    let cases: [(bool, &[Change], &str); 6] = [
        (false, &[plane(same)], "before it has replayed"),
        (false, &[end(), plane(|plane| plane.switch.rows = 9)], "8 hot keys have 8 ranks"),
        (false, &[end(), plane(|plane| plane.hot_keys[0] = 40)], "key Some(40) is not below"),
        (false, &[end(), plane(|plane| plane.hot_keys[0] = 39)], "7 are distinct"),
        (true, &[end(), plane(|plane| plane.hot_keys.swap(0, 1))], "other hot keys in epoch 10"),
        (true, &[end(), plane(|plane| plane.switch.job = 5)], "another switch"),
    ];
    for (before, changes, part) in cases {
        let mut driver = Driver::new();
        driver.welcome(1, &hello(0, 2, 1));
        for (number, change) in (1..).zip([end(), plane(same)]).filter(|_| before) {
            driver.send(1, Request::Change { number, change });
        }
        driver.welcome(2, &Hello { session: 1, ..hello(1, 2, 1) });
        let mut replies = Vec::new();
        for (number, change) in (1..).zip(changes.to_vec()) {
            replies = driver.send(2, Request::Change { number, change });
        }
        assert_names(why(&replies, 2), &[part]);
    }
}
