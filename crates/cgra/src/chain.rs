//! Chains: the functions of an operation that a round goes through, one pass of the array behind
//! the other (R-CGRA-29; ACiS, section IV: the recirculate interface).

use crate::array::Array;
use crate::compile::{Compiled, Figures, figures, hold_together};
use crate::machine::{Memories, Run};
use crate::refusal::Refusal;

/// The functions of an operation that a round goes through.
#[derive(Clone, Debug)]
pub struct Chain {
    decode: Option<Compiled>,
    fold: Compiled,
    map: Option<Compiled>,
    encode: Option<Compiled>,
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
        let fold = named("fold").ok_or_else(|| Refusal::NoFunction("fold".into()))?;
        let [decode, map, encode] = ["decode", "map", "encode"].map(named);
        let chain = Self { decode, fold, map, encode };
        hold_together(chain.passes(), array)?;
        Ok(chain)
    }

    /// Passes of a packet with an operand: it is decoded and folded.
    pub fn operand(&self) -> impl Iterator<Item = &Compiled> + Clone {
        self.decode.iter().chain([&self.fold])
    }

    /// Passes of a result, which follow those of the operand that completes its round: it is
    /// mapped and encoded.
    pub fn result(&self) -> impl Iterator<Item = &Compiled> + Clone {
        self.map.iter().chain(&self.encode)
    }

    /// Passes of a packet that completes a round.
    pub fn passes(&self) -> impl Iterator<Item = &Compiled> + Clone {
        self.operand().chain(self.result())
    }

    /// Returns the pass that encodes, if there is a codec.
    pub fn encoder(&self) -> Option<&Compiled> {
        self.encode.as_ref()
    }

    /// Bytes of an element as it travels.
    pub fn travelling(&self) -> usize {
        self.decode.as_ref().map_or(self.fold.program.sizes[0], |decode| decode.program.sizes[1])
    }

    /// Returns what a packet that completes a round takes: the sums of all passes.
    pub fn figures(&self, array: &Array) -> Figures {
        figures(self.passes(), self.travelling(), array)
    }

    /// Runs a round, and returns its result as it travels. Operands are those of the ranks, in
    /// their order, as they travel; `own` are the bytes of the module's own memory.
    pub fn run(&self, array: &Array, operands: &[Vec<u8>], own: usize) -> (Vec<u8>, Run) {
        let elements = operands.first().map_or(0, Vec::len) / self.travelling();
        let memories = Memories::new(&self.fold.program, Vec::new(), Vec::new(), own);
        let mut pass = Passes { array, elements, memories, run: Run::default() };
        let mut accumulator = None;
        for operand in operands.iter().cloned() {
            let operand = pass.convert(self.decode.as_ref(), operand);
            accumulator = Some(match accumulator {
                Some(left) => pass.through(&self.fold, left, operand),
                None => operand,
            });
        }
        let mut result = accumulator.unwrap_or_default();
        if let Some(map) = &self.map {
            result = pass.through(map, result, Vec::new());
        }
        let result = pass.convert(self.encode.as_ref(), result);
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

    /// Runs a function of a codec, if there is one, which writes elements of another type.
    fn convert(&mut self, function: Option<&Compiled>, source: Vec<u8>) -> Vec<u8> {
        let Some(function) = function else { return source };
        let made = vec![0; self.elements * function.program.sizes[0]];
        self.through(function, made, source)
    }
}
