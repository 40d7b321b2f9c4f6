//! Operations without a form or a place on an array are refused by name (R-CGRA-3, 4, 6, 14).

use netfold_cgra::{Array, Effort, Refusal, Request, compile, extract, map};

use crate::extraction::fold;
use crate::kernels::Kernel;

#[test]
fn pointers_are_no_numbers() {
    let found = fold("(i32.store (local.get $l) (local.get $r))", [4, 4]).unwrap_err();
    assert!(matches!(found, Refusal::Address(_)), "{found}");
}

#[test]
fn loops_that_operands_end_are_refused() {
    let found = fold(
        "(local $k i32)
         (loop $again
           (local.set $k (i32.add (local.get $k) (i32.const 1)))
           (br_if $again (i32.lt_u (local.get $k) (i32.load (local.get $r)))))
         (i32.store (local.get $l) (local.get $k))",
        [4, 4],
    )
    .unwrap_err();
    assert!(matches!(found, Refusal::Loop(_)), "{found}");
}

#[test]
fn conversions_that_may_trap_are_refused_unless_their_path_excludes_it() {
    let convert = "(i32.trunc_f32_s (f32.load (local.get $r)))";
    let found = fold(&format!("(i32.store (local.get $l) {convert})"), [4, 4]).unwrap_err();
    assert!(found.to_string().contains("I32TruncF32S"), "{found}");
    let guarded = format!(
        "(if (f32.lt (f32.abs (f32.load (local.get $r))) (f32.const 0x1p31))
             (then (i32.store (local.get $l) {convert})))"
    );
    fold(&guarded, [4, 4]).unwrap();
}

#[test]
fn a_message_whose_loop_is_not_the_function() {
    // The first element is treated otherwise from two elements on.
    let module = wat::parse_str(
        "(module (memory (export \"memory\") 1)
           (func (export \"fold\") (param $l i32) (param $r i32) (param $n i32)
             (if (i32.gt_u (local.get $n) (i32.const 4))
                 (then (i32.store (local.get $l) (i32.const 1))))
             (loop $again
               (i32.store (local.get $l) (i32.load (local.get $r)))
               (local.set $l (i32.add (local.get $l) (i32.const 4)))
               (local.set $r (i32.add (local.get $r) (i32.const 4)))
               (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
             (i32.store (local.get $l) (i32.const 7))))",
    )
    .unwrap();
    let request = Request { function: "fold", sizes: [4, 4], message: true, keeps: false };
    assert_eq!(extract(&module, &request).unwrap_err(), Refusal::NotTheLoop { count: 1 });
}

#[test]
fn a_function_that_is_not_there() {
    let module = Kernel::named("add").module();
    let request = Request { function: "map", sizes: [4, 0], message: false, keeps: false };
    assert_eq!(extract(&module, &request).unwrap_err(), Refusal::NoFunction("map".into()));
    assert!(matches!(
        extract(b"\0asm", &request),
        Err(Refusal::Module(_) | Refusal::NoFunction(_))
    ));
}

#[test]
fn bounds_are_named() {
    let kernel = Kernel::named("complex multiply");
    let program = extract(&kernel.module(), &kernel.request()).unwrap();
    let array = |from: &str, to: &str| {
        assert!(Array::SMALL.contains(from));
        Array::parse(&Array::SMALL.replace(from, to)).unwrap()
    };
    let short = array("instructions = 64", "instructions = 2");
    let found = compile(program.clone(), &short, Effort::default()).unwrap_err();
    assert!(matches!(found, Refusal::Instructions { interval: 3, depth: 2, .. }), "{found}");
    assert!(found.to_string().contains("12 operations on 4 processing elements"), "{found}");
    let without = array("class = \"multiply\"", "class = \"divide\"");
    let found = compile(program.clone(), &without, Effort::default()).unwrap_err();
    assert!(matches!(found, Refusal::NoUnit { class: "multiply", .. }), "{found}");
    let hasty = Effort { intervals: 0, ..Effort::default() };
    let found = map(&program.kernels[0].graph, &array("name", "name"), hasty).unwrap_err();
    assert!(matches!(found, Refusal::NotMapped { from: 3, .. }), "{found}");
    let wide = fold("(i64.store (local.get $l) (i64.load (local.get $r)))", [8, 8]).unwrap();
    let narrow = array("word_bits = 64", "word_bits = 32");
    let found = compile(wide, &narrow, Effort::default()).unwrap_err();
    assert!(matches!(found, Refusal::Word { bits: 64, word: 32, .. }), "{found}");
}

#[test]
fn arrays_that_are_none() {
    for (from, to) in [
        ("rows = 2", "rows = 0"),
        ("registers = 4", "registers = 17"),
        ("word_bits = 64", "word_bits = 48"),
        ("vector_bits = 512", "vector_bits = 32"),
        ("latency = 1", "latency = 0"),
        ("spus = 1", "spus = 2"),
        ("rows = 2", "rowz = 2"),
    ] {
        assert!(Array::SMALL.contains(from), "{from}");
        let found = Array::parse(&Array::SMALL.replace(from, to));
        assert!(matches!(found, Err(Refusal::Array(_))), "{to}: {found:?}");
    }
}
