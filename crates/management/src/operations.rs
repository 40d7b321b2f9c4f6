//! The operations of users that a job has (R-OP-23), as messages bring them and reports tell of
//! them.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use netfold_switch::{
    OperationLoader, Operations, TooManyOperations, TrapCause, TypedOperation, Usage,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::failure::{Refusal, clip};

/// An operation that a worker brings along.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brought {
    /// The module.
    pub module: Bytes,
    /// Its signature (R-OP-22).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Bytes>,
}

impl Brought {
    /// The operations of a job, as its workers bring them.
    pub(crate) fn all(operations: &Operations) -> Vec<Self> {
        let brought = operations.iter().map(|operation| Self {
            module: Bytes(operation.module().to_vec()),
            signature: operation.signature().map(|signature| Bytes(signature.to_vec())),
        });
        brought.collect()
    }
}

/// Bytes, which are base64 in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.serialize_str(&BASE64_STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = String::deserialize(input)?;
        BASE64_STANDARD.decode(text).map(Self).map_err(D::Error::custom)
    }
}

/// The outcome of [`Loading`].
pub type Loaded = Result<Operations, Refusal>;

/// The operations that a worker brings along, to be admitted (R-OP-16, R-OP-23). That takes as long
/// as a compiler does, so the thread that serves all jobs has another do it (R-OP-41).
#[derive(Clone, Debug)]
pub struct Loading {
    brought: Vec<Brought>,
    loader: Arc<dyn OperationLoader>,
}

impl Loading {
    /// Takes what a worker brings along, some operations at least.
    ///
    /// # Errors
    /// [`Refusal::NoOperations`] without a loader, and [`Refusal::BadValue`] for too many: nothing
    /// of them is compiled.
    pub fn new(
        brought: Vec<Brought>,
        loader: Option<&Arc<dyn OperationLoader>>,
    ) -> Result<Self, Refusal> {
        let loader = loader.ok_or(Refusal::NoOperations)?.clone();
        let bytes = brought.iter().map(|Brought { module, .. }| module.0.len()).sum();
        Operations::check(brought.len(), bytes).map_err(too_many)?;
        Ok(Self { brought, loader })
    }

    /// Admits them.
    ///
    /// # Errors
    /// [`Refusal::Operation`] for the first one that is refused.
    pub fn run(&self) -> Loaded {
        let loaded: Result<Vec<_>, _> = (0_u16..)
            .zip(&self.brought)
            .map(|(number, Brought { module, signature })| {
                let signature = signature.as_ref().map(|signature| &signature.0[..]);
                let refused = |reason: String| Refusal::Operation { number, reason: clip(&reason) };
                self.loader.load(&module.0, signature).map_err(refused)
            })
            .collect();
        Operations::new(loaded?).map_err(too_many)
    }
}

impl PartialEq for Loading {
    fn eq(&self, other: &Self) -> bool {
        self.brought == other.brought
    }
}

fn too_many(TooManyOperations { count, bytes }: TooManyOperations) -> Refusal {
    let (most, most_bytes) = (Operations::MOST, Operations::MOST_BYTES);
    Refusal::bad_value(
        "the number of a job's operations",
        format_args!("{count}, of {bytes} bytes"),
        format!("at most {most}, of {most_bytes} bytes together"),
    )
}

/// Describes the operations of a worker, for a comparison with those of another.
pub(crate) fn described(operations: &Operations) -> String {
    let one = |operation: &dyn TypedOperation| {
        let [a, b, c, d, ..] = operation.hash();
        format!("{} ({a:02x}{b:02x}{c:02x}{d:02x})", operation.name())
    };
    let all: Vec<String> = operations.iter().map(|operation| one(&**operation)).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// An operation of a job, with its work at the switch: at its shards, or in memory that it shares
/// with the workers. What workers fold on their own host is not counted here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationReport {
    /// Name of the job.
    pub job: String,
    /// Its number in the job.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// SHA-256 of its module, in hexadecimal digits.
    pub hash: String,
    /// Bytes of an element.
    pub element_bytes: usize,
    /// Most elements of a message, if it folds whole ones.
    pub message_elements: Option<u32>,
    /// Operands are folded as they arrive, and not in rank order (R-OP-13).
    pub any_order: bool,
    /// Calls of its function.
    pub calls: u64,
    /// Bytes of the operands that were folded.
    pub bytes: u64,
    /// Calls that have trapped.
    pub traps: u64,
    /// Microseconds of its calls, as sampled.
    pub time_us: u64,
    /// Its job has ended, since it trapped (R-OP-45).
    #[serde(default)]
    pub ended: bool,
}

