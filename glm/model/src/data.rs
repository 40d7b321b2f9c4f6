//! A worker's samples as they are held while a model is trained: cut over its engines, in the
//! precision that was chosen (R-GLM-19 to R-GLM-24).

mod extent;
mod matrix;
mod numbers;
mod places;
mod quantise;
mod sparse;

pub use extent::Extent;
pub(crate) use matrix::Matrix;
pub use numbers::RowNumbers;
pub(crate) use places::Places;
pub(crate) use quantise::Grid;
pub use quantise::{Layout, Quantisation, Rounding, Scaling};

use crate::error::{Error, expect_len};
use crate::partition::{OwnedSamples, Partition};
use crate::samples::{Csr, Dense, Samples};
use numbers::Numbers;
use quantise::BELOW_ZERO;
use std::sync::Arc;

/// Most engines of a worker.
const MOST_ENGINES: usize = 256;

/// The precision in which features are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Features as `f32`, borrowed where there is one engine.
    Full,
    /// Features as integers of few bits.
    Bits(Quantisation),
}

/// Samples of a worker.
#[derive(Clone, Debug)]
pub struct Data<'a> {
    rows: usize,
    partition: Partition,
    precision: Precision,
    /// The features' partition, and the number of this part in it: stochastic rounding goes by a
    /// feature's number over all workers (R-GLM-20).
    place: (Partition, usize),
    engines: Vec<Engine<'a>>,
}

/// An engine's features and their grid.
#[derive(Clone, Debug)]
pub(crate) struct Engine<'a> {
    pub(crate) matrix: Matrix<'a>,
    /// The grid of quantised features.
    pub(crate) grid: Option<Arc<Grid>>,
}

/// Bytes of a worker's samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Bytes of the values.
    pub values: u64,
    /// Bytes of sparse samples' indices, as they are: 4 for each value.
    pub indices: u64,
    /// Bytes of sparse samples' row bounds: 8 for each row.
    pub bounds: u64,
}

impl Bytes {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.values + self.indices + self.bounds
    }
}

impl<'a> Data<'a> {
    /// All features, or those that a [`Partition`] has cut for a worker; `engines` threads train on
    /// them.
    pub fn new(samples: Samples<'a>, precision: Precision, engines: usize) -> Result<Self, Error> {
        Self::part(samples, precision, engines, &Partition::contiguous(samples.features(), 1)?, 0)
    }

    /// Does the same as [`new`](Self::new) for samples that `partition` has cut for a worker.
    /// Stochastic rounding is then that of the whole features, so that it does not depend on how
    /// they are split (R-GLM-20).
    pub fn part(
        samples: Samples<'a>,
        precision: Precision,
        engines: usize,
        partition: &Partition,
        part: usize,
    ) -> Result<Self, Error> {
        let extent = match precision {
            Precision::Full => None,
            Precision::Bits(_) => Some(Extent::of(samples)),
        };
        Self::on_grid_of(samples, extent.as_ref(), precision, engines, (partition, part))
    }

