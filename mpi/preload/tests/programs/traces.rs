//! Traces that programs write.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::mpi::programs;

/// The lines of a trace: headers, and calls by rank and number.
fn lines(files: impl IntoIterator<Item = PathBuf>) -> (Vec<Value>, Vec<Value>) {
    let texts = files.into_iter().map(|file| fs::read_to_string(file).expect("a trace"));
    let text: String = texts.collect();
    assert!(text.ends_with('\n'), "{text}");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line"));
    let (headers, mut calls): (Vec<_>, Vec<_>) =
        lines.partition(|line| line.get("trace").is_some());
    calls.sort_by_key(|call| (call["rank"].as_u64(), call["n"].as_u64()));
    (headers, calls)
}

/// R-MTR-2 to R-MTR-6, R-MPI-15: what `traced.c` calls, as rank 2 of 3 writes it down.
#[test]
fn a_trace_has_every_call() {
    let folder = TempDir::new().unwrap();
    for (mpi, program) in programs("traced.c") {
        for (table, killed, path) in [("all", false, "switch"), ("none", true, "host")] {
            let trace = folder.path().join(format!("{}.{table}", mpi.name));
            let shared = trace.to_str().unwrap();
            // A trace of an earlier run goes.
            fs::write(&trace, "old\n").unwrap();
            let settings = [("NETFOLD_MPI_TABLE", table), ("NETFOLD_MPI_TRACE", shared)];
            let run = mpi.run(3, &program, if killed { &["killed"] } else { &[] }, &settings);
            assert_eq!(run.output.status.success(), !killed, "{}", run.text());
            let (headers, calls) = lines([trace]);
            assert_eq!(headers.len(), 3);
            assert!(headers.iter().all(|header| header["trace"] == 1 && header["size"] == 3));
            let program = program.canonicalize().unwrap();
            assert_eq!(headers[0]["program"].as_str(), program.to_str());
            let of = |rank: u64| calls.iter().filter(move |call| call["rank"] == rank);
            assert!((0..3).all(|rank| of(rank).count() == 8), "{calls:#?}");
            let told: Vec<String> = of(2)
                .map(|call| {
                    let keys = ["call", "size", "count", "bytes", "received", "type", "op", "root"];
                    keys.map(|key| call[key].to_string().replace('"', "")).join(" ")
                })
                .collect();
            let expected = [
                "MPI_Allreduce 3 3 24 24 f64 sum null",
                "MPI_Bcast 3 5 20 20 i32 null 1",
                "MPI_Gather 3 2 8 24 f32 null 2",
                "MPI_Alltoallv 3 3 6 6 i16 null null",
                "MPI_Barrier 2 0 0 0 bytes null null",
                "MPI_Allreduce 3 1 8 8 i64 bor null",
                "MPI_Iallreduce 3 4 16 16 i32 max null",
                "MPI_Allreduce 1 1 12 12 f64,i32 minloc null",
            ];
            assert_eq!(told, expected, "{mpi:?}");
            let comms: Vec<Vec<_>> = (0..3)
                .map(|rank| of(rank).map(|call| call["comm"].as_str().unwrap()).collect())
                .collect();
            let (part, twin) = (comms[2][4], comms[2][5]);
            assert_eq!(comms[2], ["world", "world", "world", "world", part, twin, "world", "self"]);
            assert_eq!((comms[1][4], comms[1][5]), (part, twin));
            // Rank 0 is alone in its part, whose name is another one.
            assert!(comms[0][4] != part && part != twin && comms[0][5] == twin, "{comms:?}");
            for call in of(1) {
                let at = |key: &str| call[key].as_u64().unwrap_or_else(|| panic!("{key}: {call}"));
                assert!(at("start") <= at("end"), "{call}");
                if call["call"] == "MPI_Iallreduce" {
                    assert!(at("start") <= at("returned") && at("returned") <= at("waited"));
                    assert!(at("waited") <= at("end"), "{call}");
                }
                let site = call["site"].as_str().unwrap();
                assert!(site.starts_with(&format!("{}+0x", program.display())), "{site}");
            }
            assert_eq!(of(1).next().unwrap()["path"], path);
        }
    }
}

/// R-MTR-2: files of ranks, and a trace that cannot be written.
#[test]
fn ranks_may_have_a_file_each() {
    let folder = TempDir::new().unwrap();
    for (mpi, program) in programs("traced.c") {
        let each = folder.path().join(format!("{}.%r", mpi.name));
        mpi.run(3, &program, &[], &[("NETFOLD_MPI_TRACE", each.to_str().unwrap())]).succeeded();
        let file =
            |rank: u32| PathBuf::from(each.to_str().unwrap().replace("%r", &rank.to_string()));
        for rank in 0..3 {
            let (headers, calls) = lines([file(rank)]);
            assert_eq!((headers.len(), calls.len()), (1, 8));
            assert_eq!(headers[0]["rank"], rank);
        }
        let nowhere = folder.path().join("missing/trace");
        let nowhere = ("NETFOLD_MPI_TRACE", nowhere.to_str().unwrap());
        let text = mpi.run(3, &program, &[], &[nowhere]).succeeded();
        assert!(text.contains("no trace is written"), "{text}");
    }
}

/// R-MTR-4, R-MTR-5, R-MPI-15: what `restarted.c` starts, as rank 2 of 3 writes it down.
#[test]
fn a_trace_has_each_start_of_a_persistent_call() {
    let folder = TempDir::new().unwrap();
    for (mpi, program) in programs("restarted.c") {
        for (table, words, path) in [("all", &[][..], "switch"), ("none", &["once"], "host")] {
            let trace = folder.path().join(format!("{}.{table}", mpi.name));
            let shared = ("NETFOLD_MPI_TRACE", trace.to_str().unwrap());
            mpi.run(3, &program, words, &[("NETFOLD_MPI_TABLE", table), shared]).succeeded();
            let (program, (_, calls)) = (program.canonicalize().unwrap(), lines([trace.clone()]));
            let of = |rank: u64| calls.iter().filter(move |call| call["rank"] == rank);
            let told = |call: &Value| {
                let keys = ["call", "count", "bytes", "received", "type", "op", "root", "path"];
                keys.map(|key| call[key].to_string().replace('"', "")).join(" ")
            };
            let fold = format!("MPI_Allreduce_init 3 24 24 f64 max null {path}");
            let told_by_one = format!("MPI_Bcast_init 5 20 20 i32 null 1 {path}");
            let mut expected = vec![fold; if table == "all" { 9 } else { 1 }];
            expected.push(told_by_one);
            assert_eq!(of(2).map(told).collect::<Vec<_>>(), expected, "{}", mpi.name);
            let twins: Vec<&Value> =
                (0..3).map(|rank| &of(rank).next_back().unwrap()["comm"]).collect();
            assert!(*twins[0] != "?" && twins.iter().all(|name| *name == twins[0]), "{twins:?}");
            let mut before = 0;
            for call in of(1) {
                let at = |key: &str| call[key].as_u64().unwrap_or_else(|| panic!("{key}: {call}"));
                let times = ["start", "returned", "waited", "end"].map(at);
                assert!(times.is_sorted(), "{call}");
                // Each one has ended before the next is started, but for the last two.
                assert!(call["call"] == "MPI_Bcast_init" || before <= times[0], "{call}");
                before = times[3];
                let site = call["site"].as_str().unwrap();
                assert!(site.starts_with(&format!("{}+0x", program.display())), "{site}");
            }
        }
    }
}
