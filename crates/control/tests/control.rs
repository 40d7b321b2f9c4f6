//! Workers, a switch and strangers on loopback.

mod support;

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use netfold_control::{Metrics, Session, query};
use netfold_management::{
    Cause, ClientError, Failure, Incident, JoinRequest, Limits, Loss, Message, Notice, Query,
    Refusal, Report, Token, encode,
};
use netfold_wire::{Integrity, IntegrityKind, Terms};
use support::{SHARDS, Switch, WAIT_LIMIT, Worker, join, sockets};

/// R-CTRL-1, R-CTRL-2: everyone is told the same, and addresses that can be reached.
#[test]
fn workers_join_fold_and_leave() {
    let switch = Switch::start();
    let workers = switch.job("job", 3);
    let welcome = &workers[0].welcome;
    assert!(workers.iter().all(|worker| worker.welcome == *welcome));
    assert_eq!((welcome.workers, welcome.payload_bytes), (3, 1408));
    assert!(welcome.shards.iter().all(|shard| shard.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST)));
    let admission = switch.admitted.lock().unwrap()[&welcome.job].clone();
    let flows = [5000, 5001].map(|port| (Ipv4Addr::LOCALHOST, port).into());
    assert!(
        admission.members.len() == 3
            && admission.members.iter().all(|member| member.addresses == flows)
    );

    // R-CTRL-5.
    workers[1].session.leave(5);
    for worker in [&workers[0], &workers[2]] {
        assert_eq!(worker.notice(), Notice::Left { rank: 1, calls: 5 });
    }
    workers[0].session.leave(5);
    workers[2].session.leave(5);
    assert!(
        switch.admitted.lock().unwrap().is_empty(),
        "leave returns when the switch has taken note"
    );
}

