//! Arrays as data: what a file in TOML says of one (R-CGRA-8, R-CGRA-9).

use serde::Deserialize;

use crate::op::Class;
use crate::refusal::Refusal;

/// Directions of the links of a processing element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To the row above.
    North,
    /// To the next column.
    East,
    /// To the row below.
    South,
    /// To the column before.
    West,
}

impl Direction {
    /// All directions, in the order of their codes in a configuration word.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
}

/// Place in which addresses and the number of rounds are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// By the memories' ports and the sequencer.
    Ports,
    /// By units of the array, as in arrays for general programs.
    Units,
}

/// Properties of one class of units.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unit {
    class: Class,
    /// Cycles from operands to result.
    latency: u32,
    /// Columns that have it; without it all have.
    columns: Option<Vec<usize>>,
    /// Energy of an operation, in picojoules.
    picojoules: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    spus: usize,
    rows: usize,
    columns: usize,
    registers: usize,
    instructions: u32,
    word_bits: u32,
    vector_bits: u32,
    megahertz: f64,
    stack_links: bool,
    upward: bool,
    counting: Counting,
    hop_picojoules: f64,
    register_picojoules: f64,
    instruction_picojoules: f64,
    units: Vec<Unit>,
}

/// An array: stacked SIMD processing units (SPUs), each a grid of processing elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Number of SPUs.
    pub spus: usize,
    /// Rows of all SPUs.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Registers of a processing element.
    pub registers: usize,
    /// Words of an instruction memory.
    pub instructions: u32,
    /// Bits of a word of one lane: 32 or 64.
    pub word_bits: u32,
    /// Bits of a vector, all lanes together.
    pub vector_bits: u32,
    /// Clock.
    pub megahertz: f64,
    /// Place in which addresses are counted.
    pub counting: Counting,
    /// Energy of a hop between processing elements, of a register in a cycle, and of an instruction
    /// that is fetched, in picojoules; the first two for a word.
    pub energy: [f64; 3],
    latency: [u32; 6],
    picojoules: [f64; 6],
    /// For each class the columns that have it, as bits.
    columns_of: [u32; 6],
    upward: bool,
}

impl Array {
    /// The paper's array (ACiS, figure 2): three SPUs in a pipeline.
    pub const ACIS: &str = include_str!("../arrays/acis.toml");
    /// One SPU of 4 by 4, which counts addresses itself, as OpenCGRA's does.
    pub const GRID: &str = include_str!("../arrays/grid-4x4.toml");
    /// One SPU of 2 by 2.
    pub const SMALL: &str = include_str!("../arrays/small-2x2.toml");

    /// Returns the text of an array that comes along, by its name.
    pub fn built_in(name: &str) -> Option<&'static str> {
        match name {
            "acis" => Some(Self::ACIS),
            "grid-4x4" => Some(Self::GRID),
            "small-2x2" => Some(Self::SMALL),
            _ => None,
        }
    }

    /// Reads an array.
    ///
    /// # Errors
    /// [`Refusal::Array`] for a text that is no array.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let wrong = |what: &str| Err(Refusal::Array(what.to_owned()));
        let file: File = toml::from_str(text).map_err(|error| Refusal::Array(error.to_string()))?;
        if !(1..=16).contains(&file.spus) || !(1..=16).contains(&file.rows) {
            return wrong("`spus` and `rows` are 1 to 16");
        }
        if !(1..=16).contains(&file.columns) || !(1..=16).contains(&file.registers) {
            return wrong("`columns` and `registers` are 1 to 16");
        }
        if !matches!(file.word_bits, 32 | 64) || !file.vector_bits.is_power_of_two() {
            return wrong("`word_bits` is 32 or 64, `vector_bits` a power of two");
        }
        if !(file.word_bits..=4096).contains(&file.vector_bits) {
            return wrong("`vector_bits` is at least `word_bits` and at most 4096");
        }
        if !(1..=256).contains(&file.instructions) || file.megahertz <= 0.0 {
            return wrong("`instructions` is 1 to 256, `megahertz` above 0");
        }
        if !file.stack_links && file.spus > 1 {
            return wrong("several SPUs need `stack_links`");
        }
        let mut array = Self {
            name: file.name,
            spus: file.spus,
            rows: file.spus * file.rows,
            columns: file.columns,
            registers: file.registers,
            instructions: file.instructions,
            word_bits: file.word_bits,
            vector_bits: file.vector_bits,
            megahertz: file.megahertz,
            counting: file.counting,
            energy: [file.hop_picojoules, file.register_picojoules, file.instruction_picojoules],
            latency: [0; 6],
            picojoules: [0.0; 6],
            columns_of: [0; 6],
            upward: file.upward,
        };
        for unit in file.units {
            let place = unit.class as usize;
            let columns = unit.columns.unwrap_or_else(|| (0..file.columns).collect());
            if !(1..=64).contains(&unit.latency) || columns.iter().any(|one| *one >= file.columns) {
                return wrong("a unit's `latency` is 1 to 64, its `columns` are below the array's");
            }
            array.latency[place] = unit.latency;
            array.picojoules[place] = unit.picojoules;
            array.columns_of[place] = columns.iter().fold(0, |bits, column| bits | 1 << column);
        }
        Ok(array)
    }

    /// Returns the number of processing elements.
    pub fn elements(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns whether values get from every SPU to every other.
    pub fn goes_up(&self) -> bool {
        self.spus == 1 || self.upward
    }

    /// Returns the SPU of a processing element.
    pub fn spu(&self, element: usize) -> usize {
        element / self.columns / (self.rows / self.spus)
    }

    /// Returns whether a processing element has units of a class.
    pub fn has(&self, element: usize, class: Class) -> bool {
        self.columns_of[class as usize] >> (element % self.columns) & 1 == 1
    }

    /// Returns how many processing elements have units of a class.
    pub fn count(&self, class: Class) -> usize {
        (0..self.elements()).filter(|element| self.has(*element, class)).count()
    }

    /// Returns the cycles from operands to result of a class.
    pub fn latency(&self, class: Class) -> u32 {
        self.latency[class as usize]
    }

    /// Returns the energy of an operation of a class on a word, in picojoules.
    pub fn picojoules(&self, class: Class) -> f64 {
        self.picojoules[class as usize]
    }

    /// Returns the processing element that a link leads to.
    pub fn neighbour(&self, element: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (element / self.columns, element % self.columns);
        let (row, column) = match direction {
            Direction::North => (row.checked_sub(1)?, column),
            Direction::East => (row, column + 1),
            Direction::South => (row + 1, column),
            Direction::West => (row, column.checked_sub(1)?),
        };
        let inside = row < self.rows && column < self.columns;
        let there = inside.then_some(row * self.columns + column)?;
        // Between SPUs the pipeline goes down, and up only if the file says so.
        let up = direction == Direction::North && self.spu(there) != self.spu(element);
        (!up || self.upward).then_some(there)
    }
}
