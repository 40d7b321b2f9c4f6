//! Nothing to build: with a build script, cargo unites the features of build dependencies, too.

fn main() {}
