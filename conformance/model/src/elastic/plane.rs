//! The management plane of an elastic job: the real registry, known by what it was told.

use std::collections::{BTreeMap, HashMap};
use std::iter;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use netfold_management::{
    Admission, AdmissionError, ConnectionId, DataPlane, Limits, Loss, Message, Output, Registry,
    ShardStatus, Spare,
};
use netfold_switch::JobSpec;

use crate::network::digest;

/// The most inputs of a registry in a run. No run of a model needs as much, so that a worker that
/// joins again without end is found.
const MOST_INPUTS: usize = 100;

/// An input of the registry.
#[derive(Clone, Debug)]
pub(super) enum RegistryInput {
    /// A worker has opened the next connection.
    Connected,
    /// A message has come.
    Message(u64, Box<Message>),
    /// A connection has closed.
    Closed(u64),
}

/// The job as the switch has it.
#[derive(Clone, Debug)]
pub(super) struct JobEpoch {
    pub(super) spec: JobSpec,
    /// The workers in the order of their ranks.
    pub(super) members: Arc<[u16]>,
}

/// All that the registry was told. The state of the registry follows from that, and need be neither
/// copied nor compared.
#[derive(Clone, Default)]
pub(super) struct Plane {
    inputs: Vec<RegistryInput>,
    /// The worker of each connection.
    owners: Vec<u16>,
    pub(super) epoch: Option<Arc<JobEpoch>>,
    digest: u64,
}

/// Outputs of a registry, and the job that it had then, by all that it was told.
pub(super) type Known = Mutex<HashMap<u64, (Vec<Output>, Option<Arc<JobEpoch>>)>>;

/// A data plane that takes in whatever it is asked to.
#[derive(Default)]
struct Books {
    admitted: Option<Admission>,
}

impl DataPlane for Books {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        assert!(self.admitted.replace(job.clone()).is_none(), "a model has one job");
        Ok(())
    }

    fn release(&mut self, _: u16) {
        self.admitted = None;
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        Vec::new()
    }

    fn spare(&self) -> Spare {
        Spare::PLENTY
    }
}

impl Plane {
    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    /// The worker of a connection.
    pub(super) fn owner(&self, conn: u64) -> u16 {
        self.owners[conn as usize]
    }

    /// Opens a connection for a worker. Returns its number, and the registry's requests.
    pub(super) fn connect(&mut self, worker: u16, known: &Known) -> (u64, Vec<Output>) {
        self.owners.push(worker);
        (self.owners.len() as u64 - 1, self.tell(RegistryInput::Connected, known))
    }

    /// Tells the registry something. Returns its requests.
    pub(super) fn tell(&mut self, input: RegistryInput, known: &Known) -> Vec<Output> {
        assert!(self.inputs.len() < MOST_INPUTS, "a worker joins again without end");
        self.digest = digest(&(self.digest, format!("{input:?}"), &self.owners));
        self.inputs.push(input);
        let before = known.lock().expect("no thread of a search panics").get(&self.digest).cloned();
        let (outputs, epoch) = before.unwrap_or_else(|| {
            let (outputs, admitted) = self.replay();
            let epoch = admitted.map(|job| {
                let spec = job.spec();
                let goes_on = self.epoch.clone().filter(|epoch| epoch.spec.epoch == spec.epoch);
                goes_on
                    .unwrap_or_else(|| Arc::new(JobEpoch { members: self.welcome(&outputs), spec }))
            });
            let found = (outputs, epoch);
            known.lock().expect("no thread of a search panics").insert(self.digest, found.clone());
            found
        });
        self.epoch = epoch;
        outputs
    }

    /// Returns the outputs of the last input, after all inputs before it, and the job that
    /// runs then. No time passes.
    fn replay(&self) -> (Vec<Output>, Option<Admission>) {
        let mut registry =
            Registry::new(Limits::default(), vec![(Ipv4Addr::LOCALHOST, 1).into()], Vec::new());
        let (mut books, mut conns, mut outputs) =
            (Books::default(), (0..).map(ConnectionId), Vec::new());
        for (entropy, input) in (1..).zip(&self.inputs) {
            match input {
                RegistryInput::Connected => {
                    let conn = conns.next().expect("numbers do not end");
                    registry.connected(0, conn, Ipv4Addr::LOCALHOST.into(), [0; 16]);
                }
                RegistryInput::Message(conn, message) => {
                    registry.handle(
                        0,
                        ConnectionId(*conn),
                        Message::clone(message),
                        &mut books,
                        entropy,
                    );
                }
                RegistryInput::Closed(conn) => {
                    registry.disconnected(0, ConnectionId(*conn), Loss::Closed, &mut books)
                }
            }
            outputs = iter::from_fn(|| registry.poll_output()).collect();
        }
        (outputs, books.admitted)
    }

    /// The workers that are welcome, in the order of the ranks by which they have joined.
    fn welcome(&self, outputs: &[Output]) -> Arc<[u16]> {
        let is_welcome = |conn: u64| {
            outputs.iter().any(
                |output| matches!(output, Output::Send(to, Message::Welcome(_)) if to.0 == conn),
            )
        };
        let joined = self.inputs.iter().filter_map(|input| match input {
            RegistryInput::Message(conn, message) => match &**message {
                Message::Join(join) if is_welcome(*conn) => Some((join.rank, self.owner(*conn))),
                _ => None,
            },
            _ => None,
        });
        joined.collect::<BTreeMap<_, _>>().into_values().collect()
    }
}
