//! A worker for tests and measurements: a stream that drives a port, without any thread or socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use netfold_num::{Arithmetic, ByteOrder, ElementType, Operation};
use netfold_shm::{Port, PortError, Segment, WaitMode, WaitOutcome};
use netfold_switch::{Event as Report, JobSpec, Operations, Place};
use netfold_wire::{Epoch, HEADER_BYTES, Integrity, JobId, Terms, WorkerId};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, Plan, Reduction, Stream, StreamConfig, Timing,
};

/// The job that tests and measurements use.
pub fn spec(workers: u16, slots: u16, payload_bytes: u32) -> JobSpec {
    let place = Place::only(workers);
    let (integrity, arithmetic, byte_order) =
        (Integrity::Transport, Arithmetic::Native, ByteOrder::Little);
    JobSpec {
        job: JobId(3),
        epoch: Epoch(77),
        workers,
        slots,
        exchange_slots: 0,
        lent_slots: 0,
        payload_bytes,
        terms: Terms { arithmetic, byte_order, ..Terms::new(integrity) },
        place,
        operations: Operations::default(),
    }
}

/// One worker of a job, on its only flow.
pub struct Driver {
    spec: JobSpec,
    rank: WorkerId,
    arithmetic: Arithmetic,
    stream: Stream<Dense<Vec<u8>>>,
    pub port: Port,
    /// The reports that a control plane would be given.
    pub reports: Vec<Report>,
    datagram: Vec<u8>,
    start: Instant,
    calls: u64,
}

impl Driver {
    /// The worker `rank` of the job whose memory is `segment`.
    pub fn new(segment: &Arc<Segment>, spec: &JobSpec, rank: u16, arithmetic: Arithmetic) -> Self {
        // Nothing is lost: what is late is another worker, and asking again would only take its
        // core.
        let timing = Timing { rto_initial_us: 500_000, rto_min_us: 500_000, ..Timing::default() };
        Self::with_timing(segment, spec, rank, arithmetic, timing)
    }

    /// The same where something may be lost.
    pub fn with_timing(
        segment: &Arc<Segment>,
        spec: &JobSpec,
        rank: u16,
        arithmetic: Arithmetic,
        timing: Timing,
    ) -> Self {
        let &JobSpec { job, epoch, slots, terms, payload_bytes, .. } = spec;
        let rank = WorkerId(rank);
        let config = StreamConfig {
            job,
            epoch,
            rank,
            first_slot: 0,
            slots,
            flow: 0,
            flows: 1,
            terms,
            timing,
        };
        Self {
            stream: Stream::new(config),
            port: segment.port(0, rank).expect("each worker opens its port once"),
            reports: Vec::new(),
            datagram: vec![0; HEADER_BYTES + payload_bytes as usize],
            start: Instant::now(),
            calls: 0,
            arithmetic,
            rank,
            spec: spec.clone(),
        }
    }

    /// The sum of all workers' tensors, in place.
    pub fn all_reduce(
        &mut self,
        element_type: ElementType,
        tensor: Vec<u8>,
    ) -> Result<Vec<u8>, PortError> {
        self.begin(element_type, tensor)?;
        loop {
            if let Some(Event::Completed(_, dense)) = self.stream.poll_event() {
                return Ok(dense.into_memory());
            }
            let now_us = self.now_us();
            let stream = &mut self.stream;
            if self.port.receive(|result| stream.handle_packet(now_us, result))? == 0 {
                let now_us = self.now_us();
                let timeout = self
                    .stream
                    .poll_timeout()
                    .map(|at| Duration::from_micros(at.saturating_sub(now_us)));
                if self.port.wait(timeout, WaitMode::Helper)? == WaitOutcome::TimedOut {
                    self.stream.handle_timeout(self.now_us());
                }
            }
            self.send()?;
        }
    }

    /// Begins with it: sends what can be sent before any result.
    pub fn begin(&mut self, element_type: ElementType, tensor: Vec<u8>) -> Result<(), PortError> {
        let call = Call {
            collective: Collective::AllReduce,
            reduction: Reduction::Fold(Operation::Sum),
            element_type,
            elements: (tensor.len() / element_type.bytes()) as u64,
            priority: None,
        };
        let plan =
            Plan::new(call, self.arithmetic, self.spec.workers, self.rank, self.spec.payload_bytes);
        let plan = plan.expect("a sum is possible");
        self.calls += 1;
        self.stream.submit(CallId(self.calls), plan.clone(), Dense::new(plan, tensor));
        self.send()
    }

    fn send(&mut self) -> Result<(), PortError> {
        let now_us = self.now_us();
        while let Some(transmit) = self.stream.poll_transmit(now_us, &mut self.datagram, 1) {
            self.reports.extend(self.port.deliver(&self.datagram[..transmit.len])?);
        }
        self.port.flush();
        Ok(())
    }

    fn now_us(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }
}
