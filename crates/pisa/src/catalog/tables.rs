//! Tables by name, and their figures beside Libra's.

use netfold_wire::{Epoch, JobId};

use super::{Made, Record, Request, example_address};
use crate::program::Program;
use crate::programs::libra::{Guard, Libra, MOST_REGISTERS, TableJob};
use crate::report::{Comparison, Report};
use crate::target::Target;

/// Most words of a register: those whose index a field of 16 bits holds.
pub(super) const MOST_WORDS: u32 = 65536;

/// Words of each array of the filter: two take as much as Libra's logic (section 5.7).
const FILTER_WORDS: u32 = 65536;

/// Rows in the paper's report (section 5.7).
const PUBLISHED_ROWS: u32 = 30_000;

/// The port of the switch's CPU: the first of a Tofino's that leads to no host, and bmv2's last.
const CPU: [u16; 2] = [64, 510];

fn config(request: Request, record: Record) -> Libra {
    let guard = match record {
        Record::Windows => Guard::Windows,
        Record::Cpu => Guard::Cpu { port: CPU[usize::from(request.one_pipeline)] },
        Record::Bloom => Guard::Bloom { words: FILTER_WORDS },
    };
    Libra {
        words: request.slots.next_power_of_two(),
        pairs: request.elements,
        guard,
        frame: request.frame(1),
        ..Libra::new(request.workers)
    }
}

/// The program, and a table with a server behind its workers.
pub(super) fn make(request: Request, record: Record) -> Made {
    let config = config(request, record);
    let program = config.program();
    let frame = request.frame(1);
    let job = TableJob {
        job: JobId(1),
        epoch: Epoch(1),
        workers: request.workers().collect(),
        servers: frame
            .worker_ports()
            .zip((1..).map(example_address))
            .skip(request.workers.into())
            .take(1)
            .collect(),
    };
    let controls = config.controls(&program, &job);
    Made { program, controls }
}

/// Section 5.7, line by line.
pub(super) fn comparisons(request: Request, record: Record) -> Vec<Comparison> {
    let words = PUBLISHED_ROWS.div_ceil(MOST_REGISTERS.into());
    let program = config(Request { slots: words, ..request }, record).program();
    let report = Report::of(&program, &Target::tofino());
    let total = |what: &str| {
        report.lines.iter().find(|line| line.what == what).map_or(0.0, |line| line.total)
    };
    let kib = |of: &str| kib_of(&program, of);
    let records = kib("windows") + kib("bloom");
    let line = |what: &str, here: String, published: &str, why: &str| Comparison {
        what: what.into(),
        here,
        published: format!("{published} (section 5.7)"),
        why: why.into(),
    };
    vec![
        line(
            "stages",
            format!("{}, {} as a compiler would place them", report.stages, report.scheduled.last),
            "9",
            "two registers share a stage, and the guard, the flags of loaded rows and the answer stand around them",
        ),
        line(
            "memory of the sums of 30,000 rows",
            format!(
                "{:.1} KiB for {} rows",
                kib("sum"),
                words.next_power_of_two() * u32::from(MOST_REGISTERS)
            ),
            "118 KB",
            "a register has a power of two of words, which the parser holds ranks to",
        ),
        line(
            "tables for floating point",
            "none".into(),
            "408.5 KB",
            "sums are those of integers (R-PISA-77)",
        ),
        line(
            "memory of what stands beside them",
            format!("{records:.1} KiB of the record, {:.1} KiB of flags", kib("is_loaded")),
            "130 KB",
            "exact windows take 1 KiB for each worker; a flag for each row says whether it is loaded",
        ),
        line(
            "VLIW instructions",
            format!("{} of 384", total("VLIW slots")),
            "37 of 384",
            "each of 13 pairs can go to each of 16 registers, and each of these 208 ways is an action; the paper does not say how a pair reaches its register",
        ),
        line(
            "hash units",
            format!("{} of {} bits", total("hash bits"), 12 * 8 * 52),
            "16 of 32",
            "the paper counts units, and the report bits: indices of arrays and exact matches",
        ),
    ]
}

/// KiB of the arrays whose names begin like this.
fn kib_of(program: &Program, name: &str) -> f64 {
    let arrays = program.arrays.iter().filter(|array| array.name.starts_with(name));
    let bits: u64 = arrays.map(|array| u64::from(array.size) * u64::from(array.word.bits())).sum();
    bits as f64 / 8192.0
}
