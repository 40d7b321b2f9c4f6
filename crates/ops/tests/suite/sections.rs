//! A module as its sections, to change one of them and keep the others. The fuzz target
//! `operation` includes this file.

/// The first eight bytes of every module.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";

/// Splits a module into its sections: their kinds and contents.
pub fn split(module: &[u8]) -> Option<Vec<(u8, Vec<u8>)>> {
    let mut rest = module.strip_prefix(HEADER)?;
    let mut sections = Vec::new();
    while let Some((kind, after)) = rest.split_first() {
        let (mut length, mut shift, mut after) = (0_usize, 0, after);
        loop {
            let (byte, next) = after.split_first()?;
            after = next;
            length |= usize::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
            if shift > 28 {
                return None;
            }
        }
        let (content, next) = after.split_at_checked(length)?;
        sections.push((*kind, content.to_vec()));
        rest = next;
    }
    Some(sections)
}

/// The module of these sections, each with its right length.
pub fn joined(sections: &[(u8, Vec<u8>)]) -> Vec<u8> {
    let mut module = HEADER.to_vec();
    for (kind, content) in sections {
        module.push(*kind);
        let mut length = content.len();
        while length > 0x7F {
            module.push(length as u8 | 0x80);
            length >>= 7;
        }
        module.push(length as u8);
        module.extend(content);
    }
    module
}
