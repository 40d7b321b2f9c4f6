//! Where the weights of several outputs lie.

use std::borrow::Cow;

/// Weights of k outputs lie one output after the other for dense samples, and one feature after the
/// other for sparse ones, where the k weights of a non-zero are then together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) features: usize,
    pub(crate) outputs: usize,
    pub(crate) sparse: bool,
}

impl Places {
    /// How many weights there are.
    pub(crate) fn len(self) -> usize {
        self.outputs * self.features
    }

    /// Where the weight of a feature for an output lies.
    #[inline]
    pub(crate) fn place(self, output: usize, feature: usize) -> usize {
        if self.sparse { feature * self.outputs + output } else { output * self.features + feature }
    }

    /// What belongs to an output, feature by feature; not copied where it lies together.
    pub(crate) fn of<T: Copy>(self, output: usize, all: &[T]) -> Cow<'_, [T]> {
        if self.step() == 1 {
            all[self.place(output, 0)..][..self.features].into()
        } else {
            all[output..].iter().step_by(self.step()).copied().collect()
        }
    }

    /// As [`of`](Self::of), to be changed.
    pub(crate) fn of_mut<T>(self, output: usize, all: &mut [T]) -> impl Iterator<Item = &mut T> {
        all[self.place(output, 0)..].iter_mut().step_by(self.step()).take(self.features)
    }

    /// From a feature to the next one.
    fn step(self) -> usize {
        if self.sparse { self.outputs } else { 1 }
    }
}
