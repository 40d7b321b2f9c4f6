//! A relay in front of a switch, which holds what a worker and the switch say to each other, or
//! cuts them off.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The control connections of one worker. What arrives passes, until the gate is told otherwise.
pub struct Gate {
    address: SocketAddr,
    state: Arc<State>,
    listening: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Default)]
struct Inner {
    is_held: bool,
    was_cut: bool,
    is_over: bool,
    /// Both ends of every connection.
    ends: Vec<TcpStream>,
}

impl Gate {
    /// A gate in front of the switch at `target`.
    pub fn new(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, state) = (listener.local_addr().unwrap(), Arc::<State>::default());
        let taking = state.clone();
        let listening = thread::spawn(move || {
            while let Some(ends) = taking.connect(&listener, target) {
                for (from, to) in [(0, 1), (1, 0)] {
                    let (from, to) =
                        (ends[from].try_clone().unwrap(), ends[to].try_clone().unwrap());
                    let state = taking.clone();
                    thread::spawn(move || state.pass(from, to));
                }
            }
        });
        Self { address, state, listening: Some(listening) }
    }

    /// Returns the address for the worker.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Keeps back everything that has not passed yet, in both directions.
    pub fn hold(&self) {
        self.state.inner.lock().unwrap().is_held = true;
    }

    /// Lets everything pass that was kept back, and what comes later.
    pub fn open(&self) {
        self.state.inner.lock().unwrap().is_held = false;
        self.state.changed.notify_all();
    }

    /// Closes all connections at both ends, and keeps back what comes on others.
    pub fn cut(&self) {
        let mut inner = self.state.inner.lock().unwrap();
        (inner.is_held, inner.was_cut) = (true, true);
        inner.close();
        self.state.changed.notify_all();
    }

    /// Waits until the gate is cut, at most for so long.
    pub fn wait_until_cut(&self, limit: Duration) {
        let inner = self.state.inner.lock().unwrap();
        let waited =
            self.state.changed.wait_timeout_while(inner, limit, |inner| !inner.was_cut).unwrap();
        assert!(!waited.1.timed_out(), "nobody has cut it");
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        let mut inner = self.state.inner.lock().unwrap();
        inner.is_over = true;
        inner.close();
        drop(inner);
        self.state.changed.notify_all();
        // Wakes the thread that listens.
        drop(TcpStream::connect(self.address));
        self.listening.take().unwrap().join().unwrap();
    }
}

impl Inner {
    fn close(&mut self) {
        for end in self.ends.drain(..) {
            // The other end may have closed it.
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

impl State {
    /// Returns the two ends of the next connection; `None` when the gate is over, or the switch.
    fn connect(&self, listener: &TcpListener, target: SocketAddr) -> Option<[TcpStream; 2]> {
        let worker = listener.accept().unwrap().0;
        let mut inner = self.inner.lock().unwrap();
        let switch = (!inner.is_over).then(|| TcpStream::connect(target).ok())??;
        let ends = [worker, switch];
        for end in &ends {
            end.set_nodelay(true).unwrap();
            inner.ends.push(end.try_clone().unwrap());
        }
        Some(ends)
    }

    /// Passes on what comes from one end to the other, and then that no more does.
    fn pass(&self, mut from: TcpStream, mut to: TcpStream) {
        let mut bytes = vec![0; 1 << 16];
        loop {
            let count = from.read(&mut bytes).unwrap_or(0);
            let inner = self.inner.lock().unwrap();
            // Locked while it writes: nothing passes after the gate was told to hold it.
            let _inner =
                self.changed.wait_while(inner, |inner| inner.is_held && !inner.is_over).unwrap();
            if count == 0 || to.write_all(&bytes[..count]).is_err() {
                let _ = to.shutdown(Shutdown::Write);
                return;
            }
        }
    }
}
