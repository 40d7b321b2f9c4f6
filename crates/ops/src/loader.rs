//! A switch's door for modules: what it knows, and what it takes.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use netfold_switch::{OperationLoader, OperationPolicy, TrapCause, TypedOperation};

use crate::limits::{CHECKS, LONGEST_WAIT, Limits, PAUSE, REST, RESTS};
use crate::operation::{Hash, Operation};
use crate::policy::{Policy, PolicyError, Signature};
use crate::refused::Refused;
use crate::runtime::Runtime;

/// Admits the modules that workers bring, by a policy (R-OP-16, R-OP-22). Those in use are compiled
/// once.
pub struct Loader {
    /// Made for the first module: a switch without operations has no clock that ticks.
    runtime: LazyLock<Result<Runtime, Refused>>,
    policy: Policy,
    limits: Limits,
    /// Held while a module is compiled; `known` is not, which those who have no time ask.
    compiling: Mutex<()>,
    known: Mutex<Known>,
}

/// The operations of which a loader knows.
#[derive(Default)]
struct Known {
    /// Those in use, or that were.
    loaded: HashMap<Hash, Weak<Operation>>,
    /// Those that had to be stopped, and when.
    stopped: HashMap<Hash, Instant>,
    rest: Rest,
}

/// Times in which nothing new is admitted, however many modules there are: calls that have to be
/// stopped take a fortieth of a shard's time at most (R-OP-42), and modules that are refused, trap
/// or are compiled a tenth of a core (R-OP-46).
#[derive(Debug, Default)]
struct Rest(Option<Instant>);

impl Rest {
    /// Adds a rest to what is left of those before.
    fn add(&mut self, now: Instant, rest: Duration) {
        let from = self.0.map_or(now, |until| until.max(now));
        self.0 = Some(from + rest);
    }

    /// Has at least this rest left.
    fn last(&mut self, now: Instant, rest: Duration) {
        self.0 = self.0.max(Some(now + rest));
    }

    fn left(&self, now: Instant) -> Duration {
        self.0.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}

/// Returns the rest after a module that it took so long to admit, or to refuse (R-OP-46).
fn rest_after(took: Duration, admitted: bool) -> Duration {
    let rest = CHECKS * took;
    if admitted { rest.min(LONGEST_WAIT) } else { rest }
}

impl Known {
    /// Returns the operation with this hash, if it is in use.
    fn find(&mut self, hash: Hash) -> Result<Option<Arc<Operation>>, Refused> {
        self.stopped.retain(|_, at| at.elapsed() < REST);
        if self.stopped.contains_key(&hash) {
            return Err(Refused::Slow);
        }
        self.loaded.retain(|_, operation| operation.strong_count() > 0);
        Ok(self.loaded.get(&hash).and_then(Weak::upgrade))
    }
}

impl Loader {
    /// A loader that admits by `policy`, with the limits of R-OP-15.
    pub fn new(policy: Policy) -> Self {
        let (runtime, limits) = (LazyLock::new(Runtime::new as fn() -> _), Limits::default());
        Self { runtime, policy, limits, compiling: Mutex::default(), known: Mutex::default() }
    }

    /// Returns what admits operations at a switch with this policy, by its name, and the text of
    /// the key for signed ones; `None` if it takes none.
    ///
    /// # Errors
    /// [`PolicyError`]
    pub fn of_switch(
        policy: OperationPolicy,
        key: Option<&str>,
    ) -> Result<Option<Arc<dyn OperationLoader>>, PolicyError> {
        Ok(match Policy::named(policy, key)? {
            Policy::None => None,
            policy => Some(Arc::new(Self::new(policy))),
        })
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
        // The second worker of a job waits for the first.
        let _compiling = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(operation) = self.known().find(hash)? {
            return Ok(operation);
        }
        let left = self.known().rest.left(Instant::now());
        if left > LONGEST_WAIT {
            return Err(Refused::Busy { seconds: left.as_secs() });
        }
        thread::sleep(left);
        let runtime = self.runtime.as_ref().map_err(Clone::clone)?;
        let begin = Instant::now();
        let loaded = Operation::load(runtime, module, &self.limits);
        let (now, mut known) = (Instant::now(), self.known());
        known.rest.add(now, rest_after(now - begin, loaded.is_ok()));
        let operation = Arc::new(loaded?);
        known.loaded.insert(hash, Arc::downgrade(&operation));
        Ok(operation)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
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
            Err(refused) => {
                thread::sleep(PAUSE);
                Err(refused.to_string())
            }
        }
    }

