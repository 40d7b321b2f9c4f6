//! Samples that are trained on: a worker's features of all rows, and all features of its rows.
//!
//! Whichever way they are split, they are held on the same grid, and step i of an epoch has the
//! same rows: so both ways come to the same losses, to rounding.

use std::error::Error;
use std::ops::Range;

use netfold_data::{Features, Labels, Options};
use netfold_glm::{
    Csr, Data, Dense, OwnedSamples, Partition, Precision, Quantisation, Samples, Scaling,
};

use crate::orders::{Holding, Source};

/// Bits of a feature that is not quantised.
const FULL_BITS: u8 = 32;

/// Rows that span every feature's range: the first has the largest values, the second the smallest
/// ones.
const EXTREMES: usize = 2;

/// Features that one hash makes, of four bits each.
const HASHED: usize = 16;

/// A way in which a worker holds samples: what its data borrow, and the number of each row's class.
pub struct Held {
    samples: Owned,
    /// Rows that the grid is made for, if not those of `samples`.
    reference: Option<Owned>,
    partition: Partition,
    part: usize,
    pub labels: Vec<u32>,
}

enum Owned {
    Dense { features: usize, values: Vec<f32> },
    Csr(netfold_data::Csr),
    Cut(OwnedSamples),
}

impl Held {
    /// A worker's features, of all rows.
    pub fn features(holding: &Holding, rank: usize, size: usize) -> Result<Self, Box<dyn Error>> {
        Ok(match &holding.samples {
            Source::Dense { rows, features } => {
                let partition = Partition::contiguous(*features, size)?;
                let columns =
                    partition.feature(rank, 0)..partition.feature(rank, 0) + partition.len(rank);
                let samples = made_up(0..*rows, columns);
                Self {
                    samples,
                    reference: None,
                    partition,
                    part: rank,
                    labels: (0..*rows).map(label).collect(),
                }
            }
            Source::File { .. } => {
                let (csr, labels) = read(&holding.samples)?;
                // As `netfold glm train` deals them: frequent words come first in a vocabulary.
                let partition = Partition::dealt(csr.columns(), size)?;
                let samples = Owned::Cut(partition.cut(view(&csr)?, rank)?);
                Self { samples, reference: None, partition, part: rank, labels }
            }
        })
    }

    /// All features, of the rows whose turn is this worker's.
    pub fn rows(holding: &Holding, rank: usize, size: usize) -> Result<Self, Box<dyn Error>> {
        Ok(match &holding.samples {
            Source::Dense { rows, features } => {
                let own = (rank..*rows).step_by(size);
                Self {
                    samples: made_up(own.clone(), 0..*features),
                    reference: Some(made_up(0..EXTREMES, 0..*features)),
                    partition: Partition::contiguous(*features, 1)?,
                    part: 0,
                    labels: own.map(label).collect(),
                }
            }
            Source::File { .. } => {
                let (csr, labels) = read(&holding.samples)?;
                let samples = csr.every(rank, size);
                let labels = labels.into_iter().skip(rank).step_by(size).collect();
                let partition = Partition::contiguous(csr.columns(), 1)?;
                Self {
                    samples: Owned::Csr(samples),
                    reference: Some(Owned::Csr(csr)),
                    partition,
                    part: 0,
                    labels,
                }
            }
        })
    }

    /// Returns the samples in so many bits, for so many threads.
    pub fn data(&self, bits: u8, engines: usize) -> Result<Data<'_>, Box<dyn Error>> {
        let precision = match bits {
            FULL_BITS => Precision::Full,
            bits => Precision::Bits(Quantisation {
                scaling: Scaling::Symmetric,
                ..Quantisation::bits(bits)
            }),
        };
        let made = |samples| Data::part(samples, precision, engines, &self.partition, self.part);
        Ok(match &self.reference {
            Some(reference) => made(reference.view()?)?.like(self.samples.view()?)?,
            None => made(self.samples.view()?)?,
        })
    }
}

impl Owned {
    fn view(&self) -> Result<Samples<'_>, Box<dyn Error>> {
        Ok(match self {
            Self::Dense { features, values } => Samples::Dense(Dense::new(values, *features)?),
            Self::Csr(csr) => view(csr)?,
            Self::Cut(cut) => cut.view(),
        })
    }
}

/// Dense samples with values of four bits. They are the same, however the samples are split.
fn made_up(rows: impl Iterator<Item = usize>, columns: Range<usize>) -> Owned {
    let mut values = Vec::with_capacity(rows.size_hint().0 * columns.len());
    for row in rows {
        match row {
            0 => values.extend(columns.clone().map(|_| 1.0)),
            1 => values.extend(columns.clone().map(|_| -1.0)),
            _ => {
                let mut bits = 0;
                for (place, column) in columns.clone().enumerate() {
                    if place == 0 || column % HASHED == 0 {
                        bits =
                            hash(row as u64, (column / HASHED) as u64) >> (4 * (column % HASHED));
                    }
                    // -7 to 8, in eighths.
                    values.push(((bits & 15) as f32 - 7.0) / 8.0);
                    bits >>= 4;
                }
            }
        }
    }
    Owned::Dense { features: columns.len(), values }
}

/// 0 or 1.
fn label(row: usize) -> u32 {
    (hash(row as u64, u64::MAX) & 1) as u32
}

/// SplitMix64 of two numbers.
fn hash(row: u64, group: u64) -> u64 {
    let mut z = row
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(group.wrapping_mul(0xd1b5_4a32_d192_ed03));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn read(source: &Source) -> Result<(netfold_data::Csr, Vec<u32>), Box<dyn Error>> {
    let Source::File { features, labels } = source else {
        unreachable!("dense samples are made up")
    };
    let options = Options { labels: Labels::File(labels.clone()), ..Options::default() };
    let (features, labels) = netfold_data::Source::with(features, options)?.read()?.into_parts();
    let Features::Csr(csr) = features else { return Err("the file has dense samples".into()) };
    Ok((csr, labels.iter().map(|&label| label as u32).collect()))
}

fn view(csr: &netfold_data::Csr) -> Result<Samples<'_>, Box<dyn Error>> {
    Ok(Samples::Csr(Csr::new(csr.columns(), csr.indptr(), csr.indices(), csr.values())?))
}
