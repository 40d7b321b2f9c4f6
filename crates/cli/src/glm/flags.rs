//! The command line of `netfold glm`.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand, ValueEnum};
use netfold_data::{Format, IndexBase, Labels};
use netfold_glm::{Arithmetic, Loss, Rate, Spread};

use crate::cli::{SwitchAddress, TokenFlags};
use netfold_settings::Size;

/// Most workers that one process starts.
const MOST_THREADS: i64 = 64;

/// Most threads of a worker.
const MOST_ENGINES: u32 = 256;

/// A week, in seconds.
const MOST_WAIT: u64 = 7 * 24 * 60 * 60;

/// What can be done with linear models.
#[derive(Debug, Subcommand)]
pub(crate) enum Glm {
    /// Train one, with its features split over workers that exchange partial activations through a
    /// switch (P4SGD)
    Train(TrainFlags),
}

#[derive(Args, Debug)]
pub(crate) struct TrainFlags {
    /// Samples: libsvm text (also .gz, .zst), .npy, .npz, SciPy's sparse .npz, Parquet or Arrow
    pub file: PathBuf,
    /// Labels of the samples, where their file has none: an .npy array
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// Name of the labels in the samples' file, and in the test's: an array of an .npz file
    /// [default: y], or a column of a table [default: label, labels, target or y]
    #[arg(long, value_name = "NAME", conflicts_with = "labels")]
    pub label: Option<String>,
    /// Samples on which the model is tried in the end
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    /// Labels of those, where their file has none
    #[arg(long, value_name = "FILE", requires = "test")]
    pub test_labels: Option<PathBuf>,
    /// From which number the indices of libsvm text count, also those of the test's [default: from
    /// 0 if one of the samples' is 0, otherwise from 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub index_base: Option<u8>,
    /// Workers, as threads of this process with a switch in it; under torchrun or mpirun each
    /// process is one instead
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub workers: u16,
    /// Threads of each worker, each with a part of its features
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, MOST_ENGINES))]
    pub engines: usize,
    /// Bits of a feature: 1 to 32, where 32 are floats as they are
    #[arg(long, value_name = "N", default_value_t = FULL_BITS, value_parser = clap::value_parser!(u8).range(1..=i64::from(FULL_BITS)))]
    pub bits: u8,
    /// What the integers of few bits cover: from 0 up, or both sides of the middle; auto is unit
    /// for sparse samples without values below 0, and symmetric for all others
    #[arg(long, value_enum, default_value_t = ScalingName::Auto)]
    pub scaling: ScalingName,
    /// What becomes of a value between two of the integers: the nearer one, the lower one, or
    /// either of the two at random, so that it is right on average
    #[arg(long, value_enum, default_value_t = RoundingName::Nearest)]
    pub rounding: RoundingName,
    /// Type of the weights in training: floats, or integers with exact sums, which makes the model
    /// the same to the bit for any number of workers
    #[arg(long, value_enum, default_value_t = ArithmeticName::Float)]
    pub arithmetic: ArithmeticName,
    /// Bits of a weight right of the point, with `--arithmetic fixed`
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub fraction_bits: u8,
    /// Samples of a mini-batch: a step is taken after each
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = whole(1, u32::MAX))]
    pub batch: usize,
    /// Samples whose activations are exchanged together
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1, u32::MAX))]
    pub micro_batch: usize,
    /// What a wrong activation costs; log becomes multinomial for more than two classes
    #[arg(long, value_enum, default_value_t = LossName::Log)]
    pub loss: LossName,
    /// Strength of the penalty on large weights
    #[arg(long, value_name = "X", default_value_t = 1e-4, allow_negative_numbers = true, value_parser = not_below_zero)]
    pub alpha: f64,
    /// Share of it that is on absolute values, so that weights become 0; the rest is on squares
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true, value_parser = share)]
    pub l1_ratio: f64,
    /// How steps shrink: by 1 / (alpha t), not at all, by a power of t, or when the loss stands
    /// still
    #[arg(long, value_enum, default_value_t = RateName::Optimal)]
    pub rate: RateName,
    /// The first step, but for `optimal`
    #[arg(long, value_name = "X", default_value_t = 0.1, allow_negative_numbers = true, value_parser = above_zero)]
    pub eta0: f64,
    /// Epochs at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1, u32::MAX))]
    pub epochs: usize,
    /// Stop when the objective (loss and penalty), or the score of what is held back, has not
    /// improved by so much for five epochs
    #[arg(long, value_name = "X", default_value_t = 1e-3, allow_negative_numbers = true, value_parser = finite)]
    pub tol: f64,
    /// Share of the samples that is held back, and whose accuracy, or R^2 of numbers, is the score
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true, value_parser = part)]
    pub validation: f64,
    /// Bytes of samples that are held at a time, counted over all workers: a larger file is read
    /// anew in every epoch, in chunks of that size [default: all are held]
    #[arg(long, value_name = "SIZE", value_parser = size_above_zero)]
    pub memory: Option<Size>,
    /// What is split over workers: features and model, or samples
    #[arg(long, value_enum, default_value_t = SpreadName::Model)]
    pub spread: SpreadName,
    /// Of what is random; every worker needs the same
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Where to save the model (safetensors)
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Where to write what each worker and the switch did when, in Chrome's trace format; processes
    /// of a launcher put their rank before the extension
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Name of the job, where workers are processes [default: the launcher's]
    #[arg(long, value_name = "NAME")]
    pub job: Option<String>,
    /// Seconds that a worker waits for the others of its job to join; after some it says so
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=MOST_WAIT))]
    pub wait: u64,
    /// How workers reach the slots: udp or shm [default: shm if the switch runs on this host, else
    /// udp] [env: NETFOLD_TRANSPORT]
    #[arg(long, value_name = "NAME")]
    pub transport: Option<String>,
    /// When a slot may be used again: shadow or acked [default: acked] [env: NETFOLD_PROTOCOL]
    #[arg(long, value_name = "NAME")]
    pub protocol: Option<String>,
    #[command(flatten)]
    pub switch: SwitchAddress,
    #[command(flatten)]
    pub token: TokenFlags,
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
