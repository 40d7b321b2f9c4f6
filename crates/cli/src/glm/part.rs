//! A worker's part of a file of samples: held in memory, or read anew in every epoch, chunk by
//! chunk.

use std::path::{Path, PathBuf};

use netfold_data::{Bounds, Classes, Columns, Error, IndexBase, Labels, Options, Samples, Source};
use netfold_glm::{Extent, Partition, Spread};

use super::block::Block;
use super::precision::Signs;
use netfold_settings::Size;

/// Most different labels that name classes if some of them are no whole numbers.
const MOST_FRACTIONS: usize = 100;

/// A worker among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkerRank {
    pub rank: u16,
    pub size: u16,
}

/// Share that a worker has of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Share {
    /// All of it.
    All,
    /// Its features of all samples.
    Features(WorkerRank),
    /// All features of its samples, which are given out in turn.
    Rows(WorkerRank),
}

impl Share {
    /// Returns the worker's share of the training file.
    pub(crate) fn of(worker: WorkerRank, spread: Spread) -> Self {
        match spread {
            _ if worker.size == 1 => Self::All,
            Spread::Model => Self::Features(worker),
            Spread::Data => Self::Rows(worker),
        }
    }

    /// Returns the part of so many features that the share has: a partition, and the number of a
    /// part of it.
    fn partition(self, path: &Path, features: usize) -> Result<(Partition, usize), Error> {
        let (parts, number) = match self {
            Self::Features(worker) => (worker.size.into(), worker.rank.into()),
            Self::All | Self::Rows(_) => (1, 0),
        };
        if features < parts {
            let why = match features {
                0 => "it has no features; give a file of samples that have some".into(),
                _ => format!(
                    "{features} features are too few for --workers {parts}; give {features} at most"
                ),
            };
            return Err(Error::Layout { path: path.to_owned(), what: why });
        }
        let partition =
            Partition::dealt(features, parts).map_err(|why| Error::Invalid(why.to_string()))?;
        Ok((partition, number))
    }

    /// Its samples, of those of the file that have its features.
    fn take(self, block: Block) -> Block {
        match self {
            Self::All | Self::Features(_) => block,
            Self::Rows(worker) => block.every(worker.rank.into(), worker.size.into()),
        }
    }
}

/// Facts that are known of a file before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Number of features. Those that sparse rows have beyond it are dropped.
    pub features: Option<usize>,
    /// Number from which the indices of libsvm text count.
    pub index_base: IndexBase,
}

/// A file of samples, of which a worker has a share.
pub(crate) struct Part {
    path: PathBuf,
    source: Source,
    share: Share,
    /// The file may be larger than what is held at a time.
    chunked: bool,
    /// All of the share, once it is in memory.
    held: Option<Block>,
}

/// Findings from reading the whole file.
pub(crate) struct Survey {
    /// Its classes, in order, unless labels are numbers.
    pub classes: Option<Classes>,
    /// Number of samples in the file.
    pub rows: usize,
    /// Extent of the share's features over all samples, whichever worker has them; without bits to
    /// put them on, over the first chunk.
    pub extent: Extent,
    /// Signs of the values that `extent` covers.
    pub signs: Signs,
    /// The partition of the file's features, and the number of the share's part in it.
    pub partition: Partition,
    pub number: usize,
    /// Chunks by which it is read in every epoch, unless it is in memory.
    pub cut: Option<Cut>,
}

/// Cut of a file into chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub chunks: usize,
    /// Chunks come in an order that is drawn for each epoch. Some files can only be read from the
    /// beginning.
    pub shuffled: bool,
}

impl Part {
    /// Opens a file, of which at most `memory` bytes are held at a time. `labels`: where they are.
    pub(crate) fn open(
        path: &Path,
        labels: Labels,
        Known { features, index_base }: Known,
        share: Share,
        memory: Option<Size>,
    ) -> Result<Self, Error> {
        let columns = match share {
            Share::Features(worker) => {
                Columns::Dealt { first: worker.rank.into(), of: worker.size.into() }
            }
            Share::All | Share::Rows(_) => Columns::All,
        };
        let bytes = memory.map_or(usize::MAX, |Size(bytes)| bytes.try_into().unwrap_or(usize::MAX));
        let (beyond, bounds) = (features.is_some(), Bounds { bytes, ..Bounds::NONE });
        let options =
            Options { columns, labels, features, beyond, bounds, index_base, ..Options::default() };
        let source = Source::with(path, options)?;
        if let (Some(_), Some(instead)) = (memory, source.unbounded()) {
            let path = path.display();
            return Err(Error::Invalid(format!(
                "{path} must be in memory to be read; give it as {instead}, or leave out --memory"
            )));
        }
        Ok(Self { path: path.to_owned(), source, share, chunked: memory.is_some(), held: None })
    }

