//! A stream whose switch is written by hand. Calls are sums of i32, two lanes to a packet, or as
//! many as a test says.

use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol};
use netfold_wire::{
    Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Packet, Repr, Terms, WorkerId,
};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, Plan, Reduction, Stream, StreamConfig, Timing,
};

/// Bounds of the timeout. The largest is no doubling of the first.
pub const TIMING: Timing = Timing { rto_initial_us: 1_000, rto_min_us: 400, rto_max_us: 50_000 };

/// Worker 1 of a job of three, on the only flow.
pub fn config(slots: u16, protocol: Protocol) -> StreamConfig {
    StreamConfig {
        job: JobId(5),
        epoch: Epoch(0xE),
        rank: WorkerId(1),
        first_slot: 0,
        slots,
        flow: 0,
        flows: 1,
        terms: Terms { protocol, ..Terms::new(Integrity::Checksum) },
        timing: TIMING,
    }
}

/// A stream of that worker.
pub struct Hand {
    pub stream: Stream<Dense<Vec<u8>>>,
    /// Lanes of a packet, at most 16. The two that it has at first are so short that a query saves
    /// nothing (R-TIME-6).
    pub lanes: u64,
    submitted: u64,
}

impl Hand {
    /// A stream of so many slots with shadow copies.
    pub fn new(slots: u16) -> Self {
        Self::with(slots, Protocol::Shadow)
    }

    /// A stream of so many slots.
    pub fn with(slots: u16, protocol: Protocol) -> Self {
        Self::of(config(slots, protocol))
    }

    /// A stream like this.
    pub fn of(config: StreamConfig) -> Self {
        Self { stream: Stream::new(config), lanes: 2, submitted: 0 }
    }

    /// Makes a call of so many blocks. Element i is i.
    pub fn submit(&mut self, blocks: u64) {
        self.submit_to(Collective::AllReduce, blocks);
    }

    /// The same, a sum for all or for one.
    pub fn submit_to(&mut self, collective: Collective, blocks: u64) {
        let call = Call {
            collective,
            reduction: Reduction::Fold(Operation::Sum),
            element_type: ElementType::I32,
            elements: blocks * self.lanes,
            priority: None,
        };
        let plan = Plan::new(call, Arithmetic::Block, 3, WorkerId(1), self.lanes as u32 * 4)
            .expect("a sum of integers");
        let elements = 0..(blocks * self.lanes) as i32;
        let memory = elements.flat_map(|element| element.to_ne_bytes()).collect();
        self.stream.submit(CallId(self.submitted), plan.clone(), Dense::new(plan, memory));
        self.submitted += 1;
    }

    /// Sends the stream's packets, and returns them.
    pub fn send(&mut self, now_us: u64) -> Vec<Repr> {
        self.send_bursts(now_us).concat()
    }

    /// The same, each transmission apart.
    pub fn send_bursts(&mut self, now_us: u64) -> Vec<Vec<Repr>> {
        let mut buffer = [0; 4 * (HEADER_BYTES + 64)];
        let mut sent = Vec::new();
        while let Some(transmit) = self.stream.poll_transmit(now_us, &mut buffer, 3) {
            let parse = |datagram| {
                let packet = Packet::new_checked(datagram).expect("a stream sends packets");
                assert!(
                    packet.is_whole(&Integrity::Checksum),
                    "a stream seals what it sends (R-PKT-3)"
                );
                Repr::parse(&packet)
            };
            sent.push(buffer[..transmit.len].chunks(transmit.segment).map(parse).collect());
        }
        sent
    }

    /// The result of a round, with lanes of 7.
    pub fn result(sent: &Repr, agreed: Exponent) -> Vec<u8> {
        let result = Repr { direction: Direction::Result(None), next_exponent: agreed, ..*sent };
        let mut datagram = vec![0; result.datagram_bytes()];
        result.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        datagram[HEADER_BYTES..].fill(7);
        Integrity::Checksum.seal(&mut datagram);
        datagram
    }

    /// Delivers the result of a round.
    pub fn answer(&mut self, now_us: u64, sent: &Repr, agreed: Exponent) {
        self.stream.handle(now_us, &Self::result(sent, agreed), Ecn::Clear);
    }

    /// The calls that have completed since the last time.
    pub fn completed(&mut self) -> Vec<u64> {
        std::iter::from_fn(|| self.stream.poll_event())
            .map(|Event::Completed(id, _)| id.0)
            .collect()
    }
}
