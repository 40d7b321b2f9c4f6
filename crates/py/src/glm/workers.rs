//! Workers in threads of this process, each with its part of the samples.

use std::ops::ControlFlow;
use std::time::Duration;

use netfold_glm::{
    Alone, Bytes, Collected, Csr, Data, Dense, Epoch, Error, Exchange, Extent, FeatureScaling,
    InProcess, Lane, Model, Partition, PeerError, Precision, Progress, Quantisation, RowNumbers,
    Samples, Scaling, Spread, SubmissionId, Trainer, Why,
};

use super::samples::PyGlmSamples;
use super::settings::Plan;

/// Time for which a worker waits for the others: longer than a callback may take. A worker that is
/// gone is noticed at once.
const WAIT_LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Coefficients to begin with.
pub(crate) struct Begin {
    pub(crate) coefficients: Vec<f32>,
    pub(crate) intercepts: Vec<f64>,
    /// Low and span of each feature, if few bits are to be on that grid.
    pub(crate) scaling: Option<Vec<(f32, f32)>>,
    /// None to begin with the first step.
    pub(crate) progress: Option<Progress>,
}

/// Kind of run over samples.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Epochs until it is enough.
    Fit,
    /// One pass.
    Epoch,
}

/// Outcome of a run.
pub(crate) struct Ended {
    pub(crate) epochs: usize,
    pub(crate) why: Why,
    pub(crate) model: Model,
    /// Bytes of all workers' samples.
    pub(crate) bytes: Bytes,
    pub(crate) progress: Progress,
}

/// The workers of a model. After an error they are gone, unless samples were refused before they
/// began.
pub(crate) struct Team {
    plan: Plan,
    begin: Option<Begin>,
    /// Precision of the first samples.
    precision: Option<Precision>,
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

/// A worker's share of the outcome of a run.
struct Part {
    epochs: usize,
    why: Why,
    model: Model,
    bytes: Bytes,
    progress: Progress,
}

impl Team {
    pub(crate) fn new(plan: Plan, begin: Option<Begin>) -> Self {
        let meetings = match plan.workers {
            1 => vec![Meeting::Alone(Alone)],
            workers => InProcess::new(workers, plan.engines, WAIT_LIMIT)
                .into_iter()
                .map(Meeting::InProcess)
                .collect(),
        };
        Self {
            plan,
            begin,
            precision: None,
            workers: Some(meetings.into_iter().map(Worker::New).collect()),
        }
    }

    /// Trains on samples. `after_epoch` is called on this thread, by the first worker.
    pub(crate) fn run(
        &mut self,
        samples: &PyGlmSamples,
        run: Run,
        after_epoch: impl FnMut(&Epoch) -> ControlFlow<()>,
    ) -> Result<Ended, Error> {
        let partition = partition(samples, self.plan)?;
        let whole = samples.samples()?;
        // Together they have as many rows.
        let targets = samples.targets()?;
        if targets.len() != whole.rows() {
            return Err(Error::Shape {
                what: "targets",
                found: targets.len(),
                expected: whole.rows(),
            });
        }
        let plan = self.plan;
        let precision = match self.precision {
            Some(of_first) => of_first,
            None => plan.precision(whole)?,
        };
        if let Precision::Bits(Quantisation { scaling: Scaling::Unit, keeps_zero: true, .. }) =
            precision
            && whole.below_zero()
        {
            return Err(Error::Together(
                "values below 0 do not suit the scaling `unit` where 0 stays 0; begin with `symmetric`",
            ));
        }
        // Taken out, so that they are gone unless the run ends well.
        let Some(workers) = self.workers.take() else {
            return Err(Error::Together("this trainer has failed before; make another one"));
        };
        self.precision = Some(precision);
        // No worker sees all samples when they are spread, but their grid is that of all
        // (R-GLM-19).
        let extent = match (precision, plan.config.spread, &workers[0]) {
            (Precision::Bits(_), Spread::Data, Worker::New(_)) => Some(Extent::of(whole)),
            _ => None,
        };
        let begin = self.begin.as_ref();
        let task =
            Task { plan, precision, begin, partition: &partition, samples, whole, extent, run };
        let task = &task;
        let results: Vec<Result<(Worker, Part), Error>> = std::thread::scope(|scope| {
            let mut workers = workers.into_iter().enumerate();
            let first = workers.next().expect("there is a worker");
            let quiet = |_: &Epoch| ControlFlow::Continue(());
            let others: Vec<_> = workers
                .map(|(rank, worker)| scope.spawn(move || task.carry_out(rank, worker, quiet)))
                .collect();
            let first = task.carry_out(first.0, first.1, after_epoch);
            let others =
                others.into_iter().map(|thread| thread.join().unwrap_or(Err(Error::EngineLost)));
            std::iter::once(first).chain(others).collect()
        });
        let (workers, parts): (Vec<_>, Vec<_>) = in_order(results)?.into_iter().unzip();
        self.workers = Some(workers);
        Ok(whole_of(parts, &partition))
    }

