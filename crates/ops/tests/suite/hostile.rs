//! Modules that mean harm: each is refused by name before it runs, or stopped by name, within a
//! bounded time, while another operation of the process goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netfold_ops::{Instance, Limits, Operation, Refused, TrapCause};

use super::support::{SUM, SUM_BODY, bytes, folding, integers, load, module, runtime};

/// Time in which a module is refused or stopped: a hundred times what it takes on a machine that
/// does other things, too, and yet an end.
const BOUND: Duration = Duration::from_secs(300);

/// Has another operation fold while `action` runs, and checks what it gives.
fn beside<T>(action: impl FnOnce() -> T) -> T {
    let mut other = load(&module(SUM, SUM_BODY)).unwrap().instance().unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let folds = scope.spawn(|| {
            let mut accumulator = bytes(&[0, 5]);
            let mut folds = 0;
            while !done.load(Ordering::Acquire) || folds < 10 {
                other.fold(&mut accumulator, &bytes(&[1, 0])).unwrap();
                folds += 1;
                assert_eq!(integers(&accumulator), [folds, 5]);
                thread::yield_now();
            }
        });
        let begin = Instant::now();
        let result = action();
        assert!(begin.elapsed() < BOUND, "{:?}", begin.elapsed());
        done.store(true, Ordering::Release);
        folds.join().unwrap();
        result
    })
}

/// The name for which a module is refused.
fn refused(bytes: &[u8]) -> &'static str {
    beside(|| load(bytes).unwrap_err().name())
}

fn refused_text(fields: &str) -> &'static str {
    refused(&module(SUM, fields))
}

/// Loads an operation that does harm if its first operand is -1, which is outside of its range, and
/// gives the cause that stops it.
fn stopped(harm: &str, more: &str) -> TrapCause {
    let guarded =
        format!("(if (i32.eq (i32.load (local.get $right)) (i32.const -1)) (then {harm}))");
    let declaration = "abi 1\nname hostile\nelement i32\nrange 0 0 9\n";
    let bytes_of = module(declaration, &format!("{} {more}", folding(&guarded)));
    let mut instance = load(&bytes_of).unwrap().instance().unwrap();
    let trapped = beside(|| instance.fold(&mut bytes(&[1]), &bytes(&[-1])).unwrap_err());
    assert_eq!(&*trapped.operation, "hostile");
    // R-OP-21: it goes on with harmless operands.
    instance.fold(&mut bytes(&[1]), &bytes(&[1])).unwrap();
    trapped.cause
}

#[test]
fn an_endless_loop_is_refused_for_its_work() {
    assert_eq!(refused_text(&folding("(loop $again (br $again))")), "work");
}

/// R-OP-18
#[test]
fn an_endless_loop_that_waits_for_an_operand_is_stopped_in_time() {
    let begin = Instant::now();
    assert_eq!(stopped("(loop $again (br $again))", ""), TrapCause::Time);
    assert!(begin.elapsed() >= Limits::default().time);
}

/// R-OP-18: a function that calls another has no loop.
#[test]
fn calls_without_a_loop_are_stopped_in_time() {
    let mut levels = String::from("(func $f0)");
    for level in 1..=40 {
        let below = level - 1;
        levels += &format!("(func $f{level} (call $f{below}) (call $f{below}))");
    }
    assert_eq!(stopped("(call $f40)", &levels), TrapCause::Time);
}

/// A fold that counts down from its first operand: a number of its own is outside of its range, so
/// that no trial meets it. `state` is a line of its declaration, or empty.
fn counting_down(state: &str) -> Vec<u8> {
    let body = folding(
        "(local $left_to_do i32)
         (local.set $left_to_do (i32.load (local.get $right)))
         (loop $again
             (local.set $left_to_do (i32.sub (local.get $left_to_do) (i32.const 1)))
             (br_if $again (i32.gt_s (local.get $left_to_do) (i32.const 0))))",
    );
    module(&format!("abi 1\nname hostile\nelement i32\nrange 0 0 9\n{state}"), &body)
}

/// The processor's time of this thread.
fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

fn counting(state: &str) -> Instance {
    load(&counting_down(state)).unwrap().instance().unwrap()
}

