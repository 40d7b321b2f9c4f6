//! The event loop on loopback, under a state machine that only says what a test wants said.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex, RwLock};
use std::time::Duration;

use netfold_management::{
    Admission, AdmissionError, Brought, Bytes, Challenge, ConnectionId, Decoder, Limits, Loaded,
    Loading, Loss, Message, Output, ShardStatus, Spare, Uplink, encode,
};
use netfold_switch::{OperationLoader, TrapCause, TypedOperation};

use super::*;

const WAIT_LIMIT: Duration = Duration::from_secs(20);

/// Bytes of a long text, which fits a message.
const LONG: usize = 200_000;

struct NoPlane;

impl DataPlane for NoPlane {
    fn admit(&mut self, _job: &Admission) -> Result<(), AdmissionError> {
        Ok(())
    }

    fn release(&mut self, _job: u16) {}

    fn status(&mut self) -> Vec<ShardStatus> {
        Vec::new()
    }

    fn spare(&self) -> Spare {
        Spare::PLENTY
    }
}

/// A call that the state machine has received.
#[derive(Debug, PartialEq)]
enum Told {
    Found(SocketAddr),
    Connected(ConnectionId),
    Heard(ConnectionId, Message),
    Disconnected(ConnectionId, Loss),
    Loaded(ConnectionId, Result<usize, String>),
}

/// Says to each that connects what was given, and tells of everything.
struct Script {
    limits: Limits,
    greeting: fn(ConnectionId) -> Vec<Output>,
    parent: Option<String>,
    output: VecDeque<Output>,
    told: Sender<Told>,
}

impl Management for Script {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn uplink(&self) -> Option<Uplink> {
        self.parent.clone().map(|parent| Uplink { parent, local: Ipv4Addr::UNSPECIFIED.into() })
    }

    fn found_parent(&mut self, parent: SocketAddr) {
        self.told.send(Told::Found(parent)).unwrap_or_default();
    }

    fn connected(
        &mut self,
        _now_us: u64,
        conn: ConnectionId,
        _peer_ip: IpAddr,
        _challenge: Challenge,
    ) {
        self.output.extend((self.greeting)(conn));
        self.told.send(Told::Connected(conn)).unwrap_or_default();
    }

    fn handle(
        &mut self,
        _: u64,
        conn: ConnectionId,
        message: Message,
        _plane: &mut dyn DataPlane,
        _entropy: u128,
    ) {
        self.told.send(Told::Heard(conn, message)).unwrap_or_default();
    }

    fn disconnected(
        &mut self,
        _now_us: u64,
        conn: ConnectionId,
        why: Loss,
        _plane: &mut dyn DataPlane,
    ) {
        self.output.push_back(Output::Close(conn));
        self.told.send(Told::Disconnected(conn, why)).unwrap_or_default();
    }

    fn loaded(
        &mut self,
        _now_us: u64,
        conn: ConnectionId,
        loaded: Loaded,
        _plane: &mut dyn DataPlane,
        _entropy: u128,
    ) {
        let loaded = loaded.map(|all| all.len()).map_err(|refusal| refusal.to_string());
        self.told.send(Told::Loaded(conn, loaded)).unwrap_or_default();
    }

    fn incident(&mut self, _now_us: u64, _incident: Incident, _plane: &mut dyn DataPlane) {}

    fn handle_timeout(&mut self, _now_us: u64, _plane: &mut dyn DataPlane) {}

    fn poll_timeout(&self) -> Option<u64> {
        None
    }

    fn poll_output(&mut self) -> Option<Output> {
        self.output.pop_front()
    }

    fn stats(&self, _plane: &mut dyn DataPlane) -> StatsReport {
        StatsReport::default()
    }

    fn stop(&mut self, _plane: &mut dyn DataPlane) {}
}

fn text(bytes: usize) -> Message {
    Message::Description { shard: 0, slot: 0, position: 0, text: "x".repeat(bytes) }
}

