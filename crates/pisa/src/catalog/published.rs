//! Figures of the programs beside those of their papers.

use netfold_wire::HEADER_BYTES;

use super::{Passes, Request};
use crate::program::{Match, Program};
use crate::programs::fpisa::{Fpisa, Variant};
use crate::report::{
    Comparison, HASH_BITS, INPUT_CROSSBAR, REGISTER_BLOCKS, RESULT_BUSES, Report, goodput,
};
use crate::target::Target;

pub(super) fn switchml(request: Request) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (slots, published) in [(128u64, "256 KB"), (512, "1 MB")] {
        let lanes = slots * 2 * 4 * 256;
        let control = slots * (2 * (8 + 8 + 2 + 1 + 2) + 4 * u64::from(request.workers));
        comparisons.push(Comparison {
            what: format!("register space of {slots} slots of 256 lanes"),
            here: format!("{} KiB of lanes, {} KiB beside them in each pipeline", lanes / 1024, control.div_ceil(1024)),
            published: format!("{published} (appendix C)"),
            why: "the paper counts lanes; a round's number, digest and first worker, and each worker's latest round stand beside them".into(),
        });
    }
    // Lanes, and what the paper says of them: section 5.
    for (elements, published) in [(32, "63 %"), (64, "77 %"), (256, "93 %")] {
        comparisons.push(Comparison {
            what: format!("goodput at {elements} lanes"),
            here: format!("{:.1} % of line rate", 100.0 * goodput(elements, HEADER_BYTES as u32)),
            published: format!("{published} (section 5)"),
            why: format!("netfold's header has {HEADER_BYTES} bytes, where the paper's figures leave about 10"),
        });
    }
    for (elements, pipelines) in [(64, 1), (256, 4)] {
        let Passes { fold, result } = Passes::over(pipelines);
        comparisons.push(Comparison {
            what: format!("passes at {elements} lanes"),
            here: format!("{fold} to fold, {result} for the packet that completes a round"),
            published: if pipelines == 1 {
                "1, and 2".into()
            } else {
                "through all pipelines, and again (section 5)".into()
            },
            why: if pipelines == 1 {
                String::new()
            } else {
                "a pass gives back half of a pipeline's lanes, and the first half comes with the last pass in".into()
            },
        });
    }
    comparisons
}

/// The modules' program with slots beside the paper's, which has none.
pub(super) fn slots_of_floats(request: Request) -> Vec<Comparison> {
    let made = request.make();
    let report = Report::of(&made.program, &request.name.target());
    let Passes { fold, result } = Passes::of_floats(made.program.pipelines() as u16);
    vec![
        Comparison {
            what: "stages".into(),
            here: report.stages.to_string(),
            published: "9 for FPISA-A alone (appendix B)".into(),
            why: "rounds, duplicates and counts of SwitchML's slots take three in front".into(),
        },
        Comparison {
            what: format!("passes at {} lanes", request.elements),
            here: format!("{fold} to add, {result} for the packet that completes a round"),
            published: "not given".into(),
            why: "an access that tells of an overflow does not give back the sum, and both arithmetics have one form"
                .into(),
        },
        Comparison {
            what: format!("goodput at {} lanes", request.elements),
            here: format!("{:.1} % of line rate", 100.0 * goodput(request.elements.into(), HEADER_BYTES as u32)),
            published: "not given".into(),
            why: String::new(),
        },
    ]
}

pub(super) fn p4sgd(request: Request) -> Vec<Comparison> {
    let made = Request { elements: 1, slots: 65536, ..request }.make();
    let target = Target::tofino();
    let report = Report::of(&made.program, &target);
    let blocks =
        report.lines.iter().find(|line| line.what == REGISTER_BLOCKS).and_then(|line| line.share);
    let most = blocks.map_or(0.0, |(_, most)| 100.0 * most);
    vec![
        Comparison {
            what: "stages at 64 K slots of one value".into(),
            here: report.stages.to_string(),
            published: "4 (section IV-B)".into(),
            why: String::new(),
        },
        Comparison {
            what: "register arrays at 64 K slots of one value".into(),
            here: made.program.arrays.len().to_string(),
            published: "5 (section IV-B)".into(),
            why: String::new(),
        },
        Comparison {
            what: "most SRAM in a stage at 64 K slots of one value".into(),
            here: format!("{most:.2} % of what can hold registers"),
            published: "70.83 % (section IV-B)".into(),
            why: String::new(),
        },
        Comparison {
            what: "passes".into(),
            here: "1, and 2 for an answer".into(),
            published: "not given".into(),
            why:
                "each side of algorithm 2 clears the other's registers, and one of the two comes first in the pipeline"
                    .into(),
        },
    ]
}

