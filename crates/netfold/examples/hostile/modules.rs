//! Modules that mean harm, and jobs that bring them along.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use netfold::{CallOptions, Operations, Transport, TypedOperation};
use netfold_ops::{Limits, Operation, Runtime, TrapCause, TypedFold};

/// A module that this process does not run, nor even reads.
#[derive(Debug)]
struct Harm {
    module: Vec<u8>,
    number: u64,
}

impl TypedOperation for Harm {
    fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&self.number.to_le_bytes());
        hash
    }

    fn name(&self) -> &str {
        "hostile"
    }

    fn module(&self) -> &[u8] {
        &self.module
    }

    fn element_bytes(&self) -> usize {
        4
    }

    fn batch_bytes(&self) -> usize {
        1 << 16
    }

    fn any_order(&self) -> bool {
        true
    }

    fn is_associative(&self) -> bool {
        true
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Err(TrapCause::Instances)
    }
}

/// Outcomes since the last command.
#[derive(Debug, Default)]
pub struct Outcomes {
    /// Jobs whose calls were all done.
    pub joined: u64,
    /// Jobs that were refused, or failed in another way.
    pub refused: u64,
    /// Jobs that a trap has ended.
    pub trapped: u64,
}

/// Calls of a job, if none of them traps.
const CALLS: usize = 20;

/// The time that a call takes which is to be just in time (R-OP-18, R-OP-43).
const NEARLY: Duration = Duration::from_millis(80);

/// The text of a module of this kind, each with another number, so that no two are the same.
pub fn module(kind: &str, number: u64) -> Option<Vec<u8>> {
    if kind == "functions" {
        return Some(many_functions(number));
    }
    let endless = "(loop $again (br $again))";
    let (fold, more) = match kind {
        // Refused for its work.
        "work" => (endless.to_owned(), String::new()),
        // Refused for what they have.
        "start" => (String::new(), format!("(func $ever {endless}) (start $ever)")),
        "table" => (String::new(), "(table 4294967295 funcref)".into()),
        "compile" => (String::new(), large_functions()),
        // Taken, and stopped.
        "time" => (guarded(endless), String::new()),
        "fill" => {
            let fill = "(memory.fill (i32.const 0) (i32.const 1) (i32.const 65536))";
            (guarded(&format!("(loop $again {fill} (br $again))")), String::new())
        }
        "recursion" => (guarded("(call $deep)"), "(func $deep (call $deep))".into()),
        "memory" => {
            let grow = "(loop $again (br_if $again
                (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable";
            (guarded(grow), String::new())
        }
        "bounds" => (guarded("(drop (i32.load (i32.const -8)))"), String::new()),
        "trap" => (guarded("unreachable"), String::new()),
        // Each call is in time, and all of them are not.
        "near" => (guarded("(call $long)"), long(nearly())),
        _ => return None,
    };
    Some(assembled(&fold, &more, number))
}

/// Code that does harm if the first element is -1, which is never so in the trial at admission.
fn guarded(harm: &str) -> String {
    format!("(if (i32.eq (i32.load (local.get $right)) (i32.const -1)) (then {harm}))")
}

/// A module with a function `fold` that does this, and with more fields.
fn assembled(fold: &str, more: &str, number: u64) -> Vec<u8> {
    let text = format!(
        r#"(module (@custom "netfold.operation"
                "abi 1\nname hostile\nelement i32\nassociative yes\ncommutative yes\nrange 0 0 9\n")
            (@custom "number" "{number}")
            (memory (export "memory") 1)
            (func (export "fold") (param $left i32) (param $right i32) (param $count i32) {fold})
            {more})"#
    );
    wat::parse_str(text).expect("it is a module")
}