impl OperationReport {
    /// Returns the report of an operation with this work.
    pub fn of(number: u8, operation: &dyn TypedOperation, usage: Usage) -> Self {
        Self {
            job: String::new(),
            number,
            name: operation.name().to_owned(),
            hash: operation.hash().iter().map(|byte| format!("{byte:02x}")).collect(),
            element_bytes: operation.element_bytes(),
            message_elements: operation.message_elements(),
            any_order: operation.any_order(),
            calls: usage.calls,
            bytes: usage.bytes,
            traps: usage.traps,
            time_us: usage.time_ns / 1000,
            ended: false,
        }
    }

    /// Adds the work of another shard, or of an earlier job.
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.bytes += other.bytes;
        self.traps += other.traps;
        self.time_us += other.time_us;
    }
}

/// serde's functions for the cause of a trap, which messages call by its name.
pub(crate) mod cause {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        cause: &TrapCause,
        output: S,
    ) -> Result<S::Ok, S::Error> {
        output.serialize_str(cause.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<TrapCause, D::Error> {
        let name = String::deserialize(input)?;
        let found = TrapCause::ALL.into_iter().find(|cause| cause.name() == name);
        Ok(found.unwrap_or(TrapCause::Other))
    }
}

/// Operations whose module is two bytes, for tests: what they claim, and a number.
#[cfg(test)]
pub(crate) mod claimed {
    use super::*;
    use netfold_switch::TypedFold;

    /// The claims of an operation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Claimed {
        /// That it is associative and commutative.
        Both,
        /// That it is associative.
        Associative,
        /// Nothing.
        Nothing,
    }

    impl Claimed {
        pub(crate) const ALL: [Self; 3] = [Self::Both, Self::Associative, Self::Nothing];

        /// An operation, as a worker brings it along.
        pub(crate) fn brought(self, number: u8) -> Brought {
            Brought { module: Bytes(vec![self as u8, number]), signature: None }
        }
    }

    #[derive(Debug)]
    struct Mock(Vec<u8>);

    impl TypedOperation for Mock {
        fn hash(&self) -> [u8; 32] {
            let mut hash = [0; 32];
            hash[..2].copy_from_slice(&self.0);
            hash
        }

        fn name(&self) -> &str {
            "mock"
        }

        fn module(&self) -> &[u8] {
            &self.0
        }

        fn signature(&self) -> Option<&[u8]> {
            None
        }

        fn element_bytes(&self) -> usize {
            4
        }

        fn message_elements(&self) -> Option<u32> {
            None
        }

        fn batch_bytes(&self) -> usize {
            1024
        }

        fn any_order(&self) -> bool {
            self.0[0] == Claimed::Both as u8
        }

        fn is_associative(&self) -> bool {
            self.0[0] != Claimed::Nothing as u8
        }

        fn has_map(&self) -> bool {
            false
        }

        fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
            Err(TrapCause::Instances)
        }
    }

    /// Admits all but those with one number, and takes note of those that trap.
    #[derive(Debug, Default)]
    pub(crate) struct MockLoader {
        pub(crate) refused: Option<u8>,
        pub(crate) trapped: std::sync::Mutex<Vec<([u8; 32], TrapCause)>>,
    }

    impl OperationLoader for MockLoader {
        fn load(
            &self,
            module: &[u8],
            _signature: Option<&[u8]>,
        ) -> Result<Arc<dyn TypedOperation>, String> {
            if Some(module[1]) == self.refused {
                return Err("it is not wanted here".into());
            }
            Ok(Arc::new(Mock(module.to_vec())))
        }

        fn trapped(&self, hash: [u8; 32], cause: TrapCause) {
            self.trapped.lock().unwrap().push((hash, cause));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loader that nothing may come to.
    #[derive(Debug)]
    struct Closed;

    impl OperationLoader for Closed {
        fn load(
            &self,
            _module: &[u8],
            _signature: Option<&[u8]>,
        ) -> Result<Arc<dyn TypedOperation>, String> {
            panic!("nothing is compiled before its number is checked")
        }

        fn trapped(&self, _hash: [u8; 32], _cause: TrapCause) {}
    }

    /// R-OP-16, R-OP-23
    #[test]
    fn too_many_operations_are_refused_before_any_is_compiled() {
        let closed: Arc<dyn OperationLoader> = Arc::new(Closed);
        let brought = |bytes: usize| Brought { module: Bytes(vec![0; bytes]), signature: None };
        for many in [vec![brought(1); 17], vec![brought(200_000); 2]] {
            let refusal = Loading::new(many, Some(&closed)).unwrap_err().to_string();
            assert!(refusal.contains("at most 16, of 393216 bytes together"), "{refusal}");
        }
        let without = Loading::new(vec![brought(1)], None);
        assert!(matches!(without, Err(Refusal::NoOperations)));
    }
}
