//! Many workers in one thread.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use netfold_management::{Decoder, Join, Message, NamedTerms, Refusal, Welcome, encode};
use netfold_net::{Arithmetic, Call, CallId, Collective, ElementType, Operation, Reduction};
use netfold_wire::{Ecn, Epoch, HEADER_BYTES, Integrity, JobId, Terms, VERSION, WorkerId};
use netfold_worker::{Dense, Event, Plan, StreamConfig, Streams, Timing};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use socket2::{Domain, Protocol, Socket, Type};

/// Longer than anything takes here, so that what hangs fails.
pub const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// Files that a test has open besides its workers'.
const OTHER_FILES: u64 = 200;

/// Raises the limit of open files to `count`; `None` if the system does not allow as many, so that
/// the test is skipped. Tests take turns: what is given is the turn.
pub fn allow_files(count: u64) -> Option<MutexGuard<'static, ()>> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let limit = getrlimit(Resource::Nofile);
    let enough = |files: Option<u64>| files.is_none_or(|files| files >= count + OTHER_FILES);
    let allowed = enough(limit.maximum)
        && (enough(limit.current)
            || setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_ok());
    if !allowed {
        eprintln!("skipped: {count} files are needed, and a process may have {:?}", limit.maximum);
    }
    allowed.then_some(turn)
}

/// A worker's end of a control connection.
pub struct Control {
    stream: TcpStream,
    decoder: Decoder,
}

impl Control {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
        Self { stream, decoder: Decoder::default() }
    }

    fn send(&mut self, message: &Message) {
        self.stream.write_all(&encode(message).unwrap()).unwrap();
    }

    /// The next message; `None` when the switch has closed the connection.
    fn receive(&mut self) -> Option<Message> {
        let mut bytes = [0; 4096];
        loop {
            if let Some(message) = self.decoder.next_message().unwrap() {
                return Some(message);
            }
            match self.stream.read(&mut bytes).unwrap() {
                0 => return None,
                count => self.decoder.push(&bytes[..count]),
            }
        }
    }

    /// The first message that is `wanted`; `None` if the connection closes before.
    pub fn receive_until(&mut self, wanted: impl Fn(&Message) -> bool) -> Option<Message> {
        std::iter::from_fn(|| self.receive()).find(wanted)
    }
}

/// A worker of a job that runs.
pub struct RunningWorker {
    pub control: Control,
    pub welcome: Welcome,
    socket: UdpSocket,
    streams: Streams<Dense<Vec<u8>>>,
}

/// The workers of a job, by rank.
pub struct Crowd {
    pub workers: Vec<RunningWorker>,
    /// Sockets at which results for several workers come (R-CTRL-9), with those workers: each
    /// address once, for all of them.
    groups: BTreeMap<SocketAddr, (UdpSocket, Vec<usize>)>,
    start: Instant,
    calls: u64,
}

impl Crowd {
    /// Joins `size` workers, each at its `home`.
    ///
    /// # Errors
    /// The refusal that all of them have been given.
    pub fn join(job: &str, size: u16, home: impl Fn(u16) -> SocketAddr) -> Result<Self, Refusal> {
        let joining: Vec<(Control, UdpSocket)> =
            (0..size).map(|rank| begin(job, rank, size, home(rank))).collect();
        let mut crowd =
            Self { workers: Vec::new(), groups: BTreeMap::new(), start: Instant::now(), calls: 0 };
        let mut refused = Vec::new();
        for (rank, (mut control, socket)) in (0..).zip(joining) {
            let is_answer = |message: &Message| {
                matches!(message, Message::Welcome(_) | Message::Refused { .. })
            };
            match control.receive_until(is_answer) {
                Some(Message::Welcome(welcome)) => crowd.worker(rank, control, socket, *welcome),
                Some(Message::Refused { reason }) => refused.push(reason),
                other => panic!("rank {rank} hears {other:?}"),
            }
        }
        match refused.pop() {
            None => Ok(crowd),
            Some(reason) => {
                assert!(
                    crowd.workers.is_empty() && refused.iter().all(|other| *other == reason),
                    "all are told the same"
                );
                Err(reason)
            }
        }
    }

    fn worker(&mut self, rank: u16, control: Control, socket: UdpSocket, welcome: Welcome) {
        let config = StreamConfig {
            job: JobId(welcome.job),
            epoch: Epoch(welcome.epoch),
            rank: WorkerId(rank),
            first_slot: 0,
            slots: welcome.slots,
            flow: 0,
            flows: 1,
            terms: Terms::new(Integrity::Transport),
            timing: Timing::default(),
        };
        if let Some(&group) = welcome.groups.first() {
            let (_, members) =
                self.groups.entry(group).or_insert_with(|| (listen(group), Vec::new()));
            members.push(usize::from(rank));
        }
        let streams = Streams::new(config, welcome.other_slots());
        self.workers.push(RunningWorker { control, welcome, socket, streams });
    }

