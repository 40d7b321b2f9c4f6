//! A call of the program as a call of netfold (R-MPI-3 to R-MPI-7).

use std::ffi::{c_int, c_void};
use std::time::Duration;

use netfold::JobError;
use netfold::raw::{Call, Collective, Reduction};
use netfold_mpi::{Fold, Kind, Place, Prepared, Refusal, fold};

use crate::communicators::Net;
use crate::host::Host;
use crate::memory::{Buffer, Part, Parts, of_call};
use crate::types::Type;

/// Numbers that a caller gives: one, or an array with one for each rank.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Numbers {
    None,
    One(i64),
    Ints(*const c_int),
    Longs(*const i64),
}

impl Numbers {
    /// Returns that of a rank.
    fn of(self, rank: usize) -> i64 {
        // SAFETY: an array has one number for each rank of the communicator.
        unsafe {
            match self {
                Self::None => 0,
                Self::One(number) => number,
                Self::Ints(all) => (*all.add(rank)).into(),
                Self::Longs(all) => *all.add(rank),
            }
        }
    }
}

/// The arguments of a collective, whichever form it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    pub(crate) send: *const c_void,
    pub(crate) scount: Numbers,
    pub(crate) sdispls: Numbers,
    pub(crate) stype: usize,
    pub(crate) recv: *mut c_void,
    pub(crate) rcount: Numbers,
    pub(crate) rdispls: Numbers,
    pub(crate) rtype: usize,
    pub(crate) op: usize,
    pub(crate) root: c_int,
    pub(crate) comm: usize,
}

impl Arguments {
    pub(crate) const NONE: Self = Self {
        send: std::ptr::null(),
        scount: Numbers::None,
        sdispls: Numbers::None,
        stype: 0,
        recv: std::ptr::null_mut(),
        rcount: Numbers::None,
        rdispls: Numbers::None,
        rtype: 0,
        op: 0,
        root: 0,
        comm: 0,
    };
}

/// A call of netfold with its memory, and what becomes of its result.
pub(crate) struct Task {
    pub(crate) call: Call,
    lengths: Option<Vec<u64>>,
    input: Buffer,
    output: Buffer,
    /// Destination of the result, if netfold has written it elsewhere.
    into: Option<Parts>,
    fold: Option<Fold>,
}

/// One side of a call: elements by address, number and place.
#[derive(Clone, Copy)]
struct Side {
    address: *mut c_void,
    counts: Numbers,
    places: Numbers,
    of: Type,
}

impl Side {
    fn new(
        host: &Host,
        address: *mut c_void,
        counts: Numbers,
        places: Numbers,
        handle: usize,
    ) -> Result<Self, Refusal> {
        let of = Type::of(host, handle).ok_or(Refusal::Arguments)?;
        Ok(Self { address, counts, places, of })
    }

    /// Returns the part of a rank. Without places, parts follow each other.
    fn part(&self, rank: usize) -> Result<Part, Refusal> {
        let count = u64::try_from(self.counts.of(rank)).map_err(|_| Refusal::Arguments)?;
        let place = match self.places {
            Numbers::None => (rank as u64 * count) as isize,
            places => places.of(rank) as isize,
        };
        Ok(Part { address: self.of.at(self.address, place), count, of: self.of })
    }

    /// Returns the parts of so many ranks.
    fn parts(&self, ranks: u16) -> Result<Parts, Refusal> {
        (0..ranks.into()).map(|rank| self.part(rank)).collect::<Result<_, _>>().map(Parts)
    }

    /// Returns elements that follow each other as the parts of all ranks.
    fn whole(&self, ranks: u16) -> Result<Parts, Refusal> {
        let count = match self.counts {
            Numbers::One(count) => count.checked_mul(ranks.into()),
            counts => {
                (0..ranks.into()).try_fold(0_i64, |sum, rank| sum.checked_add(counts.of(rank)))
            }
        };
        let count = count.and_then(|count| u64::try_from(count).ok()).ok_or(Refusal::Arguments)?;
        Ok(Parts::one(Part { address: self.address.cast(), count, of: self.of }))
    }
}

