//! Expected results of calls, by exact or wide arithmetic that shares no code with netfold's own
//! (`spec/numerics.md`).

mod typed;

use std::fmt;

use half::{bf16, f16};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_worker::{Call, Collective, Reduction};
use serde::Serialize;

use crate::operations::SampleOperation;

/// A call of all workers: what each of them has put in.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a, Input> {
    /// The call.
    pub call: Call,
    /// The job's arithmetic.
    pub arithmetic: Arithmetic,
    /// Bytes of lanes in a full packet: they decide which elements share an exponent.
    pub payload_bytes: u32,
    /// Switches that fold it, at most: in a tree, each rounds what it sends on.
    pub switches: usize,
    /// Each worker's input, in the order of ranks.
    pub inputs: &'a [Input],
}

/// An element of a result that is not what the inputs fold to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongElement {
    /// Its place in the result.
    pub element: u64,
    /// The right value, and by how much it may differ from that.
    pub wanted: String,
    /// The value that is there.
    pub got: String,
}

impl fmt::Display for WrongElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, wanted, got } = self;
        write!(f, "element {element} is {got} instead of {wanted}")
    }
}

impl<Input: AsRef<[u8]>> Fold<'_, Input> {
    /// Checks the output of worker `rank`.
    ///
    /// # Errors
    /// The first element that is wrong, and the value that it should have.
    pub fn check(&self, rank: u16, output: &[u8]) -> Result<(), WrongElement> {
        self.wrong_elements(rank, output).into_iter().next().map_or(Ok(()), Err)
    }

    /// All elements that are wrong in the output of worker `rank`.
    pub fn wrong_elements(&self, rank: u16, output: &[u8]) -> Vec<WrongElement> {
        let (elements, all) = (self.call.elements as usize, self.inputs.len());
        match self.call.collective {
            Collective::Barrier | Collective::Elsewhere { .. } => other_bytes(output, &[]),
            Collective::Broadcast { root } if root.0 == rank => other_bytes(output, &[]),
            Collective::Broadcast { root } => {
                other_bytes(output, self.inputs[usize::from(root.0)].as_ref())
            }
            Collective::AllGather => other_bytes(
                output,
                &self.inputs.iter().flat_map(AsRef::as_ref).copied().collect::<Vec<_>>(),
            ),
            Collective::Reduce { root } if root.0 != rank => other_bytes(output, &[]),
            Collective::AllReduce | Collective::Reduce { .. } => self.check_fold(all, 0, output),
            Collective::ReduceScatter => self.check_fold(all, usize::from(rank) * elements, output),
            Collective::Message if rank == 0 => other_bytes(output, &[]),
            Collective::Message => other_bytes(output, self.inputs[0].as_ref()),
            Collective::Gather { root } if root.0 != rank => other_bytes(output, &[]),
            Collective::Gather { .. } => other_bytes(output, &self.parts(|_| 0)),
            Collective::Scatter { root } => {
                let start = usize::from(rank) * elements;
                let all = self.inputs[usize::from(root.0)].as_ref();
                other_bytes(output, &all[start..start + elements])
            }
            Collective::LookAside if output.len() != elements => {
                other_length(output.len(), elements)
            }
            Collective::LookAside => {
                let requests: Vec<_> = self.inputs.iter().map(AsRef::as_ref).collect();
                typed::wrong_replies(rank, &requests, output)
            }
            Collective::AllToAll => other_bytes(output, &self.parts(|_| rank)),
            Collective::Scan => self.check_fold(usize::from(rank) + 1, 0, output),
            Collective::ExScan if rank == 0 => other_bytes(output, &[]),
            Collective::ExScan => self.check_fold(rank.into(), 0, output),
            Collective::Prefixes => self.check_folds(&(1..=all).collect::<Vec<_>>(), output),
            Collective::ScanTotal if usize::from(rank) + 1 == all => {
                self.check_fold(all, 0, output)
            }
            Collective::ScanTotal => self.check_folds(&[all, usize::from(rank) + 1], output),
        }
    }

    /// Returns one part of each worker's input, of bytes: that which `number` names.
    fn parts(&self, number: impl Fn(usize) -> u16) -> Vec<u8> {
        let elements = self.call.elements as usize;
        let part = |(worker, input): (usize, &Input)| {
            input.as_ref()[usize::from(number(worker)) * elements..][..elements].to_vec()
        };
        self.inputs.iter().enumerate().flat_map(part).collect()
    }

    /// Checks folds, one after the other, of the inputs of so many first workers each.
    fn check_folds(&self, contributors: &[usize], output: &[u8]) -> Vec<WrongElement> {
        let elements = self.call.elements;
        let bytes = elements as usize * self.call.element_type.bytes();
        if output.len() != contributors.len() * bytes {
            return other_length(output.len(), contributors.len() * bytes);
        }
        let folds = contributors.iter().enumerate().flat_map(|(number, contributors)| {
            let wrong = self.check_fold(*contributors, 0, &output[number * bytes..][..bytes]);
            let of_output = move |wrong: WrongElement| WrongElement {
                element: wrong.element + number as u64 * elements,
                ..wrong
            };
            wrong.into_iter().map(of_output)
        });
        folds.collect()
    }

    /// Checks the fold of the inputs of the first `contributors` from element `start` on.
    fn check_fold(&self, contributors: usize, start: usize, output: &[u8]) -> Vec<WrongElement> {
        let (elements, bytes) = (self.call.elements as usize, self.call.element_type.bytes());
        if output.len() != elements * bytes {
            return other_length(output.len(), elements * bytes);
        }
        if let Reduction::User(fold) = self.call.reduction {
            let operation = SampleOperation::named(fold.name()).expect("one of simulations");
            let part = |input: &'_ Input| input.as_ref()[start..start + elements].to_vec();
            let operands: Vec<_> = self.inputs[..contributors].iter().map(part).collect();
            let operands: Vec<&[u8]> = operands.iter().map(Vec::as_slice).collect();
            return typed::wrong_elements(operation, &operands, output);
        }
        let element = |memory: &[u8], index: usize| -> [u8; 8] {
            let mut element = [0; 8];
            element[..bytes].copy_from_slice(&memory[index * bytes..][..bytes]);
            element
        };
        let mut all_wrong = Vec::new();
        let block = if self.is_block() { self.payload_bytes as usize / 4 } else { elements.max(1) };
        for first in (0..elements).step_by(block) {
            let indices = first..elements.min(first + block);
            let inputs_at = |index: usize| {
                let inputs = self.inputs[..contributors].iter();
                inputs.map(move |input| element(input.as_ref(), start + index))
            };
            let unit =
                if self.is_block() { self.unit(indices.clone().flat_map(inputs_at)) } else { 0.0 };
            for index in indices {
                let inputs: Vec<[u8; 8]> = inputs_at(index).collect();
                let checked = if self.call.element_type.is_float() {
                    self.check_float(&inputs, element(output, index), unit)
                } else {
                    self.check_integer(&inputs, element(output, index))
                };
                if let Err((wanted, got)) = checked {
                    all_wrong.push(WrongElement { element: index as u64, wanted, got });
                }
            }
        }
        all_wrong
    }

    fn is_block(&self) -> bool {
        self.arithmetic == Arithmetic::Block
            && self.call.element_type.is_float()
            && self.call.reduction.operation() == Operation::Sum
    }

    /// 1/f of a block: n * 2^m / (2^31 - 1), with 2^m the power of two at or above the largest
    /// finite magnitude (SwitchML, section 4.6). Where elements have 16 bits, so have lanes, and
    /// 1/f is 2^(c + m - 30) (R-NUM-20).
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
        let workers = self.inputs.len();
        if self.has_half_lanes() {
            return workers.next_power_of_two() as f64 * power * f64::exp2(-30.0);
        }
        workers as f64 * power / f64::from(i32::MAX)
    }

    fn has_half_lanes(&self) -> bool {
        self.call.element_type.bytes() == 2
    }

    fn check_integer(&self, inputs: &[[u8; 8]], output: [u8; 8]) -> Result<(), (String, String)> {
        let element_type = self.call.element_type;
        let values = inputs.iter().map(|element| integer(element_type, *element));
        // The product of two elements fits i128; wrapping after each step is wrapping at the end
        // (R-NUM-3).
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
            Operation::Copy | Operation::User(_) => unreachable!("a fold of elements"),
        };
        let (expected, result) =
            (expected.expect("a job has workers"), integer(element_type, output));
        if result == expected { Ok(()) } else { Err((expected.to_string(), result.to_string())) }
    }

    fn check_float(
        &self,
        inputs: &[[u8; 8]],
        output: [u8; 8],
        unit: f64,
    ) -> Result<(), (String, String)> {
        let element_type = self.call.element_type;
        let values: Vec<f64> = inputs.iter().map(|element| float(element_type, *element)).collect();
        let result = float(element_type, output);
        let wanted = match self.call.reduction.operation() {
            operation @ (Operation::Min | Operation::Max) => wanted_extreme(operation, &values),
            Operation::Sum => self.wanted_sum(&values, unit),
            Operation::Product => self.wanted_product(&values),
            Operation::Copy | Operation::User(_) => unreachable!("a fold of elements"),
        };
        if wanted.holds(result) { Ok(()) } else { Err((wanted.to_string(), format!("{result:e}"))) }
    }

    fn divisor(&self) -> f64 {
        if self.call.reduction == Reduction::Average { self.inputs.len() as f64 } else { 1.0 }
    }

    fn wanted_sum(&self, values: &[f64], unit: f64) -> Wanted {
        if values.iter().any(|value| !value.is_finite()) {
            return Wanted::Bits(values.iter().sum());
        }
        if self.is_block() {
            return self.block_sum(values, unit);
        }
        let error = match self.arithmetic {
            Arithmetic::Fpisa | Arithmetic::FpisaA => self.register_error(values),
            Arithmetic::LogTable => self.table_error(values),
            Arithmetic::Native | Arithmetic::Block => self.native_error(values),
        };
        self.plain_sum(values, error)
    }

    /// R-NUM-12: before it is rounded the result is within n/f of the exact sum; with lanes of f16,
    /// as R-NUM-25 says. Rounding is monotonic, so that afterwards it lies between the rounded ends
    /// of that interval, infinity included.
    fn block_sum(&self, values: &[f64], unit: f64) -> Wanted {
        let n = values.len() as f64;
        let sum: f64 = values.iter().sum();
        // The sum here has up to n roundings of 2^-53 of at most n * 2^m each: n^2 * 2^(m - 53),
        // 2^-22 of the bound n * unit = n^2 * 2^m / (2^31 - 1), and 2^-22 of half of n * unit with
        // lanes of f16. The division rounds once more, by less.
        let bound = if self.has_half_lanes() {
            let (e, u) = (n * unit / 2.0, f64::exp2(-11.0) + f64::exp2(-23.0));
            let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
            (e + ((1.0 + u).powi(self.switches as i32) - 1.0) * (magnitude + e))
                * (1.0 + f64::exp2(-20.0))
        } else {
            n * unit * (1.0 + f64::exp2(-21.0))
        };
        let end = |end: f64| narrowed(self.call.element_type, end / self.divisor());
        Wanted::Between(end(sum - bound), end(sum + bound))
    }

    /// Adding n numbers in any order, each addition rounded, is off by at most g * sum |x| with g =
    /// (n-1) u / (1 - (n-1) u) (Higham, Accuracy and Stability of Numerical Algorithms, section
    /// 4.2). Additions do not underflow.
    fn native_error(&self, values: &[f64]) -> f64 {
        let Format { unit_roundoff: u, .. } = format_of(self.call.element_type);
        let steps = (values.len() - 1) as f64;
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        steps * u / (1.0 - steps * u) * magnitude
    }

    /// R-FPI-14, R-FPI-18: an addition that overwrites nothing, as here, floors one of its operands
    /// to the unit of the other's exponent, and a read truncates to that of the result's. No
    /// operand, partial sum or result is above n times the largest input, and so no unit is above
    /// that number's last place. The switches of a tree add at most n inputs and, but for the root,
    /// a partial sum each, and each reads once.
    fn register_error(&self, values: &[f64]) -> f64 {
        let Format { unit_roundoff, tiny, .. } = format_of(self.call.element_type);
        let most =
            values.len() as f64 * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let last_place =
            if most == 0.0 { 0.0 } else { most.log2().floor().exp2() * 2.0 * unit_roundoff };
        let rounding = (values.len() + 2 * self.switches - 1) as f64
            * last_place.max(if most == 0.0 { 0.0 } else { tiny });
        // In a tree a partial sum may be more than 2^7 above an input, and overwrite up to as much
        // as there is (R-FPI-15, R-FPI-26).
        let least = values
            .iter()
            .map(|value| value.abs())
            .filter(|value| *value > 0.0)
            .fold(f64::INFINITY, f64::min);
        let overwrites =
            self.arithmetic == Arithmetic::FpisaA && self.switches > 1 && most > 128.0 * least;
        rounding + if overwrites { most } else { 0.0 }
    }

    /// R-LOG-6: an addition is within 1.2e-4 of its larger operand, none of which is above the sum
    /// of all magnitudes, grown by as much at each step before. Subnormal operands and results are
    /// taken for zeros (R-LOG-5).
    fn table_error(&self, values: &[f64]) -> f64 {
        const STEP: f64 = 1.2e-4;
        let steps = (values.len() + self.switches) as f64;
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        steps * (STEP * magnitude * (1.0 + STEP).powf(steps) + 2.0 * f64::exp2(-126.0))
    }

    /// A sum that is off by at most `error`, or its average. An average is rounded again: to the
    /// type, and to f32 before if that is wider.
    fn plain_sum(&self, values: &[f64], error: f64) -> Wanted {
        let Format { unit_roundoff: u, tiny, largest } = format_of(self.call.element_type);
        let magnitude: f64 = values.iter().map(|value| value.abs()).sum();
        let (sum, rest) = exact_sum(values);
        let divisor = self.divisor();
        let single = if self.call.element_type.bytes() == 2 { f64::exp2(-24.0) } else { 0.0 };
        let rounding =
            if divisor == 1.0 { 0.0 } else { (u + single) * (sum.abs() + error) / divisor + tiny };
        // This oracle's own division and differences are off by 2^-53 of what they give.
        let own = if divisor == 1.0 { 0.0 } else { f64::exp2(-53.0) * sum.abs() / divisor };
        Wanted::Near {
            value: sum / divisor,
            rest: rest / divisor,
            error: (error / divisor + rounding + own) * (1.0 + f64::exp2(-50.0)),
            may_overflow: magnitude >= largest / 2.0,
        }
    }

    /// Multiplying n numbers in any order is off by g of the exact product, in the element's type
    /// and in this oracle's f64. A step that underflows is off by the smallest number at most,
    /// which the other factors may enlarge.
    fn wanted_product(&self, values: &[f64]) -> Wanted {
        let product: f64 = values.iter().product();
        if values.iter().any(|value| !value.is_finite()) {
            return Wanted::Bits(product);
        }
        let Format { unit_roundoff: u, tiny, largest } = format_of(self.call.element_type);
        let steps = (values.len() - 1) as f64;
        let relative = |u: f64| steps * u / (1.0 - steps * u);
        let ours = relative(f64::exp2(-53.0));
        let most: f64 = values.iter().map(|value| value.abs().max(1.0)).product();
        let least: f64 = values.iter().map(|value| value.abs().min(1.0)).product();
        let underflow = if least < tiny / u { steps * tiny * most } else { 0.0 };
        let error = (relative(u) + ours) / (1.0 - ours) * product.abs() + underflow;
        Wanted::Near { value: product, rest: 0.0, error, may_overflow: most >= largest / 2.0 }
    }
}

