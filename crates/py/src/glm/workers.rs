//! Workers in threads of this process, each with its part of the samples.

use std::ops::ControlFlow;
use std::time::Duration;

use netfold_glm::{
    Alone, Bytes, Collected, Csr, Data, Dense, Epoch, Error, Exchange, Extent, InProcess, Lane, Model, Partition,
    PeerError, Precision, Samples, Spread, Ticket, Trainer, Why,
};

use super::samples::PyGlmSamples;
use super::settings::Plan;

/// How long a worker waits for the others: longer than a callback may take. One that is gone is noticed at once.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

/// Coefficients to begin with.
pub(crate) struct Begin {
    pub(crate) coefficients: Vec<f32>,
    pub(crate) intercepts: Vec<f64>,
}

/// What is done with samples.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Epochs until it is enough.
    Fit,
    /// One pass.
    Epoch,
}

/// What a run has come to.
pub(crate) struct Ended {
    pub(crate) epochs: usize,
    pub(crate) why: Why,
    pub(crate) model: Model,
    /// Of all workers' samples.
    pub(crate) bytes: Bytes,
}

/// The workers of a model. After an error they are gone.
pub(crate) struct Team {
    plan: Plan,
    begin: Option<Begin>,
    workers: Option<Vec<Worker>>,
}

enum Worker {
    New(Meeting),
    Training(Box<Training>),
}

struct Training {
    trainer: Trainer<Meeting>,
    /// No rows: says how later samples are held, on the grid of the first ones.
    pattern: Data<'static>,
}

/// A worker's share of what a run has come to.
struct Part {
    epochs: usize,
    why: Why,
    model: Model,
    bytes: Bytes,
}

impl Team {
    pub(crate) fn new(plan: Plan, begin: Option<Begin>) -> Self {
        let meetings = match plan.workers {
            1 => vec![Meeting::Alone(Alone)],
            workers => InProcess::new(workers, PATIENCE).into_iter().map(Meeting::InProcess).collect(),
        };
        Self { plan, begin, workers: Some(meetings.into_iter().map(Worker::New).collect()) }
    }

    /// Trains on samples. `after_epoch` is called on this thread, by the first worker.
    pub(crate) fn run(
        &mut self,
        samples: &PyGlmSamples,
        run: Run,
        after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Ended, Error> {
        // Taken out, so that they are gone unless the run ends well.
        let Some(workers) = self.workers.take() else {
            return Err(Error::Together("this trainer has failed before; make another one"));
        };
        let partition = partition(samples, self.plan.workers)?;
        let whole = samples.samples()?;
        // Together they have as many rows.
        let targets = samples.targets()?;
        if targets.len() != whole.rows() {
            return Err(Error::Shape { what: "targets", found: targets.len(), expected: whole.rows() });
        }
        let plan = self.plan;
        let precision = plan.precision(whole)?;
        // No worker sees all samples when they are spread, but their grid is that of all (R-GLM-19).
        let extent = match (precision, plan.config.spread, &workers[0]) {
            (Precision::Bits(_), Spread::Data, Worker::New(_)) => Some(Extent::of(whole)),
            _ => None,
        };
        let begin = self.begin.as_ref();
        let task = Task { plan, precision, begin, partition: &partition, samples, whole, extent, run };
        let task = &task;
        let results: Vec<Result<(Worker, Part), Error>> = std::thread::scope(|scope| {
            let mut workers = workers.into_iter().enumerate();
            let first = workers.next().expect("there is a worker");
            let quiet = |_: &Epoch| ControlFlow::Continue(());
            let others: Vec<_> =
                workers.map(|(rank, worker)| scope.spawn(move || task.carry_out(rank, worker, quiet))).collect();
            let first = task.carry_out(first.0, first.1, after_epoch);
            let others = others.into_iter().map(|thread| thread.join().unwrap_or(Err(Error::EngineLost)));
            std::iter::once(first).chain(others).collect()
        });
        let (workers, parts): (Vec<_>, Vec<_>) = in_order(results)?.into_iter().unzip();
        self.workers = Some(workers);
        Ok(whole_of(parts, &partition, plan.config.spread))
    }
}

/// What the workers of a team do together.
struct Task<'a> {
    plan: Plan,
    /// Of samples that are not held like earlier ones.
    precision: Precision,
    begin: Option<&'a Begin>,
    partition: &'a Partition,
    samples: &'a PyGlmSamples,
    whole: Samples<'a>,
    /// Of the whole, where workers would each see a share of its rows and must hold them on one grid.
    extent: Option<Extent>,
    run: Run,
}

