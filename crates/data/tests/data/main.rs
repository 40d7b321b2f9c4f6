//! Files in every format, good and bad.

mod columnar;
mod columns;
mod python_files;
mod refused;
mod roundtrip;
mod tables;
