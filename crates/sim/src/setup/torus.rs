//! Direct networks: a torus of switches.

use serde::Deserialize;

use super::{Layer, Setup, a_buffer_bytes};
use crate::error::Error;
use crate::faults::Faults;

/// Switches in a torus, each with hosts of its own, and the links between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TorusSetup {
    /// Places in each dimension.
    pub dimensions: [u32; 3],
    /// Rate of a link in each direction, in 10^9 bits per second.
    pub rate_gbps: f64,
    /// Delay of a link, in nanoseconds.
    pub delay_ns: u64,
    /// Room of the queue in front of each direction of a link, in bytes.
    #[serde(default = "a_buffer_bytes")]
    pub queue_bytes: u64,
}

impl Setup {
    /// All layers of links: those of a torus are the first.
    pub(crate) fn all_layers(&self) -> Vec<Layer> {
        let of_torus = self.torus.map(|torus| Layer {
            fan_out: 1,
            rate_gbps: torus.rate_gbps,
            delay_ns: torus.delay_ns,
            queue_bytes: torus.queue_bytes,
            mark_bytes: None,
            faults: Faults::default(),
        });
        of_torus.into_iter().chain(self.layers.iter().cloned()).collect()
    }

    /// Refuses what a torus does not have.
    pub(crate) fn check_torus(&self) -> Result<(), Error> {
        let one_way = self.management.is_none() && self.traffic.is_empty() && self.cuts.is_empty();
        if self.torus.is_none() || (one_way && self.layers.len() == 1) {
            return Ok(());
        }
        let (what, value) = ("torus", "with several layers, or more than jobs".to_owned());
        let instead = "one layer, of hosts, and no management, traffic or cuts";
        Err(Error::Number { what, value, instead })
    }
}
