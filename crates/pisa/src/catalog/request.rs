//! Requests for a program: its sizes, and which of them can be.

use netfold_num::{ByteOrder, Protocol};
use thiserror::Error;

use super::{Name, Rows, tables};
use crate::programs::fpisa::{MOST_OPERANDS, Variant};
use crate::programs::libra::{MOST_PAIRS, Sums};
use crate::programs::roce::{self, Roce};
use crate::programs::{Arithmetic, FrameConfig};

/// Most lanes that all pipelines of a switch fold.
pub const MOST_ELEMENTS: u16 = 256;

/// Most pipelines of a switch.
const MOST_PIPELINES: u16 = 4;

/// Most slots that a program is made for.
pub const MOST_SLOTS: u32 = 32768;

/// Most workers of a job.
pub const MOST_WORKERS: u16 = 256;

/// The reason why a program cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A number of lanes that the program has not.
    #[error(
        "{elements} lanes cannot be in a packet; the nearest number that can is {nearest} (--elements)"
    )]
    Elements {
        /// Lanes asked for.
        elements: u16,
        /// The nearest number that can be.
        nearest: u16,
    },
    /// A protocol beside a program that has its own.
    #[error("--protocol is for switchml; the other programs have one of their own")]
    Protocol,
    /// A byte order beside a program that has its own packets.
    #[error("--byte-order is for switchml; the packets of the other programs are in network order")]
    ByteOrder,
    /// Workers or slots that cannot be.
    #[error(
        "{workers} workers and {slots} slots cannot be; give 1 to {most_workers} workers and 1 to {most_slots} slots (--workers, --slots)"
    )]
    Size {
        /// Workers asked for.
        workers: u16,
        /// Slots asked for.
        slots: u32,
        /// The most workers of this program.
        most_workers: u16,
        /// The most slots.
        most_slots: u32,
    },
    /// More workers than a Tofino has ports for (R-PISA-6).
    #[error(
        "{workers} workers cannot be at one Tofino, whose first pipeline has ports for {most} of them; give --workers {most} or fewer, or bmv2 as the target (--target)"
    )]
    Ports {
        /// Workers asked for.
        workers: u16,
        /// The most that there are ports for.
        most: u16,
    },
}

/// A program that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The program's name.
    pub name: Name,
    /// The way in which slots are used again, by [`Name::SwitchMl`]; the others have protocols of
    /// their own.
    pub protocol: Protocol,
    /// The order of a lane's bytes, of [`Name::SwitchMl`].
    pub byte_order: ByteOrder,
    /// Lanes of a full packet; of [`Name::Libra`] its pairs; of [`Name::Rows`] the cells of a row,
    /// the thresholds, or the comparisons.
    pub elements: u16,
    /// Workers of a job.
    pub workers: u16,
    /// Slots of all jobs; of [`Name::Libra`] and [`Name::Rows`] the words of each register.
    pub slots: u32,
    /// True if all lanes go through one pipeline: bmv2 has no other, and no limits.
    pub one_pipeline: bool,
}

impl Request {
    /// Makes a request for a switch with several pipelines: shadow copies, network order, 8
    /// workers, 512 slots.
    pub const fn new(name: Name, elements: u16) -> Self {
        Self {
            name,
            protocol: Protocol::Shadow,
            byte_order: ByteOrder::Network,
            elements,
            workers: 8,
            slots: 512,
            one_pipeline: false,
        }
    }

