//! A table's engine: the thread that owns its state machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use netfold_sparse::{
    Answer, Hello, Limits, Located, Output, Reply, Request, Server as Machine, ServerError,
    StoreError, TableReport,
};

use super::ServerOptions;
use super::connection::Outgoing;
use super::reading::{Reading, Task};
use super::storing::{Storing, Write};
use crate::error::Error;
use crate::hot::Switches;
use crate::store::FileStore;

/// Events that wait for the engine; whoever has more waits.
const WAITING_EVENTS: usize = 64;

/// Events after which outputs are carried out, so that one answer tells of many.
const EVENTS_AT_ONCE: usize = 32;

/// Bytes of the store's pages that are held in memory.
const STORE_CACHE_BYTES: usize = 64 << 20;

/// The longest wait for what an engine tells an operator of its table.
const REPORT_LIMIT: Duration = Duration::from_secs(2);

/// The longest wait for an event.
const IDLE: Duration = Duration::from_secs(60);

/// An input to a table's machine.
pub(super) enum Event {
    /// A worker has said hello.
    Joined { id: u64, hello: Box<Hello>, outgoing: Arc<Outgoing> },
    /// A worker's request.
    Request { id: u64, request: Request },
    /// A connection has ended.
    Gone { id: u64 },
    /// The switch has answered, or has not in time.
    Answered { epoch: u32, answer: Option<Answer> },
    /// The switch has the values of resident rows.
    Loaded { epoch: u32 },
    /// The switch is lost.
    Lost { epoch: u32, why: String },
    /// A batch of the log is stored.
    Stored { batch: u64 },
    /// A checkpoint is stored.
    Checkpointed,
    /// The store has failed.
    StoreFailed(StoreError),
    /// Somebody asks what there is to tell.
    Report(SyncSender<Option<TableReport>>),
    /// Somebody asks for the list of servers that has the table (R-SERVE-18).
    Locate(SyncSender<Option<Located>>),
    /// The server ends.
    Stop,
}

/// A table's engine.
pub(super) struct Engine {
    events: SyncSender<Event>,
    running: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<Result<(), Error>>>>,
}

impl Engine {
    /// Starts with what the store of a list of the table's servers has.
    pub(super) fn start(name: &str, list: u32, options: &ServerOptions) -> Result<Self, Error> {
        let path = options.data.as_deref().map(|folder| file(folder, name, list));
        let store =
            path.as_ref().map(|path| FileStore::open(path, STORE_CACHE_BYTES)).transpose()?;
        let store = store.map(Arc::new);
        let memory_bytes = usize::try_from(options.memory_bytes).unwrap_or(usize::MAX);
        let limits = Limits { memory_bytes, ..Limits::default() };
        let machine = Machine::recover(store.clone(), limits)?;
        let (events, received) = mpsc::sync_channel(WAITING_EVENTS);
        let storing = store.map(|store| Storing::start(store, events.clone())).transpose()?;
        let driver = Driver {
            table: name.to_owned(),
            path,
            machine,
            connections: HashMap::new(),
            storing,
            reading: None,
            switches: options.switches.clone(),
            events: events.clone(),
            start: Instant::now(),
        };
        let running = Arc::new(AtomicBool::new(true));
        let runs = running.clone();
        let thread = thread::Builder::new()
            .name("netfold-engine".into())
            .spawn(move || {
                let ended = driver.run(&received);
                runs.store(false, Ordering::SeqCst);
                // Whoever has come meanwhile is not left to wait.
                for event in received.try_iter() {
                    if let Event::Joined { outgoing, .. } = event {
                        outgoing.end();
                    }
                }
                ended
            })
            .map_err(Error::io("a thread for a table"))?;
        Ok(Self { events, running, thread: Mutex::new(Some(thread)) })
    }

    /// Returns whether the engine takes events.
    pub(super) fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst)
    }

    /// Hands it an event. Returns whether it takes events.
    pub(super) fn tell(&self, event: Event) -> bool {
        self.events.send(event).is_ok()
    }

    /// Returns what there is to tell of the table, unless the engine does not answer in time.
    pub(super) fn report(&self) -> Option<TableReport> {
        let (answer, answered) = mpsc::sync_channel(1);
        self.tell(Event::Report(answer)).then(|| answered.recv_timeout(REPORT_LIMIT).ok()?)?
    }

    /// Returns the list that it has, once a worker has said hello.
    pub(super) fn located(&self) -> Option<Located> {
        let (answer, answered) = mpsc::sync_channel(1);
        self.tell(Event::Locate(answer)).then(|| answered.recv().ok()?)?
    }

    /// Stores what there is, and ends it.
    pub(super) fn stop(&self) -> Result<(), Error> {
        self.tell(Event::Stop);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return Ok(()) };
        thread.join().unwrap_or_else(|_| {
            Err(Error::Input("a table's thread has panicked; report it with the log".into()))
        })
    }
}

