//! One worker of a run.

use std::fmt::{self, Display, Formatter};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use netfold_data::{Classes, IndexBase};
use netfold_glm::{
    Config, Data, Epoch, Exchange, FeatureScaling, Loss, Model, OfChunk, Partition, Penalty,
    Spread, Stopping, Trace, Trainer,
};
use netfold_net::RoundTimes;

use super::block::Coded;
use super::flags::{FULL_BITS, LossName, TrainFlags};
use super::part::{Cut, Known, Part, Share, Survey, WorkerRank, tell_left_out};
use super::precision::precision;

/// Epochs without progress after which a run ends.
const WAIT_LIMIT: usize = 5;

/// Lanes that are exchanged at once where a model is gathered.
const GATHERED_LANES: usize = 8192;

/// Outcome of a worker.
pub(crate) struct Learned {
    /// The whole model, on every worker.
    pub model: Model,
    /// Names of its classes.
    pub classes: Option<Classes>,
    /// Number from which the indices of the file's text count.
    pub index_base: IndexBase,
    /// Samples of the file, and its features.
    pub rows: usize,
    pub features: usize,
    /// Most bytes of values that the worker has held at a time.
    pub value_bytes: u64,
    /// Cut by which the file was read in every epoch, unless it was held.
    pub cut: Option<Cut>,
    /// Time taken to read it, and to quantise what is held.
    pub reading: Duration,
    pub trace: Option<Trace>,
    /// Rounds that it has completed in shared memory, if it is traced.
    pub rounds: Vec<RoundTimes>,
}

/// Reason why a worker has no model.
#[derive(Debug)]
pub(crate) enum Stopped {
    /// It cannot go on by itself.
    Failed(String),
    /// It cannot reach the others, or waits for them in vain: what one of them says comes first.
    Alone(String),
}

impl From<netfold_glm::Error> for Stopped {
    fn from(error: netfold_glm::Error) -> Self {
        match error {
            netfold_glm::Error::Exchange(_) => Self::Alone(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<netfold_data::Error> for Stopped {
    fn from(error: netfold_data::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Display for Stopped {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let (Self::Failed(why) | Self::Alone(why)) = self;
        formatter.write_str(why)
    }
}

/// Trains, and tells of every epoch.
pub(crate) fn train<X: Exchange>(
    flags: &TrainFlags,
    worker: WorkerRank,
    mut exchange: X,
    mut tell: impl FnMut(&Epoch),
) -> Result<Learned, Stopped> {
    let start = Instant::now();
    let spread = flags.spread();
    let known = Known { features: None, index_base: flags.index_base() };
    let mut part =
        Part::open(&flags.file, flags.place(), known, Share::of(worker, spread), flags.memory)?;
    if worker.rank == 0 {
        tell_left_out(&flags.file, part.left_out());
    }
    let survey = part.survey(flags.loss != LossName::Squared, flags.bits != FULL_BITS)?;
    let precision = precision(flags, survey.signs, &mut exchange)?;
    let Survey { rows, ref extent, ref partition, number, cut, .. } = survey;
    let classes = survey.classes.as_ref();
    let index_base = part.index_base()?;
    // What all samples are held like.
    let pattern = Data::over(extent, precision, flags.engines, partition, number)?;
    let loss = flags.loss.loss(classes.map_or(0, |classes| classes.labels().len()));
    let nothing = Coded::none(classes);
    let mut trainer = Trainer::new(config(flags, loss), &pattern, &nothing.targets()?, exchange)?;
    trainer.record(flags.trace.is_some());
    let told = |epoch: &Epoch| {
        tell(epoch);
        ControlFlow::Continue(())
    };
    let (mut value_bytes, mut reading) = (0, start.elapsed());
    if let Some(block) = part.held() {
        let data = block.held_like(&pattern)?;
        let coded = block.coded(classes).map_err(|why| part.fault(why))?;
        (value_bytes, reading) = (data.bytes().values, start.elapsed());
        trainer.fit(&data, &coded.targets()?, told)?;
    } else {
        let shuffled = cut.is_some_and(|cut| cut.shuffled);
        let chunks = |epoch: u64, each: &mut OfChunk<'_>| {
            part.for_each(shuffled.then_some(flags.seed.wrapping_add(epoch)), |block| {
                let data = block.held_like(&pattern)?;
                value_bytes = value_bytes.max(data.bytes().values);
                let coded = block.coded(classes).map_err(|why| part.fault(why))?;
                Ok(each(&data, &coded.targets()?)?)
            })
            .map_err(|error: Failure| error.0)
        };
        trainer.fit_chunks(chunks, told)?;
    }
    let trace = trainer.record(false);
    let model = gather(trainer.model()?, partition, number, spread, trainer.into_exchange())?;
    Ok(Learned {
        model,
        classes: survey.classes,
        index_base,
        rows,
        features: partition.features(),
        value_bytes,
        cut,
        reading,
        trace,
        rounds: Vec::new(),
    })
}

/// Error of a chunk that could not be trained on.
struct Failure(netfold_glm::Error);

impl From<netfold_glm::Error> for Failure {
    fn from(error: netfold_glm::Error) -> Self {
        Self(error)
    }
}

impl From<netfold_data::Error> for Failure {
    fn from(error: netfold_data::Error) -> Self {
        Self(netfold_glm::Error::Samples(error.into()))
    }
}

fn config(flags: &TrainFlags, loss: Loss) -> Config {
    Config {
        loss,
        penalty: Penalty::elastic_net(flags.alpha, flags.l1_ratio),
        rate: flags.rate(),
        batch: flags.batch,
        micro_batch: flags.micro_batch,
        seed: flags.seed,
        arithmetic: flags.arithmetic(),
        spread: flags.spread(),
        stopping: Stopping {
            epochs: flags.epochs,
            tolerance: Some(flags.tol),
            patience: WAIT_LIMIT,
            validation: flags.validation,
        },
        ..Config::default()
    }
}

/// The whole model out of the workers' parts: each adds its own to zeros.
fn gather<X: Exchange>(
    local: Model,
    partition: &Partition,
    number: usize,
    spread: Spread,
    mut exchange: X,
) -> Result<Model, Stopped> {
    if exchange.workers() == 1 || spread == Spread::Data {
        return Ok(local);
    }
    let mut summed = |local: &[f32], outputs: usize| -> Result<Vec<f32>, Stopped> {
        let width = local.len() / outputs;
        let mut all = Vec::new();
        for one in local.chunks_exact(width.max(1)) {
            let mut row = vec![0.0; partition.features()];
            partition.scatter(number, one, &mut row);
            for chunk in row.chunks_mut(GATHERED_LANES) {
                let submission = exchange.submit(&*chunk).map_err(alone)?;
                exchange.collect(submission, chunk).map_err(alone)?;
            }
            all.extend(row);
        }
        Ok(all)
    };
    let coefficients = summed(&local.coefficients, local.outputs())?;
    let scaling = match &local.scaling {
        None => None,
        Some(scaling) => {
            let (low, span): (Vec<f32>, Vec<f32>) = scaling.features.iter().copied().unzip();
            let features = summed(&low, 1)?.into_iter().zip(summed(&span, 1)?).collect();
            Some(FeatureScaling { kind: scaling.kind, features })
        }
    };
    Ok(Model { features: partition.features(), coefficients, scaling, ..local })
}

/// For `map_err`: the exchange has failed.
pub(crate) fn alone(error: impl std::error::Error) -> Stopped {
    Stopped::Alone(error.to_string())
}