#[test]
fn who_waits_is_told_how_many_have_come_and_can_give_up() {
    let switch = Switch::start();
    let request = JoinRequest::new("job", 0, 3);
    let (address, (sender, counts)) = (switch.address.clone(), channel());
    let first = thread::spawn(move || {
        Session::join(
            &address,
            &request,
            |_| Ok(sockets()),
            |now| {
                sender.send((now.joined, now.size)).unwrap();
                if now.joined == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )
    });
    assert_eq!(counts.recv_timeout(WAIT_LIMIT), Ok((1, 3)));
    let (address, request) = (switch.address.clone(), JoinRequest::new("job", 1, 3));
    let mut seen_two = false;
    let second = Session::join(
        &address,
        &request,
        |_| Ok(sockets()),
        |now| {
            seen_two |= now.joined == 2;
            // The first has given up when it saw the second, and its rank is free again.
            if seen_two && now.joined == 1 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    assert!(matches!(second, Err(ClientError::Interrupted)));
    assert!(matches!(first.join().unwrap(), Err(ClientError::Interrupted)));
}

/// R-CTRL-4: a killed process closes its connection without a leave.
#[test]
fn the_others_are_told_at_once_when_a_worker_is_killed() {
    let switch = Switch::start();
    let mut workers = switch.job("job", 3);
    let started = Instant::now();
    drop(workers.remove(1).session);
    for worker in &workers {
        assert_eq!(
            worker.notice(),
            Notice::Failed(Failure::WorkerLost { rank: 1, why: Loss::Closed })
        );
    }
    assert!(started.elapsed() < Duration::from_secs(5), "long before the time-out");
    assert!(switch.admitted.lock().unwrap().is_empty());
    // R-CTRL-3.
    let again = switch.job("job", 3);
    assert_ne!(again[0].welcome.epoch, workers[0].welcome.epoch);
}

/// R-CTRL-4: a process that is stopped closes nothing. It joins by hand here, and then says no
/// more.
#[test]
fn the_others_are_told_within_the_time_out_when_a_worker_hangs() {
    let switch = Switch::start();
    let timeout = Duration::from_secs(1);
    let mut silent = TcpStream::connect(&switch.address).unwrap();
    let request = |rank| JoinRequest { timeout, ..JoinRequest::new("job", rank, 3) };
    let text = r#"{"type":"join","version":1,"job":"job","rank":0,"size":3,"arithmetic":"block","byte_order":"little","integrity":"transport",
        "packet_elements":null,"slots":null,"max_datagram":1472,"receive_buffer":99999,"udp_ports":[1,2],"transport":null,"shares_memory":false,"host":null,"timeout_ms":1000,
        "proof":null}"#;
    silent.write_all(&u32::try_from(text.len()).unwrap().to_be_bytes()).unwrap();
    silent.write_all(text.as_bytes()).unwrap();
    let workers = switch.job_of(vec![request(1), request(2)]);
    for worker in &workers {
        let Notice::Failed(Failure::WorkerLost { rank: 0, why: Loss::Silent { for_ms } }) =
            worker.notice()
        else {
            panic!("another notice")
        };
        assert!(for_ms >= 1000);
    }
}

/// R-CTRL-4: heartbeats in both directions keep an idle job alive. The test waits for time to pass.
#[test]
fn an_idle_job_runs_longer_than_its_time_out() {
    let switch = Switch::start();
    let timeout = Duration::from_secs(1);
    let requests = (0..2).map(|rank| JoinRequest { timeout, ..JoinRequest::new("job", rank, 2) });
    let workers = switch.job_of(requests.collect());
    let (sender, deadline) = channel::<()>();
    assert!(deadline.recv_timeout(2 * timeout).is_err());
    drop(sender);
    workers[0].session.leave(0);
    assert_eq!(workers[1].notice(), Notice::Left { rank: 0, calls: 0 });
}

/// R-CTRL-6.
#[test]
fn a_mismatch_is_described_to_everyone() {
    let switch = Switch::start();
    let workers = switch.job("job", 3);
    let (job, epoch) = (workers[0].welcome.job, workers[0].welcome.epoch);
    let sender = switch.server().incident_sender();
    sender.report(Incident {
        job,
        epoch,
        position: 9,
        slot: 3,
        shard: 1,
        cause: Cause::Mismatch { first: 0, second: 2 },
    });
    for rank in [0, 2] {
        assert_eq!(
            workers[rank].notice(),
            Notice::Describe { shard: 1, slot: 3, position: 9, lane: None }
        );
        workers[rank].session.describe(1, 3, 9, format!("call of {rank}"));
    }
    let (call_a, call_b) = ("call of 0".into(), "call of 2".into());
    let failure = Failure::Mismatch { rank_a: 0, call_a, rank_b: 2, call_b };
    for worker in &workers {
        assert_eq!(worker.notice(), Notice::Failed(failure.clone()));
    }
}

/// R-CTRL-12: the others are asked about the calls for which one worker waits, and their answers
/// are compared.
#[test]
fn calls_in_progress_are_compared() {
    let switch = Switch::start();
    let workers = switch.job("job", 3);
    workers[1].session.in_progress(vec![(7, "a call".into())]);
    for rank in [0, 2] {
        assert_eq!(workers[rank].notice(), Notice::AskInProgress { calls: vec![7] });
    }
    workers[0].session.in_progress(vec![(7, "a call".into())]);
    workers[2].session.in_progress(vec![(7, "another call".into())]);
    for worker in &workers {
        let Notice::Failed(Failure::Mismatch { rank_b: 2, call_a, call_b, .. }) = worker.notice()
        else {
            panic!("another notice");
        };
        assert_eq!((&*call_a, &*call_b), ("a call", "another call"));
    }
}

/// R-CTRL-12: a worker looks at its calls eight times in a short time-out.
#[test]
fn pulses_come_at_intervals() {
    let switch = Switch::start();
    let (sender, notices) = std::sync::mpsc::channel();
    let request =
        JoinRequest { timeout: Duration::from_millis(800), ..JoinRequest::new("job", 0, 1) };
    let joined = switch.join(&request).unwrap();
    let start = std::time::Instant::now();
    let _session = joined.start(Box::new(move |notice| drop(sender.send(notice)))).unwrap();
    for _ in 0..8 {
        assert_eq!(notices.recv_timeout(WAIT_LIMIT).unwrap(), Notice::Pulse);
    }
    assert!(start.elapsed() >= Duration::from_millis(800));
}

/// R-CTRL-1, R-CTRL-2, R-CTRL-3, R-CTRL-8: the messages that a person reads.
#[test]
fn refusals_say_what_is_wrong() {
    let switch = Switch::start();
    let _taken = switch.job("taken", 1);
    let request = |rank, size| JoinRequest::new("job", rank, size);
    let cases = [
        (
            JoinRequest::new("taken", 0, 1),
            r#"rank 0 of job "taken" is taken by a worker at 127.0.0.1"#,
        ),
        (JoinRequest::new("taken", 1, 2), "its size: rank 0 has 1, rank 1 has 2"),
        (request(2, 2), "rank 2 cannot be in a job of 2 workers"),
        (request(0, 32_768), "at most 32767 workers, not 32768"),
        (
            JoinRequest { slots: Some(4096), ..request(0, 1) },
            r#"the job "job" needs 5857280 bytes of switch memory and 1048576 are free"#,
        ),
        (
            JoinRequest { packet_elements: Some(1024), ..request(0, 1) },
            "packets of 1024 elements do not fit the path of rank 0, which takes datagrams of 1472 bytes",
        ),
        (
            JoinRequest { packet_elements: Some(7), ..request(0, 1) },
            "cannot be 7; it must be a multiple of 8",
        ),
        (
            JoinRequest {
                terms: Terms { integrity: Some(IntegrityKind::Token), ..request(0, 1).terms },
                ..request(0, 1)
            },
            "needs a token and the worker gave none",
        ),
        (
            JoinRequest { token: Some(Token::new("x").unwrap()), ..request(0, 1) },
            "this switch was started without one",
        ),
        (
            JoinRequest { timeout: Duration::from_millis(1), ..request(0, 1) },
            "the time-out in seconds cannot be 0.001; it must be 0.1 to",
        ),
    ];
    for (request, expected) in cases {
        let Err(error) = switch.join(&request) else { panic!("{request:?} was taken") };
        assert!(matches!(error, ClientError::Refused(_)), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(switch.join(&request(0, 1)).is_ok(), "the switch goes on");
}

#[test]
fn a_job_that_does_not_form_says_who_is_missing() {
    let switch =
        Switch::with(Limits { forming: Duration::from_millis(200), ..Limits::default() }, None);
    let Err(ClientError::Refused(refusal)) = switch.join(&JoinRequest::new("job", 1, 3)) else {
        panic!("not refused")
    };
    assert!(
        matches!(&refusal, Refusal::JoinTimeout { missing, .. } if *missing == [0, 2]),
        "{refusal}"
    );
}

/// R-CTRL-8: the same key at both ends, and no entry without the token.
#[test]
fn a_token_admits_and_fences() {
    let switch = Switch::with(Limits::default(), Some("secret"));
    let with = |token: &str| JoinRequest {
        token: Some(Token::new(token).unwrap()),
        ..JoinRequest::new("job", 0, 1)
    };
    for (request, expected) in [
        (JoinRequest::new("job", 0, 1), "gave none"),
        (with("guess"), "not one that this switch accepts"),
    ] {
        let Err(error) = switch.join(&request) else { panic!("taken") };
        assert!(error.to_string().contains(expected), "{error}");
    }
    let joined = switch.join(&with("secret")).unwrap();
    let admitted = switch.admitted.lock().unwrap()[&joined.welcome().job].clone();
    assert!(matches!(admitted.terms.integrity, Integrity::Token(_)));
    assert_eq!(joined.integrity(), admitted.terms.integrity);
}

/// R-CTRL-7: also when the switch says good-bye.
#[test]
fn a_switch_that_stops_tells_its_workers() {
    let mut switch = Switch::start();
    let workers = switch.job("job", 2);
    let (address, request) = (switch.address.clone(), JoinRequest::new("other", 0, 2));
    let (sender, waits) = channel();
    let waiting = thread::spawn(move || {
        Session::join(
            &address,
            &request,
            |_| Ok(sockets()),
            |_| {
                sender.send(()).unwrap_or_default();
                ControlFlow::Continue(())
            },
        )
        .map(|_| ())
    });
    waits.recv_timeout(WAIT_LIMIT).unwrap();
    switch.server.take().unwrap().stop();
    for worker in &workers {
        assert_eq!(worker.notice(), Notice::Failed(Failure::SwitchStopping));
    }
    assert!(matches!(waiting.join().unwrap(), Err(ClientError::Refused(Refusal::SwitchStopping))));
    assert!(switch.admitted.lock().unwrap().is_empty());
    let Err(error) = join(&switch.address, &JoinRequest::new("job", 0, 1)) else {
        panic!("nobody is there")
    };
    let expected = format!("no netfold switch answers at {0}", switch.address);
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert!(
        error.to_string().contains(&format!("`netfold switch --listen {}`", switch.address)),
        "{error}"
    );
}

/// Ends a connection. To close it over unread bytes would reset it, and written bytes might be
/// lost.
fn close(mut stream: TcpStream) {
    stream.shutdown(Shutdown::Write).unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap_or_default();
}

/// A switch that welcomes one worker and then does what the test wants.
fn scripted(after: impl FnOnce(TcpStream) + Send + 'static) -> (String, thread::JoinHandle<()>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let thread = thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let hello =
            Message::Hello { version: 1, challenge: [0; 16], shards: SHARDS, shared_memory: None };
        stream.write_all(&encode(&hello).unwrap()).unwrap();
        let welcome = r#"{"type":"welcome","job":0,"epoch":1,"workers":1,"slots":1,"urgent_slots":1,"payload_bytes":64,"shards":["127.0.0.1:9"],
            "groups":[],"ticket":null,"integrity":"transport","timeout_ms":300}"#;
        stream.write_all(&u32::try_from(welcome.len()).unwrap().to_be_bytes()).unwrap();
        stream.write_all(welcome.as_bytes()).unwrap();
        after(stream);
    });
    (address, thread)
}

/// R-CTRL-7: the switch dies or hangs, and the worker is told its address.
#[test]
fn a_switch_that_dies_or_hangs_is_noticed() {
    let request =
        JoinRequest { timeout: Duration::from_millis(300), ..JoinRequest::new("job", 0, 1) };
    let (sender, end_of_test) = channel::<()>();
    let hang = move |stream: TcpStream| {
        assert!(end_of_test.recv().is_err());
        drop(stream);
    };
    for (expected, (address, thread)) in
        [("closed", scripted(close)), ("nothing was heard", scripted(hang))]
    {
        let worker = Worker::start(join(&address, &request).unwrap());
        let Notice::SwitchLost { address: lost, why } = worker.notice() else {
            panic!("another notice")
        };
        assert_eq!(lost, address);
        assert!(why.contains(expected), "{why}");
        drop(worker);
        if expected == "closed" {
            thread.join().unwrap();
        }
    }
    drop(sender);
}

#[test]
fn something_else_at_the_address_is_told_from_a_switch() {
    for (greeting, expected) in [
        (b"SSH-2.0-x\r\n".to_vec(), "another protocol"),
        (encode(&Message::Heartbeat).unwrap(), "does not begin with a greeting"),
        (
            encode(&Message::Hello {
                version: 9,
                challenge: [0; 16],
                shards: 1,
                shared_memory: None,
            })
            .unwrap(),
            "speaks version 9",
        ),
        (Vec::new(), "is not a netfold switch"),
    ] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let thread = thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            stream.write_all(&greeting).unwrap();
            close(stream);
        });
        let Err(error) = join(&address, &JoinRequest::new("job", 0, 1)) else { panic!("joined") };
        assert!(error.to_string().contains(expected), "{error}");
        thread.join().unwrap();
    }
    let Err(error) = join("no port", &JoinRequest::new("job", 0, 1)) else { panic!("joined") };
    assert!(error.to_string().contains("HOST:PORT"), "{error}");
}

