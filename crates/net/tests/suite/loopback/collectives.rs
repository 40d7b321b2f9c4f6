//! Every collective, over sockets and through shared memory, against what it means.

use netfold_net::{Call, Collective, ElementType, Operation, SwitchOptions, WorkerId};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, over_each, workers};

over_each! {
    every_collective,
    each_worker_gets_its_own,
}

fn every_collective(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    for (size, cores_elements) in [(1u16, 10_000usize), (2, 1), (3, 100_000)] {
        let n = cores_elements;
        let vector = |rank: u16| -> Vec<i32> {
            (0..n as i32).map(|i| i * 7 + i32::from(rank) * 1_000_003).collect()
        };
        let vectors: Vec<Vec<i32>> = (0..size).map(vector).collect();
        let sum: Vec<i32> = (0..n).map(|i| vectors.iter().map(|vector| vector[i]).sum()).collect();
        workers(
            &switch,
            way,
            size,
            |_| (),
            |comm| {
                let (rank, root) = (comm.rank(), WorkerId(size - 1));
                let reduce = |collective, elements| {
                    call(collective, Operation::Sum, ElementType::I32, elements)
                };
                let mut out = bytes(&vector(rank));
                comm.run_in_place(reduce(Collective::AllReduce, n as u64), &mut out, WAIT_LIMIT)
                    .unwrap();
                assert!(integers(&out) == sum);

                let mut out = vec![0; 4 * n];
                comm.run(
                    reduce(Collective::Reduce { root }, n as u64),
                    &bytes(&vector(rank)),
                    &mut out,
                    WAIT_LIMIT,
                )
                .unwrap();
                assert!(integers(&out) == if rank == root.0 { sum.clone() } else { vec![0; n] });

                let moves =
                    |collective| call(collective, Operation::Copy, ElementType::U8, 4 * n as u64);
                let mut out = bytes(&vector(rank));
                comm.run_in_place(moves(Collective::Broadcast { root }), &mut out, WAIT_LIMIT)
                    .unwrap();
                assert!(integers(&out) == vector(root.0));

                let mut all = vec![0; 4 * n * usize::from(size)];
                comm.run(moves(Collective::AllGather), &bytes(&vector(rank)), &mut all, WAIT_LIMIT)
                    .unwrap();
                assert!(integers(&all) == (0..size).flat_map(vector).collect::<Vec<_>>());

                // The r-th part of every input is vector(r) of its worker plus r.
                let input: Vec<i32> = (0..i32::from(size))
                    .flat_map(|r| vector(rank).into_iter().map(move |x| x + r))
                    .collect();
                let mut out = vec![0; 4 * n];
                comm.run(
                    reduce(Collective::ReduceScatter, n as u64),
                    &bytes(&input),
                    &mut out,
                    WAIT_LIMIT,
                )
                .unwrap();
                let expected: Vec<i32> =
                    sum.iter().map(|x| x + i32::from(rank) * i32::from(size)).collect();
                assert!(integers(&out) == expected);

                comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
            },
        );
    }
}

/// R-STREAM-4, R-STREAM-13: gather, scatter, all-to-all, and calls that fold prefixes, from no
/// element to many blocks, and with parts that differ.
fn each_worker_gets_its_own(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    for (size, n) in [(1_u16, 5_usize), (2, 1), (3, 0), (4, 7_000)] {
        // The part of a worker's vector that is for `to`.
        let part = |from: u16, to: u16, n: usize| -> Vec<i32> {
            (0..n as i32)
                .map(|i| i + i32::from(from) * 3_000_017 + i32::from(to) * 50_021)
                .collect()
        };
        let whole = |from: u16| (0..size).flat_map(|to| part(from, to, n)).collect::<Vec<_>>();
        let length =
            |from: u16, to: u16| if from == 1 { 0 } else { n * usize::from(from + 2 * to) };
        workers(
            &switch,
            way,
            size,
            |_| (),
            |comm| {
                let (rank, root) = (comm.rank(), WorkerId(size / 2));
                let at_root = |values: Vec<i32>| if rank == root.0 { values } else { Vec::new() };
                let moves = |collective, n: usize| {
                    call(collective, Operation::Copy, ElementType::U8, 4 * n as u64)
                };
                let run = |call, input: &[i32], elements: usize| {
                    let mut out = vec![0; 4 * elements];
                    comm.run(call, &bytes(input), &mut out, WAIT_LIMIT).unwrap();
                    integers(&out)
                };
                let wanted = at_root((0..size).flat_map(|from| part(from, root.0, n)).collect());
                let gather = moves(Collective::Gather { root }, n);
                assert!(run(gather, &part(rank, root.0, n), wanted.len()) == wanted);

                let scatter = moves(Collective::Scatter { root }, n);
                assert!(run(scatter, &at_root(whole(root.0)), n) == part(root.0, rank, n));

                let wanted: Vec<i32> = (0..size).flat_map(|from| part(from, rank, n)).collect();
                assert!(run(moves(Collective::AllToAll, n), &whole(rank), wanted.len()) == wanted);

                let sum = |ranks: std::ops::Range<u16>| -> Vec<i32> {
                    (0..n).map(|i| ranks.clone().map(|from| part(from, 0, n)[i]).sum()).collect()
                };
                let folds =
                    |collective| call(collective, Operation::Sum, ElementType::I32, n as u64);
                assert!(run(folds(Collective::Scan), &part(rank, 0, n), n) == sum(0..rank + 1));
                let below = if rank == 0 { Vec::new() } else { sum(0..rank) };
                assert!(run(folds(Collective::ExScan), &part(rank, 0, n), below.len()) == below);
                let all: Vec<i32> = (0..size).flat_map(|last| sum(0..last + 1)).collect();
                assert!(run(folds(Collective::Prefixes), &part(rank, 0, n), all.len()) == all);
                let own = if rank + 1 == size { Vec::new() } else { sum(0..rank + 1) };
                let both = [sum(0..size), own].concat();
                assert!(run(folds(Collective::ScanTotal), &part(rank, 0, n), both.len()) == both);

                let pairs = (0..size).flat_map(|from| (0..size).map(move |to| (from, to)));
                let lengths: Vec<u64> =
                    pairs.map(|(from, to)| 4 * length(from, to) as u64).collect();
                let input: Vec<i32> =
                    (0..size).flat_map(|to| part(rank, to, length(rank, to))).collect();
                let wanted: Vec<i32> =
                    (0..size).flat_map(|from| part(from, rank, length(from, rank))).collect();
                let mut out = vec![0; 4 * wanted.len()];
                let all_to_all = moves(Collective::AllToAll, 0);
                let total = lengths.iter().sum::<u64>() as usize / 4;
                comm.run_parts(all_to_all, lengths.into(), &bytes(&input), &mut out, WAIT_LIMIT)
                    .unwrap();
                assert!(integers(&out) == wanted);

                // As many elements in parts of one length are another call.
                let input: Vec<i32> = (0..size).flat_map(|to| part(rank, to, total)).collect();
                let wanted: Vec<i32> = (0..size).flat_map(|from| part(from, rank, total)).collect();
                let out = run(moves(Collective::AllToAll, total), &input, wanted.len());
                assert!(out == wanted);
            },
        );
    }
}