/// Folds one element, and returns the time of the call.
fn count_down(instance: &mut Instance, rounds: i32) -> (Result<(), TrapCause>, Duration) {
    let begin = thread_time();
    let folded = instance.fold(&mut bytes(&[1]), &bytes(&[rounds]));
    (folded.map_err(|trapped| trapped.cause), thread_time() - begin)
}

/// Returns the rounds of a call that takes one to two times a time, and how it ends.
fn call_of(time: Duration, state: &str) -> (i32, Result<(), TrapCause>) {
    let mut rounds = 1 << 16;
    loop {
        let (folded, took) = count_down(&mut counting(state), rounds);
        if took >= time {
            return (rounds, folded);
        }
        rounds *= 2;
    }
}

/// Has an operation fold one element in each of several calls, until one is stopped. Each takes a
/// quarter to a half of the time of a call without state. Returns the time of all.
fn until_stopped(state: &str) -> Duration {
    let limit = Limits::default().time;
    let (rounds, _) = call_of(limit / 4, state);
    let (mut instance, mut all) = (counting(state), Duration::ZERO);
    let stopped = (0..100).find_map(|_| {
        let (folded, time) = count_down(&mut instance, rounds);
        assert!(time < limit, "{time:?}");
        all += time;
        folded.err()
    });
    assert_eq!(stopped, Some(TrapCause::Time));
    all
}

/// R-OP-43: calls that each take less than a call may, but for one element, are stopped by their
/// sum: about six, on a machine with nothing else to do.
#[test]
fn an_operation_whose_calls_all_take_nearly_too_long_is_stopped() {
    until_stopped("");
}

/// R-OP-15: a call of 125 to 250 ms is beyond the time of one without state. 256 MiB of state are
/// worth 655 ms.
#[test]
fn a_call_has_time_for_its_state() {
    let time = Limits::default().time * 5 / 4;
    assert_eq!(call_of(time, "state 268435456\n").1, Ok(()));
}

/// R-OP-15: accesses to state may be slow, whatever the call does: 64 MiB are worth 164 ms.
#[test]
fn an_operation_with_state_has_time_for_it() {
    let all = until_stopped("state 67108864\n");
    assert!(all > 2 * Limits::default().time, "{all:?}");
}

/// R-OP-43: what an operation does within its work is no overtime, however long it goes on.
#[test]
fn an_operation_that_keeps_to_its_work_is_never_stopped() {
    let mut instance = load(&module(SUM, SUM_BODY)).unwrap().instance().unwrap();
    let (mut accumulator, operand) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let begin = thread_time();
    while thread_time() - begin < 4 * Limits::default().time {
        instance.fold(&mut accumulator, &operand).unwrap();
    }
}

#[test]
fn a_long_fill_of_memory_does_not_last() {
    // Each fill is within the memory, and takes no loop's check by itself.
    let fill = "(memory.fill (i32.const 0) (i32.const 1) (i32.const 65536))";
    let harm = format!("(loop $again {fill} (br $again))");
    assert_eq!(stopped(&harm, ""), TrapCause::Time);
}

#[test]
fn memory_does_not_grow_beyond_its_limit() {
    let limit = Limits::default().memory_bytes;
    // Grows until it may not, and stores how many bytes there are.
    let body = folding(
        "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
         (i32.store (local.get $left) (i32.mul (memory.size) (i32.const 65536)))",
    );
    let mut instance = load(&module(SUM, &body)).unwrap().instance().unwrap();
    let mut accumulator = bytes(&[0]);
    beside(|| instance.fold(&mut accumulator, &bytes(&[0])).unwrap());
    assert_eq!(integers(&accumulator), [i32::try_from(limit).unwrap()]);
    let huge = "(memory.grow (i32.const 65535)) (i32.const -1) (if (i32.eq) (then (unreachable)))";
    assert_eq!(stopped(huge, ""), TrapCause::Unreachable);
}

#[test]
fn a_memory_that_is_too_large_is_refused() {
    let body = |memory: &str| SUM_BODY.replace("(export \"memory\") 1", memory);
    assert_eq!(refused_text(&body("(export \"memory\") 65536")), "memory");
    assert_eq!(refused_text(&body("(export \"memory\") 63")), "memory");
    // The maximum leaves no room for the buffers.
    assert_eq!(refused_text(&body("(export \"memory\") 1 2")), "memory");
    assert!(load(&module(SUM, &body("(export \"memory\") 62"))).is_ok());
    assert!(load(&module(SUM, &body("(export \"memory\") 1 3"))).is_ok());
}

