//! A job in progress: its calls, and what has come of them.

use netfold_num::ElementType;
use netfold_wire::{Terms, WorkerId};
use netfold_worker::{Call, Collective, Dense, Plan, Reduction};

use crate::audit::Wrong;
use crate::content::{Elements, PROBE_LANE_BYTES, Probe, sample};
use crate::error::Error;
use crate::keyed::{Batch, Load, TablePlace};
use crate::memory::CallBytes;
use crate::mpi::Program;
use crate::peers::Done;
use crate::setup::{Behaviour, CallSetup, CollectiveName, Content, JobSetup, SystemName};
use crate::time::Time;

/// Input of the workers of a call, if its job has real content.
#[derive(Clone, Debug)]
pub enum Input {
    /// Small integers of the simulator's choice.
    Sample,
    /// Each worker's input, by rank, and whether its output takes the input's memory.
    Bytes {
        /// The inputs.
        inputs: Vec<Vec<u8>>,
        /// They are overwritten.
        in_place: bool,
    },
}

/// A call under way, or done.
pub(crate) struct Calling {
    /// The call as it is.
    pub(crate) call: Call,
    /// The call as it is simulated: fewer elements, as many blocks.
    pub(crate) simulated: Call,
    /// The call that a single worker makes instead.
    pub(crate) odd: Option<(u16, Call)>,
    pub(crate) start: Time,
    /// Blocks of it, on all flows together.
    pub(crate) blocks: u64,
    /// Streams that have it and have not completed it.
    pub(crate) left: u32,
    /// Time at which the last of the streams that have completed it did so.
    pub(crate) done_at: Time,
    /// The sum of the times at which streams have completed it, from its beginning.
    pub(crate) done_sum: Time,
    /// Lanes of probes that were not the sum.
    pub(crate) wrong: Wrong,
    /// Of each worker, where elements are real.
    pub(crate) memories: Vec<Memories>,
}

impl Calling {
    fn new((call, simulated): (Call, Call), start: Time, blocks: u64, left: u32) -> Self {
        Self {
            call,
            simulated,
            odd: None,
            start,
            blocks,
            left,
            done_at: start,
            done_sum: Time::ZERO,
            wrong: Wrong::default(),
            memories: Vec::new(),
        }
    }

    /// Returns the call that a worker really makes.
    pub(crate) fn call_of(&self, rank: u16) -> Call {
        self.odd.filter(|(odd, _)| *odd == rank).map_or(self.simulated, |(_, call)| call)
    }
}

pub(crate) struct Memories {
    pub(crate) before: CallBytes,
    pub(crate) merged: CallBytes,
    /// Flows that have not completed the call.
    pub(crate) left: u16,
}

/// A job.
pub(crate) struct Job {
    pub(crate) setup: JobSetup,
    /// The endpoint of rank 0 and flow 0; those of a rank stand together.
    pub(crate) first_endpoint: u32,
    /// Bytes of lanes that are really there in a full packet.
    pub(crate) simulated_bytes: u32,
    /// Number of bytes for which each of them stands.
    pub(crate) inflation: u32,
    /// Switches that fold its vectors.
    pub(crate) switches: usize,
    /// The switches that have its table.
    pub(crate) table: TablePlace,
    /// Pushes of its workers in its calls, if it has a table.
    pub(crate) load: Option<Load>,
    pub(crate) calls: Vec<Calling>,
    /// Slots of its streams of exchanges.
    pub(crate) exchange_slots: u16,
}

