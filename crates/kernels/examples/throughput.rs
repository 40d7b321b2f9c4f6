//! Throughput of the kernels on this machine: every kernel at every level of the processor, beside
//! memcpy.
//!
//! `cargo run --release -p netfold-kernels --example throughput [-- [--json] [KERNEL...]]`, where
//! each KERNEL is a part of names in the table; without any, all kernels are measured.
//!
//! A rate counts the bytes that a kernel reads and the bytes that it writes, for memcpy as well: a
//! copy of 1 GB in a second is 2 GB/s, a fold of 1 GB into 1 GB is 3 GB/s. Traffic that only the
//! cache causes, such as reading a line before it is overwritten, is not counted.
//!
//! *memory* works on buffers larger than the cache. Each call is paired with a memcpy just before
//! it, and `of memcpy` is the median of the pairs' ratios. *cache* works on blocks that stay in the
//! first-level cache. `of peak` compares with what the processor could load and store: two vectors
//! loaded and one stored in a cycle, of the widest level that it has, at the clock measured in the
//! same run.
#![expect(clippy::disallowed_types, reason = "it measures; the crate itself reads no clock")]

use half::{bf16, f16};
use netfold_kernels::{FPISA_REGISTER_BYTES, Kernels, add_by_table};
use netfold_num::fpisa::Variant;
use netfold_num::{ByteOrder, ElementType, Operation, Scale};
use serde::Serialize;
use std::hint::black_box;
use std::ops::{Deref, DerefMut};
use std::time::Instant;

/// Elements of a block in the cache: 8 KiB of f32, so that input and output fit the first level
/// together.
const CACHE_ELEMENTS: usize = 2 << 10;
/// Elements of a buffer in memory: 64 MiB of f32, twice what a core's share of the last level is on
/// servers of today.
const MEMORY_ELEMENTS: usize = 16 << 20;
const ROUNDS: usize = 15;
/// Calls in one measurement in the cache, some ten microseconds.
const CACHE_CALLS: usize = 200;

/// Bytes that start on a line of the cache, as tensors do, so that it is not an allocator's whim
/// that is measured.
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    /// Copies bytes to an address that is 11 * `place` lines after the start of a page. Two buffers
    /// at one place would disturb each other: a load is held up by a store just before it that has
    /// the same offset in another page.
    fn new(from: &[u8], place: usize) -> Self {
        const PAGE: usize = 4096;
        let mut bytes = vec![0; from.len() + 2 * PAGE];
        let start = bytes.as_ptr().align_offset(PAGE) + 11 * 64 * place;
        bytes[start..start + from.len()].copy_from_slice(from);
        bytes.truncate(start + from.len());
        Self { bytes, start }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..]
    }
}

/// Inputs and outputs of the kernels.
struct Buffers {
    /// Tensors in every element type that kernels read: f32, f16 and bf16 of the same numbers.
    tensors: [Buffer; 3],
    /// The same in network order.
    swapped: [Buffer; 3],
    lanes: Buffer,
    output: Buffer,
    /// Accumulators of folds and divisions: of f32, f16, bf16, f64 and integers, so that floats
    /// stay numbers of moderate size.
    accumulators: [Buffer; 5],
    /// The same in network order.
    swapped_accumulators: [Buffer; 5],
    /// FPISA's, of f32, f16 and bf16, which hold what no sum of sines overflows, and those of any
    /// that begin empty.
    registers: [Buffer; 4],
    scale: Scale,
    /// The scale of lanes of f16, in which elements of 16 bits travel (R-NUM-20); and below, the
    /// lanes of f16 elements.
    half_scale: Scale,
    halves: Buffer,
}

