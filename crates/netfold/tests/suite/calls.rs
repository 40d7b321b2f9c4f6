//! Each collective, for each type of elements.

use std::fmt::Debug;

use netfold::{CallOptions, Communicator, Element, Error, Op, Priority, Transport, bf16, f16};

use crate::support::workers;

/// Workers of a job here: the average of three integers in a row is an integer.
const SIZE: u16 = 3;

/// Elements of a vector: several packets, and not a multiple of what a packet has.
const LENGTH: usize = 1001;

/// A type of elements in which small integers are exact.
trait Number: Element + PartialEq + Debug {
    fn of(value: u8) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $of:expr),* $(,)?) => {
        $(
            impl Number for $type {
                fn of(value: u8) -> Self {
                    $of(value)
                }
            }
        )*
    };
}

numbers! {
    f32: f32::from,
    f64: f64::from,
    f16: |value: u8| f16::from_f32(value.into()),
    bf16: |value: u8| bf16::from_f32(value.into()),
    i32: i32::from,
    i64: i64::from,
    u8: u8::from,
}

/// An element of a worker, from 1 to 6, so that products of three stay below 256.
fn element(index: usize, rank: u16) -> u8 {
    (index % 4) as u8 + rank as u8 + 1
}

/// A worker's vector of so many elements.
fn vector<T: Number>(length: usize, rank: u16) -> Vec<T> {
    (0..length).map(|index| T::of(element(index, rank))).collect()
}

/// The fold of all workers' vectors, in integers.
fn folded<T: Number>(length: usize, op: Op) -> Vec<T> {
    let fold = |index| {
        let all = (0..SIZE).map(|rank| element(index, rank));
        match op {
            Op::Sum => all.sum(),
            Op::Average => all.sum::<u8>() / SIZE as u8,
            Op::Min => all.min().unwrap(),
            Op::Max => all.max().unwrap(),
            Op::Product => all.product(),
            other => panic!("{other:?} is new"),
        }
    };
    (0..length).map(|index| T::of(fold(index))).collect()
}

/// Folds by all calls that fold.
fn folds<T: Number>(comm: &Communicator, op: Op) -> Result<(), Error> {
    let (rank, sum) = (comm.rank(), folded::<T>(LENGTH, op));
    let mine: Vec<T> = vector(LENGTH, rank);
    let mut tensor = mine.clone();
    comm.all_reduce(&mut tensor, op)?;
    assert_eq!(tensor, sum);
    let mut output = vec![T::of(0); LENGTH];
    comm.all_reduce_into(&mine, &mut output, op)?;
    assert_eq!((&output, &mine), (&sum, &vector(LENGTH, rank)), "the input stays");
    for root in 0..SIZE {
        let expected = if root == rank { &sum } else { &mine };
        let mut tensor = mine.clone();
        comm.reduce(&mut tensor, op, root)?;
        assert_eq!(&tensor, expected);
        assert_eq!(&comm.begin_reduce(mine.clone(), op, root)?.wait()?, expected);
    }
    assert_eq!(comm.begin_all_reduce(mine, op)?.wait()?, sum);

    let (parts, len) = (usize::from(SIZE), 100);
    let mine: Vec<T> = vector(parts * len, rank);
    let expected = folded::<T>(parts * len, op)[usize::from(rank) * len..][..len].to_vec();
    let mut output = vec![T::of(0); len];
    comm.reduce_scatter(&mine, &mut output, op)?;
    assert_eq!(output, expected);
    assert_eq!(comm.begin_reduce_scatter(mine, op)?.wait()?, expected);
    Ok(())
}

/// Moves elements by all calls that do.
fn moves<T: Number>(comm: &Communicator) -> Result<(), Error> {
    let mine: Vec<T> = vector(LENGTH, comm.rank());
    for root in 0..SIZE {
        let mut tensor = mine.clone();
        comm.broadcast(&mut tensor, root)?;
        assert_eq!(tensor, vector::<T>(LENGTH, root));
        assert_eq!(comm.begin_broadcast(mine.clone(), root)?.wait()?, vector::<T>(LENGTH, root));
    }
    let all = (0..SIZE).flat_map(|rank| vector(LENGTH, rank)).collect::<Vec<T>>();
    let mut output = vec![T::of(0); all.len()];
    comm.all_gather(&mine, &mut output)?;
    assert_eq!(output, all);
    assert_eq!(comm.begin_all_gather(mine)?.wait()?, all);
    Ok(())
}