#[test]
fn accesses_out_of_bounds_are_stopped() {
    let end = Limits::default().memory_bytes;
    for address in [i64::from(u32::MAX), end.cast_signed(), 3 << 30] {
        let address = address as u32;
        let load = format!("(drop (i32.load (i32.const {address})))");
        assert_eq!(stopped(&load, ""), TrapCause::Memory, "{address}");
        let store = format!("(i32.store offset=4294967295 (i32.const {address}) (i32.const 1))");
        assert_eq!(stopped(&store, ""), TrapCause::Memory, "{address}");
    }
    let copy = "(memory.copy (i32.const 0) (i32.const 0) (i32.const -1))";
    assert_eq!(stopped(copy, ""), TrapCause::Memory);
}

#[test]
fn traps_have_their_names() {
    assert_eq!(stopped("(unreachable)", ""), TrapCause::Unreachable);
    let divide = "(drop (i32.div_s (i32.const 1) (i32.const 0)))";
    assert_eq!(stopped(divide, ""), TrapCause::Arithmetic);
    let overflow = "(drop (i32.div_s (i32.const -2147483648) (i32.const -1)))";
    assert_eq!(stopped(overflow, ""), TrapCause::Arithmetic);
    let convert = "(drop (i32.trunc_f32_s (f32.const nan)))";
    assert_eq!(stopped(convert, ""), TrapCause::Arithmetic);
    let table = "(table 2 funcref)";
    assert_eq!(stopped("(call_indirect (i32.const 0))", table), TrapCause::Table);
    assert_eq!(stopped("(call_indirect (i32.const 7))", table), TrapCause::Table);
    let other = "(table funcref (elem $other)) (func $other (result i32) (i32.const 0))";
    assert_eq!(stopped("(call_indirect (i32.const 0))", other), TrapCause::Table);
}

#[test]
fn a_trap_for_every_operand_is_refused() {
    assert_eq!(refused_text(&folding("(unreachable)")), "trap");
    let data = format!("{SUM_BODY} (data (i32.const 65535) \"ab\")");
    let error = load(&module(SUM, &data)).unwrap_err();
    assert_eq!(error, Refused::Trap(TrapCause::Memory));
}

#[test]
fn a_deep_recursion_is_stopped() {
    assert_eq!(stopped("(call $deep)", "(func $deep (call $deep))"), TrapCause::Stack);
    let mutual = "(func $a (call $b)) (func $b (call $a))";
    assert_eq!(stopped("(call $a)", mutual), TrapCause::Stack);
}

#[test]
fn huge_tables_are_refused() {
    for table in ["(table 4294967295 funcref)", "(table 1025 funcref)"] {
        assert_eq!(refused_text(&format!("{table} {SUM_BODY}")), "table");
    }
    assert_eq!(refused_text(&format!("(table 1 funcref) (table 1 funcref) {SUM_BODY}")), "count");
    assert!(load(&module(SUM, &format!("(table 1024 funcref) {SUM_BODY}"))).is_ok());
    let grow = "(if (i32.eq (table.grow 0 (ref.null func) (i32.const 1000000)) (i32.const -1))
        (then (unreachable)))";
    assert_eq!(stopped(grow, "(table 1 funcref)"), TrapCause::Unreachable);
}

/// A module with this many functions and one that folds.
fn functions(count: usize) -> Vec<u8> {
    module(SUM, &format!("{SUM_BODY} {}", "(func)".repeat(count)))
}

#[test]
fn a_hundred_thousand_functions_are_refused() {
    let many = functions(100_000);
    assert_eq!(refused(&many), "size");
    let limits = Limits { module_bytes: many.len(), ..Limits::default() };
    let error = beside(|| Operation::load(runtime(), &many, &limits).unwrap_err());
    assert_eq!(error.name(), "count");
    assert_eq!(refused(&functions(1000)), "count");
    assert!(load(&functions(999)).is_ok());
}

