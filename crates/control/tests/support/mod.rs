//! A switch whose data plane only remembers what it was told, and workers that join it.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use netfold_control::{Joined, Server, ServerHandle, Session};
use netfold_management::{
    Admission, AdmissionError, ClientError, DataPlane, JobStatus, JoinRequest, Limits,
    LocalSockets, Notice, Registry, ShardStatus, Spare, Token,
};

/// Longer than anything here takes, so that a test that hangs fails instead.
pub const WAIT_LIMIT: Duration = Duration::from_secs(20);

pub const SHARDS: u16 = 2;

/// Admissions that the data plane was told, for the test to look at.
pub type Admitted = Arc<Mutex<BTreeMap<u16, Admission>>>;

struct Plane {
    admitted: Admitted,
    /// Bytes of a payload that it has room for.
    memory: u64,
}

impl DataPlane for Plane {
    fn admit(&mut self, job: &Admission) -> Result<(), AdmissionError> {
        let needed = u64::from(job.slots) * u64::from(job.payload_bytes);
        if needed > self.memory {
            return Err(AdmissionError::Memory { needed, free: self.memory });
        }
        self.admitted.lock().unwrap().insert(job.job, job.clone());
        Ok(())
    }

    fn release(&mut self, job: u16) {
        self.admitted.lock().unwrap().remove(&job);
    }

    fn status(&mut self) -> Vec<ShardStatus> {
        let admitted = self.admitted.lock().unwrap();
        let jobs = admitted.values().map(|job| JobStatus {
            job: job.job,
            slots: job.slots,
            counters: vec![("rounds", 3)],
            waiting: Vec::new(),
            operations: Vec::new(),
        });
        let shard = ShardStatus {
            counters: vec![("contributions", 41)],
            memory_used: 1,
            memory_total: self.memory,
            jobs: jobs.collect(),
            tables: Vec::new(),
            queries: Vec::new(),
        };
        vec![shard; usize::from(SHARDS)]
    }

    fn spare(&self) -> Spare {
        Spare::PLENTY
    }
}

/// A switch on loopback.
pub struct Switch {
    pub server: Option<ServerHandle>,
    pub address: String,
    pub admitted: Admitted,
}

impl Switch {
    pub fn start() -> Self {
        Self::with(Limits::default(), None)
    }

    pub fn with(limits: Limits, token: Option<&str>) -> Self {
        let admitted = Admitted::default();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        // The shards listen everywhere; workers must be told an address that they can reach.
        let shards =
            (0..SHARDS).map(|shard| (Ipv4Addr::UNSPECIFIED, 9000 + shard).into()).collect();
        let registry = Registry::new(
            limits,
            shards,
            token.map(|text| Token::new(text).unwrap()).into_iter().collect(),
        );
        let plane = Plane { admitted: admitted.clone(), memory: 1 << 20 };
        let server = Server::start(listener, registry, Box::new(plane)).unwrap();
        Self { address: server.address().to_string(), server: Some(server), admitted }
    }

    pub fn server(&self) -> &ServerHandle {
        self.server.as_ref().unwrap()
    }

    /// Joins with one worker.
    pub fn join(&self, request: &JoinRequest) -> Result<Joined, ClientError> {
        join(&self.address, request)
    }

    /// A job that runs: a worker for each rank.
    pub fn job(&self, name: &str, size: u16) -> Vec<Worker> {
        let requests = (0..size).map(|rank| JoinRequest::new(name, rank, size)).collect();
        self.job_of(requests)
    }

    pub fn job_of(&self, requests: Vec<JoinRequest>) -> Vec<Worker> {
        let joining: Vec<_> = requests
            .into_iter()
            .map(|request| {
                let address = self.address.clone();
                thread::spawn(move || join(&address, &request))
            })
            .collect();
        joining.into_iter().map(|thread| Worker::start(thread.join().unwrap().unwrap())).collect()
    }
}

/// A worker in a running job.
pub struct Worker {
    pub session: Session,
    pub welcome: netfold_management::Welcome,
    notices: Receiver<Notice>,
}

impl Worker {
    pub fn start(joined: Joined) -> Self {
        let (sender, notices) = channel();
        let welcome = joined.welcome().clone();
        let notify = move |notice| sender.send(notice).unwrap_or_default();
        let session = joined.start(Box::new(notify)).unwrap();
        Self { session, welcome, notices }
    }

    /// The next notice but pulses.
    pub fn notice(&self) -> Notice {
        loop {
            match self.notices.recv_timeout(WAIT_LIMIT).expect("a notice comes") {
                Notice::Pulse => {}
                notice => return notice,
            }
        }
    }
}

pub fn join(address: &str, request: &JoinRequest) -> Result<Joined, ClientError> {
    Session::join(address, request, |_| Ok(sockets()), |_| ControlFlow::Continue(()))
}

/// Sockets that nobody uses.
pub fn sockets() -> LocalSockets {
    LocalSockets {
        udp_ports: (0..SHARDS).map(|shard| 5000 + shard).collect(),
        max_datagram: 1472,
        receive_buffer: 1 << 20,
        shares_memory: false,
        host: None,
    }
}
