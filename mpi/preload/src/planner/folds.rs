//! Collectives that fold (R-MPI-6).

use netfold::raw::{Call, Collective, Reduction};
use netfold_mpi::{Fold, Kind, Place, Prepared, Refusal, fold};

use super::Planner;
use crate::arguments::Side;
use crate::memory::{Buffer, Part, Parts};
use crate::operations;
use crate::task::Task;

/// Most bytes of a vector whose bits fold, each of which travels as a byte, or of one that ranks
/// fold where it arrives.
const MOST_BYTES: u64 = 512;

impl Planner<'_> {
    /// Returns the netfold fold of the call's operation on its type.
    fn fold(&self) -> Result<(Fold, Reduction, Side), Refusal> {
        let side = self.taken()?;
        let handle = self.host.handle(self.arguments.op);
        let Some(op) = self.host.handles.operation(handle) else {
            let (fold, reduction) = operations::fold(self.net, handle, &side.of)?;
            self.fits(&fold, reduction)?;
            return Ok((fold, reduction, side));
        };
        let element = side.of.element.ok_or(Refusal::Operation)?;
        let fold = fold(op, element, self.net.arithmetic)?;
        Ok((fold, Reduction::Fold(fold.operation), side))
    }

    /// Refuses an operation of the program whose elements no packet holds.
    fn fits(&self, fold: &Fold, reduction: Reduction) -> Result<(), Refusal> {
        let collective = Collective::AllReduce;
        let (element_type, elements) = (fold.element_type, fold.lanes);
        let one = Call { collective, reduction, element_type, elements, priority: None };
        self.net.job.plan(one, None).map(drop).map_err(|_| Refusal::Operation)
    }

    pub(super) fn folded(&self) -> Result<Task, Refusal> {
        let (fold, reduction, side) = self.fold()?;
        if (fold.prepared == Prepared::Bits || fold.is_gathered()) && self.bytes()? > MOST_BYTES {
            return Err(Refusal::Operation);
        }
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
        if scatters && fold.is_gathered() {
            return Err(Refusal::Operation);
        }
        let given = if scatters { from.whole(self.net.size)? } else { Parts::one(from.part(0)?) };
        let own = usize::from(self.net.rank);
        let takes = self.kind != Kind::Reduce || self.is_root();
        let count = if scatters { side.counts.of(own) } else { side.counts.of(0) };
        let part = Part { address: side.address.cast(), count: count as u64, of: side.of };
        let into = if takes { Parts::one(part) } else { Parts::default() };
        if fold.is_gathered() {
            return Ok(self.gathered(fold, &given, into));
        }
        let lanes = |count: i64| count as u64 * fold.lanes;
        let call = self.fold_call(&fold, reduction, lanes(side.counts.of(0)))?;
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
            let elements = into.bytes() / fold.bytes;
            let bytes = elements * fold.lanes as usize * fold.element_type.bytes();
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

    /// Returns the call that gathers the lanes of all ranks, which fold where they arrive.
    fn gathered(&self, fold: Fold, given: &Parts, into: Parts) -> Task {
        let lanes = fold.prepare(self.read(given).bytes());
        let (row, size) = (lanes.len(), usize::from(self.net.size));
        let rows = match self.kind {
            Kind::Scan => usize::from(self.net.rank) + 1,
            Kind::Exscan => usize::from(self.net.rank),
            Kind::Reduce if !self.is_root() => 0,
            _ => size,
        };
        let kind = if self.kind == Kind::Reduce { Kind::Gather } else { Kind::Allgather };
        let collective = kind.collective(self.arguments.root as u16);
        let call = Call { collective, elements: row as u64, ..Call::BARRIER };
        let takes = kind == Kind::Allgather || self.is_root();
        let output = Buffer::Own(vec![0; if takes { size * row } else { 0 }]);
        let into = if rows > 0 { into } else { Parts::default() };
        let mut task = Task::new(call, Buffer::Own(lanes), output).into(into);
        (task.fold, task.rows) = (Some(fold), Some((row, rows)));
        task
    }

    /// Returns the call that folds so many lanes, or the one in its place.
    pub(super) fn fold_call(
        &self,
        fold: &Fold,
        reduction: Reduction,
        elements: u64,
    ) -> Result<Call, Refusal> {
        let collective = self.kind.collective(self.arguments.root as u16);
        let element_type = fold.element_type;
        self.in_order(fold, Call { collective, reduction, element_type, elements, priority: None })
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
}
