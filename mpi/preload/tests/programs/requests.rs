//! Requests: of calls that do not block, and of persistent ones.

use crate::mpi::{ALL, REPORT, programs, taken};

/// R-MPI-13
#[test]
fn calls_that_return_requests_are_completed_in_every_way() {
    for (mpi, program) in programs("requests.c") {
        for (ranks, seed, transport) in [(2, "31", "shm"), (3, "32", "shm"), (3, "33", "udp")] {
            let transport = ("NETFOLD_TRANSPORT", transport);
            let run = mpi.run(ranks, &program, &[seed, "60"], &[ALL, REPORT, transport]);
            let text = run.succeeded();
            assert!(text.contains(&format!("checks of seed {seed}")), "{text}");
            if text.contains("9 ways") {
                println!("passed over: looks at several requests, which {} lacks", mpi.name);
            }
            let taken = taken(&text);
            for name in ["iallreduce", "ibcast", "iallgather", "iexscan", "ibarrier"] {
                assert!(taken.contains(&name), "{name}: {text}");
            }
        }
        // By default they are the host's.
        let text = mpi.run(2, &program, &["34", "10"], &[REPORT]).succeeded();
        assert!(!taken(&text).iter().any(|name| name.starts_with('i')), "{text}");
    }
}

/// R-MPI-14
#[test]
fn persistent_calls_are_started_again_and_again() {
    for (mpi, program) in programs("requests.c") {
        let run = |ranks, seed, word, settings: &[(&str, &str)]| {
            let text = mpi.run(ranks, &program, &[seed, "40", word], settings).succeeded();
            assert!(text.contains(&format!("checks of seed {seed}")), "{text}");
            text
        };
        // By default they are the host's.
        run(2, "51", "persistent-of-host", &[REPORT]);
        for (ranks, seed, transport) in [(2, "52", "shm"), (3, "53", "shm"), (3, "54", "udp")] {
            let text =
                run(ranks, seed, "persistent", &[ALL, REPORT, ("NETFOLD_TRANSPORT", transport)]);
            let taken = taken(&text);
            for name in ["allreduce", "bcast", "allgather", "alltoall", "exscan", "barrier"] {
                assert!(taken.contains(&&*format!("{name}_init")), "{name}: {text}");
            }
        }
    }
}