    /// Does the same as [`part`](Self::part) without samples, on the grid of all that `extent` has
    /// seen. Samples that are not in memory at once are then held one chunk after the other, by
    /// [`like`](Self::like).
    pub fn over(
        extent: &Extent,
        precision: Precision,
        engines: usize,
        partition: &Partition,
        part: usize,
    ) -> Result<Data<'static>, Error> {
        let none = no_rows(extent.sparse, extent.features())?;
        Data::on_grid_of(none, Some(extent), precision, engines, (partition, part))
    }

    /// Does the same as [`over`](Self::over) where the grid is known: `scaling` has low and span of
    /// each of these features, as a [`Model`](crate::Model) does.
    pub fn on_scaling(
        scaling: &[(f32, f32)],
        sparse: bool,
        precision: Precision,
        engines: usize,
        partition: &Partition,
        part: usize,
    ) -> Result<Data<'static>, Error> {
        let features = scaling.len();
        let place = place(partition, part, features)?;
        let grid = |of_engines: &Partition, engine| match precision {
            Precision::Full => Ok(None),
            Precision::Bits(how) => Grid::known(scaling, how, sparse, of_engines, engine)
                .map(|grid| Some(Arc::new(grid))),
        };
        let none = no_rows(sparse, features)?;
        Data::held((none, RowNumbers::default()), precision, engines, place, grid)
    }

    /// More samples of the same features, held as these are: on the same grid, to which values
    /// beyond it are clamped.
    pub fn like<'b>(&self, samples: Samples<'b>) -> Result<Data<'b>, Error> {
        self.like_rows(samples, RowNumbers::default())
    }

    /// Does the same as [`like`](Self::like), where the rows have these numbers among all
    /// (R-GLM-20).
    pub fn like_rows<'b>(&self, samples: Samples<'b>, rows: RowNumbers) -> Result<Data<'b>, Error> {
        expect_len("features of more samples", samples.features(), self.features())?;
        if matches!(samples, Samples::Csr(_)) != self.engines[0].matrix.is_sparse() {
            return Err(Error::Together(
                "these samples are sparse where the others are dense, or the other way round",
            ));
        }
        if let Precision::Bits(Quantisation { scaling: Scaling::Unit, keeps_zero, .. }) =
            self.precision
            && samples.below_zero()
            && (keeps_zero || matches!(samples, Samples::Csr(_)))
        {
            return Err(BELOW_ZERO);
        }
        let grid = |_: &Partition, engine: usize| Ok(self.engines[engine].grid.clone());
        Data::held((samples, rows), self.precision, self.engines.len(), self.place, grid)
    }

    /// Returns the number of samples.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Features of each.
    pub fn features(&self) -> usize {
        self.partition.features()
    }

    /// Threads that train on them.
    pub fn engines(&self) -> usize {
        self.engines.len()
    }

    /// Bytes that are held.
    pub fn bytes(&self) -> Bytes {
        let each = self.engines.iter().map(|engine| engine.matrix.bytes());
        each.fold(Bytes::default(), |sum, each| Bytes {
            values: sum.values + each.values,
            indices: sum.indices + each.indices,
            bounds: sum.bounds + each.bounds,
        })
    }

    /// Reads only the first `bits` planes from now on (R-GLM-21). Only bit planes can be read less
    /// deep than they are stored.
    pub fn read_bits(&mut self, bits: u8) -> Result<(), Error> {
        self.engines.iter_mut().try_for_each(|engine| engine.matrix.read_bits(bits))
    }

    pub(crate) fn precision(&self) -> Precision {
        self.precision
    }

    /// Returns the partition that cuts the features of all workers.
    pub(crate) fn whole(&self) -> &Partition {
        &self.place.0
    }

    pub(crate) fn partition(&self) -> &Partition {
        &self.partition
    }

    pub(crate) fn parts(&self) -> &[Engine<'a>] {
        &self.engines
    }

    fn on_grid_of(
        samples: Samples<'a>,
        extent: Option<&Extent>,
        precision: Precision,
        engines: usize,
        (partition, part): (&Partition, usize),
    ) -> Result<Self, Error> {
        let place = place(partition, part, samples.features())?;
        let grid = |of_engines: &Partition, engine| match (precision, extent) {
            (Precision::Bits(how), Some(extent)) => {
                Grid::over(extent, how, of_engines, engine).map(|grid| Some(Arc::new(grid)))
            }
            _ => Ok(None),
        };
        Self::held((samples, RowNumbers::default()), precision, engines, place, grid)
    }

    /// `grid` gives that of an engine, which quantised samples need.
    fn held(
        (samples, rows): (Samples<'a>, RowNumbers),
        precision: Precision,
        engines: usize,
        place: (Partition, usize),
        grid: impl Fn(&Partition, usize) -> Result<Option<Arc<Grid>>, Error>,
    ) -> Result<Self, Error> {
        let features = samples.features();
        if !(1..=MOST_ENGINES).contains(&engines) {
            return Err(Error::setting("engines", engines, format!("1 to {MOST_ENGINES}")));
        }
        if engines > features {
            let needed =
                format!("1 to {features}: each needs one of the worker's {features} features");
            return Err(Error::setting("engines", engines, needed));
        }
        // Sparse features are dealt, since frequent ones often stand together.
        let partition = match samples {
            Samples::Dense(_) => Partition::contiguous(features, engines)?,
            Samples::Csr(_) => Partition::dealt(features, engines)?,
        };
        let engine = |(engine, cut): (usize, Option<OwnedSamples>)| -> Result<Engine<'a>, Error> {
            let (how, grid) = match (precision, grid(&partition, engine)?) {
                (Precision::Bits(how), Some(grid)) => (how, grid),
                _ => {
                    let matrix = cut.map_or_else(|| Matrix::borrowed(samples), Matrix::owned);
                    return Ok(Engine { matrix, grid: None });
                }
            };
            let column = |local| place.0.feature(place.1, partition.feature(engine, local));
            let numbers = &Numbers { rows, column };
            let matrix = match &cut {
                None => Matrix::quantised(samples, how, &grid, numbers)?,
                Some(cut) => Matrix::quantised(cut.view(), how, &grid, numbers)?.into_owned(),
            };
            Ok(Engine { matrix, grid: Some(grid) })
        };
        let cuts = match engines {
            1 => vec![None],
            _ => partition.cut_all(samples)?.into_iter().map(Some).collect(),
        };
        let engines = cuts.into_iter().enumerate().map(engine).collect::<Result<_, Error>>()?;
        Ok(Self { rows: samples.rows(), partition, precision, place, engines })
    }
}

/// Part `part` of a partition, which must have so many features.
fn place(partition: &Partition, part: usize, features: usize) -> Result<(Partition, usize), Error> {
    if part >= partition.parts() {
        return Err(Error::setting("part", part, format!("0 to {}", partition.parts() - 1)));
    }
    expect_len("features of the part", features, partition.len(part))?;
    Ok((*partition, part))
}

fn no_rows(sparse: bool, features: usize) -> Result<Samples<'static>, Error> {
    Ok(match sparse {
        true => Samples::Csr(Csr::new(features, &[0], &[], &[])?),
        false => Samples::Dense(Dense::new(&[], features)?),
    })
}
