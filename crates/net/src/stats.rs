//! Statistics of a communicator.

use netfold_management::{Transport, Welcome};
use netfold_worker::Counters;

use crate::flow::FlowStats;

/// Totals of a communicator since it joined, over all its flows, and the parameters that it has
/// agreed on with the switch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Totals of the streams.
    pub counters: Counters,
    /// System calls that sent, and that received.
    pub send_calls: u64,
    /// See `send_calls`.
    pub receive_calls: u64,
    /// Smoothed round trip of the slowest flow, in microseconds; 0 before one was measured.
    pub srtt_us: u64,
    /// Retransmission timeout of the slowest flow, in microseconds.
    pub rto_us: u64,
    /// Rounds that may be outstanding on all flows together as it stands (R-WORK-8).
    pub window: u32,
    /// Transport to the slots.
    pub transport: Transport,
    /// Workers of the job.
    pub workers: u16,
    /// Those of them that fold with this one before a stream leaves their host (R-CTRL-11), this
    /// one included.
    pub host_workers: u16,
    /// Flows, one for each shard of the switch.
    pub flows: u16,
    /// Slots of each flow's bulk stream.
    pub slots: u16,
    /// Slots of its urgent stream.
    pub urgent_slots: u16,
    /// Slots of its stream of long calls (R-STREAM-21); 0 if it has none.
    pub long_slots: u16,
    /// Slots of its stream of exchanges; 0 if it has none.
    pub exchange_slots: u16,
    /// Bytes of lanes of a full packet.
    pub payload_bytes: u32,
    /// One system call sends several datagrams.
    pub segmentation: bool,
}

impl Stats {
    pub(crate) fn of(welcome: &Welcome, flows: &[FlowStats]) -> Self {
        let mut stats = Self {
            transport: welcome.transport(),
            workers: welcome.workers,
            flows: flows.len() as u16,
            slots: welcome.slots,
            urgent_slots: welcome.urgent_slots,
            long_slots: welcome.long_slots,
            exchange_slots: welcome.exchange_slots,
            payload_bytes: welcome.block_bytes(),
            segmentation: flows.iter().all(|flow| flow.segmentation),
            ..Self::default()
        };
        for flow in flows {
            stats.counters = stats.counters.plus(&flow.counters);
            stats.send_calls += flow.system_calls.send;
            stats.receive_calls += flow.system_calls.receive;
            stats.srtt_us = stats.srtt_us.max(flow.srtt_us);
            stats.rto_us = stats.rto_us.max(flow.rto_us);
            stats.window += flow.window;
        }
        stats
    }
}
