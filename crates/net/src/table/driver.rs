//! The machine of a worker's table and its link, which callers and a thread drive under one lock.
//!
//! A caller sends what it asks for, so that no other thread has to be woken for that. The thread
//! takes the answers, and minds the time. In shared memory a caller that waits for rows first looks
//! for them by itself.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_shm::SpinPolicy;
use netfold_worker::keyed::{Client, ClientEvent};

use super::link::{Bell, Link};
use crate::clock::Clock;
use crate::endpoint::{MAX_BURST_BYTES, MAX_BURST_SEGMENTS};

/// Time for which the thread goes on minding timers when nothing is under way: what is sent within
/// it need not wake the thread. It is the shortest time after which anything is sent again.
const LINGER_US: u64 = 10_000;

/// Time for which a caller looks for answers before it sleeps: a few times the cost of a sleep and
/// its end.
const AWAKE: Duration = Duration::from_micros(100);

/// State that callers share with the thread.
pub(super) struct Shared {
    state: Mutex<State>,
    /// Notified when something was acknowledged, has come, or is lost.
    pub(super) changed: Condvar,
    timeout: Duration,
}

pub(super) struct State {
    pub(super) client: Client,
    link: Link,
    clock: Clock,
    burst: Box<[u8]>,
    /// When the switch was last heard, or not waited for.
    heard: Instant,
    /// When something was answered last.
    answered_us: u64,
    /// The thread looks again at this time, unless it is woken.
    sleeps_until_us: u64,
    spin: SpinPolicy,
    /// Rows that were pulled and not fetched.
    pub(super) pulled: Vec<ClientEvent>,
    /// A pull is in progress.
    pub(super) pulling: bool,
    /// Reason for which the switch counts as lost.
    pub(super) lost: Option<String>,
    /// Nothing is pushed any more.
    pub(super) sealed: bool,
    pub(super) stopped: bool,
}

impl State {
    /// Returns whether the switch is asked, and pushed to.
    pub(super) fn is_open(&self) -> bool {
        self.lost.is_none() && !self.sealed
    }

    /// Takes what has come. Returns whether it answers something.
    fn receive(&mut self) -> io::Result<bool> {
        let now_us = self.clock.now_us();
        let Self { link, client, pulled, .. } = self;
        let before = client.unacknowledged();
        link.receive(|datagram, marked| client.handle(now_us, datagram, marked.into()))?;
        while let Some(event) = client.poll_event() {
            pulled.push(event);
        }
        let answered = client.unacknowledged() < before || !pulled.is_empty();
        if answered {
            (self.heard, self.answered_us) = (Instant::now(), now_us);
        }
        Ok(answered)
    }

    /// Sends what is due.
    fn transmit(&mut self) -> io::Result<()> {
        if self.client.poll_timeout().is_none() {
            self.heard = Instant::now();
        }
        while self.is_open() && self.link.has_room()? {
            let now_us = self.clock.now_us();
            if self.client.poll_timeout().is_some_and(|due| due <= now_us) {
                self.client.handle_timeout(now_us);
            }
            let sent = self.client.poll_transmit(now_us, &mut self.burst, MAX_BURST_SEGMENTS);
            let Some((len, segment)) = sent else { break };
            self.link.send(&self.burst[..len], segment)?;
        }
        Ok(())
    }

    /// Returns the time until the thread is to look again; `None` if it may sleep until it is
    /// woken.
    fn sleep(&mut self, timeout: Duration) -> Option<Duration> {
        let now_us = self.clock.now_us();
        let due_us = self.client.poll_timeout().filter(|_| self.is_open());
        if due_us.is_some() && self.heard.elapsed() > timeout {
            let seconds = timeout.as_secs_f64();
            self.lose(format!("it has not answered for {seconds:.1} s"));
            return Some(Duration::ZERO);
        }
        if !self.link.sleep() {
            return Some(Duration::ZERO);
        }
        let lingers = (now_us < self.answered_us + LINGER_US).then_some(now_us + LINGER_US);
        let until_us = due_us.or(lingers);
        self.sleeps_until_us = until_us.unwrap_or(u64::MAX);
        until_us.map(|until_us| Duration::from_micros(until_us.saturating_sub(now_us)))
    }

    fn lose(&mut self, why: String) {
        self.lost.get_or_insert(why);
    }
}

impl Shared {
    pub(super) fn new(client: Client, link: Link, timeout: Duration) -> Self {
        let state = State {
            client,
            link,
            clock: Clock::start(),
            burst: vec![0; MAX_BURST_BYTES].into(),
            heard: Instant::now(),
            answered_us: 0,
            sleeps_until_us: 0,
            // The switch waits for whoever asks.
            spin: SpinPolicy::new(1, 1),
            pulled: Vec::new(),
            pulling: false,
            lost: None,
            sealed: false,
            stopped: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), timeout }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn lose(&self, why: String) {
        self.lock().lose(why);
        self.changed.notify_all();
    }

    /// Sends what is due. Returns whether the thread is to be woken, so that it minds the time.
    pub(super) fn send(&self, mut state: MutexGuard<'_, State>) -> bool {
        if let Err(error) = state.transmit() {
            drop(state);
            self.fail(&error);
            return false;
        }
        let due_us = state.client.poll_timeout().unwrap_or(u64::MAX);
        let earlier = due_us < state.sleeps_until_us;
        state.sleeps_until_us = due_us.min(state.sleeps_until_us);
        earlier
    }

    /// Looks for answers while `missing`, and for a moment, where a look costs little and has paid
    /// lately.
    pub(super) fn watch(&self, missing: fn(&mut State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if !state.link.is_memory() || !missing(&mut state) {
            return state;
        }
        let start = Instant::now();
        while state.spin.stays_awake() && start.elapsed() < AWAKE {
            state.link.stay_awake();
            match state.receive() {
                Ok(false) => {}
                Ok(true) => {
                    let sent = state.transmit();
                    self.changed.notify_all();
                    if let Err(error) = sent {
                        state.lose(failed(&error));
                    }
                }
                Err(error) => state.lose(failed(&error)),
            }
            if !missing(&mut state) {
                break;
            }
            drop(state);
            thread::yield_now();
            state = self.lock();
        }
        let came = start.elapsed() < AWAKE && !missing(&mut state);
        state.spin.waited(came);
        if !state.link.sleep() && state.receive().is_ok_and(|answered| answered) {
            self.changed.notify_all();
        }
        state
    }

    /// Drives the machine until it is dropped.
    pub(super) fn serve(&self, mut bell: Bell) {
        loop {
            let limit = {
                let mut state = self.lock();
                if state.stopped {
                    return;
                }
                let driven = state.receive().and_then(|answered| {
                    state.transmit()?;
                    Ok(answered)
                });
                match driven {
                    Ok(false) => {}
                    Ok(true) => self.changed.notify_all(),
                    Err(error) => state.lose(failed(&error)),
                }
                let limit = state.sleep(self.timeout);
                if state.lost.is_some() {
                    self.changed.notify_all();
                }
                limit
            };
            if let Err(error) = bell.wait(limit) {
                return self.fail(&error);
            }
        }
    }

    fn fail(&self, error: &io::Error) {
        self.lose(failed(error));
    }
}

fn failed(error: &io::Error) -> String {
    format!("the way to it failed: {error}")
}
