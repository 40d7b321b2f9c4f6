//! Chains of collectives, against the calls that they take the place of.

use std::sync::Arc;

use netfold::{
    Communicator, Error, FusedError, Op, Operations, Stage, Switch, SwitchOptions, Transport,
};
use netfold_ops::{Loader, Policy};

use super::operations::{TRANSPORTS, composed, doubled, job_with_operations, lines};
use super::support::{workers, workers_at};

const LENGTHS: [usize; 4] = [0, 1, 360, 30_001];

/// A worker's vector of integers, in which nothing overflows.
fn vector(rank: u16, length: usize) -> Vec<i64> {
    (0..length as i64).map(|at| at * 31 + i64::from(rank) * 1_000_003).collect()
}

fn gathered(comm: &Communicator, input: &[i64]) -> Vec<i64> {
    let mut all = vec![0; input.len() * usize::from(comm.size())];
    comm.all_gather(input, &mut all).unwrap();
    all
}

fn scanned(comm: &Communicator, input: &[i64]) -> Vec<i64> {
    let mut prefix = vec![0; input.len()];
    comm.scan(input, &mut prefix, Op::Sum).unwrap();
    prefix
}

fn run(comm: &Communicator, stages: &[Stage], inputs: &[&[i64]]) -> Vec<Option<Vec<i64>>> {
    comm.fused(stages).unwrap().run(inputs).unwrap()
}

/// Each form gives what its calls give one after the other, with what is kept on the way.
#[test]
fn chains_give_what_their_calls_give() {
    let (gather, scan) = (Stage::all_gather(), Stage::scan(Op::Sum));
    let (all_reduce, broadcast) = (Stage::all_reduce(Op::Sum), Stage::broadcast());
    for (transport, size) in TRANSPORTS.into_iter().flat_map(|of| [1, 2, 3].map(|size| (of, size)))
    {
        workers(
            size,
            |connect| connect.transport(transport),
            |comm| {
                for length in LENGTHS {
                    let mine = vector(comm.rank(), length);
                    let (all, prefix) = (gathered(&comm, &mine), scanned(&comm, &mine));
                    let prefixes = gathered(&comm, &prefix);
                    let kept = [gather.kept(), scan.kept(), gather];
                    let wanted = [&all, &prefix, &prefixes].map(|it| Some(it.clone()));
                    assert_eq!(run(&comm, &kept, &[&mine]), wanted);
                    assert_eq!(run(&comm, &[scan, gather], &[&mine]), [Some(prefixes)]);

                    let mut total = prefix.clone();
                    comm.broadcast(&mut total, size - 1).unwrap();
                    let wanted = [Some(prefix), Some(total.clone())];
                    assert_eq!(run(&comm, &[scan.kept(), broadcast], &[&mine]), wanted);

                    let root = size / 2;
                    let at_root = |it: &Vec<i64>| (comm.rank() == root).then(|| it.clone());
                    let reduce = [Stage::reduce(Op::Sum, root).kept(), broadcast];
                    assert_eq!(
                        run(&comm, &reduce, &[&mine]),
                        [at_root(&total), Some(total.clone())]
                    );
                    let to_root = [Stage::gather(root).kept(), broadcast];
                    assert_eq!(run(&comm, &to_root, &[&mine]), [at_root(&all), Some(all.clone())]);

                    let mut parts = vec![0; all.len()];
                    comm.all_to_all(&all, &mut parts).unwrap();
                    let chain = [all_reduce, Stage::all_to_all(), Stage::all_reduce(Op::Max)];
                    let largest = vector(size - 1, length);
                    let wanted = [total, parts, largest].map(Some);
                    assert_eq!(run(&comm, &chain, &[&mine, &all, &mine]), wanted);
                }
            },
        );
    }
}