impl Buffers {
    fn new(elements: usize) -> Self {
        let numbers = || (0..elements).map(|i| (i as f32 * 0.618).sin());
        let f32s: Vec<u8> = numbers().flat_map(f32::to_ne_bytes).collect();
        let f16s: Vec<u8> = numbers().flat_map(|x| f16::from_f32(x).to_ne_bytes()).collect();
        let bf16s: Vec<u8> = numbers().flat_map(|x| bf16::from_f32(x).to_ne_bytes()).collect();
        let exponent = netfold_kernels::exponent(ElementType::F32, &f32s);
        let scale = Scale::new(4, exponent).expect("a sine is finite");
        let half_scale = Scale::of_halves(4, exponent).expect("a sine is finite");
        let registers = |tensor: &[u8], ty: ElementType| {
            let mut registers = Buffer::new(&vec![0; FPISA_REGISTER_BYTES * elements], 3);
            netfold_kernels::add_to_registers(
                ty,
                ByteOrder::Little,
                Variant::Full,
                true,
                &mut registers,
                tensor,
            );
            registers
        };
        let swapped = |tensor: &[u8], ty: ElementType| -> Vec<u8> {
            tensor
                .chunks_exact(ty.bytes())
                .flat_map(|element| element.iter().rev().copied())
                .collect()
        };
        let in_network_order = [
            swapped(&f32s, ElementType::F32),
            swapped(&f16s, ElementType::F16),
            swapped(&bf16s, ElementType::Bf16),
        ];
        let [f32s_swapped, f16s_swapped, bf16s_swapped] = &in_network_order;
        let mut lanes = vec![0; 4 * elements];
        netfold_kernels::quantise(ElementType::F32, &f32s, &scale, &mut lanes);
        let mut halves = vec![0; 2 * elements];
        netfold_kernels::quantise(ElementType::F16, &f16s, &half_scale, &mut halves);
        Self {
            tensors: [&f32s, &f16s, &bf16s].map(|tensor| Buffer::new(tensor, 0)),
            swapped: [f32s_swapped, f16s_swapped, bf16s_swapped]
                .map(|tensor| Buffer::new(tensor, 0)),
            lanes: Buffer::new(&lanes, 1),
            output: Buffer::new(&f32s, 2),
            accumulators: [&f32s, &f16s, &bf16s, &f32s, &f32s].map(|tensor| Buffer::new(tensor, 3)),
            swapped_accumulators: [
                f32s_swapped,
                f16s_swapped,
                bf16s_swapped,
                f32s_swapped,
                f32s_swapped,
            ]
            .map(|tensor| Buffer::new(tensor, 3)),
            registers: [
                registers(&4096f32.to_le_bytes().repeat(elements), ElementType::F32),
                registers(&f16::from_f32(4096.0).to_le_bytes().repeat(elements), ElementType::F16),
                registers(
                    &bf16::from_f32(4096.0).to_le_bytes().repeat(elements),
                    ElementType::Bf16,
                ),
                registers(&f32s, ElementType::F32),
            ],
            scale,
            half_scale,
            halves: Buffer::new(&halves, 1),
        }
    }

    fn elements(&self) -> usize {
        self.lanes.len() / 4
    }

    fn memcpy(&mut self) {
        self.output.copy_from_slice(black_box(&self.tensors[0]));
    }
}

/// A kernel as it is called here.
#[derive(Clone, Copy)]
enum Call {
    Exponent(ElementType),
    Quantise(ElementType),
    Dequantise(ElementType),
    Fold(Operation, ElementType, ByteOrder),
    ToOrdered(ElementType),
    FromOrdered(ElementType),
    Divide(ElementType),
    /// Adds to registers that hold a sum already.
    Registers(Variant, ElementType, ByteOrder),
    /// Takes what registers begin with, in either variant.
    FirstRegisters(ElementType),
    ReadRegisters(ElementType),
    AddByTable,
    /// Adds lanes of f16 to a slot's integers.
    AddHalves(ByteOrder),
    /// Makes lanes of f16 of a slot's integers.
    ReadHalves,
    ToWire(ElementType, ByteOrder),
    FromWire(ElementType, ByteOrder),
}