impl Job {
    pub(crate) fn new(
        setup: JobSetup,
        first_endpoint: u32,
        switches: usize,
    ) -> Result<Self, Error> {
        let job = Self {
            setup,
            first_endpoint,
            simulated_bytes: 0,
            inflation: 1,
            switches,
            table: TablePlace::default(),
            load: None,
            calls: Vec::new(),
            exchange_slots: 0,
        };
        let setup = &job.setup;
        if setup.system != SystemName::Netfold {
            // Their segments stand for themselves.
            return Ok(job);
        }
        let &JobSetup { payload_bytes, lanes_simulated, .. } = setup;
        let simulated_bytes = match setup.content {
            Content::Real => payload_bytes,
            Content::Probe => u32::from(lanes_simulated) * PROBE_LANE_BYTES as u32,
        };
        if simulated_bytes == 0
            || !payload_bytes.is_multiple_of(simulated_bytes)
            || !simulated_bytes.is_multiple_of(8)
        {
            let job = setup.name.clone();
            return Err(Error::Lanes { job, lanes: lanes_simulated, payload_bytes });
        }
        let inflation = payload_bytes / simulated_bytes;
        Ok(Self { simulated_bytes, inflation, ..job })
    }

    pub(crate) fn endpoints(&self) -> u32 {
        self.streams() + u32::from(self.setup.servers()) * u32::from(self.setup.flows)
    }

    /// Endpoints that have a result of each call: those of workers.
    pub(crate) fn streams(&self) -> u32 {
        u32::from(self.setup.workers) * u32::from(self.setup.flows)
    }

    pub(crate) fn endpoint(&self, rank: u16, flow: u16) -> u32 {
        self.first_endpoint + u32::from(rank) * u32::from(self.setup.flows) + u32::from(flow)
    }

    /// Its terms; keys are for simulated wires only.
    pub(crate) fn terms(&self) -> Terms {
        let terms = self.setup.terms;
        terms.with_integrity(terms.integrity.keyed(*b"of virtual time!"))
    }

    /// Adds a call that all workers make at `start`.
    pub(crate) fn add(&mut self, call: Call, start: Time, input: Input) -> Result<u32, Error> {
        let name = || self.setup.name.clone();
        if self.calls.last().is_some_and(|last| last.start > start) {
            let (what, value) = ("calls.start_us", start.us().to_string());
            return Err(Error::Number {
                what,
                value,
                instead: "the time of the call before, or a later one",
            });
        }
        if self.setup.system != SystemName::Netfold {
            return self.add_to_peers(call, start);
        }
        let plan = self.plan(call, (0, self.setup.workers), self.setup.payload_bytes)?;
        let simulated = match self.setup.content {
            Content::Real => call,
            Content::Probe => {
                let Some(lane_bytes) = Probe::lane_bytes(&plan) else {
                    return Err(Error::Probe { job: name(), call: plan.to_string() });
                };
                let segments = match call.collective {
                    Collective::ReduceScatter | Collective::AllGather => plan.workers(),
                    Collective::Gather { .. } => plan.workers().saturating_sub(1).max(1),
                    _ => 1,
                };
                let lanes = u64::from(self.simulated_bytes / lane_bytes);
                let elements = if call.elements == 0 {
                    0
                } else {
                    plan.blocks() / u64::from(segments) * lanes
                };
                // A probe has another length than its call, and must go through the same stream.
                Call { elements, priority: Some(plan.priority()), ..call }
            }
        };
        if self.setup.terms.elastic
            && !matches!(call.collective, Collective::AllReduce | Collective::Barrier)
        {
            let what = "an elastic job calls what has a length and a root that do not depend on who is left; give all-reduces and barriers";
            return Err(Error::Managed { job: name(), what });
        }
        let number = self.calls.len();
        let odd = self.setup.exceptions.iter().find_map(|exception| match &exception.does {
            Behaviour::Calls { number: at, call } if *at == number => {
                Some((exception.rank, call_of(call)))
            }
            _ => None,
        });
        let memories = match self.setup.content {
            Content::Probe => Vec::new(),
            Content::Real => self.memories(simulated, odd, input)?,
        };
        let calling = Calling::new((call, simulated), start, plan.blocks(), self.streams());
        self.calls.push(Calling { odd, memories, ..calling });
        Ok((self.calls.len() - 1) as u32)
    }

