//! A switch and the workers of a job, for the tests over real sockets and shared memory.

use std::ops::ControlFlow;
use std::time::Duration;

use netfold_net::{
    Call, Collective, Communicator, ElementType, JoinRequest, Operation, Reduction, Switch, SwitchOptions, Transport,
};

/// Longer than anything takes here, so that what hangs fails.
pub const PATIENCE: Option<Duration> = Some(Duration::from_secs(20));

pub fn switch() -> Switch {
    Switch::start(&SwitchOptions::default()).unwrap()
}

/// A test of each name for each transport.
macro_rules! over_both {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            use super::*;

            #[test]
            fn udp() {
                super::$name(Transport::Udp);
            }

            #[test]
            fn shm() {
                super::$name(Transport::Shm);
            }
        }
    )*};
}

pub(crate) use over_both;

/// Runs `body` at every worker of a job, each on a thread of its own.
pub fn workers<R: Send>(
    switch: &Switch,
    transport: Transport,
    size: u16,
    change: impl Fn(&mut JoinRequest) + Sync,
    body: impl Fn(Communicator) -> R + Sync,
) -> Vec<R> {
    let (address, change, body) = (switch.address().to_string(), &change, &body);
    std::thread::scope(|scope| {
        let worker = |rank| {
            let address = address.clone();
            scope.spawn(move || {
                let mut request = JoinRequest { transport: Some(transport), ..JoinRequest::new("test", rank, size) };
                change(&mut request);
                body(Communicator::connect(&address, request, |_, _| ControlFlow::Continue(())).unwrap())
            })
        };
        let threads: Vec<_> = (0..size).map(worker).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

pub fn call(collective: Collective, operation: Operation, element_type: ElementType, elements: u64) -> Call {
    Call { collective, reduction: Reduction::Fold(operation), element_type, elements, priority: None }
}

pub fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

pub fn integers(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|bytes| i32::from_ne_bytes(bytes.try_into().unwrap())).collect()
}
