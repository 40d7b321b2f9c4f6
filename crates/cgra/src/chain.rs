//! Chains: the functions of an operation that a round goes through, one pass of the array behind
//! the other (R-CGRA-29; ACiS, section IV: the recirculate interface).

use crate::array::Array;
use crate::compile::{Compiled, Figures, figures, hold_together};
use crate::machine::{Memories, Run};
use crate::refusal::Refusal;

/// The functions of a chain, in the order of its passes.
const PASSES: [&str; 4] = ["decode", "fold", "map", "encode"];

/// The functions of an operation that a round goes through.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The functions that there are, in the order of [`PASSES`].
    functions: Vec<Compiled>,
}

impl Chain {
    /// Makes a chain of an operation's functions, in any order. Those that no round goes through
    /// are left out.
    ///
    /// # Errors
    /// [`Refusal::NoFunction`] without a fold, [`Refusal::Loops`] if an instruction memory cannot
    /// hold the loops of all functions.
    pub fn new(functions: &[Compiled], array: &Array) -> Result<Self, Refusal> {
        let named = |name: &str| {
            functions.iter().find(|compiled| compiled.program.function == name).cloned()
        };
        let chain = Self { functions: PASSES.into_iter().filter_map(named).collect() };
        chain.function("fold").ok_or_else(|| Refusal::NoFunction("fold".into()))?;
        hold_together(&chain.functions, array)?;
        Ok(chain)
    }

    fn function(&self, name: &str) -> Option<&Compiled> {
        self.functions.iter().find(|compiled| compiled.program.function == name)
    }

    /// Passes of a packet with an operand: it is decoded and folded.
    pub fn operand(&self) -> impl Iterator<Item = &Compiled> {
        ["decode", "fold"].into_iter().filter_map(|name| self.function(name))
    }

    /// Passes of a result, which follow those of the operand that completes its round: it is
    /// mapped and encoded.
    pub fn result(&self) -> impl Iterator<Item = &Compiled> {
        ["map", "encode"].into_iter().filter_map(|name| self.function(name))
    }

    /// Returns how often a packet that completes a round goes around.
    pub fn recirculations(&self) -> usize {
        self.functions.len() - 1
    }

    /// Bytes of an element as it travels.
    pub fn travelling(&self) -> usize {
        match self.function("decode") {
            Some(decode) => decode.program.sizes[1],
            None => self.functions[0].program.sizes[0],
        }
    }

    /// Returns what a packet that completes a round takes: the sums of all passes.
    pub fn figures(&self, array: &Array) -> Figures {
        figures(&self.functions, self.travelling(), array)
    }

    /// Runs a round, and returns its result as it travels. Operands are those of the ranks, in
    /// their order, as they travel; `own` are the bytes of the module's own memory.
    pub fn run(&self, array: &Array, operands: &[Vec<u8>], own: usize) -> (Vec<u8>, Run) {
        let elements = operands.first().map_or(0, Vec::len) / self.travelling();
        let memories = Memories::new(&self.functions[0].program, Vec::new(), Vec::new(), own);
        let mut pass = Passes { array, elements, memories, run: Run::default() };
        let mut accumulator: Option<Vec<u8>> = None;
        for operand in operands {
            let operand = match self.function("decode") {
                Some(decode) => pass.convert(decode, operand.clone()),
                None => operand.clone(),
            };
            accumulator = Some(match (accumulator, self.function("fold")) {
                (Some(left), Some(fold)) => pass.through(fold, left, operand),
                _ => operand,
            });
        }
        let mut result = accumulator.unwrap_or_default();
        if let Some(map) = self.function("map") {
            result = pass.through(map, result, Vec::new());
        }
        if let Some(encode) = self.function("encode") {
            result = pass.convert(encode, result);
        }
        (result, pass.run)
    }
}

/// The passes of a round.
struct Passes<'p> {
    array: &'p Array,
    elements: usize,
    /// The module's own memory, which all passes share.
    memories: Memories,
    run: Run,
}

impl Passes<'_> {
    /// Runs a function on two buffers, and returns the first.
    fn through(&mut self, function: &Compiled, first: Vec<u8>, second: Vec<u8>) -> Vec<u8> {
        (self.memories.first, self.memories.second) = (first, second);
        self.run.add(&function.run(self.array, &mut self.memories, self.elements));
        std::mem::take(&mut self.memories.first)
    }

    /// Runs a function of a codec, which writes elements of another type.
    fn convert(&mut self, function: &Compiled, source: Vec<u8>) -> Vec<u8> {
        let made = vec![0; self.elements * function.program.sizes[0]];
        self.through(function, made, source)
    }
}
