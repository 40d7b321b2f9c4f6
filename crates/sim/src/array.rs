//! Switches whose folds an array carries out (ACiS, section IV): the time for which a packet is in
//! it, by the mapping of its fold (R-CGRA-19, R-CGRA-28).

use netfold_cgra::graph::{Access, Graph, Input, Kernel, Node, Order, Program, Region};
use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Compiled, Effort, compile};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_wire::Packet;
use netfold_worker::{Call, Reduction};

use crate::error::Error;
use crate::time::Time;

const PS_PER_US: f64 = 1e6;

/// The fold of a packet's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fold {
    arithmetic: Arithmetic,
    element: ElementType,
    operation: Operation,
}

/// Cycles of a fold.
#[derive(Clone, Copy, Debug)]
struct Cycles {
    /// Elements that are beside each other.
    lanes: u64,
    /// From one group of elements to the next.
    interval: u64,
    /// From the first cycle of a group to its last result.
    depth: u64,
}

/// The time of a packet in the array: until another one may begin, and from then until its last
/// result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stay {
    pub(crate) busy: Time,
    pub(crate) rest: Time,
}

/// The array of every switch, with the folds of the jobs' calls.
pub(crate) struct ArrayOfSwitch {
    array: Array,
    /// Arithmetic of each job.
    arithmetics: Vec<Arithmetic>,
    folds: Vec<(Fold, Cycles)>,
}

impl ArrayOfSwitch {
    /// Reads an array by its name.
    ///
    /// # Errors
    /// [`Error::Number`] for a name that no array has.
    pub(crate) fn named(name: &str, arithmetics: Vec<Arithmetic>) -> Result<Self, Error> {
        let unknown = |why: String| Error::Number {
            what: "switches.array",
            value: why,
            instead: "\"acis\", \"grid-4x4\" or \"small-2x2\"",
        };
        let text = match name {
            "acis" => Array::ACIS,
            "grid-4x4" => Array::GRID,
            "small-2x2" => Array::SMALL,
            other => return Err(unknown(other.to_owned())),
        };
        let array = Array::parse(text).map_err(|refusal| unknown(refusal.to_string()))?;
        Ok(Self { array, arithmetics, folds: Vec::new() })
    }

    /// Maps the fold of a call of a job.
    ///
    /// # Errors
    /// [`Error::Hardware`] for a fold that the array does not carry out.
    pub(crate) fn load(&mut self, job: usize, name: &str, call: &Call) -> Result<(), Error> {
        let refused = |why: String| Error::Hardware { job: name.to_owned(), why };
        let operation = match call.reduction {
            _ if call.collective.only_moves() => Operation::Copy,
            Reduction::Fold(operation) => operation,
            Reduction::Average => Operation::Sum,
            Reduction::User(_) => {
                let why = "the array has no operations of users; `netfold cgra report` prints the \
                           cycles that one takes";
                return Err(refused(why.into()));
            }
        };
        let arithmetic = self.arithmetics[job];
        // Calls that fold may have parts that only move (R-STREAM-19).
        for operation in [operation, Operation::Copy] {
            let fold = Fold::new(arithmetic, call.element_type, operation);
            if self.folds.iter().any(|(known, _)| *known == fold) {
                continue;
            }
            let program = fold.program().ok_or_else(|| {
                refused(format!(
                    "the array has no {operation} of {} in {arithmetic} arithmetic; leave out \
                     switches.array, or choose another arithmetic or element_type",
                    call.element_type
                ))
            })?;
            let compiled = compile(program, &self.array, Effort::default());
            let compiled = compiled.map_err(|refusal| refused(refusal.to_string()))?;
            self.folds.push((fold, cycles(&compiled)));
        }
        Ok(())
    }

