//! A module that runs.

use std::fmt;
use std::time::{Duration, Instant};

use netfold_switch::{TrapCause, TypedFold, Usage};
use rustix::time::{ClockId, clock_gettime};
use wasmtime::{
    Engine, Func, Memory, Module, PoolConcurrencyLimitError, Store, StoreContextMut, StoreLimits,
    StoreLimitsBuilder, Trap, TypedFunc, UpdateDeadline,
};

use crate::check::{ALIGNMENT, Buffers, PAGE};
use crate::declaration::Scope;
use crate::limits::Limits;
use crate::operation::Operation;
use crate::trap::{Trapped, cause};

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

    /// Folds several operands into the accumulator, from left to right; it crosses into the
    /// instance and back once for as many as have room in it (R-OP-10).
    ///
    /// # Errors
    /// [`Trapped`]; the accumulator is then as it was.
    ///
    /// # Panics
    /// As [`fold`](Self::fold), and if the accumulator is longer than
    /// [`batch_bytes`](crate::Declaration::batch_bytes).
    pub fn fold_all<'o>(
        &mut self,
        accumulator: &mut [u8],
        operands: impl IntoIterator<Item = &'o [u8]>,
    ) -> Result<(), Trapped> {
        let count = self.elements(accumulator);
        let mut operands = operands.into_iter();
        if count == 0 {
            assert!(operands.all(<[u8]>::is_empty), "operands have the same length");
            return Ok(());
        }
        self.run(|running| {
            running.begin();
            running.put_accumulator(accumulator);
            loop {
                match running.put_operands(accumulator.len(), &mut operands) {
                    0 => break,
                    put => running.call_for_each(count, accumulator.len(), put)?,
                }
            }
            running.take_accumulator(accumulator);
            Ok(())
        })
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
        self.run(|running| {
            running.begin();
            running.map(result, count)
        })
    }

    /// The operation that this is one of.
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    fn batch(&mut self, accumulator: &mut [u8], operand: &[u8]) -> Result<(), Trapped> {
        let count = self.elements(accumulator);
        self.run(|running| {
            running.begin();
            running.fold(accumulator, operand, count)
        })
    }

    /// Number of elements in a buffer.
    fn elements(&self, buffer: &[u8]) -> i32 {
        let element = self.operation.declaration().element.bytes();
        assert!(
            buffer.len().is_multiple_of(element)
                && buffer.len() <= self.operation.buffers().capacity,
            "a call has whole elements, and at most a batch of them"
        );
        (buffer.len() / element) as i32
    }

    /// Does something with the instance that runs, and drops it if that traps.
    fn run(
        &mut self,
        action: impl FnOnce(&mut Running) -> Result<(), TrapCause>,
    ) -> Result<(), Trapped> {
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
        let store = Running::store(operation.runtime().folds(), operation.limits());
        let mut fresh = Running::start(store, operation.module(), operation.buffers())?;
        fresh.drive(operation.runtime().driver())?;
        Ok(running.insert(fresh))
    }
}

impl TypedFold for Instance {
    fn fold(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut dyn Iterator<Item = &[u8]>,
    ) -> Result<(), TrapCause> {
        let sampled = self.usage.calls.is_multiple_of(FOLDS_PER_SAMPLE).then(Instant::now);
        let mut calls = 0;
        let operands = operands.inspect(|_| calls += 1);
        let folded = self.fold_all(accumulator, operands).map_err(|trapped| trapped.cause);
        self.usage.calls += calls;
        self.usage.bytes += calls * accumulator.len() as u64;
        self.usage.traps += u64::from(folded.is_err());
        if let Some(begin) = sampled {
            self.usage.time_ns += begin.elapsed().as_nanos() as u64 * FOLDS_PER_SAMPLE;
        }
        folded
    }