impl Call {
    fn all() -> Vec<Self> {
        use ElementType as T;
        use Operation as O;
        let narrow = [T::F32, T::F16, T::Bf16];
        let conversions =
            [Self::Exponent, Self::Quantise, Self::Dequantise, Self::ToOrdered, Self::FromOrdered]
                .into_iter()
                .flat_map(|call| narrow.map(call));
        let folds = [
            (O::Sum, T::I32),
            (O::Min, T::I32),
            (O::Max, T::I32),
            (O::Sum, T::F32),
            (O::Min, T::F32),
            (O::Max, T::F32),
            (O::Sum, T::F16),
            (O::Max, T::F16),
            (O::Sum, T::Bf16),
            (O::Max, T::Bf16),
            (O::Sum, T::F64),
            (O::Sum, T::I64),
            (O::Sum, T::U8),
        ]
        .map(|(operation, lane)| Self::Fold(operation, lane, ByteOrder::Little));
        let swapped = [
            (O::Sum, T::I32),
            (O::Max, T::I32),
            (O::Sum, T::F32),
            (O::Sum, T::F16),
            (O::Sum, T::Bf16),
            (O::Sum, T::F64),
        ]
        .map(|(operation, lane)| Self::Fold(operation, lane, ByteOrder::Network));
        let divisions = narrow.map(Self::Divide);
        let registers = Variant::ALL
            .into_iter()
            .flat_map(|variant| narrow.map(|ty| Self::Registers(variant, ty, ByteOrder::Little)));
        let swapped_registers =
            narrow.map(|ty| Self::Registers(Variant::Full, ty, ByteOrder::Network));
        let copies = [(T::F32, ByteOrder::Little)]
            .into_iter()
            .chain([T::F16, T::F32, T::F64].map(|ty| (ty, ByteOrder::Network)));
        let firsts = narrow.map(Self::FirstRegisters);
        let reads = narrow.map(Self::ReadRegisters);
        conversions
            .chain(folds)
            .chain(divisions)
            .chain(registers)
            .chain(firsts)
            .chain(reads)
            .chain([Self::AddByTable, Self::ReadHalves])
            .chain(ByteOrder::ALL.map(Self::AddHalves))
            .chain(
                copies.flat_map(|(ty, order)| [Self::ToWire(ty, order), Self::FromWire(ty, order)]),
            )
            .chain(swapped)
            .chain(swapped_registers)
            .collect()
    }

    fn name(self) -> String {
        match self {
            Self::Exponent(ty) => format!("exponent {ty}"),
            Self::Quantise(ty) => format!("quantise {ty}"),
            Self::Dequantise(ty) => format!("dequantise {ty}"),
            Self::Fold(operation, lane, order) => format!("{operation} {lane}{}", suffix(order)),
            Self::ToOrdered(ty) => format!("to_ordered {ty}"),
            Self::FromOrdered(ty) => format!("from_ordered {ty}"),
            Self::Divide(ty) => format!("divide {ty}"),
            Self::Registers(variant, ty, order) => {
                format!("{} {ty}{}", variant.name(), suffix(order))
            }
            Self::FirstRegisters(ty) => format!("first fpisa {ty}"),
            Self::ReadRegisters(ty) => format!("read fpisa {ty}"),
            Self::AddByTable => "sum by table f32".into(),
            Self::AddHalves(order) => format!("sum halves{}", suffix(order)),
            Self::ReadHalves => "read halves".into(),
            Self::ToWire(ty, order) => format!("to_wire {ty}{}", suffix(order)),
            Self::FromWire(ty, order) => format!("from_wire {ty}{}", suffix(order)),
        }
    }

    /// Bytes read and bytes written, per element of the buffers. Lanes of 8 bytes and of 1 fill
    /// buffers of 4 bytes per element.
    fn traffic(self) -> (usize, usize) {
        match self {
            Self::Exponent(ty) => (ty.bytes(), 0),
            // A lane of a block is as long as its element.
            Self::Quantise(ty) | Self::Dequantise(ty) => (ty.bytes(), ty.bytes()),
            Self::ToOrdered(ty) => (ty.bytes(), 4),
            Self::FromOrdered(ty) => (4, ty.bytes()),
            Self::AddHalves(_) => (6, 4),
            Self::ReadHalves => (4, 2),
            Self::Fold(_, ElementType::F16 | ElementType::Bf16, _) => (4, 2),
            Self::Fold(..) | Self::AddByTable => (8, 4),
            Self::Registers(_, ty, _) => (ty.bytes() + FPISA_REGISTER_BYTES, FPISA_REGISTER_BYTES),
            Self::FirstRegisters(ty) => (ty.bytes(), FPISA_REGISTER_BYTES),
            Self::ReadRegisters(ty) => (FPISA_REGISTER_BYTES, ty.bytes()),
            Self::Divide(ty) => (ty.bytes(), ty.bytes()),
            // Lanes of 2 bytes and of 8 fill buffers of 4 bytes per element, too.
            Self::ToWire(..) | Self::FromWire(..) => (4, 4),
        }
    }