    fn add_to_peers(&mut self, call: Call, start: Time) -> Result<u32, Error> {
        if let Some(mpi) = &self.setup.mpi {
            mpi.check(call.collective, &self.setup)?;
        } else if call.collective != Collective::AllReduce {
            let (what, instead) =
                ("peers of netfold's all-reduce", "give collective = \"all_reduce\"");
            return Err(Error::Peer { job: self.setup.name.clone(), what, instead });
        }
        if self.load.as_ref().is_some_and(|load| load.pairs() != call.elements) {
            let (what, instead) = ("mini-batches of a table are alike", "give as many elements");
            return Err(Error::Peer { job: self.setup.name.clone(), what, instead });
        }
        let bytes = match &self.setup.table {
            Some(table) => call.elements * u64::from(table.pair_bytes()),
            None => bytes_of(call),
        };
        let blocks = bytes.div_ceil(self.setup.payload_bytes.into());
        self.calls.push(Calling::new((call, call), start, blocks, self.streams()));
        Ok((self.calls.len() - 1) as u32)
    }

    /// Returns the bytes of a call on a peer's flow, and the time that compressing them takes.
    pub(crate) fn share(&self, call: u32) -> (u64, Time) {
        const PS_PER_NS: f64 = 1e3;
        let call = self.calls[call as usize].call;
        let element_ns = self.setup.compression.map_or(0.0, |compression| compression.element_ns);
        let cost = Time::from_ps((call.elements as f64 * element_ns * PS_PER_NS).round() as u64);
        (bytes_of(call).div_ceil(self.setup.flows.into()), cost)
    }

    /// Returns a call as MPI's processes carry it out.
    pub(crate) fn program(&self, call: u32) -> Option<Program> {
        let Call { collective, .. } = self.calls[call as usize].call;
        let bytes = bytes_of(self.calls[call as usize].call);
        let setup = self.setup.mpi.clone()?;
        Some(Program { collective, bytes, setup })
    }

    /// Pushes of a worker in a call of a table.
    pub(crate) fn batch(&self, rank: u16, call: u32) -> Batch {
        self.load.as_ref().map_or_else(Batch::default, |load| load.batch(rank, call))
    }

    fn memories(
        &self,
        call: Call,
        odd: Option<(u16, Call)>,
        input: Input,
    ) -> Result<Vec<Memories>, Error> {
        let mut given = match input {
            Input::Sample => None,
            Input::Bytes { inputs, in_place } => Some((inputs.into_iter(), in_place)),
        };
        let memories = (0..self.setup.workers).map(|rank| {
            let is_odd = |(odd, _): &(u16, Call)| *odd == rank;
            let other = odd.filter(is_odd).map(|(_, call)| call);
            let call = other.unwrap_or(call);
            let plan = self.plan(call, (rank, self.setup.workers), self.simulated_bytes)?;
            let elements = plan.input_output_elements().0;
            let needed = elements * call.element_type.bytes() as u64;
            let given = given
                .as_mut()
                .map(|(inputs, in_place)| (inputs.next().unwrap_or_default(), *in_place));
            let (bytes, in_place) = match given.filter(|_| other.is_none()) {
                None => (sample(call.element_type, elements, rank), false),
                Some(given) => given,
            };
            if bytes.len() as u64 != needed {
                let (job, given) = (self.setup.name.clone(), bytes.len());
                return Err(Error::Input { job, rank, call: call.to_string(), given, needed });
            }
            let before = CallBytes::new(&plan, bytes, in_place);
            Ok(Memories { merged: before.clone(), before, left: self.setup.flows })
        });
        memories.collect()
    }

    fn plan(
        &self,
        call: Call,
        (rank, workers): (u16, u16),
        payload_bytes: u32,
    ) -> Result<Plan, Error> {
        let plan =
            Plan::new(call, self.setup.terms.arithmetic, workers, WorkerId(rank), payload_bytes)
                .map_err(|source| Error::Plan { job: self.setup.name.clone(), source })?;
        Ok(plan.with_byte_order(self.setup.terms.byte_order))
    }

