//! The columns of the features that a reader keeps.

use std::ops::Range;

use crate::Error;

/// The features that are kept. The others are dropped while they are read, so a model-parallel
/// worker never holds another's.
///
/// Kept features are numbered again from 0 in their order: that is what samples have as indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Columns {
    /// All.
    #[default]
    All,
    /// The columns from `start` to before `end`. The range may reach beyond the file's features;
    /// columns that are not there are not kept.
    Range(Range<u32>),
    /// Every `of`-th, beginning with `first`: those j with `j % of == first`.
    Dealt {
        /// The first one that is kept, less than `of`.
        first: u32,
        /// The distance, at least 1.
        of: u32,
    },
}

impl Columns {
    /// The number that `feature` has among the kept ones, if it is kept.
    #[inline]
    pub fn local(&self, feature: u32) -> Option<u32> {
        match self {
            Self::All => Some(feature),
            Self::Range(range) => range.contains(&feature).then(|| feature - range.start),
            Self::Dealt { first, of } => (feature % of == *first).then(|| feature / of),
        }
    }

    /// The feature of the file that is kept as number `local`.
    pub fn global(&self, local: u32) -> u32 {
        match self {
            Self::All => local,
            Self::Range(range) => range.start + local,
            Self::Dealt { first, of } => first + local * of,
        }
    }

    /// Returns the number of columns that are kept, of `features` in all.
    pub fn kept(&self, features: usize) -> usize {
        match self {
            Self::All => features,
            Self::Range(range) => {
                features.min(range.end as usize).saturating_sub(range.start as usize)
            }
            Self::Dealt { first, of } => {
                features.saturating_sub(*first as usize).div_ceil(*of as usize)
            }
        }
    }

    /// The kept ones of `features` features in their order.
    pub(crate) fn of(&self, features: usize) -> impl Iterator<Item = u32> + '_ {
        (0..self.kept(features) as u32).map(|local| self.global(local))
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Range(range) if range.start > range.end => Err(Error::Invalid(format!(
                "columns {} to {}: give the smaller one first",
                range.start, range.end
            ))),
            Self::Dealt { first, of } if first >= of => Err(Error::Invalid(format!(
                "columns dealt to {of}: the first one is 0 to {of} less 1, not {first}"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Columns;

    fn any_columns() -> impl Strategy<Value = Columns> {
        prop_oneof![
            Just(Columns::All),
            (0_u32..40, 0_u32..40).prop_map(|(a, b)| Columns::Range(a.min(b)..a.max(b))),
            (1_u32..9)
                .prop_flat_map(|of| (0..of, Just(of)))
                .prop_map(|(first, of)| Columns::Dealt { first, of }),
        ]
    }

    proptest! {
        #[test]
        fn kept_features_are_numbered_without_gaps_and_back(columns in any_columns(), features in 0_usize..50) {
            let kept: Vec<u32> = (0..features as u32).filter(|feature| columns.local(*feature).is_some()).collect();
            prop_assert_eq!(columns.kept(features), kept.len());
            prop_assert_eq!(columns.of(features).collect::<Vec<_>>(), kept.clone());
            for (local, feature) in kept.iter().enumerate() {
                prop_assert_eq!(columns.local(*feature), Some(local as u32));
            }
        }

        #[test]
        fn dealt_columns_are_a_partition(of in 1_u32..9, feature in any::<u32>()) {
            let owners = (0..of).filter(|first| Columns::Dealt { first: *first, of }.local(feature).is_some());
            prop_assert_eq!(owners.count(), 1);
        }
    }

    #[test]
    fn columns_that_make_no_sense_are_refused() {
        #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
        let reversed = Columns::Range(3..2);
        assert!(reversed.check().is_err());
        assert!(Columns::Dealt { first: 2, of: 2 }.check().is_err());
        assert!(Columns::Dealt { first: 0, of: 0 }.check().is_err());
    }
}