#[test]
fn other_numbers_are_limited() {
    let body = |fields: &str| format!("{SUM_BODY} {fields}");
    assert_eq!(refused_text(&body(&"(global i32 (i32.const 0))".repeat(1001))), "count");
    assert_eq!(refused_text(&body(&"(data \"\")".repeat(1001))), "count");
    assert_eq!(refused_text(&body(&"(elem func)".repeat(1001))), "count");
    assert_eq!(refused_text(&body("(memory 1)")), "count");
    let types: String = (0..1001)
        .map(|index| format!("(type (func (param {})))", "i32 ".repeat(index / 2)))
        .collect();
    assert!(["count", "size"].contains(&refused_text(&body(&types))));
    let exports: String =
        (0..1000).map(|index| format!("(export \"{index}\" (memory 0))")).collect();
    assert_eq!(refused_text(&body(&exports)), "count");
    let locals = format!("(func (local {}))", "i32 ".repeat(257));
    assert_eq!(refused_text(&body(&locals)), "count");
    let long = format!("(func {})", "(drop (i32.const 1))".repeat(12_000));
    assert_eq!(refused_text(&body(&long)), "count");
}

/// A number of locals that fits no memory, in a few bytes: 2^32 - 1 of them, twice.
#[test]
fn locals_are_counted_and_not_made() {
    let good = module(SUM, &format!("{SUM_BODY} (func (local i64))"));
    let few = [0x04, 0x01, 0x01, 0x7E, 0x0B];
    let at = good.windows(5).rposition(|window| window == few).unwrap();
    let mut many = good[..at].to_vec();
    many.extend([0x08, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0x7E, 0x0B]);
    many.extend(&good[at + 5..]);
    // The section is four bytes longer.
    let code = good.windows(1).enumerate().find(|(index, window)| {
        window[0] == 0x0A
            && good.len() - index > 5
            && usize::from(good[index + 1]) >= 5
            && good[index + 2] == 2
    });
    let (code, _) = code.unwrap();
    many[code + 1] += 4;
    assert_eq!(refused(&many), "count");
}

/// Functions almost as large as is allowed; a module has room for 13 of them.
#[test]
fn large_functions_are_compiled_in_time() {
    let mut body = String::new();
    for index in 0..700 {
        let local = index % 200;
        body += &format!(
            "(local.set {local} (i32.add (local.get {}) (i32.mul (local.get {}) (i32.const {index}))))
             (if (i32.gt_s (local.get {local}) (i32.const {index}))
                (then (local.set {} (i32.load offset={index} (local.get {local})))))",
            (index * 7) % 200,
            (index * 13) % 200,
            (index * 29) % 200,
        );
    }
    let function = format!("(func (local {}) {body})", "i32 ".repeat(200));
    let bytes = module(SUM, &format!("{SUM_BODY} {}", function.repeat(3)));
    assert!(bytes.len() > 60_000, "{}", bytes.len());
    beside(|| load(&bytes)).unwrap();
}

#[test]
fn a_start_function_is_refused_whatever_it_does() {
    let start = "(func $start (loop $again (br $again))) (start $start)";
    assert_eq!(refused_text(&format!("{SUM_BODY} {start}")), "start");
}

#[test]
fn wrong_exports_are_refused() {
    for wrong in [
        "(memory 1) (func (export \"fold\") (param i32 i32 i32))",
        "(memory (export \"memory\") 1)",
        "(memory (export \"memory\") 1) (func (export \"fold\") (param i32 i32))",
        "(memory (export \"memory\") 1) (func (export \"fold\") (param i32 i32 i64))",
        "(memory (export \"memory\") 1) (func (export \"fold\") (param i32 i32 i32) (result i32)
            (i32.const 0))",
        "(memory (export \"memory\") 1) (global (export \"fold\") i32 (i32.const 0))",
        "(memory (export \"fold\") 1) (func (export \"memory\") (param i32 i32 i32))",
        "(func (export \"fold\") (param i32 i32 i32))",
    ] {
        assert_eq!(refused_text(wrong), "export", "{wrong}");
    }
}

