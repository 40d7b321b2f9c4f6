//! Files in every format, good and bad.

mod columnar;
mod python_files;
mod refused;
mod roundtrip;
mod tables;
