//! Agreement between workers, and the words for a difference.

use std::collections::BTreeSet;

use netfold_wire::PARTS;

use crate::message::{Hello, Plane, SwitchTable};
use crate::numbers::Numbers;
use crate::parts::MOST_ROWS;
use crate::{Layout, Ranking};

/// Extent to which two workers must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// On everything that stored rows depend on: that of any run.
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
            named("element type", &ours.element_type.name(), &theirs.element_type.name()),
            named("seed", &ours.seed, &theirs.seed),
            named("initialiser", &ours.initialiser, &theirs.initialiser),
            named("optimizer (name, numbers of a row)", &state(agreed), &state(hello)),
            named("server", &agreed.server, &hello.server),
            named("servers", &agreed.servers, &hello.servers),
            named("list", &agreed.list, &hello.list),
        ];
        let run = [
            hot_keys(&agreed.hot_keys, &hello.hot_keys),
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
    let element_type = table.element_type;
    need(
        Numbers::none(element_type).is_some(),
        format!("rows of {element_type}; a table has rows of f32, f64, i32 or i64"),
    )?;
    table.optimizer.check().or_else(|why| need(false, why))?;
    table.optimizer.check_type(element_type).or_else(|why| need(false, why))?;
    table.initialiser.check(element_type).or_else(|why| need(false, why))?;
    check_keys(rows, &hello.hot_keys).or_else(|why| need(false, why))?;
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

/// Names what is wrong with the switch of these terms.
pub(super) fn check_switch(terms: &Hello) -> Result<(), String> {
    let switch = terms.switch.as_ref();
    let checked = switch.map_or(Ok(()), |switch| check_rows(terms, switch, &terms.hot_keys));
    checked.map_err(|why| format!("rank {} of table {:?}: {why}", terms.rank, terms.table.name))
}

/// Names what is wrong with a plane of the table with these terms (R-SERVE-10).
pub(super) fn check_plane(terms: &Hello, plane: &Plane) -> Result<(), String> {
    check_keys(terms.table.rows, &plane.hot_keys)?;
    check_rows(terms, &plane.switch, &plane.hot_keys)
}

fn check_keys(rows: u64, hot_keys: &[u32]) -> Result<(), String> {
    let largest = hot_keys.iter().max();
    if largest.is_some_and(|key| u64::from(*key) >= rows) {
        return Err(format!("hot key {largest:?} is not below the {rows} rows"));
    }
    let (hot, distinct) = (hot_keys.len(), hot_keys.iter().collect::<BTreeSet<_>>().len());
    if distinct == hot {
        Ok(())
    } else {
        Err(format!("{hot} hot keys, of which {distinct} are distinct"))
    }
}

fn check_rows(terms: &Hello, switch: &SwitchTable, hot_keys: &[u32]) -> Result<(), String> {
    let (found, own) = (switch.element_type, terms.table.element_type);
    if found != own {
        return Err(format!("the switch has rows of {found}, and the table rows of {own}"));
    }
    let (rows, width, own) = (switch.rows, switch.width, terms.table.width);
    let ranks = Ranking::new(&Layout::new(terms.table.rows), terms.servers, hot_keys).ranks();
    if (rows, width) == (ranks, own) {
        return Ok(());
    }
    let hot = hot_keys.len();
    Err(format!(
        "the switch has {rows} rows of {width}, and {hot} hot keys have {ranks} ranks, with rows of \
         {own}"
    ))
}
