//! A worker of a job, for callers that have tensors to fold.

mod epoch;
mod in_flight;
mod inner;
mod notices;
mod part;
mod passage;
mod subgroup;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use netfold_control::Session;
use netfold_management::{ClientError, Failover, JoinRequest, Waiting};
use netfold_num::Arithmetic;
use netfold_shm::{RoundTimes, WaitMode};
use netfold_wire::HEADER_BYTES;
use netfold_worker::{Call, CallId, Lengths, Plan, Timing};

use crate::call_table::{CallTable, Outcome};
use crate::error::Error;
use crate::flow::{Begun, Command, Flow, FlowStats};
use crate::host::Host;
use crate::memory::CallMemory;
use crate::pin::CoreList;
use crate::process::ProcessLocal;
use crate::sockets::Sockets;
use crate::stats::Stats;
use crate::table::{TableAddress, TablePath};
use crate::unwind::AbortOnUnwind;
use epoch::{JobEpoch, Listener, place_on_host, timing};
pub use in_flight::InFlight;
use inner::Inner;
pub use subgroup::subgroup_job;

/// Time that the switch may take to tell who is waited for, when a call has timed out.
const DOCTOR_TIMEOUT: Duration = Duration::from_millis(500);

/// A worker's place in a job. Calls may be made from any thread; their order must be the same at
/// every worker.
///
/// It belongs to its process. A copy that came to another by fork refuses every call
/// ([`Error::Forked`]), and closing or dropping it there does nothing.
pub struct Communicator {
    inner: ProcessLocal<Arc<Inner>>,
}

impl Communicator {
    /// Joins the job that `request` names at the switch at `address` (`HOST:PORT`), and waits until
    /// all its workers have. `waiting` is told who has joined, at least ten times a second, and
    /// ends the wait by `Break`; a [`Reminder`](crate::Reminder) says when to tell a user.
    ///
    /// `address` may be a list, as in `HOST:PORT,HOST:PORT`: the first switch that answers has the
    /// job, and if it is lost, the job goes on at the next of them that all workers reach (R-RES).
    /// The workers must have the same list.
    ///
    /// # Errors
    /// [`Error::Join`], which says what to do next; [`Error::Failed`] where the job has failed by a
    /// call of other workers, before this one was connected.
    pub fn connect(
        address: &str,
        request: JoinRequest,
        waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        Self::connect_on(None, address, request, waiting)
    }

    /// The same with the flows' threads on `cores`. The workers of one host take turns with them,
    /// in the order of their ranks, as far as they know of each other (R-CTRL-10, R-CTRL-11). A
    /// thread that waits for a call drives it where it is.
    ///
    /// # Errors
    /// As [`Communicator::connect`], or [`Error::Io`] if there is no such core.
    pub fn connect_on(
        cores: Option<&CoreList>,
        address: &str,
        mut request: JoinRequest,
        mut waiting: impl FnMut(&Waiting) -> ControlFlow<()>,
    ) -> Result<Self, Error> {
        let switches: Vec<String> =
            address.split(',').map(|address| address.trim().to_owned()).collect();
        let mut failover = Failover::new(switches.len(), &mut request);
        let (sockets, mut joined) = join_first(&switches, &mut failover, &request, &mut waiting)?;
        let welcome = joined.welcome().clone();
        let (call_table, listener) = (Arc::new(CallTable::default()), Listener::default());
        let links = match sockets.links(
            &joined,
            &request,
            |flow| listener.on_event(flow),
            &listener.on_broken(),
        ) {
            Ok(links) => links,
            // Others may have ended the job, and its memory with it, before this worker came to it.
            Err(error) => return Err(joined.failure().map_or(error, Error::Failed)),
        };
        let (mut flows, count) = (Vec::new(), links.flows.len() as u16);
        let place = usize::from(place_on_host(&welcome, request.rank)) * usize::from(count);
        for (flow, link) in (0..count).zip(links.flows) {
            let core = cores.map(|cores| cores.of(place + usize::from(flow)));
            let config = request.stream(&welcome, flow, count, timing(&welcome));
            let name = format!("netfold-flow-{flow}");
            let flow = Flow::start(
                name,
                core,
                config,
                welcome.other_slots(),
                link,
                call_table.clone(),
                listener.on_signal(),
            );
            flows.push(
                flow.map_err(Error::io("a thread of the communicator could not be started"))?,
            );
        }
        let epoch = JobEpoch::new(switches[failover.at()].clone(), request, welcome);
        epoch.settle(links.host, links.memory);
        let inner = Arc::new(Inner::new(
            switches,
            cores.cloned(),
            failover,
            flows,
            call_table,
            listener,
            epoch,
        ));
        inner.listener.hear(&inner);
        let inner = ProcessLocal::new(inner).map_err(Error::io("forks could not be counted"))?;
        let communicator = Self { inner };
        communicator.inner()?.listen(joined)?;
        Ok(communicator)
    }

