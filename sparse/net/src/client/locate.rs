//! The list of servers that has a table, as a worker finds it (R-SERVE-18, R-SERVE-22).

use std::thread;
use std::time::{Duration, Instant};

use netfold_sparse::{Located, Reply, Request};

use super::TableOptions;
use super::link::START_LIMIT;
use crate::error::Error;
use crate::hot::Waiting;
use crate::query::ask;

/// Lists that are followed, one after the other.
const MOST_LISTS: usize = 1024;

/// Pause between two questions to a server that does not answer yet.
const PAUSE: Duration = Duration::from_millis(20);

/// A list of servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) list: u32,
    pub(super) servers: Vec<String>,
    /// The servers that still have the rows, if some of those of the list lack them.
    pub(super) former: Vec<String>,
}

/// Finds the list that has a table which these servers had or have.
pub(super) fn find(options: &TableOptions, waiting: Waiting<'_>) -> Result<Place, Error> {
    let (mut servers, mut least) = (options.servers.clone(), 0);
    for _ in 0..MOST_LISTS {
        let mut found = Vec::with_capacity(servers.len());
        for server in &servers {
            found.push(locate(server, least, options, waiting)?);
        }
        let over = found.iter().flatten().filter(|list| !list.next.is_empty());
        if let Some(over) = over.max_by_key(|over| over.list) {
            (servers, least) = (over.next.clone(), over.list + 1);
            continue;
        }
        return place(servers, least, &found, &options.table.name);
    }
    Err(Error::Input(format!(
        "the table {:?} has gone on more than {MOST_LISTS} times; name the servers that have it now",
        options.table.name
    )))
}

/// Returns the list of servers none of which is over.
fn place(
    servers: Vec<String>,
    least: u32,
    found: &[Option<Located>],
    table: &str,
) -> Result<Place, Error> {
    let list = found.iter().flatten().map(|one| one.list).max().unwrap_or(least);
    if let Some(lacks) = found.iter().flatten().find(|one| !one.whole) {
        return Ok(Place { list: lacks.list, servers, former: lacks.former.clone() });
    }
    // A server that knows nothing of a first list has no rows that anybody touched.
    let other = |one: &Option<Located>| one.as_ref().map_or(0, |one| one.list) != list;
    match found.iter().zip(&servers).find(|(one, _)| other(one)) {
        None => Ok(Place { list, servers, former: Vec::new() }),
        Some((one, server)) => Err(Error::Input(format!(
            "the servers {servers:?} do not have the table {table:?} together: {server} has {}, and another one list {list}; name all servers that have it now, and start each with the folder for data that it had",
            one.as_ref().map_or("none of its rows".to_owned(), |one| format!("list {}", one.list)),
        ))),
    }
}

/// Asks a server, which may take a while to start.
fn locate(
    server: &str,
    least: u32,
    options: &TableOptions,
    waiting: Waiting<'_>,
) -> Result<Option<Located>, Error> {
    let start = Instant::now();
    let question = Request::Locate { name: options.table.name.clone(), least };
    loop {
        match ask(server, options.token.as_ref(), options.timeout, &question) {
            Ok(Reply::Located(located)) => return Ok(located),
            Ok(_) => {
                let (address, why) = (
                    server.to_owned(),
                    "it answers another question than was asked; install the same netfold on both"
                        .to_owned(),
                );
                return Err(Error::Refused { address, why });
            }
            Err(Error::NoServer { .. }) if start.elapsed() < options.timeout.min(START_LIMIT) => {}
            Err(error) => return Err(error),
        }
        if waiting().is_break() {
            return Err(Error::Interrupted);
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(list: u32, whole: bool) -> Option<Located> {
        let former = if whole { vec![] } else { vec!["a".into()] };
        Some(Located { list, whole, former, next: vec![] })
    }

    #[test]
    fn servers_must_have_one_list_together() {
        let find = |found: &[_]| {
            let servers = ["b", "c"].map(str::to_owned).to_vec();
            place(servers, 0, found, "t").map(|place| (place.list, place.former.join(",")))
        };
        assert_eq!(find(&[None, None]).unwrap(), (0, String::new()));
        assert_eq!(find(&[at(0, true), None]).unwrap(), (0, String::new()));
        assert_eq!(find(&[at(3, true), at(3, true)]).unwrap(), (3, String::new()));
        assert_eq!(find(&[at(3, true), at(3, false)]).unwrap(), (3, "a".into()));
        for (lacks, what) in [(None, "none of its rows"), (at(2, true), "list 2")] {
            let why = find(&[at(3, true), lacks]).unwrap_err().to_string();
            assert!(why.contains("c has") && why.contains(what), "{why}");
        }
    }
}
