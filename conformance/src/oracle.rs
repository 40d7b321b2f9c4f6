//! What the result of a call must be, by exact or wide arithmetic that shares no code with netfold's own.

use half::{bf16, f16};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_worker::{Call, Collective, Reduction};

/// A call of all workers: what each of them has put in.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a> {
    /// The call.
    pub call: Call,
    /// The job's arithmetic.
    pub arithmetic: Arithmetic,
    /// Bytes of lanes in a full packet: they decide which elements share an exponent.
    pub payload_bytes: u32,
    /// Switches that fold it, at most: in a tree, each rounds what it sends on.
    pub switches: usize,
    /// Each worker's input, in the order of ranks.
    pub inputs: &'a [Vec<u8>],
}

impl Fold<'_> {
    /// Checks the output of worker `rank`.
    ///
    /// # Errors
    /// The first element that is wrong, and what it should be.
    pub fn check(&self, rank: u16, output: &[u8]) -> Result<(), String> {
        let elements = self.call.elements as usize;
        match self.call.collective {
            Collective::Barrier => same_bytes(output, &[]),
            Collective::Broadcast { root } if root.0 == rank => same_bytes(output, &[]),
            Collective::Broadcast { root } => same_bytes(output, &self.inputs[usize::from(root.0)]),
            Collective::AllGather => same_bytes(output, &self.inputs.concat()),
            Collective::Reduce { root } if root.0 != rank => same_bytes(output, &[]),
            Collective::AllReduce | Collective::Reduce { .. } => self.check_fold(0, output),
            Collective::ReduceScatter => self.check_fold(usize::from(rank) * elements, output),
        }
    }

    /// Checks the fold of the inputs from element `start` on.
    fn check_fold(&self, start: usize, output: &[u8]) -> Result<(), String> {
        let (elements, bytes) = (self.call.elements as usize, self.call.element_type.bytes());
        if output.len() != elements * bytes {
            return Err(format!("{} bytes of output for {elements} elements", output.len()));
        }
        let element = |memory: &[u8], index: usize| -> [u8; 8] {
            let mut element = [0; 8];
            element[..bytes].copy_from_slice(&memory[index * bytes..][..bytes]);
            element
        };
        let block = if self.is_block() { self.payload_bytes as usize / 4 } else { elements.max(1) };
        for first in (0..elements).step_by(block) {
            let indices = first..elements.min(first + block);
            let inputs_at = |index: usize| self.inputs.iter().map(move |input| element(input, start + index));
            let unit = if self.is_block() { self.unit(indices.clone().flat_map(inputs_at)) } else { 0.0 };
            for index in indices {
                let inputs: Vec<[u8; 8]> = inputs_at(index).collect();
                let wrong = if self.call.element_type.is_float() {
                    self.check_float(&inputs, element(output, index), unit)
                } else {
                    self.check_integer(&inputs, element(output, index))
                };
                wrong.map_err(|wrong| format!("element {index} of {}: {wrong}", self.call))?;
            }
        }
        Ok(())
    }

    fn is_block(&self) -> bool {
        self.arithmetic == Arithmetic::Block
            && self.call.element_type.is_float()
            && self.call.reduction.operation() == Operation::Sum
    }

    /// 1/f of a block (SwitchML, section 4.6): n * 2^m / (2^31 - 1), with 2^m the power of two at or above the largest finite magnitude.
    fn unit(&self, elements: impl Iterator<Item = [u8; 8]>) -> f64 {
        let magnitudes = elements.map(|element| float(self.call.element_type, element).abs());
        let largest = magnitudes.filter(|magnitude| magnitude.is_finite()).fold(0.0, f64::max);
        if largest == 0.0 {
            return 0.0;
        }
        // Every magnitude of a narrower type is a normal f64.
        let bits = largest.to_bits();
        let below = f64::from_bits(bits & !((1 << 52) - 1));
        let power = if below == largest { largest } else { 2.0 * below };
        self.inputs.len() as f64 * power / f64::from(i32::MAX)
    }

    fn check_integer(&self, inputs: &[[u8; 8]], output: [u8; 8]) -> Result<(), String> {
        let element_type = self.call.element_type;
        let values = inputs.iter().map(|element| integer(element_type, *element));
        // The product of two elements fits i128; wrapping after each step is wrapping at the end (R-NUM-3).
        let wrap = |value: i128| match element_type {
            ElementType::U8 => i128::from(value as u8),
            ElementType::I32 => i128::from(value as i32),
            _ => i128::from(value as i64),
        };
        let expected = match self.call.reduction.operation() {
            Operation::Sum => values.reduce(|a, b| wrap(a + b)),
            Operation::Product => values.reduce(|a, b| wrap(a * b)),
            Operation::Min => values.min(),
            Operation::Max => values.max(),
            Operation::Copy => unreachable!("a fold of elements"),
        };
        let (expected, result) = (expected.expect("a job has workers"), integer(element_type, output));
        if result == expected { Ok(()) } else { Err(format!("{result} instead of {expected}")) }
    }

    fn check_float(&self, inputs: &[[u8; 8]], output: [u8; 8], unit: f64) -> Result<(), String> {
        let element_type = self.call.element_type;
        let values: Vec<f64> = inputs.iter().map(|element| float(element_type, *element)).collect();
        let result = float(element_type, output);
        let operation = self.call.reduction.operation();
        let right = match operation {
            Operation::Min | Operation::Max => is_extreme(operation, &values, result),
            Operation::Sum | Operation::Product => {
                let ieee: f64 = if operation == Operation::Sum { values.iter().sum() } else { values.iter().product() };
                // Whether a result is finite follows from the classes of the inputs alone: finite inputs do not overflow f64 here (an f64 sum
                // is drawn from small numbers), so NaN and infinity in `ieee` come from those of the inputs.
                if ieee.is_nan() {
                    result.is_nan()
                } else if ieee.is_infinite() {
                    result == ieee
                } else if operation == Operation::Product {
                    is_product(element_type, &values, ieee, result)
                } else if self.is_block() {
                    self.is_block_sum(&values, unit, result)
                } else {
                    let error = match self.arithmetic {
                        Arithmetic::Fpisa | Arithmetic::FpisaA => self.register_error(&values),
                        Arithmetic::LogTable => self.table_error(&values),
                        Arithmetic::Native | Arithmetic::Block => self.native_error(&values),
                    };
                    self.is_plain_sum(&values, error, result)
                }
            }
            Operation::Copy => unreachable!("a fold of elements"),
        };
        if right { Ok(()) } else { Err(format!("{result:e} from {values:?}, unit {unit:e}")) }
    }

    fn divisor(&self) -> f64 {
        if self.call.reduction == Reduction::Average { self.inputs.len() as f64 } else { 1.0 }
    }

    /// R-NUM-12: before it is rounded the result is within n/f of the exact sum. Rounding is monotonic, so that afterwards it lies between the rounded
    /// ends of that interval, infinity included.
    fn is_block_sum(&self, values: &[f64], unit: f64, result: f64) -> bool {
        let n = values.len() as f64;
        let sum: f64 = values.iter().sum();
        // The sum here has up to n roundings of 2^-53 of at most n * 2^m each: n^2 * 2^(m - 53), 2^-22 of the bound n * unit = n^2 * 2^m / (2^31 - 1).
        // The division rounds once more, by less.
        let bound = n * unit * (1.0 + f64::exp2(-21.0));
        let (low, high) = ((sum - bound) / self.divisor(), (sum + bound) / self.divisor());
        narrowed(self.call.element_type, low) <= result && result <= narrowed(self.call.element_type, high)
    }

    /// Adding n numbers in any order, each addition rounded, is off by at most g * sum |x| with g = (n-1) u / (1 - (n-1) u) (Higham, Accuracy and Stability
    /// of Numerical Algorithms, section 4.2). Additions do not underflow.
    fn native_error(&self, values: &[f64]) -> f64 {
        let Format { unit_roundoff: u, .. } = format_of(self.call.element_type);
        let steps = (values.len() - 1) as f64;
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        steps * u / (1.0 - steps * u) * magnitude
    }

    /// R-FPI-14, R-FPI-18: an addition that overwrites nothing, as here, floors one of its operands to the unit of the other's exponent, and a read truncates to
    /// that of the result's. No operand, partial sum or result is above n times the largest input, and so no unit is above that number's last place. The
    /// switches of a tree add at most n inputs and, but for the root, a partial sum each, and each reads once.
    fn register_error(&self, values: &[f64]) -> f64 {
        let Format { unit_roundoff, tiny, .. } = format_of(self.call.element_type);
        let most = values.len() as f64 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let last_place = if most == 0.0 { 0.0 } else { most.log2().floor().exp2() * 2.0 * unit_roundoff };
        (values.len() + 2 * self.switches - 1) as f64 * last_place.max(if most == 0.0 { 0.0 } else { tiny })
    }

    /// R-LOG-6: an addition is within 1.2e-4 of its larger operand, none of which is above the sum of all magnitudes, grown by as much at each step before.
    /// Subnormal operands and results are taken for zeros (R-LOG-5).
    fn table_error(&self, values: &[f64]) -> f64 {
        const STEP: f64 = 1.2e-4;
        let steps = (values.len() + self.switches) as f64;
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        steps * (STEP * magnitude * (1.0 + STEP).powf(steps) + 2.0 * f64::exp2(-126.0))
    }

    /// Whether a sum that is off by at most `error`, or its average, is this. An average is rounded again: to the type, and to f32 before if that is wider.
    fn is_plain_sum(&self, values: &[f64], error: f64, result: f64) -> bool {
        let Format { unit_roundoff: u, tiny, largest } = format_of(self.call.element_type);
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        assert!(magnitude < largest / 2.0, "sums that may overflow on the way are not drawn: {values:?}");
        let (sum, rest) = exact_sum(values);
        let divisor = self.divisor();
        let single = if self.call.element_type.bytes() == 2 { f64::exp2(-24.0) } else { 0.0 };
        let rounding = if divisor == 1.0 { 0.0 } else { (u + single) * (sum.abs() + error) / divisor + tiny };
        // This oracle's own division and differences are off by 2^-53 of what they give.
        let own = if divisor == 1.0 { 0.0 } else { f64::exp2(-53.0) * sum.abs() / divisor };
        let distance = ((result - sum / divisor) - rest / divisor).abs();
        distance <= (error / divisor + rounding + own) * (1.0 + f64::exp2(-50.0))
    }
}

