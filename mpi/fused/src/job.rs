//! The job that an MPI communicator is, and its chains.

use std::collections::HashMap;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use netfold::{Arithmetic, Communicator, Element, Operations, Token, TypedOperation};
use netfold_ops::{Limits, Operation, Runtime};

use crate::chain::Chain;
use crate::error::Error;

/// The longest that a program's MPI stands still while a chain runs.
const PROGRESS: Duration = Duration::from_micros(200);

/// Input of a group of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The bytes of its elements; of rows, all that lie where counts and displacements say.
    pub bytes: &'a [u8],
    /// Of rows: the number for each rank, and where they begin, both in elements.
    pub rows: Option<Rows<'a>>,
}

/// Numbers of rows for each rank, and where they are.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The numbers.
    pub counts: &'a [i32],
    /// The element of the buffer at which those of a rank begin.
    pub displacements: &'a [i32],
}

/// A job that all ranks of a communicator have joined.
pub struct Job {
    communicator: Communicator,
    chains: HashMap<String, Prepared>,
}

struct Prepared {
    chain: Chain,
    fused: Option<netfold::Fused>,
    /// Results of the last run that nobody has taken.
    kept: Vec<Option<Vec<u8>>>,
}

impl Job {
    /// Joins a job as one of its ranks, with its token if it has one, and with operations as
    /// modules. All ranks bring the same ones.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Operation`], and [`Error::Job`].
    pub fn join(
        switch: &str,
        name: &str,
        (rank, size): (i32, i32),
        token: Option<Token>,
        modules: &[&[u8]],
    ) -> Result<Self, Error> {
        let of_job = |number: i32| u16::try_from(number).ok().filter(|number| *number <= 32767);
        let (Some(own), Some(all)) = (of_job(rank), of_job(size)) else {
            return Err(Error::Rank { rank, size });
        };
        let mut connect = netfold::connect(switch, name, own, all).arithmetic(Arithmetic::Native);
        if let Some(token) = token {
            connect = connect.token(token);
        }
        let communicator = connect.operations(operations(modules)?).join()?;
        Ok(Self { communicator, chains: HashMap::new() })
    }

    /// Returns the number of ranks.
    pub fn size(&self) -> usize {
        self.communicator.size().into()
    }

    /// Runs a chain, and keeps its results for [`Job::take`] and [`Job::take_rows`].
    ///
    /// # Errors
    /// An [`Error`] names the fault in the chain or the inputs, before anything is sent, or the
    /// reason for which the job failed.
    pub fn run(&mut self, text: &str, inputs: &[Input<'_>]) -> Result<(), Error> {
        if !self.chains.contains_key(text) {
            let chain = Chain::parse(text)?;
            let fused = if chain.is_rows() {
                None
            } else {
                Some(self.communicator.fused(&chain.stages(&self.communicator)?)?)
            };
            self.chains.insert(text.to_owned(), Prepared { chain, fused, kept: Vec::new() });
        }
        let prepared = &self.chains[text];
        let kept = match &prepared.fused {
            None => self.exchange(&prepared.chain, inputs)?,
            Some(fused) => carry_out(&prepared.chain, fused, inputs)?,
        };
        self.chains.get_mut(text).expect("it was put there").kept = kept;
        Ok(())
    }

    /// Takes a result of the last run of a chain, once. It is empty where this rank has none.
    ///
    /// # Errors
    /// [`Error::Taken`].
    pub fn take(&mut self, text: &str, at: usize) -> Result<Vec<u8>, Error> {
        let kept = self.chains.get_mut(text).and_then(|prepared| prepared.kept.get_mut(at));
        kept.and_then(Option::take).ok_or_else(|| Error::Taken { chain: text.to_owned(), at })
    }

    /// Takes the rows that a chain has received, and puts them where displacements say.
    ///
    /// # Errors
    /// [`Error::Taken`], and [`Error::Number`] if the counts are not those of the rows.
    pub fn take_rows(
        &mut self,
        text: &str,
        at: usize,
        rows: Rows<'_>,
        mut put: impl FnMut(usize, &[u8]),
    ) -> Result<(), Error> {
        let unit = Chain::parse(text)?.element_bytes();
        let spans = spans(text, rows, unit)?;
        let all = self.take(text, at)?;
        let needed: usize = spans.iter().map(|(_, length)| length).sum();
        if needed != all.len() {
            let (needed, given) = (all.len() / unit, needed / unit);
            return Err(Error::Number { chain: text.to_owned(), what: "elements", needed, given });
        }
        let mut rest = &all[..];
        for (start, length) in spans {
            let (row, others) = rest.split_at(length);
            put(start, row);
            rest = others;
        }
        Ok(())
    }

    /// Leaves the job.
    pub fn close(&self) {
        self.communicator.close();
    }

    /// An exchange of rows: their numbers first, by an all-gather, then the rows.
    fn exchange(&self, chain: &Chain, inputs: &[Input<'_>]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let (size, unit) = (self.size(), chain.element_bytes());
        let &[Input { bytes, rows: Some(rows) }] = inputs else {
            return Err(number(chain, "inputs of rows", 1, inputs.len()));
        };
        if rows.counts.len() != size {
            return Err(number(chain, "counts", size, rows.counts.len()));
        }
        let mut packed = Vec::new();
        for (start, length) in spans(&chain.text, rows, unit)? {
            if length == 0 {
                continue; // it may be said to begin anywhere
            }
            let row = bytes.get(start..start + length);
            packed.extend(row.ok_or_else(|| number(chain, "bytes", start + length, bytes.len()))?);
        }
        let mut counts = vec![0_i32; size * size];
        self.communicator.all_gather(rows.counts, &mut counts)?;
        let lengths = counts.iter().map(|count| usize::try_from(*count).map(|it| it * unit));
        let lengths = lengths.collect::<Result<Vec<_>, _>>();
        let lengths = lengths.map_err(|_| Error::Negative(chain.text.clone()))?;
        let own = usize::from(self.communicator.rank());
        let received: Vec<i32> = counts.iter().skip(own).step_by(size).copied().collect();
        let expected = lengths.iter().skip(own).step_by(size).sum();
        let mut output = vec![0_u8; expected];
        self.communicator.all_to_all_v(&packed, &mut output, &lengths)?;
        Ok(vec![Some(cast_slice(&received).to_vec()), Some(output)])
    }
}

/// Does something while this thread makes `progress`, from time to time: what a program's MPI has
/// under way goes on only in calls of MPI, and another rank may wait for it before it joins or runs
/// the chain.
///
/// # Errors
/// Those of `work`.
pub fn beside<T: Send>(
    progress: impl Fn(),
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let (done, outcome) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Whoever waits is there as long as the scope is.
            let _ = done.send(work());
        });
        loop {
            match outcome.recv_timeout(PROGRESS) {
                Ok(outcome) => return outcome,
                Err(mpsc::RecvTimeoutError::Timeout) => progress(),
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Error::Panic),
            }
        }
    })
}

