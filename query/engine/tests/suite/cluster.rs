//! Workers that are processes of their own; here, sockets of this one.

use std::path::Path;

use netfold_query::cluster::serve;
use netfold_query::data::{self, HardTables};
use netfold_query::{Query, Settings};
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::support::{WAYS, block_on, plain, rows, sorted, texts};

/// Starts a worker for each file of the tables in `folder`; returns their settings, and what keeps
/// their folders.
pub async fn start(folder: &Path, workers: usize) -> (Settings, Vec<TempDir>) {
    let (mut cluster, mut folders) = (Vec::new(), Vec::new());
    for worker in 0..workers {
        let own = tempfile::tempdir().expect("a folder");
        for table in std::fs::read_dir(folder).expect("tables") {
            let table = table.expect("a table").path();
            let to = own.path().join(table.file_name().expect("a name"));
            std::fs::create_dir(&to).expect("a folder");
            for (at, file) in std::fs::read_dir(&table).expect("files").enumerate() {
                let file = file.expect("a file").path();
                if at % workers == worker {
                    std::fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("copy");
                }
            }
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
        cluster.push(listener.local_addr().expect("an address").to_string());
        tokio::spawn(serve(listener, own.path().to_owned()));
        folders.push(own);
    }
    (Settings { workers, cluster, switch: None, plain: false, set: Vec::new() }, folders)
}

#[test]
fn answers_of_a_cluster_are_those_of_datafusion() {
    let folder = tempfile::tempdir().expect("a folder");
    data::hard(folder.path(), HardTables { facts: 3_000, sides: 200, parts: 4 }, 7).expect("data");
    block_on(async {
        let (settings, _folders) = start(folder.path(), 2).await;
        for sql in [
            "select * from facts order by f desc, id limit 40",
            "select * from facts order by s, d, id limit 40",
            "select distinct k, n from facts",
            "select distinct k from facts",
            "select s, max(f) from facts group by s",
            "select k, sum(f), sum(m), count(*) from facts group by k",
            "select s, n, sum(g) from facts group by s, n",
            "select sum(g), count(k) from facts where n > 0",
            "select facts.id, label from facts join sides on facts.k = sides.k where n > 2",
            "select k, avg(n) from facts group by k",
            "select id from facts where n = 77",
        ] {
            let expected = sorted(rows(sql, folder.path(), &plain(1)).await);
            for way in WAYS.into_iter().map(Some).chain([None]) {
                let set = way.unwrap_or_default().iter().map(|one| (*one).to_owned()).collect();
                let settings = Settings { plain: way.is_none(), set, ..settings.clone() };
                let query = Query::plan_on_cluster(sql, &settings).await.expect("a plan");
                let batches = query.run().await.unwrap_or_else(|error| panic!("{sql}: {error}"));
                let answer = sorted(batches.iter().flat_map(texts).collect());
                assert_eq!(answer, expected, "{sql}, {way:?}");
                assert!(query.stats().iter().all(|one| one.bytes > 0), "{sql}, {way:?}");
            }
        }
    });
}

#[test]
fn a_worker_that_is_not_there_is_named() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
        let address = listener.local_addr().expect("an address").to_string();
        drop(listener);
        let cluster = vec![address.clone()];
        let settings =
            Settings { workers: 1, cluster, switch: None, plain: false, set: Vec::new() };
        let error = Query::plan_on_cluster("select 1", &settings).await.expect_err("nobody");
        assert!(error.to_string().contains(&address), "{error}");
    });
}

#[test]
fn a_worker_that_has_gone_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    data::hard(folder.path(), HardTables { facts: 100, sides: 10, parts: 1 }, 7).expect("data");
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
        let address = listener.local_addr().expect("an address");
        let worker = tokio::spawn(serve(listener, folder.path().to_owned()));
        let cluster = vec![address.to_string()];
        let settings =
            Settings { workers: 1, cluster, switch: None, plain: false, set: Vec::new() };
        let sql = "select k, sum(f) from facts group by k";
        let query = Query::plan_on_cluster(sql, &settings).await.expect("a plan");
        worker.abort();
        assert!(worker.await.expect_err("it has ended").is_cancelled());
        let error = query.run().await.expect_err("nobody listens").to_string();
        assert!(error.contains(&address.to_string()), "{error}");
        let listener = TcpListener::bind(address).await.expect("the same socket");
        let goes = async { drop(listener.accept().await.expect("a master")) };
        let (answer, ()) = tokio::join!(query.run(), goes);
        let error = answer.expect_err("it has gone").to_string();
        assert!(error.contains(&address.to_string()), "{error}");
    });
}
