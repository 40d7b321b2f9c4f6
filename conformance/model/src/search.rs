//! Going through all states.

use std::num::NonZero;

use stateright::{Checker, HasDiscoveries, Model as _};

use crate::model::{Model, Property};
use crate::switch::Switch;

/// What a search has come to.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Different states.
    pub states: usize,
    /// States that steps have led to, whether new or not.
    pub steps: usize,
    /// Steps of the longest of the shortest ways to a state.
    pub depth: usize,
    /// Of the properties that were found not to hold: none if all states were gone through and all hold.
    pub counterexamples: Vec<Counterexample>,
}

/// A way to a state in which a property does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The property.
    pub property: Property,
    /// The steps that lead there, one a line; none if the property is that there is such a state.
    pub steps: String,
}

impl<S: Switch> Model<S> {
    /// Goes through all states, nearest first, until one is found in which a property does not hold.
    pub fn explore(self, threads: NonZero<usize>) -> Explored {
        self.search(threads, HasDiscoveries::AnyFailures)
    }

    /// Goes through the states until one is found in which this property does not hold; a state with a [`Fault`](crate::Fault) is not left. With one thread, the way there is one of the shortest.
    pub fn break_property(self, property: Property, threads: NonZero<usize>) -> Option<Counterexample> {
        let wanted = HasDiscoveries::AllOf([property.name()].into());
        let found = self.search(threads, wanted).counterexamples;
        found.into_iter().find(|counterexample| counterexample.property == property)
    }

    fn search(self, threads: NonZero<usize>, until: HasDiscoveries) -> Explored {
        let checker = self.checker().threads(threads.get()).finish_when(until).spawn_bfs().join();
        let mut found = checker.discoveries();
        let completes = found.remove(Property::Completes.name()).is_some();
        let always = [Property::Exact, Property::Kept, Property::Agreed, Property::Recovers];
        let broken = always.into_iter().filter_map(|property| {
            let actions = found.remove(property.name())?.into_actions();
            Some(Counterexample { property, steps: actions.iter().map(|action| format!("{action:?}\n")).collect() })
        });
        let never = (!completes).then(|| Counterexample { property: Property::Completes, steps: String::new() });
        Explored {
            counterexamples: broken.chain(never).collect(),
            states: checker.unique_state_count(),
            steps: checker.state_count(),
            depth: checker.max_depth(),
        }
    }
}