    /// The columns of a table that are neither features nor labels.
    pub(crate) fn left_out(&self) -> &[String] {
        self.source.left_out()
    }

    /// Returns the number from which the indices of its text count.
    pub(crate) fn index_base(&self) -> Result<IndexBase, Error> {
        Ok(self.source.index_base()?.unwrap_or_default())
    }

    /// Reads the file, and keeps it if it is a single chunk. `classify`: labels name classes.
    /// `scale`: features are to be put on bits.
    pub(crate) fn survey(&mut self, classify: bool, scale: bool) -> Result<Survey, Error> {
        let (mut classes, mut rows, mut chunks) = (Classes::default(), 0, 0);
        let (mut of_first, mut held) = (None::<(Extent, Partition, usize)>, None);
        let mut signs = Signs::default();
        for chunk in self.chunks(None)? {
            let chunk = chunk?;
            if chunk.is_empty() {
                continue;
            }
            if classify {
                classes.include(chunk.labels()).map_err(|why| self.fault(why))?;
            }
            rows += chunk.rows();
            chunks += 1;
            let block = Block::of(chunk);
            match &mut of_first {
                None => {
                    let (partition, number) =
                        self.share.partition(&self.path, self.source.features()?)?;
                    let samples = block.samples().map_err(|why| self.fault(why))?;
                    signs.see(samples);
                    of_first = Some((Extent::of(samples), partition, number));
                }
                Some((extent, ..)) if scale => {
                    let samples = block.samples().map_err(|why| self.fault(why))?;
                    signs.see(samples);
                    extent.see(samples).map_err(|why| self.fault(why))?;
                }
                Some(_) => {}
            }
            held = (chunks == 1).then(|| self.share.take(block));
        }
        let (extent, partition, number) =
            of_first.ok_or_else(|| self.fault("it has no samples; give a file that has some"))?;
        if classify {
            self.check(&classes)?;
        }
        self.held = held;
        let cut = match self.held {
            Some(_) => None,
            None => Some(Cut { chunks, shuffled: self.shuffled()? }),
        };
        Ok(Survey {
            classes: classify.then_some(classes),
            rows,
            extent,
            signs,
            partition,
            number,
            cut,
        })
    }

    /// Refuses labels that name no classes.
    fn check(&self, classes: &Classes) -> Result<(), Error> {
        let labels = classes.labels();
        if let [label] = labels {
            return Err(self.fault(format!(
                "all labels are {label}; a classifier needs two classes at least"
            )));
        }
        match labels.iter().find(|label| label.fract() != 0.0) {
            Some(label) if labels.len() > MOST_FRACTIONS => Err(self.fault(format!(
                "{} different labels, such as {label}, are numbers and no classes; use --loss squared",
                labels.len()
            ))),
            _ => Ok(()),
        }
    }

    /// Returns an error that names the fault of the file.
    pub(crate) fn fault(&self, why: impl ToString) -> Error {
        Error::Layout { path: self.path.clone(), what: why.to_string() }
    }

    /// The samples, if they are in memory.
    pub(crate) fn held(&self) -> Option<&Block> {
        self.held.as_ref()
    }

    /// Calls `each` with every chunk, one at a time: in an order drawn from `seed`, or in the
    /// file's.
    pub(crate) fn for_each<E: From<Error>>(
        &self,
        seed: Option<u64>,
        mut each: impl FnMut(&Block) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some(block) = &self.held {
            return each(block);
        }
        for chunk in self.chunks(seed)? {
            each(&self.share.take(Block::of(chunk?)))?;
        }
        Ok(())
    }

    fn chunks(
        &self,
        seed: Option<u64>,
    ) -> Result<Box<dyn Iterator<Item = Result<Samples, Error>> + '_>, Error> {
        Ok(match seed {
            // At once: text is then read once, since nobody asks first how wide it is.
            _ if !self.chunked => Box::new(std::iter::once(self.source.read())),
            None => Box::new(self.source.open()?),
            Some(seed) => Box::new(self.source.open_shuffled(seed)?),
        })
    }

    fn shuffled(&self) -> Result<bool, Error> {
        match self.source.open_shuffled(0) {
            Ok(_) => Ok(true),
            Err(Error::InOrderOnly { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Says which columns of a table are neither features nor labels.
pub(crate) fn tell_left_out(path: &Path, left_out: &[String]) {
    if !left_out.is_empty() {
        eprintln!("{}: columns left out: {}", path.display(), left_out.join(", "));
    }
}
