//! The speed at which samples are read on this machine, in every form: an epoch of SGD, plain where
//! there is one engine, over dense samples of each layout and precision, and over sparse ones.
//!
//! Before that, it measures the kernels alone, at every level of the processor, on rows in the
//! cache. `Layout::Auto` is chosen by these numbers.
//!
//! `cargo run --release -p netfold-glm --example layouts [-- ENGINES]`
//!
//! Each form is run beside f32 in turns, and `of f32` is the median of the pairs' ratios of time,
//! with the first and third quartile. The sparse samples are as many, as wide and as full as those
//! of rcv1 (20,242 x 47,236, about 74 non-zeros a row, features by Zipf's law, rows of length 1).
//! GB/s counts the bytes of the samples, read twice in an epoch. `made` is how long it takes to put
//! the samples into that form, ms: the least of some rounds.

use netfold_glm::{
    Alone, Config, Csr, Data, Dense, Layout, Loss, Precision, Quantisation, Rate, Samples, Targets,
    Trainer,
};
use netfold_glm_kernels::{Kernels, LANES, Levels, Storage};
use std::hint::black_box;
use std::time::Instant;

/// Rows and features of the dense samples: 64 MB as f32, twice what caches of today have for a
/// core.
const DENSE: (usize, usize) = (4096, 4096);
const SPARSE: (usize, usize) = (20_242, 47_236);
const ENTRIES: usize = 74;
const ROUNDS: usize = 9;
/// Samples of a mini-batch where there are several engines, which wait for one another in each.
const TOGETHER: usize = 64;

fn main() -> Result<(), netfold_glm::Error> {
    let engines = match std::env::args().nth(1).map(|argument| argument.parse()) {
        None => 1,
        Some(Ok(engines)) => engines,
        Some(Err(_)) => {
            eprintln!("give a number of engines");
            return Ok(());
        }
    };
    by_level();
    let mut random = Random(1);
    let (rows, features) = DENSE;
    let values: Vec<f32> = (0..rows * features).map(|_| random.uniform() as f32).collect();
    let labels: Vec<u32> = (0..rows).map(|_| u32::from(random.uniform() < 0.5)).collect();
    heading("dense, 4096 x 4096");
    let samples = Samples::Dense(Dense::new(&values, features)?);
    let mut forms = vec![("f32".to_owned(), Precision::Full)];
    for bits in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32] {
        forms.push((format!("{bits} bits, planes"), bits_of(bits, Layout::Planes)));
        if matches!(bits, 4 | 8) {
            forms.push((format!("{bits} bits, packed"), bits_of(bits, Layout::Packed)));
        }
    }
    compare(samples, &labels, &forms, engines)?;

    let (rows, features) = SPARSE;
    let (mut indptr, mut indices, mut values) = (vec![0u64], Vec::new(), Vec::new());
    for _ in 0..rows {
        let mut row: Vec<u32> = (0..ENTRIES).map(|_| random.zipf(features)).collect();
        row.sort_unstable();
        row.dedup();
        let weights: Vec<f64> = row.iter().map(|_| 0.1 + random.uniform()).collect();
        let norm = weights.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        values.extend(weights.iter().map(|weight| (weight / norm) as f32));
        indices.extend(row);
        indptr.push(indices.len() as u64);
    }
    let labels: Vec<u32> = (0..rows).map(|_| u32::from(random.uniform() < 0.5)).collect();
    println!();
    heading("sparse, like rcv1");
    let samples = Samples::Csr(Csr::new(features, &indptr, &indices, &values)?);
    let mut forms = vec![("f32".to_owned(), Precision::Full)];
    forms.extend([1, 2, 4, 8].map(|bits| (format!("{bits} bits"), bits_of(bits, Layout::Auto))));
    compare(samples, &labels, &forms, engines)
}