fn start(
    parent: Option<&str>,
    greeting: fn(ConnectionId) -> Vec<Output>,
) -> (ServerHandle, Receiver<Told>) {
    let (told, events) = channel();
    let script = Script {
        limits: Limits::default(),
        greeting,
        parent: parent.map(str::to_owned),
        output: VecDeque::new(),
        told,
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    (Server::start(listener, script, Box::new(NoPlane)).unwrap(), events)
}

fn messages(bytes: &[u8]) -> Vec<Message> {
    let mut decoder = Decoder::default();
    decoder.push(bytes);
    std::iter::from_fn(|| decoder.next_message().unwrap()).collect()
}

/// Refuses every module, once [`GATE`] is open.
#[derive(Debug)]
struct Gated;

static GATE: RwLock<()> = RwLock::new(());

impl OperationLoader for Gated {
    fn load(
        &self,
        module: &[u8],
        _signature: Option<&[u8]>,
    ) -> Result<Arc<dyn TypedOperation>, String> {
        let _open = GATE.read().unwrap();
        Err(format!("module {}", module[0]))
    }

    fn trapped(&self, _hash: [u8; 32], _cause: TrapCause) {}
}

fn loading(conn: ConnectionId) -> Vec<Output> {
    let brought = Brought { module: Bytes(vec![conn.0 as u8]), signature: None };
    let loader: Arc<dyn OperationLoader> = Arc::new(Gated);
    vec![Output::Load(conn, Loading::new(vec![brought], Some(&loader)).unwrap())]
}

/// R-OP-41: while operations are admitted everyone else is served, and what nobody waits for any
/// more is left out.
#[test]
fn operations_are_admitted_while_others_are_served() {
    let gate = GATE.write().unwrap();
    let (server, told) = start(None, loading);
    let next = || told.recv_timeout(WAIT_LIMIT).unwrap();
    let mut peers: Vec<_> = (0..3)
        .map(|conn| {
            let peer = TcpStream::connect(server.address()).unwrap();
            assert_eq!(next(), Told::Connected(ConnectionId(conn)));
            peer
        })
        .collect();
    peers[2].write_all(&encode(&Message::Heartbeat).unwrap()).unwrap();
    assert_eq!(next(), Told::Heard(ConnectionId(2), Message::Heartbeat));
    drop(peers.remove(1));
    assert_eq!(next(), Told::Disconnected(ConnectionId(1), Loss::Closed));
    // It is told before it is forgotten: whatever the third says comes after that.
    peers[1].write_all(&encode(&Message::Heartbeat).unwrap()).unwrap();
    assert_eq!(next(), Told::Heard(ConnectionId(2), Message::Heartbeat));
    drop(gate);
    for conn in [0, 2] {
        let Told::Loaded(loaded, Err(why)) = next() else { panic!("another call") };
        assert_eq!(loaded, ConnectionId(conn));
        assert!(why.contains(&format!("module {conn}")), "{why}");
    }
}

#[test]
fn a_peer_that_does_not_read_is_lost() {
    let (server, told) =
        start(None, |conn| (0..200).map(|_| Output::Send(conn, text(LONG))).collect());
    let silent = TcpStream::connect(server.address()).unwrap();
    let conn = ConnectionId(0);
    assert_eq!(told.recv_timeout(WAIT_LIMIT).unwrap(), Told::Connected(conn));
    // Before the time is over in which a peer may take nothing: more than may wait is there at
    // once.
    let patience = Duration::from_secs(4);
    assert_eq!(told.recv_timeout(patience).unwrap(), Told::Disconnected(conn, Loss::Unread));
    drop(silent);
}

/// A peer with a small window gets all of it, cut as it may be, and then the end.
#[test]
fn what_was_said_before_a_close_arrives() {
    let (server, _told) = start(None, |conn| {
        vec![Output::Send(conn, text(LONG)), Output::Send(conn, text(7)), Output::Close(conn)]
    });
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(&server.address().into()).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
    let (mut bytes, mut piece) = (Vec::new(), [0; 1000]);
    loop {
        match stream.read(&mut piece).unwrap() {
            0 => break,
            count => bytes.extend_from_slice(&piece[..count]),
        }
    }
    assert_eq!(messages(&bytes), [text(LONG), text(7)]);
}

/// Thousands at once, each with a message in two pieces.
#[test]
fn thousands_are_served_by_one_thread() {
    const PEERS: usize = 2000;
    let (server, told) = start(None, |conn| vec![Output::Send(conn, Message::Heartbeat)]);
    let frame = encode(&text(3)).unwrap();
    let mut streams: Vec<_> =
        (0..PEERS).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    for piece in [&frame[..5], &frame[5..]] {
        streams.iter_mut().for_each(|stream| stream.write_all(piece).unwrap());
    }
    let (mut connected, mut heard) = (0, 0);
    while heard < PEERS {
        match told.recv_timeout(WAIT_LIMIT).unwrap() {
            Told::Connected(_) => connected += 1,
            Told::Heard(_, message) => {
                assert_eq!(message, text(3));
                heard += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(connected, PEERS);
    let hello = encode(&Message::Heartbeat).unwrap();
    for stream in &mut streams {
        let mut got = vec![0; hello.len()];
        stream.read_exact(&mut got).unwrap();
        assert_eq!(got, hello);
    }
}

/// Workers that all come at once are kept, however long the event loop is busy with something else.
#[test]
fn a_crowd_at_the_door_is_not_turned_away() {
    /// More than the standard library's listeners keep.
    const CROWD: usize = 500;
    let somaxconn = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    if somaxconn.trim().parse::<usize>().unwrap() < CROWD {
        return eprintln!("skipped: the system keeps no more than {somaxconn} connections");
    }
    /// Held by the test for as long as the event loop is to stand still.
    static DOOR: Mutex<()> = Mutex::new(());
    let (server, told) = start(None, |_| {
        drop(DOOR.lock());
        Vec::new()
    });
    let shut = DOOR.lock();
    let _crowd: Vec<_> = (0..CROWD)
        .map(|_| TcpStream::connect_timeout(&server.address(), Duration::from_millis(900)).unwrap())
        .collect();
    drop(shut);
    assert!((0..CROWD).all(|_| matches!(told.recv_timeout(WAIT_LIMIT), Ok(Told::Connected(_)))));
}

/// Messages to a parent wait until the connection is made. A parent that is not there is named.
#[test]
fn a_parent_is_dialed_without_a_wait() {
    const UP: ConnectionId = ConnectionId(1 << 63);
    let dial = |_| vec![Output::Dial(UP), Output::Send(UP, text(LONG))];
    let parent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = parent.local_addr().unwrap();
    let by_name = format!("localhost:{}", address.port());
    for name in [address.to_string(), by_name.clone()] {
        let (server, told) = start(Some(&name), dial);
        let _below = TcpStream::connect(server.address()).unwrap();
        let mut above = parent.accept().unwrap().0;
        above.set_read_timeout(Some(WAIT_LIMIT)).unwrap();
        let frame = encode(&text(LONG)).unwrap();
        let mut got = vec![0; frame.len()];
        above.read_exact(&mut got).unwrap();
        assert_eq!(messages(&got), [text(LONG)]);
        assert_eq!(told.recv_timeout(WAIT_LIMIT).unwrap(), Told::Connected(ConnectionId(0)));
        if name == by_name {
            assert_eq!(told.recv_timeout(WAIT_LIMIT).unwrap(), Told::Found(address));
        }
    }
    drop(parent);

    for (name, expected) in
        [(address.to_string(), "refused"), (by_name, "refused"), ("no port".into(), "invalid")]
    {
        let (server, told) = start(Some(&name), dial);
        let _below = TcpStream::connect(server.address()).unwrap();
        let lost =
            std::iter::from_fn(|| told.recv_timeout(WAIT_LIMIT).ok()).find_map(|told| match told {
                Told::Disconnected(UP, Loss::Unreachable { error }) => Some(error),
                _ => None,
            });
        assert!(lost.as_ref().is_some_and(|error| error.contains(expected)), "{name}: {lost:?}");
    }
}

/// R-CTRL-4
#[test]
fn who_is_lost_before_a_stop_is_known_to_be() {
    static BUSY: Barrier = Barrier::new(2);
    let (server, told) = start(None, |conn| {
        // The event loop looks at its post next, and not at its sockets.
        for _ in 0..2 * conn.0 {
            BUSY.wait();
        }
        Vec::new()
    });
    let lost = TcpStream::connect(server.address()).unwrap();
    assert_eq!(told.recv_timeout(WAIT_LIMIT).unwrap(), Told::Connected(ConnectionId(0)));
    let _other = TcpStream::connect(server.address()).unwrap();
    BUSY.wait();
    drop(lost);
    server.post.stop();
    BUSY.wait();
    drop(server);
    assert!(told.iter().any(|told| told == Told::Disconnected(ConnectionId(0), Loss::Closed)));
}

#[test]
fn nobody_waits_for_an_answer_after_the_end() {
    let (server, _told) = start(None, |_| Vec::new());
    let source = server.stats_source();
    assert_eq!(source(), Some(StatsReport::default()));
    server.stop();
    assert_eq!(source(), None);
}
