//! Frames: what is encoded comes back, and hostile bytes do no harm.

use proptest::collection::vec;
use proptest::prelude::*;

use super::CodecError;
use crate::message::{
    Change, Hello, Located, Plane, Pushed, Reply, Request, SwitchTable, TableSpec, Taken,
};
use crate::optimizer::{Adam, Optimizer};
use crate::{ElementType, Initialiser, Numbers, ServerReport};

/// Numbers of any type: any bits but those of NaN, which is not equal to itself.
fn numbers() -> impl Strategy<Value = Numbers> {
    let short = any::<u32>().prop_map(f32::from_bits).prop_filter("a number", |x| !x.is_nan());
    let long = any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |x| !x.is_nan());
    prop_oneof![
        vec(short, 0..30).prop_map(Numbers::F32),
        vec(long, 0..30).prop_map(Numbers::F64),
        vec(any::<i32>(), 0..30).prop_map(Numbers::I32),
        vec(any::<i64>(), 0..30).prop_map(Numbers::I64),
    ]
}

fn pairs() -> impl Strategy<Value = (Vec<u32>, Numbers)> {
    (vec(any::<u32>(), 0..9), numbers())
}

fn hello() -> impl Strategy<Value = Hello> {
    let options = (0.0..1.0, 0.0..1.0, any::<u64>(), any::<Option<u32>>());
    (options, vec(any::<u32>(), 0..5), any::<bool>(), any::<u16>()).prop_map(
        |((lr, beta, seed, staleness), hot_keys, resident, rank)| Hello {
            table: TableSpec {
                name: "words \"quoted\"\u{e9}".into(),
                rows: seed >> 31,
                width: 16,
                element_type: ElementType::I64,
                optimizer: Optimizer::Adam(Adam { lr, betas: (beta, lr * beta), eps: 1e-8 }),
                initialiser: Initialiser::Normal { mean: -beta, std: lr / 3.0 },
                seed,
                staleness,
                resident,
                max_age_ms: 20,
            },
            rank,
            workers: 9,
            session: !seed,
            server: 1,
            servers: 3,
            list: seed as u32,
            former: vec!["[::1]:4001".into(); hot_keys.len()],
            switch: resident.then(|| SwitchTable {
                address: "[::1]:4000".parse().expect("an address"),
                job: rank,
                epoch: 7,
                workers: 2,
                datagram_bytes: 1472,
                integrity: "token".into(),
                key: seed.to_le_bytes().repeat(2).try_into().expect("16 bytes"),
                rows: hot_keys.len() as u32,
                width: 16,
                element_type: ElementType::F64,
                resident,
                arithmetic: "block".into(),
                byte_order: "little".into(),
                scale: -3,
            }),
            hot_keys,
        },
    )
}

fn pushed() -> impl Strategy<Value = Pushed> {
    any::<(u32, u32)>().prop_map(|(epoch, count)| Pushed { epoch, count })
}

fn request() -> impl Strategy<Value = Request> {
    let change = prop_oneof![
        pairs().prop_map(|(keys, rows)| Change::Push { keys, rows }),
        pairs().prop_map(|(keys, rows)| Change::Set { keys, rows }),
        (any::<u32>(), pushed()).prop_map(|(step, pushed)| Change::EndStep { step, pushed }),
        any::<u32>().prop_map(|epoch| Change::EndReplay { epoch }),
        hello().prop_filter_map("a switch", |hello| {
            let plane = Plane { switch: hello.switch?, hot_keys: hello.hot_keys };
            Some(Change::Open { plane: Box::new(plane) })
        }),
        Just(Change::Leave),
        vec(".*", 0..3).prop_map(|to| Change::Move { to }),
        pairs().prop_map(|(keys, lanes)| Change::Put { keys, lanes }),
        any::<(Option<u32>, u32)>().prop_map(|(ended, steps)| Change::Arrived { ended, steps }),
        (any::<u32>(), -1e9..1e9f64).prop_map(|(step, lr)| Change::Rate { step, lr }),
        (any::<u32>(), any::<u32>(), pairs())
            .prop_map(|(epoch, push, (ranks, rows))| Change::Replay { epoch, push, ranks, rows }),
    ];
    prop_oneof![
        hello().prop_map(|hello| Request::Hello(Box::new(hello))),
        (any::<u64>(), change).prop_map(|(number, change)| Request::Change { number, change }),
        (any::<u32>(), any::<Option<u32>>(), vec(any::<u32>(), 0..9))
            .prop_map(|(id, step, keys)| Request::Pull { id, step, keys }),
        (any::<u32>(), pushed()).prop_map(|(id, pushed)| Request::Flush { id, pushed }),
        any::<u32>().prop_map(|epoch| Request::Seal { epoch }),
        any::<(u32, u64, u32)>().prop_map(|(id, page, stride)| Request::Take { id, page, stride }),
        any::<u32>().prop_map(|id| Request::Drop { id }),
        (".*", any::<u32>()).prop_map(|(name, least)| Request::Locate { name, least }),
        Just(Request::Report),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        (any::<u64>(), pushed(), any::<u64>()).prop_map(|(stored, pushed, parts)| Reply::Welcome {
            stored,
            pushed,
            parts
        }),
        (any::<u32>(), numbers()).prop_map(|(id, rows)| Reply::Rows { id, rows }),
        (any::<u64>(), pushed()).prop_map(|(number, pushed)| Reply::Stored { number, pushed }),
        any::<u32>().prop_map(|step| Reply::Stepped { step }),
        any::<u32>().prop_map(|id| Reply::Flushed { id }),
        any::<u32>().prop_map(|epoch| Reply::Sealed { epoch }),
        (any::<(u32, u32, Option<u64>)>(), pairs()).prop_map(|((id, steps, next), pairs)| {
            let (keys, lanes) = pairs;
            Reply::Taken { id, taken: Taken { steps, next, keys, lanes } }
        }),
        (any::<Option<(u32, bool)>>(), vec(".*", 0..3)).prop_map(|(list, former)| {
            let next = former.iter().rev().cloned().collect();
            let located = |(list, whole)| Located { list, whole, former, next };
            Reply::Located(list.map(located))
        }),
        ".*".prop_map(|why| Reply::Refused { why }),
        (any::<Option<String>>(), any::<u64>(), any::<usize>()).prop_map(
            |(data, memory_bytes, connections)| {
                let tables = Vec::new();
                let report = ServerReport { data, memory_bytes, connections, tables };
                Reply::Report(Box::new(report))
            }
        ),
    ]
}