/// The right values of a float result.
enum Wanted {
    /// Exactly this, down to the sign of zero; any NaN, if it is one.
    Bits(f64),
    /// A number from the first to the second.
    Between(f64, f64),
    /// A number within `error` of the exact value, which is `value + rest`.
    Near {
        value: f64,
        rest: f64,
        error: f64,
        /// Partial results may leave the range of the type, in some order, and then anything not
        /// finite is right.
        may_overflow: bool,
    },
}

impl Wanted {
    fn holds(&self, result: f64) -> bool {
        match *self {
            Self::Bits(value) if value.is_nan() => result.is_nan(),
            Self::Bits(value) => result.to_bits() == value.to_bits(),
            Self::Between(low, high) => low <= result && result <= high,
            // Beyond the range of this oracle nothing is known.
            Self::Near { value, may_overflow: true, .. }
                if !(result.is_finite() && value.is_finite()) =>
            {
                true
            }
            Self::Near { value, rest, error, .. } => ((result - value) - rest).abs() <= error,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bits(value) => write!(f, "{value:e}"),
            Self::Between(low, high) if low == high => write!(f, "{low:e}"),
            Self::Between(low, high) => write!(f, "{low:e} to {high:e}"),
            Self::Near { value, error: 0.0, .. } => write!(f, "{value:e}"),
            Self::Near { value, error, .. } => write!(f, "{value:e}, give or take {error:.2e}"),
        }
    }
}