impl Task<'_> {
    /// A worker's part; the worker is gone after an error, so that no other waits for it.
    fn carry_out(
        &self,
        rank: usize,
        worker: Worker,
        mut after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<(Worker, Part), Error> {
        let &Self { plan, precision, partition, samples, whole, .. } = self;
        let (cut, share);
        let (own, targets) = match plan.config.spread {
            _ if plan.workers == 1 => (whole, samples.targets()?),
            Spread::Data => {
                share = samples.share(rank, plan.workers);
                (share.samples()?, share.targets()?)
            }
            Spread::Model => {
                cut = partition.cut(whole, rank)?;
                (cut.view(), samples.targets()?)
            }
        };
        let data = match (&worker, plan.config.spread, &self.extent) {
            (Worker::Training(training), ..) => training.pattern.like(own)?,
            (Worker::New(_), Spread::Model, _) => Data::part(own, precision, plan.engines, partition, rank)?,
            (Worker::New(_), Spread::Data, None) => Data::new(own, precision, plan.engines)?,
            (Worker::New(_), Spread::Data, Some(extent)) => {
                let all = Partition::contiguous(whole.features(), 1)?;
                Data::over(extent, precision, plan.engines, &all, 0)?.like(own)?
            }
        };
        let mut training = match worker {
            Worker::Training(training) => training,
            Worker::New(meeting) => {
                let mut trainer = Trainer::new(plan.config, &data, &targets, meeting)?;
                if let Some(begin) = self.begin {
                    trainer.warm_start(&self.local(rank, &begin.coefficients), &begin.intercepts)?;
                }
                Box::new(Training { trainer, pattern: data.like(no_rows(&data, samples.is_sparse())?)? })
            }
        };
        let trainer = &mut training.trainer;
        let (epochs, why) = match self.run {
            Run::Fit => {
                let outcome = trainer.fit(&data, &targets, after_epoch)?;
                (outcome.epochs, outcome.why)
            }
            Run::Epoch => {
                let epoch = trainer.epoch(&data, &targets)?;
                let why = if after_epoch(&epoch).is_break() { Why::Callback } else { Why::Epochs };
                (1, why)
            }
        };
        let part = Part { epochs, why, model: trainer.model()?, bytes: data.bytes() };
        Ok((Worker::Training(training), part))
    }

    /// A worker's share of coefficients.
    fn local(&self, rank: usize, coefficients: &[f32]) -> Vec<f32> {
        match self.plan.config.spread {
            Spread::Data => coefficients.to_vec(),
            Spread::Model => {
                let outputs = coefficients.chunks_exact(self.partition.features());
                outputs.flat_map(|output| self.partition.gather(rank, output)).collect()
            }
        }
    }
}

/// Sparse features are dealt, since frequent ones often stand together.
fn partition(samples: &PyGlmSamples, workers: usize) -> Result<Partition, Error> {
    if samples.is_sparse() {
        Partition::dealt(samples.features(), workers)
    } else {
        Partition::contiguous(samples.features(), workers)
    }
}

fn no_rows(data: &Data<'_>, sparse: bool) -> Result<Samples<'static>, Error> {
    Ok(if sparse {
        Samples::Csr(Csr::new(data.features(), &[0], &[], &[])?)
    } else {
        Samples::Dense(Dense::new(&[], data.features())?)
    })
}

/// All results, or the first error; that a peer has gone is told only where nobody says why.
fn in_order<T>(results: Vec<Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(result) => all.push(result),
            Err(error) => errors.push(error),
        }
    }
    let cause = errors.iter().position(|error| !matches!(error, Error::Exchange(_))).unwrap_or(0);
    if errors.is_empty() { Ok(all) } else { Err(errors.swap_remove(cause)) }
}

/// What the workers have come to, as one.
fn whole_of(mut parts: Vec<Part>, partition: &Partition, spread: Spread) -> Ended {
    let bytes = parts.iter().fold(Bytes::default(), |sum, part| Bytes {
        values: sum.values + part.bytes.values,
        indices: sum.indices + part.bytes.indices,
        bounds: sum.bounds + part.bytes.bounds,
    });
    let (epochs, why) = (parts[0].epochs, parts[0].why);
    let model = match spread {
        Spread::Model if parts.len() > 1 => joined(&parts, partition),
        // Every worker has the whole one.
        _ => parts.swap_remove(0).model,
    };
    Ended { epochs, why, model, bytes }
}

/// The model of which each worker has its features.
fn joined(parts: &[Part], partition: &Partition) -> Model {
    let (first, features) = (&parts[0].model, partition.features());
    let mut coefficients = vec![0.0; first.outputs() * features];
    let mut scaling = first.scaling.as_ref().map(|_| vec![(0.0, 1.0); features]);
    for (rank, part) in parts.iter().enumerate() {
        let locals = part.model.coefficients.chunks_exact(partition.len(rank));
        for (all, local) in coefficients.chunks_exact_mut(features).zip(locals) {
            partition.scatter(rank, local, all);
        }
        if let (Some(all), Some(local)) = (&mut scaling, &part.model.scaling) {
            partition.scatter(rank, local, all);
        }
    }
    Model { features, coefficients, scaling, intercepts: first.intercepts.clone(), ..*first }
}

/// How a worker meets the others, if there are any.
enum Meeting {
    Alone(Alone),
    InProcess(InProcess),
}

impl Exchange for Meeting {
    type Error = PeerError;

    fn workers(&self) -> usize {
        match self {
            Self::Alone(alone) => alone.workers(),
            Self::InProcess(meeting) => meeting.workers(),
        }
    }

    fn rank(&self) -> usize {
        match self {
            Self::Alone(alone) => alone.rank(),
            Self::InProcess(meeting) => meeting.rank(),
        }
    }

    fn window(&self) -> usize {
        match self {
            Self::Alone(alone) => alone.window(),
            Self::InProcess(meeting) => meeting.window(),
        }
    }

    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<Ticket, PeerError> {
        match self {
            Self::Alone(alone) => alone.submit(partial).map_err(|never| match never {}),
            Self::InProcess(meeting) => meeting.submit(partial),
        }
    }

    fn collect<L: Lane>(&mut self, ticket: Ticket, full: &mut [L]) -> Result<Collected, PeerError> {
        match self {
            Self::Alone(alone) => alone.collect(ticket, full).map_err(|never| match never {}),
            Self::InProcess(meeting) => meeting.collect(ticket, full),
        }
    }
}
