//! Floating-point addition in a pipeline (FPISA, NSDI 2022, sections 3 and 4): FPISA-A on the
//! switches of today, FPISA on those with its extensions.
//!
//! A packet names a word and says whether its values begin a sum, are added to it, or are to become
//! what it reads as. Each value has a *module* of its own: tables and three register arrays, for
//! exponents, mantissas and flags.

mod align;
pub(crate) mod module;
mod read;

use self::module::{Module, Places, Shared};
use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{Gress, Intrinsic, Match, Operand, Pattern, Program, StateId};

/// EtherType of FPISA's packets here: the second that IEEE 802 leaves to experiments.
pub const ETHER_TYPE: u16 = 0x88B6;

/// Operands that FPISA's 32-bit registers hold whatever they are (R-FPI-16): more are not offered
/// to [`Variant::Full`].
pub const MOST_OPERANDS: u16 = 128;

/// Operations that a packet asks for.
pub mod operation {
    /// The values begin a sum.
    pub const FIRST: u64 = 1;
    /// The values are added.
    pub const ADD: u64 = 2;
    /// The packet's values become what the words read as; the words stay as they are.
    pub const READ: u64 = 3;
}

/// Flags of a register (R-FPI-4, R-FPI-9), as in `num`.
pub mod flag {
    /// An operand was +infinity.
    pub const POSITIVE_INFINITY: u64 = 1;
    /// An operand was -infinity.
    pub const NEGATIVE_INFINITY: u64 = 2;
    /// An operand was NaN.
    pub const NAN: u64 = 4;
    /// A sum did not fit the mantissa.
    pub const OVERFLOW: u64 = 8;
}

/// The one of the two operands that moves (R-FPI-6, R-FPI-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `fpisa-a`, for any switch: only the value that comes.
    Approximate,
    /// `fpisa`, for `fpisa-ext`: the one with the smaller exponent. At most 128 operands, which
    /// cannot overflow (R-FPI-16).
    Full,
}

/// The parameters of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fpisa {
    /// The operand that moves.
    pub variant: Variant,
    /// Values of a packet, each with a module of its own.
    pub modules: u16,
    /// Words of each array, a power of two up to 65536.
    pub words: u32,
}

impl Fpisa {
    /// FPISA-A with one module, or FPISA with several; 1024 words.
    pub const fn new(variant: Variant, modules: u16) -> Self {
        Self { variant, modules, words: 1024 }
    }

    /// Returns the program. Packets come back by the port that they came from, which the table
    /// `ports` finds by the Ethernet address.
    pub fn program(&self) -> Program {
        build(self)
    }
}

fn build(config: &Fpisa) -> Program {
    let (name, what) = match config.variant {
        Variant::Approximate => ("fpisa_a", "FPISA-A"),
        Variant::Full => ("fpisa", "FPISA"),
    };
    let title =
        format!("{what}: sums of {} value(s) in FP32, {} words.", config.modules, config.words);
    let mut builder = Builder::new(
        name,
        &[&title, "Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md."],
    );
    let start = builder.state("start", &[]);
    let (shared, modules) = parse(&mut builder, config, start);
    for module in &modules {
        module.take(&mut builder, &shared);
    }
    for module in &modules {
        module.fold(&mut builder, &shared);
    }
    for module in &modules {
        module.read(&mut builder, &shared);
    }
    builder.finish()
}

fn parse(builder: &mut Builder, config: &Fpisa, start: StateId) -> (Shared, Vec<Module>) {
    let ethernet = builder.header("ethernet", &[("dst", 48), ("src", 48), ("ether_type", 16)]);
    let header = builder.header("fpisa", &[("op", 8), ("index", 16)]);
    let op = builder.of(header, "op");
    let mut modules = Vec::new();
    let mut headers = vec![header];
    for number in 0..config.modules.into() {
        let names = ["value", "exponent", "mantissa", "flags"];
        let sum = builder.header(
            &format!("sum{number}"),
            &[(names[0], 32), (names[1], 16), (names[2], 32), (names[3], 8)],
        );
        headers.push(sum);
        let [value, exponent, mantissa, flags] = names.map(|name| builder.of(sum, name));
        let (there, reading) = (builder.valid(sum), (op, operation::READ));
        let sum = value;
        let places =
            Places { value, sum, exponent, mantissa, flags, there, overflowed: None, reading };
        modules.push(Module::declare(builder, number, places));
    }
    let packet = builder.state("parse_sums", &headers[1..]);
    let inner = builder.state("parse_fpisa", &[header]);
    let first = builder.state("parse_ethernet", &[ethernet]);
    let beyond = Pattern::Masked(0, 0xFFFF & !(u64::from(config.words) - 1));
    builder.leads(start, crate::program::Transition::To(first));
    builder.selects(
        first,
        builder.of(ethernet, "ether_type"),
        &[(Pattern::Is(ETHER_TYPE.into()), inner)],
        None,
    );
    builder.selects(inner, builder.of(header, "index"), &[(beyond, packet)], None);
    let leaving = builder.state("leaving", &[]);
    let leaving_headers: Vec<_> = [ethernet].into_iter().chain(headers).collect();
    let whole = builder.state("leaving_sums", &leaving_headers);
    builder.leads(leaving, crate::program::Transition::To(whole));
    builder.egress_parser(leaving);
    let ports = TableSpec::new("ports", 0, "The port of whoever asks.")
        .key(builder.of(ethernet, "src"), Match::Exact)
        .action(
            ActionSpec::new("answer")
                .param("port", 16)
                .set(Intrinsic::EgressPort.field(), Operand::Param(0)),
        )
        .action(ActionSpec::new("refuse").put(Intrinsic::Drop.field(), 1))
        .otherwise("refuse")
        .room(1024);
    builder.table(Gress::Ingress, ports);
    let (variant, words, index) = (config.variant, config.words, builder.of(header, "index"));
    (Shared { variant, words, op, index, stage: 0 }, modules)
}
