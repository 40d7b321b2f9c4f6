//! Switches whose folds an array carries out (ACiS, section IV): the time for which a packet is in
//! it, by the mappings of the functions that it goes through (R-CGRA-19, R-CGRA-28, R-CGRA-29).

use netfold_cgra::graph::{Access, Graph, Input, Kernel, Node, Order, Program, Region};
use netfold_cgra::op::{Op, Ty};
use netfold_cgra::{Array, Chain, Compiled, Effort, Image, compile};
use netfold_num::{Arithmetic, ElementType, Operation};
use netfold_wire::{Direction, JobId, Packet, Repr};
use netfold_worker::{Call, Collective, Reduction};

use crate::error::Error;
use crate::setup::{JobSetup, SystemName};
use crate::time::Time;

const PS_PER_US: f64 = 1e6;

/// The fold of a packet's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fold {
    arithmetic: Arithmetic,
    element: ElementType,
    operation: Operation,
}

/// Passes through the array, one behind the other.
#[derive(Clone, Debug)]
struct Passes {
    count: u64,
    /// The loops of all passes.
    loops: Vec<Image>,
}

/// The time of a packet in the array: until another one may begin, and from then until its last
/// result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stay {
    pub(crate) busy: Time,
    pub(crate) rest: Time,
    /// Passes through the array.
    pub(crate) passes: u64,
}

/// A job on the array.
struct Job {
    arithmetic: Arithmetic,
    operation: Option<JobOperation>,
}

/// The operation of a user that takes the place of a job's folds.
struct JobOperation {
    /// Bytes of an element as it travels.
    element: u64,
    /// Passes of an operand's packet.
    operand: Passes,
    /// Passes of a complete round at the root, and at a switch below it: results are mapped once.
    at_root: Passes,
    below: Passes,
}

/// The array of every switch, with the folds of the jobs' calls.
pub(crate) struct ArrayOfSwitch {
    array: Array,
    jobs: Vec<Job>,
    folds: Vec<(Fold, Passes)>,
}

impl ArrayOfSwitch {
    /// Reads an array by its name.
    ///
    /// # Errors
    /// [`Error::Number`] for a name that no array has, [`Error::Hardware`] for an operation that
    /// has not been read.
    pub(crate) fn named(name: &str, jobs: &[JobSetup]) -> Result<Self, Error> {
        let unknown = |why: String| Error::Number {
            what: "switches.array",
            value: why,
            instead: "\"acis\", \"grid-4x4\" or \"small-2x2\"",
        };
        let text = Array::built_in(name).ok_or_else(|| unknown(name.to_owned()))?;
        let array = Array::parse(text).map_err(|refusal| unknown(refusal.to_string()))?;
        let jobs: Result<_, _> = jobs.iter().map(Job::new).collect();
        Ok(Self { array, jobs: jobs?, folds: Vec::new() })
    }

    /// Maps the fold of a call of a job.
    ///
    /// # Errors
    /// [`Error::Hardware`] for a fold that the array does not carry out.
    pub(crate) fn load(&mut self, job: usize, name: &str, call: &Call) -> Result<(), Error> {
        let refused = |why: String| Error::Hardware { job: name.to_owned(), why };
        let Job { arithmetic, operation } = &self.jobs[job];
        let folds = match call.reduction {
            _ if call.collective.only_moves() => None,
            _ if operation.is_some() => {
                // Other calls have several results of a round.
                if !matches!(
                    call.collective,
                    Collective::AllReduce | Collective::Reduce { .. } | Collective::ReduceScatter
                ) {
                    let why = "operations on an array fold in all_reduce, reduce and \
                               reduce_scatter; call one of these, or leave out `operation`";
                    return Err(refused(why.into()));
                }
                None
            }
            Reduction::Fold(operation) => Some(operation),
            Reduction::Average => Some(Operation::Sum),
            Reduction::User(_) => {
                let why = "an array has the functions of a module, and this operation is written \
                           in Rust; give the job an `operation`";
                return Err(refused(why.into()));
            }
        };
        // Calls that fold may have parts that only move (R-STREAM-19).
        for operation in folds.into_iter().chain([Operation::Copy]) {
            let fold = Fold::new(*arithmetic, call.element_type, operation);
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
            self.folds.push((fold, Passes::of([&compiled])));
        }
        Ok(())
    }

