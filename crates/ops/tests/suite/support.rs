//! Modules as text, and a runtime for all tests.

use std::sync::LazyLock;

use netfold_ops::{Limits, Operation, Refused, Runtime};

/// The declaration of a sum.
pub const SUM: &str =
    "abi 1\nname sum\nelement i32\nassociative yes\ncommutative yes\nidentity 00000000\n";

/// A memory, and a sum of i32.
pub const SUM_BODY: &str = r#"
    (memory (export "memory") 1)
    (func (export "fold") (param $left i32) (param $right i32) (param $count i32)
        (loop $next
            (i32.store (local.get $left)
                (i32.add (i32.load (local.get $left)) (i32.load (local.get $right))))
            (local.set $left (i32.add (local.get $left) (i32.const 4)))
            (local.set $right (i32.add (local.get $right) (i32.const 4)))
            (br_if $next
                (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))"#;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());

/// The runtime of all tests of this process.
pub fn runtime() -> &'static Runtime {
    &RUNTIME
}

/// The module with this declaration and these fields.
pub fn module(declaration: &str, fields: &str) -> Vec<u8> {
    let declaration = declaration.replace('\n', "\\n");
    let text = format!("(module (@custom \"netfold.operation\" \"{declaration}\") {fields})");
    wat::parse_str(text).unwrap()
}

/// A memory, and a fold with this body.
pub fn folding(body: &str) -> String {
    let parameters = "(param $left i32) (param $right i32) (param $count i32)";
    format!("(memory (export \"memory\") 1) (func (export \"fold\") {parameters} {body})")
}

/// Loads a module under the limits that a switch has by default.
pub fn load(bytes: &[u8]) -> Result<Operation, Refused> {
    Operation::load(runtime(), bytes, &Limits::default())
}

/// The bytes of integers.
pub fn bytes(integers: &[i32]) -> Vec<u8> {
    integers.iter().flat_map(|integer| integer.to_le_bytes()).collect()
}

/// The integers of bytes.
pub fn integers(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|chunk| i32::from_le_bytes(chunk.try_into().unwrap())).collect()
}
