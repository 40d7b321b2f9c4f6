//! The server that rank 0 runs inside its process where no other is named: one for all tables of
//! the process.

use std::net::{IpAddr, SocketAddr};
use std::process;
use std::sync::{Arc, Mutex, PoisonError, Weak};

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
        let fits = |last: &Last| {
            let server = last.server.upgrade()?;
            let same = last.process == process::id() && last.token == options.token;
            (same && server.address().ip() == address && !server.has(table)).then_some(server)
        };
        let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let table = table.to_owned();
        let found = last().as_ref().and_then(fits);
        if let Some(server) = found {
            return Ok(Self { server, table });
        }
        let (listen, token) = (SocketAddr::new(address, 0).to_string(), options.token.clone());
        let server = Arc::new(Server::start(ServerOptions { listen, ..options })?);
        let process = process::id();
        *last() = Some(Last { server: Arc::downgrade(&server), process, token });
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
        self.server.end_table(&self.table)?;
        Arc::into_inner(self.server).map_or(Ok(()), Server::stop)
    }
}
