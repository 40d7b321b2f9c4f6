//! Pairs of a worker on their way into packets: as many as fit, or as a pipeline takes them.

use core::num::{NonZeroU32, NonZeroUsize};

use netfold_wire::{TableKind, TableRepr, rank_bytes};

use super::client::Client;
use super::packing::{Layout, Packer};
use super::requests::bodies;

/// Most bytes of a datagram to a pipeline: those of Libra's packets (section 3.4) less the headers
/// of Ethernet, IPv4 and UDP.
const PIPELINE_DATAGRAM_BYTES: u32 = 192 - (14 + 20 + 8);

/// Most pairs of a packet to a pipeline: those that the containers of a Tofino hold (R-PISA-78).
const PIPELINE_PAIRS: u16 = 12;

impl Client {
    /// Has packets as a pipeline with a table in so many registers takes them: of at most 12 pairs
    /// and 192 bytes with their headers, filled by algorithm 1 (R-HOT-7, R-PISA-73, R-PISA-78).
    ///
    /// # Panics
    /// If a row does not fit such a packet.
    #[must_use]
    pub fn for_pipeline(mut self, registers: NonZeroU32) -> Self {
        let bytes = self.config.datagram_bytes.min(PIPELINE_DATAGRAM_BYTES);
        self.config.datagram_bytes = bytes;
        let pairs = self.config.table.pairs_in(bytes as usize).min(PIPELINE_PAIRS);
        let capacity = NonZeroUsize::new(pairs.into()).expect("a row fits a packet");
        let layout = Layout::new(registers);
        self.pipeline = Some((layout, Packer::new(layout, capacity)));
        self
    }

    fn bodies<'a>(
        &self,
        kind: TableKind,
        ranks: &'a [u32],
        rows: &'a [u8],
    ) -> impl Iterator<Item = (u16, Vec<u8>)> + use<'a> {
        let table = &self.config.table;
        let room = table.pairs_in(self.config.datagram_bytes as usize).into();
        let order = self.config.stream.terms.byte_order;
        bodies(kind, ranks, rows, table.row_bytes(), room, move |rank| rank_bytes(rank, order))
    }

    /// Pushes pairs. `rows` has a row for each rank, in the job's byte order.
    ///
    /// # Panics
    /// If there are not as many rows as ranks.
    pub fn push(&mut self, ranks: &[u32], rows: &[u8]) {
        let row_bytes = self.config.table.row_bytes();
        assert_eq!(rows.len(), ranks.len() * row_bytes, "a row for each rank");
        let Some((layout, packer)) = &mut self.pipeline else {
            for (pairs, body) in self.bodies(TableKind::Push, ranks, rows) {
                self.pushes.add(pairs, body);
            }
            return;
        };
        let (layout, packets) = (*layout, packer.pack(ranks).to_vec());
        for packet in packets.iter().filter(|packet| !packet.is_empty()) {
            let row = |position: &u32| &rows[*position as usize * row_bytes..][..row_bytes];
            let own: Vec<u8> = packet.iter().flat_map(row).copied().collect();
            let packet: Vec<u32> = packet.iter().map(|at| ranks[*at as usize]).collect();
            self.counters.recirculations += u64::from(layout.recirculations(&packet));
            for (pairs, body) in self.bodies(TableKind::Push, &packet, &own) {
                self.pushes.add(pairs, body);
            }
        }
    }

    /// Asks for the values of resident rows. They come as events, in any order.
    pub fn pull(&mut self, ranks: &[u32]) {
        let Some((_, packer)) = &mut self.pipeline else { return self.pull_packets(ranks) };
        for packet in packer.pack_apart(ranks) {
            let packet: Vec<u32> = packet.iter().map(|at| ranks[*at as usize]).collect();
            self.pull_packets(&packet);
        }
    }

    /// Asks for values in packets that are filled in the order of the ranks.
    fn pull_packets(&mut self, ranks: &[u32]) {
        let repr = self.config.request(TableKind::Pull);
        for (pairs, body) in self.bodies(TableKind::Pull, ranks, &[]) {
            self.pulls.submit(TableRepr { pairs, ..repr }, body);
        }
    }
}
