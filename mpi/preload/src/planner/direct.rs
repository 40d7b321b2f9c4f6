//! Calls that read and write numbers where they lie: most calls of programs are such (R-MPI-6).

use netfold::raw::{Call, Reduction};
use netfold_mpi::{Element, Kind, Prepared, Refusal, fold};

use super::Planner;
use crate::arguments::Numbers;
use crate::memory::Buffer;

/// A call that needs nothing but its memory: no parts, no other numbers, and no copy. It is a third
/// as large as a [`Task`](crate::task::Task), and is made without memory of its own.
pub(crate) struct Direct {
    pub(crate) call: Call,
    pub(crate) input: Buffer,
    pub(crate) output: Buffer,
}

impl Planner<'_> {
    /// Returns the call, if it is of this form; `None` where [`Planner::task`] is to look at it.
    ///
    /// # Errors
    /// The reason for which the host has to do it, as in [`Planner::task`].
    #[inline]
    pub(crate) fn direct(&self) -> Result<Option<Direct>, Refusal> {
        if self.kind == Kind::Barrier {
            let (input, output) = (Buffer::NONE, Buffer::NONE);
            return Ok(Some(Direct { call: Call::BARRIER, input, output }));
        }
        let taken = matches!(self.kind, Kind::Allreduce | Kind::Reduce | Kind::Bcast);
        let (true, Numbers::One(count)) = (taken, self.arguments.rcount) else { return Ok(None) };
        let Some(element) = self.host.element(self.host.handle(self.arguments.rtype)) else {
            return Ok(None);
        };
        let bytes = usize::try_from(count).ok().and_then(|it| it.checked_mul(element.bytes()));
        let bytes = bytes.filter(|bytes| i64::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or(Refusal::Arguments)?;
        // Pairs have gaps.
        if matches!(element, Element::Pair(_)) {
            return Ok(None);
        }
        let there = Buffer::There(self.arguments.recv.cast(), bytes);
        if self.kind == Kind::Bcast {
            let call = self.moves(bytes as u64);
            let (input, output) =
                if self.is_root() { (there, Buffer::NONE) } else { (Buffer::NONE, there) };
            return Ok(Some(Direct { call, input, output }));
        }
        self.folds_there(element, count as u64, there)
    }

    /// Returns the fold of so many numbers whose result goes to a place.
    #[inline]
    fn folds_there(
        &self,
        element: Element,
        count: u64,
        there: Buffer,
    ) -> Result<Option<Direct>, Refusal> {
        let handle = self.host.handle(self.arguments.op);
        let Some(op) = self.host.handles.operation(handle) else { return Ok(None) };
        let fold = fold(op, element, self.net.arithmetic)?;
        if fold.prepared != Prepared::Plain {
            return Ok(None);
        }
        let collective = self.kind.collective(self.arguments.root as u16);
        let reduction = Reduction::Fold(fold.operation);
        let call = self.fold_call(&fold, reduction, count * fold.lanes)?;
        let takes = self.kind == Kind::Allreduce || self.is_root();
        let in_place = self.is_in_place(self.arguments.send);
        // Another call takes its place, or its result may not be written over its operand.
        if call.collective != collective || (in_place && takes && !collective.can_be_in_place()) {
            return Ok(None);
        }
        let address = if in_place { self.arguments.recv } else { self.arguments.send.cast_mut() };
        let Buffer::There(_, bytes) = there else { return Ok(None) };
        let input = Buffer::There(address.cast(), bytes);
        let output = if takes { there } else { Buffer::NONE };
        Ok(Some(Direct { call, input, output }))
    }
}
