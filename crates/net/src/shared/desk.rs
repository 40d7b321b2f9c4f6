//! Where a switch hands out the memory of its jobs.

use std::collections::HashMap;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

type Segments = Mutex<HashMap<Ticket, Arc<Segment>>>;

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
    segments: Arc<Segments>,
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
        let segments: Arc<Segments> = Arc::new(Mutex::new(offers.into_iter().collect()));
        let shown = segments.clone();
        let thread = std::thread::Builder::new()
            .name("netfold-desk".into())
            .spawn(move || answer_visitors(&listener, &wake, &shown))?;
        Ok(Self { name, segments, waker, thread: Some(thread) })
    }

    /// The name of its counter.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Hands `segment` to whoever shows `ticket`, from now on.
    pub(crate) fn offer(&self, ticket: Ticket, segment: Arc<Segment>) {
        lock(&self.segments).insert(ticket, segment);
    }

    /// Hands out nothing for `ticket` any more.
    pub(crate) fn withdraw(&self, ticket: Ticket) {
        lock(&self.segments).remove(&ticket);
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

fn answer_visitors(listener: &UnixListener, wake: &Wake, segments: &Segments) {
    loop {
        let mut fds = [listener.as_fd(), wake.as_fd()].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        if let Err(error) = wait(&mut fds, None) {
            return tracing::error!(%error, "the switch hands out no shared memory any more");
        }
        let stop = !fds[1].revents().is_empty();
        if stop {
            return;
        }
        if let Ok((visitor, _)) = listener.accept()
            && let Err(error) = answer(&visitor, segments)
        {
            tracing::debug!(%error, "a visitor got no shared memory");
        }
    }
}

fn answer(mut visitor: &UnixStream, segments: &Segments) -> io::Result<()> {
    visitor.set_nonblocking(false)?;
    visitor.set_read_timeout(Some(PATIENCE))?;
    visitor.set_write_timeout(Some(PATIENCE))?;
    let mut ticket = [0; TICKET_BYTES];
    visitor.read_exact(&mut ticket)?;
    let segment = lock(segments).get(&Ticket(u64::from_be_bytes(ticket))).cloned();
    match segment {
        Some(segment) => send_descriptor(visitor, segment.descriptor()),
        None => Err(io::Error::new(io::ErrorKind::PermissionDenied, "not the ticket of a job that runs")),
    }
}

/// A map is whole between any two statements that can panic.
fn lock(segments: &Segments) -> MutexGuard<'_, HashMap<Ticket, Arc<Segment>>> {
    segments.lock().unwrap_or_else(PoisonError::into_inner)
}
