//! Files in every format, good and bad.

mod columnar;
mod columns;
mod labels;
mod python_files;
mod refused;
mod roundtrip;
mod spare;
mod tables;