/// The kernel of an integer sort: keys go to the workers that sort them, of whom nobody knows how
/// many keys come.
#[test]
fn parts_may_differ_in_length() {
    const KEYS: usize = 5_000;
    for (transport, size) in TRANSPORTS.into_iter().flat_map(|of| [1, 3].map(|size| (of, size))) {
        workers(
            size,
            |connect| connect.transport(transport),
            |comm| {
                let workers = usize::from(size);
                // Worker r has nothing for worker r, and r + s parts of what is left for others.
                let length = |from: usize, to: usize| {
                    if from == to && size > 1 { 0 } else { KEYS * (from + to) / 7 }
                };
                let keys = |from: usize, to: usize| {
                    (0..length(from, to)).map(move |key| (from * 100 + to) as i64 + key as i64)
                };
                let rank = usize::from(comm.rank());
                let mine: Vec<i64> = (0..workers).flat_map(|to| keys(rank, to)).collect();
                let lengths: Vec<usize> = (0..workers).map(|to| length(rank, to)).collect();
                let sizes = [1, i64::from(comm.rank())];
                let inputs = [&sizes[..], &mine[..]];
                let chain = [Stage::all_reduce(Op::Sum), Stage::all_to_all_v()];
                let chain = comm.fused(&chain).unwrap();
                let error = chain.run(&inputs).unwrap_err();
                assert!(error.goes_on() && error.to_string().contains("run_v"), "{error}");
                let (short, long) = (&lengths[1..], [&lengths[1..], &[usize::MAX][..]].concat());
                for wrong in [short, &long[..]] {
                    let error = chain.run_v(&inputs, &[wrong]).unwrap_err();
                    assert!(error.goes_on() && error.to_string().contains("parts"), "{error}");
                }
                let (results, received) = chain.run_v(&inputs, &[&lengths[..]]).unwrap();
                let ranks = i64::from(size);
                let wanted: Vec<i64> = (0..workers).flat_map(|from| keys(from, rank)).collect();
                assert_eq!(results, [vec![ranks, ranks * (ranks - 1) / 2], wanted].map(Some));
                let from: Vec<usize> = (0..workers).map(|from| length(from, rank)).collect();
                assert_eq!(received, [from]);
            },
        );
    }
}

/// R-STREAM-18 to R-STREAM-20: operations of users fold in the order of ranks, also where operands
/// are kept apart.
#[test]
fn operations_of_users_fold_in_chains() {
    for (transport, size) in TRANSPORTS.into_iter().flat_map(|of| [2, 5].map(|size| (of, size))) {
        job_with_operations(transport, size, |comm| {
            let (rank, compose) = (comm.rank(), comm.operation("compose").unwrap().unwrap());
            for count in [0, 1, 3001] {
                let mine = lines(rank, count);
                let chain = [Stage::scan(compose).kept(), Stage::all_gather()];
                let got = comm.fused(&chain).unwrap().run(&[&mine]).unwrap();
                let all = (0..size).flat_map(|last| composed(0..last + 1, count)).collect();
                let own = composed(0..rank + 1, count);
                assert!(got == [Some(own.clone()), Some(all)], "{transport:?} {size} {count}");
                let chain = [Stage::scan(compose).kept(), Stage::broadcast()];
                let got = comm.fused(&chain).unwrap().run(&[&mine]).unwrap();
                assert!(got == [Some(own), Some(composed(0..size, count))]);
                let mut below = vec![0; if rank == 0 { 0 } else { mine.len() }];
                comm.exscan(&mine, &mut below, compose).unwrap();
                assert!(below == composed(0..rank, count));
            }
        });
    }
}

