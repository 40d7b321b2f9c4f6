//! Every case against a whole switch over UDP: workers join over TCP like any other, and then send
//! their datagrams by hand.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::iter;
use std::net::{SocketAddr, UdpSocket};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use netfold_conformance::{Admitted, At, Datagram, JobShape, Mismatch, Script, Target};
use netfold_control::{Joined, Path, Session, query};
use netfold_management::{Failure, JoinRequest, LocalSockets, Notice, Query, Report, Token};
use netfold_net::{Switch, SwitchOptions};
use netfold_num::{Arithmetic, ElementType, Exponent, Operation};
use netfold_wire::{
    CallDigest, Delivery, Direction, Epoch, HEADER_BYTES, IntegrityKind, JobId, Kind, Pool,
    Position, Repr, SlotIndex, Terms, WorkerId,
};
use socket2::{Domain, SockRef, Socket, Type};

netfold_conformance::conformance_cases!(UdpTarget::start());

/// R-ECN-1, R-ECN-2: a contribution that is marked in its IP header marks the result for all.
#[test]
fn what_the_network_marks_is_told_to_all() {
    let mut target = UdpTarget::start();
    target.marked = Some(1);
    let mut job = Script::new(&mut target, 2, 1);
    let first = At::new(0, Pool::Even, 0);
    job.silent(0, first);
    let replies = job.contribute(1, first);
    job.assert_multicast(&replies, first);
    assert!(replies.iter().all(|reply| reply.result.marked), "{replies:?}");
}

/// The longest wait for something that must come.
const WAIT_LIMIT: Duration = Duration::from_secs(20);
const TOKEN: &str = "a token for the cases";

/// A worker: its place in the job, its socket, which is connected to the switch's shard, and the
/// one where results for all come, if that is another (R-CTRL-9).
struct Worker {
    session: Session,
    socket: UdpSocket,
    group: Option<UdpSocket>,
}

/// A job, and its epoch, since a later one may have its number.
struct Job {
    epoch: Epoch,
    workers: Vec<Worker>,
}

/// A notice to a worker: the number and the epoch of its job, its rank, and the notice itself.
type Told = (JobId, Epoch, u16, Notice);

/// A switch of one shard on loopback.
struct UdpTarget {
    address: String,
    jobs: BTreeMap<JobId, Job>,
    named: u32,
    notices: (Sender<Told>, Receiver<Told>),
    reported: u64,
    /// The rank in later jobs whose datagrams come marked, as if a queue on its way were long.
    marked: Option<usize>,
    /// A job of one worker, whose packet is always answered: what came before it has been handled
    /// when its answer is here.
    fence: (Worker, Vec<u8>),
    _switch: Switch,
}

