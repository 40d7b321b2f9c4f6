//! The place where the ranks of `netfold mpirun` report that they have the library (R-MPI-19).

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_mpi::{Meeting, Present, Roll};

use crate::error::Error;
use crate::terminal;

/// Most connections at a time: those of all ranks, and some of strangers.
const MOST_CONNECTIONS: usize = 1100;

/// Bytes of the stack of a thread that waits for one rank.
const STACK_BYTES: usize = 128 << 10;

/// The place of one run. Ranks can report there until this is dropped.
pub(super) struct Presence {
    meeting: Meeting,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    limit: Duration,
    connections: AtomicUsize,
    is_over: AtomicBool,
}

struct State {
    roll: Roll,
    /// When the program that is being reported has begun to be.
    since: Option<Instant>,
}

impl Presence {
    /// Listens where ranks that reach the switch reach this host, too.
    pub(super) fn listen(switch: &str, limit: Duration) -> Result<Self, Error> {
        let failed = "there is no place where ranks can report";
        let listener = TcpListener::bind(near(switch)).map_err(Error::system(failed))?;
        let address = listener.local_addr().map_err(Error::system(failed))?.to_string();
        let token = format!("{:032x}", rand::random::<u128>());
        let state = State { roll: Roll::new(token.clone()), since: None };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
            limit,
            connections: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        });
        let own = shared.clone();
        thread::spawn(move || own.accept(&listener));
        Ok(Self { meeting: Meeting { address, token, limit }, shared })
    }

    /// Returns what ranks are told.
    pub(super) fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// Returns whether no rank has reported.
    pub(super) fn is_empty(&self) -> bool {
        self.shared.lock().roll.is_empty()
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // A connection wakes the thread that listens. Without one it ends with the process.
        let _ = TcpStream::connect(&self.meeting.address);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
            let Ok(stream) = stream else { continue };
            if self.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
                self.connections.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let own = self.clone();
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
                // A rank whose report or answer is lost leaves all calls to its host, and is missed
                // by the others unless it has had its answer.
                let _ = own.serve(stream);
                own.connections.fetch_sub(1, Ordering::SeqCst);
            });
            if thread.is_err() {
                self.connections.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    /// Takes the report of a rank, and answers it.
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(self.limit))?;
        let mut line = String::new();
        BufReader::new((&stream).take(Present::MOST_BYTES)).read_line(&mut line)?;
        let Some(report) = Present::parse(&line) else { return Ok(()) };
        let answer = if self.all_present(&report) { Present::ALL } else { "not all\n" };
        stream.write_all(answer.as_bytes())
    }

    /// Takes a report, and returns whether those of all other ranks come in time.
    fn all_present(&self, report: &Present) -> bool {
        let mut state = self.lock();
        let program = state.roll.report(report);
        self.changed.notify_all();
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                why.iter().for_each(|why| tell(why));
                return false;
            }
        };
        let end = *state.since.get_or_insert_with(Instant::now) + self.limit;
        loop {
            if let Some(all) = state.roll.verdict(program) {
                state.since = None;
                return all;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                if let Some(missing) = state.roll.end() {
                    tell(&missing);
                }
                self.changed.notify_all();
                continue;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn tell(why: &str) {
    terminal::tell(&format!("netfold: {why}; the program's MPI carries out all collectives"));
}

/// Returns the address of this host from which a switch is reached, the first of several, and any
/// port.
fn near(switch: &str) -> SocketAddr {
    let first = switch.split(',').next().unwrap_or_default().trim();
    let route = first.to_socket_addrs().ok().and_then(|mut all| all.next()).and_then(|switch| {
        let any: SocketAddr = match switch {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (std::net::Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any).ok()?;
        // No packet is sent: the system only looks for the way.
        socket.connect(switch).ok()?;
        socket.local_addr().ok()
    });
    // A switch that is not there takes no rank, wherever ranks report.
    (route.map_or(Ipv4Addr::LOCALHOST.into(), |own| own.ip()), 0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(1);

    fn answer(meeting: &Meeting, token: &str, rank: u32, size: u32) -> String {
        let mut stream = TcpStream::connect(&meeting.address).unwrap();
        let (token, version) = (token.to_owned(), "1".to_owned());
        stream.write_all(Present { token, version, rank, size }.line().as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn answers(meeting: &Meeting, ranks: &[u32], size: u32) -> Vec<String> {
        thread::scope(|scope| {
            let one = |rank| scope.spawn(move || answer(meeting, &meeting.token, rank, size));
            let all: Vec<_> = ranks.iter().map(|rank| one(*rank)).collect();
            all.into_iter().map(|one| one.join().unwrap()).collect()
        })
    }

    #[test]
    fn ranks_hear_whether_all_have_reported() {
        // R-MPI-19
        let presence = Presence::listen("127.0.0.1:1", LIMIT).unwrap();
        let meeting = presence.meeting();
        // A stranger who says nothing, and one with another token, keep nobody waiting.
        let _silent = TcpStream::connect(&meeting.address).unwrap();
        assert_ne!(answer(meeting, "0", 0, 3), Present::ALL);
        assert!(presence.is_empty());
        assert_eq!(answers(meeting, &[2, 0, 1], 3), [Present::ALL; 3]);
        let start = Instant::now();
        assert_eq!(answers(meeting, &[2, 0], 3), ["not all\n"; 2]);
        assert!(start.elapsed() >= LIMIT);
        assert_eq!(answer(meeting, &meeting.token, 1, 3), "not all\n");
    }

    #[test]
    fn ranks_report_on_the_way_to_the_switch() {
        // R-MPI-19
        for (switch, address) in [
            ("127.0.0.1:5555", "127.0.0.1:0"),
            ("127.0.0.1:5555,10.0.0.1:5555", "127.0.0.1:0"),
            ("[::1]:5555", "[::1]:0"),
            ("nowhere", "127.0.0.1:0"),
        ] {
            assert_eq!(near(switch), address.parse().unwrap(), "{switch}");
        }
    }
}
