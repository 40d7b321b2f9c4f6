//! An operation on an array: loops, places and configurations of each of its functions.

use crate::array::Array;
use crate::config::Image;
use crate::graph::Program;
use crate::machine::{Machine, Memories, Run};
use crate::map::{Effort, Mapping, expand, map};
use crate::refusal::Refusal;

/// A function on an array.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Its loops.
    pub program: Program,
    /// Their places.
    pub mappings: Vec<Mapping>,
    /// Their configurations.
    pub images: Vec<Image>,
}

/// Figures of a function or a chain on an array (R-CGRA-19).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Initiation intervals of its loops for an element, as a share of lanes: cycles an element.
    pub cycles_per_element: f64,
    /// Cycles from the first operand to the last result of one element.
    pub latency: u64,
    /// Gbit/s of one operand's elements, as they come.
    pub gbit_per_second: f64,
    /// Processing elements with an operation in some cycle, of the loop that has most.
    pub elements: usize,
    /// Share of all slots of processing elements that have an operation, of all loops.
    pub used: f64,
}

/// Maps a function.
///
/// # Errors
/// [`Refusal`] of the first loop that has no place, or of loops that an instruction memory cannot
/// hold together.
pub fn compile(program: Program, array: &Array, effort: Effort) -> Result<Compiled, Refusal> {
    let (mut mappings, mut images) = (Vec::new(), Vec::new());
    for kernel in &program.kernels {
        let graph = expand(kernel, array);
        let mapping = map(&graph, array, effort)?;
        images.push(Image::new(kernel, &graph, array, &mapping));
        mappings.push(mapping);
    }
    let compiled = Compiled { program, mappings, images };
    hold_together([&compiled], array)?;
    Ok(compiled)
}

/// Checks that the instruction memories hold all loops of some functions at once (R-CGRA-29).
///
/// # Errors
/// [`Refusal::Loops`]
pub(crate) fn hold_together<'c>(
    functions: impl IntoIterator<Item = &'c Compiled>,
    array: &Array,
) -> Result<(), Refusal> {
    let images = functions.into_iter().flat_map(|function| &function.images);
    let (words, depth) = (images.map(|image| image.interval).sum(), array.instructions);
    if words <= depth {
        return Ok(());
    }
    Err(Refusal::Loops { words, array: array.name.clone(), depth })
}

/// Adds up the figures of functions that run one behind the other, for operands of so many bytes
/// an element.
pub(crate) fn figures<'c>(
    functions: impl Iterator<Item = &'c Compiled> + Clone,
    bytes: usize,
    array: &Array,
) -> Figures {
    let images = || functions.clone().flat_map(|function| &function.images);
    let mappings = || functions.clone().flat_map(|function| &function.mappings);
    let cycles = |image: &Image| {
        f64::from(image.interval) * f64::from(image.instances) / f64::from(image.lanes)
    };
    let cycles_per_element: f64 = images().map(cycles).sum();
    let operations: usize = mappings().map(|mapping| mapping.places.len()).sum();
    let slots: usize = mappings().map(|mapping| mapping.interval as usize * array.elements()).sum();
    let busy = |mapping: &Mapping| {
        let mut elements: Vec<_> = mapping.places.iter().map(|place| place.element).collect();
        elements.sort_unstable();
        elements.dedup();
        elements.len()
    };
    Figures {
        cycles_per_element,
        latency: images().map(|image| image.cycles(1)).sum(),
        gbit_per_second: 8.0 * bytes as f64 * array.megahertz
            / 1e3
            / cycles_per_element.max(f64::MIN_POSITIVE),
        elements: mappings().map(busy).max().unwrap_or(0),
        used: operations as f64 / slots.max(1) as f64,
    }
}

impl Compiled {
    /// Runs the function for so many elements, one loop behind the other.
    pub fn run(&self, array: &Array, memories: &mut Memories, elements: usize) -> Run {
        let mut whole = Run::default();
        for image in &self.images {
            whole.add(&Machine::new(array, image).run(memories, elements));
        }
        whole
    }

    /// Returns what the function takes of an array.
    pub fn figures(&self, array: &Array) -> Figures {
        let [first, second] = self.program.sizes;
        figures(std::iter::once(self), first.max(second), array)
    }
}