/// Makes tasks of the calls on one communicator.
pub(crate) struct Planner<'a> {
    pub(crate) host: &'a Host,
    pub(crate) net: &'a Net,
    pub(crate) kind: Kind,
    pub(crate) arguments: &'a Arguments,
}

impl Planner<'_> {
    /// Returns the bytes that the table is asked about: those of one rank's vector or part, the
    /// mean where parts differ, and none where no rank knows all (R-MPI-5).
    pub(crate) fn bytes(&self) -> Result<u64, Refusal> {
        let Arguments { scount, stype, rcount, rtype, root, .. } = *self.arguments;
        let own = c_int::from(self.net.rank);
        let rooted = self.kind.has_root();
        if rooted && !(0..c_int::from(self.net.size)).contains(&root) {
            return Err(Refusal::Arguments);
        }
        let sent = (scount, stype);
        let taken = (rcount, rtype);
        let (counts, handle) = match self.kind {
            Kind::Barrier | Kind::Gatherv | Kind::Scatterv | Kind::Alltoallv => return Ok(0),
            Kind::Gather if own != root => sent,
            Kind::Scatter if own == root => sent,
            _ => taken,
        };
        let size = Type::of(self.host, handle).ok_or(Refusal::Arguments)?.size as u64;
        let count = match counts {
            Numbers::One(count) => count,
            counts => {
                let ranks = usize::from(self.net.size);
                (0..ranks).map(|rank| counts.of(rank)).sum::<i64>() / ranks as i64
            }
        };
        u64::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(size))
            .ok_or(Refusal::Arguments)
    }

    /// Returns the call that does it. `may_ask` permits a call to learn the lengths of parts.
    ///
    /// # Errors
    /// The reason for which the host has to do it, the same at all ranks; or the failure of a call.
    pub(crate) fn task(&self, may_ask: bool) -> Result<Result<Task, JobError>, Refusal> {
        if self.kind.has_private_lengths() {
            return if may_ask { self.unequal() } else { Err(Refusal::Form) };
        }
        let task = match self.kind {
            Kind::Barrier => Ok(Task::new(Call::BARRIER, Buffer::NONE, Buffer::NONE)),
            Kind::Bcast => self.broadcast(),
            Kind::Allgather | Kind::Allgatherv => self.all_gather(),
            Kind::Gather => self.gather(),
            Kind::Scatter => self.scatter(),
            Kind::Alltoall => self.all_to_all(),
            _ => self.folded(),
        };
        task.map(Ok)
    }

    fn sent(&self) -> Result<Side, Refusal> {
        let Arguments { send, scount, sdispls, stype, .. } = *self.arguments;
        Side::new(self.host, send.cast_mut(), scount, sdispls, stype)
    }

    fn taken(&self) -> Result<Side, Refusal> {
        let Arguments { recv, rcount, rdispls, rtype, .. } = *self.arguments;
        Side::new(self.host, recv, rcount, rdispls, rtype)
    }

    /// Returns whether this rank's own data is where the result goes.
    fn is_in_place(&self, buffer: *const c_void) -> bool {
        self.host.handles.in_place == buffer as usize
    }

    fn is_root(&self) -> bool {
        self.arguments.root == c_int::from(self.net.rank)
    }

    fn read(&self, parts: &Parts) -> Buffer {
        parts.read(self.host, self.net.handle)
    }

    fn moves(&self, bytes: u64) -> Call {
        let collective = self.kind.collective(self.arguments.root as u16);
        Call { collective, elements: bytes, ..Call::BARRIER }
    }

    fn broadcast(&self) -> Result<Task, Refusal> {
        let parts = Parts::one(self.taken()?.part(0)?);
        let call = self.moves(parts.bytes() as u64);
        Ok(if self.is_root() {
            Task::new(call, self.read(&parts), Buffer::NONE)
        } else {
            Task::new(call, Buffer::NONE, parts.write()).into(parts)
        })
    }

    /// Returns this rank's own part of the result, in memory of this library.
    fn own_of(&self, parts: &Parts) -> Buffer {
        let own = Parts::one(parts.0[usize::from(self.net.rank)]);
        Buffer::Own(own.pack(self.host, self.net.handle))
    }

    fn all_gather(&self) -> Result<Task, Refusal> {
        let parts = self.taken()?.parts(self.net.size)?;
        let lengths: Vec<u64> = parts.0.iter().map(|part| part.bytes() as u64).collect();
        let input = if self.is_in_place(self.arguments.send) {
            self.own_of(&parts)
        } else {
            self.read(&Parts::one(self.sent()?.part(0)?))
        };
        let task = Task::new(self.moves(lengths[0]), input, parts.write()).into(parts);
        Ok(if self.kind == Kind::Allgatherv { task.with_lengths(lengths) } else { task })
    }

    fn gather(&self) -> Result<Task, Refusal> {
        if !self.is_root() {
            let own = Parts::one(self.sent()?.part(0)?);
            return Ok(Task::new(self.moves(own.bytes() as u64), self.read(&own), Buffer::NONE));
        }
        let parts = self.taken()?.parts(self.net.size)?;
        let call = self.moves(parts.0[0].bytes() as u64);
        let input = if self.is_in_place(self.arguments.send) {
            self.own_of(&parts)
        } else {
            self.read(&Parts::one(self.sent()?.part(0)?))
        };
        Ok(Task::new(call, input, parts.write()).into(parts))
    }

    fn scatter(&self) -> Result<Task, Refusal> {
        if !self.is_root() {
            let own = Parts::one(self.taken()?.part(0)?);
            return Ok(
                Task::new(self.moves(own.bytes() as u64), Buffer::NONE, own.write()).into(own)
            );
        }
        let parts = self.sent()?.parts(self.net.size)?;
        let (call, input) = (self.moves(parts.0[0].bytes() as u64), self.read(&parts));
        if self.is_in_place(self.arguments.recv) {
            // The root's part stays where it is.
            let nowhere = Buffer::Own(vec![0; parts.0[0].bytes()]);
            return Ok(Task::new(call, input, nowhere));
        }
        let own = Parts::one(self.taken()?.part(0)?);
        Ok(Task::new(call, input, own.write()).into(own))
    }

    fn all_to_all(&self) -> Result<Task, Refusal> {
        let parts = self.taken()?.parts(self.net.size)?;
        let call = self.moves(parts.0[0].bytes() as u64);
        let input = if self.is_in_place(self.arguments.send) {
            Buffer::Own(parts.pack(self.host, self.net.handle))
        } else {
            self.read(&self.sent()?.parts(self.net.size)?)
        };
        Ok(Task::new(call, input, parts.write()).into(parts))
    }

    /// Returns the netfold fold of the call's operation on its type.
    fn fold(&self) -> Result<(Fold, Side), Refusal> {
        let side = self.taken()?;
        let op = self.host.handles.operation(self.host.handle(self.arguments.op));
        let (op, element) = (op.ok_or(Refusal::UserOperation)?, side.of.element);
        Ok((fold(op, element.ok_or(Refusal::Operation)?, self.net.arithmetic)?, side))
    }

    fn folded(&self) -> Result<Task, Refusal> {
        let (fold, side) = self.fold()?;
        if fold.prepared == Prepared::Truth && matches!(self.kind, Kind::Scan | Kind::Exscan) {
            // The fold of one operand is that operand, whatever number stands for true.
            return Err(Refusal::Operation);
        }
        let in_place = self.is_in_place(self.arguments.send);
        let from = match self.arguments.send {
            _ if in_place => self.arguments.recv,
            send => send.cast_mut(),
        };
        let from = Side { address: from, ..side };
        let scatters = matches!(self.kind, Kind::ReduceScatterBlock | Kind::ReduceScatter);
        let given = if scatters { from.whole(self.net.size)? } else { Parts::one(from.part(0)?) };
        let own = usize::from(self.net.rank);
        let takes = self.kind != Kind::Reduce || self.is_root();
        let count = if scatters { side.counts.of(own) } else { side.counts.of(0) };
        let part = Part { address: side.address.cast(), count: count as u64, of: side.of };
        let into = if takes { Parts::one(part) } else { Parts::default() };
        let lanes = |count: i64| count as u64 * fold.lanes;
        let call = Call {
            collective: self.kind.collective(self.arguments.root as u16),
            reduction: Reduction::Fold(fold.operation),
            element_type: fold.element_type,
            elements: lanes(side.counts.of(0)),
            priority: None,
        };
        let call = self.in_order(&fold, call)?;
        let mut input = self.read(&given);
        let plain = fold.prepared == Prepared::Plain;
        if !plain {
            input = Buffer::Own(fold.prepare(input.bytes()));
        }
        let mut task = Task::new(call, input, Buffer::NONE);
        if call.collective == Collective::ScanTotal {
            let last = self.net.rank + 1 == self.net.size;
            let bytes = call.elements as usize * fold.element_type.bytes();
            task.output = Buffer::Own(vec![0; if last { bytes } else { 2 * bytes }]);
            task.into = Some(into);
        } else if plain {
            task.output = into.write();
            if in_place && takes && !call.collective.can_be_in_place() {
                task.output = task.output.own();
            }
            task = task.into(into);
        } else {
            let bytes = into.bytes() / fold.bytes * fold.element_type.bytes();
            task.output = Buffer::Own(vec![0; bytes]);
            (task.into, task.fold) = (Some(into), Some(fold));
        }
        if self.kind == Kind::ReduceScatter {
            let ranks = 0..usize::from(self.net.size);
            task = task.with_lengths(ranks.map(|rank| lanes(side.counts.of(rank))).collect());
        }
        if self.kind == Kind::Exscan && self.net.rank == 0 {
            (task.output, task.into) = (Buffer::NONE, None);
        }
        Ok(task)
    }

    /// Returns the call, or one in its place, whose result does not depend on the order in which
    /// the operands arrive (R-MPI-6).
    fn in_order(&self, fold: &Fold, call: Call) -> Result<Call, Refusal> {
        if !fold.depends_on_order(self.net.arithmetic, self.net.size) {
            return Ok(call);
        }
        let plan = |call| self.net.job.plan(call, None).map_err(|_| Refusal::Arguments);
        let scattered = Refusal::Order;
        if self.kind == Kind::ReduceScatter || self.kind == Kind::ReduceScatterBlock {
            return Err(scattered);
        }
        let as_it_is = plan(call)?;
        if as_it_is.is_exchange() || (self.net.place == Place::Host && as_it_is.is_eager()) {
            return Ok(call);
        }
        if !matches!(self.kind, Kind::Allreduce | Kind::Reduce) {
            return Err(Refusal::Order);
        }
        let call = Call { collective: Collective::ScanTotal, ..call };
        if plan(call)?.is_exchange() { Ok(call) } else { Err(Refusal::Order) }
    }

    /// Has all ranks know the lengths of parts that only some know, and returns the call with them
    /// (R-MPI-5).
    fn unequal(&self) -> Result<Result<Task, JobError>, Refusal> {
        let ranks = self.net.size;
        let bytes = |parts: &Parts| -> Vec<u64> {
            parts.0.iter().map(|part| part.bytes() as u64).collect()
        };
        let in_place = self.is_in_place(self.arguments.send);
        let (gives, takes) = match self.kind {
            Kind::Gatherv if self.is_root() => {
                let parts = self.taken()?.parts(ranks)?;
                let own = Parts::one(parts.0[usize::from(self.net.rank)]);
                (if in_place { own } else { Parts::one(self.sent()?.part(0)?) }, parts)
            }
            Kind::Gatherv => (Parts::one(self.sent()?.part(0)?), Parts::default()),
            Kind::Scatterv if self.is_root() => {
                let parts = self.sent()?.parts(ranks)?;
                let stays = self.is_in_place(self.arguments.recv);
                let own = parts.0[usize::from(self.net.rank)];
                let own = if stays { own } else { self.taken()?.part(0)? };
                (parts, Parts::one(own))
            }
            Kind::Scatterv => (Parts::default(), Parts::one(self.taken()?.part(0)?)),
            _ => {
                let parts = self.taken()?.parts(ranks)?;
                (if in_place { parts.clone() } else { self.sent()?.parts(ranks)? }, parts)
            }
        };
        let known = match self.kind {
            Kind::Gatherv => bytes(&gives),
            Kind::Scatterv => bytes(&takes),
            _ => bytes(&gives),
        };
        let lengths = match self.ask(&known) {
            Ok(lengths) => lengths,
            Err(error) => return Ok(Err(error)),
        };
        let mut input = self.read(&gives);
        if in_place {
            input = input.own();
        }
        let stays = self.kind == Kind::Scatterv && self.is_in_place(self.arguments.recv);
        let task = if stays {
            Task::new(self.moves(0), input, Buffer::Own(vec![0; takes.bytes()]))
        } else {
            Task::new(self.moves(0), input, takes.write()).into(takes)
        };
        Ok(Ok(task.with_lengths(lengths)))
    }

    /// Returns the numbers of all ranks, in their order.
    fn ask(&self, own: &[u64]) -> Result<Vec<u64>, JobError> {
        let bytes: Vec<u8> = own.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = vec![0; bytes.len() * usize::from(self.net.size)];
        let call = Call {
            collective: Collective::AllGather,
            elements: bytes.len() as u64,
            ..Call::BARRIER
        };
        let mut task = Task::new(call, Buffer::Own(bytes), Buffer::Own(all));
        task.run(self.host, self.net)?;
        Ok(task
            .output
            .bytes()
            .as_chunks()
            .0
            .iter()
            .map(|number| u64::from_le_bytes(*number))
            .collect())
    }
}

