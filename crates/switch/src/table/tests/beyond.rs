//! Packets that name what a table does not have (R-KEY-2): rows, workers and places.

use super::*;

/// Packets of this kind for a rank, one after the last rank, and the largest there is.
fn beyond(kind: TableKind) -> [Vec<u8>; 2] {
    [ROWS, u32::MAX].map(|rank| {
        let pairs = vec![(0, [1, 1]), (rank, [1, 1])];
        let body = body(&pairs);
        // A pull has ranks alone.
        let bytes = if kind == TableKind::Pull { pairs.len() * RANK_BYTES } else { body.len() };
        datagram(TableRepr { pairs: 2, ..request(kind) }, &body[..bytes])
    })
}

fn pull(ranks: &[u32]) -> Vec<u8> {
    let body: Vec<u8> = ranks.iter().flat_map(|rank| rank.to_le_bytes()).collect();
    datagram(TableRepr { pairs: ranks.len() as u16, ..request(TableKind::Pull) }, &body)
}

/// R-KEY-2: whatever is asked, a rank that is not below k refuses the packet as a whole; the row
/// that it names beside that is as it was.
#[test]
fn ranks_beyond_the_rows_are_refused() {
    for arithmetic in [Arithmetic::Native, Arithmetic::FpisaA] {
        let element_type = match arithmetic {
            Arithmetic::Native => ElementType::I32,
            _ => ElementType::F32,
        };
        let spec = spec(arithmetic, element_type, true);
        let mut table = Table::new(spec);
        let typed = |datagram: Vec<u8>| {
            let repr = TablePacket::new_checked(&datagram).unwrap().repr;
            self::datagram(TableRepr { element_type, ..repr }, &datagram[TABLE_HEADER_BYTES..])
        };
        let load = TableRepr { pairs: 1, ..request(TableKind::Load) };
        let load = typed(datagram(load, &body(&vec![(0, [3, 4])])));
        ask(&mut table, &load).unwrap();
        let before = ask(&mut table, &typed(pull(&[0]))).unwrap();
        assert_eq!(before.pairs, [(0, [3, 4])]);
        for kind in [TableKind::Push, TableKind::Load, TableKind::Pull] {
            for datagram in beyond(kind) {
                let refused = ask(&mut table, &typed(datagram)).unwrap_err();
                assert_eq!(refused, Refusal::Range, "{arithmetic:?}, {kind:?}");
            }
        }
        assert_eq!(ask(&mut table, &typed(pull(&[0]))).unwrap().pairs, before.pairs);
        assert_eq!((table.counters.pushes, table.counters.rows_loaded), (0, 1));
        assert!(table.is_drained(), "nothing was folded");
        // The last row is there.
        assert!(ask(&mut table, &typed(pull(&[ROWS - 1]))).unwrap().pairs.is_empty());
    }
}

/// R-KEY-2: the windows of a worker that the job does not have are refused, and so is whatever such
/// a worker asks.
#[test]
fn workers_beyond_the_job_are_refused() {
    let mut table = Table::new(spec(Arithmetic::Native, ElementType::I32, true));
    for kind in [TableKind::Windows, TableKind::Pull, TableKind::Load, TableKind::Push] {
        for worker in [WORKERS, u16::MAX] {
            let repr = TableRepr { worker: WorkerId(worker), ..request(kind) };
            let refused = ask(&mut table, &datagram(repr, &[])).unwrap_err();
            assert_eq!(refused, Refusal::Range, "{kind:?}, {worker}");
        }
        let last = TableRepr { worker: WorkerId(WORKERS - 1), ..request(kind) };
        ask(&mut table, &datagram(last, &[])).unwrap();
    }
}

/// R-KEY-7: a read that goes on from beyond the last pair finds nothing more.
#[test]
fn a_place_beyond_the_pairs_is_their_end() {
    let mut table = integers();
    ask(&mut table, &push(0, 0, &vec![(1, [1, 1]), (2, [2, 2])])).unwrap();
    ask(&mut table, &read(u64::MAX, 1, 0, 0)).unwrap();
    for (place, wanted) in [(0, 2), (1, 1), (2, 0), (3, 0), (u32::MAX, 0)] {
        let answer = ask(&mut table, &read(u64::MAX, 1, place, 0)).unwrap();
        assert_eq!((answer.pairs.len(), answer.repr.last), (wanted, true), "place {place}");
    }
}
