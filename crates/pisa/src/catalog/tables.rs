//! Tables by name, and their figures beside Libra's.

use netfold_wire::{Epoch, JobId};

use super::{Made, Record, Request, example_address};
use crate::program::Program;
use crate::programs::libra::{self, Guard, Libra, Sums, TableJob};
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

fn config(request: Request, record: Record, sums: Sums) -> Libra {
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
        ..match sums {
            Sums::Integers => Libra::new(request.workers),
            Sums::FpisaA | Sums::LogTable => Libra::of_floats(sums, request.workers),
        }
    }
}

/// The program, and a table with a server behind its workers.
pub(super) fn make(request: Request, record: Record, sums: Sums) -> Made {
    let config = config(request, record, sums);
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
pub(super) fn comparisons(request: Request, record: Record, sums: Sums) -> Vec<Comparison> {
    let config = config(request, record, sums);
    let words = PUBLISHED_ROWS.div_ceil(config.registers.into()).next_power_of_two();
    let config = Libra { words, ..config };
    let program = config.program();
    let report = Report::of(&program, &Target::tofino());
    let total = |what: &str| {
        report.lines.iter().find(|line| line.what == what).map_or(0.0, |line| line.total)
    };
    let kib = |of: &str| kib_of(&program, of);
    let parts = ["sum", "exponent", "mantissa", "flags"].map(kib);
    let line = |what: &str, here: String, published: &str, why: &str| Comparison {
        what: what.into(),
        here,
        published: format!("{published} (section 5.7)"),
        why: why.into(),
    };
    let own = Why::of(sums);
    let tables: f64 = libra::LOOKUPS.iter().map(|(name, _)| kib(name)).sum();
    let tables = if tables > 0.0 { format!("{tables:.1} KiB") } else { "none".into() };
    vec![
        line(
            "stages",
            format!("{}, {} as a compiler would place them", report.stages, report.scheduled.last),
            "9",
            own.stages,
        ),
        line(
            "memory of the sums of 30,000 rows",
            format!("{:.1} KiB for {} rows", parts.iter().sum::<f64>(), config.rows()),
            "118 KB",
            own.sums,
        ),
        line("tables for floating point", tables, "408.5 KB", own.tables),
        line(
            "memory of what stands beside them",
            format!(
                "{:.1} KiB of the record, {:.1} KiB of flags",
                kib("windows") + kib("bloom"),
                kib("is_loaded") + kib("locks")
            ),
            "130 KB",
            own.flags,
        ),
        line(
            "VLIW instructions",
            format!("{} of 384", total("VLIW slots")),
            "37 of 384",
            own.instructions,
        ),
        line(
            "hash units",
            format!("{} of {} bits", total("hash bits"), 12 * 8 * 52),
            "16 of 32",
            "the paper counts units, and the report bits: indices of arrays and exact matches",
        ),
        line("passes of a push of 13 pairs", own.passes.into(), "at most 2", own.around),
    ]
}

/// Reason for the size of windows and flags.
const LOADED: &str =
    "exact windows take 1 KiB for each worker; a flag for each row says whether it is loaded";

/// Reasons for which figures differ from the paper's.
struct Why {
    stages: &'static str,
    sums: &'static str,
    tables: &'static str,
    flags: &'static str,
    instructions: &'static str,
    passes: &'static str,
    around: &'static str,
}

impl Why {
    const fn of(sums: Sums) -> Self {
        match sums {
            Sums::Integers => Self {
                stages: "two registers share a stage, and the guard, the flags of loaded rows and the answer stand around them",
                sums: "a register has a power of two of words, which the parser holds ranks to",
                tables: "sums are those of integers (R-PISA-77)",
                flags: LOADED,
                instructions: "each of 13 pairs can go to each of 16 registers, and each of these 208 ways is an action; the paper does not say how a pair reaches its register",
                passes: "1, and one more for each further pair of a register",
                around: "algorithm 1 leaves few packets with several pairs of a register (R-HOT-7)",
            },
            Sums::FpisaA => Self {
                stages: "FPISA-A takes nine, behind the guard and the flags of loaded rows",
                sums: "a sum has a mantissa of 32 bits, an exponent of 16 and flags of 8 (R-PISA-31), and a power of two of words",
                tables: "FPISA-A needs none",
                flags: LOADED,
                instructions: "a shift is an action for each distance, and so is the way from each of 13 pairs to the adder",
                passes: "13",
                around: "there is room for one adder of floats, which adds a pair in a pass (R-PISA-77)",
            },
            Sums::LogTable => Self {
                stages: "in ingress and again in egress; a sum takes two passes (R-PISA-79)",
                sums: "a register has a power of two of words, which the parser holds ranks to",
                tables: "a stage looks a table up once, so both operands have tables of their own for their logarithms; 128 KiB are for opposite signs, which the paper omits (R-LOG-4)",
                flags: "exact windows take 1 KiB for each worker; flags for each row say whether it is loaded, and locked",
                instructions: "the way from each of 13 pairs to the adder is an action",
                passes: "26",
                around: "a sum is read in a pass and written in the next, with its row locked; the paper does not say what becomes of a push of the same row in between",
            },
        }
    }
}

/// KiB of the arrays whose names begin like this.
fn kib_of(program: &Program, name: &str) -> f64 {
    let arrays = program.arrays.iter().filter(|array| array.name.starts_with(name));
    let bits: u64 = arrays.map(|array| u64::from(array.size) * u64::from(array.word.bits())).sum();
    bits as f64 / 8192.0
}
