//! Going through all states.

use std::fmt;
use std::hash::Hash;
use std::num::NonZero;

use stateright::{Checker, HasDiscoveries, Model};

use crate::model::{self, Property};
use crate::switch::Switch;

/// Outcome of a search.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Different states.
    pub states: usize,
    /// States that steps have led to, whether new or not.
    pub steps: usize,
    /// Steps of the longest of the shortest ways to a state.
    pub depth: usize,
    /// Counterexamples to the properties that were found not to hold; empty if all states were gone
    /// through and all hold.
    pub counterexamples: Vec<Counterexample>,
}

impl Explored {
    /// Prints how far the search went, under a name.
    ///
    /// # Panics
    /// If a property does not hold; the message has the way to a state in which it does not.
    #[track_caller]
    pub fn holds(self, name: &str) -> Self {
        let Self { states, steps, depth, counterexamples } = &self;
        if let Some(Counterexample { property, steps }) = counterexamples.first() {
            panic!("{name}: it does not hold that {}\n{steps}", property.name());
        }
        println!("{name}: {states} states, {steps} steps, {depth} deep");
        self
    }
}

/// A way to a state in which a property does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The property.
    pub property: Property,
    /// The steps that lead there, one a line; empty if the property is that there is such a state.
    pub steps: String,
}

impl<S: Switch> model::Model<S> {
    /// Goes through all states, nearest first, until one is found in which a property does not
    /// hold.
    pub fn explore(self, threads: NonZero<usize>) -> Explored {
        explore(self, threads)
    }

    /// Goes through the states until one is found in which this property does not hold; a state
    /// with a [`Fault`](crate::Fault) is not left. With one thread, the way there is one of the
    /// shortest.
    pub fn break_property(
        self,
        property: Property,
        threads: NonZero<usize>,
    ) -> Option<Counterexample> {
        break_property(self, property, threads)
    }
}

/// A model that threads can go through.
pub(crate) trait Searched:
    Model<State: Stored, Action: Taken> + Send + Sync + 'static
{
}

impl<M: Model<State: Stored, Action: Taken> + Send + Sync + 'static> Searched for M {}

/// A state that a search can store.
pub(crate) trait Stored:
    Clone + fmt::Debug + Hash + PartialEq + Send + Sync + 'static
{
}

impl<T: Clone + fmt::Debug + Hash + PartialEq + Send + Sync + 'static> Stored for T {}

/// A step that a search can tell of.
pub(crate) trait Taken: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {}

impl<T: Clone + fmt::Debug + PartialEq + Send + Sync + 'static> Taken for T {}

/// Goes through all states of any model with these properties.
pub(crate) fn explore<M: Searched>(model: M, threads: NonZero<usize>) -> Explored {
    search(model, threads, HasDiscoveries::AnyFailures)
}

/// Goes through the states of any model until this property is found not to hold.
pub(crate) fn break_property<M: Searched>(
    model: M,
    property: Property,
    threads: NonZero<usize>,
) -> Option<Counterexample> {
    let wanted = HasDiscoveries::AllOf([property.name()].into());
    let found = search(model, threads, wanted).counterexamples;
    found.into_iter().find(|counterexample| counterexample.property == property)
}

fn search<M: Searched>(model: M, threads: NonZero<usize>, until: HasDiscoveries) -> Explored {
    let checker = model.checker().threads(threads.get()).finish_when(until).spawn_bfs().join();
    let mut found = checker.discoveries();
    let completes = found.remove(Property::Completes.name()).is_some();
    let always =
        [Property::Exact, Property::Kept, Property::Agreed, Property::Told, Property::Recovers];
    let broken = always.into_iter().filter_map(|property| {
        let actions = found.remove(property.name())?.into_actions();
        Some(Counterexample {
            property,
            steps: actions.iter().map(|action| format!("{action:?}\n")).collect(),
        })
    });
    let never = (!completes)
        .then(|| Counterexample { property: Property::Completes, steps: String::new() });
    Explored {
        counterexamples: broken.chain(never).collect(),
        states: checker.unique_state_count(),
        steps: checker.state_count(),
        depth: checker.max_depth(),
    }
}
