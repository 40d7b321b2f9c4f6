//! A worker's streams under any sequence of results, from the switch or from a holder of the key,
//! with calls and timeouts in between.
//!
//! Whatever arrives, under either protocol, the streams do not panic, send only well-formed
//! contributions of their own, reach for nothing beyond a call's memory, and complete no call
//! twice.
#![no_main]
#![forbid(unsafe_code)]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use netfold_num::{Arithmetic, ElementType, Exponent, Operation, Protocol, UserOperation};
use netfold_wire::{
    Direction, Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Packet, Repr, Terms, WorkerId,
};
use netfold_worker::{
    Call, CallId, Collective, Dense, Event, FoldTraits, Lengths, Memory, OtherSlots, Plan,
    Priority, Reduction, StreamConfig, Streams, Timing, Transmit, UserFold,
};

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

const OTHERS: OtherSlots = OtherSlots { urgent: 2, long: 0, exchange: 2 };

/// The memory of a call: no more than it needs. Without an output it is reduced in place.
struct Buffers {
    input: Vec<u8>,
    output: Option<Vec<u8>>,
}

impl Memory for Buffers {
    fn input(&self, range: std::ops::Range<usize>) -> &[u8] {
        &self.input[range]
    }

    fn output(&mut self, range: std::ops::Range<usize>) -> &mut [u8] {
        &mut self.output.as_mut().unwrap_or(&mut self.input)[range]
    }

    fn keep(&mut self, range: std::ops::Range<usize>, to: usize) {
        match &mut self.output {
            Some(output) => output[to..][..range.len()].copy_from_slice(&self.input[range]),
            None => self.input.copy_within(range, to),
        }
    }

    fn in_place(&self) -> bool {
        self.output.is_none()
    }
}

fn collective(input: &mut Unstructured<'_>, root: WorkerId) -> Result<Collective> {
    Ok(*input.choose(&[
        Collective::AllReduce,
        Collective::Reduce { root },
        Collective::Broadcast { root },
        Collective::AllGather,
        Collective::ReduceScatter,
        Collective::Gather { root },
        Collective::Scatter { root },
        Collective::AllToAll,
        Collective::Scan,
        Collective::ExScan,
        Collective::LookAside,
        Collective::Prefixes,
        Collective::ScanTotal,
        Collective::Message,
        Collective::Barrier,
    ])?)
}

/// A fold by an operation of a user.
fn user_fold(input: &mut Unstructured<'_>) -> Result<UserFold> {
    let number = UserOperation::new(input.int_in_range(0..=15)?).expect("there are 16");
    let messages = if input.ratio(1u8, 4u8)? { Some(input.int_in_range(1..=20)?) } else { None };
    let (answers, plain): (bool, bool) = (input.arbitrary()?, input.arbitrary()?);
    let traits = FoldTraits {
        has_map: !plain && input.arbitrary()?,
        has_codec: !plain && input.arbitrary()?,
        keeps_state: answers,
        folds: !answers || input.arbitrary()?,
        answers,
        batch_bytes: if plain { None } else { Some(input.int_in_range(16..=80)?) },
    };
    Ok(UserFold::new(number, "fold", input.int_in_range(1..=8)?, messages).with(traits))
}