    /// Returns the communicator's state in its own process, and an error in a fork.
    #[inline]
    fn inner(&self) -> Result<&Arc<Inner>, Error> {
        self.inner.get()
    }

    /// The table of the job as its epoch began, this worker's place in it, and the job's time-out.
    ///
    /// # Panics
    /// If the job has no table.
    pub(crate) fn table(&self, scale: i32) -> Result<TablePath, Error> {
        let epoch = self.inner()?.epoch();
        let (request, welcome) = (&epoch.request, &epoch.welcome);
        let stream = request.stream(welcome, 0, 1, Timing::default());
        let address = TableAddress {
            shard: welcome.table_top.unwrap_or(welcome.shards[0]),
            job: stream.job,
            epoch: stream.epoch,
            workers: welcome.workers,
            terms: stream.terms,
            table: stream.terms.table.expect("the job has a table"),
            datagram_bytes: welcome.block_bytes() + HEADER_BYTES as u32,
            scale,
        };
        Ok(TablePath {
            address,
            near: welcome.shards[0],
            memory: epoch.memory.get().and_then(|memory| memory.table_way(request.rank)),
            stream,
            timeout: Duration::from_millis(welcome.timeout_ms),
        })
    }

    /// This worker's rank. It changes when an elastic job goes on without another worker
    /// ([`Error::Regrouped`]), and so does [`Communicator::size`].
    pub fn rank(&self) -> u16 {
        self.inner.peek().place().rank
    }

    /// Workers of the job.
    pub fn size(&self) -> u16 {
        self.inner.peek().place().workers
    }

    /// The job's arithmetic.
    pub fn arithmetic(&self) -> Arithmetic {
        self.inner.peek().terms.arithmetic
    }

    /// Returns the plan by which `call` would be carried out here, with parts of these lengths if
    /// they differ.
    ///
    /// # Errors
    /// Names what the job cannot do. The answer is the same at every worker.
    #[inline]
    pub fn plan(&self, call: Call, lengths: Option<Lengths>) -> Result<Plan, Error> {
        Ok(self.inner()?.plan(&call, lengths)?)
    }

    /// Begins a call and returns at once. With `notify`, [`Communicator::next_completion`] reports
    /// its end.
    ///
    /// # Errors
    /// [`Error::Unsupported`] and [`Error::Memory`], after which the job goes on; or why the job
    /// has ended.
    pub fn submit(
        &self,
        call: Call,
        mut memory: CallMemory,
        notify: bool,
    ) -> Result<CallId, Error> {
        let inner = self.inner()?;
        let (id, _) = inner.enqueue(&call, &mut memory, notify, false)?;
        inner.flows.iter().for_each(Flow::run_inbox);
        Ok(id)
    }

    /// Begins a call for which this thread waits next ([`Communicator::wait`]), so that nobody else
    /// need be woken for it. Until then, or until [`Communicator::watch`], it may stand still.
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn begin(&self, call: Call, mut memory: CallMemory) -> Result<CallId, Error> {
        let inner = self.inner()?;
        let (id, caller_drives) = inner.enqueue(&call, &mut memory, false, true)?;
        let run = if caller_drives { Flow::run_inbox_only } else { Flow::run_inbox };
        inner.flows.iter().for_each(run);
        Ok(id)
    }