    /// Returns the request if a program can be made for it.
    ///
    /// # Errors
    /// [`RequestError`] names the number that cannot be.
    pub fn checked(self) -> Result<Self, RequestError> {
        let Self { elements, workers, slots, .. } = self;
        let (most_workers, most_slots) = match self.name {
            // R-FPI-16
            Name::SwitchMl(Arithmetic::Fpisa(Variant::Full)) => (MOST_OPERANDS, MOST_SLOTS),
            Name::SwitchMl(_) => (MOST_WORKERS, MOST_SLOTS),
            // Queue pairs of 32 workers with all slots are numbered by 16 bits.
            Name::SwitchMlRoce(_) => (32, 2048 * u32::from(roce::packets(elements))),
            Name::P4Sgd => (32, 65536),
            Name::FpisaA => (MOST_WORKERS, 65536),
            // R-FPI-16
            Name::Fpisa => (MOST_OPERANDS, 65536),
            Name::Libra(..) | Name::Rows(_) => (MOST_WORKERS, tables::MOST_WORDS),
        };
        if self.protocol == Protocol::Acked && !matches!(self.name, Name::SwitchMl(_)) {
            return Err(RequestError::Protocol);
        }
        if self.byte_order == ByteOrder::Little && !matches!(self.name, Name::SwitchMl(_)) {
            return Err(RequestError::ByteOrder);
        }
        if !self.takes(elements) {
            let all = (1..=MOST_ELEMENTS).filter(|other| self.takes(*other));
            let nearest = all.min_by_key(|other| other.abs_diff(elements)).unwrap_or(1);
            return Err(RequestError::Elements { elements, nearest });
        }
        if !(1..=most_workers).contains(&workers) || !(1..=most_slots).contains(&slots) {
            return Err(RequestError::Size { workers, slots, most_workers, most_slots });
        }
        let most = self.frame(1).worker_ports().count() as u16;
        if workers > most {
            return Err(RequestError::Ports { workers, most });
        }
        Ok(self)
    }

    /// Returns whether a packet can have so many lanes (R-PISA-19).
    fn takes(self, elements: u16) -> bool {
        let at_most = |most| (1..=most).contains(&elements);
        let one = self.one_pipeline;
        match self.name {
            Name::SwitchMl(_) if one => at_most(MOST_ELEMENTS),
            Name::SwitchMlRoce(Arithmetic::Fpisa(_)) => at_most(MOST_ELEMENTS),
            Name::SwitchMl(arithmetic) => {
                at_most((MOST_PIPELINES * arithmetic.lanes()).min(MOST_ELEMENTS))
            }
            Name::SwitchMlRoce(arithmetic) => {
                let spread = Roce::with(arithmetic, elements);
                let pipelines = if one { 1 } else { spread.pipelines };
                at_most(MOST_ELEMENTS) && Roce { pipelines, ..spread }.has_equal_windows()
            }
            Name::P4Sgd => at_most(16),
            Name::FpisaA => at_most(if one { 16 } else { 1 }),
            Name::Fpisa => at_most(if one { 16 } else { 4 }),
            Name::Libra(..) => at_most(MOST_PAIRS),
            Name::Rows(Rows::Filter) => at_most(6),
            Name::Rows(Rows::Thresholds) => at_most(if one { 16 } else { 12 }),
            Name::Rows(Rows::Matrix) => at_most(if one { 16 } else { 3 }),
            Name::Rows(Rows::Distinct) => at_most(if one { 16 } else { 9 }),
            Name::Rows(Rows::Extreme) => at_most(if one { 16 } else { 7 }),
            Name::Rows(Rows::Bloom | Rows::Sum) => at_most(1),
        }
    }

    /// The name of its file, without the dialect's end: one that P4's tools take for an identifier.
    pub fn file_stem(self) -> String {
        let arithmetic = match self.name {
            Name::SwitchMl(arithmetic @ Arithmetic::Fpisa(_))
            | Name::SwitchMlRoce(arithmetic @ Arithmetic::Fpisa(_)) => {
                format!("_{}", arithmetic.as_str())
            }
            Name::Libra(_, Sums::FpisaA) => "_fpisa_a".to_owned(),
            Name::Libra(_, Sums::LogTable) => "_logtable".to_owned(),
            _ => String::new(),
        };
        let protocol = if self.protocol == Protocol::Acked { "_acked" } else { "" };
        let order = if self.byte_order == ByteOrder::Little { "_little" } else { "" };
        let (name, elements) = (self.name.as_str(), self.elements);
        format!("{name}{arithmetic}{protocol}{order}_{elements}").replace('-', "_")
    }

    /// Frames and ports of the switch.
    pub(super) fn frame(self, pipelines: u16) -> FrameConfig {
        if self.one_pipeline { FrameConfig::bmv2() } else { FrameConfig::new(pipelines) }
    }
}
