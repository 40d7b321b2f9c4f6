//! Where a switch hands out the memory of its jobs.

use std::collections::HashMap;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_control::Ticket;
use netfold_shm::{Segment, send_descriptor};
use rustix::event::{PollFd, PollFlags};

use super::{TICKET_BYTES, abstract_address};
use crate::endpoint::wait;
use crate::wake::{Wake, Waker};

/// How long a visitor may take to show its ticket, which it does as soon as it is connected. The next one waits meanwhile.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long the desk rests when the system refuses it a visitor, for want of files or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What a desk and its thread share.
#[derive(Default)]
struct Stock {
    segments: Mutex<HashMap<Ticket, Arc<Segment>>>,
    served: Mutex<Served>,
    changed: Condvar,
}

/// Whom a desk has served.
#[derive(Default)]
struct Served {
    visitors: usize,
    /// Nobody is to wait for more.
    given_up: bool,
}

/// An abstract Unix socket with a name that no other has. Visitors wait there until a [`Desk`] serves them.
pub(crate) struct Counter {
    name: String,
    listener: UnixListener,
}

impl Counter {
    pub(crate) fn open() -> io::Result<Self> {
        let name = format!("netfold-{:016x}", rand::random::<u64>());
        let listener = UnixListener::bind_addr(&abstract_address(&name)?)?;
        // A visitor that has gone by the time it is accepted must not block the desk.
        listener.set_nonblocking(true)?;
        Ok(Self { name, listener })
    }

    /// The socket's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A thread that answers at a counter: who shows the ticket of a job gets the descriptor of its memory, anybody else nothing.
pub(crate) struct Desk {
    name: String,
    stock: Arc<Stock>,
    waker: Waker,
    thread: Option<JoinHandle<()>>,
}

impl Desk {
    /// Serves the visitors of a counter from now on, of whom the first may show a ticket of `offers` at once.
    pub(crate) fn serve(
        Counter { name, listener }: Counter,
        offers: impl IntoIterator<Item = (Ticket, Arc<Segment>)>,
    ) -> io::Result<Self> {
        let wake = Wake::new()?;
        let waker = wake.waker();
        let stock = Arc::new(Stock { segments: Mutex::new(offers.into_iter().collect()), ..Stock::default() });
        let shown = stock.clone();
        let thread = std::thread::Builder::new()
            .name("netfold-desk".into())
            .spawn(move || answer_visitors(&listener, &wake, &shown))?;
        Ok(Self { name, stock, waker, thread: Some(thread) })
    }

    /// The name of its counter.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Hands `segment` to whoever shows `ticket`, from now on.
    pub(crate) fn offer(&self, ticket: Ticket, segment: Arc<Segment>) {
        lock(&self.stock.segments).insert(ticket, segment);
    }

    /// Hands out nothing for `ticket` any more.
    pub(crate) fn withdraw(&self, ticket: Ticket) {
        lock(&self.stock.segments).remove(&ticket);
    }

    /// Waits until so many visitors have got what they came for, at most for `patience`, or until [`Desk::give_up`].
    pub(crate) fn wait_until_served(&self, visitors: usize, patience: Duration) {
        let awaited = |served: &mut Served| served.visitors < visitors && !served.given_up;
        let waited = self.stock.changed.wait_timeout_while(lock(&self.stock.served), patience, awaited);
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::debug!("not everybody has come for shared memory");
        }
    }

    /// Ends [`Desk::wait_until_served`]: nobody comes any more.
    pub(crate) fn give_up(&self) {
        lock(&self.stock.served).given_up = true;
        self.stock.changed.notify_all();
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.waker.wake();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

fn answer_visitors(listener: &UnixListener, wake: &Wake, stock: &Stock) {
    loop {
        let mut fds = [listener.as_fd(), wake.as_fd()].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        if let Err(error) = wait(&mut fds, None) {
            return tracing::error!(%error, "the switch hands out no shared memory any more");
        }
        let stop = !fds[1].revents().is_empty();
        if stop {
            return;
        }
        let visitor = match listener.accept() {
            Ok((visitor, _)) => visitor,
            Err(error) => {
                if error.kind() != io::ErrorKind::WouldBlock {
                    tracing::warn!("cannot hand out shared memory: {error}");
                    std::thread::sleep(ACCEPT_PAUSE);
                }
                continue;
            }
        };
        match answer(&visitor, stock) {
            Ok(()) => {
                lock(&stock.served).visitors += 1;
                stock.changed.notify_all();
            }
            Err(error) => tracing::debug!(%error, "a visitor got no shared memory"),
        }
    }
}

fn answer(mut visitor: &UnixStream, stock: &Stock) -> io::Result<()> {
    visitor.set_nonblocking(false)?;
    visitor.set_read_timeout(Some(PATIENCE))?;
    visitor.set_write_timeout(Some(PATIENCE))?;
    let mut ticket = [0; TICKET_BYTES];
    visitor.read_exact(&mut ticket)?;
    let segment = lock(&stock.segments).get(&Ticket(u64::from_be_bytes(ticket))).cloned();
    match segment {
        Some(segment) => send_descriptor(visitor, segment.descriptor()),
        None => Err(io::Error::new(io::ErrorKind::PermissionDenied, "not the ticket of a job that runs")),
    }
}

/// What a mutex guards here is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
