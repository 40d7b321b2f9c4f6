//! A server over a store in memory, one message at a time.

use std::sync::Arc;

use netfold_sparse::{
    Change, Hello, Limits, MemoryStore, Output, Pushed, Reply, Request, Server, Store,
};

use crate::cluster::floats;

pub struct Driver {
    pub server: Server<Arc<MemoryStore>>,
    pub store: Arc<MemoryStore>,
}

impl Driver {
    pub fn new() -> Self {
        Self::over(Arc::new(MemoryStore::default()))
    }

    pub fn over(store: Arc<MemoryStore>) -> Self {
        let server = Server::recover(Some(Arc::clone(&store)), Limits::default()).expect("begun");
        Self { server, store }
    }

    /// Takes all outputs, stores what is to be stored, and returns the replies.
    pub fn replies(&mut self) -> Vec<(u64, Reply)> {
        let mut replies = Vec::new();
        while let Some(output) = self.server.output() {
            match output {
                Output::Reply { connection, reply } => replies.push((connection, reply)),
                Output::Commit { batch, bytes } => {
                    self.store.append(batch, &bytes).expect("in memory");
                    self.server.stored(0, batch).expect("goes on");
                }
                Output::Checkpoint(checkpoint) => {
                    self.store.checkpoint(&checkpoint).expect("in memory");
                    self.server.checkpointed();
                }
                _ => {}
            }
        }
        replies
    }

    pub fn send(&mut self, connection: u64, request: Request) -> Vec<(u64, Reply)> {
        self.server.request(0, connection, request).expect("goes on");
        self.replies()
    }

    pub fn greet(&mut self, connection: u64, hello: &Hello) -> Vec<(u64, Reply)> {
        self.send(connection, Request::Hello(Box::new(hello.clone())))
    }

    pub fn welcome(&mut self, connection: u64, hello: &Hello) {
        let replies = self.greet(connection, hello);
        assert!(matches!(replies[0], (_, Reply::Welcome { .. })), "{replies:?}");
    }
}

/// Returns why the connection was refused.
pub fn why(replies: &[(u64, Reply)], connection: u64) -> &str {
    let refused = replies.iter().find_map(|(to, reply)| match reply {
        Reply::Refused { why } if *to == connection => Some(why.as_str()),
        _ => None,
    });
    refused.unwrap_or_else(|| panic!("not refused: {replies:?}"))
}

pub fn assert_names(why: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| why.contains(part)), "{why}, not {parts:?}");
}

/// The pulls that were answered, by their numbers.
pub fn answered(replies: &[(u64, Reply)]) -> Vec<(u32, f32)> {
    let rows = |(_, reply): &(u64, Reply)| match reply {
        Reply::Rows { id, rows } => Some((*id, floats(rows)[0])),
        _ => None,
    };
    replies.iter().filter_map(rows).collect()
}

/// Sends a change.
pub fn change(driver: &mut Driver, at: u64, number: u64, change: Change) -> Vec<(u64, Reply)> {
    driver.send(at, Request::Change { number, change })
}

/// The end of a step of a worker that has pushed nothing to the switch.
pub fn end_step(step: u32) -> Change {
    Change::EndStep { step, pushed: Pushed::default() }
}