impl Task {
    fn new(call: Call, input: Buffer, output: Buffer) -> Self {
        Self { call, lengths: None, input, output, into: None, fold: None }
    }

    /// Has the result go to these parts, if it was not written there.
    fn into(self, parts: Parts) -> Self {
        match self.output {
            Buffer::Own(_) => Self { into: Some(parts), ..self },
            Buffer::There(..) => self,
        }
    }

    fn with_lengths(self, lengths: Vec<u64>) -> Self {
        Self { lengths: Some(lengths), ..self }
    }

    /// Makes the call, waits for it, and hands its result to the program.
    pub(crate) fn run(&mut self, host: &Host, net: &Net) -> Result<(), JobError> {
        // SAFETY: the task owns its memory, and the program leaves its own alone until the call
        // returns, which is after this.
        let mut memory = unsafe { of_call(&mut self.input, &mut self.output) };
        if let Some(lengths) = self.lengths.take() {
            memory = memory.with_lengths(lengths.into());
        }
        if let Some(id) = net.job.attempt(self.call, memory, FIRST_WAIT)? {
            let mut wait = FIRST_WAIT;
            let outcome = loop {
                host.progress(net.other);
                if let Some(outcome) = net.job.poll(id, Some(wait)) {
                    break outcome;
                }
                wait = (2 * wait).min(LONGEST_WAIT);
            };
            net.job.forget(id);
            outcome?;
        }
        self.hand_over(host, net);
        Ok(())
    }

    fn hand_over(&self, host: &Host, net: &Net) {
        let Some(parts) = &self.into else { return };
        match &self.fold {
            Some(fold) => parts.unpack(host, net.handle, &fold.restore(self.output.bytes())),
            None => parts.unpack(host, net.handle, self.output.bytes()),
        }
    }
}

/// Time for which a call is waited for before the host may make progress, at first.
const FIRST_WAIT: Duration = Duration::from_micros(100);

/// The longest such time: a message of the host waits for it where its peer is in a collective.
const LONGEST_WAIT: Duration = Duration::from_millis(1);