    /// Sums vectors over all workers, and gives what each of them has got.
    pub fn sum(&mut self, input: impl Fn(u16) -> Vec<i32>) -> Vec<Vec<i32>> {
        let id = CallId(self.calls);
        self.calls += 1;
        for (rank, worker) in (0..).zip(&mut self.workers) {
            let vector = input(rank);
            let call = Call {
                collective: Collective::AllReduce,
                reduction: Reduction::Fold(Operation::Sum),
                element_type: ElementType::I32,
                elements: vector.len() as u64,
                priority: None,
            };
            let (workers, payload_bytes) = (worker.welcome.workers, worker.welcome.payload_bytes);
            let plan =
                Plan::new(call, Arithmetic::Block, workers, WorkerId(rank), payload_bytes).unwrap();
            let memory: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            worker.streams.submit(id, plan.clone(), Dense::new(plan, memory));
        }
        let mut done: Vec<Option<Vec<u8>>> = vec![None; self.workers.len()];
        let until = Instant::now() + WAIT_LIMIT;
        while done.iter().any(Option::is_none) {
            assert!(
                Instant::now() < until,
                "{} workers have no result",
                done.iter().filter(|d| d.is_none()).count()
            );
            self.step(&mut done);
        }
        let integers = |bytes: Vec<u8>| {
            bytes.chunks(4).map(|lane| i32::from_le_bytes(lane.try_into().unwrap())).collect()
        };
        done.into_iter().flatten().map(integers).collect()
    }

    /// Lets every worker send what it has to send, and take what has come.
    fn step(&mut self, done: &mut [Option<Vec<u8>>]) {
        let now_us = u64::try_from(self.start.elapsed().as_micros()).unwrap();
        let mut buffer = [0; 2048];
        for (worker, done) in self.workers.iter_mut().zip(done) {
            worker.streams.handle_timeout(now_us);
            let mut burst = vec![0; HEADER_BYTES + worker.welcome.payload_bytes as usize];
            while let Some(transmit) = worker.streams.poll_transmit(now_us, &mut burst, 1) {
                worker.socket.send_to(&burst[..transmit.len], worker.welcome.shards[0]).unwrap();
            }
            while let Some(count) = take(&worker.socket, &mut buffer) {
                worker.streams.handle(now_us, &buffer[..count], Ecn::Clear);
            }
            if let Some(Event::Completed(_, tensor)) = worker.streams.poll_event() {
                *done = Some(tensor.into_memory());
            }
        }
        for (socket, members) in self.groups.values() {
            while let Some(count) = take(socket, &mut buffer) {
                for &member in members {
                    self.workers[member].streams.handle(now_us, &buffer[..count], Ecn::Clear);
                }
            }
        }
    }

    /// All take their leave, and wait until the switch has taken note.
    pub fn leave(mut self) {
        let calls = self.calls;
        for RunningWorker { control, .. } in &mut self.workers {
            control.send(&Message::Leave { calls });
            control.stream.shutdown(Shutdown::Write).unwrap();
        }
        for RunningWorker { control, .. } in &mut self.workers {
            assert_eq!(
                control.receive_until(|message| matches!(message, Message::Failed { .. })),
                None
            );
        }
    }
}

/// Connects, and asks to be taken in.
fn begin(job: &str, rank: u16, size: u16, home: SocketAddr) -> (Control, UdpSocket) {
    let mut control = Control::connect(home);
    control.send(&Message::Greet { path: Vec::new() });
    let Some(Message::Hello { shards: 1, .. }) = control.receive() else {
        panic!("a switch with one shard says hello")
    };
    let socket = UdpSocket::bind((control.stream.local_addr().unwrap().ip(), 0)).unwrap();
    socket.set_nonblocking(true).unwrap();
    control.send(&Message::Join(Box::new(Join {
        version: VERSION,
        job: job.to_owned(),
        rank,
        size,
        terms: NamedTerms::default(),
        packet_elements: None,
        slots: None,
        asks_for_slots: false,
        max_datagram: 1472,
        receive_buffer: 1 << 18,
        udp_ports: vec![socket.local_addr().unwrap().port()],
        transport: None,
        shares_memory: false,
        host: None,
        // No heartbeats go out here.
        memory: None,
        resume: None,
        operations: Vec::new(),
        timeout_ms: 2 * WAIT_LIMIT.as_millis() as u64,
        proof: None,
    })));
    (control, socket)
}

/// R-CTRL-9: a socket for what is sent to a group.
fn listen(group: SocketAddr) -> UdpSocket {
    let socket = Socket::new(Domain::for_address(group), Type::DGRAM, Some(Protocol::UDP)).unwrap();
    socket.set_reuse_address(true).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket.bind(&group.into()).unwrap();
    socket.into()
}

/// A datagram that has come.
fn take(socket: &UdpSocket, buffer: &mut [u8]) -> Option<usize> {
    match socket.recv(buffer) {
        Ok(count) => Some(count),
        Err(error) if error.kind() == ErrorKind::WouldBlock => None,
        Err(error) => panic!("{error}"),
    }
}
