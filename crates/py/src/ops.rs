//! Operations of users: admitted, tried and tested as a switch and `netfold op` do (R-OP).

use std::fmt::Display;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use netfold_net::{OperationLoader, OperationPolicy, Operations};
use netfold_ops::{
    Associative, Element, Instance, Key, Limits, Loader, Operation, PolicyError, Refused, Runtime,
    Scope, Trapped, TypedOperation, examine,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::named;

/// One for the process: a pool of instances and a clock.
static RUNTIME: LazyLock<Result<Runtime, Refused>> = LazyLock::new(Runtime::new);

/// An operation that was admitted under the limits that a switch has by default.
#[pyclass(frozen, name = "Operation")]
pub(crate) struct PyOperation {
    operation: Operation,
    /// That of [`fold`](Self::fold), since the first one.
    instance: Mutex<Option<Instance>>,
}

/// Returns the operations behind Python's objects, as a job takes them.
pub(crate) fn operations(py: Python<'_>, given: &[Bound<'_, PyAny>]) -> PyResult<Operations> {
    let all: PyResult<Vec<Arc<dyn TypedOperation>>> = given
        .iter()
        .map(|object| {
            let object = object.cast::<PyOperation>()?.get();
            Ok(Arc::new(object.operation.clone()) as Arc<dyn TypedOperation>)
        })
        .collect();
    Operations::new(all?).map_err(|error| wrong(py, &error))
}

/// Returns what admits operations at a switch inside this process; `None` if it takes none.
pub(crate) fn loader(
    py: Python<'_>,
    policy: OperationPolicy,
    key: Option<&str>,
) -> PyResult<Option<Arc<dyn OperationLoader>>> {
    Loader::of_switch(policy, key).map_err(|error| match error {
        PolicyError::NoKey => wrong(py, &format_args!("{error}: pass ops_key")),
        error => wrong(py, &error),
    })
}

#[pymethods]
impl PyOperation {
    #[new]
    fn new(py: Python<'_>, module: &[u8]) -> PyResult<Self> {
        let operation = py.detach(|| {
            let runtime = RUNTIME.as_ref().map_err(Clone::clone)?;
            Operation::load(runtime, module, &Limits::default())
        });
        let operation = operation.map_err(|refused| wrong(py, &refused))?;
        Ok(Self { operation, instance: Mutex::new(None) })
    }

    /// Returns the operation with the signature of its module that a key makes (R-OP-22).
    fn signed(&self, py: Python<'_>, key: &str) -> PyResult<Self> {
        let key = Key::new(key).map_err(|error| wrong(py, &error))?;
        let signature = key.sign(self.operation.module());
        let operation = self.operation.clone().signed(signature);
        Ok(Self { operation, instance: Mutex::new(None) })
    }

    #[getter]
    fn hash(&self) -> String {
        self.operation.hash().to_string()
    }

    #[getter]
    fn name(&self) -> &str {
        self.operation.name()
    }

    /// The element type, as a declaration spells it.
    #[getter]
    fn element(&self) -> String {
        self.operation.declaration().element.to_string()
    }

    #[getter]
    fn element_bytes(&self) -> usize {
        self.operation.declaration().element.bytes()
    }

    /// The type in which elements travel, if that is another one (R-OP-30).
    #[getter]
    fn wire(&self) -> Option<String> {
        self.operation.declaration().wire.as_ref().map(ToString::to_string)
    }

    /// Claim that elements are the same after they have travelled (R-OP-44).
    #[getter]
    fn lossless(&self) -> bool {
        self.operation.declaration().lossless
    }

    /// Bytes of the data that it keeps from one call to the next (R-OP-31).
    #[getter]
    fn state(&self) -> Option<u64> {
        self.operation.declaration().state
    }

    /// Most elements of a message, of an operation on messages.
    #[getter]
    fn message_elements(&self) -> Option<usize> {
        match self.operation.declaration().scope {
            Scope::Element => None,
            Scope::Message { elements } => Some(elements),
        }
    }

    /// The tolerance of the claim of associativity, 0 for the same bits, or nothing without it.
    #[getter]
    fn associative(&self) -> Option<f64> {
        match self.operation.declaration().associative {
            Associative::No => None,
            Associative::Yes => Some(0.0),
            Associative::Within(tolerance) => Some(tolerance),
        }
    }

    #[getter]
    fn commutative(&self) -> bool {
        self.operation.declaration().commutative
    }

