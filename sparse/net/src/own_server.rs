//! The server that rank 0 runs inside its process where no other is named: one for all tables of
//! the process.

use std::net::{IpAddr, SocketAddr};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use netfold_management::Token;

use crate::error::Error;
use crate::server::{Server, ServerOptions};

/// The last server of this process.
static LAST: Mutex<Option<Last>> = Mutex::new(None);

struct Last {
    server: Weak<Server>,
    /// The process whose server it is: a fork has a copy of this.
    process: u32,
    token: Option<Token>,
    /// Tables that have it.
    tables: Vec<String>,
}

/// A table's part of the server of its process.
pub(crate) struct OwnServer {
    server: Arc<Server>,
    table: String,
}

impl OwnServer {
    /// The server at an address of this machine, for one more table; it is started if need be.
    ///
    /// # Errors
    /// The address cannot be used.
    pub(crate) fn of(address: IpAddr, table: &str, options: ServerOptions) -> Result<Self, Error> {
        let mut last = last();
        let table = table.to_owned();
        if let Some(found) = &mut *last
            && let Some(server) = found.server.upgrade()
            && (found.process, &found.token) == (process::id(), &options.token)
            && server.address().ip() == address
            // Two tables of one name are different tables.
            && !found.tables.contains(&table)
        {
            found.tables.push(table.clone());
            return Ok(Self { server, table });
        }
        let (listen, token) = (SocketAddr::new(address, 0).to_string(), options.token.clone());
        let server = Arc::new(Server::start(ServerOptions { listen, ..options })?);
        let (process, tables) = (process::id(), vec![table.clone()]);
        *last = Some(Last { server: Arc::downgrade(&server), process, token, tables });
        Ok(Self { server, table })
    }

    /// The address of the server.
    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Ends the table, and with the last one the server.
    ///
    /// # Errors
    /// A store fails.
    pub(crate) fn end(self) -> Result<(), Error> {
        let ended = self.server.end_table(&self.table);
        if let Some(last) = &mut *last()
            && last.server.as_ptr() == Arc::as_ptr(&self.server)
        {
            last.tables.retain(|table| *table != self.table);
        }
        ended?;
        Arc::into_inner(self.server).map_or(Ok(()), Server::stop)
    }
}

fn last() -> MutexGuard<'static, Option<Last>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}