#[test]
fn imports_are_refused() {
    for import in [
        "(import \"wasi_snapshot_preview1\" \"fd_write\" (func (param i32 i32 i32 i32) (result i32)))",
        "(import \"env\" \"global\" (global i32))",
        "(import \"env\" \"table\" (table 1 funcref))",
    ] {
        assert_eq!(refused_text(&format!("{import} {SUM_BODY}")), "import");
    }
    let memory = "(import \"env\" \"memory\" (memory 1)) (export \"memory\" (memory 0))
        (func (export \"fold\") (param i32 i32 i32))";
    assert_eq!(refused_text(memory), "import");
}

#[test]
fn what_is_no_module_is_refused() {
    for bytes in [&b""[..], b"\0as", b"hello, world", b"(module)", b"\x7FELF\x02\x01\x01\0"] {
        assert_eq!(refused(bytes), "not-wasm", "{bytes:?}");
    }
    assert_eq!(refused(&wat::parse_str("(component)").unwrap()), "not-wasm");
    assert_eq!(refused(b"\0asm\x02\0\0\0"), "invalid");
    assert_eq!(refused(b"\0asm\x01\0\0\0"), "export");
}

/// Whatever is missing at the end: a section that is cut says so, and a module that ends between
/// two sections lacks one.
#[test]
fn a_module_that_is_cut_is_refused() {
    let whole = module(SUM, SUM_BODY);
    let mut between = Vec::new();
    for end in 8..whole.len() {
        match load(&whole[..end]).map_err(|refused| refused.name()) {
            Err("truncated") => {}
            other => between.push(other.map(|_| ())),
        }
    }
    // Nothing; types; all up to the code of the functions, without which they are cut, too; all but
    // the names of locals.
    assert_eq!(between, [Err("export"), Err("export"), Err("declaration"), Ok(())]);
    assert_eq!(refused(&whole[..7]), "truncated");
}

/// No byte of a module that is turned over makes it do harm: it is refused, traps, or folds.
#[test]
fn a_module_with_a_wrong_byte_is_refused_or_runs() {
    let whole = module(SUM, SUM_BODY);
    let mut runs = 0;
    beside(|| {
        for at in 0..whole.len() {
            for flip in [0x01, 0x80] {
                let mut bytes_of = whole.clone();
                bytes_of[at] ^= flip;
                let Ok(operation) = load(&bytes_of) else { continue };
                let element = operation.declaration().element.bytes();
                let mut accumulator = vec![0; 8 * element];
                let mut instance = operation.instance().unwrap();
                let _ = instance.fold(&mut accumulator, &vec![1; 8 * element]);
                runs += 1;
            }
        }
    });
    assert!(runs > 0 && runs < 2 * whole.len(), "{runs}");
}

#[test]
fn a_module_without_a_declaration_is_refused() {
    let without = wat::parse_str(format!("(module {SUM_BODY})")).unwrap();
    assert_eq!(refused(&without), "declaration");
    let twice = format!("(@custom \"netfold.operation\" \"abi 1\") {SUM_BODY}");
    assert_eq!(refused_text(&twice), "declaration");
    assert_eq!(refused(&module("abi 9\nname x\nelement i32\n", SUM_BODY)), "declaration");
}

/// R-OP-12
#[test]
fn other_languages_are_refused() {
    for fields in [
        "(func (drop (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 0 0 0 0))))",
        "(func (drop (i32.atomic.load (i32.const 0))))",
        "(func (return_call 0 (i32.const 0) (i32.const 0) (i32.const 0)))",
        "(type (struct))",
        "(tag)",
    ] {
        assert_eq!(refused_text(&format!("{SUM_BODY} {fields}")), "invalid", "{fields}");
    }
    let wide = SUM_BODY.replace("(export \"memory\") 1", "(export \"memory\") i64 1");
    assert_eq!(refused_text(&wide), "invalid");
    let shared = SUM_BODY.replace("(export \"memory\") 1", "(export \"memory\") 1 9 shared");
    assert_eq!(refused_text(&shared), "invalid");
}

/// R-OP-17: as much work as a longer batch may take is too much for a short one.
#[test]
fn work_grows_with_the_batch() {
    let spin = |turns: u32| {
        let body = format!(
            "(local $turns i32) (local.set $turns (i32.const {turns}))
             (loop $again (br_if $again
                (local.tee $turns (i32.sub (local.get $turns) (i32.const 1)))))"
        );
        let declaration = "abi 1\nname spin\nelement i32\nscope message 1\n";
        load(&module(declaration, &folding(&body)))
    };
    // 10^5 units and 4 * 256; a turn takes 4 to 6.
    assert!(spin(10_000).is_ok());
    assert_eq!(spin(30_000).unwrap_err().name(), "work");
}