/// Folds those of the first ranks.
fn prefixes<T: Number>(comm: &Communicator) -> Result<(), Error> {
    let rank = comm.rank();
    let mine: Vec<T> = vector(LENGTH, rank);
    let of = |ranks: std::ops::Range<u16>| -> Vec<T> {
        let sum = |index| ranks.clone().map(|rank| element(index, rank)).sum();
        (0..LENGTH).map(|index| T::of(sum(index))).collect()
    };
    let mut output = vec![T::of(0); LENGTH];
    comm.scan(&mine, &mut output, Op::Sum)?;
    assert_eq!(output, of(0..rank + 1));
    let mut output = vec![T::of(0); LENGTH];
    comm.exscan(&mine, &mut output, Op::Sum)?;
    assert_eq!(output, of(0..rank), "of rank 0 the output stays as it was");
    Ok(())
}

/// Moves parts: of `LENGTH` elements each, and of lengths that differ.
fn parts<T: Number>(comm: &Communicator) -> Result<(), Error> {
    let (rank, n) = (comm.rank(), usize::from(SIZE));
    // The part from one rank for another begins with elements that no other has.
    let part = |from: u16, to: u16, len: usize| -> Vec<T> {
        (0..len)
            .map(|at| T::of((at * 9 + usize::from(from) * 3 + usize::from(to)) as u8 % 100))
            .collect()
    };
    let of_all = |part: &dyn Fn(u16) -> Vec<T>| (0..SIZE).flat_map(part).collect::<Vec<T>>();
    for root in 0..SIZE {
        let all = of_all(&|from| part(from, root, LENGTH));
        let mut output = vec![T::of(0); if rank == root { all.len() } else { 0 }];
        comm.gather(&part(rank, root, LENGTH), &mut output, root)?;
        assert_eq!(output, if rank == root { all } else { Vec::new() });
        let all = of_all(&|to| part(root, to, LENGTH));
        let mut output = vec![T::of(0); LENGTH];
        comm.scatter(if rank == root { &all } else { &[] }, &mut output, root)?;
        assert_eq!(output, part(root, rank, LENGTH));

        let lengths = [LENGTH, 0, 17];
        let own = lengths[usize::from(rank)];
        let all = of_all(&|from| part(from, root, lengths[usize::from(from)]));
        let mut output = vec![T::of(0); if rank == root { all.len() } else { 0 }];
        comm.gather_v(&part(rank, root, own), &mut output, &lengths, root)?;
        assert_eq!(output, if rank == root { all } else { Vec::new() });
        let all = of_all(&|to| part(root, to, lengths[usize::from(to)]));
        let mut output = vec![T::of(0); own];
        comm.scatter_v(if rank == root { &all } else { &[] }, &mut output, &lengths, root)?;
        assert_eq!(output, part(root, rank, own));
        let all = of_all(&|from| part(from, 0, lengths[usize::from(from)]));
        let mut output = vec![T::of(0); all.len()];
        comm.all_gather_v(&part(rank, 0, own), &mut output, &lengths)?;
        assert_eq!(output, all);
        let mut output = vec![T::of(0); own];
        comm.reduce_scatter_v(&vector::<T>(LENGTH + 17, rank), &mut output, &lengths, Op::Sum)?;
        let start: usize = lengths[..usize::from(rank)].iter().sum();
        assert_eq!(output, folded::<T>(LENGTH + 17, Op::Sum)[start..start + own]);
    }
    let mut output = vec![T::of(0); n * LENGTH];
    comm.all_to_all(&of_all(&|to| part(rank, to, LENGTH)), &mut output)?;
    assert_eq!(output, of_all(&|from| part(from, rank, LENGTH)));
    let length = |from: u16, to: u16| usize::from(to) * LENGTH + usize::from(from) * 5;
    let lengths: Vec<usize> =
        (0..SIZE).flat_map(|from| (0..SIZE).map(move |to| length(from, to))).collect();
    let wanted = of_all(&|from| part(from, rank, length(from, rank)));
    let mut output = vec![T::of(0); wanted.len()];
    let input = of_all(&|to| part(rank, to, length(rank, to)));
    comm.all_to_all_v(&input, &mut output, &lengths)?;
    assert_eq!(output, wanted);
    Ok(())
}

