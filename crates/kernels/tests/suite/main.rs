//! The kernels against the scalar reference, whole rounds against IEEE sums, and what the kernels
//! refuse.

mod fpisa;
mod halves;
mod refusals;
mod rounds;
mod rows;
mod tensors;
mod variants;