    #[getter]
    fn identity<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.operation.declaration().identity.as_ref().map(|bytes| PyBytes::new(py, bytes))
    }

    /// The claimed range of each field.
    #[getter]
    fn ranges(&self) -> Vec<Option<(f64, f64)>> {
        let ranges = self.operation.declaration().ranges.iter();
        ranges.map(|range| range.as_ref().map(|range| (*range.start(), *range.end()))).collect()
    }

    /// Looks for operands that disprove a claim: its name, and the operands as text.
    fn test(&self, py: Python<'_>, rounds: u32, seed: u64) -> PyResult<Vec<(String, String)>> {
        let found = py.detach(|| examine(&self.operation, rounds, seed));
        let found = found.map_err(|error| wrong(py, &error))?;
        let declaration = self.operation.declaration();
        Ok(found
            .iter()
            .map(|example| (example.claim.to_string(), example.describe(declaration)))
            .collect())
    }

    /// Folds two operands of whole elements, as many in each.
    fn fold<'py>(
        &self,
        py: Python<'py>,
        left: &[u8],
        right: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        if left.len() != right.len() {
            let (left, right) = (left.len(), right.len());
            return Err(wrong(py, &format!("operands of {left} and {right} bytes")));
        }
        self.check(py, left, &self.operation.declaration().element)?;
        if !self.operation.folds() {
            let why = format!("{} answers requests, and folds nothing", self.operation.name());
            return Err(wrong(py, &why));
        }
        self.run(py, |instance| {
            let mut result = left.to_vec();
            instance.fold(&mut result, right)?;
            Ok(result)
        })
    }

    /// Encodes whole elements (R-OP-30).
    fn encode<'py>(&self, py: Python<'py>, elements: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        self.check(py, elements, &self.operation.declaration().element)?;
        self.run(py, |instance| instance.encode(elements))
    }

    /// Decodes whole wire elements (R-OP-30).
    fn decode<'py>(&self, py: Python<'py>, wire: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        self.check(py, wire, self.operation.declaration().travelling())?;
        self.run(py, |instance| instance.decode(wire))
    }

    /// Answers requests, whole elements, of a worker (R-OP-32).
    fn answer<'py>(
        &self,
        py: Python<'py>,
        requests: &[u8],
        rank: u16,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let declaration = self.operation.declaration();
        self.check(py, requests, &declaration.element)?;
        if !self.operation.answers() {
            return Err(wrong(py, &format!("{} answers no requests", declaration.name)));
        }
        self.run(py, |instance| {
            let mut replies = requests.to_vec();
            for batch in replies.chunks_mut(declaration.batch_bytes()) {
                instance.answer(batch, rank)?;
            }
            Ok(replies)
        })
    }

    /// Returns the operation with a memory of its own.
    fn fresh(&self) -> Self {
        Self { operation: self.operation.clone(), instance: Mutex::new(None) }
    }
}

impl PyOperation {
    /// Refuses what is no whole number of elements, or too long for a message.
    fn check(&self, py: Python<'_>, bytes: &[u8], element: &Element) -> PyResult<()> {
        let (length, of) = (bytes.len(), element.bytes());
        if !length.is_multiple_of(of) {
            return Err(wrong(py, &format!("{length} bytes are no whole elements of {of} bytes")));
        }
        match self.operation.declaration().scope {
            Scope::Message { elements: most } if length > most * of => {
                let elements = length / of;
                Err(wrong(py, &format!("a message has at most {most} elements, not {elements}")))
            }
            _ => Ok(()),
        }
    }

    /// Runs something in the operation's instance here, without Python's lock.
    fn run<'py>(
        &self,
        py: Python<'py>,
        action: impl FnOnce(&mut Instance) -> Result<Vec<u8>, Trapped> + Send,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let result: Result<Vec<u8>, String> = py.detach(|| {
            let mut instance = self.instance.lock().unwrap_or_else(PoisonError::into_inner);
            let instance = match &mut *instance {
                Some(instance) => instance,
                none => none.insert(self.operation.instance().map_err(|why| why.to_string())?),
            };
            action(instance).map_err(|why| why.to_string())
        });
        Ok(PyBytes::new(py, &result.map_err(|why| wrong(py, &why))?))
    }
}

fn wrong(py: Python<'_>, why: &impl Display) -> PyErr {
    named(py, "OperationError", why.to_string())
}
