//! A program with packets of different sizes: what of the line rate is lanes, how often a packet
//! goes through a pipeline, and how many slots memory has room for.

use netfold_wire::{HEADER_BYTES, RANK_BYTES, TABLE_HEADER_BYTES};

use super::{Name, Request, Rows};
use crate::programs::Arithmetic;
use crate::programs::fpisa::Variant;
use crate::programs::libra::Sums;
use crate::programs::roce;
use crate::report::{FRAME_BYTES, Report};

/// Bytes of Ethernet that no header says: preamble, frame check, gap between frames.
const ETHERNET_BYTES: u32 = 8 + 4 + 12;

/// The fewest bytes that a frame takes of a wire: 64, preamble and gap.
const LEAST_BYTES: f64 = 84.0;

/// Passes of a SwitchML packet through pipelines (R-PISA-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Passes of a contribution that is folded.
    pub fold: u16,
    /// Passes of the one that completes its round, with the result that it brings.
    pub result: u16,
}

impl Passes {
    /// Of floats over RoCE, in one pipeline: one pass reads, and the next fits the ICRC
    /// (R-PISA-61).
    pub const FLOATS_OVER_ROCE: Self = Self { fold: 1, result: 3 };

    /// Returns the passes with so many pipelines, each of which folds its share of the lanes. A
    /// pass gives back half of a pipeline's, and the first half comes with the last pass in.
    pub const fn over(pipelines: u16) -> Self {
        Self { fold: pipelines, result: pipelines + 2 * pipelines - 1 }
    }

    /// The same for floats: a pass adds a pipeline's, or reads them (R-PISA-35).
    pub const fn of_floats(pipelines: u16) -> Self {
        Self { fold: pipelines, result: 2 * pipelines }
    }
}

/// A program whose full packets have so many lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct ByPacket {
    /// Lanes.
    pub elements: u16,
    /// Bytes of a packet on the wire, with preamble and gap.
    pub bytes: f64,
    /// Share of them that is lanes.
    pub goodput: f64,
    /// Passes of a packet.
    pub passes: Passes,
    /// Bytes of registers for a slot, in all pipelines together.
    pub slot_bytes: u64,
}

impl ByPacket {
    /// Slots that registers of so many bytes, in all pipelines together, have room for; `None` if
    /// the program has no registers for each slot.
    pub const fn slots_in(&self, bytes: u64) -> Option<u64> {
        bytes.checked_div(self.slot_bytes)
    }
}

impl Request {
    /// The program with usual numbers of lanes, and with those that are asked for.
    pub fn by_packet(self) -> Vec<ByPacket> {
        let mut lengths: Vec<u16> = self.lengths().iter().copied().chain([self.elements]).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.into_iter().map(|elements| Self { elements, ..self }.of_length()).collect()
    }