impl UdpTarget {
    fn start() -> Self {
        let token = Token::new(TOKEN).expect("a token");
        let options = SwitchOptions {
            memory_bytes: 1 << 20,
            tokens: vec![token],
            ..SwitchOptions::default()
        };
        let switch = Switch::start(&options).expect("loopback has free ports");
        let address = switch.address().to_string();
        let notices = channel();
        let shape = JobShape {
            workers: 1,
            slots: 1,
            exchange_slots: 0,
            payload_bytes: 32,
            terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(IntegrityKind::Checksum) },
        };
        let (admitted, mut workers) =
            join(&address, "fence", &shape, &notices.0).expect("the first job fits");
        let worker = workers.pop().expect("a job of one worker");
        worker.socket.set_read_timeout(Some(WAIT_LIMIT)).expect("a timeout");
        let packet = fence_packet(&admitted);
        let fence = (worker, packet);
        Self {
            address,
            jobs: BTreeMap::new(),
            named: 0,
            notices,
            reported: 0,
            marked: None,
            fence,
            _switch: switch,
        }
    }

    /// Returns when the switch has handled, and sent in consequence of, all that was sent to it
    /// before.
    fn wait_for_switch(&self) {
        let (worker, packet) = &self.fence;
        // The answer may be in the same batch as what the datagrams before it caused, and ahead of
        // it; the second one is in a batch after that.
        for _ in 0..2 {
            worker.socket.send(packet).expect("the shard's port is open");
            worker.socket.recv(&mut [0; 2048]).expect("the fence is answered");
        }
    }

    /// Returns the datagrams that wait in the sockets of all workers.
    fn receive(&self) -> Vec<Datagram> {
        let mut received = Vec::new();
        let mut buffer = [0; 2048];
        for (job, Job { workers, .. }) in &self.jobs {
            for (rank, worker) in (0..).zip(workers) {
                for socket in iter::once(&worker.socket).chain(&worker.group) {
                    loop {
                        match socket.recv(&mut buffer) {
                            Ok(len) => {
                                let bytes = buffer[..len].to_vec();
                                received.push(Datagram { job: *job, to: WorkerId(rank), bytes });
                            }
                            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                            Err(error) => panic!("worker {rank}: {error}"),
                        }
                    }
                }
            }
        }
        received
    }

    /// Mismatches that the shard has counted.
    fn counted(&self) -> u64 {
        let Ok(Report::Stats(stats)) = query(&self.address, Query::Stats, WAIT_LIMIT) else {
            panic!("the switch tells its counters");
        };
        stats.shards.iter().map(|shard| shard.counters["mismatches"]).sum()
    }
}

impl Target for UdpTarget {
    fn admit(&mut self, shape: &JobShape) -> Result<Admitted, String> {
        self.named += 1;
        let (admitted, workers) =
            join(&self.address, &format!("case {}", self.named), shape, &self.notices.0)?;
        workers.iter().for_each(|worker| {
            worker.socket.set_nonblocking(true).expect("a socket that does not block")
        });
        if let Some(rank) = self.marked {
            /// Congestion experienced (RFC 3168).
            const CE: u32 = 3;
            SockRef::from(&workers[rank].socket).set_tos_v4(CE).expect("a socket of IPv4");
        }
        self.jobs.insert(admitted.job, Job { epoch: admitted.epoch, workers });
        Ok(admitted)
    }

    fn release(&mut self, job: JobId) {
        for worker in self.jobs.remove(&job).expect("a job that was admitted").workers {
            worker.session.leave(0);
        }
    }

    fn exchange(&mut self, job: JobId, from: WorkerId, datagram: &[u8]) -> Vec<Datagram> {
        self.jobs[&job].workers[usize::from(from.0)]
            .socket
            .send(datagram)
            .expect("the shard's port is open");
        self.wait_for_switch();
        self.receive()
    }