    /// Has a call that was begun go on without its caller, and its end reported by
    /// [`Communicator::next_completion`].
    pub fn watch(&self, id: CallId) {
        if let Ok(inner) = self.inner() {
            inner.call_table.watch(id);
            inner.go_on_alone(id);
        }
    }

    /// Waits until a call is done. When `timeout` is over first, the call is given up
    /// ([`Communicator::give_up`]).
    ///
    /// # Errors
    /// The error with which the call has failed.
    pub fn wait(&self, id: CallId, timeout: Option<Duration>) -> Outcome {
        self.poll(id, timeout).unwrap_or_else(|| self.give_up(id, timeout.unwrap_or_default()))
    }

    /// Waits at most `timeout` for a call to be done. `None` when it is not; it goes on then.
    pub fn poll(&self, id: CallId, timeout: Option<Duration>) -> Option<Outcome> {
        let inner = match self.inner() {
            Ok(inner) => inner,
            Err(error) => return Some(Err(error)),
        };
        let Inner { call_table, flows, .. } = &**inner;
        let (mut outcome, mut time_left) = (None, timeout);
        if timeout != Some(Duration::ZERO) {
            let several = flows.len() > 1;
            // Another flow may hear of the call from the thread that drives it, and later.
            let start = several.then(Instant::now);
            let drove = (!several || call_table.is_driven_by_caller(id))
                && flows[0].drive(timeout, || {
                    outcome = call_table.outcome(id);
                    outcome.is_some()
                });
            if drove {
                // One flow is driven until the time is over.
                let spent = start.map_or(Duration::MAX, |start| start.elapsed());
                time_left = timeout.map(|timeout| timeout.saturating_sub(spent));
            } else {
                // Somebody else drives, and may leave before this call is done.
                inner.go_on_alone(id);
            }
        }
        let outcome = outcome.or_else(|| call_table.wait(id, time_left));
        if outcome.is_none() {
            inner.go_on_alone(id);
        }
        outcome
    }

    /// Gives up a call that was not done `after` so long a time. Everything that is in progress
    /// ends with [`Error::Timeout`], and so does the job, so that the memory is free again when
    /// this returns. A call that is done by then has the outcome that it has.
    ///
    /// # Errors
    /// The time-out, or why else the call has failed.
    pub fn give_up(&self, id: CallId, after: Duration) -> Outcome {
        let inner = self.inner()?;
        let call = inner.describe_call(id);
        inner.tell_in_progress(&[id]);
        let (missing, on_hosts) = inner.missing_ranks();
        // R-CTRL-12: slots that wait for this worker too, or that wait no more, are what a
        // different call of another worker leaves; and so may be those that wait for a host, whose
        // workers may differ among themselves. The switch is asking.
        if (missing.is_empty() || on_hosts || missing.contains(&self.rank()))
            && let Some(outcome) = self.poll(id, Some(DOCTOR_TIMEOUT))
        {
            return outcome;
        }
        inner.abort(Error::timeout(call, after, &missing));
        // Every flow lets go of the memory as soon as it reads its inbox.
        self.poll(id, None).expect("waits for as long as it takes")
    }

    /// Returns whether a call is done, with a result or an error.
    pub fn test(&self, id: CallId) -> bool {
        self.poll(id, Some(Duration::ZERO)).is_some()
    }

    /// Drops the record of a call that is done and that nobody waits for any more.
    pub fn forget(&self, id: CallId) {
        if let Ok(inner) = self.inner() {
            inner.call_table.forget(id);
        }
    }

    /// The next call made with `notify` that is done, waiting at most `timeout`. `None` when the
    /// time is over or the communicator is closed.
    pub fn next_completion(&self, timeout: Duration) -> Option<(CallId, Outcome)> {
        self.inner().ok()?.call_table.next_completion(timeout)
    }

    /// Makes a call and waits for it. `output` is ignored where this worker gets nothing.
    ///
    /// # Errors
    /// As [`Communicator::submit`] and [`Communicator::wait`].
    pub fn run(
        &self,
        call: Call,
        input: &[u8],
        output: &mut [u8],
        timeout: Option<Duration>,
    ) -> Result<(), Error> {
        // SAFETY: both slices are borrowed until `finish` returns, which is when the call is done.
        let mut memory = unsafe {
            CallMemory::from_raw(input.as_ptr(), input.len(), output.as_mut_ptr(), output.len())
        };
        self.finish(&call, &mut memory, timeout)
    }

