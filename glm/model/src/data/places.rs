//! The places of the weights of several outputs.

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
    /// Returns the number of weights.
    pub(crate) fn len(self) -> usize {
        self.outputs * self.features
    }

    /// Returns the place of a feature's weight for an output.
    #[inline]
    pub(crate) fn place(self, output: usize, feature: usize) -> usize {
        if self.sparse { feature * self.outputs + output } else { output * self.features + feature }
    }

    /// Returns the elements of an output, feature by feature. They are not copied where they lie
    /// together.
    pub(crate) fn of<T: Copy>(self, output: usize, all: &[T]) -> Cow<'_, [T]> {
        if self.step() == 1 {
            all[self.place(output, 0)..][..self.features].into()
        } else {
            all[output..].iter().step_by(self.step()).copied().collect()
        }
    }

    /// Returns the same as [`of`](Self::of), to be changed.
    pub(crate) fn of_mut<T>(self, output: usize, all: &mut [T]) -> impl Iterator<Item = &mut T> {
        all[self.place(output, 0)..].iter_mut().step_by(self.step()).take(self.features)
    }

    /// Returns the distance from a feature to the next one.
    fn step(self) -> usize {
        if self.sparse { self.outputs } else { 1 }
    }
}
