//! The part that all operations of a process share: the compiler, the pool of instances, the clock.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use wasmtime::{
    Config, Engine, EngineWeak, InstanceAllocationStrategy, Module, OptLevel,
    PoolingAllocationConfig, WasmFeatures,
};

use crate::check::LANGUAGE;
use crate::driver::DRIVER;
use crate::limits::Limits;
use crate::refused::Refused;

/// Period of the clock that ends calls (R-OP-18).
pub(crate) const TICK: Duration = Duration::from_millis(5);

/// Bytes of a call's stack.
const STACK_BYTES: usize = 256 * 1024;

/// Bytes of address space for each memory: with these and the guard behind them, an access needs no
/// check.
const RESERVED_BYTES: u64 = 4 << 30;

/// Instances that a runtime has room for, of all operations together.
pub const MAX_INSTANCES: u32 = 256;

/// The runtime of operations: one for a process. Clones are the same runtime.
///
/// A thread ticks while it exists, for the time limits of calls.
#[derive(Clone)]
pub struct Runtime {
    shared: Arc<Shared>,
}

struct Shared {
    /// For operations without state: instances come from a pool.
    pooled: Compiled,
    /// For operations with state (R-OP-31): memories are as large as each needs.
    keeping: Compiled,
    /// Runs trials at admission; counts their work.
    trials: Engine,
    /// Ends the clock when it is dropped.
    _clock: Sender<()>,
}

/// An engine that runs folds and interrupts them by time.
pub(crate) struct Compiled {
    pub(crate) folds: Engine,
    /// Calls an operation for several operands.
    pub(crate) driver: Module,
}

impl Compiled {
    fn new(config: &Config) -> wasmtime::Result<Self> {
        let folds = Engine::new(config)?;
        let driver = Module::new(&folds, DRIVER)?;
        Ok(Self { folds, driver })
    }
}

impl Runtime {
    /// A runtime with its clock.
    ///
    /// # Errors
    /// [`Refused::Machine`] if this machine cannot compile WebAssembly, or has too little address
    /// space.
    pub fn new() -> Result<Self, Refused> {
        let machine = |error: wasmtime::Error| Refused::Machine(format!("{error:#}"));
        let pooled = Compiled::new(folding().allocation_strategy(pool())).map_err(machine)?;
        let keeping = Compiled::new(&folding()).map_err(machine)?;
        let trials = Engine::new(&trying()).map_err(machine)?;
        let (clock, ended) = channel();
        let engines = [pooled.folds.weak(), keeping.folds.weak()];
        thread::Builder::new()
            .name("netfold-ops-clock".into())
            .spawn(move || tick(&engines, &ended))
            .map_err(|error| Refused::Machine(error.to_string()))?;
        Ok(Self { shared: Arc::new(Shared { pooled, keeping, trials, _clock: clock }) })
    }

    /// Returns the engine for operations with so much state.
    pub(crate) fn engine(&self, state: Option<u64>) -> &Compiled {
        if state.is_some() { &self.shared.keeping } else { &self.shared.pooled }
    }

    pub(crate) fn trials(&self) -> &Engine {
        &self.shared.trials
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runtime(..)")
    }
}

/// Advances the clock of engines until their runtime is gone.
fn tick(engines: &[EngineWeak], ended: &Receiver<()>) {
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(TICK) {
        for engine in engines {
            let Some(engine) = engine.upgrade() else { return };
            engine.increment_epoch();
        }
    }
}

/// The language, and what makes it deterministic (R-OP-12).
fn language() -> Config {
    let mut config = Config::new();
    config
        .wasm_features(WasmFeatures::all(), false)
        .wasm_features(LANGUAGE, true)
        .cranelift_nan_canonicalization(true)
        .max_wasm_stack(STACK_BYTES)
        .wasm_backtrace_max_frames(None)
        .memory_reservation(RESERVED_BYTES);
    config
}

fn folding() -> Config {
    let mut config = language();
    config.epoch_interruption(true).cranelift_opt_level(OptLevel::Speed);
    config
}

fn pool() -> InstanceAllocationStrategy {
    let mut pool = PoolingAllocationConfig::new();
    // Each with its driver, which has neither memory nor table.
    pool.total_core_instances(2 * MAX_INSTANCES)
        .total_memories(MAX_INSTANCES)
        .total_tables(MAX_INSTANCES)
        .max_memory_size(Limits::MAX_MEMORY_BYTES as usize)
        .table_elements(Limits::MAX_TABLE_ELEMENTS as usize);
    InstanceAllocationStrategy::Pooling(pool)
}

fn trying() -> Config {
    let mut config = language();
    config
        .consume_fuel(true)
        .cranelift_opt_level(OptLevel::None)
        .allocation_strategy(InstanceAllocationStrategy::OnDemand);
    config
}