/// Table 3 of the paper beside the same lines of FPISA-A's report, in percent of the pipeline and
/// of the stage that has most.
pub(super) fn fpisa() -> Vec<Comparison> {
    let program = Fpisa::new(Variant::Approximate, 1).program();
    let report = Report::of(&program, &Target::tofino());
    let extended = Report::of(&Fpisa::new(Variant::Full, 4).program(), &Target::fpisa_ext());
    let mut comparisons = vec![
        Comparison {
            what: "stages of FPISA-A".into(),
            here: report.stages.to_string(),
            published: "9 (appendix B)".into(),
            why: String::new(),
        },
        Comparison {
            what: "values in a pass".into(),
            here: format!("FPISA-A 1; FPISA on fpisa-ext 4, in {} stages", extended.stages),
            published: "1; several (sections 4.1 and 4.2)".into(),
            why: "four stateful ALUs in a stage hold four exponents; modules in other stages could hold more".into(),
        },
    ];
    comparisons.extend(table_3(&program, &report));
    comparisons
}

/// Table 3, line by line.
fn table_3(program: &Program, report: &Report) -> Vec<Comparison> {
    let tables = || program.ingress.iter().chain(&program.egress);
    let masked =
        tables().filter(|table| table.keys.iter().any(|(_, how)| *how != Match::Exact)).count();
    let keyed = tables().filter(|table| !table.keys.is_empty()).count();
    let tcam = format!(
        "each of the {masked} tables with masks or ranges takes a block or two, however few its entries; in the paper \
         the leading one alone is found so. A block is 4.17 % of a stage and 0.35 % of twelve: the paper's total counts \
         something smaller"
    );
    let buses = format!(
        "one for each table with keys, which are {keyed}; the paper's shares are 9 of 384, and 4 of 32"
    );
    let beside = [
        (
            "SRAM blocks",
            "1.15 %, 5.00 %",
            "the size of the arrays is not given, and blocks of other tables are counted differently",
        ),
        ("TCAM blocks", "0.03 %, 4.17 %", &tcam),
        (
            "stateful ALUs",
            "8.33 %, 50.00 %",
            "exponent, mantissa and flags are three arrays, each in a stage of its own; the paper's count is four, two of them in one stage",
        ),
        (
            "VLIW slots",
            "19.01 %, 96.88 %",
            "one action more for a distance of 0; and a reader that keeps subnormals",
        ),
        (
            INPUT_CROSSBAR,
            "0.09 %, 4.38 %",
            "decisions by masks bring their fields to the ternary crossbar. A stage's 4.38 % is 0.36 % of twelve, so \
             the paper's total counts something smaller",
        ),
        (RESULT_BUSES, "2.34 %, 12.50 %", &buses),
        (
            HASH_BITS,
            "1.06 %, 7.93 %",
            "those of exact matches and of the words' indices, for the sizes of these tables and arrays; the paper's are \
             53 in all and 33 of 416 in a stage, for sizes that it does not give",
        ),
    ];
    let line = |(what, published, why): (&str, &str, &str)| {
        let share = report.lines.iter().find(|line| line.what == what).and_then(|line| line.share);
        let (all, most) = share.unwrap_or_default();
        Comparison {
            what: format!("{what} of FPISA-A, in all and in a stage"),
            here: format!("{:.2} %, {:.2} %", 100.0 * all, 100.0 * most),
            published: format!("{published} (table 3)"),
            why: why.into(),
        }
    };
    beside.map(line).into()
}
