//! Refusals: the reason why an operation has no graph, or no place on an array.

use thiserror::Error;

/// The reason for which an operation is refused. Each names the bound that it breaks, or the
/// instruction that has no form on an array.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The module is not one that a switch would take.
    #[error("the module does not parse: {0}; `netfold op show` checks it")]
    Module(String),
    /// The module has no such function.
    #[error("the module exports no `{0}`")]
    NoFunction(String),
    /// An instruction has no form on an array.
    #[error("{0} has no form on an array")]
    Instruction(String),
    /// A loop runs for a number of times that the operands decide.
    #[error(
        "a loop whose number of rounds depends on operands ({0}); an array runs loops of a known length"
    )]
    Loop(String),
    /// A pointer is used as a number.
    #[error(
        "an address is used as a number ({0}); the array's memories have addresses of their own"
    )]
    Address(String),
    /// The graph is too large to be looked at.
    #[error(
        "a graph of more than {limit} operations, since loops inside of an element are unrolled"
    )]
    Size {
        /// Most operations.
        limit: usize,
    },
    /// A loop of a message operation cannot be shown to be what the function does.
    #[error(
        "the loop is not the whole function: for {count} elements the function writes something else"
    )]
    NotTheLoop {
        /// Number of elements of the counterexample.
        count: u32,
    },
    /// The array has no unit of a class.
    #[error("`{op}` needs a `{class}` unit, and the array `{array}` has none that reaches it")]
    NoUnit {
        /// Operation.
        op: &'static str,
        /// Class of its unit.
        class: &'static str,
        /// Array.
        array: String,
    },
    /// The array's words are too narrow.
    #[error("`{op}` is of {bits} bits, and words of the array `{array}` have {word}")]
    Word {
        /// Operation.
        op: &'static str,
        /// Its bits.
        bits: u32,
        /// Array.
        array: String,
        /// Bits of its words.
        word: u32,
    },
    /// The instruction memory is too small for the initiation interval.
    #[error(
        "an interval of at least {interval} cycles ({bound}), and the instruction memory of `{array}` holds {depth}"
    )]
    Instructions {
        /// Least initiation interval.
        interval: u32,
        /// Bound that it comes from.
        bound: String,
        /// Array.
        array: String,
        /// Words of an instruction memory.
        depth: u32,
    },
    /// The instruction memory is too small for all loops together.
    #[error(
        "loops of {words} cycles together, and the instruction memory of `{array}` holds {depth}"
    )]
    Loops {
        /// Sum of their initiation intervals.
        words: u32,
        /// Array.
        array: String,
        /// Words of an instruction memory.
        depth: u32,
    },
    /// No mapping was found.
    #[error(
        "no mapping on `{array}` was found; intervals from {from} to {to} cycles were tried; {bound}"
    )]
    NotMapped {
        /// Array.
        array: String,
        /// First interval that was tried.
        from: u32,
        /// Last interval that was tried.
        to: u32,
        /// Bound of the first one.
        bound: String,
    },
    /// The file of an array is wrong.
    #[error("the array: {0}")]
    Array(String),
}
