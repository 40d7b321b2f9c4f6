//! The command line of `netfold glm`.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};
use netfold_data::{Format, IndexBase, Labels};
use netfold_glm::{Arithmetic, Loss, Rate, Spread};

use netfold_settings::{Program, Size};

use crate::options::Options;

/// Most workers that one process starts.
const MOST_THREADS: i64 = 64;

/// Most threads of a worker.
const MOST_ENGINES: u32 = 256;

/// A week, in seconds.
const MOST_WAIT: u64 = 7 * 24 * 60 * 60;

/// Commands about linear models.
#[derive(Debug, Subcommand)]
pub(crate) enum Glm {
    /// Train a model whose features are split over workers, which exchange partial activations
    /// through a switch (P4SGD)
    Train(TrainFlags),
}

#[derive(Args, Debug)]
pub(crate) struct TrainFlags {
    /// File of samples: libsvm text (also .gz, .zst), .npy, .npz, SciPy's sparse .npz, Parquet or
    /// Arrow
    pub file: PathBuf,
    /// File of the labels, if the samples' file has none: an .npy array
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// Name of the labels in the files of samples and test: an array of an .npz file [default: y],
    /// or a column of a table [default: label, labels, target or y]
    #[arg(long, value_name = "NAME", conflicts_with = "labels")]
    pub label: Option<String>,
    /// File of samples to test the model on after training
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// File of the labels of the test, if its file of samples has none: an .npy array
    #[arg(long, value_name = "FILE", requires = "test")]
    pub test_labels: Option<PathBuf>,
    /// First index of a feature in libsvm text, 0 or 1, also in the test's [default: 0 if the
    /// samples have an index 0, otherwise 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub index_base: Option<u8>,
    /// Number of workers, which are threads of this process, as the switch is; under torchrun or
    /// mpirun each process is a worker instead
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub workers: u16,
    /// Threads per worker, each with a part of its features
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, MOST_ENGINES))]
    pub engines: usize,
    /// Bits per feature, 1 to 32; 32 keeps the floats unchanged
    #[arg(long, value_name = "N", default_value_t = FULL_BITS, value_parser = clap::value_parser!(u8).range(1..=i64::from(FULL_BITS)))]
    pub bits: u8,
    /// Range that features of few bits cover: unit (from 0 up) or symmetric (around the middle);
    /// auto is unit for sparse samples without negative values, otherwise symmetric
    #[arg(long, value_enum, default_value_t = ScalingName::Auto)]
    pub scaling: ScalingName,
    /// Rounding of a value between two integers: to the nearer one, to the lower one, or to either
    /// at random, so that it is right on average
    #[arg(long, value_enum, default_value_t = RoundingName::Nearest)]
    pub rounding: RoundingName,
    /// Type of the weights in training: float, or fixed for integers with exact sums, which gives
    /// the same model to the bit for any number of workers
    #[arg(long, value_enum, default_value_t = ArithmeticName::Float)]
    pub arithmetic: ArithmeticName,
    /// Fraction bits of a weight, with `--arithmetic fixed`
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub fraction_bits: u8,
    /// Samples per mini-batch; each batch is one step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole(1, u32::MAX))]
    pub batch: usize,
    /// Samples per micro-batch, whose activations are exchanged together
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1, u32::MAX))]
    pub micro_batch: usize,
    /// Loss function; log becomes multinomial for more than two classes
    #[arg(long, value_enum, default_value_t = LossName::Log)]
    pub loss: LossName,
    /// Strength of the penalty on large weights; 0 for none
    #[arg(long, value_name = "X", default_value_t = 1e-4, allow_negative_numbers = true, value_parser = not_below_zero)]
    pub alpha: f64,
    /// Share of L1 in the penalty, 0 to 1, which makes weights 0; the rest is L2
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true, value_parser = share)]
    pub l1_ratio: f64,
    /// Schedule of the step size: 1 / (alpha t), constant, a power of t, or smaller whenever the
    /// loss stops falling
    #[arg(long, value_enum, default_value_t = RateName::Optimal)]
    pub rate: RateName,
    /// First step size, for all schedules but `optimal`
    #[arg(long, value_name = "X", default_value_t = 0.1, allow_negative_numbers = true, value_parser = above_zero)]
    pub eta0: f64,
    /// Largest number of epochs
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1, u32::MAX))]
    pub epochs: usize,
    /// Least improvement: stop when the objective (loss and penalty), or the score of the samples
    /// held back, has not improved by this much for five epochs
    #[arg(long, value_name = "X", default_value_t = 1e-3, allow_negative_numbers = true, value_parser = finite)]
    pub tol: f64,
    /// Share of the samples to hold back; their accuracy, or R^2 of numbers, is the score
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true, value_parser = part)]
    pub validation: f64,
    /// Memory for samples, over all workers: a larger file is read again in every epoch, in chunks
    /// of this size [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size_above_zero)]
    pub memory: Option<Size>,
    /// Part that is split over workers: features and model, or samples
    #[arg(long, value_enum, default_value_t = SpreadName::Model)]
    pub spread: SpreadName,
    /// Seed of all random numbers; every worker needs the same
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// File to save the model to (safetensors)
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// File to write a trace of workers and switch to, in Chrome's trace format; processes of a
    /// launcher add their rank before the extension
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Name of the job, if workers are processes [default: the launcher's]
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,
    /// Seconds to wait for the other workers to join; a message after a few tells who is missing
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=MOST_WAIT))]
    pub wait: u64,
    #[command(flatten)]
    pub settings: Options<{ Program::Glm as u8 }>,
}