    fn run(self, kernels: Kernels, buffers: &mut Buffers) {
        let elements = buffers.elements();
        let Buffers {
            tensors,
            swapped,
            lanes,
            output,
            accumulators,
            swapped_accumulators,
            registers,
            ..
        } = buffers;
        let Buffers { scale, half_scale, halves, .. } = buffers;
        let place = |ty| match ty {
            ElementType::F16 => 1,
            ElementType::Bf16 => 2,
            _ => 0,
        };
        let input = |ty| black_box(&tensors[place(ty)]);
        // In the other order numbers would be NaN and of any size, and what is rare in a sum would
        // be measured.
        let ordered = |ty, order| match order {
            ByteOrder::Little => input(ty),
            ByteOrder::Network => black_box(&swapped[place(ty)]),
        };
        let accumulator = |ty| match ty {
            ElementType::F32 => 0,
            ElementType::F16 => 1,
            ElementType::Bf16 => 2,
            ElementType::F64 => 3,
            _ => 4,
        };
        match self {
            Self::Exponent(ty) => {
                black_box(kernels.exponent(ty, input(ty)));
            }
            Self::Quantise(ElementType::F32) => {
                kernels.quantise(ElementType::F32, input(ElementType::F32), scale, lanes)
            }
            Self::Quantise(ty) => {
                kernels.quantise(ty, input(ty), half_scale, &mut lanes[..elements * ty.bytes()])
            }
            Self::Dequantise(ElementType::F32) => {
                kernels.dequantise(ElementType::F32, black_box(lanes), scale, 1, output);
            }
            Self::Dequantise(ty) => {
                kernels.dequantise(
                    ty,
                    black_box(halves),
                    half_scale,
                    1,
                    &mut output[..elements * ty.bytes()],
                );
            }
            Self::Fold(operation, lane, order) => {
                let accumulators = match order {
                    ByteOrder::Little => accumulators,
                    ByteOrder::Network => swapped_accumulators,
                };
                kernels.fold(
                    lane,
                    operation,
                    order,
                    &mut accumulators[accumulator(lane)],
                    ordered(lane, order),
                )
            }
            Self::ToOrdered(ty) => kernels.to_ordered(ty, Operation::Max, input(ty), lanes),
            Self::FromOrdered(ty) => {
                kernels.from_ordered(ty, black_box(lanes), &mut output[..elements * ty.bytes()])
            }
            Self::Divide(ty) => kernels.divide(ty, &mut accumulators[accumulator(ty)], 1),
            Self::Registers(variant, ty, order) => {
                black_box(kernels.add_to_registers(
                    ty,
                    order,
                    variant,
                    false,
                    &mut registers[accumulator(ty)],
                    ordered(ty, order),
                ));
            }
            Self::FirstRegisters(ty) => {
                black_box(kernels.add_to_registers(
                    ty,
                    ByteOrder::Little,
                    Variant::Full,
                    true,
                    &mut registers[3],
                    input(ty),
                ));
            }
            Self::ReadRegisters(ty) => kernels.read_registers(
                ty,
                ByteOrder::Little,
                &registers[accumulator(ty)],
                &mut output[..elements * ty.bytes()],
            ),
            Self::AddHalves(order) => {
                kernels.add_halves(
                    order,
                    false,
                    &mut accumulators[4],
                    ordered(ElementType::F16, order),
                );
            }
            Self::ReadHalves => kernels.read_halves(ByteOrder::Little, &mut accumulators[4]),
            Self::AddByTable => {
                add_by_table(ByteOrder::Little, &mut accumulators[0], input(ElementType::F32))
            }
            Self::ToWire(ty, order) => kernels.to_wire(ty, order, input(ElementType::F32), lanes),
            Self::FromWire(ty, order) => kernels.from_wire(ty, order, black_box(lanes), output),
        }
    }
}

/// Returns the suffix that marks lanes in network order in a row's name (R-NUM-19).
fn suffix(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Little => "",
        ByteOrder::Network => " network",
    }
}

/// One row of the table. Rates in GB/s, of 10^9 bytes read or written.
#[derive(Serialize)]
struct Row {
    kernel: String,
    level: &'static str,
    memory: f64,
    memcpy: f64,
    of_memcpy: f64,
    cache: f64,
    of_peak: f64,
}

