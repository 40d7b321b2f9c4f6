//! A packet in a pipeline: fields taken out of bytes, and put back (R-PISA-1).

use netfold_num::ByteOrder;

use crate::check::mask;
use crate::program::{FieldId, Header, HeaderId, Home, Pattern, Program, StateId, Transition};

/// Steps after which a parser is taken not to end.
const MOST_STATES: usize = 1024;

/// The packet header vector, and what of the packet was not parsed.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    values: Vec<u64>,
    payload: Vec<u8>,
}

impl Packet {
    /// Parses a packet from `start` on, with some metadata known before; `None` where the parser
    /// rejects it, or it is too short.
    pub fn parse(
        program: &Program,
        start: StateId,
        known: &[(FieldId, u64)],
        bytes: &[u8],
    ) -> Option<Self> {
        let mut packet = Self { values: vec![0; program.fields.len()], payload: Vec::new() };
        known.iter().for_each(|(field, value)| packet.values[field.0] = *value);
        let (mut state, mut rest) = (start, bytes);
        for _ in 0..MOST_STATES {
            let current = &program.parser[state.0];
            for header in &current.extracts {
                rest = packet.extract(program, *header, rest)?;
            }
            current.sets.iter().for_each(|(field, value)| packet.values[field.0] = *value);
            state = match &current.next {
                Transition::Accept => {
                    packet.payload = rest.to_vec();
                    return Some(packet);
                }
                Transition::Reject => return None,
                Transition::To(next) => *next,
                Transition::Select { on, cases, otherwise } => {
                    let matches = |patterns: &[Pattern]| {
                        patterns.iter().zip(on).all(|(pattern, field)| {
                            pattern.matches(packet.values[field.0], program.field(*field).bits)
                        })
                    };
                    cases
                        .iter()
                        .find(|(patterns, _)| matches(patterns))
                        .map(|(_, next)| *next)
                        .or(*otherwise)?
                }
            };
        }
        None
    }

    fn extract<'b>(
        &mut self,
        program: &Program,
        header: HeaderId,
        bytes: &'b [u8],
    ) -> Option<&'b [u8]> {
        let (taken, rest) = bytes.split_at_checked(program.header_bits(header) as usize / 8)?;
        let header = program.header(header);
        let mut at = 0;
        for field in &header.fields {
            let bits = program.field(*field).bits;
            let value = (at..at + bits).fold(0, |value, bit| {
                value << 1 | u64::from(taken[bit as usize / 8] >> (7 - bit % 8) & 1)
            });
            self.values[field.0] = in_order(value, bits, header.byte_order);
            at += bits;
        }
        self.values[header.valid.0] = 1;
        Some(rest)
    }

    /// Writes the Internet checksum, where the program computes one.
    pub fn seal(&mut self, program: &Program) {
        let Some(checksum) = program.checksum else { return };
        let there = |header: HeaderId| self.values[program.header(header).valid.0] == 1;
        if there(checksum.over) && there(checksum.beside) {
            self.values[checksum.field.0] = 0;
            let mut bytes = Vec::new();
            self.append(program, checksum.over, &mut bytes);
            self.values[checksum.field.0] = u64::from(internet_checksum(&bytes));
        }
    }

    /// The packet as it leaves: headers that are there in the program's order, and then the
    /// payload.
    pub fn deparse(&self, program: &Program) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, header) in program.headers.iter().enumerate() {
            if self.values[header.valid.0] == 1 {
                self.append(program, HeaderId(at), &mut bytes);
            }
        }
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    fn append(&self, program: &Program, header: HeaderId, bytes: &mut Vec<u8>) {
        let (mut word, mut filled) = (0u8, 0);
        let Header { fields, byte_order, .. } = program.header(header);
        for field in fields {
            let bits = program.field(*field).bits;
            let value = in_order(self.values[field.0], bits, *byte_order);
            for bit in (0..bits).rev() {
                word = word << 1 | (value >> bit & 1) as u8;
                filled += 1;
                if filled == 8 {
                    bytes.push(word);
                    (word, filled) = (0, 0);
                }
            }
        }
    }

    /// Returns a field's value; of a header that is not there, 0 or what a stage wrote.
    pub fn get(&self, field: FieldId) -> u64 {
        self.values[field.0]
    }

    /// Writes a field. A header that comes to be there holds zeros, whatever was written to it
    /// before (R-PISA-1).
    pub fn write(&mut self, program: &Program, field: FieldId, value: u64) {
        if let Home::Validity(header) = program.field(field).home
            && value == 1
            && self.get(field) == 0
        {
            program.header(header).fields.iter().for_each(|field| self.values[field.0] = 0);
        }
        self.set(program, field, value);
    }

    /// Writes a field, as many bits as it has.
    fn set(&mut self, program: &Program, field: FieldId, value: u64) {
        self.values[field.0] = value & mask(program.field(field).bits);
    }
}

/// A field as it travels, or back (R-PISA-39): both ways are the same.
const fn in_order(value: u64, bits: u32, order: ByteOrder) -> u64 {
    match order {
        ByteOrder::Network => value,
        ByteOrder::Little => value.swap_bytes() >> (u64::BITS - bits),
    }
}

/// RFC 1071 over an even number of bytes.
pub(crate) fn internet_checksum(bytes: &[u8]) -> u16 {
    let sum: u32 =
        bytes.chunks_exact(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let folded = (sum & 0xFFFF) + (sum >> 16);
    !((folded & 0xFFFF) + (folded >> 16)) as u16
}
