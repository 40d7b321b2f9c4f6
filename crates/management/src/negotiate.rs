//! The size of packets and the number of slots of a flow's streams (R-CTRL-2).

use netfold_wire::HEADER_BYTES;

use crate::message::Transport;

/// Fewest lanes of a packet, in lanes of 4 bytes. Every packet has a multiple of them, so that a
/// kernel folds whole vectors.
pub const MIN_ELEMENTS: u16 = 8;

/// Most lanes of a packet, in lanes of 4 bytes: with its header it is still one UDP datagram.
pub const MAX_ELEMENTS: u16 = 8192;

/// Most lanes of a packet that nobody has asked for. Four such packets, with their headers, fill
/// the longest transmission that the kernel takes, 65,507 bytes, but for 67 bytes. Longer packets
/// leave more of it empty, and cost latency.
pub const DEFAULT_MAX_ELEMENTS: u16 = 4080;

/// Bytes of lanes under way on a flow that keep it busy, when nobody asks for a number of slots.
const DEFAULT_WINDOW_BYTES: u32 = 1024 * 1024;
const DEFAULT_MIN_SLOTS: u32 = 16;
const DEFAULT_MAX_SLOTS: u32 = 512;

/// Lanes of a packet and slots in shared memory, when nobody asks for other numbers: nothing is
/// lost there and no buffer overruns. Together they are what a core's own cache holds: a block is
/// read twice, for its exponent and one window later for its lanes (R-WORK-5).
const SHARED_ELEMENTS: u16 = 8192;
const SHARED_SLOTS: u16 = 16;

/// Slots of an urgent stream: a quarter of the bulk stream's, within these bounds. Eight take a
/// call of the longest that is urgent by itself (R-STREAM-9) in one round trip where packets hold 2
/// KiB or more; above 64 they would only be memory.
const MIN_URGENT_SLOTS: u16 = 8;
const MAX_URGENT_SLOTS: u16 = 64;

/// Bytes of lanes that a bulk stream can have under way at least, however short memory is: those of
/// one full transmission (R-CTRL-20).
const MIN_WINDOW_BYTES: u32 = 4 * DEFAULT_MAX_ELEMENTS as u32 * LANE_BYTES;

/// Of the slots of a bulk stream, one in so many stays where the others are lent (R-CTRL-25).
const LENDING_SHARE: u16 = 8;

/// Fewest exchange slots of a flow: with fewer, too few rounds would be under way (R-CTRL-23).
const MIN_EXCHANGE_SLOTS: u16 = 4;

const LANE_BYTES: u32 = 4;

/// Inputs to the choice of packets and slots: the preferences of the workers, and the limits of the
/// narrowest of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Needs {
    /// Lanes that a worker has asked for, already known to fit.
    pub(crate) elements: Option<u16>,
    /// Slots that a worker has asked for.
    pub(crate) slots: Option<u16>,
    /// Bytes of the longest message, or element, of the job's operations; 0 without any.
    pub(crate) message_bytes: u32,
    /// Bytes of the longest datagram that fits every worker's path.
    pub(crate) max_datagram: u32,
    /// Bytes of the smallest receive buffer among the workers' sockets.
    pub(crate) worker_buffer: u64,
    /// Bytes of the receive buffer of a shard for each of those that send to it, at the switch
    /// where that is least.
    pub(crate) switch_share: u64,
    /// Transport of packets.
    pub(crate) transport: Transport,
    /// Exchange slots.
    pub(crate) exchange: Exchange,
    /// Most slots of a flow with which there are exchange slots among them.
    pub(crate) most_slots: u32,
}

/// Exchange slots that a job can have (R-CTRL-23).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exchange {
    /// None.
    Not,
    /// As many as its number of workers leaves.
    Among(u16),
    /// The same, but some however many workers there are: the job has calls that go through no
    /// other slots (R-OP-32).
    Needed(u16),
    /// Those of the epoch that so many workers resume, which had so many slots on each flow: as
    /// many, or none.
    Resumed(u16, usize),
}

/// Packets and slots that a job gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// Bytes of lanes of a packet with a message, which a slot has room for.
    pub(crate) payload_bytes: u32,
    /// Bytes of lanes of any other packet.
    pub(crate) block_bytes: u32,
    /// Slots of each flow's bulk stream, a power of two, so that a slot's positions go on when the
    /// position wraps (R-STREAM-3).
    pub(crate) slots: u16,
    /// Slots of its urgent stream, a power of two too.
    pub(crate) urgent_slots: u16,
    /// Slots of its stream of long calls, a power of two, or 0 if nothing is lent.
    pub(crate) long_slots: u16,
    /// Slots of its stream of exchanges, a power of two or 0.
    pub(crate) exchange_slots: u16,
}

