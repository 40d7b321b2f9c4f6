//! A server of sparse tables over TCP (R-SERVE). One thread accepts; each connection has a thread
//! that reads and one that writes; each table has a thread that owns its state machine, and if need
//! be one that stores and one that reads its switch.

mod connection;
mod engine;
mod reading;
mod storing;

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use netfold_management::Token;
use netfold_sparse::{Located, ServerReport};
use socket2::SockRef;

use crate::error::Error;
use crate::hot::Switches;
use engine::Engine;

/// Most connections at once.
const MOST_CONNECTIONS: usize = 8192;

/// Most tables of a server.
const MOST_TABLES: usize = 256;

/// Longest name of a table, in bytes: it is part of a file's name.
const MOST_NAME_BYTES: usize = 100;

/// Pause after the system refuses a connection, such as for want of files.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// Options of a server.
#[derive(Clone)]
pub struct ServerOptions {
    /// Address to listen at.
    pub listen: String,
    /// Folder for what is stored; without one, rows are in memory only (R-SERVE-8).
    pub data: Option<PathBuf>,
    /// Bytes of memory for the rows of each table.
    pub memory_bytes: u64,
    /// The token that workers must know, if there is one.
    pub token: Option<Token>,
    /// The way to switches that have hot rows.
    pub switches: Arc<dyn Switches>,
}

/// A server of sparse tables. It ends when it is dropped.
pub struct Server {
    registry: Arc<Registry>,
    address: SocketAddr,
    acceptor: Option<JoinHandle<()>>,
    listener: TcpListener,
}

/// Tables by name, and number of the list of servers (R-SERVE-18).
type Tables = BTreeMap<(String, u32), Arc<Engine>>;

/// State that the threads of a server share.
struct Registry {
    options: ServerOptions,
    tables: Mutex<Tables>,
    connections: Mutex<HashMap<u64, TcpStream>>,
    stopping: AtomicBool,
}

impl Server {
    /// Listens, and serves in threads of its own.
    ///
    /// # Errors
    /// The address cannot be used.
    pub fn start(options: ServerOptions) -> Result<Self, Error> {
        let what = format!("listening at {}", options.listen);
        let listener = TcpListener::bind(&options.listen).map_err(Error::io(&what))?;
        let address = listener.local_addr().map_err(Error::io(&what))?;
        let registry = Arc::new(Registry {
            options,
            tables: Mutex::default(),
            connections: Mutex::default(),
            stopping: AtomicBool::new(false),
        });
        let accepting = listener.try_clone().map_err(Error::io(&what))?;
        let shared = registry.clone();
        let acceptor = thread::Builder::new()
            .name("netfold-accept".into())
            .spawn(move || accept(&shared, &accepting))
            .map_err(Error::io("a thread that accepts connections"))?;
        Ok(Self { registry, address, acceptor: Some(acceptor), listener })
    }

    /// The address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends a table, and the connections of its workers; others go on.
    ///
    /// # Errors
    /// Its store fails; what was acknowledged is in it.
    pub(crate) fn end_table(&self, name: &str) -> Result<(), Error> {
        let ended = {
            let mut tables = lock(&self.registry.tables);
            let all = std::mem::take(&mut *tables);
            let (ended, left) = all.into_iter().partition(|((own, _), _)| own == name);
            *tables = left;
            ended
        };
        stop(ended)
    }

    /// Ends the connections, and writes what is stored so that the next start is quick.
    ///
    /// # Errors
    /// A store fails; what was acknowledged is in it.
    pub fn stop(mut self) -> Result<(), Error> {
        self.end()
    }

    fn end(&mut self) -> Result<(), Error> {
        let Some(acceptor) = self.acceptor.take() else { return Ok(()) };
        self.registry.stopping.store(true, Ordering::SeqCst);
        // It wakes the thread that accepts.
        let _ = SockRef::from(&self.listener).shutdown(Shutdown::Both);
        if acceptor.join().is_err() {
            tracing::error!("the thread that accepts connections has panicked");
        }
        for stream in lock(&self.registry.connections).values() {
            // One that is gone already is as good.
            let _ = stream.shutdown(Shutdown::Both);
        }
        let tables = std::mem::take(&mut *lock(&self.registry.tables));
        stop(tables)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::error!("{error}");
        }
    }
}