/// A call of this worker, with its memory.
fn call(input: &mut Unstructured<'_>, workers: u16) -> Result<Option<(Plan, Buffers)>> {
    let root = WorkerId(input.int_in_range(0..=workers - 1)?);
    let by_user = input.ratio(1u8, 3u8)?;
    let collective = collective(input, root)?;
    let reduction = match by_user || collective == Collective::LookAside {
        true => Reduction::User(user_fold(input)?),
        false => *input.choose(&[
            Reduction::Fold(Operation::Sum),
            Reduction::Fold(Operation::Max),
            Reduction::Average,
        ])?,
    };
    let bytes = by_user || collective.only_moves() || collective == Collective::LookAside;
    let any = !bytes || input.ratio(1u8, 16u8)?;
    let element_type = if any { *input.choose(&ElementType::ALL)? } else { ElementType::U8 };
    let element_bytes = match reduction {
        Reduction::User(fold) => u64::from(fold.element_bytes()),
        _ => 1,
    };
    let elements = element_bytes * input.int_in_range(0..=20)?;
    let priority = *input.choose(&[None, Some(Priority::Bulk), Some(Priority::Urgent)])?;
    let mut call = Call { collective, reduction, element_type, elements, priority };
    if collective == Collective::Barrier && input.arbitrary()? {
        call = Call::elsewhere("elsewhere(1)");
    }
    let (rank, arithmetic) = (CONFIG.rank, Arithmetic::Block);
    let mut plan = Plan::new(call, arithmetic, workers, rank, PAYLOAD_BYTES);
    if input.ratio(1u8, 4u8)? {
        let parts = if collective == Collective::AllToAll { workers * workers } else { workers };
        let length = |_| -> Result<u64> { Ok(element_bytes * input.int_in_range(0..=9)?) };
        let lengths: Vec<u64> = (0..parts).map(length).collect::<Result<_>>()?;
        let lengths = Lengths::from(lengths);
        plan = Plan::with_lengths(call, lengths, arithmetic, workers, rank, PAYLOAD_BYTES);
    }
    let Ok(plan) = plan else { return Ok(None) };
    let (needed, taken) = plan.input_output_elements();
    let bytes = |elements: u64| elements as usize * plan.call().element_type.bytes();
    let in_place = collective.can_be_in_place() && input.arbitrary()?;
    let output = (!in_place).then(|| vec![0; bytes(taken)]);
    let mut memory = vec![b'e'; if in_place { bytes(needed.max(taken)) } else { bytes(needed) }];
    if !matches!(plan.call().collective, Collective::Elsewhere { .. }) {
        input.fill_buffer(&mut memory)?;
    }
    Ok(Some((plan, Buffers { input: memory, output })))
}

/// The answer to something that was sent, changed here and there.
fn result(input: &mut Unstructured<'_>, sent: &Repr, workers: u16) -> Result<Vec<u8>> {
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
    // Results of prefixes have several (R-SLOT-13).
    let by_user = matches!(sent.operation, Operation::User(_));
    let folds = if input.ratio(15u8, 16u8)? {
        sent.delivery.folds(workers, CONFIG.rank.0, by_user)
    } else {
        input.int_in_range(0..=3)?
    };
    let result = Repr {
        direction,
        elements: sent.elements * folds,
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
    streams: &mut Streams<Dense<Buffers>>,
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
    let workers = if input.ratio(1u8, 4u8).unwrap_or(false) { 2 } else { 3 };
    let terms = Terms { protocol, ..CONFIG.terms };
    // With lent slots or without (R-STREAM-21).
    let long = if input.ratio(1u8, 2u8).unwrap_or(false) { 2 } else { 0 };
    let others = OtherSlots { long, ..OTHERS };
    let mut streams = Streams::new(StreamConfig { terms, ..CONFIG }, others);
    let (mut sent, mut completed) = (Vec::new(), Vec::new());
    let mut calls = 0;
    for now_us in (0..).step_by(150) {
        let step = || -> Result<()> {
            let asked = streams.poll_slot_request();
            if let Some(number) = asked.filter(|_| input.ratio(3u8, 4u8).unwrap_or(true)) {
                streams.take_slot_answer(number, input.arbitrary()?);
            }
            match input.int_in_range(0..=9u8)? {
                0 | 1 => {
                    if let Some((plan, memory)) = call(&mut input, workers)? {
                        streams.submit(CallId(calls), plan.clone(), Dense::new(plan, memory));
                        calls += 1;
                    }
                }
                2 => streams.handle_timeout(now_us),
                3 => streams.handle(now_us, input.arbitrary()?, Ecn::Clear),
                4 => streams.take_slot_answer(input.int_in_range(0..=9)?, input.arbitrary()?),
                5 => {
                    let _ = streams.return_slots();
                }
                kind => {
                    let answered = if kind == 6 { sent.first() } else { sent.last() };
                    let Some(answered) = answered else { return Ok(()) };
                    let ecn = if kind == 7 { Ecn::Ce } else { Ecn::Clear };
                    streams.handle(now_us, &result(&mut input, answered, workers)?, ecn);
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
