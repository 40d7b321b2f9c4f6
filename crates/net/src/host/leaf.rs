//! What moves a leaf's folds to the switch and its results back: two threads for each flow, so that either waits for what concerns it alone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use netfold_shm::{Downlink, PortError, Segment, Uplink};

use crate::endpoint::{MAX_BURST_BYTES, MAX_BURST_SEGMENTS};
use crate::link::{Link, Sender, UdpLink, Wakes};
use crate::shared::Desk;

/// The threads of a leaf, which end with it.
pub(super) struct Leaf {
    stopped: Arc<AtomicBool>,
    wakes: Vec<Wakes>,
    threads: Vec<JoinHandle<()>>,
    _desk: Desk,
}

impl Leaf {
    /// Starts the threads of a leaf with the slots of `segment`, and a link to the switch for each of its flows.
    pub(super) fn start(segment: &Arc<Segment>, desk: Desk, links: Vec<UdpLink>) -> io::Result<Self> {
        let mut leaf = Self { stopped: Arc::default(), wakes: Vec::new(), threads: Vec::new(), _desk: desk };
        for (flow, link) in (0..).zip(links) {
            let uplink = Uplink::new(segment.clone(), flow).map_err(io::Error::other)?;
            let downlink = Downlink::new(segment.clone(), flow).map_err(io::Error::other)?;
            let sender = link.sender()?;
            let (up_wakes, down_wakes) = (uplink.waker(), link.waker());
            leaf.wakes.push(Box::new(move || up_wakes.wake()));
            leaf.wakes.push(down_wakes);
            let stopped = leaf.stopped.clone();
            leaf.run(format!("netfold-up-{flow}"), move || up(uplink, sender, &stopped))?;
            let stopped = leaf.stopped.clone();
            leaf.run(format!("netfold-down-{flow}"), move || down(downlink, link, &stopped))?;
        }
        Ok(leaf)
    }

    fn run(&mut self, name: String, body: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.threads.push(thread::Builder::new().name(name).spawn(body)?);
        Ok(())
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        self.wakes.iter().for_each(|wake| wake());
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}

/// Sends folds to the switch until it is stopped, or the job has failed.
fn up(mut uplink: Uplink, mut sender: Sender, stopped: &AtomicBool) {
    let mut burst = vec![0; MAX_BURST_BYTES];
    while !stopped.load(Ordering::SeqCst) {
        let sent = match uplink.poll_transmit(&mut burst, MAX_BURST_SEGMENTS) {
            // What is not sent is lost, like on any path; a worker has it sent again (R-TREE-4).
            Ok(Some(transmit)) => sender.send(&burst[..transmit.len], transmit.segment),
            Ok(None) => match uplink.wait() {
                Ok(_) => Ok(()),
                Err(error) => return over(error),
            },
            Err(error) => return over(error),
        };
        if let Err(error) = sent {
            tracing::debug!(%error, "a fold could not be sent to the switch");
        }
    }
}

/// Takes results from the switch until it is stopped, or the job has failed.
fn down(mut downlink: Downlink, mut link: UdpLink, stopped: &AtomicBool) {
    while !stopped.load(Ordering::SeqCst) {
        let mut ended = None;
        let received = link.wait(None).and_then(|()| {
            link.receive(&mut |datagram| {
                if let Err(error) = downlink.settle(datagram) {
                    ended = Some(error);
                }
            })
        });
        downlink.flush();
        if let Some(error) = ended {
            return over(error);
        }
        if let Err(error) = received {
            return tracing::error!(%error, "results of the switch are not received any more: the socket failed");
        }
    }
}

/// Whoever has ended the job tells the workers why.
fn over(error: PortError) {
    if error != PortError::Failed {
        tracing::error!(%error, "the memory of this host's workers is unusable");
    }
}