    fn mismatches(&mut self) -> Vec<Mismatch> {
        let mut found: Vec<Mismatch> = Vec::new();
        let counted = self.counted();
        while self.reported < counted {
            let told = self
                .notices
                .1
                .recv_timeout(WAIT_LIMIT)
                .expect("workers are told of a mismatch (R-CTRL-6)");
            let (job, epoch, rank, notice) = told;
            // Every worker of a job is told; of one that is over, the others' notices may still
            // come.
            let Some(Job { workers, .. }) =
                self.jobs.get(&job).filter(|known| known.epoch == epoch)
            else {
                continue;
            };
            match notice {
                Notice::Describe { shard, slot, position, .. } => {
                    let text = format!("call of {rank}");
                    workers[usize::from(rank)].session.describe(shard, slot, position, text);
                }
                Notice::Failed(Failure::Mismatch { rank_a, call_a, rank_b, call_b }) => {
                    assert_eq!(
                        (call_a, call_b),
                        (format!("call of {rank_a}"), format!("call of {rank_b}"))
                    );
                    let mismatch =
                        Mismatch { job, first: WorkerId(rank_a), second: WorkerId(rank_b) };
                    if !found.contains(&mismatch) {
                        found.push(mismatch);
                        self.reported += 1;
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        found
    }
}

/// Joins all workers of a job.
fn join(
    address: &str,
    name: &str,
    shape: &JobShape,
    notices: &Sender<Told>,
) -> Result<(Admitted, Vec<Worker>), String> {
    let joined: Vec<Result<(Joined, UdpSocket), String>> = std::thread::scope(|scope| {
        let ranks: Vec<_> = (0..shape.workers)
            .map(|rank| scope.spawn(move || join_as(rank, address, name, shape)))
            .collect();
        ranks.into_iter().map(|rank| rank.join().expect("a rank joins or is refused")).collect()
    });
    let joined: Vec<(Joined, UdpSocket)> = joined.into_iter().collect::<Result<_, _>>()?;
    let welcome = joined[0].0.welcome().clone();
    assert!(welcome.all_slots() >= shape.slots);
    assert_eq!(welcome.payload_bytes, shape.payload_bytes);
    let (job, epoch, integrity) =
        (JobId(welcome.job), Epoch(welcome.epoch), joined[0].0.integrity());
    let workers = (0..).zip(joined).map(|(rank, (joined, socket))| {
        socket.connect(welcome.shards[0]).expect("a shard has an address");
        let notices = notices.clone();
        // The receiver is gone only when the test is over.
        let notify = move |notice| {
            if notice != Notice::Pulse {
                drop(notices.send((job, epoch, rank, notice)));
            }
        };
        let group = welcome
            .groups
            .first()
            .map(|group| listen_at(*group).expect("jobs have groups of their own"));
        Worker { session: joined.start(Box::new(notify)).expect("a thread"), socket, group }
    });
    Ok((Admitted { job, epoch, integrity }, workers.collect()))
}

fn join_as(
    rank: u16,
    address: &str,
    name: &str,
    shape: &JobShape,
) -> Result<(Joined, UdpSocket), String> {
    let mut request = JoinRequest::new(name, rank, shape.workers);
    request.terms = shape.terms.with_integrity(Some(shape.terms.integrity));
    request.packet_elements = Some((shape.payload_bytes / 4) as u16);
    // Up to eight bulk slots are followed by as many urgent ones (R-CTRL-2).
    request.slots = Some(if shape.slots > 16 { shape.slots } else { (shape.slots / 2).max(1) });
    request.token = Some(Token::new(TOKEN).expect("a token"));
    let mut socket = None;
    let open = |path: &Path| {
        let bound = UdpSocket::bind(SocketAddr::new(path.local, 0))?;
        let sockets = LocalSockets {
            udp_ports: vec![bound.local_addr()?.port()],
            max_datagram: 2048,
            receive_buffer: 1 << 20,
            shares_memory: false,
            host: None,
        };
        socket = Some(bound);
        Ok(sockets)
    };
    let joined = Session::join(address, &request, open, |_| ControlFlow::Continue(()));
    joined
        .map(|joined| (joined, socket.expect("joining opens sockets")))
        .map_err(|error| error.to_string())
}

/// A socket that gets what is sent to `group`, like those of the other workers.
fn listen_at(group: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(group), Type::DGRAM, None)?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&group.into())?;
    Ok(socket.into())
}

fn fence_packet(admitted: &Admitted) -> Vec<u8> {
    let header = Repr {
        direction: Direction::Contribution(WorkerId(0)),
        kind: Kind::Values,
        empty: true,
        marked: false,
        overflowed: false,
        pool: Pool::Even,
        job: admitted.job,
        epoch: admitted.epoch,
        position: Position(0),
        slot: SlotIndex(0),
        elements: 0,
        element_type: ElementType::U8,
        operation: Operation::Copy,
        exponent: Exponent::ZERO,
        next_exponent: Exponent::ZERO,
        delivery: Delivery::All,
        call: CallDigest(0),
    };
    let mut datagram = vec![0; HEADER_BYTES];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    admitted.integrity.seal(&mut datagram);
    datagram
}
