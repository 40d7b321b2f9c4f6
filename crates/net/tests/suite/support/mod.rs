//! Switches and the workers of a job, for the tests over real sockets and shared memory.

use std::net::SocketAddr;
use std::ops::{ControlFlow, Deref};
use std::time::Duration;

use netfold_net::{
    Call, Collective, Communicator, ElementType, Error, JoinRequest, Operation, Reduction, Switch,
    SwitchOptions, Transport,
};

/// Longer than anything takes here, so that what hangs fails.
pub const WAIT_LIMIT: Option<Duration> = Some(Duration::from_secs(20));

/// Way in which workers reach the slots.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    Udp,
    Shm,
    /// All but the last of three or more workers fold in the memory of their host first
    /// (R-CTRL-11); the switch shares none. Two stay on their host.
    Host,
    /// Workers join at a root, at two switches below it and at one below the second (R-CTRL-14).
    /// Those of one switch fold in the memory of their host first.
    Tree,
}

/// A switch, or a tree of them, of which one is meant where one is asked for: the root.
pub struct Switches {
    pub root: Switch,
    below: Vec<Switch>,
}

impl Deref for Switches {
    type Target = Switch;

    fn deref(&self) -> &Switch {
        &self.root
    }
}

/// Addresses at which workers join.
pub trait Entrance {
    fn of(&self, rank: u16) -> SocketAddr;
}

impl Entrance for Switch {
    fn of(&self, _rank: u16) -> SocketAddr {
        self.address()
    }
}

impl Entrance for Switches {
    fn of(&self, rank: u16) -> SocketAddr {
        /// Homes of ranks: one of three switches below a root, or the root. One worker has the root
        /// idle, three share a host at one switch, five are everywhere.
        const HOMES: [Option<usize>; 7] =
            [Some(0), Some(1), Some(0), Some(2), None, Some(1), Some(2)];
        let home = HOMES[usize::from(rank) % HOMES.len()].and_then(|home| self.below.get(home));
        home.unwrap_or(&self.root).address()
    }
}

/// A switch below another.
pub fn below(parent: &Switch, options: SwitchOptions) -> Switch {
    Switch::start(&SwitchOptions { parent: Some(parent.address().to_string()), ..options }).unwrap()
}

impl Way {
    pub fn switch(self, options: SwitchOptions) -> Switches {
        let transport = (self == Self::Host).then_some(Transport::Udp);
        let root = Switch::start(&SwitchOptions { transport, ..options.clone() }).unwrap();
        let mut switches = Switches { root, below: Vec::new() };
        if self == Self::Tree {
            // One has a shard more than the others.
            let first = below(
                &switches.root,
                SwitchOptions { cores: options.cores + 1, ..options.clone() },
            );
            let second = below(&switches.root, options.clone());
            let third = below(&second, options);
            switches.below = vec![first, second, third];
        }
        switches
    }

    pub fn of(self, rank: u16, size: u16) -> Option<Transport> {
        match self {
            Self::Udp => Some(Transport::Udp),
            Self::Shm => Some(Transport::Shm),
            Self::Tree => None,
            Self::Host => (size > 2 && rank == size - 1).then_some(Transport::Udp),
        }
    }
}

/// A test of each name for each way.
macro_rules! over_each {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            use super::*;

            #[test]
            fn udp() {
                super::$name(Way::Udp);
            }

            #[test]
            fn shm() {
                super::$name(Way::Shm);
            }

            #[test]
            fn host() {
                super::$name(Way::Host);
            }

            #[test]
            fn tree() {
                super::$name(Way::Tree);
            }
        }
    )*};
}

pub(crate) use over_each;

/// Runs `body` at every worker of a job, each on a thread of its own.
pub fn workers<R: Send>(
    switch: &(impl Entrance + Sync),
    way: Way,
    size: u16,
    change: impl Fn(&mut JoinRequest) + Sync,
    body: impl Fn(Communicator) -> R + Sync,
) -> Vec<R> {
    joining(switch, way, size, change, |joined| body(joined.unwrap()))
}

/// The same where the job may fail before all have come to it.
pub fn joining<R: Send>(
    switch: &(impl Entrance + Sync),
    way: Way,
    size: u16,
    change: impl Fn(&mut JoinRequest) + Sync,
    body: impl Fn(Result<Communicator, Error>) -> R + Sync,
) -> Vec<R> {
    let (change, body) = (&change, &body);
    std::thread::scope(|scope| {
        let worker = |rank| {
            let address = switch.of(rank).to_string();
            scope.spawn(move || {
                let mut request = JoinRequest {
                    transport: way.of(rank, size),
                    ..JoinRequest::new("test", rank, size)
                };
                change(&mut request);
                body(Communicator::connect(&address, request, |_| ControlFlow::Continue(())))
            })
        };
        let threads: Vec<_> = (0..size).map(worker).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub fn call(
    collective: Collective,
    operation: Operation,
    element_type: ElementType,
    elements: u64,
) -> Call {
    Call {
        collective,
        reduction: Reduction::Fold(operation),
        element_type,
        elements,
        priority: None,
    }
}

pub fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

pub fn integers(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|bytes| i32::from_ne_bytes(bytes.try_into().unwrap())).collect()
}