/// Prints the times of a dot product and a sum of a row of 4096 features, the best of some rounds,
/// at every level.
fn by_level() {
    const FEATURES: usize = 4096;
    const CALLS: usize = 200;
    const BEST_OF: usize = 30;
    let bytes: Vec<u8> = (0..FEATURES).map(|index| (index * 37) as u8).collect();
    let words: Vec<u64> =
        (0..FEATURES / LANES * 8).map(|index| index as u64 * 0x9E37_79B9_7F4A_7C15).collect();
    let floats: Vec<f32> = bytes.iter().map(|&byte| f32::from(byte)).collect();
    let mut weights = vec![1e-3f32; FEATURES];
    let planes = |depth: u8| Storage::Planes {
        words: &words[..FEATURES / LANES * usize::from(depth)],
        depth,
        read: depth,
    };
    let forms = [
        ("4 bits, planes", planes(4)),
        ("4 bits, packed", Storage::Nibbles(&bytes[..FEATURES / 2])),
        ("8 bits, planes", planes(8)),
        ("8 bits, packed", Storage::Bytes(&bytes)),
    ];
    println!("{:<24} {:>10} {:>10}  ns for a row of {FEATURES} features", "kernels", "dot", "axpy");
    let best = |mut call: Box<dyn FnMut() + '_>| {
        let rounds = (0..BEST_OF).map(|_| {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call());
            start.elapsed().as_secs_f64() * 1e9 / CALLS as f64
        });
        rounds.fold(f64::INFINITY, f64::min)
    };
    for kernels in Kernels::available() {
        let level = kernels.level();
        let dot = best(Box::new(|| {
            black_box(kernels.dot(black_box(&floats), &weights));
        }));
        let axpy = best(Box::new(|| kernels.axpy(black_box(1e-9), &floats, &mut weights)));
        println!("{:<24} {dot:>10.0} {axpy:>10.0}", format!("{level}, f32"));
        for (name, storage) in forms {
            let x = Levels { storage, signed: false };
            let dot = best(Box::new(|| {
                black_box(kernels.dot_levels(black_box(x), &weights));
            }));
            let axpy = best(Box::new(|| kernels.axpy_levels(black_box(1e-9), x, &mut weights)));
            println!("{:<24} {dot:>10.0} {axpy:>10.0}", format!("{level}, {name}"));
        }
    }
    println!();
}

fn heading(samples: &str) {
    println!("{samples:<24} {:>9} {:>9} {:>8} {:>7}  of f32", "made", "ms", "MB", "GB/s");
}

/// Prints each form's epoch beside that of the first.
fn compare(
    samples: Samples<'_>,
    labels: &[u32],
    forms: &[(String, Precision)],
    engines: usize,
) -> Result<(), netfold_glm::Error> {
    let targets = Targets::classes(labels, 2)?;
    let batch = if engines == 1 { 1 } else { TOGETHER };
    let config = Config {
        loss: Loss::Logistic,
        rate: Rate::Constant { eta0: 1e-3 },
        batch,
        ..Config::default()
    };
    let prepare = |precision| -> Result<_, netfold_glm::Error> {
        let data = Data::new(samples, precision, engines)?;
        let trainer = Trainer::new(config, &data, &targets, Alone)?;
        Ok((data, trainer))
    };
    let epoch =
        |(data, trainer): &mut (Data<'_>, Trainer<Alone>)| -> Result<f64, netfold_glm::Error> {
            let start = Instant::now();
            trainer.epoch(data, &targets)?;
            Ok(start.elapsed().as_secs_f64())
        };
    let mut full = prepare(forms[0].1)?;
    for (name, precision) in forms {
        let mut made = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            black_box(Data::new(samples, *precision, engines)?);
            made = made.min(start.elapsed().as_secs_f64());
        }
        let mut form = prepare(*precision)?;
        let (mut times, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (reference, time) = (epoch(&mut full)?, epoch(&mut form)?);
            times.push(time);
            ratios.push(time / reference);
        }
        times.sort_by(f64::total_cmp);
        ratios.sort_by(f64::total_cmp);
        let (time, bytes) = (times[ROUNDS / 2], form.0.bytes().total() as f64);
        println!(
            "{name:<24} {:>9.2} {:>9.2} {:>8.2} {:>7.2}  {:.2} ({:.2} to {:.2})",
            1e3 * made,
            1e3 * time,
            bytes / 1e6,
            2.0 * bytes / time / 1e9,
            ratios[ROUNDS / 2],
            ratios[ROUNDS / 4],
            ratios[3 * ROUNDS / 4],
        );
    }
    Ok(())
}

fn bits_of(bits: u8, layout: Layout) -> Precision {
    Precision::Bits(Quantisation { layout, ..Quantisation::bits(bits) })
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number below `bound`, n with a probability of about 1 / n.
    fn zipf(&mut self, bound: usize) -> u32 {
        ((bound as f64).powf(self.uniform()) as usize - 1).min(bound - 1) as u32
    }
}
