//! The call of netfold that does what a call of the program asks for, and its memory (R-MPI-3 to
//! R-MPI-7). This file has the collectives that only move elements.

mod direct;
mod folds;
mod unequal;

use std::ffi::{c_int, c_void};

use netfold::JobError;
use netfold::raw::Call;
use netfold_mpi::{Kind, Refusal};

pub(crate) use self::direct::Direct;
use crate::arguments::{Arguments, Numbers, Side};
use crate::communicators::Net;
use crate::host::Host;
use crate::memory::{Buffer, Parts};
use crate::task::Task;
use crate::types::Type;

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
    #[inline]
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
        let size = Type::size_of(self.host, handle).ok_or(Refusal::Arguments)? as u64;
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

    /// Returns whether this rank's arguments for what it sends, and for what it takes, mean
    /// anything.
    pub(crate) fn significant(&self) -> [bool; 2] {
        let Arguments { send, recv, .. } = *self.arguments;
        let sent = match self.kind {
            Kind::Scatter | Kind::Scatterv => self.is_root(),
            Kind::Bcast | Kind::Barrier => false,
            kind => !kind.folds() && !self.is_in_place(send),
        };
        let taken = match self.kind {
            Kind::Gather | Kind::Gatherv => self.is_root(),
            Kind::Scatter | Kind::Scatterv => !self.is_in_place(recv),
            kind => kind != Kind::Barrier,
        };
        [sent, taken]
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
        parts.read(self.host, self.net.communicator(self.host))
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
        Buffer::Own(own.pack(self.host, self.net.communicator(self.host)))
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
            Buffer::Own(parts.pack(self.host, self.net.communicator(self.host)))
        } else {
            self.read(&self.sent()?.parts(self.net.size)?)
        };
        Ok(Task::new(call, input, parts.write()).into(parts))
    }
}
