//! A switch's door for modules: what it knows, and what it takes.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use netfold_switch::{OperationLoader, TypedOperation};

use crate::limits::Limits;
use crate::operation::{Hash, Operation};
use crate::policy::{Policy, Signature};
use crate::refused::Refused;
use crate::runtime::Runtime;

/// Admits the modules that workers bring, by a policy (R-OP-16, R-OP-22). Those in use are compiled
/// once.
pub struct Loader {
    runtime: Runtime,
    policy: Policy,
    limits: Limits,
    loaded: Mutex<HashMap<Hash, Weak<Operation>>>,
}

impl Loader {
    /// A loader that admits by `policy`, with the limits of R-OP-15.
    ///
    /// # Errors
    /// [`Refused::Machine`] if this machine cannot run any operation.
    pub fn new(policy: Policy) -> Result<Self, Refused> {
        let (runtime, limits) = (Runtime::new()?, Limits::default());
        Ok(Self { runtime, policy, limits, loaded: Mutex::default() })
    }

    /// Admits a module; see [`OperationLoader::load`].
    ///
    /// # Errors
    /// The reason for which it is refused.
    pub fn admit(
        &self,
        module: &[u8],
        signature: Option<&[u8]>,
    ) -> Result<Arc<Operation>, Refused> {
        let signature = signature.and_then(|bytes| Signature::try_from(bytes).ok());
        self.policy.admit(module, signature.as_ref())?;
        let hash = Hash::of(module);
        // Held while a module is compiled: the second worker of a job waits for the first.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(operation) = loaded.get(&hash).and_then(Weak::upgrade) {
            return Ok(operation);
        }
        loaded.retain(|_, operation| operation.strong_count() > 0);
        let operation = Arc::new(Operation::load(&self.runtime, module, &self.limits)?);
        loaded.insert(hash, Arc::downgrade(&operation));
        Ok(operation)
    }
}

impl OperationLoader for Loader {
    fn load(
        &self,
        module: &[u8],
        signature: Option<&[u8]>,
    ) -> Result<Arc<dyn TypedOperation>, String> {
        match self.admit(module, signature) {
            Ok(operation) => Ok(operation),
            Err(refused) => Err(refused.to_string()),
        }
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader").field("limits", &self.limits).finish_non_exhaustive()
    }
}