/// R-OP-28: the switch maps the fold, and everybody gets the map, as by the call itself.
#[test]
fn maps_are_stages_of_chains() {
    for (transport, size) in TRANSPORTS.into_iter().flat_map(|of| [1, 2, 5].map(|size| (of, size)))
    {
        let operations = Operations::new([Arc::new(doubled()) as Arc<_>]).unwrap();
        let set =
            |connect: netfold::Connect| connect.transport(transport).operations(operations.clone());
        let policy = Some(Arc::new(Loader::new(Policy::Any)) as Arc<_>);
        let options = SwitchOptions { operations: policy, ..SwitchOptions::default() };
        workers_at(&Switch::start(&options).unwrap(), size, set, |comm| {
            let doubled = comm.operation("doubled").unwrap().expect("it was brought along");
            let (map, broadcast) = (Stage::map(doubled), Stage::broadcast());
            for length in LENGTHS {
                let mine: Vec<i32> =
                    (0..length as i32).map(|at| at * 3 + i32::from(comm.rank()) * 1009).collect();
                let ranks = i32::from(size);
                let wanted = (0..length as i32)
                    .map(|at| 2 * (at * 3 * ranks + ranks * (ranks - 1) / 2 * 1009));
                let wanted = [Some(wanted.collect::<Vec<i32>>())];
                let mut called = mine.clone();
                comm.all_reduce(&mut called, doubled).unwrap();
                assert_eq!(Some(called), wanted[0]);
                for chain in [
                    &[Stage::all_reduce(doubled), map][..],
                    &[Stage::all_reduce(doubled), map, broadcast],
                    &[Stage::reduce(doubled, size - 1), map, broadcast],
                ] {
                    let got = comm.fused(chain).unwrap().run(&[&mine]).unwrap();
                    assert_eq!(got, wanted, "{transport:?} {size} {length} {chain:?}");
                }
            }
            let other = [Stage::all_reduce(Op::Sum), Stage::map(Op::Sum)];
            let error = comm.fused(&other).err().expect("a sum has no map").to_string();
            assert!(error.contains("map"), "{error}");
        });
    }
}

/// A chain that cannot be made is refused before anything is sent, and the job goes on.
#[test]
fn refusals_name_the_stage() {
    workers(
        2,
        |connect| connect,
        |comm| {
            let exscan = Stage::named("exscan", Op::Sum, None).unwrap();
            let error = comm.fused(&[exscan, Stage::all_gather()]).err().unwrap();
            assert!(matches!(error, FusedError::Stage { at: 0, stage: "exscan", .. }), "{error}");
            let chain = [Stage::all_reduce(Op::Sum), Stage::all_to_all()];
            let chain = comm.fused(&chain).unwrap();
            let error = chain.run(&[&[1, 2]]).unwrap_err();
            assert!(matches!(error, Error::Inputs { needed: 2, given: 1 }), "{error}");
            let error = chain.run(&[&[1, 2], &[1, 2, 3]]).unwrap_err();
            assert!(matches!(error, Error::Length { call: "all_to_all", .. }), "{error}");
            assert_eq!(chain.run(&[&[1], &[7, 7]]).unwrap()[0], Some(vec![2]));
        },
    );
}

/// R-STREAM-6, R-CTRL-12: workers whose chains differ are told so, with both ranks.
#[test]
fn chains_that_differ_are_a_mismatch() {
    let (scan, gather) = (Stage::scan(Op::Sum), Stage::all_gather());
    let others = [[scan, Stage::broadcast()], [Stage::all_reduce(Op::Sum), Stage::all_to_all()]];
    for (transport, other) in [Transport::Udp, Transport::Shm]
        .into_iter()
        .flat_map(|transport| others.map(|other| (transport, other)))
    {
        let told = workers(
            2,
            |connect| connect.transport(transport),
            |comm| {
                let stages = if comm.rank() == 0 { [scan, gather] } else { other };
                let chain = comm.fused(&stages).unwrap();
                let inputs = vec![&[1_i32, 2][..]; chain.inputs()];
                let start = std::time::Instant::now();
                (chain.run(&inputs).unwrap_err().to_string(), start.elapsed())
            },
        );
        for (error, elapsed) in told {
            assert!(
                ["rank 0", "rank 1", "prefixes("].iter().all(|it| error.contains(it)),
                "{error}"
            );
            assert!(elapsed.as_secs() < 5, "{elapsed:?}");
        }
    }
}