/// The file of a table and a list: letters and digits of its name stay, and other bytes are written
/// as `%2f`. The number of a later list follows.
fn file(folder: &Path, name: &str, list: u32) -> PathBuf {
    let name = file_name(name);
    folder.join(if list == 0 { name + ".redb" } else { format!("{name}.{list}.redb") })
}

/// The lists of a table that have a file.
pub(super) fn lists(folder: &Path, name: &str) -> Result<Vec<u32>, Error> {
    let what = || Error::io(format!("reading the folder {}", folder.display()));
    let files = match folder.read_dir() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files.map_err(what())?,
    };
    let own = file_name(name);
    let mut lists = Vec::new();
    for file in files {
        let file = file.map_err(what())?.file_name();
        let rest = file.to_str().and_then(|file| file.strip_prefix(&own)?.strip_suffix(".redb"));
        let list = match rest {
            Some("") => Some(0),
            rest => rest.and_then(|rest| rest.strip_prefix('.')?.parse().ok()),
        };
        lists.extend(list);
    }
    Ok(lists)
}

fn file_name(name: &str) -> String {
    let mut file = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => file.push(byte.into()),
            other => file += &format!("%{other:02x}"),
        }
    }
    file
}

/// The machine, and what carries out its outputs.
struct Driver {
    table: String,
    path: Option<PathBuf>,
    machine: Machine<Arc<FileStore>>,
    connections: HashMap<u64, Arc<Outgoing>>,
    storing: Option<Storing>,
    reading: Option<Reading>,
    switches: Arc<dyn Switches>,
    events: SyncSender<Event>,
    start: Instant,
}

impl Driver {
    fn run(mut self, events: &Receiver<Event>) -> Result<(), Error> {
        let ended = self.serve(events).map_err(Error::from);
        if let Err(error) = &ended {
            tracing::error!("the table {:?} ends: {error}", self.table);
            // The machine has a refusal for each connection.
            self.carry_out();
        }
        self.connections.values().for_each(|outgoing| outgoing.end());
        ended
    }

    fn serve(&mut self, events: &Receiver<Event>) -> Result<(), ServerError> {
        loop {
            self.carry_out();
            let mut next = self.wait(events);
            let mut left = EVENTS_AT_ONCE;
            while let Some(event) = next.take() {
                if matches!(event, Event::Stop) {
                    return self.stop(events);
                }
                self.take(event)?;
                left -= 1;
                if left > 0 {
                    next = events.try_recv().ok();
                }
            }
            let now_us = self.now_us();
            if self.machine.next_us().is_some_and(|due_us| due_us <= now_us) {
                self.machine.tick(now_us)?;
            }
        }
    }

