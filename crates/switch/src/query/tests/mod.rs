//! Programs beside naive answers (R-QRY-4 to 18).

mod answers;
mod batches;
mod caches;
mod cluster;
mod faults;
mod packets;
mod passes;
mod refused;
mod share;
