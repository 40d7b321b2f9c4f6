//! What workers agree on, and how a difference is told.

use std::collections::BTreeSet;

use crate::message::Hello;
use crate::parts::{MOST_ROWS, PARTS};

/// How much two workers must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// What the stored rows depend on: that of any run.
    Stored,
    /// Everything: that of the workers of one run.
    Run,
}

impl Agreement {
    /// Names the first difference of `hello` from what was agreed, with both values and both ranks.
    pub fn compare(self, agreed: &Hello, hello: &Hello) -> Result<(), String> {
        let (ours, theirs) = (&agreed.table, &hello.table);
        let state = |hello: &Hello| {
            let optimizer = &hello.table.optimizer;
            (optimizer.name(), optimizer.lanes(usize::from(hello.table.width)))
        };
        let stored = [
            named("table", &ours.name, &theirs.name),
            named("rows", &ours.rows, &theirs.rows),
            named("width", &ours.width, &theirs.width),
            named("seed", &ours.seed, &theirs.seed),
            named("initialiser", &ours.initialiser, &theirs.initialiser),
            named("optimizer (name, numbers of a row)", &state(agreed), &state(hello)),
            named("server", &agreed.server, &hello.server),
            named("servers", &agreed.servers, &hello.servers),
            hot_keys(&agreed.hot_keys, &hello.hot_keys),
        ];
        let run = [
            named("workers", &agreed.workers, &hello.workers),
            named("optimizer", &ours.optimizer, &theirs.optimizer),
            named("staleness", &ours.staleness, &theirs.staleness),
            named("resident", &ours.resident, &theirs.resident),
            named("max_age_ms", &ours.max_age_ms, &theirs.max_age_ms),
            named("switch", &agreed.switch, &hello.switch),
        ];
        let of_run = run.into_iter().filter(|_| self == Self::Run);
        match stored.into_iter().chain(of_run).flatten().next() {
            None => Ok(()),
            Some((what, ours, theirs)) => Err(format!(
                "rank {} has {what} {theirs}, rank {} {} {ours}; all workers of a table must agree",
                hello.rank,
                agreed.rank,
                if self == Self::Run { "has" } else { "of the run that is stored had" },
            )),
        }
    }
}

/// A difference: what, and both values.
type Difference = Option<(&'static str, String, String)>;

fn named<T: PartialEq + core::fmt::Debug>(what: &'static str, ours: &T, theirs: &T) -> Difference {
    (ours != theirs).then(|| (what, format!("{ours:?}"), format!("{theirs:?}")))
}

fn hot_keys(ours: &[u32], theirs: &[u32]) -> Difference {
    if ours == theirs {
        return None;
    }
    let rank = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let tell = |keys: &[u32]| match keys.get(rank) {
        Some(key) => format!("key {key} as hot rank {rank} of {}", keys.len()),
        None => format!("no hot rank {rank}"),
    };
    Some(("hot_keys:", tell(ours), tell(theirs)))
}

/// Names what is wrong with `hello` by itself.
pub(super) fn check(hello: &Hello) -> Result<(), String> {
    let table = &hello.table;
    let rank = hello.rank;
    let need = |right: bool, why: String| match right {
        true => Ok(()),
        false => Err(format!("rank {rank} of table {:?}: {why}", table.name)),
    };
    let rows = table.rows;
    need((1..=MOST_ROWS).contains(&rows), format!("{rows} rows; a table has 1 to 2^32"))?;
    need(table.width > 0, "rows of no numbers".into())?;
    let workers = hello.workers;
    need(rank < workers, format!("the rank is not below the {workers} workers"))?;
    let (server, servers) = (hello.server, hello.servers);
    need(
        u32::from(servers) <= PARTS && server < servers,
        format!("server {server} of {servers}; there are at most {PARTS}, from 0"),
    )?;
    table.optimizer.check().or_else(|why| need(false, why))?;
    table.initialiser.check().or_else(|why| need(false, why))?;
    let hot = hello.hot_keys.len();
    let largest = hello.hot_keys.iter().max();
    need(
        largest.is_none_or(|key| u64::from(*key) < rows),
        format!("hot key {largest:?} is not below the {rows} rows"),
    )?;
    let distinct = hello.hot_keys.iter().collect::<BTreeSet<_>>().len();
    need(distinct == hot, format!("{hot} hot keys, of which {distinct} are distinct"))?;
    if let Some(switch) = &hello.switch {
        let (ranks, width) = (switch.rows, switch.width);
        need(
            ranks as usize == hot && width == table.width,
            format!(
                "the switch has {ranks} rows of {width}, and {hot} hot keys have rows of {}",
                table.width
            ),
        )?;
    }
    if table.resident {
        table.optimizer.check_resident().or_else(|why| need(false, why))?;
        need(
            table.staleness != Some(0),
            "resident rows change with each push, so steps cannot be applied as one (R-SERVE-5); \
             take a staleness from 1, or mode \"drained\""
                .into(),
        )?;
    }
    Ok(())
}