/// What rounding does in a type: relative error, smallest positive number, largest number.
struct Format {
    unit_roundoff: f64,
    tiny: f64,
    largest: f64,
}

fn format_of(element_type: ElementType) -> Format {
    let of = |digits: i32, tiny: i32, largest: f64| Format {
        unit_roundoff: f64::exp2(f64::from(-digits)),
        tiny: f64::exp2(f64::from(tiny)),
        largest,
    };
    match element_type {
        ElementType::F16 => of(11, -24, 65504.0),
        ElementType::Bf16 => of(8, -133, f64::from(bf16::MAX)),
        ElementType::F32 => of(24, -149, f64::from(f32::MAX)),
        _ => of(53, -1074, f64::MAX),
    }
}

/// The sum of numbers as a leading part and the rest of it (Knuth's two-sum), exact to about 2^-100.
fn exact_sum(values: &[f64]) -> (f64, f64) {
    values.iter().fold((0.0, 0.0), |(sum, rest), &value| {
        let next = sum + value;
        let back = next - sum;
        (next, rest + ((sum - (next - back)) + (value - back)))
    })
}

/// Multiplying n numbers in any order is off by g of the exact product, in the element's type and in this oracle's f64. The numbers drawn keep clear of
/// overflow and underflow.
fn is_product(element_type: ElementType, values: &[f64], product: f64, result: f64) -> bool {
    let steps = (values.len() - 1) as f64;
    let relative = |u: f64| steps * u / (1.0 - steps * u);
    let (theirs, ours) = (relative(format_of(element_type).unit_roundoff), relative(f64::exp2(-53.0)));
    (result - product).abs() <= (theirs + ours) / (1.0 - ours) * product.abs()
}

