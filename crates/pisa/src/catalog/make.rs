//! Programs that are made as a request says, each with a job that shows how it is used.

use super::{Name, Request, Rows, over_roce, published, tables};
use crate::control::Control;
use crate::program::{Pattern, Program};
use crate::programs::fpisa::{Fpisa, Variant};
use crate::programs::p4sgd::P4Sgd;
use crate::programs::roce::Roce;
use crate::programs::rows::{RowsKind, RowsProgram};
use crate::programs::switchml::SwitchMl;
use crate::programs::{Address, Arithmetic, Job};
use crate::report::Comparison;

/// Rows of the answer that the Top-N program is emitted for.
const TOP: u32 = 250;

/// A program, and the control plane of a job that shows how it is used.
#[derive(Clone, Debug)]
pub struct Made {
    /// The program.
    pub program: Program,
    /// A job with all slots, its workers where R-PISA-6 says.
    pub controls: Vec<Control>,
}

impl Request {
    /// Port and address of each worker (R-PISA-6).
    pub(super) fn workers(self) -> impl Iterator<Item = (u16, Address)> {
        let ports: Vec<_> = self.frame(1).worker_ports().take(self.workers.into()).collect();
        ports.into_iter().zip((1..).map(example_address))
    }

    fn switchml(self, arithmetic: Arithmetic) -> SwitchMl {
        let spread = SwitchMl::with(arithmetic, self.elements);
        let pipelines = if self.one_pipeline { 1 } else { spread.pipelines };
        let (slots, workers) = (self.slots, self.workers.into());
        let Self { protocol, byte_order, .. } = self;
        let frame = self.frame(pipelines);
        SwitchMl { pipelines, slots, workers, frame, protocol, byte_order, ..spread }
    }

    fn roce(self, arithmetic: Arithmetic) -> Roce {
        let spread = Roce::with(arithmetic, self.elements);
        let pipelines = if self.one_pipeline { 1 } else { spread.pipelines };
        Roce { pipelines, ..spread }.sized(self.slots, self.workers.into())
    }

    fn p4sgd(self) -> P4Sgd {
        P4Sgd {
            elements: self.elements,
            slots: self.slots.next_power_of_two(),
            ..P4Sgd::new(self.workers)
        }
    }

    fn rows(self, rows: Rows) -> RowsProgram {
        let width = self.elements as u8;
        let kind = match rows {
            Rows::Filter => RowsKind::Filter { width },
            // Doubling an f32.
            Rows::Thresholds => RowsKind::Thresholds { n: TOP, width, step: 1 << 23 },
            Rows::Matrix => RowsKind::Matrix { width },
            Rows::Distinct => RowsKind::Distinct { width },
            Rows::Extreme => RowsKind::Extreme { width },
            Rows::Bloom => RowsKind::Bloom,
            Rows::Sum => RowsKind::Sum,
        };
        let loopback = self.frame(1).loopbacks[0];
        RowsProgram { rows: self.slots.next_power_of_two(), loopback, ..RowsProgram::new(kind) }
    }

    /// The program of a query; the master is behind the workers.
    fn query(self, rows: Rows) -> Made {
        let config = self.rows(rows);
        let program = config.program();
        let master = self.frame(1).worker_ports().nth(self.workers.into()).unwrap_or(0);
        let workers = self.workers().map(|(port, address)| (port, address.mac));
        let mut controls = config.controls(&program, workers, master);
        if rows == Rows::Filter {
            // All columns are positive.
            let above = vec![(netfold_num::Comparison::Greater, 0); self.elements.into()];
            controls.extend(config.filter(&above, 1 << ((1 << above.len()) - 1)));
        }
        Made { program, controls }
    }

    fn fpisa(self) -> Made {
        let variant = if self.name == Name::Fpisa { Variant::Full } else { Variant::Approximate };
        let config =
            Fpisa { words: self.slots.next_power_of_two(), ..Fpisa::new(variant, self.elements) };
        let answer = |(port, Address { mac, .. }): (u16, Address)| Control::Insert {
            table: "ports",
            patterns: vec![Pattern::Is(mac)],
            action: "answer",
            values: vec![port.into()],
        };
        Made { program: config.program(), controls: self.workers().map(answer).collect() }
    }

    /// The program, and a job for it.
    pub fn make(self) -> Made {
        self.make_with_job(self.slots)
    }

    /// The program, and a job for it with so many slots.
    pub(super) fn make_with_job(self, slots: u32) -> Made {
        let job = Self { slots, ..self };
        match self.name {
            Name::SwitchMl(arithmetic) => {
                let config = self.switchml(arithmetic);
                let program = config.program();
                let controls = example_job(job).controls(&config, &program);
                Made { program, controls }
            }
            Name::SwitchMlRoce(arithmetic) => {
                let config = self.roce(arithmetic);
                let program = config.program();
                let example = over_roce::example_job(job, &job.roce(arithmetic));
                let controls = example.controls(&config, &program);
                Made { program, controls }
            }
            Name::P4Sgd => {
                let config = self.p4sgd();
                let ports: Vec<u16> = self.workers().map(|(port, _)| port).collect();
                Made { program: config.program(), controls: config.controls(&ports) }
            }
            Name::FpisaA | Name::Fpisa => self.fpisa(),
            Name::Libra(record, sums) => tables::make(self, record, sums),
            Name::Rows(rows) => self.query(rows),
        }
    }

    /// The program's figures beside those of its paper.
    pub fn comparisons(self) -> Vec<Comparison> {
        match self.name {
            Name::SwitchMl(Arithmetic::Block) => published::switchml(self),
            Name::SwitchMl(Arithmetic::Fpisa(_)) => published::slots_of_floats(self),
            Name::SwitchMlRoce(arithmetic) => over_roce::comparisons(arithmetic),
            Name::P4Sgd => published::p4sgd(self),
            Name::FpisaA | Name::Fpisa => published::fpisa(),
            Name::Libra(record, sums) => tables::comparisons(self, record, sums),
            Name::Rows(_) => Vec::new(),
        }
    }
}

/// The job in the files for control planes.
fn example_job(request: Request) -> Job {
    Job {
        job: 1,
        epoch: 1,
        slots: request.slots.min(u16::MAX.into()) as u16,
        first_slot: 0,
        first_word: 0,
        workers: request.workers().collect(),
        switch: example_switch(),
        group: 1,
    }
}

/// The last byte of the switch's addresses in the job of [`Request::make`].
const SWITCH: u16 = 254;

/// The addresses of a worker, counted from 1, in the job of [`Request::make`] (R-PISA-6).
pub fn example_address(worker: u16) -> Address {
    example_host(if worker < SWITCH { worker } else { worker + 3 })
}

/// The addresses of the switch there.
pub fn example_switch() -> Address {
    example_host(SWITCH)
}

fn example_host(number: u16) -> Address {
    Address {
        mac: 0x0200_0000_0000 | u64::from(number),
        ip: 0x0A00_0000 | u32::from(number),
        port: 5555,
    }
}