/// A module that says it has 100,000 functions, in fewer bytes than a module may have: their code
/// is left out.
fn many_functions(number: u64) -> Vec<u8> {
    const COUNT: u32 = 100_000;
    let leb128 = |value: u32| [value as u8 | 0x80, (value >> 7) as u8 | 0x80, (value >> 14) as u8];
    let section =
        |id: u8, content: Vec<u8>| [&[id], &leb128(content.len() as u32)[..], &content].concat();
    let functions = [&leb128(COUNT)[..], &vec![0; COUNT as usize]].concat();
    let named = [b"\x06number", &number.to_le_bytes()[..]].concat();
    let magic = b"\0asm\x01\0\0\0";
    let one_type = section(1, vec![1, 0x60, 0, 0]);
    [&magic[..], &section(0, named), &one_type, &section(3, functions)].concat()
}

/// A function that counts so far.
fn long(turns: u64) -> String {
    format!(
        "(func $long (local $turns i64) (local.set $turns (i64.const {turns}))
            (loop $next (br_if $next (i32.eqz (i64.eqz
                (local.tee $turns (i64.sub (local.get $turns) (i64.const 1))))))))"
    )
}

/// Turns of [`long`] that take [`NEARLY`] on this machine.
fn nearly() -> u64 {
    const TRIED: u64 = 10_000_000;
    static TURNS: OnceLock<u64> = OnceLock::new();
    *TURNS.get_or_init(|| {
        let module = assembled(&guarded("(call $long)"), &long(TRIED), 0);
        let limits = Limits::default();
        let runtime = Runtime::new().expect("a runtime");
        let tried = Operation::load(&runtime, &module, &limits).expect("it is admitted");
        let mut tried = tried.instance().expect("an instance");
        let start = Instant::now();
        tried.fold(&mut [0; 4], &[0xFF; 4]).expect("it is in time");
        (TRIED as f64 * NEARLY.as_secs_f64() / start.elapsed().as_secs_f64()) as u64
    })
}

/// Functions that keep a compiler busy, as many as a module has room for.
fn large_functions() -> String {
    let mut body = String::new();
    for index in 0..700 {
        let [a, b, c] = [7, 13, 29].map(|step| index * step % 200);
        let local = index % 200;
        body += &format!(
            "(local.set {local} (i32.add (local.get {a}) (i32.mul (local.get {b}) (i32.const {index}))))
             (if (i32.gt_s (local.get {local}) (i32.const {index}))
                (then (local.set {c} (i32.load offset={index} (local.get {local})))))"
        );
    }
    format!("(func (local {}) {body})", "i32 ".repeat(200)).repeat(10)
}

/// Joins, and has the module run.
pub fn harm(address: &str, module: Vec<u8>, number: u64, outcomes: &mut Outcomes) {
    let operation: Arc<dyn TypedOperation> = Arc::new(Harm { module, number });
    let operations = Operations::new([operation]).expect("it is one");
    // Two workers, so that there is something to fold.
    let worker = |rank: u16| {
        let connect = netfold::connect(address, format!("hostile {number}"), rank, 2);
        let connect = connect.transport(Transport::Udp).operations(operations.clone());
        let comm = connect.join()?.with(CallOptions::new().timeout(Duration::from_secs(20)));
        let op = comm.operation("hostile")?.expect("it was brought along");
        (0..CALLS).try_for_each(|_| comm.all_reduce(&mut [-1_i32; 64], op))
    };
    let results: Vec<Result<(), netfold::Error>> = std::thread::scope(|scope| {
        let worker = &worker;
        let threads = [0, 1].map(|rank| scope.spawn(move || worker(rank)));
        threads.into_iter().map(|thread| thread.join().expect("a worker")).collect()
    });
    let told = |part: &str| {
        results
            .iter()
            .flat_map(|result| result.as_ref().err())
            .any(|error| error.to_string().contains(part))
    };
    match (results.iter().all(Result::is_ok), told("trapped when")) {
        (true, _) => outcomes.joined += 1,
        (_, true) => outcomes.trapped += 1,
        _ => outcomes.refused += 1,
    }
}
