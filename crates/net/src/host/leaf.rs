//! Carriers of a leaf's folds to the switch and of its results back: two threads for each flow, so
//! that either waits for what concerns it alone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use netfold_shm::{Downlink, PortError, Segment, Uplink, WaitMode};

use crate::endpoint::{MAX_BURST_BYTES, MAX_BURST_SEGMENTS};
use crate::error::Error;
use crate::flow::OnBroken;
use crate::link::{Link, Sender, UdpLink, WakeFn};
use crate::shared::MemoryServer;

/// The threads of a leaf, which end with it.
pub(super) struct Leaf {
    stopped: Arc<AtomicBool>,
    wakes: Vec<WakeFn>,
    threads: Vec<JoinHandle<()>>,
    segment: Arc<Segment>,
    memory_server: Arc<MemoryServer>,
}

impl Leaf {
    /// Starts the threads of a leaf with the slots of `segment`, and a link to the switch for each
    /// of its flows. `on_broken` is called when one of them cannot go on, since nobody else sees
    /// that.
    pub(super) fn start(
        segment: &Arc<Segment>,
        memory_server: MemoryServer,
        links: Vec<UdpLink>,
        on_broken: &OnBroken,
    ) -> io::Result<Self> {
        let segment = segment.clone();
        let mut leaf = Self {
            stopped: Arc::default(),
            wakes: Vec::new(),
            threads: Vec::new(),
            segment,
            memory_server: Arc::new(memory_server),
        };
        for (flow, link) in (0..).zip(links) {
            let uplink = Uplink::new(leaf.segment.clone(), flow).map_err(io::Error::other)?;
            let downlink = Downlink::new(leaf.segment.clone(), flow).map_err(io::Error::other)?;
            let sender = link.sender()?;
            let (up_wakes, down_wakes) = (uplink.waker(), link.waker());
            leaf.wakes.push(Box::new(move || up_wakes.wake()));
            leaf.wakes.push(down_wakes);
            leaf.run(format!("netfold-up-{flow}"), on_broken, move |stopped| {
                up(uplink, sender, stopped)
            })?;
            leaf.run(format!("netfold-down-{flow}"), on_broken, move |stopped| {
                down(downlink, link, stopped)
            })?;
        }
        Ok(leaf)
    }

    /// Returns the server from which the others get the leaf's memory.
    pub(super) fn memory_server(&self) -> &Arc<MemoryServer> {
        &self.memory_server
    }

    fn run(
        &mut self,
        name: String,
        on_broken: &OnBroken,
        body: impl FnOnce(&AtomicBool) -> Result<(), Error> + Send + 'static,
    ) -> io::Result<()> {
        let (stopped, on_broken) = (self.stopped.clone(), on_broken.clone());
        let thread = thread::Builder::new().name(name).spawn(move || {
            if let Err(error) = body(&stopped) {
                on_broken(error);
            }
        })?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // A thread may wait for a slot with which one of the others has died.
        self.segment.abandon();
        self.wakes.iter().for_each(|wake| wake());
        // The leaf may go with the last that `on_broken` has kept of the communicator, on one of
        // the threads.
        for thread in
            self.threads.drain(..).filter(|thread| thread.thread().id() != thread::current().id())
        {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

/// Sends folds to the switch until it is stopped, or the job has failed.
fn up(mut uplink: Uplink, mut sender: Sender, stopped: &AtomicBool) -> Result<(), Error> {
    let mut burst = vec![0; MAX_BURST_BYTES];
    while !stopped.load(Ordering::SeqCst) {
        let sent = match uplink.poll_transmit(&mut burst, MAX_BURST_SEGMENTS) {
            // What is not sent is lost, like on any path; a worker has it sent again (R-TREE-4).
            Ok(Some(transmit)) => sender.send(&burst[..transmit.len], transmit.segment),
            Ok(None) => match uplink.wait() {
                Ok(_) => Ok(()),
                Err(error) => return unless_failed(error),
            },
            Err(error) => return unless_failed(error),
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "a fold could not be sent to the switch");
        }
    }
    Ok(())
}

/// Takes results from the switch until it is stopped, or the job has failed.
fn down(mut downlink: Downlink, mut link: UdpLink, stopped: &AtomicBool) -> Result<(), Error> {
    while !stopped.load(Ordering::SeqCst) {
        let mut ended = None;
        let received = link.wait(None, WaitMode::Helper, false).and_then(|()| {
            link.read(|datagram, arrival| {
                if let Err(error) = downlink.settle(datagram, arrival.marked.into()) {
                    ended = Some(error);
                }
            })
        });
        downlink.flush();
        if let Some(error) = ended {
            return unless_failed(error);
        }
        received.map_err(Error::io("a worker cannot receive what its switch sends to its host"))?;
    }
    Ok(())
}

/// Returns the error, unless the job has failed: its workers know of that, and why.
fn unless_failed(error: PortError) -> Result<(), Error> {
    match error {
        PortError::Failed => Ok(()),
        error => Err(Error::io("the workers of this host cannot fold together any more")(
            io::Error::other(error),
        )),
    }
}