    fn lengths(self) -> &'static [u16] {
        match self.name {
            Name::SwitchMl(Arithmetic::Block) => &[32, 64, 128, 256],
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Approximate)) => &[1, 2, 4],
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Full)) => &[4, 8, 16],
            Name::SwitchMlRoce(Arithmetic::Block) => &[64, 128, 256],
            Name::SwitchMlRoce(Arithmetic::Fpisa(_)) => &[],
            Name::P4Sgd => &[1, 2, 4, 8, 16],
            Name::FpisaA => &[1],
            Name::Fpisa => &[1, 2, 4],
            Name::Libra(..) => &[1, 4, 13],
            Name::Rows(_) => &[],
        }
    }

    fn of_length(self) -> ByPacket {
        const SLOTS: u32 = 1024;
        let made = Self { slots: SLOTS, ..self }.make();
        let target = self.name.target();
        let registers =
            |slots| Report::of(&Self { slots, ..self }.make().program, &target).register_bytes;
        let of_slots = registers(2 * SLOTS) - registers(SLOTS);
        let pipelines = made.program.pipelines() as u16;
        let passes = match self.name {
            Name::SwitchMl(Arithmetic::Block) | Name::SwitchMlRoce(Arithmetic::Block) => {
                Passes::over(pipelines)
            }
            Name::SwitchMl(Arithmetic::Fpisa(_)) => Passes::of_floats(pipelines),
            Name::SwitchMlRoce(Arithmetic::Fpisa(_)) => Passes::FLOATS_OVER_ROCE,
            Name::P4Sgd => Passes { fold: 1, result: 2 },
            // R-QRY-5: a key that is new is cached in a second pass.
            Name::Rows(Rows::Distinct | Rows::Extreme) => Passes { fold: 2, result: 2 },
            Name::Rows(_) => Passes { fold: 1, result: 1 },
            // R-HOT-8: floats have one register.
            Name::Libra(_, Sums::FpisaA) => Passes { fold: self.elements, result: 1 },
            // R-PISA-79: a pass reads a sum, and the next writes it.
            Name::Libra(_, Sums::LogTable) => Passes { fold: 2 * self.elements, result: 1 },
            // R-HOT-8: of pairs that share no register.
            Name::FpisaA | Name::Fpisa | Name::Libra(_, Sums::Integers) => {
                Passes { fold: 1, result: 1 }
            }
        };
        let lanes = 4.0
            * match self.name {
                Name::Rows(rows) if rows != Rows::Filter => 1.0,
                _ => f64::from(self.elements),
            };
        let bytes = match self.name {
            Name::SwitchMl(_) => f64::from(FRAME_BYTES + HEADER_BYTES as u32) + lanes,
            Name::SwitchMlRoce(_) => {
                let packets = f64::from(roce::packets(self.elements));
                let message = (roce::RETH_BYTES + roce::IMMEDIATE_BYTES) as f64 / packets;
                f64::from(FRAME_BYTES)
                    + (roce::BTH_BYTES + roce::ICRC_BYTES) as f64
                    + message
                    + lanes
            }
            Name::Libra(..) => {
                let ranks = RANK_BYTES * usize::from(self.elements);
                f64::from(FRAME_BYTES) + (TABLE_HEADER_BYTES + ranks) as f64 + lanes
            }
            // All their headers travel.
            Name::P4Sgd | Name::FpisaA | Name::Fpisa | Name::Rows(_) => {
                let headers = made.program.headers.iter().flat_map(|header| &header.fields);
                let bits: u32 = headers.map(|field| made.program.field(*field).bits).sum();
                f64::from(ETHERNET_BYTES + bits / 8)
            }
        };
        let bytes = bytes.max(LEAST_BYTES);
        let slot_bytes = of_slots * u64::from(pipelines) / u64::from(SLOTS);
        ByPacket { elements: self.elements, bytes, goodput: lanes / bytes, passes, slot_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switchml(elements: u16) -> ByPacket {
        let request = Request::new(Name::SwitchMl(Arithmetic::Block), 64);
        request.by_packet().into_iter().find(|one| one.elements == elements).unwrap()
    }

    /// NSDI 2021, appendix C: 128 slots of 256 lanes are 256 KB, each with its shadow copy. Beside
    /// the lanes, in each of four pipelines and for both copies: number, digest, number and worker
    /// (8 + 8 bytes), count (2), filled (1), largest exponent (2); and a number for each of 8
    /// workers.
    #[test]
    fn a_slot_takes_what_its_arrays_hold() {
        assert_eq!(switchml(256).slot_bytes, 2 * 4 * 256 + 4 * (2 * (8 + 8 + 2 + 1 + 2) + 8 * 4));
        assert_eq!(switchml(64).slot_bytes, 2 * 4 * 64 + (2 * (8 + 8 + 2 + 1 + 2) + 8 * 4));
        assert_eq!(switchml(64).slots_in(1 << 20), Some((1 << 20) / 586));
    }

    /// Preamble, Ethernet, IPv4, UDP and gap are 66 bytes, netfold's header 40.
    #[test]
    fn goodput_is_what_of_a_packet_is_lanes() {
        let one = switchml(256);
        assert_eq!((one.bytes, one.goodput), (1130.0, 1024.0 / 1130.0));
        assert_eq!(one.passes, Passes { fold: 4, result: 11 });
    }
}