    fn trapped(&self, hash: [u8; 32], cause: TrapCause) {
        let (now, mut known) = (Instant::now(), self.known());
        if cause == TrapCause::Time {
            let hash = Hash(hash);
            known.stopped.insert(hash, now);
            let operation = known.loaded.get(&hash).and_then(Weak::upgrade);
            let time = operation.map_or(self.limits.time, |operation| operation.limits().time);
            known.rest.add(now, RESTS * time);
        } else {
            known.rest.last(now, PAUSE);
        }
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_millis(10);

    fn loader() -> Loader {
        let limits = Limits { time: TIME, ..Limits::default() };
        Loader { limits, ..Loader::new(Policy::Any) }
    }

    fn module(name: &str) -> Vec<u8> {
        let text = format!(
            r#"(module (@custom "netfold.operation" "abi 1\nname {name}\nelement i32\n")
                (memory (export "memory") 1)
                (func (export "fold") (param i32 i32 i32)))"#
        );
        wat::parse_str(text).unwrap()
    }

    fn stop(loader: &Loader, number: u8) {
        loader.trapped([number; 32], TrapCause::Time);
    }

    /// R-OP-42: whatever was stopped, what is new waits, the longer the more often; what is in use
    /// does not.
    #[test]
    fn calls_that_were_stopped_hold_up_what_is_new() {
        let loader = loader();
        let used = loader.admit(&module("used"), None).unwrap();
        let begin = Instant::now();
        (0..3).for_each(|number| stop(&loader, number));
        assert_eq!(loader.admit(&module("used"), None).unwrap().hash(), used.hash());
        loader.admit(&module("new"), None).unwrap();
        assert!(begin.elapsed() >= 3 * 39 * TIME, "{:?}", begin.elapsed());
    }

    /// R-OP-42: a call may take longer if its operation has state, and then the rest is longer.
    #[test]
    fn the_rest_is_in_proportion_to_the_time_of_a_call() {
        let loader = loader();
        let mebibyte = loader.admit(&module("large\\nstate 1048576"), None).unwrap();
        let (before, now) = (loader.known().rest.left(Instant::now()), Instant::now());
        loader.trapped(mebibyte.hash().0, TrapCause::Time);
        // 256 pages, 10 microseconds each.
        let rest = 39 * (TIME + Duration::from_micros(2560));
        let until = loader.known().rest.0.unwrap();
        assert!(until >= now + rest, "{:?}", until - now);
        assert!(until <= Instant::now() + before + rest, "{:?}", until - now);
    }

    /// R-OP-46: many at once hold up no longer than one.
    #[test]
    fn a_trap_holds_up_what_is_new_for_a_moment() {
        let loader = loader();
        let begin = Instant::now();
        (0..100).for_each(|number| loader.trapped([number; 32], TrapCause::Memory));
        assert!(loader.known().rest.left(Instant::now()) <= PAUSE);
        loader.admit(&module("new"), None).unwrap();
        assert!(begin.elapsed() >= PAUSE, "{:?}", begin.elapsed());
    }

    /// R-OP-46: each is told after a pause, and is followed by a rest.
    #[test]
    fn refusals_have_a_pace() {
        let (loader, begin) = (loader(), Instant::now());
        assert!(loader.load(b"no module", None).is_err());
        assert!(begin.elapsed() >= PAUSE, "{:?}", begin.elapsed());
        assert!(loader.known().rest.0.is_some_and(|until| until > begin));
    }

    /// R-OP-46: what is compiled is followed by a rest, in which nobody waits for longer than for
    /// others; what is in use is not.
    #[test]
    fn admissions_have_a_pace() {
        let ms = Duration::from_millis;
        assert_eq!(rest_after(ms(20), true), ms(180));
        assert_eq!(rest_after(ms(2000), true), ms(10_000));
        assert_eq!(rest_after(ms(2000), false), ms(18_000));
        let (loader, begin) = (loader(), Instant::now());
        let used = loader.admit(&module("used"), None).unwrap();
        let (took, until) = (begin.elapsed(), loader.known().rest.0.unwrap());
        assert!(until > begin && until <= begin + 10 * took, "{:?}, {took:?}", until - begin);
        assert_eq!(loader.admit(&module("used"), None).unwrap().hash(), used.hash());
        assert_eq!(loader.known().rest.0, Some(until));
    }

    #[test]
    fn rests_add_up() {
        let (mut rest, now) = (Rest::default(), Instant::now());
        rest.add(now, TIME);
        rest.add(now, 2 * TIME);
        rest.last(now, TIME);
        assert_eq!(rest.left(now), 3 * TIME);
        rest.last(now, 4 * TIME);
        assert_eq!((rest.left(now), rest.left(now + 4 * TIME)), (4 * TIME, Duration::ZERO));
    }

    #[test]
    fn nobody_waits_long() {
        let loader = loader();
        (0..30).for_each(|number| stop(&loader, number));
        let refused = loader.admit(&module("new"), None).unwrap_err();
        assert!(matches!(refused, Refused::Busy { seconds: 10..=12 }), "{refused}");
        assert_eq!(refused.name(), "busy");
    }
}
