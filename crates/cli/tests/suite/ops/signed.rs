//! Operations at a switch that takes signed ones, and what it tells of them.

use std::ops::ControlFlow;
use std::sync::{Arc, Barrier};

use netfold_net::{
    Call, Collective, Communicator, ElementType, Error, JoinRequest, Operations, Reduction,
    Transport,
};
use netfold_ops::Signature;
use serde_json::Value;

use super::*;
use crate::support::{RunningSwitch, WAIT_LIMIT};

/// A sum that traps where the right element is -1.
const SUM: &str = r#"(module
    (@custom "netfold.operation"
        "abi 1\nname careful-sum\nelement i32\nassociative yes\ncommutative yes\nrange 0 0 9\n")
    (memory (export "memory") 1)
    (func (export "fold") (param i32 i32 i32)
        (loop $next
            (if (i32.eq (i32.load (local.get 1)) (i32.const -1)) (then unreachable))
            (i32.store (local.get 0)
                (i32.add (i32.load (local.get 0)) (i32.load (local.get 1))))
            (local.set 0 (i32.add (local.get 0) (i32.const 4)))
            (local.set 1 (i32.add (local.get 1) (i32.const 4)))
            (br_if $next (local.tee 2 (i32.sub (local.get 2) (i32.const 1)))))))"#;

/// Elements of a call: several packets.
const ELEMENTS: usize = 50_000;

/// Joins a job with the operation of these bytes, and a signature if there is one.
fn join(
    address: &str,
    (job, rank, size): (&str, u16, u16),
    transport: Transport,
    (module, signature): (&[u8], Option<&[u8]>),
) -> Result<Communicator, Error> {
    let runtime = Runtime::new().unwrap();
    let operation = Operation::load(&runtime, module, &Limits::default()).unwrap();
    let operation = match signature {
        Some(signature) => operation.signed(Signature::try_from(signature).unwrap()),
        None => operation,
    };
    let mut request = JoinRequest::new(job, rank, size);
    request.transport = Some(transport);
    request.operations = Operations::new([Arc::new(operation) as Arc<_>]).unwrap();
    Communicator::connect(address, request, |_| ControlFlow::Continue(()))
}

/// All-reduces by the job's operation.
fn fold(comm: &Communicator, own: i32) -> Result<Vec<i32>, Error> {
    let reduction = Reduction::User(comm.folds()?[0]);
    let mut tensor: Vec<u8> = own.to_le_bytes().repeat(ELEMENTS);
    let call = Call {
        collective: Collective::AllReduce,
        reduction,
        element_type: ElementType::U8,
        elements: tensor.len() as u64,
        priority: None,
    };
    comm.run_in_place(call, &mut tensor, Some(WAIT_LIMIT))?;
    Ok(tensor.chunks_exact(4).map(|lane| i32::from_le_bytes(lane.try_into().unwrap())).collect())
}

