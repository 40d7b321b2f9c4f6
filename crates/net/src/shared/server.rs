//! The server through which a switch hands out the memory of its jobs.

use std::collections::HashMap;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_management::Ticket;
use netfold_shm::{Channel, Segment, send_descriptor};
use rustix::event::{PollFd, PollFlags};

use super::{MEMORY, QUESTION_BYTES, TICKET_BYTES, abstract_address};
use crate::endpoint::wait;
use crate::notify::{EventFd, Notifier, WakeSocket};

/// Time in which a client must show its ticket, which it sends as soon as it is connected. The next
/// client waits meanwhile.
const TIMEOUT: Duration = Duration::from_millis(500);

/// Pause of the server when the system refuses it a client, for want of files or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// State that a server and its thread share.
#[derive(Default)]
struct Shared {
    offers: Mutex<HashMap<Ticket, Offer>>,
    served: Mutex<Served>,
    changed: Condvar,
}

/// The memory of a job.
struct Offer {
    segment: Arc<Segment>,
    /// The channels of its table, by rank, that no worker has.
    channels: Vec<Option<ChannelOffer>>,
}

/// A channel for a worker, and the worker's end of what wakes either side (R-KEY-20).
pub(crate) struct ChannelOffer {
    pub(crate) channel: Arc<Channel>,
    pub(crate) wake: WakeSocket,
}

/// Clients that a server has served.
#[derive(Default)]
struct Served {
    clients: usize,
    /// No thread waits for more any longer.
    given_up: bool,
}

/// An abstract Unix socket with a unique name. Clients wait there until a [`MemoryServer`] serves
/// them.
pub(crate) struct MemoryListener {
    name: String,
    listener: UnixListener,
}

impl MemoryListener {
    pub(crate) fn open() -> io::Result<Self> {
        let name = format!("netfold-{:016x}", rand::random::<u64>());
        let listener = UnixListener::bind_addr(&abstract_address(&name)?)?;
        // A client that has gone by the time it is accepted must not block the server.
        listener.set_nonblocking(true)?;
        Ok(Self { name, listener })
    }

    /// Returns the socket's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A thread that serves the clients of a listener: a client that shows the ticket of a job gets the
/// descriptor of its memory, and any other gets nothing.
pub(crate) struct MemoryServer {
    name: String,
    shared: Arc<Shared>,
    notifier: Notifier,
    thread: Option<JoinHandle<()>>,
}

impl MemoryServer {
    /// Serves the clients of a listener from now on. The tickets in `offers` are valid at once.
    pub(crate) fn serve(
        MemoryListener { name, listener }: MemoryListener,
        offers: impl IntoIterator<Item = (Ticket, Arc<Segment>)>,
    ) -> io::Result<Self> {
        let wake = EventFd::new()?;
        let notifier = wake.notifier();
        let shared = Arc::new(Shared {
            offers: Mutex::new(
                offers
                    .into_iter()
                    .map(|(ticket, segment)| (ticket, Offer { segment, channels: Vec::new() }))
                    .collect(),
            ),
            ..Shared::default()
        });
        let shown = shared.clone();
        let thread = std::thread::Builder::new()
            .name("netfold-memory".into())
            .spawn(move || serve_clients(&listener, &wake, &shown))?;
        Ok(Self { name, shared, notifier, thread: Some(thread) })
    }

    /// Returns the name of its listener.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Hands `segment` to clients that show `ticket`, from now on, and each of `channels` to one
    /// that asks for its rank.
    pub(crate) fn offer(&self, ticket: Ticket, segment: Arc<Segment>, channels: Vec<ChannelOffer>) {
        let channels = channels.into_iter().map(Some).collect();
        lock(&self.shared.offers).insert(ticket, Offer { segment, channels });
    }

    /// Hands out nothing for `ticket` any more.
    pub(crate) fn withdraw(&self, ticket: Ticket) {
        lock(&self.shared.offers).remove(&ticket);
    }

    /// Waits until so many clients are served, at most for `limit`, or until
    /// [`MemoryServer::give_up`].
    pub(crate) fn wait_until_served(&self, clients: usize, limit: Duration) {
        let awaited = |served: &mut Served| served.clients < clients && !served.given_up;
        let waited =
            self.shared.changed.wait_timeout_while(lock(&self.shared.served), limit, awaited);
        if waited.is_ok_and(|(_, waited)| waited.timed_out()) {
            tracing::debug!("some workers have not fetched their shared memory");
        }
    }

    /// Ends [`MemoryServer::wait_until_served`]: no client comes any more.
    pub(crate) fn give_up(&self) {
        lock(&self.shared.served).given_up = true;
        self.shared.changed.notify_all();
    }
}

impl Drop for MemoryServer {
    fn drop(&mut self) {
        self.notifier.wake();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

fn serve_clients(listener: &UnixListener, wake: &EventFd, shared: &Shared) {
    loop {
        let mut fds =
            [listener.as_fd(), wake.as_fd()].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        if let Err(error) = wait(&mut fds, None) {
            return tracing::error!(%error, "the switch hands out no shared memory any more");
        }
        let stop = !fds[1].revents().is_empty();
        if stop {
            return;
        }
        let client = match listener.accept() {
            Ok((client, _)) => client,
            Err(error) => {
                if error.kind() != io::ErrorKind::WouldBlock {
                    tracing::warn!("cannot hand out shared memory: {error}");
                    std::thread::sleep(ACCEPT_PAUSE);
                }
                continue;
            }
        };
        match answer(&client, shared) {
            Ok(()) => {
                lock(&shared.served).clients += 1;
                shared.changed.notify_all();
            }
            Err(error) => tracing::debug!(%error, "a client got no shared memory"),
        }
    }
}

fn answer(mut client: &UnixStream, shared: &Shared) -> io::Result<()> {
    client.set_nonblocking(false)?;
    client.set_read_timeout(Some(TIMEOUT))?;
    client.set_write_timeout(Some(TIMEOUT))?;
    let mut question = [0; QUESTION_BYTES];
    client.read_exact(&mut question)?;
    let (ticket, what) = question.split_at(TICKET_BYTES);
    let ticket = Ticket(u64::from_be_bytes(ticket.try_into().expect("8 bytes")));
    let what = u16::from_be_bytes(what.try_into().expect("2 bytes"));
    let denied = |why| io::Error::new(io::ErrorKind::PermissionDenied, why);
    if what == MEMORY {
        let segment = lock(&shared.offers).get(&ticket).map(|offer| offer.segment.clone());
        let segment = segment.ok_or_else(|| denied("not the ticket of a job that runs"))?;
        return send_descriptor(client, segment.descriptor());
    }
    let taken = lock(&shared.offers)
        .get_mut(&ticket)
        .and_then(|offer| offer.channels.get_mut(usize::from(what))?.take());
    let ChannelOffer { channel, wake } =
        taken.ok_or_else(|| denied("no channel for this rank, or not any more"))?;
    send_descriptor(client, channel.descriptor())?;
    send_descriptor(client, wake.as_fd())
}

/// Locks `mutex`, poisoned or not. Guarded data is whole between any two statements that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
