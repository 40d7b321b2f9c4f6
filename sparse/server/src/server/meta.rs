//! Everything of a table but the rows, as the bytes that a checkpoint has beside them.

use serde::{Deserialize, Serialize};

use super::entry::windows;
use super::fault::{Fault, ServerError};
use super::plane::Epoch;
use super::rates::{Rates, Waiting};
use super::table::Table;
use super::worker::{Gradients, Pending, Worker};
use crate::codec::{Body, CodecError, put_numbers, put_words};
use crate::message::{Hello, Plane, Pushed};
use crate::store::Store;

/// The small parts, as JSON.
#[derive(Serialize, Deserialize)]
struct Small {
    terms: Hello,
    placed: Vec<u32>,
    workers: Vec<SmallWorker>,
    planes: Vec<SmallEpoch>,
    applied: Option<u32>,
    steps: u32,
    #[serde(default)]
    rates: Waiting,
    #[serde(default)]
    on_its_way: bool,
    #[serde(default)]
    over: bool,
    #[serde(default)]
    next: Vec<String>,
    #[serde(default)]
    dropped: bool,
}

#[derive(Serialize, Deserialize)]
struct SmallWorker {
    session: Option<u64>,
    number: u64,
    ended: Option<u32>,
    #[serde(default)]
    pushed: Pushed,
    plane: Option<u32>,
    replayed: Option<u32>,
    #[serde(default)]
    left: bool,
    #[serde(default)]
    moved: bool,
    #[serde(default)]
    arrived: bool,
    /// The ends of the steps whose gradients wait, which follow in this order.
    steps: Vec<Option<u32>>,
}

#[derive(Serialize, Deserialize)]
struct SmallEpoch {
    plane: Plane,
    generation: u32,
    sealed: bool,
    loaded: bool,
}

/// Writes what [`read`] reads.
pub(super) fn write<S>(table: &Table<S>) -> Vec<u8> {
    let worker = |worker: &Worker| SmallWorker {
        session: worker.session,
        number: worker.number,
        ended: worker.ended,
        pushed: worker.pushed,
        plane: worker.plane,
        replayed: worker.replayed,
        left: worker.left,
        moved: worker.moved,
        arrived: worker.arrived,
        steps: worker.pending.iter().map(|step| step.ended).collect(),
    };
    let epoch = |epoch: &Epoch| SmallEpoch {
        plane: Plane { switch: epoch.switch.clone(), hot_keys: epoch.hot_keys.clone() },
        generation: epoch.generation,
        sealed: epoch.sealed,
        loaded: epoch.loaded,
    };
    let small = Small {
        terms: table.terms.clone(),
        placed: table.placed.clone(),
        workers: table.workers.iter().map(worker).collect(),
        planes: table.planes.iter().map(epoch).collect(),
        applied: table.applied,
        steps: table.steps,
        rates: table.rates.waiting().clone(),
        on_its_way: !table.whole,
        over: table.over,
        next: table.next.clone(),
        dropped: table.dropped,
    };
    let small = serde_json::to_vec(&small).expect("numbers and text");
    let mut out = (small.len() as u32).to_le_bytes().to_vec();
    out.extend(small);
    for windows in table.planes.iter().map(Epoch::windows) {
        out.extend((windows.len() as u32).to_le_bytes());
        windows.iter().for_each(|window| put_words(&mut out, window.as_slice()));
    }
    put_gradients(&mut out, &table.hot);
    let steps = table.workers.iter().flat_map(|worker| &worker.pending);
    steps.for_each(|step| put_gradients(&mut out, &step.gradients));
    out
}

/// Makes the table that a checkpoint has.
pub(super) fn read<S: Store>(
    meta: &[u8],
    store: Option<S>,
    limit: usize,
) -> Result<Table<S>, ServerError> {
    let mut body = Body { kind: 0, rest: meta };
    let length = body.u32()? as usize;
    let small: Small = serde_json::from_slice(body.take(length)?)
        .map_err(|why| CodecError::Text { kind: 0, why: why.to_string() })?;
    let mut table = Table::placed(small.terms, small.placed, store, limit).map_err(unfit)?;
    for SmallEpoch { plane, generation, sealed, loaded } in small.planes {
        let count = body.u32()?;
        let windows = windows(&mut body, count)?;
        let mut epoch = table.epoch(plane);
        epoch.note(generation, windows);
        (epoch.sealed, epoch.loaded) = (sealed, loaded);
        table.planes.push(epoch);
    }
    (table.applied, table.steps) = (small.applied, small.steps);
    (table.whole, table.over, table.next) = (!small.on_its_way, small.over, small.next);
    if small.dropped {
        table.drop_rows();
    }
    table.rates = Rates::recovered(&table.terms.table.optimizer, small.rates);
    table.hot = gradients(&mut body)?;
    for worker in small.workers {
        let mut pending = |ended| Ok(Pending { ended, gradients: gradients(&mut body)? });
        let steps = worker.steps.into_iter();
        table.workers.push(Worker {
            session: worker.session,
            number: worker.number,
            ended: worker.ended,
            pushed: worker.pushed,
            plane: worker.plane,
            replayed: worker.replayed,
            left: worker.left,
            moved: worker.moved,
            arrived: worker.arrived,
            pending: steps.map(&mut pending).collect::<Result<_, CodecError>>()?,
        });
    }
    body.last(|_| Ok(()))?;
    table.count_waiting();
    Ok(table)
}

/// Takes a refusal as a fault of the store.
pub(super) fn unfit(fault: Fault) -> ServerError {
    fault.fatal(ServerError::Replay)
}

fn put_gradients(out: &mut Vec<u8>, gradients: &[Gradients]) {
    out.extend((gradients.len() as u32).to_le_bytes());
    for (slots, rows) in gradients {
        out.extend((slots.len() as u32).to_le_bytes());
        out.extend((rows.len() as u32).to_le_bytes());
        put_words(out, slots);
        put_numbers(out, rows);
    }
}

fn gradients(body: &mut Body<'_>) -> Result<Vec<Gradients>, CodecError> {
    let count = body.u32()?;
    let one = |_| {
        let (slots, rows) = (body.u32()?, body.u32()?);
        Ok((body.some_words(slots)?, body.some_numbers(rows)?))
    };
    (0..count).map(one).collect()
}