    /// Waits for an event, at most until something is due.
    fn wait(&self, events: &Receiver<Event>) -> Option<Event> {
        let due = self.machine.next_us().map(Duration::from_micros);
        let wait = due.map_or(IDLE, |due| due.saturating_sub(self.start.elapsed()).min(IDLE));
        match events.recv_timeout(wait) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            // This has a sender of its own.
            Err(RecvTimeoutError::Disconnected) => Some(Event::Stop),
        }
    }

    fn take(&mut self, event: Event) -> Result<(), ServerError> {
        let now_us = self.now_us();
        let machine = &mut self.machine;
        if let (Event::Stored { .. } | Event::Checkpointed, Some(storing)) =
            (&event, &mut self.storing)
        {
            storing.heard();
        }
        match event {
            Event::Joined { id, hello, outgoing } => {
                self.connections.insert(id, outgoing);
                machine.request(now_us, id, Request::Hello(hello))
            }
            // One that was refused may still have requests under way.
            Event::Request { id, .. } if !self.connections.contains_key(&id) => Ok(()),
            Event::Request { id, request } => machine.request(now_us, id, request),
            Event::Gone { id } => {
                if self.connections.remove(&id).is_some() {
                    machine.disconnected(id);
                }
                Ok(())
            }
            Event::Answered { epoch, answer } => machine.answered(now_us, epoch, answer),
            Event::Loaded { epoch } => machine.loaded(now_us, epoch),
            Event::Lost { epoch, why } => {
                tracing::warn!("the switch of the table {:?} is lost: {why}", self.table);
                machine.lost(now_us, epoch)
            }
            Event::Stored { batch } => machine.stored(now_us, batch),
            Event::Checkpointed => {
                machine.checkpointed();
                Ok(())
            }
            Event::StoreFailed(error) => {
                let why = error.to_string();
                for outgoing in self.connections.values() {
                    outgoing.send(Reply::Refused { why: why.clone() });
                }
                Err(error.into())
            }
            Event::Report(answer) => {
                let stored_bytes = self.path.as_ref().and_then(|path| path.metadata().ok());
                let stored_bytes = stored_bytes.map(|file| file.len());
                let report = self.machine.report(now_us);
                // One that asked may have stopped waiting.
                let _ = answer.send(report.map(|report| TableReport { stored_bytes, ..report }));
                Ok(())
            }
            Event::Locate(answer) => {
                let _ = answer.send(self.machine.located());
                Ok(())
            }
            Event::Stop => Ok(()),
        }
    }

    /// Stores everything, in a checkpoint, so that the next start reads no log.
    fn stop(&mut self, events: &Receiver<Event>) -> Result<(), ServerError> {
        self.machine.checkpoint();
        self.carry_out();
        while self.storing.as_ref().is_some_and(|storing| storing.is_busy()) {
            match self.wait(events) {
                // What is not acknowledged comes again.
                Some(Event::Joined { outgoing, .. }) => outgoing.end(),
                Some(Event::Request { .. }) | None => {}
                Some(event) => self.take(event)?,
            }
            self.carry_out();
        }
        Ok(())
    }

    fn carry_out(&mut self) {
        while let Some(output) = self.machine.output() {
            match output {
                Output::Reply { connection, reply } => {
                    if let Some(outgoing) = self.connections.get(&connection) {
                        outgoing.send(reply);
                    }
                }
                Output::Close { connection } => {
                    if let Some(outgoing) = self.connections.remove(&connection) {
                        outgoing.end();
                    }
                }
                Output::Attach { switch, parts, stored } => {
                    let (switches, events) = (self.switches.clone(), self.events.clone());
                    let epoch = switch.epoch;
                    match Reading::start(switches, switch, parts, stored, events) {
                        Ok(reading) => self.reading = Some(reading),
                        Err(error) => self.lose(epoch, error.to_string()),
                    }
                }
                Output::Ask { epoch, close, stored } => {
                    self.ask(epoch, Task::Read { close, stored });
                }
                Output::Load { epoch, ranks, rows } => self.ask(epoch, Task::Load { ranks, rows }),
                Output::Commit { batch, bytes } => self.store(Write::Batch { batch, bytes }),
                Output::Checkpoint(checkpoint) => self.store(Write::Checkpoint(checkpoint)),
            }
        }
    }

    fn ask(&mut self, epoch: u32, task: Task) {
        if let Some(reading) = self.reading.as_ref().filter(|reading| reading.epoch() == epoch) {
            reading.ask(task);
        }
    }

    fn lose(&mut self, epoch: u32, why: String) {
        tracing::warn!("the switch of the table {:?} is lost: {why}", self.table);
        if let Err(error) = self.machine.lost(self.now_us(), epoch) {
            tracing::error!("the table {:?}: {error}", self.table);
        }
    }

    fn store(&mut self, write: Write) {
        // A machine without a store has nothing to write.
        if let Some(storing) = &mut self.storing {
            storing.write(write);
        }
    }

    fn now_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_file_in_the_folder_whatever_its_name() {
        let name = |name| file(Path::new("/d"), name, 0).display().to_string();
        assert_eq!(name("a-B_9"), "/d/a-B_9.redb");
        assert_eq!(name("../x"), "/d/%2e%2e%2fx.redb");
        assert_ne!(name("%2f"), name("/"));
    }

    #[test]
    fn lists_of_a_table_are_told_apart_from_other_tables() {
        let folder = tempfile::tempdir().unwrap();
        for (name, list) in [("a", 0), ("a", 12), ("a.3", 0), ("ab", 4)] {
            std::fs::write(file(folder.path(), name, list), "").unwrap();
        }
        let mut found = lists(folder.path(), "a").unwrap();
        found.sort_unstable();
        assert_eq!(found, [0, 12]);
        assert_eq!(lists(folder.path(), "a.3").unwrap(), [0]);
        assert_eq!(lists(&folder.path().join("none"), "a").unwrap(), [0; 0]);
    }
}