fn encoded(request: &Request) -> Vec<u8> {
    let mut frame = Vec::new();
    request.encode(&mut frame);
    frame
}

proptest! {
    #[test]
    fn requests_come_back(request in request()) {
        prop_assert_eq!(Request::decode(&encoded(&request)), Ok(request));
    }

    #[test]
    fn replies_come_back(reply in reply()) {
        let mut frame = Vec::new();
        reply.encode(&mut frame);
        prop_assert_eq!(Reply::decode(&frame), Ok(reply));
    }

    /// Any bytes, and frames that were cut or changed: no panic, and no more rows than bytes.
    #[test]
    fn hostile_bytes_do_no_harm(
        mut frame in request().prop_map(|request| encoded(&request)),
        flips in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        noise in vec(any::<u8>(), 0..64),
    ) {
        for (at, byte) in flips {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        for bytes in [&frame[..], &frame[..cut.index(frame.len())], &noise] {
            let rows = match Request::decode(bytes) {
                Ok(Request::Change { change: Change::Push { keys, rows }, .. }) => (keys.len(), rows.len()),
                Ok(Request::Pull { keys, .. }) => (keys.len(), 0),
                _ => (0, 0),
            };
            prop_assert!(4 * (rows.0 + rows.1) <= bytes.len());
            let _any = Reply::decode(bytes);
        }
    }
}

#[test]
fn the_layout_is_what_it_is() {
    let change = Change::Push { keys: vec![7, 0x0102_0304], rows: vec![1.0_f32, -2.0].into() };
    let expected = [
        &[2][..],
        &[9, 0, 0, 0, 0, 0, 0, 0],
        &[2, 0, 0, 0],
        &[7, 0, 0, 0, 4, 3, 2, 1],
        &[1],
        &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0],
    ];
    assert_eq!(encoded(&Request::Change { number: 9, change }), expected.concat());
    let change = Change::Set { keys: vec![7], rows: vec![-2_i64].into() };
    let expected = [
        &[6][..],
        &[9, 0, 0, 0, 0, 0, 0, 0],
        &[1, 0, 0, 0],
        &[7, 0, 0, 0],
        &[6],
        &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ];
    assert_eq!(encoded(&Request::Change { number: 9, change }), expected.concat());
}

#[test]
fn faults_are_named() {
    assert_eq!(Request::decode(&[]), Err(CodecError::Empty));
    assert_eq!(Request::decode(&[200, 1]), Err(CodecError::Kind(200)));
    // Four billion keys in a frame of 13 bytes.
    let claim = [&[2][..], &[0; 8], &[255; 4]].concat();
    assert_eq!(Request::decode(&claim), Err(CodecError::Length { kind: 2 }));
    assert_eq!(Request::decode(&[8, 1, 0, 0, 0, 0]), Err(CodecError::Length { kind: 8 }));
    assert!(matches!(Request::decode(&[1, b'{']), Err(CodecError::Text { kind: 1, .. })));
    assert!(matches!(Reply::decode(&[71, 0xff]), Err(CodecError::Text { kind: 71, .. })));
}
