//! Chains that the ranks of a job run, as `netfold_mpi.h` has them run.

use std::sync::Arc;
use std::thread;

use netfold::{Switch, SwitchOptions};
use netfold_fused::{Error, Input, Job, Rows};
use netfold_ops::{Loader, Policy};

/// Runs `work` as each of `size` ranks of a job.
fn ranks(size: i32, modules: &[&[u8]], work: impl Fn(i32, &mut Job) + Sync) {
    let operations = Some(Arc::new(Loader::new(Policy::Any)) as Arc<_>);
    let switch = Switch::start(&SwitchOptions { operations, ..SwitchOptions::default() }).unwrap();
    let address = switch.address().to_string();
    thread::scope(|scope| {
        for rank in 0..size {
            let (address, work) = (&address, &work);
            scope.spawn(move || {
                let mut job = Job::join(address, "chains", (rank, size), None, modules).unwrap();
                work(rank, &mut job);
                job.close();
            });
        }
    });
}

fn of(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_ne_bytes()).collect()
}

fn elements(bytes: &[u8]) -> Input<'_> {
    Input { bytes, rows: None }
}

#[test]
fn each_chain_gives_its_results() {
    ranks(3, &[], |rank, job| {
        let mine = of(&[rank + 1, 10 * rank]);
        let both = "all_reduce sum i32; all_reduce max i32";
        for _ in 0..2 {
            job.run(both, &[elements(&mine), elements(&mine)]).unwrap();
            assert_eq!(job.take(both, 0).unwrap(), of(&[6, 30]));
            assert_eq!(job.take(both, 1).unwrap(), of(&[3, 20]));
        }
        let total = "scan+ sum i32, broadcast";
        job.run(total, &[elements(&mine)]).unwrap();
        let prefix = [[1, 0], [3, 10], [6, 30]][usize::try_from(rank).unwrap()];
        assert_eq!(job.take(total, 0).unwrap(), of(&prefix));
        assert_eq!(job.take(total, 1).unwrap(), of(&[6, 30]));
        let prefixes = "all_gather i32, scan sum i32, all_gather";
        job.run(prefixes, &[elements(&of(&[rank + 1]))]).unwrap();
        assert_eq!(job.take(prefixes, 0).unwrap(), of(&[1, 3, 6]));
        // What is only moved may be of a type that netfold does not fold, and of no length.
        let gathered = "gather c128, broadcast";
        job.run(gathered, &[elements(&[u8::try_from(rank).unwrap(); 16])]).unwrap();
        assert_eq!(job.take(gathered, 0).unwrap(), [[0; 16], [1; 16], [2; 16]].concat());
        job.run(both, &[elements(&[]), elements(&[])]).unwrap();
        assert!(job.take(both, 0).unwrap().is_empty());
    });
}

#[test]
fn rows_go_where_displacements_say() {
    let chain = "all_to_all_v i32";
    ranks(3, &[], |rank, job| {
        // Rank r gives r + s rows to rank s, which stand backwards in its buffer.
        let counts = [rank, rank + 1, rank + 2];
        let from = [20, 10, 0];
        let buffer: Vec<i32> = (0..30).map(|at| 100 * rank + at).collect();
        let rows = Rows { counts: &counts, displacements: &from };
        let bytes = of(&buffer);
        job.run(chain, &[Input { bytes: &bytes, rows: Some(rows) }]).unwrap();
        let received = [rank, rank + 1, rank + 2];
        assert_eq!(job.take(chain, 0).unwrap(), of(&received));
        let mut got = [0_u8; 30 * 4];
        let places = [0, 8, 16];
        let rows = Rows { counts: &received, displacements: &places };
        job.take_rows(chain, 1, rows, |start, row| {
            got[start..start + row.len()].copy_from_slice(row);
        })
        .unwrap();
        for source in 0..3 {
            let place = usize::try_from(source * 8).unwrap();
            let first = 100 * source + 20 - 10 * rank;
            let expected: Vec<i32> = (first..first + source + rank).collect();
            let end = place + expected.len();
            assert_eq!(got[place * 4..end * 4], of(&expected));
        }
    });
}

#[test]
fn what_does_not_fit_is_refused_and_the_job_goes_on() {
    ranks(1, &[], |_, job| {
        let sum = "all_reduce sum i32; all_reduce max i32";
        let one = of(&[1]);
        let error = job.run(sum, &[elements(&one)]).unwrap_err();
        assert!(matches!(error, Error::Number { needed: 2, given: 1, .. }), "{error}");
        for text in
            ["all_reduce max i8; all_reduce max i8", "all_reduce no-such i32; all_reduce sum i32"]
        {
            let error = job.run(text, &[elements(&one), elements(&one)]).unwrap_err();
            assert!(matches!(error, Error::Stage { .. }), "{error}");
        }
        assert!(matches!(job.run("scan sum i32", &[elements(&one)]), Err(Error::Plan(_))));
        assert!(matches!(job.take(sum, 0), Err(Error::Taken { at: 0, .. })));
        job.run(sum, &[elements(&one), elements(&one)]).unwrap();
        assert_eq!(job.take(sum, 0).unwrap(), one);
        assert!(matches!(job.take(sum, 0), Err(Error::Taken { at: 0, .. })), "it is taken once");
        let rows = |counts, displacements| {
            let rows = Some(Rows { counts, displacements });
            [Input { bytes: &[0; 8], rows }]
        };
        let chain = "all_to_all_v i32";
        assert!(matches!(job.run(chain, &rows(&[-1], &[0])), Err(Error::Negative(_))));
        assert!(matches!(job.run(chain, &rows(&[2], &[1])), Err(Error::Number { .. })));
        assert!(matches!(job.run(chain, &rows(&[1, 1], &[0, 0])), Err(Error::Number { .. })));
        job.run(chain, &rows(&[2], &[0])).unwrap();
        let wrong = Rows { counts: &[1], displacements: &[0] };
        assert!(matches!(job.take_rows(chain, 1, wrong, |_, _| ()), Err(Error::Number { .. })));
    });
    assert!(matches!(
        Job::join("127.0.0.1:1", "x", (0, 40000), None, &[]),
        Err(Error::Rank { .. })
    ));
    assert!(matches!(
        Job::join("127.0.0.1:1", "x", (0, 1), None, &[b"no"]),
        Err(Error::Operation { .. })
    ));
}
