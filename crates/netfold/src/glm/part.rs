//! A worker's part of a file of samples: held in memory, or read anew in every epoch, chunk by chunk.

use std::path::Path;

use netfold_data::{Bounds, Classes, Columns, Error, IndexBase, Labels, Options, Samples, Source};
use netfold_glm::{Extent, Partition, Spread};

use super::block::Block;
use crate::size::Size;

/// A worker among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    pub rank: u16,
    pub size: u16,
}

/// What a worker has of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Share {
    /// All of it.
    All,
    /// Its features of all samples.
    Features(Seat),
    /// All features of its samples, which are given out in turn.
    Rows(Seat),
}

impl Share {
    /// Of what is trained on.
    pub(crate) fn of(seat: Seat, spread: Spread) -> Self {
        match spread {
            _ if seat.size == 1 => Self::All,
            Spread::Model => Self::Features(seat),
            Spread::Data => Self::Rows(seat),
        }
    }

    /// Which of so many features it has: a partition, and a part of it.
    fn partition(self, features: usize) -> Result<(Partition, usize), Error> {
        let (parts, number) = match self {
            Self::Features(seat) => (seat.size.into(), seat.rank.into()),
            Self::All | Self::Rows(_) => (1, 0),
        };
        let partition = Partition::dealt(features, parts).map_err(|why| Error::Invalid(why.to_string()))?;
        Ok((partition, number))
    }

    /// Its samples, of those of the file that have its features.
    fn take(self, block: Block) -> Block {
        match self {
            Self::All | Self::Features(_) => block,
            Self::Rows(seat) => block.every(seat.rank.into(), seat.size.into()),
        }
    }
}

/// What is known of a file before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// How many features there are; what sparse rows have beyond is dropped.
    pub features: Option<usize>,
    /// From which number the indices of libsvm text count.
    pub index_base: IndexBase,
}

/// Where labels are: in the file that is given for them, or with the samples.
pub(crate) fn place_of(labels: Option<&Path>) -> Labels {
    labels.map_or(Labels::Usual, |file| Labels::File(file.into()))
}

/// A file of samples, of which a worker has a share.
pub(crate) struct Part {
    source: Source,
    share: Share,
    /// Whether it may be larger than what is held at a time.
    chunked: bool,
    /// All of the share, once it is in memory.
    held: Option<Block>,
}

/// What has been found out by reading the whole file.
pub(crate) struct Survey {
    /// Its classes, in order, unless labels are numbers.
    pub classes: Option<Classes>,
    /// How many samples it has.
    pub rows: usize,
    /// How far the features of the share reach over all samples, whoever has those; without bits to put them on, over the first chunk.
    pub extent: Extent,
    /// Which of the file's features the share has, and its number among the parts.
    pub partition: Partition,
    pub number: usize,
    /// How it is read in every epoch, unless it is in memory.
    pub cut: Option<Cut>,
}

/// How a file is cut into chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub chunks: usize,
    /// Whether they come in an order that is drawn for each epoch. Some files can only be read from the beginning.
    pub shuffled: bool,
}

impl Part {
    /// Opens a file, of which at most `memory` bytes are held at a time. `labels`: the file that has them, if that is another.
    pub(crate) fn open(
        path: &Path,
        labels: Option<&Path>,
        Known { features, index_base }: Known,
        share: Share,
        memory: Option<Size>,
    ) -> Result<Self, Error> {
        let columns = match share {
            Share::Features(seat) => Columns::Dealt { first: seat.rank.into(), of: seat.size.into() },
            Share::All | Share::Rows(_) => Columns::All,
        };
        let bytes = memory.map_or(usize::MAX, |Size(bytes)| bytes.try_into().unwrap_or(usize::MAX));
        let (labels, bounds) = (place_of(labels), Bounds { bytes, ..Bounds::NONE });
        let beyond = features.is_some();
        let options = Options { columns, labels, features, beyond, bounds, index_base, ..Options::default() };
        let source = Source::with(path, options)?;
        if let (Some(_), Some(instead)) = (memory, source.unbounded()) {
            let path = path.display();
            return Err(Error::Invalid(format!(
                "{path} must be in memory to be read; give it as {instead}, or leave out --memory"
            )));
        }
        Ok(Self { source, share, chunked: memory.is_some(), held: None })
    }

    /// From which number the indices of its text count.
    pub(crate) fn index_base(&self) -> Result<IndexBase, Error> {
        Ok(self.source.index_base()?.unwrap_or_default())
    }

    /// Reads the file, and keeps it if it is a single chunk. `classify`: labels name classes. `scale`: features are to be put on bits.
    pub(crate) fn survey(&mut self, classify: bool, scale: bool) -> Result<Survey, Error> {
        let (mut classes, mut rows, mut chunks) = (Classes::default(), 0, 0);
        let (mut extent, mut held) = (None::<Extent>, None);
        for chunk in self.chunks(None)? {
            let chunk = chunk?;
            if classify {
                classes.include(chunk.labels())?;
            }
            rows += chunk.rows();
            chunks += 1;
            let block = Block::of(chunk);
            let seen = match &mut extent {
                None => block.samples().map(|samples| extent = Some(Extent::of(samples))),
                Some(extent) if scale => block.samples().and_then(|samples| extent.see(samples)),
                Some(_) => Ok(()),
            };
            seen.map_err(|why| Error::Invalid(why.to_string()))?;
            held = (chunks == 1).then(|| self.share.take(block));
        }
        let extent = extent.ok_or_else(|| Error::Invalid("the file has no samples; give one that has some".into()))?;
        let (partition, number) = self.share.partition(self.source.features()?)?;
        self.held = held;
        let cut = match self.held {
            Some(_) => None,
            None => Some(Cut { chunks, shuffled: self.shuffled()? }),
        };
        Ok(Survey { classes: classify.then_some(classes), rows, extent, partition, number, cut })
    }

    /// The samples, if they are in memory.
    pub(crate) fn held(&self) -> Option<&Block> {
        self.held.as_ref()
    }

    /// Calls `each` with every chunk, one at a time: in an order drawn from `seed`, or in the file's.
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

    fn chunks(&self, seed: Option<u64>) -> Result<Box<dyn Iterator<Item = Result<Samples, Error>> + '_>, Error> {
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
