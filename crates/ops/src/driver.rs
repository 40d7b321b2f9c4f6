//! A module that calls an operation for one operand after the other: crossing into WebAssembly and
//! back costs about as much as to fold a packet, and one crossing serves many operands.

/// The module, in binary; the text is in the test. It imports a `fold` (R-OP-8), and exports
/// `several` of the accumulator's address, the first operand's, the elements in each, the bytes
/// from one operand to the next, and the number of operands, which is not 0.
pub(crate) const DRIVER: &[u8] = &[
    // Header; types: three and five i32, without a result.
    0, 0x61, 0x73, 0x6D, 1, 0, 0, 0, //
    1, 15, 2, 0x60, 3, 0x7F, 0x7F, 0x7F, 0, 0x60, 5, 0x7F, 0x7F, 0x7F, 0x7F, 0x7F, 0, //
    // Import of a function of the first type, one function of the second, its export.
    2, 9, 1, 0, 4, b'f', b'o', b'l', b'd', 0, 0, //
    3, 2, 1, 1, //
    7, 11, 1, 7, b's', b'e', b'v', b'e', b'r', b'a', b'l', 0, 1, //
    // Code: loop; call fold(0, 1, 2); 1 = 1 + 3; branch if 4 = 4 - 1.
    10, 31, 1, 29, 0, 3, 0x40, //
    0x20, 0, 0x20, 1, 0x20, 2, 0x10, 0, //
    0x20, 1, 0x20, 3, 0x6A, 0x21, 1, //
    0x20, 4, 0x41, 1, 0x6B, 0x22, 4, 0x0D, 0, //
    0x0B, 0x0B,
];

#[cfg(test)]
mod tests {
    use super::DRIVER;

    #[test]
    fn the_driver_is_its_text() {
        let text = r#"(module
            (type (func (param i32 i32 i32)))
            (type (func (param i32 i32 i32 i32 i32)))
            (import "" "fold" (func (type 0)))
            (func (export "several") (type 1)
                (loop
                    (call 0 (local.get 0) (local.get 1) (local.get 2))
                    (local.set 1 (i32.add (local.get 1) (local.get 3)))
                    (br_if 0 (local.tee 4 (i32.sub (local.get 4) (i32.const 1)))))))"#;
        assert_eq!(wat::parse_str(text).unwrap(), DRIVER);
    }
}
