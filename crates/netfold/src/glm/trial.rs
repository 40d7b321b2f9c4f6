//! What a model is tried on in the end: samples of another file. Whoever speaks for the workers does it alone, with the whole model and the features as they are.

use std::path::Path;

use netfold_data::{Format, IndexBase, Labels, Options, Source};

use super::flags::TrainFlags;
use super::part::{Known, Part, Share};
use super::score::Score;
use super::worker::{Learned, Stopped};
use crate::error::Error;

/// Before anything is trained: whether the file can be opened.
pub(crate) fn check(flags: &TrainFlags) -> Result<(), Error> {
    let Some(test) = &flags.test else { return Ok(()) };
    let opened = format(test).and_then(|format| {
        let labels = flags.place_in_test(format);
        Source::with(test, Options { labels, ..Options::default() })
    });
    opened.map(|_| ()).map_err(|why| Error::Usage(format!("--test: {why}")))
}

/// The share of the test's labels that the model finds; the coefficient of determination where labels are numbers.
pub(crate) fn score(flags: &TrainFlags, test: &Path, learned: &Learned) -> Result<f64, Stopped> {
    let model = &learned.model;
    let format = format(test)?;
    // Text does not say by itself from which number it counts, since not every file has the first feature: it counts as that of the samples did.
    let index_base = if format == Format::Libsvm { learned.index_base } else { IndexBase::Auto };
    let known = Known { features: Some(model.features), index_base };
    let part = Part::open(test, flags.place_in_test(format), known, Share::All, flags.memory)?;
    let (mut score, classes) = (Score::default(), learned.classes.as_ref());
    part.for_each(None, |block| {
        let right = block.coded(classes).map_err(|why| part.fault(why))?;
        score.count(model, &model.decision(block.samples()?)?, &right);
        Ok::<_, Stopped>(())
    })?;
    score.value(classes.is_some()).map_err(|why| part.fault(why).into())
}

/// Only the format is looked at, wherever the labels are.
fn format(test: &Path) -> Result<Format, netfold_data::Error> {
    Ok(Source::with(test, Options { labels: Labels::Absent, ..Options::default() })?.format())
}
