//! Trial of a model in the end, on samples of another file. The process that speaks for the workers
//! does it alone, with the whole model and the features as they are.

use std::path::Path;

use netfold_data::{Field, Format, IndexBase, Options, Source};

use super::flags::TrainFlags;
use super::part::{Known, Part, Share, tell_left_out};
use super::score::Score;
use super::worker::{Learned, Stopped};
use crate::error::Error;

/// Checks, before anything is trained, that the file can be opened, and, where tables have names,
/// that it has the samples' features.
pub(crate) fn check(flags: &TrainFlags) -> Result<(), Error> {
    let Some(test) = &flags.test else { return Ok(()) };
    opened(flags, test).map_err(|why| Error::Usage(format!("--test: {why}")))
}

fn opened(flags: &TrainFlags, test: &Path) -> Result<(), netfold_data::Error> {
    let with = |path: &Path, labels| Source::with(path, Options { labels, ..Options::default() });
    let source = with(test, flags.place_in_test(Source::format_of(test)?))?;
    tell_left_out(test, source.left_out());
    let fields = source.fields();
    if fields.is_empty() {
        return Ok(());
    }
    // What cannot be opened is told when it is to be trained on.
    let samples =
        with(&flags.file, flags.place()).map_or_else(|_| Vec::new(), |samples| samples.fields());
    match difference(&samples, &fields) {
        Some(what) if !samples.is_empty() => {
            Err(netfold_data::Error::Layout { path: test.into(), what })
        }
        _ => Ok(()),
    }
}

/// The first feature that a test has in another place than the samples.
fn difference(samples: &[Field], test: &[Field]) -> Option<String> {
    let place =
        (0..samples.len().max(test.len())).find(|&place| samples.get(place) != test.get(place))?;
    let named = |fields: &[Field]| match fields.get(place) {
        None => "no more features".to_owned(),
        Some(Field { name, features: 1 }) => format!("`{name}`"),
        Some(Field { name, features }) => format!("`{name}` (a vector of {features})"),
    };
    let (found, needed) = (named(test), named(samples));
    Some(format!(
        "it has {found} where the samples have {needed}; give the same columns in the same order"
    ))
}

/// The share of the test's labels that the model finds; the coefficient of determination where
/// labels are numbers.
pub(crate) fn score(flags: &TrainFlags, test: &Path, learned: &Learned) -> Result<f64, Stopped> {
    let model = &learned.model;
    let format = Source::format_of(test)?;
    // Text does not say by itself from which number it counts, since not every file has the first
    // feature: it counts as that of the samples did.
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
