//! What a model is tried on in the end: samples of another file. Whoever speaks for the workers does it alone, with the whole model and the features as they are.

use std::path::Path;

use netfold_data::{Format, IndexBase, Labels, Options, Source};

use super::flags::TrainFlags;
use super::part::{Known, Part, Share, place_of};
use super::score::Score;
use super::worker::{Learned, Stopped};
use crate::error::Error;

/// Before anything is trained: whether the file can be opened.
pub(crate) fn check(flags: &TrainFlags) -> Result<(), Error> {
    let Some(test) = &flags.test else { return Ok(()) };
    let opened = Source::with(test, Options { labels: place_of(flags.test_labels.as_deref()), ..Options::default() });
    opened.map(|_| ()).map_err(|why| Error::Usage(format!("--test: {why}")))
}

/// The share of the test's labels that the model finds; the coefficient of determination where labels are numbers.
pub(crate) fn score(flags: &TrainFlags, test: &Path, learned: &Learned) -> Result<f64, Stopped> {
    let model = &learned.model;
    let known = Known { features: Some(model.features), index_base: index_base(test, learned)? };
    let part = Part::open(test, flags.test_labels.as_deref(), known, Share::All, flags.memory)?;
    let (mut score, classes) = (Score::default(), learned.classes.as_ref());
    part.for_each(None, |block| {
        let right = block.coded(classes).map_err(|why| part.fault(why))?;
        score.count(model, &model.decision(block.samples()?)?, &right);
        Ok::<_, Stopped>(())
    })?;
    score.value(classes.is_some()).map_err(|why| part.fault(why).into())
}

/// Text does not say by itself from which number it counts, since not every file has the first feature: it counts as that of the samples did.
fn index_base(test: &Path, learned: &Learned) -> Result<IndexBase, Stopped> {
    // Only its format is looked at, wherever its labels are.
    let source = Source::with(test, Options { labels: Labels::Absent, ..Options::default() })?;
    Ok(if source.format() == Format::Libsvm { learned.index_base } else { IndexBase::Auto })
}
