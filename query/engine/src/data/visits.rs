//! `rankings` and `uservisits` of the Big Data Benchmark (Pavlo et al., "A Comparison of Approaches
//! to Large-Scale Data Analysis", SIGMOD 2009, section 4.1.1), in the columns that the benchmark
//! publishes, with names in lower case, as SQL has them; `adRevenue` is FP32 (FPISA, section 6.2).

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, Date32Array, Float32Array, Int32Array, RecordBatch, StringArray,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::hard::harden;
use super::{BATCH, write};
use crate::Error;

/// Countries with their languages, as in the benchmark's lists.
const PLACES: [(&str, &str); 12] = [
    ("USA", "en-US"),
    ("GBR", "en-GB"),
    ("DEU", "de-DE"),
    ("FRA", "fr-FR"),
    ("ESP", "es-ES"),
    ("ITA", "it-IT"),
    ("JPN", "ja-JP"),
    ("CHN", "zh-CN"),
    ("BRA", "pt-BR"),
    ("RUS", "ru-RU"),
    ("NLD", "nl-NL"),
    ("VNM", "vi-VN"),
];

/// Words of searches, from which the benchmark draws.
const WORDS: [&str; 16] = [
    "network", "switch", "float", "query", "join", "order", "packet", "stream", "column", "row",
    "worker", "master", "hash", "filter", "sum", "rank",
];

/// Browsers; with versions they make some thousand user agents.
const BROWSERS: [&str; 8] =
    ["Mozilla", "Opera", "Lynx", "Safari", "Konqueror", "Links", "Chrome", "Netscape"];

/// First day of `visitDate`: 1970-01-01; the last is in 2012.
const DAYS: i32 = 15_600;

/// Writes `rankings` with `18/30` of the rows of `uservisits` (FPISA, section 6.2: 18 million and
/// 30 million), both in `parts` files, into `dir`.
///
/// Pages are visited by Zipf's law, and ranks fall by it. Sources are uniform, and revenues are
/// uniform between 0 and 1000; with `hard`, half of them are of every kind, and groups are skewed.
///
/// # Errors
///
/// [`Error::File`] if a file cannot be written.
pub fn visits(dir: &Path, rows: usize, parts: usize, seed: u64, hard: bool) -> Result<(), Error> {
    let pages = (rows * 18 / 30).max(1);
    for part in 0..parts {
        let share = |total: usize| (total * part / parts)..(total * (part + 1) / parts);
        let mut random = Pcg64::seed_from_u64(seed ^ ((part as u64) << 32));
        write(dir, "rankings", part, chunks(share(pages), |at, n| rankings(&mut random, at, n)))?;
        let visits = |_, n| {
            let batch = uservisits(&mut random, pages, n);
            if hard { harden(&batch, &mut random) } else { batch }
        };
        write(dir, "uservisits", part, chunks(share(rows), visits))?;
    }
    Ok(())
}

/// Batches for the rows in `range`; an empty range gives one batch without rows.
fn chunks(
    range: std::ops::Range<usize>,
    mut make: impl FnMut(usize, usize) -> RecordBatch,
) -> impl Iterator<Item = RecordBatch> {
    let starts: Vec<usize> =
        if range.is_empty() { vec![range.start] } else { range.clone().step_by(BATCH).collect() };
    starts.into_iter().map(move |start| make(start, BATCH.min(range.end - start)))
}

/// A page's address: its number decides it.
fn url(page: usize) -> String {
    format!("{:016x}.example/{page}", (page as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A number below `n` by Zipf's law with exponent 1, by inverting its continuous form.
fn zipf(random: &mut Pcg64, n: usize) -> usize {
    let u: f64 = random.random();
    let rank = (n as f64 + 1.0).powf(u) - 1.0;
    (rank as usize).min(n - 1)
}

fn rankings(random: &mut Pcg64, first: usize, n: usize) -> RecordBatch {
    let pages = first..first + n;
    let rank = pages.clone().map(|page| 1 + (1_000_000.0 / (page as f64 + 1.0)) as i32);
    let columns: [(&str, ArrayRef); 3] = [
        ("pageurl", Arc::new(StringArray::from_iter_values(pages.map(url)))),
        ("pagerank", Arc::new(Int32Array::from_iter_values(rank))),
        (
            "avgduration",
            Arc::new(Int32Array::from_iter_values((0..n).map(|_| random.random_range(1..100)))),
        ),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of equal length")
}

fn uservisits(random: &mut Pcg64, pages: usize, n: usize) -> RecordBatch {
    let mut source = Vec::with_capacity(n);
    let mut dest = Vec::with_capacity(n);
    let mut date = Vec::with_capacity(n);
    let mut revenue = Vec::with_capacity(n);
    let mut agent = Vec::with_capacity(n);
    let mut place = Vec::with_capacity(n);
    let mut word = Vec::with_capacity(n);
    let mut duration = Vec::with_capacity(n);
    for _ in 0..n {
        let [a, b, c, d]: [u8; 4] = random.random::<u32>().to_be_bytes();
        source.push(format!("{a}.{b}.{c}.{d}"));
        dest.push(url(zipf(random, pages)));
        date.push(random.random_range(0..DAYS));
        revenue.push(random.random_range(0.0_f32..1000.0));
        let browser = BROWSERS[random.random_range(0..BROWSERS.len())];
        let (major, minor) = (random.random_range(1..10), random.random_range(0..64));
        agent.push(format!("{browser}/{major}.{minor} (compatible; rv:{minor})"));
        place.push(PLACES[random.random_range(0..PLACES.len())]);
        word.push(WORDS[random.random_range(0..WORDS.len())]);
        duration.push(random.random_range(1..100));
    }
    let texts = |values: Vec<String>| Arc::new(StringArray::from(values)) as ArrayRef;
    let countries = StringArray::from_iter_values(place.iter().map(|place| place.0));
    let languages = StringArray::from_iter_values(place.iter().map(|place| place.1));
    let columns: [(&str, ArrayRef); 9] = [
        ("sourceip", texts(source)),
        ("desturl", texts(dest)),
        ("visitdate", Arc::new(Date32Array::from(date))),
        ("adrevenue", Arc::new(Float32Array::from(revenue))),
        ("useragent", texts(agent)),
        ("countrycode", Arc::new(countries)),
        ("languagecode", Arc::new(languages)),
        ("searchword", Arc::new(StringArray::from(word))),
        ("duration", Arc::new(Int32Array::from(duration))),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of equal length")
}