/// R-NUM-5: the exact minimum or maximum, a NaN if there is one, and -0 below +0.
fn is_extreme(operation: Operation, values: &[f64], result: f64) -> bool {
    if values.iter().any(|value| value.is_nan()) {
        return result.is_nan();
    }
    let ordered = values.iter().copied();
    let extreme = match operation {
        Operation::Min => ordered.min_by(f64::total_cmp),
        _ => ordered.max_by(f64::total_cmp),
    };
    extreme.is_some_and(|extreme| extreme.to_bits() == result.to_bits())
}

fn same_bytes(output: &[u8], expected: &[u8]) -> Result<(), String> {
    if output == expected { Ok(()) } else { Err(format!("bytes differ: {output:x?} instead of {expected:x?}")) }
}

/// The value of an element, which is in the first bytes.
pub(crate) fn float(element_type: ElementType, element: [u8; 8]) -> f64 {
    let [a, b, c, d, ..] = element;
    match element_type {
        ElementType::F16 => f16::from_ne_bytes([a, b]).to_f64(),
        ElementType::Bf16 => bf16::from_ne_bytes([a, b]).to_f64(),
        ElementType::F32 => f32::from_ne_bytes([a, b, c, d]).into(),
        _ => f64::from_ne_bytes(element),
    }
}

fn integer(element_type: ElementType, element: [u8; 8]) -> i128 {
    let [a, b, c, d, ..] = element;
    match element_type {
        ElementType::U8 => a.into(),
        ElementType::I32 => i32::from_ne_bytes([a, b, c, d]).into(),
        _ => i64::from_ne_bytes(element).into(),
    }
}

/// R-NUM-11: a number rounded to f32, and then to the type if it is narrower.
fn narrowed(element_type: ElementType, number: f64) -> f64 {
    let single = number as f32;
    match element_type {
        ElementType::F16 => f16::from_f32(single).to_f64(),
        ElementType::Bf16 => bf16::from_f32(single).to_f64(),
        _ => single.into(),
    }
}
