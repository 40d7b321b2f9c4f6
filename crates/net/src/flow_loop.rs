//! The event loop of one flow of a worker: one thread, one socket, no state that another thread sees.

use std::io;
use std::iter;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread::JoinHandle;
use std::time::Duration;

use netfold_wire::Position;
use netfold_worker::{CallId, Counters, Dense, Event, Plan, Stream, StreamConfig};
use rustix::event::{PollFd, PollFlags};

use crate::clock::Clock;
use crate::endpoint::{Endpoint, MAX_BURST_BYTES, MAX_BURST_SEGMENTS, wait};
use crate::error::Error;
use crate::mailbox::{Mailbox, MailboxSender};
use crate::memory::CallMemory;
use crate::tickets::Tickets;

/// What a flow's thread is told.
pub(crate) enum Command {
    /// A call, in the order in which every flow gets them.
    Submit {
        id: CallId,
        plan: Plan,
        memory: CallMemory,
    },
    /// Which call stands at a position (R-CTRL-6).
    Describe {
        position: Position,
        reply: SyncSender<Option<String>>,
    },
    /// Which call has this number.
    DescribeCall {
        id: CallId,
        reply: SyncSender<Option<String>>,
    },
    /// Every call from `first` on fails with `error`, those that are yet to come included; what is before goes on.
    Fail {
        first: CallId,
        error: Error,
    },
    Stats(SyncSender<FlowStats>),
    /// Everything that is in progress fails, and the thread ends.
    Stop,
}

/// A flow as it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowStats {
    pub(crate) counters: Counters,
    pub(crate) srtt_us: u64,
    pub(crate) rto_us: u64,
    pub(crate) send_calls: u64,
    pub(crate) receive_calls: u64,
    pub(crate) segmentation: bool,
}

/// A flow's way to its shard and back.
pub(crate) struct Path {
    pub(crate) endpoint: Endpoint,
    /// Where results for all workers come, if not to `endpoint` (R-CTRL-9).
    pub(crate) group: Option<Endpoint>,
    pub(crate) switch: SocketAddr,
}

impl Path {
    fn inlets(&mut self) -> impl Iterator<Item = &mut Endpoint> {
        iter::once(&mut self.endpoint).chain(&mut self.group)
    }
}

struct FlowLoop {
    stream: Stream<Dense<CallMemory>>,
    path: Path,
    mailbox: Mailbox<Command>,
    tickets: Arc<Tickets>,
    clock: Clock,
    burst: Box<[u8]>,
    /// The first call that cannot be done any more, and why.
    failed: Option<(CallId, Error)>,
}

/// Starts the thread of a flow.
pub(crate) fn start(
    name: String,
    config: StreamConfig,
    path: Path,
    tickets: Arc<Tickets>,
) -> io::Result<(MailboxSender<Command>, JoinHandle<()>)> {
    let (sender, mailbox) = Mailbox::new()?;
    let mut flow = FlowLoop {
        stream: Stream::new(config),
        path,
        mailbox,
        tickets,
        clock: Clock::start(),
        burst: vec![0; MAX_BURST_BYTES].into(),
        failed: None,
    };
    let thread = std::thread::Builder::new().name(name).spawn(move || flow.run())?;
    Ok((sender, thread))
}

impl FlowLoop {
    fn run(&mut self) {
        loop {
            match self.turn() {
                Ok(true) => {}
                Ok(false) => return self.fail(CallId(0), &Error::Closed),
                // The socket is of no use any more. Commands are still obeyed, so that every call gets its error.
                Err(error) => self.fail(CallId(0), &Error::io("a flow's UDP socket failed")(error)),
            }
        }
    }

    /// Waits for something to do and does it. Returns whether to go on.
    fn turn(&mut self) -> io::Result<bool> {
        self.drain()?;
        let timeout = self.stream.poll_timeout().map(|at_us| at_us.saturating_sub(self.clock.now_us()));
        let group = self.path.group.as_ref().unwrap_or(&self.path.endpoint);
        let mut fds = [self.mailbox.as_fd(), self.path.endpoint.as_fd(), group.as_fd()]
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let waited_on = if self.path.group.is_some() { 3 } else { 2 };
        // One microsecond more than asked, since a wait that ends early would only be done again.
        wait(&mut fds[..waited_on], timeout.map(|us| Duration::from_micros(us + 1)))?;
        let [commanded, readable @ ..] = fds.map(|fd| !fd.revents().is_empty());
        if commanded && !self.obey() {
            return Ok(false);
        }
        let (stream, now_us) = (&mut self.stream, self.clock.now_us());
        for (inlet, _) in self.path.inlets().zip(readable).filter(|(_, readable)| *readable) {
            inlet.receive(|datagram| stream.handle(now_us, datagram))?;
        }
        self.stream.handle_timeout(self.clock.now_us());
        Ok(true)
    }

    /// The law of the state machine: after every mutation, send what is to be sent and take what has happened.
    fn drain(&mut self) -> io::Result<()> {
        while let Some(transmit) = self.stream.poll_transmit(self.clock.now_us(), &mut self.burst, MAX_BURST_SEGMENTS) {
            self.path.endpoint.send(self.path.switch, &self.burst[..transmit.len], transmit.segment)?;
        }
        while let Some(Event::Completed(id, _memory)) = self.stream.poll_event() {
            self.tickets.flow_done(id, Ok(()));
        }
        Ok(())
    }

    /// Carries out what was asked. Returns whether to go on.
    fn obey(&mut self) -> bool {
        let commands: Vec<Command> = self.mailbox.drain().collect();
        for command in commands {
            // Whoever asked may have stopped waiting for the answer.
            match command {
                Command::Submit { id, plan, memory } => match &self.failed {
                    Some((first, error)) if id >= *first => self.tickets.flow_done(id, Err(error.clone())),
                    _ => self.stream.submit(id, plan, Dense::new(plan, memory)),
                },
                Command::Describe { position, reply } => {
                    let _ = reply.send(self.stream.describe(position));
                }
                Command::DescribeCall { id, reply } => {
                    let _ = reply.send(self.stream.call(id).map(ToString::to_string));
                }
                Command::Fail { first, error } => self.fail(first, &error),
                Command::Stats(reply) => {
                    let _ = reply.send(self.stats());
                }
                Command::Stop => return false,
            }
        }
        true
    }

    fn fail(&mut self, first: CallId, error: &Error) {
        if self.failed.as_ref().is_none_or(|(earlier, _)| first < *earlier) {
            self.failed = Some((first, error.clone()));
        }
        for (id, _memory) in self.stream.abandon(first) {
            self.tickets.flow_done(id, Err(error.clone()));
        }
    }

    fn stats(&mut self) -> FlowStats {
        let (srtt_us, rto_us) = self.stream.rtt_rto_us();
        let send_calls = self.path.endpoint.system_calls().0;
        let receive_calls = self.path.inlets().map(|inlet| inlet.system_calls().1).sum();
        FlowStats {
            counters: *self.stream.counters(),
            srtt_us,
            rto_us,
            send_calls,
            receive_calls,
            segmentation: self.path.endpoint.has_segmentation(),
        }
    }
}