    /// Returns whether they can go on.
    pub(crate) fn is_whole(&self) -> bool {
        self.workers.is_some()
    }

    /// Ends them.
    pub(crate) fn dismiss(&mut self) {
        self.workers = None;
    }
}

/// Task that the workers of a team do together.
struct Task<'a> {
    plan: Plan,
    /// Precision of samples that are not held like earlier ones.
    precision: Precision,
    begin: Option<&'a Begin>,
    partition: &'a Partition,
    samples: &'a PyGlmSamples,
    whole: Samples<'a>,
    /// Extent of the whole, if workers would each see a share of its rows and must hold them on one
    /// grid.
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
        let (own, first_own, targets) = match plan.config.spread {
            _ if plan.workers == 1 => (whole, 0, samples.targets()?),
            Spread::Data => {
                share = samples.share(rank, plan.workers);
                (share.samples()?, share.first_row(), share.targets()?)
            }
            Spread::Model => {
                cut = partition.cut(whole, rank)?;
                (cut.view(), 0, samples.targets()?)
            }
        };
        let (part, known) =
            (self.part(rank), self.begin.and_then(|begin| begin.scaling.as_deref()));
        let rows = RowNumbers::from(self.first_row(&worker) + first_own as u64);
        let data = match (&worker, precision, known, &self.extent) {
            (Worker::Training(training), ..) => training.pattern.like_rows(own, rows)?,
            (Worker::New(_), Precision::Bits(_), Some(known), _) => {
                let (found, expected) = (known.len(), partition.features());
                if found != expected {
                    return Err(Error::Shape { what: "features of the scaling", found, expected });
                }
                let (known, sparse) = (partition.gather(part, known), samples.is_sparse());
                Data::on_scaling(&known, sparse, precision, plan.engines, partition, part)?
                    .like_rows(own, rows)?
            }
            (Worker::New(_), _, _, Some(extent)) => {
                Data::over(extent, precision, plan.engines, partition, part)?
                    .like_rows(own, rows)?
            }
            _ => Data::part(own, precision, plan.engines, partition, part)?,
        };
        let mut training = match worker {
            Worker::Training(training) => training,
            Worker::New(meeting) => {
                let mut trainer = Trainer::new(plan.config, &data, &targets, meeting)?;
                if let Some(begin) = self.begin {
                    trainer
                        .warm_start(&self.local(rank, &begin.coefficients), &begin.intercepts)?;
                    if let Some(progress) = begin.progress {
                        trainer.resume(progress)?;
                    }
                }
                Box::new(Training {
                    trainer,
                    pattern: data.like(no_rows(&data, samples.is_sparse())?)?,
                })
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
        let progress = trainer.progress();
        let part = Part { epochs, why, model: trainer.model()?, bytes: data.bytes(), progress };
        Ok((Worker::Training(training), part))
    }

    /// The number of these samples' first row (R-GLM-20). Samples of earlier calls have lower ones:
    /// a step is taken for each mini-batch of them, full or not.
    fn first_row(&self, worker: &Worker) -> u64 {
        let progress = match (self.run, worker) {
            (Run::Fit, _) => None,
            (Run::Epoch, Worker::Training(training)) => Some(training.trainer.progress()),
            (Run::Epoch, Worker::New(_)) => self.begin.and_then(|begin| begin.progress),
        };
        progress.map_or(0, |progress| progress.steps.saturating_mul(self.plan.config.batch as u64))
    }

    /// A worker's share of coefficients.
    fn local(&self, rank: usize, coefficients: &[f32]) -> Vec<f32> {
        let outputs = coefficients.chunks_exact(self.partition.features());
        outputs.flat_map(|output| self.partition.gather(self.part(rank), output)).collect()
    }

    /// The part of the features that a worker has.
    fn part(&self, rank: usize) -> usize {
        if self.partition.parts() == 1 { 0 } else { rank }
    }
}

/// Returns the partition of the features. Sparse features are dealt, since frequent ones often
/// stand together. Where samples are split, every worker has all features.
fn partition(samples: &PyGlmSamples, plan: Plan) -> Result<Partition, Error> {
    let parts = match plan.config.spread {
        Spread::Model => plan.workers,
        Spread::Data => 1,
    };
    let features = samples.features();
    if parts > features {
        let needed = format!("1 to {features}: each needs one of the {features} features");
        return Err(Error::Setting { what: "workers", found: parts.to_string(), needed });
    }
    if samples.is_sparse() {
        Partition::dealt(features, parts)
    } else {
        Partition::contiguous(features, parts)
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

/// Joins the outcomes of the workers into one.
fn whole_of(mut parts: Vec<Part>, partition: &Partition) -> Ended {
    let bytes = parts.iter().fold(Bytes::default(), |sum, part| Bytes {
        values: sum.values + part.bytes.values,
        indices: sum.indices + part.bytes.indices,
        bounds: sum.bounds + part.bytes.bounds,
    });
    let &Part { epochs, why, progress, .. } = &parts[0];
    // Every worker has the whole one if there is a single part.
    let model =
        if partition.parts() > 1 { joined(&parts, partition) } else { parts.swap_remove(0).model };
    Ended { epochs, why, model, bytes, progress }
}

/// The model of which each worker has its features.
fn joined(parts: &[Part], partition: &Partition) -> Model {
    let (first, features) = (&parts[0].model, partition.features());
    let mut coefficients = vec![0.0; first.outputs() * features];
    let mut scaling = first
        .scaling
        .as_ref()
        .map(|scaling| FeatureScaling { kind: scaling.kind, features: vec![(0.0, 1.0); features] });
    for (rank, part) in parts.iter().enumerate() {
        let locals = part.model.coefficients.chunks_exact(partition.len(rank));
        for (all, local) in coefficients.chunks_exact_mut(features).zip(locals) {
            partition.scatter(rank, local, all);
        }
        if let (Some(all), Some(local)) = (&mut scaling, &part.model.scaling) {
            partition.scatter(rank, &local.features, &mut all.features);
        }
    }
    Model { features, coefficients, scaling, intercepts: first.intercepts.clone(), ..*first }
}

/// Exchange of a worker with the others, if there are any.
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

    fn workers_here(&self) -> usize {
        match self {
            Self::Alone(alone) => alone.workers_here(),
            Self::InProcess(meeting) => meeting.workers_here(),
        }
    }

    fn window(&self) -> usize {
        match self {
            Self::Alone(alone) => alone.window(),
            Self::InProcess(meeting) => meeting.window(),
        }
    }

    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<SubmissionId, PeerError> {
        match self {
            Self::Alone(alone) => alone.submit(partial).map_err(|never| match never {}),
            Self::InProcess(meeting) => meeting.submit(partial),
        }
    }

    fn collect<L: Lane>(
        &mut self,
        submission: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, PeerError> {
        match self {
            Self::Alone(alone) => alone.collect(submission, full).map_err(|never| match never {}),
            Self::InProcess(meeting) => meeting.collect(submission, full),
        }
    }
}
