//! Elements of operations of the program whose bodies netfold has, beside elements of MPI
//! (R-MPI-18).

use netfold_net::{ElementType, Operation};

use crate::fold::{Element, Fold, Prepared, Refusal};

/// Numbers of one type that follow each other in an element of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Type of each.
    pub of: Element,
    /// Number of them.
    pub count: usize,
    /// First byte in the element.
    pub offset: usize,
}

/// The numbers of an element of an operation, as a struct in C has them (R-OP-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The numbers, in their order.
    pub numbers: Vec<Numbers>,
    /// Bytes from one element to the next.
    pub stride: usize,
}

impl Layout {
    /// Bytes of the numbers, without gaps.
    fn packed(&self) -> usize {
        self.numbers.iter().map(Numbers::bytes).sum()
    }

    /// Returns the fold of elements of MPI, of so many bytes each without gaps, as bytes of this
    /// layout. `of` is what they hold, if their type is predefined.
    ///
    /// # Errors
    /// They are no elements of the operation.
    pub fn fold(&'static self, of: Option<Element>, bytes: usize) -> Result<Fold, Refusal> {
        let packed = self.packed();
        let fits = bytes > 0 && bytes.is_multiple_of(packed);
        if !fits || of.is_some_and(|of| !self.is(of)) {
            return Err(Refusal::Operation);
        }
        let lanes = (bytes / packed * self.stride) as u64;
        let prepared = if packed == self.stride { Prepared::Plain } else { Prepared::Spread(self) };
        let (element_type, operation) = (ElementType::U8, Operation::Copy);
        Ok(Fold { element_type, operation, lanes, bytes, prepared })
    }

    /// Returns whether an element is one of a predefined type.
    fn is(&self, of: Element) -> bool {
        let of = match of {
            Element::C32 => vec![Element::F32; 2],
            Element::C64 => vec![Element::F64; 2],
            Element::Bool => vec![Element::U8],
            Element::Logical => vec![Element::I32],
            Element::Pair(pair) => vec![pair.value.element(), pair.index.element()],
            of => vec![of],
        };
        let own = self.numbers.iter().flat_map(|numbers| vec![numbers.of; numbers.count]);
        own.eq(of)
    }

    /// Returns elements without gaps as those of the operation.
    pub(crate) fn spread(&self, packed: &[u8]) -> Vec<u8> {
        let mut elements = vec![0; packed.len() / self.packed() * self.stride];
        let places = elements.chunks_exact_mut(self.stride);
        for (element, packed) in places.zip(packed.chunks_exact(self.packed())) {
            let mut rest = packed;
            for numbers in &self.numbers {
                let (own, others) = rest.split_at(numbers.bytes());
                element[numbers.offset..][..own.len()].copy_from_slice(own);
                rest = others;
            }
        }
        elements
    }

    /// Returns elements of the operation without gaps.
    pub(crate) fn pack(&self, elements: &[u8]) -> Vec<u8> {
        let mut packed = Vec::with_capacity(elements.len());
        for element in elements.chunks_exact(self.stride) {
            for numbers in &self.numbers {
                packed.extend_from_slice(&element[numbers.offset..][..numbers.bytes()]);
            }
        }
        packed
    }
}

impl Numbers {
    const fn bytes(&self) -> usize {
        self.count * self.of.bytes()
    }
}

/// Reads a list of operations: lines with the name of a function in the program and the file of its
/// body. What follows a `#` is a comment.
///
/// # Errors
/// The number and the text of a line that has not two words.
pub fn listed(text: &str) -> Result<Vec<(&str, &str)>, (usize, &str)> {
    let lines = (1..).zip(text.lines());
    let contents = lines.map(|(number, line)| {
        (number, line, line.split('#').next().unwrap_or_default().split_whitespace())
    });
    let listed = contents.filter_map(|(number, line, mut words)| {
        let function = words.next()?;
        match (words.next(), words.next()) {
            (Some(file), None) => Some(Ok((function, file))),
            _ => Some(Err((number, line))),
        }
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Number, Pair};

    fn layout(numbers: &[(Element, usize, usize)], stride: usize) -> &'static Layout {
        let numbers = numbers.iter();
        let numbers = numbers.map(|&(of, count, offset)| Numbers { of, count, offset }).collect();
        Box::leak(Box::new(Layout { numbers, stride }))
    }

    #[test]
    fn elements_are_those_of_the_operation_or_the_hosts() {
        // R-MPI-18
        let float = layout(&[(Element::F64, 1, 0)], 8);
        assert_eq!(float.fold(Some(Element::F64), 8).unwrap().lanes, 8);
        assert_eq!(float.fold(Some(Element::I64), 8), Err(Refusal::Operation));
        assert_eq!(float.fold(None, 24).unwrap().lanes, 24);
        assert_eq!(float.fold(None, 12), Err(Refusal::Operation));
        assert_eq!(float.fold(None, 0), Err(Refusal::Operation));
        let complex = layout(&[(Element::F32, 2, 0)], 8);
        assert!(complex.fold(Some(Element::C32), 8).is_ok());
        assert_eq!(complex.fold(Some(Element::F64), 8), Err(Refusal::Operation));
    }

    #[test]
    fn gaps_are_put_in_and_left_out() {
        // R-MPI-18
        let pair = layout(&[(Element::F64, 1, 0), (Element::I32, 1, 8)], 16);
        let of = Element::Pair(Pair { value: Number::F64, index: Number::I32 });
        let fold = pair.fold(Some(of), 12).unwrap();
        assert_eq!((fold.lanes, fold.bytes), (16, 12));
        let packed: Vec<u8> = (1..=24).collect();
        let spread = fold.prepare(&packed);
        let expected: Vec<u8> = (1..=12).chain([0; 4]).chain(13..=24).chain([0; 4]).collect();
        assert_eq!(spread, expected);
        assert_eq!(fold.restore(&spread), packed);
    }

    #[test]
    fn a_list_names_functions_and_files() {
        let text = "# operations\nleast least.wasm # of ints\n\n first  ops/first.wasm\n";
        let expected = vec![("least", "least.wasm"), ("first", "ops/first.wasm")];
        assert_eq!(listed(text), Ok(expected));
        assert_eq!(listed("\nleast\n"), Err((2, "least")));
        assert_eq!(listed("a b c"), Err((1, "a b c")));
    }
}
