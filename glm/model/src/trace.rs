//! The times of a worker's stages, and the share of the folds' time in which it computed
//! (R-GLM-30).

use std::time::Instant;

/// Events that are kept: some 50 MB. Later ones are counted.
const MOST_EVENTS: usize = 1 << 20;

/// The work on a micro-batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Computes partial activations.
    Forward,
    /// The fold: from the submission until the sums were there.
    Fold,
    /// Waits for sums, and takes them.
    Wait,
    /// Adds samples to the model.
    Backward,
    /// Ends a mini-batch.
    Step,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Forward, Self::Fold, Self::Wait, Self::Backward, Self::Step];

    /// Returns its name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Fold => "fold",
            Self::Wait => "wait",
            Self::Backward => "backward",
            Self::Step => "step",
        }
    }

    /// Returns whether the worker computes in it.
    pub fn computes(self) -> bool {
        matches!(self, Self::Forward | Self::Backward | Self::Step)
    }
}

/// A stage of a micro-batch.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The stage.
    pub stage: Stage,
    /// The step, from 1.
    pub step: u64,
    /// The micro-batch in it, from 0.
    pub micro_batch: u32,
    /// Time at which it began.
    pub start: Instant,
    /// Time at which it ended.
    pub end: Instant,
}

/// The stages of a worker, in the order in which they ended.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    dropped: u64,
}

impl Trace {
    /// Everything that was kept: the first 2^20 events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Events that there was no room for.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The time with a fold under way, in seconds, and the part of it in which the worker computed.
    pub fn fold_time(&self) -> FoldTime {
        let Some(origin) = self.events.iter().map(|event| event.start).min() else {
            return FoldTime::default();
        };
        let seconds = |at: Instant| at.saturating_duration_since(origin).as_secs_f64();
        let spans = |wanted: fn(Stage) -> bool| {
            let events = self.events.iter().filter(move |event| wanted(event.stage));
            events.map(|event| (seconds(event.start), seconds(event.end)))
        };
        FoldTime::of(spans(|stage| stage == Stage::Fold), spans(Stage::computes))
    }

    pub(crate) fn add(&mut self, event: Event) {
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }
}

/// The time that folds cover, however many of them are under way at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoldTime {
    /// All of it.
    pub total: f64,
    /// The part in which there is computation.
    pub hidden: f64,
}

impl FoldTime {
    /// Of spans from their start to their end, in any unit and order.
    pub fn of(
        folds: impl IntoIterator<Item = (f64, f64)>,
        computation: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let folds = union(folds);
        let hidden = intersection(&folds, &union(computation));
        Self { total: length(&folds), hidden: length(&hidden) }
    }

    /// Returns the hidden share, 0 to 1; `None` without folds.
    pub fn hidden_share(self) -> Option<f64> {
        (self.total > 0.0).then(|| self.hidden / self.total)
    }
}

/// Disjoint spans in order that cover the same.
fn union(spans: impl IntoIterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut spans: Vec<_> = spans.into_iter().collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut covered: Vec<(f64, f64)> = Vec::new();
    for (start, end) in spans {
        match covered.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => covered.push((start, end)),
        }
    }
    covered
}

/// Returns the intersection of two lists, each of disjoint spans in order.
fn intersection(a: &[(f64, f64)], b: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (mut i, mut j, mut common) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let (start, end) = (a[i].0.max(b[j].0), a[i].1.min(b[j].1));
        if start < end {
            common.push((start, end));
        }
        if a[i].1 < b[j].1 { i += 1 } else { j += 1 }
    }
    common
}

fn length(spans: &[(f64, f64)]) -> f64 {
    spans.iter().map(|(start, end)| end - start).sum()
}

#[cfg(test)]
mod tests {
    use super::{Event, FoldTime, Stage, Trace};
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    /// Ticks in which spans lie.
    const TICKS: u32 = 60;

    #[test]
    fn hidden_is_what_was_computed_meanwhile() {
        let (mut trace, origin) = (Trace::default(), Instant::now());
        assert_eq!(trace.fold_time().hidden_share(), None);
        // Folds cover 0 to 40 and 50 to 60; of these 50, the worker computed in 5 to 20, 30 to 35
        // and 55 to 60.
        for (stage, start, end) in [
            (Stage::Forward, 5, 20),
            (Stage::Fold, 0, 30),
            (Stage::Fold, 20, 40),
            (Stage::Backward, 30, 35),
            (Stage::Wait, 35, 48),
            (Stage::Forward, 42, 49),
            (Stage::Fold, 50, 60),
            (Stage::Step, 55, 70),
        ] {
            let at = |micros| origin + Duration::from_micros(micros);
            trace.add(Event { stage, step: 1, micro_batch: 0, start: at(start), end: at(end) });
        }
        let FoldTime { total, hidden } = trace.fold_time();
        assert!((total - 50e-6).abs() < 1e-12 && (hidden - 25e-6).abs() < 1e-12);
        assert!((trace.fold_time().hidden_share().unwrap() - 0.5).abs() < 1e-9);
    }

    fn spans() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let span =
            (0..TICKS, 0..TICKS).prop_map(|(a, b)| (f64::from(a.min(b)), f64::from(a.max(b))));
        prop::collection::vec(span, 0..12)
    }

    proptest! {
        /// Spans that begin and end with a tick cover it whole or not at all, so that ticks can be
        /// counted one by one.
        #[test]
        fn the_time_is_that_of_ticks(folds in spans(), computation in spans()) {
            let covers = |spans: &[(f64, f64)], tick: u32| {
                let middle = f64::from(tick) + 0.5;
                spans.iter().any(|(start, end)| *start < middle && middle < *end)
            };
            let folding: Vec<u32> = (0..TICKS).filter(|tick| covers(&folds, *tick)).collect();
            let hidden = folding.iter().filter(|tick| covers(&computation, **tick)).count();
            let found = FoldTime::of(folds, computation);
            let expected = FoldTime { total: folding.len() as f64, hidden: hidden as f64 };
            prop_assert_eq!(found, expected);
            let share = (!folding.is_empty()).then(|| hidden as f64 / folding.len() as f64);
            prop_assert_eq!(found.hidden_share(), share);
        }
    }
}