    /// A worker's plan and tensor of a call, for one flow: it has begun as `rank`, and makes it as
    /// this rank of so many workers.
    pub(crate) fn part(
        &self,
        call: u32,
        rank: u16,
        numbering: (u16, u16),
    ) -> Result<(Plan, Elements), Error> {
        let calling = &self.calls[call as usize];
        let plan = self.plan(calling.call_of(rank), numbering, self.simulated_bytes)?;
        let elements = match calling.memories.get(usize::from(rank)) {
            None => Elements::Probe(Probe::new(&plan, rank)),
            Some(memories) => Elements::Real(Dense::new(plan.clone(), memories.before.clone())),
        };
        Ok((plan, elements))
    }

    /// A stream has completed its part of a call.
    pub(crate) fn completed(
        &mut self,
        call: u32,
        rank: u16,
        flow: u16,
        elements: Elements,
        now: Time,
    ) {
        let calling = &mut self.calls[call as usize];
        calling.left -= 1;
        calling.done_at = calling.done_at.max(now);
        calling.done_sum += now.since(calling.start);
        match elements {
            Elements::Probe(Probe { wrong, first_wrong, .. }) => {
                calling.wrong.note(rank, wrong, first_wrong)
            }
            Elements::Real(dense) => {
                let (plan, flows) = (dense.plan().clone(), self.setup.flows);
                if let Some(Memories { before, merged, left }) =
                    calling.memories.get_mut(usize::from(rank))
                {
                    let part = dense.into_memory();
                    let exchange = plan.clone().in_exchange_slots();
                    // The job may have had no lent slots (R-STREAM-21).
                    let is_exchange = self.exchange_slots > 0
                        && (!self.setup.lent_slots
                            || part.clone().stays_within(&exchange, flow, flows, before));
                    merged.merge(
                        if is_exchange { &exchange } else { &plan },
                        flow,
                        flows,
                        part,
                        before,
                    );
                    *left -= 1;
                }
            }
        }
    }

    /// A peer's flow has completed its part of a call.
    pub(crate) fn completed_by_peer(&mut self, done: Done, now: Time) {
        let calling = &mut self.calls[done.call as usize];
        calling.left -= 1;
        calling.done_at = calling.done_at.max(now);
        calling.done_sum += now.since(calling.start);
        calling.wrong.count += done.wrong;
    }

    /// A rank's output of a call with real elements.
    pub(crate) fn result(&self, call: u32, rank: u16) -> Option<&[u8]> {
        let memories = self.calls.get(call as usize)?.memories.get(usize::from(rank))?;
        Some(memories.merged.result())
    }
}

/// Bytes of one worker's vector.
pub(crate) fn bytes_of(call: Call) -> u64 {
    call.elements * call.element_type.bytes() as u64
}

/// A call of a scenario, as workers make it.
pub(crate) fn call_of(setup: &CallSetup) -> Call {
    let root = WorkerId(setup.root);
    let collective = match setup.collective {
        CollectiveName::AllReduce => Collective::AllReduce,
        CollectiveName::Reduce => Collective::Reduce { root },
        CollectiveName::Broadcast => Collective::Broadcast { root },
        CollectiveName::AllGather => Collective::AllGather,
        CollectiveName::ReduceScatter => Collective::ReduceScatter,
        CollectiveName::Gather => Collective::Gather { root },
        CollectiveName::Scatter => Collective::Scatter { root },
        CollectiveName::AllToAll => Collective::AllToAll,
        CollectiveName::Scan => Collective::Scan,
        CollectiveName::ExScan => Collective::ExScan,
        CollectiveName::Prefixes => Collective::Prefixes,
        CollectiveName::ScanTotal => Collective::ScanTotal,
        CollectiveName::Barrier => return Call::BARRIER,
    };
    let element_type = if collective.only_moves() { ElementType::U8 } else { setup.element_type };
    let reduction = Reduction::Fold(setup.operation);
    Call { collective, reduction, element_type, elements: setup.elements, priority: setup.priority }
}