    /// Makes a call with parts of these lengths, the same at every worker, and waits for it.
    ///
    /// # Errors
    /// As [`Communicator::submit`] and [`Communicator::wait`].
    pub fn run_parts(
        &self,
        call: Call,
        lengths: Lengths,
        input: &[u8],
        output: &mut [u8],
        timeout: Option<Duration>,
    ) -> Result<(), Error> {
        // SAFETY: as in `run`.
        let memory = unsafe {
            CallMemory::from_raw(input.as_ptr(), input.len(), output.as_mut_ptr(), output.len())
        };
        self.finish(&call, &mut memory.with_lengths(lengths), timeout)
    }

    /// Makes a call in place and waits for it: `tensor` is both input and output.
    ///
    /// # Errors
    /// As [`Communicator::submit`] and [`Communicator::wait`].
    pub fn run_in_place(
        &self,
        call: Call,
        tensor: &mut [u8],
        timeout: Option<Duration>,
    ) -> Result<(), Error> {
        let start = tensor.as_mut_ptr();
        // SAFETY: the slice is borrowed until `finish` returns, which is when the call is done.
        let mut memory = unsafe { CallMemory::from_raw(start, tensor.len(), start, tensor.len()) };
        self.finish(&call, &mut memory, timeout)
    }

    /// Makes a call on memory that is borrowed until this returns.
    fn finish(
        &self,
        call: &Call,
        memory: &mut CallMemory,
        timeout: Option<Duration>,
    ) -> Result<(), Error> {
        let guard = AbortOnUnwind::arm();
        let outcome = self.carry_out(call, memory, timeout);
        guard.disarm();
        outcome
    }

    fn carry_out(
        &self,
        call: &Call,
        memory: &mut CallMemory,
        timeout: Option<Duration>,
    ) -> Result<(), Error> {
        let Some((id, drove)) = self.start(call, memory, timeout)? else { return Ok(()) };
        // A caller that has driven the call until the time was over has no time left.
        let left = if drove { timeout.and(Some(Duration::ZERO)) } else { timeout };
        let outcome =
            self.poll(id, left).unwrap_or_else(|| self.give_up(id, timeout.unwrap_or_default()));
        self.forget(id);
        outcome
    }

    /// Begins a call for which this thread waits, and drives it at most for `limit`. `None` if it
    /// is done, with a result. Otherwise it stands as after [`Communicator::begin`].
    ///
    /// # Errors
    /// As [`Communicator::submit`].
    pub fn attempt(
        &self,
        call: Call,
        mut memory: CallMemory,
        limit: Duration,
    ) -> Result<Option<CallId>, Error> {
        Ok(self.start(&call, &mut memory, Some(limit))?.map(|(id, _)| id))
    }

    /// As [`Communicator::attempt`]; also tells whether this thread has driven the call.
    fn start(
        &self,
        call: &Call,
        memory: &mut CallMemory,
        limit: Option<Duration>,
    ) -> Result<Option<(CallId, bool)>, Error> {
        let inner = self.inner()?;
        let Inner { call_table, flows, .. } = &**inner;
        let [flow] = &**flows else { return Ok(Some((self.begin(*call, memory.take())?, false))) };
        let begin = |id, plan: &Plan, memory: &mut CallMemory| {
            flow.begin(id, plan, memory, || call_table.open(id, 1, false, true))
        };
        match inner.make(call, memory, begin)? {
            (_, Begun::Done) => {
                flow.run_inbox();
                Ok(None)
            }
            (id, Begun::Elsewhere) => Ok(Some((id, false))),
            (id, Begun::Here(guard)) => {
                let mut done = false;
                guard.drive(limit, WaitMode::Caller, || {
                    done = call_table.take_result(id);
                    done || call_table.outcome(id).is_some()
                });
                Ok(if done { None } else { Some((id, true)) })
            }
        }
    }