/// Whatever strangers send, their connection closes and the jobs go on.
#[test]
fn garbage_closes_its_connection_and_harms_nothing() {
    let switch = Switch::start();
    let workers = switch.job("job", 2);
    let mut huge = u32::MAX.to_be_bytes().to_vec();
    huge.extend([b'x'; 1000]);
    let not_json = [&5u32.to_be_bytes()[..], b"hello"].concat();
    let not_a_message = [&2u32.to_be_bytes()[..], b"{}"].concat();
    let out_of_place = encode(&Message::Left { rank: 0, calls: 0 }).unwrap();
    for bytes in
        [b"GET /metrics HTTP/1.1\r\n\r\n".to_vec(), huge, not_json, not_a_message, out_of_place]
    {
        let mut stream = TcpStream::connect(&switch.address).unwrap();
        stream.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
        stream.write_all(&bytes).unwrap();
        let mut answer = Vec::new();
        // Closed, or reset over what it had sent besides; a read that timed out would be neither.
        let closed = stream.read_to_end(&mut answer);
        assert!(
            closed.is_ok()
                || closed.is_err_and(|e| e.kind() == std::io::ErrorKind::ConnectionReset)
        );
    }
    // One that goes in the middle of a message.
    let mut stream = TcpStream::connect(&switch.address).unwrap();
    stream.write_all(&[0, 0]).unwrap();
    stream.shutdown(Shutdown::Both).unwrap();

    workers[0].session.leave(1);
    assert_eq!(workers[1].notice(), Notice::Left { rank: 0, calls: 1 });
}

