//! A module that runs.

use std::fmt;
use std::time::Instant;

use netfold_switch::{TrapCause, TypedFold, TypedOperation, Usage};

use crate::check::Buffers;
use crate::declaration::Scope;
use crate::element::Element;
use crate::operation::Operation;
use crate::running::Running;
use crate::trap::Trapped;

/// An operation that one thread runs.
///
/// After a trap it starts anew with the next fold (R-OP-21).
pub struct Instance {
    operation: Operation,
    running: Option<Running>,
    usage: Usage,
}

/// Folds of which one is timed: reading the clock takes about as long as a short fold.
const FOLDS_PER_SAMPLE: u64 = 16;

impl Instance {
    pub(crate) fn new(operation: Operation) -> Result<Self, TrapCause> {
        let mut instance = Self { operation, running: None, usage: Usage::default() };
        instance.restart()?;
        Ok(instance)
    }

    /// Folds an operand into the accumulator: the accumulator is the left operand (R-OP-8).
    ///
    /// # Errors
    /// [`Trapped`]; the accumulator is then as it was.
    ///
    /// # Panics
    /// If the lengths differ, are not a whole number of elements, or exceed a message's.
    pub fn fold(&mut self, accumulator: &mut [u8], operand: &[u8]) -> Result<(), Trapped> {
        let Buffers { capacity, .. } = self.operation.buffers();
        assert_eq!(accumulator.len(), operand.len(), "operands have the same length");
        if accumulator.len() <= capacity {
            return self.batch(accumulator, operand);
        }
        let scope = self.operation.declaration().scope;
        assert_eq!(scope, Scope::Element, "a message has at most the declared elements");
        let mut result = accumulator.to_vec();
        for (left, right) in result.chunks_mut(capacity).zip(operand.chunks(capacity)) {
            self.batch(left, right)?;
        }
        accumulator.copy_from_slice(&result);
        Ok(())
    }