/// Rounding in a type: relative error, smallest positive number, largest number.
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

/// The sum of numbers as a leading part and the rest of it (Knuth's two-sum), exact to about
/// 2^-100.
fn exact_sum(values: &[f64]) -> (f64, f64) {
    values.iter().fold((0.0, 0.0), |(sum, rest), &value| {
        let next = sum + value;
        let back = next - sum;
        (next, rest + ((sum - (next - back)) + (value - back)))
    })
}

/// R-NUM-5: the exact minimum or maximum, a NaN if there is one, and -0 below +0.
fn wanted_extreme(operation: Operation, values: &[f64]) -> Wanted {
    if values.iter().any(|value| value.is_nan()) {
        return Wanted::Bits(f64::NAN);
    }
    let ordered = values.iter().copied();
    let extreme = match operation {
        Operation::Min => ordered.min_by(f64::total_cmp),
        _ => ordered.max_by(f64::total_cmp),
    };
    Wanted::Bits(extreme.expect("a job has workers"))
}

fn other_length(bytes: usize, expected: usize) -> Vec<WrongElement> {
    let [wanted, got] = [expected, bytes].map(|bytes| format!("a result of {bytes} bytes"));
    vec![WrongElement { element: 0, wanted, got }]
}

/// The bytes that are not as `expected`, each an element.
fn other_bytes(output: &[u8], expected: &[u8]) -> Vec<WrongElement> {
    if output.len() != expected.len() {
        return other_length(output.len(), expected.len());
    }
    let wrong =
        (0..).zip(output.iter().zip(expected)).filter(|(_, (byte, expected))| byte != expected);
    wrong
        .map(|(element, (byte, expected))| WrongElement {
            element,
            wanted: format!("{expected:#04x}"),
            got: format!("{byte:#04x}"),
        })
        .collect()
}

/// The value of an element, which is in the first bytes.
pub fn float(element_type: ElementType, element: [u8; 8]) -> f64 {
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
