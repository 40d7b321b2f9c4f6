//! Reads a file of samples, with labels if it has any. Prints its contents, and the time that
//! reading took.
//!
//! `cargo run --release -p netfold-data --example read -- FILE [TIMES]`

#![forbid(unsafe_code)]

use std::time::Instant;

use netfold_data::{Features, Labels, Options, Source};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("give a file")?;
    let times: usize = arguments.next().map_or(Ok(1), |times| times.parse())?;
    let open = || {
        Source::new(&path).or_else(|_| {
            Source::with(&path, Options { labels: Labels::Absent, ..Options::default() })
        })
    };
    println!("{path}: {}, {}", open()?.format(), open()?.compression());
    for _ in 0..times {
        let start = Instant::now();
        let samples = open()?.read()?;
        let seconds = start.elapsed().as_secs_f64();
        let kind = match samples.features() {
            Features::Dense(_) => "dense".into(),
            Features::Csr(csr) => format!("{} values", csr.values().len()),
        };
        let (rows, columns) = (samples.rows(), samples.features().columns());
        println!("{rows} x {columns}, {kind}, {} labels, {seconds:.4} s", samples.labels().len());
    }
    Ok(())
}
