//! The papers' figures, by simulation.
//!
//! A plan is a file: what is simulated, the paper's numbers with the sections that they stand in,
//! and the reason for each difference. This code knows how each kind of figure is made out of runs;
//! it has no number of a paper in it. What a paper does not state as a number is not read off its
//! plots: claims that it states in words are compared instead.
//!
//! Open [`Plan`] first; it gives [`Figures`].

mod collectives;
mod convolution;
mod figures;
mod iteration;
mod layers;
mod loss;
mod pool;
mod rack;
mod rate;
mod replay;
mod scale_out;
mod scaling;
mod tables;
pub(crate) mod times;
mod vary;

use std::num::NonZero;

use serde::Deserialize;
use toml::{Table, Value};

use crate::calibration::Calibration;
use crate::cluster::Cluster;
use crate::error::Error;
use crate::setup::Setup;
use crate::sweep;

pub use figures::{Cell, Compared, Curve, Figures, Plot, Scale, Sheet};
use figures::{Claim, Values};
use vary::Vary;

/// A figure or a table of a paper, and what it is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its subject.
    pub title: String,
    /// The paper, and the place in it.
    pub paper: String,
    claims: Vec<Claim>,
    kind: Kind,
    vary: Vec<(Vary, Vec<Kind>)>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "figure", rename_all = "snake_case")]
enum Kind {
    Rate(rate::Rate),
    Replay(replay::Replay),
    Loss(loss::Loss),
    Pool(pool::Pool),
    Layers(layers::Layers),
    Iteration(iteration::Iteration),
    ScaleOut(scale_out::ScaleOut),
    Scaling(scaling::Scaling),
    Tables(tables::Tables),
    Collectives(collectives::Collectives),
    Convolution(convolution::Convolution),
}

/// Means of running plans.
#[derive(Clone, Debug)]
pub struct Means {
    /// Seed of everything random.
    pub seed: u64,
    /// Costs of datagrams, where a plan says `"measured"`.
    pub calibration: Calibration,
    /// Runs at a time; by default one for each core.
    pub threads: Option<NonZero<usize>>,
}

impl Plan {
    /// The plan in a file's text. Its short form, for tests and impatience, has the keys of the
    /// table `quick` instead of those in the plan.
    ///
    /// # Errors
    /// [`Error::Toml`]; what else is wrong turns up when it is run.
    pub fn parse(text: &str, quick: bool) -> Result<Self, Error> {
        let not = |error: toml::de::Error| Error::Toml(error.to_string());
        let mut table: Table = text.parse().map_err(not)?;
        if let Some(Value::Table(shorter)) = table.remove("quick")
            && quick
        {
            table.extend(shorter);
        }
        let mut take = |key: &'static str| {
            table.remove(key).ok_or_else(|| {
                Error::Toml(format!("a plan has {key}; scenarios are run without `plan`"))
            })
        };
        let [title, paper] =
            [take("title")?, take("paper")?].map(|text| String::deserialize(text).map_err(not));
        let claims =
            table.remove("claims").map_or(Ok(Vec::new()), Vec::deserialize).map_err(not)?;
        let vary: Vec<Vary> =
            table.remove("vary").map_or(Ok(Vec::new()), Vec::deserialize).map_err(not)?;
        let kind = |table: Table| Kind::deserialize(table).map_err(not);
        let varied = |vary: Vary| -> Result<(Vary, Vec<Kind>), Error> {
            let kinds = vary.tables(&table)?.into_iter().map(kind).collect::<Result<_, _>>()?;
            Ok((vary, kinds))
        };
        Ok(Self {
            title: title?,
            paper: paper?,
            claims,
            vary: vary.into_iter().map(varied).collect::<Result<_, Error>>()?,
            kind: kind(table)?,
        })
    }

    /// Runs it.
    ///
    /// # Errors
    /// A run that cannot be simulated or has not ended well, or a claim about a value that the plan
    /// does not find out.
    pub fn run(&self, means: &Means) -> Result<Figures, Error> {
        let mut found = self.kind.run(means)?;
        for (vary, kinds) in &self.vary {
            let runs = kinds.iter().map(|kind| kind.run(means).map(|found| found.values));
            vary.add(&runs.collect::<Result<Vec<_>, _>>()?, &mut found)?;
        }
        let Found { sheets, plots, values } = found;
        let claims =
            self.claims.iter().map(|claim| claim.compare(&values)).collect::<Result<_, _>>()?;
        Ok(Figures {
            title: self.title.clone(),
            paper: self.paper.clone(),
            seed: means.seed,
            sheets,
            claims,
            plots,
            values,
        })
    }
}

impl Kind {
    fn run(&self, means: &Means) -> Result<Found, Error> {
        match self {
            Self::Rate(rate) => rate.run(means),
            Self::Replay(replay) => replay.run(means),
            Self::Loss(loss) => loss.run(means),
            Self::Pool(pool) => pool.run(means),
            Self::Layers(layers) => layers.run(means),
            Self::Iteration(iteration) => iteration.run(means),
            Self::ScaleOut(scale_out) => scale_out.run(means),
            Self::Scaling(scaling) => scaling.run(means),
            Self::Tables(tables) => tables.run(means),
            Self::Collectives(collectives) => collectives.run(means),
            Self::Convolution(convolution) => convolution.run(means),
        }
    }
}

/// Findings of a plan's runs.
#[derive(Default)]
struct Found {
    sheets: Vec<Sheet>,
    plots: Vec<Plot>,
    values: Values,
}

impl Means {
    /// Runs each setup to its end by `watch`, which may look on the way. Returns what it has seen.
    fn each<T: Send>(
        &self,
        setups: &[Setup],
        watch: impl Fn(&mut Cluster) -> T + Sync,
    ) -> Result<Vec<T>, Error> {
        sweep::each(setups, self.threads, |place, setup| {
            let mut cluster = Cluster::new(setup, &self.calibration, self.seed)?;
            let seen = watch(&mut cluster);
            cluster.run();
            if cluster.report().is_well() {
                Ok(seen)
            } else {
                Err(Error::Unwell { run: place + 1, seed: self.seed })
            }
        })
    }

    /// Returns the time that the first call of each setup takes, in milliseconds.
    fn times_ms(&self, setups: &[Setup]) -> Result<Vec<f64>, Error> {
        self.each(setups, |cluster| {
            cluster.run();
            cluster.completed(0, 0).map_or(f64::NAN, |time| time.ms())
        })
    }
}
