//! A store with an instance of a module, and the buffers of its calls.

use std::sync::Arc;
use std::time::Duration;

use netfold_switch::TrapCause;
use rustix::time::{ClockId, clock_gettime};
use wasmtime::{
    Engine, Func, Memory, Module, PoolConcurrencyLimitError, Store, StoreContextMut, StoreLimits,
    StoreLimitsBuilder, Trap, TypedFunc, UpdateDeadline, WasmParams,
};

use crate::check::{ALIGNMENT, Buffers, PAGE};
use crate::limits::Limits;
use crate::overtime::{Meter, Overtime};
use crate::trap::cause;

/// The function of a driver.
type Several = TypedFunc<(i32, i32, i32, i32, i32), ()>;

/// A function of two addresses and a number of elements, or of an address and two numbers.
type Three = TypedFunc<(i32, i32, i32), ()>;

/// A store with an instance, and the buffers in its memory.
pub(crate) struct Running {
    pub(crate) store: Store<Limited>,
    memory: Memory,
    functions: Functions,
    /// The driver's function, once there is one.
    several: Option<Several>,
    accumulator: usize,
    operand: usize,
    /// Place of an operand as it travels, if there is a codec.
    wire: usize,
    /// Bytes for operands.
    room: usize,
    /// Bytes of an element, or of a wire element if that is longer.
    element: usize,
}

/// The functions of a module, those that it has.
struct Functions {
    /// The fold as the driver gets it.
    driven: Option<Func>,
    fold: Option<Three>,
    /// The map of results (R-OP-28).
    map: Option<TypedFunc<(i32, i32), ()>>,
    /// The codec (R-OP-30).
    decode: Option<Three>,
    encode: Option<Three>,
    /// The answer to requests (R-OP-32).
    answer: Option<Three>,
}

impl Functions {
    fn of(store: &mut Store<Limited>, instance: &wasmtime::Instance) -> Result<Self, TrapCause> {
        fn typed<P: WasmParams>(
            store: &mut Store<Limited>,
            instance: &wasmtime::Instance,
            name: &str,
        ) -> Result<Option<TypedFunc<P, ()>>, TrapCause> {
            let function = instance.get_func(&mut *store, name);
            function.map(|function| function.typed(&*store)).transpose().map_err(fails)
        }
        Ok(Self {
            driven: instance.get_func(&mut *store, "fold"),
            fold: typed(store, instance, "fold")?,
            map: typed(store, instance, "map")?,
            decode: typed(store, instance, "decode")?,
            encode: typed(store, instance, "encode")?,
            answer: typed(store, instance, "answer")?,
        })
    }
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
    pub(crate) fn store(
        engine: &Engine,
        limits: &Limits,
        memory_bytes: u64,
        overtime: Arc<Overtime>,
    ) -> Store<Limited> {
        let memory = StoreLimitsBuilder::new()
            // The module's own, and its driver's.
            .instances(2)
            .memories(1)
            .tables(1)
            .memory_size(memory_bytes as usize)
            .table_elements(limits.table_elements.min(Limits::MAX_TABLE_ELEMENTS) as usize)
            .build();
        let meter = Meter::new(thread_time());
        let limited = Limited { memory, limits: limits.clone(), since: None, meter, overtime };
        let mut store = Store::new(engine, limited);
        store.limiter(|limited| &mut limited.memory);
        store.epoch_deadline_callback(still_in_time);
        store.set_epoch_deadline(1);
        store
    }

    /// Gives a call its time (R-OP-18), and what its `elements` are worth (R-OP-43).
    fn begin(&mut self, elements: i32) {
        let limited = self.store.data_mut();
        limited.since = None;
        limited.meter.begin(limited.limits.work_of(elements as usize * self.element));
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
        let functions = Functions::of(&mut store, &instance)?;
        let pages = memory.grow(&mut store, buffers.pages()).map_err(|_| TrapCause::Memory)?;
        let accumulator = (pages * PAGE) as usize;
        let operand = accumulator + buffers.operand;
        let wire = accumulator + buffers.wire.0;
        let (room, element, several) = (buffers.room(), buffers.element, None);
        Ok(Self { store, memory, functions, several, accumulator, operand, wire, room, element })
    }

    /// Instantiates the module that calls this one for each of several operands.
    pub(crate) fn drive(&mut self, driver: &Module) -> Result<(), TrapCause> {
        let Some(fold) = self.functions.driven else { return Ok(()) };
        let driver = wasmtime::Instance::new(&mut self.store, driver, &[fold.into()]);
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
        self.put(self.accumulator, accumulator);
        self.put(self.operand, operand);
        self.fold_operand(count)?;
        self.take(self.accumulator, accumulator);
        Ok(())
    }

