//! Elements that travel as they are: only the order of their bytes may differ between memory and wire.

use netfold_num::ElementType;

/// Copies a tensor's elements into lanes of the same type.
///
/// # Panics
/// If the lengths differ.
pub fn to_wire(element_type: ElementType, tensor: &[u8], lanes: &mut [u8]) {
    copy(element_type, tensor, lanes);
}

/// Copies lanes into a tensor's elements of the same type.
///
/// # Panics
/// If the lengths differ.
pub fn from_wire(element_type: ElementType, lanes: &[u8], tensor: &mut [u8]) {
    copy(element_type, lanes, tensor);
}

fn copy(element_type: ElementType, from: &[u8], to: &mut [u8]) {
    to.copy_from_slice(from);
    if cfg!(target_endian = "big") {
        to.chunks_exact_mut(element_type.bytes()).for_each(<[u8]>::reverse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_little_endian() {
        let mut lanes = [0; 8];
        to_wire(ElementType::I32, &[1i32.to_ne_bytes(), (-2i32).to_ne_bytes()].concat(), &mut lanes);
        assert_eq!(lanes, [1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF]);
        let mut tensor = [0; 8];
        from_wire(ElementType::I64, &1i64.to_le_bytes(), &mut tensor);
        assert_eq!(i64::from_ne_bytes(tensor), 1);
    }
}