#[derive(Serialize)]
struct Report {
    clock_ghz: f64,
    vector_bytes: usize,
    rows: Vec<Row>,
}

fn main() {
    let clock_ghz = clock_ghz();
    let vector_bytes = Kernels::best().level().vector_bytes();
    let (options, filter): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|argument| argument == "--json");
    let wanted =
        |call: &Call| filter.is_empty() || filter.iter().any(|part| call.name().contains(part));
    let calls: Vec<(Call, Kernels)> = Call::all()
        .into_iter()
        .filter(wanted)
        .flat_map(|call| Kernels::available().map(move |kernels| (call, kernels)))
        .collect();

    // Rounds go over all kernels, so that what disturbs the machine for a while disturbs all of
    // them alike.
    let mut samples = vec![Samples::default(); calls.len()];
    let (mut small, mut large) = (Buffers::new(CACHE_ELEMENTS), Buffers::new(MEMORY_ELEMENTS));
    for _ in 0..ROUNDS {
        for (&(call, kernels), samples) in calls.iter().zip(&mut samples) {
            let (read, written) = call.traffic();
            samples.memcpy.push(rate(8 * MEMORY_ELEMENTS, 1, || large.memcpy()));
            samples.memory.push(rate((read + written) * MEMORY_ELEMENTS, 1, || {
                call.run(kernels, &mut large)
            }));
            call.run(kernels, &mut small);
            samples.cache.push(rate((read + written) * CACHE_ELEMENTS, CACHE_CALLS, || {
                call.run(kernels, &mut small)
            }));
        }
    }

    let rows = calls.iter().zip(samples).map(|(&(call, kernels), samples)| {
        let (read, written) = call.traffic();
        let vectors = (read as f64 / 2.0).max(written as f64) / vector_bytes as f64;
        let peak = clock_ghz * (read + written) as f64 / vectors;
        let ratios = samples
            .memory
            .iter()
            .zip(&samples.memcpy)
            .map(|(kernel, memcpy)| kernel / memcpy)
            .collect();
        let cache = median(samples.cache);
        Row {
            kernel: call.name(),
            level: kernels.level().name(),
            memory: median(samples.memory),
            memcpy: median(samples.memcpy),
            of_memcpy: median(ratios),
            cache,
            of_peak: cache / peak,
        }
    });
    let report = Report { clock_ghz, vector_bytes, rows: rows.collect() };
    if options.is_empty() {
        report.print();
    } else {
        println!("{}", serde_json::to_string_pretty(&report).expect("a report is plain data"));
    }
}

#[derive(Clone, Default)]
struct Samples {
    memcpy: Vec<f64>,
    memory: Vec<f64>,
    cache: Vec<f64>,
}

impl Report {
    fn print(&self) {
        println!(
            "clock {:.2} GHz, vectors of {} bytes; GB/s, bytes read and written",
            self.clock_ghz, self.vector_bytes
        );
        println!(
            "{:>20} {:>9} {:>8} {:>8} {:>10} {:>8} {:>8}",
            "kernel", "level", "memory", "memcpy", "of memcpy", "cache", "of peak"
        );
        for Row { kernel, level, memory, memcpy, of_memcpy, cache, of_peak } in &self.rows {
            println!(
                "{kernel:>20} {level:>9} {memory:>8.1} {memcpy:>8.1} {of_memcpy:>10.2} {cache:>8.1} {of_peak:>8.2}"
            );
        }
    }
}

/// GB/s of calls that move so many bytes each.
fn rate(bytes: usize, calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    (bytes * calls) as f64 / start.elapsed().as_secs_f64() / 1e9
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// The clock of the core while it computes, by a chain of multiplications that each wait three
/// cycles for the one before: true of x86-64 processors since 2008; on others the fractions of the
/// peak are estimates.
fn clock_ghz() -> f64 {
    const STEPS: usize = 1_000_000;
    let rates = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        black_box((0..STEPS).fold(black_box(3u64), |product, _| product.wrapping_mul(product)));
        (3 * STEPS) as f64 / start.elapsed().as_secs_f64() / 1e9
    });
    rates.fold(0.0, f64::max)
}