/// Whole numbers within these ends.
fn whole(least: u32, most: u32) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(u64::from(least)..=u64::from(most))
}

/// A number that `fits`, or what is needed instead.
fn number(text: &str, fits: impl Fn(f64) -> bool, needed: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && fits(*number));
    number.ok_or_else(|| format!("give {needed}"))
}

fn finite(text: &str) -> Result<f64, String> {
    number(text, |_| true, "a number")
}

fn not_below_zero(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "a number from 0 up")
}

fn above_zero(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "a number above 0")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a share from 0 to 1")
}

fn part(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..1.0).contains(&number), "a share from 0 to below 1")
}

fn size_above_zero(text: &str) -> Result<Size, String> {
    match text.parse()? {
        Size(0) => Err("nothing can be held in 0 bytes; give a size such as 64MiB".into()),
        size => Ok(size),
    }
}

/// Bits of a feature that is not quantised.
pub(crate) const FULL_BITS: u8 = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LossName {
    Log,
    Hinge,
    SquaredHinge,
    Squared,
    Multinomial,
}

impl LossName {
    /// The loss, for so many classes.
    pub(crate) fn loss(self, classes: usize) -> Loss {
        match self {
            Self::Log if classes > 2 => Loss::Multinomial,
            Self::Log => Loss::Logistic,
            Self::Hinge => Loss::Hinge,
            Self::SquaredHinge => Loss::SquaredHinge,
            Self::Squared => Loss::Squared,
            Self::Multinomial => Loss::Multinomial,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScalingName {
    Auto,
    Unit,
    Symmetric,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoundingName {
    Nearest,
    Truncate,
    Stochastic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RateName {
    Optimal,
    Constant,
    Inverse,
    Adaptive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArithmeticName {
    Float,
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpreadName {
    Model,
    Data,
}

impl TrainFlags {
    pub(crate) fn rate(&self) -> Rate {
        /// scikit-learn's power of t.
        const POWER: f64 = 0.25;
        let (alpha, eta0) = (self.alpha, self.eta0);
        match self.rate {
            RateName::Optimal => Rate::Optimal { alpha },
            RateName::Constant => Rate::Constant { eta0 },
            RateName::Inverse => Rate::InverseScaling { eta0, power: POWER },
            RateName::Adaptive => Rate::Adaptive { eta0 },
        }
    }

    /// Returns the place of the samples' labels.
    pub(crate) fn place(&self) -> Labels {
        self.place_of(self.labels.as_deref())
    }

    /// Returns the place of the test's labels. Text has them in one place only.
    pub(crate) fn place_in_test(&self, format: Format) -> Labels {
        match (&self.test_labels, format) {
            (None, Format::Libsvm) => Labels::Usual,
            (file, _) => self.place_of(file.as_deref()),
        }
    }

    fn place_of(&self, file: Option<&Path>) -> Labels {
        match (file, &self.label) {
            (Some(file), _) => Labels::File(file.into()),
            (None, Some(name)) => Labels::Named(name.clone()),
            (None, None) => Labels::Usual,
        }
    }

    pub(crate) fn index_base(&self) -> IndexBase {
        match self.index_base {
            None => IndexBase::Auto,
            Some(0) => IndexBase::Zero,
            Some(_) => IndexBase::One,
        }
    }

    pub(crate) fn arithmetic(&self) -> Arithmetic {
        match self.arithmetic {
            ArithmeticName::Float => Arithmetic::Float,
            ArithmeticName::Fixed => Arithmetic::Fixed { fraction_bits: self.fraction_bits },
        }
    }

    pub(crate) fn spread(&self) -> Spread {
        match self.spread {
            SpreadName::Model => Spread::Model,
            SpreadName::Data => Spread::Data,
        }
    }
}
