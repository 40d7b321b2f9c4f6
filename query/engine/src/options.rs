//! Settings of a session, which SQL can change: `SET netfold.enabled = false`.

use datafusion::common::extensions_options;
use datafusion::config::ConfigExtension;

extensions_options! {
    /// Choices of the optimizer rule.
    pub struct Options {
        /// Rewrite plans. Off, every plan is DataFusion's own.
        pub enabled: bool, default = true

        /// Workers combine their own rows first, as DataFusion's partial stages do, and offer what
        /// is left to the switch. Off, each row goes to the switch, as in FPISA and Cheetah.
        pub combine: bool, default = true

        /// Fragments run in other processes: each gets an exchange, with a program or without.
        pub remote: bool, default = false

        /// All workers of other processes have the same files: each file is read once, and another
        /// worker reads those of one that is lost (R-QRY-43).
        pub shared: bool, default = false

        /// Cells of a program's rows, w, up to 255 (R-QRY-11, 12, 18).
        pub width: u32, default = 8

        /// Rows of a program's table, d, a power of two.
        pub rows: u32, default = 4096

        /// Words of a Bloom filter, a power of two.
        pub filter: u32, default = 65536

        /// Most bytes of all workers' results that go past the switch: a worker's share of them is
        /// not worth a way of its own (R-QRY-42).
        pub small: usize, default = 524288

        /// Seed of hashes in the switch.
        pub seed: u64, default = 0x6e65_7466_6f6c_6421
    }
}

impl ConfigExtension for Options {
    const PREFIX: &'static str = "netfold";
}