impl Registry {
    /// Reports on the tables.
    fn report(&self) -> ServerReport {
        let engines: Vec<_> = lock(&self.tables).values().cloned().collect();
        ServerReport {
            data: self.options.data.as_ref().map(|folder| folder.display().to_string()),
            memory_bytes: self.options.memory_bytes,
            connections: lock(&self.connections).len(),
            tables: engines.iter().filter_map(|engine| engine.report()).collect(),
        }
    }

    /// The last list from `least` on that is whole here, or else the last one.
    fn locate(&self, name: &str, least: u32) -> Result<Option<Located>, Error> {
        let mut lists = match &self.options.data {
            Some(folder) => engine::lists(folder, name)?,
            None => Vec::new(),
        };
        let started = lock(&self.tables);
        lists.extend(started.keys().filter(|(own, _)| own == name).map(|(_, list)| list));
        drop(started);
        lists.retain(|list| *list >= least);
        lists.sort_unstable();
        lists.dedup();
        let mut last = None;
        for list in lists.into_iter().rev() {
            match self.engine(name, list)?.located() {
                Some(located) if located.whole => return Ok(Some(located)),
                located => last = last.or(located),
            }
        }
        Ok(last)
    }

    /// The engine of a list of a table, which is started if need be.
    fn engine(&self, name: &str, list: u32) -> Result<Arc<Engine>, Error> {
        let key = (name.to_owned(), list);
        let mut tables = lock(&self.tables);
        if self.stopping.load(Ordering::SeqCst) {
            return Err(Error::Closed);
        }
        if let Some(engine) = tables.get(&key) {
            // One that has failed is tried anew.
            if engine.is_running() {
                return Ok(engine.clone());
            }
        }
        if name.is_empty() || name.len() > MOST_NAME_BYTES {
            return Err(Error::Input(format!(
                "a table's name has 1 to {MOST_NAME_BYTES} bytes, not {}",
                name.len()
            )));
        }
        if tables.len() >= MOST_TABLES && !tables.contains_key(&key) {
            return Err(Error::Input(format!(
                "the server has {MOST_TABLES} tables; start another one"
            )));
        }
        let engine = Arc::new(Engine::start(name, list, &self.options)?);
        tables.insert(key, engine.clone());
        Ok(engine)
    }
}

/// Stores what tables have, and ends them.
fn stop(tables: Tables) -> Result<(), Error> {
    tables.into_values().map(|engine| engine.stop()).fold(Ok(()), Result::and)
}

fn accept(registry: &Arc<Registry>, listener: &TcpListener) {
    for id in 0.. {
        let accepted = listener.accept();
        if registry.stopping.load(Ordering::SeqCst) {
            return;
        }
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == ErrorKind::ConnectionAborted => continue,
            Err(error) => {
                tracing::warn!("a connection was not accepted: {error}");
                thread::sleep(REFUSED_PAUSE);
                continue;
            }
        };
        let Ok(copy) = stream.try_clone() else { continue };
        {
            let mut connections = lock(&registry.connections);
            if connections.len() >= MOST_CONNECTIONS {
                tracing::warn!("a connection beyond {MOST_CONNECTIONS} was refused");
                continue;
            }
            connections.insert(id, copy);
        }
        let shared = registry.clone();
        let started = thread::Builder::new().name("netfold-table".into()).spawn(move || {
            connection::serve(&shared, id, stream);
            lock(&shared.connections).remove(&id);
        });
        if let Err(error) = started {
            tracing::warn!("no thread for a connection: {error}");
            lock(&registry.connections).remove(&id);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What it guards is whole between any two statements that can panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