    /// Folds operands of `count` elements into the accumulator, where all of them travel, as a
    /// switch does in one round; when it is `complete`, its result is mapped, and encoded
    /// (R-OP-28, R-OP-30).
    pub(crate) fn round<'o>(
        &mut self,
        accumulator: &mut [u8],
        operands: &mut impl Iterator<Item = &'o [u8]>,
        count: i32,
        complete: bool,
    ) -> Result<(), TrapCause> {
        let codec = self.functions.decode.is_some();
        if codec {
            self.decode(accumulator, self.accumulator, count)?;
            for operand in operands {
                self.decode(operand, self.operand, count)?;
                self.fold_operand(count)?;
            }
        } else {
            self.put(self.accumulator, accumulator);
            loop {
                match self.put_operands(accumulator.len(), operands) {
                    0 => break,
                    put => self.call_for_each(count, accumulator.len(), put)?,
                }
            }
        }
        if complete {
            self.map_accumulator(count)?;
        }
        if codec {
            return self.encode_to(accumulator, count);
        }
        self.take(self.accumulator, accumulator);
        Ok(())
    }

    /// Maps a result, if the module has a map.
    pub(crate) fn map(&mut self, result: &mut [u8], count: i32) -> Result<(), TrapCause> {
        self.put(self.accumulator, result);
        self.map_accumulator(count)?;
        self.take(self.accumulator, result);
        Ok(())
    }

    /// Makes `count` elements of wire elements.
    pub(crate) fn decoded(
        &mut self,
        wire: &[u8],
        elements: &mut [u8],
        count: i32,
    ) -> Result<(), TrapCause> {
        self.decode(wire, self.accumulator, count)?;
        self.take(self.accumulator, elements);
        Ok(())
    }

    /// Makes wire elements of `count` elements.
    pub(crate) fn encoded(
        &mut self,
        elements: &[u8],
        wire: &mut [u8],
        count: i32,
    ) -> Result<(), TrapCause> {
        self.put(self.accumulator, elements);
        self.encode_to(wire, count)
    }

    /// Puts the reply to a request of `count` elements in its place.
    pub(crate) fn answer(
        &mut self,
        request: &mut [u8],
        count: i32,
        rank: u16,
    ) -> Result<(), TrapCause> {
        let answer = self.functions.answer.clone().ok_or(TrapCause::Other)?;
        self.put(self.accumulator, request);
        self.call(count, &answer, (self.accumulator as i32, count, i32::from(rank)))?;
        self.take(self.accumulator, request);
        Ok(())
    }

    /// Decodes wire elements to a place in the memory.
    fn decode(&mut self, wire: &[u8], to: usize, count: i32) -> Result<(), TrapCause> {
        let decode = self.functions.decode.clone().ok_or(TrapCause::Other)?;
        self.put(self.wire, wire);
        self.call(count, &decode, (to as i32, self.wire as i32, count))
    }

    /// Encodes the accumulator.
    fn encode_to(&mut self, wire: &mut [u8], count: i32) -> Result<(), TrapCause> {
        let encode = self.functions.encode.clone().ok_or(TrapCause::Other)?;
        self.call(count, &encode, (self.wire as i32, self.accumulator as i32, count))?;
        self.take(self.wire, wire);
        Ok(())
    }

    fn map_accumulator(&mut self, count: i32) -> Result<(), TrapCause> {
        let Some(map) = self.functions.map.clone() else { return Ok(()) };
        self.call(count, &map, (self.accumulator as i32, count))
    }

    /// Calls a function that has so many elements to do with.
    fn call<P: WasmParams>(
        &mut self,
        elements: i32,
        function: &TypedFunc<P, ()>,
        arguments: P,
    ) -> Result<(), TrapCause> {
        self.begin(elements);
        function.call(&mut self.store, arguments).map_err(|error| cause(&error))
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.memory.data_mut(&mut self.store)[at..][..bytes.len()].copy_from_slice(bytes);
    }

    fn take(&mut self, at: usize, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.memory.data(&self.store)[at..][..bytes.len()]);
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

    /// Folds the operand into the accumulator.
    fn fold_operand(&mut self, count: i32) -> Result<(), TrapCause> {
        let fold = self.functions.fold.clone().ok_or(TrapCause::Other)?;
        self.call(count, &fold, (self.accumulator as i32, self.operand as i32, count))
    }

    /// Folds the operands that were put, of so many bytes each.
    fn call_for_each(&mut self, count: i32, bytes: usize, put: usize) -> Result<(), TrapCause> {
        let several = self.several.clone().ok_or(TrapCause::Other)?;
        let (first, stride) = (self.operand as i32, stride(bytes) as i32);
        let places = (self.accumulator as i32, first, count, stride, put as i32);
        self.call(count * put as i32, &several, places)
    }
}

/// The limits of an instance.
pub(crate) struct Limited {
    memory: StoreLimits,
    limits: Limits,
    /// The thread's time at the call's first tick of the clock; none before.
    since: Option<Duration>,
    meter: Meter,
    overtime: Arc<Overtime>,
}

/// Decides at a tick of the clock whether a call may go on (R-OP-18, R-OP-43). What counts is the
/// processor's time of its thread: the time of others, on a machine with more to do than cores, is
/// no fault of a call.
fn still_in_time(mut store: StoreContextMut<'_, Limited>) -> wasmtime::Result<UpdateDeadline> {
    let now = thread_time();
    let Limited { limits, since, meter, overtime, .. } = store.data_mut();
    let exceeds = meter.tick(now, since.is_some(), overtime, limits.time);
    let since = *since.get_or_insert(now);
    match exceeds || now.saturating_sub(since) >= limits.time {
        true => Err(Trap::Interrupt.into()),
        false => Ok(UpdateDeadline::Continue(1)),
    }
}

/// The processor's time of this thread.
fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}