    /// Returns the stay of a packet of a job; `bytes` are those of header and lanes that it stands
    /// for.
    pub(crate) fn stay(&self, job: u16, datagram: &[u8], bytes: u32) -> Stay {
        let Ok(packet) = Packet::new_checked(datagram) else { return Stay::default() };
        let header = packet.repr();
        let arithmetic = self.arithmetics[usize::from(job)];
        let fold = Fold::new(arithmetic, header.element_type, header.operation);
        let known = self.folds.iter().find(|(known, _)| *known == fold);
        let Some((_, cycles)) = known.filter(|_| !packet.lanes().is_empty()) else {
            return Stay::default();
        };
        let headers = datagram.len() - packet.lanes().len();
        let elements = (u64::from(bytes) - headers as u64).div_ceil(fold.element.bytes() as u64);
        let busy = elements.div_ceil(cycles.lanes) * cycles.interval;
        let time = |cycles: u64| {
            Time::from_ps((cycles as f64 * PS_PER_US / self.array.megahertz).round() as u64)
        };
        Stay { busy: time(busy), rest: time(cycles.depth.saturating_sub(cycles.interval)) }
    }
}

/// Cycles of the one loop of a fold.
fn cycles(compiled: &Compiled) -> Cycles {
    let image = &compiled.images[0];
    Cycles {
        lanes: image.lanes.into(),
        interval: (image.interval * image.instances).into(),
        depth: image.depth.into(),
    }
}

impl Fold {
    /// Lanes that are only moved are words of 32 bits, whatever their type.
    fn new(arithmetic: Arithmetic, element: ElementType, operation: Operation) -> Self {
        let element = if operation == Operation::Copy { ElementType::I32 } else { element };
        Self { arithmetic, element, operation }
    }

    /// Returns the operation of a unit that folds two lanes, and its type; `Pass` where lanes are
    /// moved. `None` if no unit folds them.
    fn unit(self) -> Option<(Op, Ty)> {
        use ElementType::{F32, F64, I32, I64, U8};
        let of = |integer, float| match self.element {
            F32 if self.arithmetic == Arithmetic::Block && integer == Op::Add => {
                Some((integer, Ty::I32))
            }
            F32 if matches!(self.arithmetic, Arithmetic::Block | Arithmetic::Native) => {
                Some((float, Ty::F32))
            }
            F64 if self.arithmetic == Arithmetic::Native => Some((float, Ty::F64)),
            I32 => Some((integer, Ty::I32)),
            I64 => Some((integer, Ty::I64)),
            U8 => Some((integer, Ty::I8)),
            _ => None,
        };
        let unsigned = self.element == U8;
        match self.operation {
            Operation::Sum => of(Op::Add, Op::FAdd),
            Operation::Product => of(Op::Mul, Op::FMul),
            Operation::Min => of(if unsigned { Op::MinU } else { Op::MinS }, Op::FMin),
            Operation::Max => of(if unsigned { Op::MaxU } else { Op::MaxS }, Op::FMax),
            Operation::Copy => Some((Op::Pass, Ty::I32)),
            Operation::User(_) => None,
        }
    }

    /// The fold as a loop: both operands are loaded, and the accumulator is stored.
    fn program(self) -> Option<Program> {
        let (op, ty) = self.unit()?;
        let bytes = self.element.bytes();
        let access = |region| {
            let outer = bytes as i64;
            Some(Access { region, bytes: bytes as u8, offset: 0, outer, inner: 0 })
        };
        let (zero, one) = (Input::Constant(0), Input::Constant(1));
        let edge = |from| Input::Edge { from, distance: 0, initial: 0 };
        let of = Ty::ALL[bytes.ilog2() as usize];
        let load =
            |region| Node { op: Op::Load, ty: of, inputs: [zero; 3], access: access(region) };
        let store = |from| Node {
            op: Op::Store,
            ty: of,
            inputs: [edge(from), zero, one],
            access: access(Region::First),
        };
        let graph = if op == Op::Pass {
            Graph { nodes: vec![load(Region::Second), store(0)], orders: Vec::new() }
        } else {
            let made = Node { op, ty, inputs: [edge(0), edge(1), zero], access: None };
            let nodes = vec![load(Region::First), load(Region::Second), made, store(2)];
            Graph { nodes, orders: vec![Order { from: 0, to: 3, distance: 0, delay: 0 }] }
        };
        Some(Program {
            function: "fold".to_owned(),
            kernels: vec![Kernel { graph, instances: 1, lanes: true }],
            instructions: 0,
            sizes: [bytes; 2],
            memory: Vec::new(),
        })
    }
}
