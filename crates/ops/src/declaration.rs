//! The declaration of an operation, which its module carries.

use std::ops::RangeInclusive;

use crate::element::{Element, decimal};
use crate::limits::{BATCH_BYTES, MAX_STATE_BYTES};

/// Name of the custom section with the declaration.
pub const SECTION: &str = "netfold.operation";

/// The version of the interface between modules and netfold.
pub const ABI: usize = 1;

/// Most letters of a name.
const MAX_NAME: usize = 32;

/// The declaration of an operation (R-OP-11).
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Name, for people; not unique.
    pub name: String,
    /// Element type.
    pub element: Element,
    /// Elements that a call must see.
    pub scope: Scope,
    /// Claim of associativity.
    pub associative: Associative,
    /// Claim of commutativity.
    pub commutative: bool,
    /// Bytes of the identity element, if there is one.
    pub identity: Option<Vec<u8>>,
    /// Claimed range of each field's scalars; `None` for those that have any value.
    pub ranges: Vec<Option<RangeInclusive<f64>>>,
    /// Type in which elements travel, if the operation has a codec (R-OP-30).
    pub wire: Option<Element>,
    /// Claim that elements are the same after they have travelled (R-OP-44).
    pub lossless: bool,
    /// Bytes of memory for the data that it keeps between calls, if it keeps any (R-OP-31).
    pub state: Option<u64>,
}

/// Elements that a call must see (R-OP-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Any elements at the same positions of both operands.
    Element,
    /// Whole messages.
    Message {
        /// Most elements of a message.
        elements: usize,
    },
}

/// A claim of associativity (R-OP-4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Associative {
    /// No claim.
    No,
    /// The same bits.
    Yes,
    /// Equal up to this share of the largest magnitude.
    Within(f64),
}

impl Associative {
    #[cfg(any(test, feature = "run"))]
    /// The difference that the claims allow.
    pub(crate) fn tolerance(self) -> f64 {
        if let Self::Within(tolerance) = self { tolerance } else { 0.0 }
    }
}

impl Declaration {
    /// Reads the section's bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut lines = Lines::read(text)?;
        let abi = lines.needed("abi")?;
        if decimal(abi) != Some(ABI) {
            return Err(format!("ABI `{abi}` is not known, {ABI} is"));
        }
        let name = lines.needed("name")?;
        let valid = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.len() <= MAX_NAME
            && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !valid {
            return Err(format!("`{name}` is no name"));
        }
        let element = Element::parse(lines.needed("element")?)?;
        let mut declaration = Self {
            name: name.to_owned(),
            scope: Scope::Element,
            associative: associative(lines.taken("associative"))?,
            commutative: yes_or_no(&mut lines, "commutative")?,
            identity: identity(lines.taken("identity"), element.bytes())?,
            ranges: ranges(&mut lines, element.fields().len())?,
            wire: lines.taken("wire").map(Element::parse).transpose()?,
            lossless: yes_or_no(&mut lines, "lossless")?,
            state: state(lines.taken("state"))?,
            element,
        };
        declaration.scope = scope(lines.taken("scope"), declaration.longer_bytes())?;
        if declaration.lossless && declaration.wire.is_none() {
            return Err("lossless is about `wire`, which is missing".into());
        }
        match lines.rest.first() {
            Some((key, _)) => Err(format!("`{key}` is no key, or there twice")),
            None => Ok(declaration),
        }
    }

    /// Most elements of an operand in one call (R-OP-8, R-OP-30).
    pub fn batch_elements(&self) -> usize {
        match self.scope {
            Scope::Element => (BATCH_BYTES / self.longer_bytes()).max(1),
            Scope::Message { elements } => elements,
        }
    }

    /// Most bytes of an operand in one call; a whole number of elements.
    pub fn batch_bytes(&self) -> usize {
        self.batch_elements() * self.element.bytes()
    }

    /// The type of elements as they travel (R-OP-30).
    pub fn travelling(&self) -> &Element {
        self.wire.as_ref().unwrap_or(&self.element)
    }

    /// Returns whether operands may be folded in the order in which they arrive (R-OP-13, R-OP-30).
    pub fn any_order(&self) -> bool {
        self.commutative && self.associative != Associative::No && self.wire.is_none()
    }

    /// Returns whether operands of consecutive ranks may be folded by themselves, and their fold
    /// with others (R-OP-13, R-OP-44).
    pub fn in_parts(&self) -> bool {
        let same = self.wire.is_none() || (self.lossless && self.state.is_none());
        self.associative != Associative::No && same
    }

    /// Bytes of an element, or of a wire element if that is longer.
    pub(crate) fn longer_bytes(&self) -> usize {
        self.element.bytes().max(self.travelling().bytes())
    }
}

