//! A worker's streams under any sequence of results, from the switch or from a holder of the key,
//! with calls and timeouts in between.
//!
//! Whatever arrives, under either protocol, the streams do not panic, send only well-formed
//! contributions of their own, and complete no call twice.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol};
use netfold_wire::{
    Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Packet, Repr, Terms, WorkerId,
};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, OtherSlots, Plan, Priority, Reduction, StreamConfig,
    Streams, Timing, Transmit,
};

const WORKERS: u16 = 3;
/// Enough that the stream asks for full blocks before it sends them again (R-TIME-6).
const PAYLOAD_BYTES: u32 = 64;
const CONFIG: StreamConfig = StreamConfig {
    job: JobId(1),
    epoch: Epoch(7),
    rank: WorkerId(1),
    first_slot: 0,
    slots: 2,
    flow: 0,
    flows: 1,
    terms: Terms::new(Integrity::Checksum),
    timing: Timing { rto_initial_us: 1_000, rto_min_us: 400, rto_max_us: 50_000 },
};

const OTHERS: OtherSlots = OtherSlots { urgent: 2, exchange: 2 };

/// A call of this worker, with its input.
fn call(input: &mut Unstructured<'_>) -> Result<Option<(Plan, Vec<u8>)>> {
    let root = WorkerId(input.int_in_range(0..=2)?);
    let call = Call {
        collective: *input.choose(&[
            Collective::AllReduce,
            Collective::Reduce { root },
            Collective::Broadcast { root },
            Collective::Barrier,
            Collective::AllToAll,
        ])?,
        reduction: *input.choose(&[
            Reduction::Fold(Operation::Sum),
            Reduction::Fold(Operation::Max),
            Reduction::Average,
        ])?,
        element_type: *input.choose(&ElementType::ALL)?,
        elements: input.int_in_range(0..=20)?,
        priority: *input.choose(&[None, Some(Priority::Bulk)])?,
    };
    let Ok(plan) = Plan::new(call, Arithmetic::Block, WORKERS, CONFIG.rank, PAYLOAD_BYTES) else {
        return Ok(None);
    };
    // Parts of three workers at most.
    let mut memory = vec![0; 3 * 20 * 8];
    input.fill_buffer(&mut memory)?;
    Ok(Some((plan, memory)))
}

/// The answer to something that was sent, changed here and there.
fn result(input: &mut Unstructured<'_>, sent: &Repr) -> Result<Vec<u8>> {
    let exponents = [
        Exponent::ZERO,
        Exponent::SMALLEST,
        Exponent::LARGEST,
        Exponent::SPECIAL,
        Exponent::UNKNOWN,
    ];
    let directions = [
        Direction::Result(None),
        Direction::Result(None),
        Direction::Result(Some(CONFIG.rank)),
        Direction::Recall(CONFIG.rank),
    ];
    let direction = *input.choose(&directions)?;
    let result = Repr {
        direction,
        next_exponent: *input.choose(&exponents)?,
        marked: input.arbitrary()?,
        empty: direction == Direction::Recall(CONFIG.rank)
            || if input.ratio(7u8, 8u8)? { sent.empty } else { input.arbitrary()? },
        ..*sent
    };
    let mut bytes = vec![0; result.datagram_bytes()];
    result.emit(bytes.first_chunk_mut().expect("room for a header"));
    input.fill_buffer(&mut bytes[HEADER_BYTES..])?;
    if input.ratio(1u8, 8u8)? {
        let at = input.choose_index(bytes.len())?;
        bytes[at] = input.arbitrary()?;
    }
    CONFIG.terms.integrity.seal(&mut bytes);
    Ok(bytes)
}

fn drain(
    streams: &mut Streams<Dense<Vec<u8>>>,
    now_us: u64,
    sent: &mut Vec<Repr>,
    completed: &mut Vec<CallId>,
) {
    let mut buffer = [0; 2 * (HEADER_BYTES + PAYLOAD_BYTES as usize)];
    while let Some(Transmit { len, segment, .. }) = streams.poll_transmit(now_us, &mut buffer, 2) {
        for datagram in buffer[..len].chunks(segment) {
            let packet = Packet::new_checked(datagram).expect("a contribution is a packet");
            assert!(packet.is_whole(&CONFIG.terms.integrity));
            let repr = Repr::parse(&packet);
            let own = [Direction::Contribution(CONFIG.rank), Direction::Query(CONFIG.rank)];
            assert!(own.contains(&repr.direction) && repr.epoch == CONFIG.epoch, "{repr:?}");
            sent.push(repr);
        }
    }
    while let Some(Event::Completed(id, _)) = streams.poll_event() {
        assert!(!completed.contains(&id), "a call completes once");
        completed.push(id);
    }
}

fuzz_target!(|input: &[u8]| {
    let mut input = Unstructured::new(input);
    let protocol =
        if input.arbitrary().unwrap_or(false) { Protocol::Acked } else { Protocol::Shadow };
    let terms = Terms { protocol, ..CONFIG.terms };
    let mut streams = Streams::new(StreamConfig { terms, ..CONFIG }, OTHERS);
    let (mut sent, mut completed) = (Vec::new(), Vec::new());
    let mut calls = 0;
    for now_us in (0..).step_by(150) {
        let step = || -> Result<()> {
            match input.int_in_range(0..=7u8)? {
                0 | 1 => {
                    if let Some((plan, memory)) = call(&mut input)? {
                        streams.submit(CallId(calls), plan.clone(), Dense::new(plan, memory));
                        calls += 1;
                    }
                }
                2 => streams.handle_timeout(now_us),
                3 => streams.handle(now_us, input.arbitrary()?, Ecn::Clear),
                _ if sent.is_empty() => {}
                4 => streams.handle(now_us, &result(&mut input, &sent[0])?, Ecn::Clear),
                5 => streams.handle(now_us, &result(&mut input, &sent[sent.len() - 1])?, Ecn::Ce),
                _ => {
                    streams.handle(now_us, &result(&mut input, &sent[sent.len() - 1])?, Ecn::Clear);
                }
            }
            Ok(())
        };
        if { step }().is_err() || input.is_empty() {
            break;
        }
        drain(&mut streams, now_us, &mut sent, &mut completed);
    }
    assert!(completed.len() as u64 <= calls);
});
