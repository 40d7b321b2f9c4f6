//! An operation that has been admitted.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use wasmtime::Module;

use crate::check::{self, Buffers};
use crate::declaration::{Declaration, Scope};
use crate::draw::Draw;
use crate::instance::Instance;
use crate::limits::Limits;
use crate::overtime::Overtime;
use crate::policy::Signature;
use crate::refused::Refused;
use crate::running::Running;
use crate::runtime::{Compiled, Runtime};
use netfold_switch::{TrapCause, TypedFold, TypedOperation};

/// Seed of the operands that a trial draws: the same module has the same trial.
const TRIAL_SEED: u64 = 1;

/// Folds of a trial, of a whole batch each.
const TRIALS: u32 = 4;

/// SHA-256 of a module's bytes (R-OP-1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of a module.
    pub fn of(module: &[u8]) -> Self {
        Self(Sha256::digest(module).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An operation that has been admitted. Clones are the same operation.
#[derive(Clone)]
pub struct Operation {
    shared: Arc<Shared>,
    signature: Option<Signature>,
}

struct Shared {
    runtime: Runtime,
    bytes: Box<[u8]>,
    module: Module,
    functions: Functions,
    hash: Hash,
    name: Arc<str>,
    declaration: Declaration,
    buffers: Buffers,
    limits: Limits,
    overtime: Arc<Overtime>,
}

/// The functions that a module may have or lack: a switch asks for them packet by packet.
#[derive(Clone, Copy)]
struct Functions {
    fold: bool,
    map: bool,
    answer: bool,
}

impl Functions {
    fn of(module: &Module) -> Self {
        let [fold, map, answer] =
            ["fold", "map", "answer"].map(|name| module.get_export(name).is_some());
        Self { fold, map, answer }
    }
}

impl Operation {
    /// Admits a module (R-OP-16): checks, compiles and tries it.
    ///
    /// # Errors
    /// The reason for which it is refused.
    pub fn load(runtime: &Runtime, bytes: &[u8], limits: &Limits) -> Result<Self, Refused> {
        let declaration = check::check(bytes, limits)?;
        let buffers = Buffers::of(&declaration);
        try_out(runtime, bytes, &declaration, limits)?;
        let module = compile(&runtime.engine(declaration.state).folds, bytes)?;
        let limits = Limits { time: limits.time_of(&declaration), ..limits.clone() };
        let shared = Shared {
            runtime: runtime.clone(),
            bytes: bytes.into(),
            functions: Functions::of(&module),
            module,
            hash: Hash::of(bytes),
            name: declaration.name.as_str().into(),
            declaration,
            buffers,
            limits,
            overtime: Arc::default(),
        };
        Ok(Self { shared: Arc::new(shared), signature: None })
    }

    /// Returns the operation with a signature, for switches that ask for one (R-OP-22).
    #[must_use]
    pub fn signed(self, signature: Signature) -> Self {
        Self { signature: Some(signature), ..self }
    }

    /// An instance, for one thread.
    ///
    /// # Errors
    /// [`Refused::Instances`] if there are [`MAX_INSTANCES`](crate::MAX_INSTANCES).
    pub fn instance(&self) -> Result<Instance, Refused> {
        Instance::new(self.clone()).map_err(refusal)
    }

    /// Its declaration.
    pub fn declaration(&self) -> &Declaration {
        &self.shared.declaration
    }

    /// Its identity.
    pub fn hash(&self) -> Hash {
        self.shared.hash
    }

    /// Its name, which need not be unique.
    pub fn name(&self) -> &Arc<str> {
        &self.shared.name
    }

    /// Returns whether it maps results (R-OP-28).
    pub fn has_map(&self) -> bool {
        self.shared.functions.map
    }

    /// Returns the limits that it was admitted with, and the time that its own calls may take.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// Returns whether it folds operands; one that only answers requests does not (R-OP-8).
    pub fn folds(&self) -> bool {
        self.shared.functions.fold
    }

    /// Returns whether it answers requests (R-OP-32).
    pub fn answers(&self) -> bool {
        self.shared.functions.answer
    }

    /// Returns the engine that its module was compiled for.
    pub(crate) fn engine(&self) -> &Compiled {
        self.shared.runtime.engine(self.shared.declaration.state)
    }

    /// Returns the overtime of all instances (R-OP-43).
    pub(crate) fn overtime(&self) -> &Arc<Overtime> {
        &self.shared.overtime
    }

    pub(crate) fn module(&self) -> &Module {
        &self.shared.module
    }

    pub(crate) fn buffers(&self) -> Buffers {
        self.shared.buffers
    }
}

impl TypedOperation for Operation {
    fn hash(&self) -> [u8; 32] {
        self.shared.hash.0
    }

    fn name(&self) -> &str {
        &self.shared.name
    }

    fn module(&self) -> &[u8] {
        &self.shared.bytes
    }

    fn signature(&self) -> Option<&[u8]> {
        self.signature.as_ref().map(|signature| &signature[..])
    }

    fn element_bytes(&self) -> usize {
        self.shared.declaration.travelling().bytes()
    }

    fn message_elements(&self) -> Option<u32> {
        match self.shared.declaration.scope {
            Scope::Element => None,
            Scope::Message { elements } => Some(elements as u32),
        }
    }

    fn batch_bytes(&self) -> usize {
        self.shared.declaration.batch_elements() * self.element_bytes()
    }

    fn any_order(&self) -> bool {
        self.shared.declaration.any_order()
    }

    fn is_associative(&self) -> bool {
        self.shared.declaration.in_parts()
    }

    fn has_map(&self) -> bool {
        self.has_map()
    }

    fn has_codec(&self) -> bool {
        self.shared.declaration.wire.is_some()
    }

    fn state_bytes(&self) -> Option<u64> {
        self.shared.declaration.state
    }

    fn answers(&self) -> bool {
        self.answers()
    }

    fn folds(&self) -> bool {
        self.folds()
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        Ok(Box::new(Instance::new(self.clone())?))
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation")
            .field("name", &self.shared.name)
            .field("hash", &self.shared.hash)
            .finish_non_exhaustive()
    }
}

fn compile(engine: &wasmtime::Engine, bytes: &[u8]) -> Result<Module, Refused> {
    Module::new(engine, bytes).map_err(|error| Refused::Compile(format!("{error:#}")))
}

/// Folds whole batches of drawn operands, or answers them, and counts the work (R-OP-17). With a
/// codec they are encoded first.
fn try_out(
    runtime: &Runtime,
    bytes: &[u8],
    declaration: &Declaration,
    limits: &Limits,
) -> Result<(), Refused> {
    let module = compile(runtime.trials(), bytes)?;
    let buffers = Buffers::of(declaration);
    let limit = limits.work_of(buffers.capacity.max(buffers.wire.1));
    let machine = |error: wasmtime::Error| Refused::Machine(error.to_string());
    let memory_bytes = limits.memory_of(declaration);
    let mut store = Running::store(runtime.trials(), limits, memory_bytes, Arc::default());
    store.set_fuel(limit).map_err(machine)?;
    let mut running = Running::start(store, &module, buffers).map_err(refusal)?;
    let mut draw = Draw::new(TRIAL_SEED);
    let count = declaration.batch_elements();
    let functions = Functions::of(&module);
    for rank in 0..TRIALS as u16 {
        let mut accumulator = draw.elements(declaration, count);
        let operand = draw.elements(declaration, count);
        let mut wire = vec![0; buffers.wire.1];
        type Step<'s> = &'s mut dyn FnMut(&mut Running) -> Result<(), TrapCause>;
        let mut attempt = |there: bool, step: Step<'_>| {
            running.store.set_fuel(limit).map_err(machine)?;
            match if there { step(&mut running) } else { Ok(()) } {
                Ok(()) => Ok(()),
                Err(TrapCause::Work) => Err(Refused::Work { bytes: buffers.capacity, limit }),
                Err(cause) => Err(Refused::Trap(cause)),
            }
        };
        let n = count as i32;
        let codec = declaration.wire.is_some();
        attempt(codec, &mut |running| running.encoded(&accumulator, &mut wire, n))?;
        attempt(codec, &mut |running| running.decoded(&wire, &mut accumulator, n))?;
        attempt(functions.fold, &mut |running| running.fold(&mut accumulator, &operand, n))?;
        attempt(functions.map, &mut |running| running.map(&mut accumulator, n))?;
        attempt(functions.answer, &mut |running| running.answer(&mut accumulator, n, rank))?;
    }
    Ok(())
}

fn refusal(cause: TrapCause) -> Refused {
    match cause {
        TrapCause::Instances => Refused::Instances,
        cause => Refused::Trap(cause),
    }
}
