//! `netfold server`.

use std::sync::Arc;

use netfold_settings::{Settings, Size};
use netfold_sparse_net::{Server, ServerOptions, UdpSwitches};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::error::Error;
use crate::{SUCCESS, terminal};

/// Runs a server of sparse tables until a signal comes.
pub(crate) fn run(settings: &Settings) -> Result<i32, Error> {
    let options = options(settings)?;
    // Before the server starts, so that no signal is missed in between.
    let mut signals = Signals::new([SIGINT, SIGTERM])
        .map_err(Error::system("signals cannot be listened for, and only they end a server"))?;
    let server = Server::start(options.clone()).map_err(Error::Server)?;
    if options.token.is_none() && !server.address().ip().is_loopback() {
        tracing::warn!(
            "whoever reaches {} can use this server; give it a token (NETFOLD_TOKEN, --token-file) if that is not meant",
            server.address()
        );
    }
    terminal::say(&greeting(&options, &server))?;
    for signal in signals.forever().take(1) {
        tracing::info!("signal {signal}: storing the rows, and stopping");
    }
    server.stop().map_err(Error::Server)?;
    Ok(SUCCESS)
}

/// Returns the server's options as the settings have them.
pub(crate) fn options(settings: &Settings) -> Result<ServerOptions, Error> {
    Ok(ServerOptions {
        listen: settings.listen.clone(),
        data: settings.data.clone(),
        memory_bytes: settings.memory.0,
        token: settings.token()?,
        switches: Arc::new(UdpSwitches),
    })
}

fn greeting(options: &ServerOptions, server: &Server) -> String {
    let place = options.data.as_ref().map_or_else(
        || "rows in memory only (--data names a folder that keeps them)".to_owned(),
        |folder| format!("rows are kept in {}", folder.display()),
    );
    format!(
        "netfold server of sparse tables at {}: {} of memory for the rows of each table, {place}\n",
        server.address(),
        Size(options.memory_bytes)
    )
}
