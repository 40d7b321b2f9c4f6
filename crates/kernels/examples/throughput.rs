//! Prints how fast the kernels are on this machine: 1 MiB of f32, at every level of the processor.
//!
//! `cargo run --release -p netfold-kernels --example throughput`
#![expect(clippy::disallowed_types, reason = "it measures; the crate itself reads no clock")]

use netfold_kernels::Kernels;
use netfold_num::{ElementType, Operation, Scale};
use std::hint::black_box;
use std::time::Instant;

const BYTES: usize = 1 << 20;
const ROUNDS: usize = 9;
const REPEATS: usize = 40;

fn main() {
    let elements = BYTES / 4;
    let tensor: Vec<u8> = (0..elements).flat_map(|i| ((i as f32 * 0.618).sin()).to_ne_bytes()).collect();
    let halves: Vec<u8> = tensor.chunks_exact(4).flat_map(|x| [x[2], x[3]]).collect();
    println!("{:>10} {:>20} {:>8}", "level", "kernel", "GB/s");
    for kernels in Kernels::available() {
        let exponent = kernels.exponent(ElementType::F32, &tensor);
        let scale = Scale::new(4, exponent).expect("the tensor is finite");
        let mut lanes = vec![0; BYTES];
        let mut output = vec![0; BYTES];
        let report = |kernel: &str, gigabytes: f64| println!("{:>10} {kernel:>20} {gigabytes:>8.1}", kernels.level());

        report(
            "exponent",
            measure(|| {
                black_box(kernels.exponent(ElementType::F32, black_box(&tensor)));
            }),
        );
        report("quantise", measure(|| kernels.quantise(ElementType::F32, black_box(&tensor), &scale, &mut lanes)));
        report(
            "dequantise",
            measure(|| kernels.dequantise(ElementType::F32, black_box(&lanes), &scale, 1, &mut output)),
        );
        report(
            "quantise bf16",
            measure(|| kernels.quantise(ElementType::Bf16, black_box(&halves), &scale, &mut lanes)),
        );
        report(
            "dequantise bf16",
            measure(|| kernels.dequantise(ElementType::Bf16, black_box(&lanes), &scale, 1, &mut output[..BYTES / 2])),
        );
        report("quantise f16", measure(|| kernels.quantise(ElementType::F16, black_box(&halves), &scale, &mut lanes)));
        report(
            "dequantise f16",
            measure(|| kernels.dequantise(ElementType::F16, black_box(&lanes), &scale, 1, &mut output[..BYTES / 2])),
        );
        for (lane, operation) in [
            (ElementType::I32, Operation::Sum),
            (ElementType::I32, Operation::Max),
            (ElementType::F32, Operation::Sum),
            (ElementType::F32, Operation::Max),
            (ElementType::F16, Operation::Sum),
        ] {
            report(
                &format!("{operation} {lane}"),
                measure(|| kernels.fold(lane, operation, &mut output, black_box(&tensor))),
            );
        }
    }
}

/// The median rate in gigabytes per second, counting 1 MiB for each call.
fn measure(mut kernel: impl FnMut()) -> f64 {
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..REPEATS).for_each(|_| kernel());
            (BYTES * REPEATS) as f64 / start.elapsed().as_secs_f64() / 1e9
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}
