//! Modules to change, as text. The fuzz target `operation` begins with them.

/// Together they have every section that an operation may have.
pub const SEEDS: [&str; 3] = [
    // A sum, four at a time.
    r#"(module
        (@custom "netfold.operation" "abi 1\nname sum\nelement i32x4\nassociative yes\nidentity 00000000000000000000000000000000\n")
        (memory (export "memory") 1)
        (func (export "fold") (param i32 i32 i32)
            (loop
                (v128.store (local.get 0)
                    (i32x4.add (v128.load (local.get 0)) (v128.load (local.get 1))))
                (local.set 0 (i32.add (local.get 0) (i32.const 16)))
                (local.set 1 (i32.add (local.get 1) (i32.const 16)))
                (br_if 0 (local.tee 2 (i32.sub (local.get 2) (i32.const 1)))))))"#,
    // A stack, constants, and a call by a pointer, as compilers make them.
    r#"(module
        (@custom "netfold.operation" "abi 1\nname x\nelement f32,u32\ncommutative yes\nrange 0 -1 1\n")
        (type $one (func (param f32 f32) (result f32)))
        (memory (export "memory") 1 9)
        (table 2 funcref)
        (global $stack (mut i32) (i32.const 65536))
        (elem (i32.const 1) $larger)
        (data (i32.const 1024) "\00\00\80\3f")
        (func $larger (type $one) (f32.max (local.get 0) (local.get 1)))
        (func (export "fold") (param $l i32) (param $r i32) (param $n i32) (local $frame i32)
            (global.set $stack
                (local.tee $frame (i32.sub (global.get $stack) (i32.const 16))))
            (f32.store (local.get $frame) (f32.load (i32.const 1024)))
            (f32.store (local.get $l)
                (call_indirect (type $one)
                    (f32.load (local.get $frame)) (f32.load (local.get $r)) (i32.const 1)))
            (global.set $stack (i32.add (local.get $frame) (i32.const 16)))))"#,
    // A message, by instructions for whole blocks.
    r#"(module
        (@custom "netfold.operation" "abi 1\nname last\nelement u8\nscope message 100\n")
        (memory (export "memory") 1)
        (data $unused "ab")
        (func (export "fold") (param i32 i32 i32)
            (data.drop $unused)
            (memory.copy (local.get 0) (local.get 1) (local.get 2))))"#,
];
