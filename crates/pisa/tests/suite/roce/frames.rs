//! Packets as they are on the wire, and those that are not for the switch.

use netfold_pisa::program::Pattern;
use netfold_pisa::programs::roce::Roce;
use netfold_pisa::{Pipeline, Sent, Target, Usage};

use super::{plain, two_workers};
use crate::fabric::Fabric;
use crate::fabric::frame::{Reth, Write, icrc};
use crate::fabric::read::{BTH_AT, UDP_AT};

/// R-PISA-57: the ICRC of a packet of another maker: a congestion notification that a ConnectX-4 Lx
/// sent, among the tests of Scapy's RoCE layer.
#[test]
fn the_icrc_is_that_of_packets_on_the_wire() {
    let mut packet = vec![0; 12];
    packet.extend_from_slice(&[
        0x08, 0x00, 0x45, 0xC2, 0, 60, 0x71, 0x8C, 0x40, 0, 64, 17, 0x91, 0x61,
    ]);
    packet.extend_from_slice(&[10, 0, 17, 1, 10, 0, 18, 1, 0, 0, 0x12, 0xB7, 0, 40, 0, 0]);
    packet.extend_from_slice(&[0x81, 0, 0xFF, 0xFF, 0x40, 0, 1, 0x18, 0, 0, 0, 0]);
    packet.extend_from_slice(&[0; 16 + 4]);
    assert_eq!(icrc(&packet), [0x82, 0xFD, 0x00, 0x2A]);
}

/// R-PISA-50 to 53: a packet that belongs to no job's message is dropped, and leaves no trace.
#[test]
fn what_is_no_packet_of_a_message_is_dropped() {
    let mut fabric = two_workers();
    let first = plain(0, 1, 5)[0].clone();
    let good = Fabric::framed(0, &first);
    let reth = |change: fn(&mut Reth)| {
        let mut write = first.clone();
        change(write.reth.as_mut().unwrap());
        Fabric::framed(0, &write)
    };
    let byte = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    let only = plain(1, 1, 5)[0].clone();
    let mut bad = vec![
        // Padding, another version, another opcode; a sender and a QPN that nobody knows.
        byte(BTH_AT + 1, 0x10),
        byte(BTH_AT + 1, 1),
        byte(BTH_AT, 0x06),
        byte(BTH_AT + 7, 0x70),
        byte(29, 9),
        byte(UDP_AT + 5, 1),
        // More than the slots, more than a message has, not a whole number of packets, one packet.
        reth(|reth| reth.rkey += 21),
        reth(|reth| reth.length = 256 * 17),
        reth(|reth| reth.length += 4),
        reth(|reth| reth.length = 256),
        // Lanes that are not all there, and an Immediate that is no exponent.
        Fabric::framed(0, &Write { lanes: vec![1; 63], ..only.clone() }),
        Fabric::framed(0, &Write { immediate: Some(0x7000_0000), ..only }),
    ];
    bad.extend((0..good.len() - 4).map(|length| good[..length].to_vec()));
    for bytes in bad {
        let outcome = fabric.pipeline.process(1, &bytes).unwrap();
        assert_eq!((outcome.sent, outcome.passes), (vec![], 1), "{bytes:02x?}");
    }
    let program = fabric.pipeline.program();
    for name in ["last", "round", "first", "count", "largest", "pair0", "pair31"] {
        let id = program.array_named(name).unwrap();
        let size = program.arrays.iter().find(|array| array.name == name).unwrap().size as usize;
        assert!((0..size).all(|word| fabric.pipeline.word(0, id, word) == [0; 2]), "{name}");
    }
}

/// R-PISA-60: RoCE between others, and everything else, goes where it is addressed, as it is.
#[test]
fn other_traffic_is_forwarded_as_it_is() {
    let mut fabric = two_workers();
    let mac = crate::fabric::address(1).0;
    fabric.pipeline.insert("forward", &[Pattern::Is(mac)], "send", &[42]).unwrap();
    let writes = plain(0, 1, 5);
    let between = |write: &Write| {
        let mut bytes = Fabric::framed(0, write);
        bytes[..6].copy_from_slice(&mac.to_be_bytes()[2..]);
        // To the other worker, with a QPN that the switch has for itself, too.
        bytes[33] = 1;
        bytes
    };
    let mut frames: Vec<_> = writes.iter().chain(&plain(1, 1, 5)).map(between).collect();
    frames.push(between(&Write { lanes: vec![7; 3], ..writes[1].clone() }));
    frames.push(between(&Write { lanes: vec![7; 200], ..writes[0].clone() }));
    for (at, value) in [
        (12, 0x86),
        (14, 0x46),
        (20, 0x20),
        (23, 6),
        (UDP_AT + 3, 1),
        (BTH_AT, 0x06),
        (BTH_AT, 0x81),
    ] {
        let mut bytes = frames[0].clone();
        bytes[at] = value;
        frames.push(bytes);
    }
    for bytes in frames {
        let outcome = fabric.pipeline.process(5, &bytes).unwrap();
        assert_eq!(outcome.sent, [Sent { port: 42, bytes }]);
    }
}

/// R-PISA-4: the resources of a Tofino-like switch are enough for 64 lanes in a pipeline, and for
/// 256 in four.
#[test]
fn it_fits_a_switch_like_tofino() {
    for (elements, pipelines) in [(64, 1), (128, 2), (256, 4)] {
        let program = Roce::new(elements).program();
        assert_eq!(program.pipelines(), pipelines);
        let usage = Usage::of(&program, &Target::tofino());
        assert_eq!(usage.stages.len(), 12);
        Pipeline::load(program, Target::tofino()).unwrap_or_else(|refusal| panic!("{refusal}"));
    }
}