/// Lines that nothing has read yet, as keys and values.
struct Lines<'t> {
    rest: Vec<(&'t str, &'t str)>,
}

impl<'t> Lines<'t> {
    fn read(text: &'t str) -> Result<Self, String> {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        let pairs = lines.map(|line| line.split_once(' ').ok_or(format!("`{line}` has no value")));
        Ok(Self { rest: pairs.collect::<Result<_, _>>()? })
    }

    fn taken(&mut self, key: &str) -> Option<&'t str> {
        let at = self.rest.iter().position(|(found, _)| *found == key)?;
        Some(self.rest.remove(at).1)
    }

    fn needed(&mut self, key: &str) -> Result<&'t str, String> {
        self.taken(key).ok_or_else(|| format!("`{key}` is missing"))
    }
}

fn yes_or_no(lines: &mut Lines<'_>, key: &str) -> Result<bool, String> {
    match lines.taken(key) {
        None | Some("no") => Ok(false),
        Some("yes") => Ok(true),
        Some(other) => Err(format!("{key} is yes or no, not `{other}`")),
    }
}

fn scope(text: Option<&str>, element_bytes: usize) -> Result<Scope, String> {
    let text = text.unwrap_or("element");
    if text == "element" {
        return Ok(Scope::Element);
    }
    let elements = text.strip_prefix("message ").and_then(decimal);
    let most = (BATCH_BYTES / element_bytes).max(1);
    match elements {
        Some(elements) if (1..=most).contains(&elements) => Ok(Scope::Message { elements }),
        _ => Err(format!("scope is `element`, or `message` and 1 to {most}, not `{text}`")),
    }
}

fn state(text: Option<&str>) -> Result<Option<u64>, String> {
    let Some(text) = text else { return Ok(None) };
    match decimal(text) {
        Some(bytes) if (1..=MAX_STATE_BYTES).contains(&bytes) => Ok(Some(bytes as u64)),
        _ => Err(format!("state is 1 to {MAX_STATE_BYTES} bytes, not `{text}`")),
    }
}

fn associative(text: Option<&str>) -> Result<Associative, String> {
    match text {
        None | Some("no") => Ok(Associative::No),
        Some("yes") => Ok(Associative::Yes),
        Some(text) => text
            .strip_prefix("within ")
            .and_then(|share| share.parse::<f64>().ok())
            .filter(|share| (0.0..1.0).contains(share))
            .map(Associative::Within)
            .ok_or_else(|| format!("associative is no, yes or `within T`, not `{text}`")),
    }
}

fn identity(text: Option<&str>, element_bytes: usize) -> Result<Option<Vec<u8>>, String> {
    let Some(text) = text.filter(|text| *text != "none") else { return Ok(None) };
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect();
    let digits = digits.filter(|digits| digits.len() == 2 * element_bytes);
    let digits =
        digits.ok_or_else(|| format!("identity has {element_bytes} bytes, in hexadecimal"))?;
    Ok(Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()))
}