impl Grant {
    fn new(block_bytes: u32, slots: u16) -> Self {
        let urgent_slots = (slots / 4).clamp(MIN_URGENT_SLOTS, MAX_URGENT_SLOTS).min(slots);
        let (payload_bytes, long_slots, exchange_slots) = (block_bytes, 0, 0);
        Self { payload_bytes, block_bytes, slots, urgent_slots, long_slots, exchange_slots }
    }

    /// Returns the same with few bulk slots, where that is fewer, and as many slots as it has for
    /// long calls: these and the exchange slots are lent (R-CTRL-25).
    pub(crate) fn lending(self) -> Self {
        let fewest = MIN_WINDOW_BYTES.div_ceil(self.block_bytes).next_power_of_two();
        let slots = u32::from(self.slots / LENDING_SHARE).max(fewest);
        if slots >= self.slots.into() {
            return self;
        }
        Self { slots: slots as u16, long_slots: self.slots, ..self }
    }

    /// Returns the number of the last slots of each flow that are lent.
    pub(crate) fn lent_slots(&self) -> u16 {
        if self.long_slots == 0 { 0 } else { self.long_slots + self.exchange_slots }
    }

    /// Returns the same with room for messages of so many bytes, as far as a datagram holds them.
    fn for_messages(self, message_bytes: u32) -> Self {
        let lanes = message_bytes.div_ceil(LANE_BYTES).next_multiple_of(MIN_ELEMENTS.into());
        let bytes = lanes.min(MAX_ELEMENTS.into()) * LANE_BYTES;
        Self { payload_bytes: self.block_bytes.max(bytes), ..self }
    }

    /// Returns the same with these exchange slots (R-CTRL-23).
    pub(crate) fn exchanging(self, exchange: Exchange) -> Self {
        let exchange_slots = match exchange {
            Exchange::Not => 0,
            Exchange::Resumed(workers, slots) => {
                let grant = self.exchanging(Exchange::Among(workers));
                return if usize::from(grant.all_slots()) == slots { grant } else { self };
            }
            Exchange::Among(0 | 1) => 0,
            Exchange::Among(workers) => match self.slots / workers {
                most @ MIN_EXCHANGE_SLOTS.. => 1 << most.ilog2(),
                _ => 0,
            },
            Exchange::Needed(workers) => {
                return match self.exchanging(Exchange::Among(workers)) {
                    Self { exchange_slots: 0, .. } => {
                        Self { exchange_slots: MIN_EXCHANGE_SLOTS, ..self }
                    }
                    grant => grant,
                };
            }
        };
        Self { exchange_slots, ..self }
    }

    /// The same with its slots halved until those of a flow, of `slot_bytes` each, fit `bytes`, but
    /// with no fewer than a window of [`MIN_WINDOW_BYTES`] takes (R-CTRL-20).
    pub(crate) fn within(self, bytes: u64, slot_bytes: u64) -> Self {
        let mut grant = self;
        while u32::from(grant.slots / 2) * grant.block_bytes >= MIN_WINDOW_BYTES
            && u64::from(grant.all_slots()).saturating_mul(slot_bytes) > bytes
        {
            let Self { payload_bytes, block_bytes, slots, .. } = grant;
            grant = Self { payload_bytes, ..Self::new(block_bytes, slots / 2) };
        }
        grant
    }

    /// Returns the bytes of lanes of packets without a message, if they are fewer.
    pub(crate) fn short_bytes(&self) -> Option<u32> {
        (self.block_bytes < self.payload_bytes).then_some(self.block_bytes)
    }

    /// Slots of each flow, those of all streams together.
    pub(crate) fn all_slots(&self) -> u16 {
        self.slots + self.urgent_slots + self.long_slots + self.exchange_slots
    }
}

/// Returns the lanes of the longest packet that fits datagrams of `max_datagram` bytes: a multiple
/// of [`MIN_ELEMENTS`] up to [`MAX_ELEMENTS`], or 0 if not even those fit.
pub(crate) fn fitting_elements(max_datagram: u32) -> u16 {
    let lanes = max_datagram.saturating_sub(HEADER_BYTES as u32) / LANE_BYTES;
    let most = lanes.min(u32::from(MAX_ELEMENTS)) as u16;
    most - most % MIN_ELEMENTS
}

