//! A query at a switch that runs elsewhere, held by a connection (R-CTRL-24).

use std::io;
use std::net::{IpAddr, Shutdown};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_management::{
    AdmitQuery, ClientError, Message, QueryAdmitted, QueryHold, QueryTerms, Token, micros,
};
use netfold_wire::VERSION;
use tracing::debug;

use crate::client::Client;
use crate::link::{Gone, Link, Writer};

/// A query that a switch has. The switch forgets it when this is dropped, which waits until it has,
/// or for a quarter of the time-out.
pub struct QuerySession {
    writer: Writer,
    lost: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl QuerySession {
    /// Has the switch at `HOST:PORT` take a query in. `open_master` is given this host's address
    /// on the path, opens the master's socket there, and returns its port; nothing if the query
    /// has no master. `timeout` bounds each step, and the time for which either end may be lost
    /// unnoticed.
    ///
    /// # Errors
    /// [`ClientError`], which says what to do next.
    pub fn admit(
        address: &str,
        token: Option<&Token>,
        terms: &QueryTerms,
        timeout: Duration,
        open_master: impl FnOnce(IpAddr) -> io::Result<Option<u16>>,
    ) -> Result<(Self, QueryAdmitted), ClientError> {
        let (mut client, greeting) = Client::greet(address, timeout)?;
        let local = client.link.local().map_err(ClientError::Local)?.ip();
        client.send(&Message::AdmitQuery(AdmitQuery {
            version: VERSION,
            terms: terms.clone(),
            master_port: open_master(local).map_err(ClientError::Local)?,
            timeout_ms: micros(timeout) / 1000,
            proof: token.map(|token| greeting.prove_for_query(token)),
        }))?;
        let admitted = match client.receive()? {
            Message::QueryAdmitted(admitted) => admitted.reached_at(client.link.peer().ip()),
            other => return Err(client.misplaced(other)),
        };
        let link = client.link;
        let (writer, lost) = (link.writer(), Arc::<AtomicBool>::default());
        let its = Arc::clone(&lost);
        let thread = thread::Builder::new()
            .name("netfold-query".into())
            .spawn(move || {
                let why = hold(link, timeout);
                debug!("a query is over: {why}");
                its.store(true, Ordering::Relaxed);
            })
            .map_err(ClientError::Local)?;
        Ok((Self { writer, lost, thread: Some(thread) }, admitted))
    }

    /// Returns whether the switch is lost.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

impl Drop for QuerySession {
    fn drop(&mut self) {
        // The switch forgets the query, and then closes its end. If it does not, the next heartbeat
        // fails.
        self.writer.shutdown(Shutdown::Write);
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            debug!("the thread that holds a query has panicked");
        }
    }
}

/// Holds a query until one end is gone, and returns the sign of that.
fn hold(mut link: Link, timeout: Duration) -> String {
    let start = Instant::now();
    let mut hold = QueryHold::new(0, timeout);
    loop {
        // Time-outs count up to here: what comes while this process is stopped is read before the
        // switch is taken for silent.
        let looked_us = micros(start.elapsed());
        let wait = Duration::from_micros(hold.due_us().saturating_sub(looked_us));
        match link.receive(wait) {
            Ok(Some(Message::Heartbeat)) => hold.heard(micros(start.elapsed())),
            Ok(Some(_)) => return "the switch sent a message that has no place here".into(),
            Ok(None) if hold.is_lost(looked_us) => return "the switch is silent".into(),
            Ok(None) => {}
            Err(gone) => return gone.to_string(),
        }
        if hold.take_heartbeat(micros(start.elapsed())) {
            let sent: Result<(), Gone> = link.writer().send(&Message::Heartbeat);
            if let Err(gone) = sent {
                return gone.to_string();
            }
        }
    }
}