fn ranges(
    lines: &mut Lines<'_>,
    fields: usize,
) -> Result<Vec<Option<RangeInclusive<f64>>>, String> {
    let mut ranges = vec![None; fields];
    while let Some(text) = lines.taken("range") {
        let parts: Vec<_> = text.split(' ').collect();
        let read = |part: &str| part.parse::<f64>().ok().filter(|bound| bound.is_finite());
        let parsed = match parts[..] {
            [field, low, high] => decimal(field).zip(read(low).zip(read(high))),
            _ => None,
        };
        match parsed {
            Some((field, (low, high)))
                if low <= high && ranges.get(field).is_some_and(Option::is_none) =>
            {
                ranges[field] = Some(low..=high);
            }
            _ => return Err(format!("`range {text}` is no range of one of {fields} fields")),
        }
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: &str = "abi 1\nname sum\nelement f32,u32\n";

    #[test]
    fn defaults_claim_nothing() {
        let sum = Declaration::parse(SUM.as_bytes()).unwrap();
        assert_eq!(sum.scope, Scope::Element);
        assert_eq!((sum.associative, sum.commutative), (Associative::No, false));
        assert_eq!((sum.identity, sum.ranges), (None, vec![None, None]));
        assert_eq!((sum.wire, sum.lossless, sum.state), (None, false, None));
    }

    #[test]
    fn every_key_is_read() {
        let text = format!(
            "{SUM}\nscope message 12  \nassociative within 1e-6\ncommutative yes\n\
             identity 0000803fffffffff\nrange 1 0 9\nrange 0 -1.5 2\n"
        );
        let all = Declaration::parse(text.as_bytes()).unwrap();
        assert_eq!(all.scope, Scope::Message { elements: 12 });
        assert_eq!(all.batch_bytes(), 96);
        assert_eq!((all.associative, all.commutative), (Associative::Within(1e-6), true));
        assert_eq!(all.identity, Some(vec![0, 0, 0x80, 0x3F, 255, 255, 255, 255]));
        assert_eq!(all.ranges, [Some(-1.5..=2.0), Some(0.0..=9.0)]);
        assert!(all.any_order());
    }

    /// R-OP-30, R-OP-31
    #[test]
    fn a_batch_holds_the_longer_of_an_element_and_a_wire_element() {
        let text =
            "abi 1\nname q\nelement f32x4\nwire u8x4,f32\nassociative yes\ncommutative yes\n";
        let short = Declaration::parse(text.as_bytes()).unwrap();
        assert_eq!((short.batch_elements(), short.batch_bytes()), (4096, 65536));
        assert_eq!(short.travelling().bytes(), 8);
        // Operands travel encoded, and are folded in rank order.
        assert!(!short.any_order());
        let text = "abi 1\nname crc\nelement i32\nwire i32,u32x3\nstate 268435456\n";
        let long = Declaration::parse(text.as_bytes()).unwrap();
        assert_eq!((long.batch_elements(), long.batch_bytes()), (4096, 16384));
        assert_eq!(long.state, Some(1 << 28));
        let text = "abi 1\nname crc\nelement i32\nwire i32,u32x3\nscope message 4097\n";
        assert!(Declaration::parse(text.as_bytes()).is_err());
    }

    /// R-OP-44
    #[test]
    fn a_lossless_codec_allows_folds_of_parts() {
        let in_parts = |more: &str| {
            let text = format!("abi 1\nname crc\nelement i32\n{more}");
            Declaration::parse(text.as_bytes()).unwrap().in_parts()
        };
        assert!(in_parts("associative yes\n"));
        assert!(in_parts("associative yes\nwire i32,u32\nlossless yes\n"));
        assert!(!in_parts("associative yes\nwire i32,u32\n"));
        assert!(!in_parts("wire i32,u32\nlossless yes\n"));
        // A fold needs no state, and a codec may.
        assert!(in_parts("associative yes\nstate 4\n"));
        assert!(!in_parts("associative yes\nwire i32,u32\nlossless yes\nstate 4\n"));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for wrong in [
            "name sum\nelement i32",
            "abi 2\nname sum\nelement i32",
            "abi 1\nelement i32",
            "abi 1\nname Sum\nelement i32",
            "abi 1\nname 1sum\nelement i32",
            "abi 1\nname sum",
            "abi 1\nname sum\nname sum\nelement i32",
            "abi 1\nname sum\nelement i32\ncolour blue",
            "abi 1\nname sum\nelement i32\nscope",
            "abi 1\nname sum\nelement i32\nscope message 0",
            "abi 1\nname sum\nelement i32\nscope message 16385",
            "abi 1\nname sum\nelement i32\nassociative within -1",
            "abi 1\nname sum\nelement i32\nassociative within nan",
            "abi 1\nname sum\nelement i32\ncommutative maybe",
            "abi 1\nname sum\nelement i32\nidentity 000000",
            "abi 1\nname sum\nelement i32\nidentity 0000000g",
            "abi 1\nname sum\nelement i32\nrange 1 0 1",
            "abi 1\nname sum\nelement i32\nrange 0 1 0",
            "abi 1\nname sum\nelement i32\nrange 0 0 inf",
            "abi 1\nname sum\nelement i32\nrange 0 0 1\nrange 0 0 1",
            "abi 1\nname sum\nelement i32\nwire i33",
            "abi 1\nname sum\nelement i32\nwire i8\nwire i8",
            "abi 1\nname sum\nelement i32\nlossless yes",
            "abi 1\nname sum\nelement i32\nwire i8\nlossless maybe",
            "abi 1\nname sum\nelement i32\nstate 0",
            "abi 1\nname sum\nelement i32\nstate 268435457",
            "abi 1\nname sum\nelement i32\nstate 1\nstate 1",
        ] {
            assert!(Declaration::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(Declaration::parse(b"abi 1\nname \xFF\nelement i32").is_err());
        let name = |letters| format!("abi 1\nname {}\nelement i32", "a".repeat(letters));
        assert!(Declaration::parse(name(32).as_bytes()).is_ok());
        assert!(Declaration::parse(name(33).as_bytes()).is_err());
    }
}
