//! The switch's end: an event loop, on a thread of its own, that runs a state machine: a
//! [`Registry`](crate::Registry), or a [`Relay`](crate::Relay), which has connections of its own to
//! its parent.
//!
//! That thread alone has the state machine, the data plane and every connection, so none of them
//! needs a lock. It waits for all sockets at once and never for one of them: what a peer does not
//! read yet waits in a buffer of bounded length, and a peer that does not read is lost.

mod background;
mod entry;
mod event_loop;
mod loading;
mod peer;
mod post;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use netfold_management::{DataPlane, Incident, Management, StatsReport};
use tracing::{info, warn};

use self::event_loop::EventLoop;
use self::post::Post;

/// Runs a [`Management`] behind a listener.
pub struct Server;

impl Server {
    /// Starts to serve. The state machine and the data plane move to a thread of the server.
    ///
    /// # Errors
    /// The system's, if the listener has no address or the thread does not start.
    pub fn start(
        listener: TcpListener,
        management: impl Management + 'static,
        plane: Box<dyn DataPlane + Send>,
    ) -> io::Result<ServerHandle> {
        let address = listener.local_addr()?;
        let (event_loop, post) = EventLoop::new(listener, Box::new(management), plane)?;
        let thread = thread::Builder::new()
            .name("netfold-manager".into())
            .spawn(move || event_loop.run())?;
        info!(%address, "listening for workers");
        Ok(ServerHandle { address, post, thread: Some(thread) })
    }
}

/// A server that runs. Dropping it stops it.
pub struct ServerHandle {
    address: SocketAddr,
    post: Arc<Post>,
    thread: Option<JoinHandle<()>>,
}

impl ServerHandle {
    /// Returns the address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// For the data plane to report incidents with.
    pub fn incident_sender(&self) -> IncidentSender {
        IncidentSender { post: self.post.clone() }
    }

    /// Asks for counters and memory, as [`Metrics::serve`](crate::Metrics::serve) wants it; `None`
    /// once the server has stopped.
    pub fn stats_source(&self) -> impl Fn() -> Option<StatsReport> + Send + Sync + use<> {
        let post = self.post.clone();
        move || post.ask()?.recv().ok()
    }

    /// Tells every worker that the switch stops, releases every job, and ends.
    pub fn stop(mut self) {
        self.shut_down();
    }

    fn shut_down(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.post.stop();
        if thread.join().is_err() {
            warn!("the thread of the control server has panicked");
        }
    }
}

impl Drop for ServerHandle {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Takes incidents from the data plane to the management plane. Never blocks on that: it may itself
/// be waiting for the data plane.
#[derive(Clone)]
pub struct IncidentSender {
    post: Arc<Post>,
}

impl IncidentSender {
    /// Reports an incident. None is lost while the server runs.
    pub fn report(&self, incident: Incident) {
        self.post.report(incident);
    }
}