    fn map(&mut self, result: &mut [u8]) -> Result<(), TrapCause> {
        let mapped = Self::map(self, result).map_err(|trapped| trapped.cause);
        self.usage.calls += 1;
        self.usage.traps += u64::from(mapped.is_err());
        mapped
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

/// The function of a driver.
type Several = TypedFunc<(i32, i32, i32, i32, i32), ()>;

/// A store with an instance, and the buffers in its memory.
pub(crate) struct Running {
    pub(crate) store: Store<Limited>,
    memory: Memory,
    function: Func,
    fold: TypedFunc<(i32, i32, i32), ()>,
    /// The map of results, if the module has one (R-OP-28).
    map: Option<TypedFunc<(i32, i32), ()>>,
    /// The driver's function, once there is one.
    several: Option<Several>,
    accumulator: usize,
    operand: usize,
    /// Bytes for operands.
    room: usize,
}

fn fails(error: wasmtime::Error) -> TrapCause {
    match error.is::<PoolConcurrencyLimitError>() {
        true => TrapCause::Instances,
        false => cause(&error),
    }
}

/// Bytes from one operand to the next, of operands with so many bytes.
fn stride(bytes: usize) -> usize {
    bytes.next_multiple_of(ALIGNMENT)
}

impl Running {
    /// A store for one instance.
    pub(crate) fn store(engine: &Engine, limits: &Limits) -> Store<Limited> {
        let memory_bytes = limits.memory_bytes.min(Limits::MAX_MEMORY_BYTES);
        let limited = StoreLimitsBuilder::new()
            // The module's own, and its driver's.
            .instances(2)
            .memories(1)
            .tables(1)
            .memory_size(memory_bytes as usize)
            .table_elements(limits.table_elements.min(Limits::MAX_TABLE_ELEMENTS) as usize)
            .build();
        let limited = Limited { limits: limited, time: limits.time, since: None };
        let mut store = Store::new(engine, limited);
        store.limiter(|limited| &mut limited.limits);
        store.epoch_deadline_callback(still_in_time);
        store.set_epoch_deadline(1);
        store
    }

    /// Gives a call its time (R-OP-18).
    fn begin(&mut self) {
        self.store.data_mut().since = None;
        self.store.set_epoch_deadline(1);
    }

    /// Instantiates a module, and adds the buffers to its memory (R-OP-10).
    pub(crate) fn start(
        mut store: Store<Limited>,
        module: &Module,
        buffers: Buffers,
    ) -> Result<Self, TrapCause> {
        let instance = wasmtime::Instance::new(&mut store, module, &[]).map_err(fails)?;
        let memory = instance.get_memory(&mut store, "memory").ok_or(TrapCause::Other)?;
        let function = instance.get_func(&mut store, "fold").ok_or(TrapCause::Other)?;
        let fold = function.typed(&store).map_err(fails)?;
        let map = instance.get_func(&mut store, "map").map(|map| map.typed(&store));
        let map = map.transpose().map_err(fails)?;
        let pages = memory.grow(&mut store, buffers.pages()).map_err(|_| TrapCause::Memory)?;
        let accumulator = (pages * PAGE) as usize;
        let operand = accumulator + buffers.operand;
        let room = buffers.room();
        let several = None;
        Ok(Self { store, memory, function, fold, map, several, accumulator, operand, room })
    }

    /// Instantiates the module that calls this one for each of several operands.
    fn drive(&mut self, driver: &Module) -> Result<(), TrapCause> {
        let driver = wasmtime::Instance::new(&mut self.store, driver, &[self.function.into()]);
        let several = driver.map_err(fails)?.get_typed_func(&mut self.store, "several");
        self.several = Some(several.map_err(fails)?);
        Ok(())
    }

    pub(crate) fn fold(
        &mut self,
        accumulator: &mut [u8],
        operand: &[u8],
        count: i32,
    ) -> Result<(), TrapCause> {
        self.put_accumulator(accumulator);
        self.put_operand(operand);
        self.call(count)?;
        self.take_accumulator(accumulator);
        Ok(())
    }

    /// Maps a result, if the module has a map.
    pub(crate) fn map(&mut self, result: &mut [u8], count: i32) -> Result<(), TrapCause> {
        let Some(map) = self.map.clone().filter(|_| count > 0) else { return Ok(()) };
        self.put_accumulator(result);
        let places = (self.accumulator as i32, count);
        map.call(&mut self.store, places).map_err(|error| cause(&error))?;
        self.take_accumulator(result);
        Ok(())
    }

    fn put_accumulator(&mut self, bytes: &[u8]) {
        let at = self.accumulator;
        self.memory.data_mut(&mut self.store)[at..][..bytes.len()].copy_from_slice(bytes);
    }

    fn put_operand(&mut self, bytes: &[u8]) {
        let at = self.operand;
        self.memory.data_mut(&mut self.store)[at..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Puts operands of so many bytes beside each other, as many as have room, and returns their
    /// number.
    fn put_operands<'o>(
        &mut self,
        bytes: usize,
        operands: &mut impl Iterator<Item = &'o [u8]>,
    ) -> usize {
        let memory = &mut self.memory.data_mut(&mut self.store)[self.operand..][..self.room];
        let places = (self.room - bytes) / stride(bytes) + 1;
        let mut put = 0;
        for operand in operands.take(places) {
            assert_eq!(operand.len(), bytes, "operands have the same length");
            memory[put * stride(bytes)..][..bytes].copy_from_slice(operand);
            put += 1;
        }
        put
    }

    fn take_accumulator(&mut self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.memory.data(&self.store)[self.accumulator..][..bytes.len()]);
    }

    fn call(&mut self, count: i32) -> Result<(), TrapCause> {
        if count == 0 {
            return Ok(());
        }
        let places = (self.accumulator as i32, self.operand as i32, count);
        self.fold.call(&mut self.store, places).map_err(|error| cause(&error))
    }

    /// Folds the operands that were put, of so many bytes each.
    fn call_for_each(&mut self, count: i32, bytes: usize, put: usize) -> Result<(), TrapCause> {
        let several = self.several.as_ref().ok_or(TrapCause::Other)?;
        let (first, stride) = (self.operand as i32, stride(bytes) as i32);
        let places = (self.accumulator as i32, first, count, stride, put as i32);
        several.call(&mut self.store, places).map_err(|error| cause(&error))
    }
}

/// The limits of an instance.
pub(crate) struct Limited {
    limits: StoreLimits,
    /// Time that a call may take of its thread's.
    time: Duration,
    /// The thread's time at the call's first tick of the clock; none before.
    since: Option<Duration>,
}

/// Decides at a tick of the clock whether a call may go on. What counts is the processor's time of
/// its thread: the time of others, on a machine with more to do than cores, is no fault of a call.
fn still_in_time(mut store: StoreContextMut<'_, Limited>) -> wasmtime::Result<UpdateDeadline> {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let now = Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32);
    let limited = store.data_mut();
    let since = *limited.since.get_or_insert(now);
    match now.saturating_sub(since) >= limited.time {
        true => Err(Trap::Interrupt.into()),
        false => Ok(UpdateDeadline::Continue(1)),
    }
}
