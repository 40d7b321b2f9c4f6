//! Units in gates, FPISA's and ACiS's: held to the arithmetic and to the simulator of arrays, and
//! sized.
//!
//! The units are Verilog, in the folders beside this one; the rules are R-HDL in `spec/hdl.md` and
//! R-CGRA-22 to R-CGRA-27 in `spec/cgra.md`.
//! This crate makes random operations with the answers that they must have ([`vectors`]), runs them
//! through Verilator ([`simulate`]), shows that a broken unit would be found ([`mutants`]), and has
//! Yosys count gates ([`size`]) for the table in `hdl/README.md` ([`table`]).
//!
//! It installs no tools (`scripts/hdl.sh` does) and computes no answer in C++ or Verilog. Open
//! [`units`] first.

#![forbid(unsafe_code)]

pub mod cores;
pub mod mutants;
pub mod simulate;
pub mod size;
pub mod table;
pub mod units;
pub mod vectors;