/// Decides (R-CTRL-2). A wish is granted as it is. A default number of slots is capped so that all
/// datagrams of a full bulk window fit a third of the switch's receive buffer and half of the
/// smallest worker's: the kernel counts its own overhead into a buffer, and a window that overruns
/// it loses packets on every round. Urgent datagrams are at most as many again, which the rest of
/// the buffers takes.
pub(crate) fn grant(needs: &Needs) -> Grant {
    if needs.transport == Transport::Shm {
        let block_bytes = u32::from(needs.elements.unwrap_or(SHARED_ELEMENTS)) * LANE_BYTES;
        let grant = Grant::new(block_bytes, needs.slots.unwrap_or(SHARED_SLOTS));
        return grant.for_messages(needs.message_bytes);
    }
    let elements = needs
        .elements
        .unwrap_or_else(|| fitting_elements(needs.max_datagram).min(DEFAULT_MAX_ELEMENTS));
    let block_bytes = u32::from(elements) * LANE_BYTES;
    let slots = needs.slots.unwrap_or_else(|| {
        let wanted =
            (DEFAULT_WINDOW_BYTES / block_bytes).clamp(DEFAULT_MIN_SLOTS, DEFAULT_MAX_SLOTS);
        let datagram = u64::from(block_bytes) + HEADER_BYTES as u64;
        let at_switch = needs.switch_share / 3 / datagram;
        let at_worker = needs.worker_buffer / 2 / datagram;
        let bound = u64::from(wanted).min(at_switch).min(at_worker).max(1);
        1 << bound.ilog2()
    });
    let grant = Grant::new(block_bytes, slots).for_messages(needs.message_bytes);
    let exchanging = grant.exchanging(needs.exchange);
    if u32::from(exchanging.all_slots()) <= needs.most_slots { exchanging } else { grant }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOMY: Needs = Needs {
        elements: None,
        slots: None,
        message_bytes: 0,
        max_datagram: 65_507,
        worker_buffer: 1 << 40,
        switch_share: 1 << 40,
        transport: Transport::Udp,
        exchange: Exchange::Not,
        most_slots: u16::MAX as u32,
    };

    #[test]
    fn a_path_of_ethernet_takes_352_lanes_of_jumbo_frames_2232_and_of_loopback_a_quarter_of_a_transmission()
     {
        // 1500 bytes less 28 of IPv4 and UDP and 40 of the header hold 358 lanes, 9000 bytes 2233.
        assert_eq!(grant(&Needs { max_datagram: 1472, ..ROOMY }).payload_bytes, 4 * 352);
        assert_eq!(grant(&Needs { max_datagram: 8972, ..ROOMY }).payload_bytes, 4 * 2232);
        let packet = grant(&Needs { max_datagram: 65_507, ..ROOMY }).payload_bytes + 40;
        assert!(4 * packet <= 65_507 && 4 * (packet + 4 * 8) > 65_507, "{packet}");
    }

    /// R-CTRL-2: slots and packets with a message have room for it; others are as ever.
    #[test]
    fn messages_have_packets_longer_than_the_path() {
        let ethernet = Needs { max_datagram: 1472, ..ROOMY };
        let without = grant(&ethernet);
        for (message_bytes, payload_bytes) in
            [(1000, 1408), (1409, 1440), (8192, 8192), (32_768, 32_768), (1 << 20, 32_768)]
        {
            let with = grant(&Needs { message_bytes, ..ethernet });
            assert_eq!(with, Grant { payload_bytes, ..without }, "{message_bytes}");
        }
        let asked = Needs { elements: Some(64), message_bytes: 8192, ..ethernet };
        let found = grant(&asked);
        assert_eq!((found.payload_bytes, found.block_bytes), (8192, 256));
        let shared = grant(&Needs { transport: Transport::Shm, ..asked });
        assert_eq!((shared.payload_bytes, shared.block_bytes), (8192, 256));
        // Memory is short: slots are fewer, and as long.
        let fewer = with_slots_of(&found, 8);
        assert_eq!((fewer.payload_bytes, fewer.block_bytes), (8192, 256));
    }

    /// The grant in memory for so many slots.
    fn with_slots_of(grant: &Grant, slots: u64) -> Grant {
        let within = grant.within(slots * 100, 100);
        assert!(within.slots < grant.slots);
        within
    }

    #[test]
    fn a_wish_is_granted_as_it_is() {
        let grant = grant(&Needs {
            elements: Some(64),
            slots: Some(4096),
            worker_buffer: 1,
            switch_share: 1,
            ..ROOMY
        });
        assert_eq!(
            grant,
            Grant {
                payload_bytes: 256,
                block_bytes: 256,
                slots: 4096,
                urgent_slots: 64,
                long_slots: 0,
                exchange_slots: 0
            }
        );
    }

    #[test]
    fn urgent_slots_are_a_quarter_within_bounds_and_never_more_than_the_others() {
        let urgent = |slots| grant(&Needs { slots: Some(slots), ..ROOMY }).urgent_slots;
        assert_eq!(
            [1, 4, 8, 16, 32, 64, 128, 256, 512].map(urgent),
            [1, 4, 8, 8, 8, 16, 32, 64, 64]
        );
    }

    /// R-CTRL-23
    #[test]
    fn exchange_slots_take_no_more_lanes_than_the_bulk_stream_and_are_not_too_few() {
        let exchange = |slots, exchange| {
            grant(&Needs { slots: Some(slots), exchange, ..ROOMY }).exchange_slots
        };
        let among = [1, 2, 3, 8, 64, 128, 129, 1024].map(|n| exchange(512, Exchange::Among(n)));
        assert_eq!(among, [0, 256, 128, 64, 8, 4, 0, 0]);
        assert_eq!([8, 16, 31, 32].map(|slots| exchange(slots, Exchange::Among(8))), [0, 0, 0, 4]);
        assert_eq!(exchange(512, Exchange::Not), 0);
        // 512 bulk and 64 urgent ones.
        let needed = [1, 8, 128, 129].map(|n| exchange(512, Exchange::Needed(n)));
        assert_eq!(needed, [4, 64, 4, 4]);
        assert_eq!(exchange(1, Exchange::Needed(3)), 4);
        let resumed = [575, 576, 608, 640].map(|all| exchange(512, Exchange::Resumed(8, all)));
        assert_eq!(resumed, [0, 0, 0, 64]);
        let few = |most_slots| Needs {
            slots: Some(512),
            exchange: Exchange::Among(8),
            most_slots,
            ..ROOMY
        };
        assert_eq!([640, 639].map(|most| grant(&few(most)).exchange_slots), [64, 0]);
        let shared = Needs { transport: Transport::Shm, exchange: Exchange::Among(2), ..ROOMY };
        assert_eq!(grant(&shared).exchange_slots, 0);
    }

    /// R-CTRL-2, against a search through every power of two.
    fn searched(fits: impl Fn(u64) -> bool) -> Option<u64> {
        (0..=16).map(|log| 1u64 << log).filter(|&n| fits(n)).max()
    }

    proptest! {
        /// R-CTRL-20
        #[test]
        fn slots_fit_the_memory_that_is_left_or_are_the_fewest(
            elements in (1..=1024u16).prop_map(|vectors| 8 * vectors),
            log in 0..=12u32,
            bytes in 0..20_000_000u64,
            slot_bytes in 100..200_000u64,
        ) {
            let asked = grant(&Needs { elements: Some(elements), slots: Some(1 << log), ..ROOMY });
            let given = asked.within(bytes, slot_bytes);
            prop_assert_eq!(given, grant(&Needs { elements: Some(elements), slots: Some(given.slots), ..ROOMY }));
            let needed = |slots: u64| (slots + (slots / 4).clamp(8, 64).min(slots)) * slot_bytes;
            let busy = |n: &u64| n * 4 * u64::from(elements) >= 65_280;
            let fewest = (0..=16).map(|log| 1u64 << log).find(busy).unwrap().min(1 << log);
            let most = searched(|n| n <= 1 << log && n >= fewest && needed(n) <= bytes);
            prop_assert_eq!(u64::from(given.slots), most.unwrap_or(fewest));
        }

        #[test]
        fn the_longest_packet_that_fits_is_found(max_datagram in 0..70_000u32) {
            let fits = |n: &u64| n.is_multiple_of(8) && 40 + 4 * n <= u64::from(max_datagram);
            let longest = (8..=8192u64).rev().find(fits);
            prop_assert_eq!(u64::from(fitting_elements(max_datagram)), longest.unwrap_or(0));
        }

        #[test]
        fn default_slots_are_the_most_that_every_bound_allows(
            max_datagram in 72..70_000u32,
            worker_buffer in 0..8_000_000u64,
            switch_share in 0..8_000_000u64,
        ) {
            let grant = grant(&Needs { max_datagram, worker_buffer, switch_share, ..ROOMY });
            let (payload, datagram) = (u64::from(grant.payload_bytes), u64::from(grant.payload_bytes) + 40);
            let most = searched(|n| {
                n <= 512
                    && (n <= 16 || n * payload <= 1024 * 1024)
                    && 3 * n * datagram <= switch_share
                    && 2 * n * datagram <= worker_buffer
            });
            prop_assert_eq!(u64::from(grant.slots), most.unwrap_or(1));
        }
    }
}
