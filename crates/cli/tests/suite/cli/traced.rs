//! `netfold trace` on traces of MPI programs (R-MTR).

use crate::support::{ended, file, netfold};

/// Returns the header of a rank of two.
fn header(rank: u32) -> String {
    format!(
        r#"{{"trace":1,"rank":{rank},"size":2,"program":"/bin/app","mpi":"MPICH 4","host":"h"}}"#
    )
}

/// Returns a call of a rank, with other keys in front of those of `rest`.
fn call(rank: u32, name: &str, bytes: u64, rest: &str) -> String {
    format!(
        r#"{{"rank":{rank},"n":0,"call":"{name}","comm":"world","size":2,"count":1,"bytes":{bytes},"received":8,"type":"i64","op":null,"root":null,{rest},"spent":7,"site":null}}"#
    )
}

fn trace(name: &str, lines: &[String], end: &str) -> String {
    let path = file(name, &(lines.join("\n") + end));
    path.to_str().unwrap().to_owned()
}

#[test]
fn calls_of_mpi_programs_are_counted_by_collective() {
    // R-MTR-2: files of a run; R-MTR-1: a last line that was cut; R-MTR-10: time in the call.
    let fold = |rank| call(rank, "MPI_Allreduce", 40, r#""start":1000,"end":3000,"path":"switch""#);
    let times = r#""start":5000,"returned":6000,"waited":7005000,"end":8005000,"path":"host""#;
    let gather = call(1, "MPI_Igather", 100, times);
    let first = trace("mpi-first", &[header(0), fold(0), fold(0)], "\n");
    let cut = gather[..60].to_owned();
    let second = trace("mpi-second", &[header(1), fold(1), gather, cut], "");
    let both = ended(&mut netfold(&["trace", &first, &second]));
    assert_eq!(both.status, Some(0), "{}", both.stderr);
    assert!(
        both.stdout.starts_with("/bin/app: 2 ranks with MPICH 4, 4 calls\n"),
        "{}",
        both.stdout
    );
    let words = |name: &str| {
        let line = both.stdout.lines().find(|line| line.contains(name)).unwrap();
        let words =
            line.split(|end: char| end.is_whitespace() || end == '\u{2502}' || end == '\u{2506}');
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words("MPI_Allreduce"), ["MPI_Allreduce", "3", "3", "120", "0.006", "2.0"]);
    assert_eq!(words("MPI_Igather"), ["MPI_Igather", "1", "0", "100", "1.001", "1001.0"]);
    let one = ended(&mut netfold(&["trace", &first]));
    assert!(one.stdout.contains("1 of 2 ranks have lines"), "{}", one.stdout);
}

#[test]
fn what_is_no_trace_of_an_mpi_program_is_refused_by_its_line() {
    let fold = call(0, "MPI_Scan", 8, r#""start":1,"end":3,"path":"host""#);
    let cut = fold[..40].to_owned();
    let whole = trace("mpi-whole", &[header(0), fold.clone()], "\n");
    let chrome = trace("chrome", &[r#"{"traceEvents":[]}"#.to_owned()], "\n");
    let headless = [fold.clone()];
    let later = [header(0).replace(":1,", ":7,")];
    for (lines, end, expected) in [
        (&[header(0), cut, fold][..], "\n", "line 2, is not of a trace of MPI calls"),
        (&headless, "\n", "line 1, is not of a trace of MPI calls: a call of rank 0, which has no"),
        (&later, "\n", "version 7; this netfold reads version 1"),
        (&[header(0)], "", "was cut in its first line"),
    ] {
        let path = trace("mpi-bad", lines, end);
        let refused = ended(&mut netfold(&["trace", &path]));
        assert_eq!(refused.status, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains(expected), "{expected}: {}", refused.stderr);
        assert!(refused.stderr.contains(&path) && refused.stdout.is_empty(), "{}", refused.stderr);
    }
    for (words, expected) in [
        (&[&*whole, &*chrome][..], "name files of one kind"),
        (&[&*whole, &*whole], "rank 0 again; name each file of one run once"),
        (&[&*whole, "--save", "all.json"], "--save puts together"),
    ] {
        let refused = ended(netfold(&["trace"]).args(words));
        assert_eq!(refused.status, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.contains(expected), "{expected}: {}", refused.stderr);
    }
}