#[test]
fn questions_are_answered() {
    let switch = Switch::start();
    let _workers = switch.job("job", 2);
    let Report::Jobs { jobs, omitted: 0 } =
        query(&switch.address, Query::Jobs, WAIT_LIMIT).unwrap()
    else {
        panic!("jobs")
    };
    assert_eq!((jobs[0].name.as_str(), jobs[0].size), ("job", 2));
    let Report::Stats(stats) = query(&switch.address, Query::Stats, WAIT_LIMIT).unwrap() else {
        panic!("stats")
    };
    assert_eq!((stats.workers, stats.shards.len()), (2, usize::from(SHARDS)));
    assert!(matches!(
        query(&switch.address, Query::Doctor, WAIT_LIMIT),
        Ok(Report::Doctor { omitted: 0, .. })
    ));
    let Err(error) = query("127.0.0.1:1", Query::Jobs, WAIT_LIMIT) else {
        panic!("nobody is there")
    };
    let error = error.to_string();
    assert!(error.contains("no netfold switch answers at 127.0.0.1:1"), "{error}");
    // The advice that holds for every command and front end.
    assert!(error.contains("correct the address") && !error.contains("unset"), "{error}");
}

#[test]
fn prometheus_gets_its_text() {
    let mut switch = Switch::start();
    let _workers = switch.job(r#"quo"ted"#, 2);
    let metrics = Metrics::serve("127.0.0.1:0", switch.server().stats_source()).unwrap();
    let get = |path: &str| {
        let mut stream = TcpStream::connect(metrics.address()).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = get("/metrics");
    for line in [
        "HTTP/1.1 200",
        "Content-Type: application/openmetrics-text",
        "netfold_jobs{phase=\"running\"} 1",
        "netfold_workers 2",
        "netfold_memory_total_bytes{shard=\"1\"} 1048576",
        "netfold_shard_contributions_total{shard=\"0\"} 41",
        r#"netfold_job_rounds_total{job="quo\"ted"} 6"#,
        "# EOF",
    ] {
        assert!(answer.contains(line), "{line} is not in {answer}");
    }
    assert!(get("/").starts_with("HTTP/1.1 404"));
    switch.server.take().unwrap().stop();
    assert!(get("/metrics").starts_with("HTTP/1.1 503"));
}