    /// Has calls and rounds timed from now on. Of a call it is told when its result was there to be
    /// read ([`InFlight::wait`]): in shared memory that is when whoever completed it had written
    /// it, over UDP when the kernel had it. It costs the clock, and over UDP a system call, for
    /// each.
    ///
    /// # Errors
    /// [`Error::Forked`]
    pub fn time_rounds(&self) -> Result<(), Error> {
        let inner = self.inner()?;
        for flow in &inner.flows {
            flow.tell(Command::Time(inner.rounds.clone()));
        }
        Ok(())
    }

    /// The rounds that this worker has completed in shared memory since they are timed and this was
    /// called last, at most the latest 2^20. Over UDP there are none: a switch completes them
    /// ([`Switch::stop`](crate::Switch::stop)).
    ///
    /// # Errors
    /// [`Error::Forked`]
    pub fn take_rounds(&self) -> Result<Vec<RoundTimes>, Error> {
        Ok(self.inner()?.rounds.take())
    }

    /// Returns the statistics of the communicator so far, over all flows.
    ///
    /// # Errors
    /// [`Error::Forked`]
    pub fn stats(&self) -> Result<Stats, Error> {
        let inner = self.inner()?;
        let flows: Vec<FlowStats> =
            inner.flows.iter().filter_map(|flow| flow.ask(Command::Stats)).collect();
        let epoch = inner.epoch();
        let host_workers = lock(&epoch.host).as_ref().map_or(1, Host::workers);
        Ok(Stats { host_workers, ..Stats::of(&epoch.welcome, &flows) })
    }

    /// Returns why the next call would fail, as far as the switch has told; `None` if nothing is
    /// against it.
    ///
    /// # Errors
    /// [`Error::Forked`]
    pub fn ended(&self) -> Result<Option<Error>, Error> {
        Ok(lock(&self.inner()?.part).ended().cloned())
    }

    /// Returns the epoch that the job is in; none while it goes on to another switch (R-RES), and
    /// when it has ended.
    ///
    /// # Errors
    /// [`Error::Forked`]
    pub fn job_epoch(&self) -> Result<Option<u32>, Error> {
        let inner = self.inner()?;
        let part = lock(&inner.part);
        let stays = !part.is_away() && part.ended().is_none();
        Ok(stays.then(|| inner.epoch().welcome.epoch))
    }

    /// Leaves the job, and those of its messages. Calls that are in progress fail, and then the job
    /// fails for the others too; closing again does nothing.
    pub fn close(&self) {
        if let Ok(inner) = self.inner() {
            inner.close();
            let channels: Vec<_> = lock(&inner.channels).drain().collect();
            for (_, channel) in channels {
                // One that is still being joined ends when it is dropped.
                if let Ok(channel) = channel.try_lock() {
                    channel.iter().for_each(|channel| channel.close());
                }
            }
        }
    }
}

impl Drop for Communicator {
    fn drop(&mut self) {
        self.close();
    }
}

/// Joins at the first of the switches that answers.
fn join_first(
    switches: &[String],
    failover: &mut Failover,
    request: &JoinRequest,
    waiting: &mut impl FnMut(&Waiting) -> ControlFlow<()>,
) -> Result<(Sockets, netfold_control::Joined), Error> {
    let mut first = None;
    loop {
        let mut sockets = Sockets::default();
        let why = match Session::join(
            &switches[failover.at()],
            request,
            |path| sockets.open(path),
            &mut *waiting,
        ) {
            Ok(joined) => return Ok((sockets, joined)),
            Err(ClientError::Failed(failure)) => return Err(Error::Failed(failure)),
            Err(why) => why,
        };
        let next = failover.turned_away(0, &why);
        // Where none is there, the first is the one to start.
        let is_there = !matches!(why, ClientError::NoSwitch { .. });
        let told = if is_there { why } else { first.take().unwrap_or(why) };
        match next {
            Some(_) => first = Some(told),
            None => return Err(Error::Join(Arc::new(told))),
        }
    }
}

/// Locks `mutex`, poisoned or not. Guarded data is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