fn every_call<T: Number>(comm: &Communicator) {
    assert_eq!(size_of::<T>(), T::TYPE.bytes());
    let floats = [Op::Average].into_iter().filter(|_| T::TYPE.is_float());
    for op in [Op::Sum, Op::Min, Op::Max, Op::Product].into_iter().chain(floats) {
        folds::<T>(comm, op).unwrap_or_else(|error| panic!("{:?} of {}: {error}", op, T::TYPE));
    }
    for calls in [moves::<T>, prefixes::<T>, parts::<T>] {
        calls(comm).unwrap_or_else(|error| panic!("{}: {error}", T::TYPE));
    }
}

/// R-STREAM-4
#[test]
fn every_call_gives_the_fold_of_every_type() {
    for transport in [Transport::Shm, Transport::Udp] {
        let ranks = workers(
            SIZE,
            |settings| settings.transport(transport),
            |comm| {
                every_call::<f32>(&comm);
                every_call::<f64>(&comm);
                every_call::<f16>(&comm);
                every_call::<bf16>(&comm);
                every_call::<i32>(&comm);
                every_call::<i64>(&comm);
                every_call::<u8>(&comm);
                comm.barrier().unwrap();
                assert_eq!(comm.size(), SIZE);
                comm.rank()
            },
        );
        assert_eq!(ranks, [0, 1, 2]);
    }
}

/// R-STREAM-7: a vector without elements is a call all the same.
#[test]
fn vectors_of_length_zero_are_calls_like_any_other() {
    workers(
        SIZE,
        |settings| settings,
        |comm| {
            let none: &mut [f32] = &mut [];
            comm.all_reduce(none, Op::Sum).unwrap();
            comm.all_reduce_into(&[], none, Op::Max).unwrap();
            comm.reduce(none, Op::Sum, 1).unwrap();
            comm.broadcast(none, 2).unwrap();
            comm.all_gather(&[], none).unwrap();
            comm.reduce_scatter(&[], none, Op::Sum).unwrap();
            comm.gather(&[], none, 0).unwrap();
            comm.scatter(&[], none, 2).unwrap();
            comm.all_to_all(&[], none).unwrap();
            comm.scan(&[], none, Op::Sum).unwrap();
            comm.exscan(&[], none, Op::Sum).unwrap();
            comm.all_to_all_v(&[], none, &[0; 9]).unwrap();
            assert!(
                comm.begin_all_reduce(Vec::<i64>::new(), Op::Sum)
                    .unwrap()
                    .wait()
                    .unwrap()
                    .is_empty()
            );
            assert!(comm.begin_all_gather(Vec::<u8>::new()).unwrap().wait().unwrap().is_empty());
            let mut one = [1];
            comm.all_reduce(&mut one, Op::Sum).unwrap();
            assert_eq!(one, [i32::from(SIZE)]);
        },
    );
}

/// R-STREAM-8: options are those of the calls that are made with them.
#[test]
fn priorities_are_given_per_call_and_the_same_at_every_worker() {
    let told = workers(
        2,
        |settings| settings,
        |comm| {
            let urgent = comm.with(CallOptions::new().priority(Priority::Urgent));
            urgent.all_reduce(&mut [1.0_f32; 8000], Op::Sum).unwrap();
            // From here on they differ.
            let comm = if comm.rank() == 0 {
                urgent
            } else {
                comm.with(CallOptions::new().priority(Priority::Bulk))
            };
            comm.all_reduce(&mut [1.0_f32; 8000], Op::Sum).unwrap_err().to_string()
        },
    );
    for error in told {
        assert!(
            error.contains("rank 0 called urgent all_reduce")
                && error.contains("rank 1 called all_reduce"),
            "{error}"
        );
    }
}