    /// Folds several operands into the accumulator, from left to right, all as they travel; it
    /// crosses into the instance and back once for as many as have room in it (R-OP-10). When the
    /// round is `complete`, the result is mapped (R-OP-28).
    ///
    /// # Errors
    /// [`Trapped`]; the accumulator is then as it was.
    ///
    /// # Panics
    /// As [`fold`](Self::fold), and if the accumulator is longer than
    /// [`batch_bytes`](crate::Declaration::batch_bytes).
    pub fn round<'o>(
        &mut self,
        accumulator: &mut [u8],
        operands: impl IntoIterator<Item = &'o [u8]>,
        complete: bool,
    ) -> Result<(), Trapped> {
        let count = self.count(accumulator, self.operation.declaration().travelling());
        let mut operands = operands.into_iter();
        self.run(count, |running| running.round(accumulator, &mut operands, count, complete))
    }

    /// Maps a result, as a switch does once its round is complete (R-OP-28). Without a map it stays
    /// as it is.
    ///
    /// # Errors
    /// [`Trapped`]; the result is then as it was.
    ///
    /// # Panics
    /// If it is no whole number of elements, or longer than
    /// [`batch_bytes`](crate::Declaration::batch_bytes).
    pub fn map(&mut self, result: &mut [u8]) -> Result<(), Trapped> {
        let count = self.elements(result);
        self.run(count, |running| running.map(result, count))
    }

    /// Encodes elements, whole batches of them one by one, and returns the wire elements; without a
    /// codec, the same bytes (R-OP-30).
    ///
    /// # Errors
    /// [`Trapped`]
    ///
    /// # Panics
    /// If it is no whole number of elements, or exceeds a message's.
    pub fn encode(&mut self, elements: &[u8]) -> Result<Vec<u8>, Trapped> {
        let operation = self.operation.clone();
        let declaration = operation.declaration();
        let Some(wire) = &declaration.wire else { return Ok(elements.to_vec()) };
        self.convert(elements, &declaration.element, wire, Running::encoded)
    }

    /// Decodes wire elements, and returns the elements; see [`encode`](Self::encode).
    ///
    /// # Errors
    /// [`Trapped`]
    ///
    /// # Panics
    /// If it is no whole number of wire elements, or exceeds a message's.
    pub fn decode(&mut self, wire: &[u8]) -> Result<Vec<u8>, Trapped> {
        let operation = self.operation.clone();
        let declaration = operation.declaration();
        let Some(travelling) = &declaration.wire else { return Ok(wire.to_vec()) };
        self.convert(wire, travelling, &declaration.element, Running::decoded)
    }

    /// Replaces the request of a worker by the reply to it (R-OP-32).
    ///
    /// # Errors
    /// [`Trapped`]; the request is then as it was.
    ///
    /// # Panics
    /// As [`map`](Self::map).
    pub fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), Trapped> {
        let count = self.elements(request);
        self.run(count, |running| running.answer(request, count, rank))
    }

    /// Converts elements of one type into as many of another, a batch at a time.
    fn convert(
        &mut self,
        input: &[u8],
        from: &Element,
        to: &Element,
        batch: impl Fn(&mut Running, &[u8], &mut [u8], i32) -> Result<(), TrapCause>,
    ) -> Result<Vec<u8>, Trapped> {
        let declaration = self.operation.declaration();
        let most = declaration.batch_elements();
        let count = input.len() / from.bytes();
        assert!(input.len().is_multiple_of(from.bytes()), "a call has whole elements");
        let whole = declaration.scope == Scope::Element || count <= most;
        assert!(whole, "a message has at most the declared elements");
        let mut output = vec![0; count * to.bytes()];
        let pairs = input.chunks(most * from.bytes()).zip(output.chunks_mut(most * to.bytes()));
        for (input, output) in pairs {
            let count = (input.len() / from.bytes()) as i32;
            self.run(count, |running| batch(running, input, output, count))?;
        }
        Ok(output)
    }

    /// The operation that this is one of.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    fn batch(&mut self, accumulator: &mut [u8], operand: &[u8]) -> Result<(), Trapped> {
        let count = self.elements(accumulator);
        self.run(count, |running| running.fold(accumulator, operand, count))
    }

    /// Number of elements in a buffer.
    fn elements(&self, buffer: &[u8]) -> i32 {
        self.count(buffer, &self.operation.declaration().element)
    }

    /// Number of elements of a type in a buffer.
    fn count(&self, buffer: &[u8], of: &Element) -> i32 {
        let (count, most) =
            (buffer.len() / of.bytes(), self.operation.declaration().batch_elements());
        assert!(
            buffer.len().is_multiple_of(of.bytes()) && count <= most,
            "a call has whole elements, and at most a batch of them"
        );
        count as i32
    }

    /// Does something with `count` elements in the instance that runs, and drops it if that traps.
    fn run(
        &mut self,
        count: i32,
        action: impl FnOnce(&mut Running) -> Result<(), TrapCause>,
    ) -> Result<(), Trapped> {
        // A module is called with at least one element (R-OP-8).
        if count == 0 {
            return Ok(());
        }
        let result = match &mut self.running {
            Some(running) => action(running),
            None => self.restart().and_then(action),
        };
        result.map_err(|cause| {
            self.running = None;
            Trapped { operation: self.operation.name().clone(), cause }
        })
    }

    #[cold]
    fn restart(&mut self) -> Result<&mut Running, TrapCause> {
        let Self { operation, running, .. } = self;
        let engine = operation.engine();
        let memory_bytes = operation.limits().memory_of(operation.declaration());
        let overtime = operation.overtime().clone();
        let store = Running::store(&engine.folds, operation.limits(), memory_bytes, overtime);
        let mut fresh = Running::start(store, operation.module(), operation.buffers())?;
        fresh.drive(&engine.driver)?;
        Ok(running.insert(fresh))
    }
}

impl TypedFold for Instance {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
        complete: bool,
    ) -> Result<(), TrapCause> {
        let sampled = self.usage.calls.is_multiple_of(FOLDS_PER_SAMPLE).then(Instant::now);
        let mut calls = 0;
        let operands = operands.inspect(|_| calls += 1);
        let folded = self.round(accumulator, operands, complete).map_err(|trapped| trapped.cause);
        self.usage.calls +=
            calls + u64::from(complete && TypedOperation::finishes(&self.operation));
        self.usage.bytes += calls * accumulator.len() as u64;
        self.usage.traps += u64::from(folded.is_err());
        if let Some(begin) = sampled {
            self.usage.time_ns += begin.elapsed().as_nanos() as u64 * FOLDS_PER_SAMPLE;
        }
        folded
    }

    fn answer(&mut self, request: &mut [u8], rank: u16) -> Result<(), TrapCause> {
        let answered = Self::answer(self, request, rank).map_err(|trapped| trapped.cause);
        self.usage.calls += 1;
        self.usage.bytes += request.len() as u64;
        self.usage.traps += u64::from(answered.is_err());
        answered
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Instance").field(self.operation.name()).finish()
    }
}