fn operations(modules: &[&[u8]]) -> Result<Operations, Error> {
    if modules.is_empty() {
        return Ok(Operations::default());
    }
    let wrong = |at: usize, source: Box<dyn std::error::Error + Send + Sync>| Error::Operation {
        at,
        source,
    };
    let runtime = Runtime::new().map_err(|error| wrong(0, error.into()))?;
    let mut all: Vec<Arc<dyn TypedOperation>> = Vec::new();
    for (at, module) in modules.iter().enumerate() {
        let loaded = Operation::load(&runtime, module, &Limits::default());
        all.push(Arc::new(loaded.map_err(|error| wrong(at, error.into()))?));
    }
    Operations::new(all).map_err(|error| wrong(modules.len(), error.into()))
}

fn number(chain: &Chain, what: &'static str, needed: usize, given: usize) -> Error {
    Error::Number { chain: chain.text.clone(), what, needed, given }
}

/// Returns where the rows of each rank begin, and how long they are, in bytes.
fn spans(chain: &str, rows: Rows<'_>, unit: usize) -> Result<Vec<(usize, usize)>, Error> {
    let both = rows.displacements.iter().zip(rows.counts);
    both.map(|(start, count)| {
        let start = usize::try_from(*start).map_err(|_| Error::Negative(chain.to_owned()))?;
        let count = usize::try_from(*count).map_err(|_| Error::Negative(chain.to_owned()))?;
        Ok((start * unit, count * unit))
    })
    .collect()
}

fn carry_out(
    chain: &Chain,
    fused: &netfold::Fused,
    inputs: &[Input<'_>],
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    match chain.element() {
        "f32" => run::<f32>(chain, fused, inputs),
        "f64" => run::<f64>(chain, fused, inputs),
        "i32" => run::<i32>(chain, fused, inputs),
        "i64" => run::<i64>(chain, fused, inputs),
        other if other != "u8" && chain.folds() => {
            let why = format!("netfold does not fold {other}");
            Err(Error::Stage { chain: chain.text.clone(), stage: chain.text.clone(), why })
        }
        // What is only moved travels as bytes.
        _ => run::<u8>(chain, fused, inputs),
    }
}

fn run<T: Element + Pod>(
    chain: &Chain,
    fused: &netfold::Fused,
    inputs: &[Input<'_>],
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    if inputs.len() != fused.inputs() {
        return Err(number(chain, "inputs", fused.inputs(), inputs.len()));
    }
    let aligned: Vec<Vec<T>> = inputs.iter().map(|input| aligned(input.bytes)).collect();
    let slices: Vec<&[T]> = aligned.iter().map(Vec::as_slice).collect();
    let results = fused.run(&slices)?;
    Ok(results
        .into_iter()
        .map(|result| Some(result.map_or_else(Vec::new, |it| cast_slice(&it).to_vec())))
        .collect())
}

/// Returns elements from bytes of a program's buffer, which may lie anywhere.
fn aligned<T: Pod>(bytes: &[u8]) -> Vec<T> {
    let mut elements = vec![T::zeroed(); bytes.len() / size_of::<T>()];
    cast_slice_mut(&mut elements).copy_from_slice(bytes);
    elements
}