    /// Returns whether rounds of a job end with passes of their own.
    pub(crate) fn has_results(&self, job: u16) -> bool {
        self.jobs[usize::from(job)].operation.is_some()
    }

    /// Returns the stay of a packet that comes for a job; `bytes` are those of header and lanes
    /// that it stands for. `completes` says whether it has completed a round, and `is_root` whether
    /// this switch is the root of the job with this number.
    pub(crate) fn stay(
        &self,
        job: u16,
        (datagram, bytes): (&[u8], u32),
        completes: bool,
        is_root: impl FnOnce(JobId) -> bool,
    ) -> Stay {
        let Some((header, bytes)) = lanes(datagram, bytes) else { return Stay::default() };
        let Job { arithmetic, operation } = &self.jobs[usize::from(job)];
        if let Some(operation) = operation.as_ref().filter(|_| is_operand(&header)) {
            let elements = bytes.div_ceil(operation.element);
            let operand = operation.operand.stay(elements, &self.array);
            if !completes {
                return operand;
            }
            let result = if is_root(header.job) { &operation.at_root } else { &operation.below };
            return operand.then(result.stay(elements, &self.array));
        }
        let does = if operation.is_some() { Operation::Copy } else { header.operation };
        let fold = Fold::new(*arithmetic, header.element_type, does);
        let known = self.folds.iter().find(|(known, _)| *known == fold);
        known.map_or(Stay::default(), |(_, passes)| {
            passes.stay(bytes.div_ceil(fold.element.bytes() as u64), &self.array)
        })
    }
}

/// The header of a packet, and the bytes of the lanes that it stands for; `None` without lanes.
fn lanes(datagram: &[u8], bytes: u32) -> Option<(Repr, u64)> {
    let packet = Packet::new_checked(datagram).ok().filter(|packet| !packet.lanes().is_empty())?;
    let headers = datagram.len() - packet.lanes().len();
    Some((*packet.repr(), u64::from(bytes) - headers as u64))
}

/// Tells whether a packet brings an operand of a fold.
fn is_operand(header: &Repr) -> bool {
    matches!(header.direction, Direction::Contribution(_)) && header.operation != Operation::Copy
}

impl Job {
    fn new(setup: &JobSetup) -> Result<Self, Error> {
        let refused =
            |why: &str| Err(Error::Hardware { job: setup.name.clone(), why: why.to_owned() });
        if setup.operation.is_some() && setup.chain.is_none() {
            return refused("its operation has not been read, so it has no functions on the array");
        }
        if setup.chain.is_some() && setup.system != SystemName::Netfold {
            return refused(
                "switches do not fold for its system; leave out `operation`, or give \
                 system = \"netfold\"",
            );
        }
        let operation = setup.chain.as_deref().map(JobOperation::new);
        Ok(Self { arithmetic: setup.terms.arithmetic, operation })
    }
}

impl JobOperation {
    fn new(chain: &Chain) -> Self {
        Self {
            element: chain.travelling() as u64,
            operand: Passes::of(chain.operand()),
            at_root: Passes::of(chain.result()),
            below: Passes::of(chain.encoder()),
        }
    }
}

impl Passes {
    fn of<'c>(functions: impl IntoIterator<Item = &'c Compiled>) -> Self {
        let mut passes = Self { count: 0, loops: Vec::new() };
        for function in functions {
            passes.count += 1;
            passes.loops.extend_from_slice(&function.images);
        }
        passes
    }

    /// Returns the stay of so many elements.
    fn stay(&self, elements: u64, array: &Array) -> Stay {
        let busy = |image: &Image| image.busy(elements);
        let rest = |image: &Image| image.cycles(elements).saturating_sub(busy(image));
        let (busy, rest) = (self.loops.iter().map(busy).sum(), self.loops.iter().map(rest).sum());
        let time = |cycles: u64| {
            Time::from_ps((cycles as f64 * PS_PER_US / array.megahertz).round() as u64)
        };
        Stay { busy: time(busy), rest: time(rest), passes: self.count }
    }
}

impl Stay {
    /// Returns this stay and the one that follows.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            busy: self.busy + next.busy,
            rest: self.rest + next.rest,
            passes: self.passes + next.passes,
        }
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