/// The answer to `netfold ctl WHAT --json`.
fn told(address: &str, what: &str) -> Value {
    let ended = ended(&mut netfold(&["ctl", what, "--json", "--switch", address]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).unwrap()
}

/// The work of the job's only operation, the same by `ctl ops` and `ctl stats`: calls, bytes,
/// traps, microseconds, and whether it has ended its job.
fn work(address: &str, job: &str) -> ([u64; 4], bool) {
    let [list, stats] = ["ops", "stats"].map(|what| told(address, what)["operations"].clone());
    assert_eq!(list, stats);
    let of_job: Vec<&Value> =
        list.as_array().unwrap().iter().filter(|of| of["job"] == job).collect();
    let [of] = of_job[..] else { panic!("not one operation of {job}: {list}") };
    assert_eq!(of["name"], "careful-sum");
    let counts = ["calls", "bytes", "traps", "time_us"].map(|key| of[key].as_u64().unwrap());
    (counts, of["ended"].as_bool().unwrap())
}

/// Two workers fold; one operand then traps. Looks at the switch before and after that.
fn folds_and_traps(address: &str, transport: Transport, module: &[u8], signature: &[u8]) {
    let (job, together) = (format!("signed {transport:?}"), Barrier::new(2));
    let worker = |rank: u16| {
        let signed = (module, Some(signature));
        let comm = join(address, (&job, rank, 2), transport, signed).unwrap();
        assert_eq!(fold(&comm, 4 + i32::from(rank)).unwrap(), [9; ELEMENTS]);
        // Everyone has shown what it has done before anybody has this result.
        comm.run(Call::BARRIER, &[], &mut [], Some(WAIT_LIMIT)).unwrap();
        let ([calls, bytes, traps, time_us], is_over) = work(address, &job);
        assert!(calls >= 1 && time_us >= 1, "{calls} calls in {time_us} us");
        // Of two operands one is folded into the other.
        assert_eq!((bytes, traps, is_over), (4 * ELEMENTS as u64, 0, false));
        together.wait();
        let error = fold(&comm, -1).unwrap_err().to_string();
        assert!(error.contains("\"careful-sum\"") && error.contains("unreachable"), "{error}");
    };
    std::thread::scope(|scope| {
        let worker = &worker;
        let threads = [0, 1].map(|rank| scope.spawn(move || worker(rank)));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    let ([_, bytes, traps, time_us], is_over) = work(address, &job);
    assert!(traps >= 1 && time_us >= 1 && is_over, "{traps} traps in {time_us} us");
    assert!(bytes >= 4 * ELEMENTS as u64);
    for what in ["ops", "stats"] {
        let shown = ended(&mut netfold(&["ctl", what, "--switch", address])).stdout;
        let line = shown.lines().find(|line| line.contains(&format!("{job} (ended)")));
        assert!(line.is_some_and(|line| line.contains("careful-sum")), "{shown}");
    }
}

/// R-OP-22, R-OP-45: `op sign` makes what `switch --ops signed --ops-key-file` asks for, an
/// unsigned operation is refused, and `ctl` tells what those of jobs have done.
#[test]
fn signed_operations_run_and_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key) = (folder.path().join("sum.wasm"), folder.path().join("key"));
    let module = wat::parse_str(SUM).unwrap();
    fs::write(&path, &module).unwrap();
    fs::write(&key, "0123456789abcdef\n").unwrap();
    let sign = op(&["sign", text(&path), "--key-file", text(&key)]);
    assert_eq!(sign.status, Some(0), "{}", sign.stderr);
    let signature = fs::read(path.with_extension("sig")).unwrap();
    let flags = ["switch", "--listen", "127.0.0.1:0", "--ops", "signed", "--ops-key-file"];
    let switch = RunningSwitch::start(&mut netfold(&[&flags[..], &[text(&key)]].concat()));
    let address = &switch.address;
    let none = ended(&mut netfold(&["ctl", "ops", "--switch", address]));
    assert_eq!(none.stdout, "no operations\n");

    let mut of_another_key = signature.clone();
    of_another_key[0] ^= 1;
    for signature in [None, Some(&of_another_key[..])] {
        let refused = join(address, ("unsigned", 0, 1), Transport::Udp, (&module, signature));
        let error = refused.err().expect("it is refused").to_string();
        assert!(error.contains("number 0") && error.contains("no signature"), "{error}");
    }
    for transport in [Transport::Udp, Transport::Shm] {
        folds_and_traps(address, transport, &module, &signature);
    }
}

#[test]
fn a_switch_and_a_signature_need_a_key_that_is_long_enough() {
    let folder = tempfile::tempdir().unwrap();
    let (path, key) = (folder.path().join("sum.wasm"), folder.path().join("key"));
    fs::write(&path, wat::parse_str(SUM).unwrap()).unwrap();
    fs::write(&key, "short\n").unwrap();
    let sign = op(&["sign", text(&path), "--key-file", text(&key)]);
    assert_eq!(sign.status, Some(1));
    assert!(sign.stderr.contains("at least 16 bytes"), "{}", sign.stderr);
    assert!(!path.with_extension("sig").exists());
    let switch = ["switch", "--listen", "127.0.0.1:0", "--ops", "signed"];
    let without = ended(&mut netfold(&switch));
    assert_eq!(without.status, Some(1));
    assert!(without.stderr.contains("--ops-key-file"), "{}", without.stderr);
    let short = ended(netfold(&switch).args(["--ops-key-file", text(&key)]));
    assert_eq!(short.status, Some(1));
    assert!(short.stderr.contains("at least 16 bytes"), "{}", short.stderr);
}
