//! Harm that a worker may try to do with what the switch gives it.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use netfold_num::{Arithmetic, ElementType};
use netfold_switch::TableTree;
use netfold_wire::{Integrity, TableTerms, Terms};

use super::*;

fn table() -> TableSpec {
    let element_type = ElementType::F32;
    TableSpec {
        job: JobId(1),
        epoch: Epoch(1),
        workers: 1,
        datagram_bytes: 1400,
        table: TableTerms { rows: 8, width: 1, element_type, resident: false },
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(Integrity::Checksum) },
        tree: TableTree::default(),
    }
}

/// R-KEY-20: a worker that takes every wake that it can reach delays no command.
#[test]
fn commands_are_obeyed_whatever_a_worker_reads() {
    let address = (Ipv4Addr::LOCALHOST, 0).into();
    let shards = Shards::start(address, 1, None, 8 << 20, |_| Box::new(|_| {}), None).unwrap();
    let (channel, offer) = shards.channel(JobId(1)).unwrap();
    let admitted = shards.ask(0, |reply| Command::AdmitTable {
        spec: table(),
        leaves: vec![],
        channels: vec![channel],
        reply,
    });
    assert_eq!(admitted, Some(Ok(())));
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                offer.wake.reset();
            }
        });
        for _ in 0..200 {
            let answer = shards.ask(0, Command::Status);
            ended.store(answer.is_none(), Ordering::Relaxed);
            assert!(answer.is_some());
        }
        ended.store(true, Ordering::Relaxed);
    });
}
