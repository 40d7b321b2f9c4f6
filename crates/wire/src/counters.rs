//! Tables of counters: the totals of a machine, by one list for all that show them.

/// Makes a struct of counters, each a `u64` that only grows, from their list.
///
/// Its methods go through all of them in the list's order, so that sums, metrics and statistics
/// leave none out.
#[macro_export]
macro_rules! counters {
    ($(#[$about:meta])* pub struct $table:ident { $($(#[doc = $doc:literal])+ $name:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $table {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        impl $table {
            /// Number of counters.
            pub const COUNT: usize = [$(stringify!($name)),+].len();

            /// Returns every counter with its name, for metrics and reports.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name)),+].into_iter()
            }

            /// Returns every counter in the order of [`iter`](Self::iter), without its name.
            pub fn values(&self) -> [u64; Self::COUNT] {
                [$(self.$name),+]
            }

            /// Returns the counters with these [values](Self::values).
            pub fn of([$($name),+]: [u64; Self::COUNT]) -> Self {
                Self { $($name),+ }
            }

            /// Sums with other totals. A sum stays at its largest value.
            #[must_use]
            pub fn plus(&self, other: &Self) -> Self {
                Self { $($name: self.$name.saturating_add(other.$name)),+ }
            }
        }
    };
}
