//! The thread that reads a table at its switch (R-KEY-7 to 9), when the machine asks.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use netfold_sparse::{Numbers, SwitchTable};

use super::engine::Event;
use crate::error::Error;
use crate::hot::{HotReads, Lost, Switches};

/// Longest wait for an answer to one question.
const READ_LIMIT: Duration = Duration::from_secs(1);

/// Silence after which the switch counts as lost.
const SILENCE_LIMIT: Duration = Duration::from_secs(10);

/// A task for the reader of the switch.
pub(super) enum Task {
    /// Read, and close before if possible; generations up to `stored` are stored.
    Read { close: bool, stored: u32 },
    /// Load values of resident rows.
    Load { ranks: Vec<u32>, rows: Numbers },
}

/// The reader of an epoch. Its thread ends with it.
pub(super) struct Reading {
    epoch: u32,
    tasks: Sender<Task>,
}

impl Reading {
    pub(super) fn start(
        switches: Arc<dyn Switches>,
        switch: SwitchTable,
        parts: u64,
        stored: u32,
        events: SyncSender<Event>,
    ) -> Result<Self, Error> {
        let (tasks, received) = mpsc::channel();
        let epoch = switch.epoch;
        thread::Builder::new()
            .name("netfold-read".into())
            .spawn(move || {
                let reads = switches.open(&switch, parts, stored);
                let read =
                    reads.and_then(|mut reads| serve(&mut *reads, epoch, &received, &events));
                if let Err(Lost(why)) = read {
                    // An engine that has ended needs no news.
                    let _ = events.send(Event::Lost { epoch, why });
                }
            })
            .map_err(Error::io("a thread that reads the switch"))?;
        Ok(Self { epoch, tasks })
    }

    pub(super) fn epoch(&self) -> u32 {
        self.epoch
    }

    pub(super) fn ask(&self, task: Task) {
        // One that has ended has told that the switch is lost.
        let _ = self.tasks.send(task);
    }
}

fn serve(
    reads: &mut dyn HotReads,
    epoch: u32,
    tasks: &Receiver<Task>,
    events: &SyncSender<Event>,
) -> Result<(), Lost> {
    let mut heard = Instant::now();
    for task in tasks {
        let event = match task {
            Task::Read { close, stored } => {
                reads.stored(stored);
                let answer = reads.read(close, READ_LIMIT)?;
                if answer.is_some() {
                    heard = Instant::now();
                } else if heard.elapsed() >= SILENCE_LIMIT {
                    let seconds = heard.elapsed().as_secs();
                    return Err(Lost(format!("it has been silent for {seconds} s")));
                }
                Event::Answered { epoch, answer }
            }
            Task::Load { ranks, rows } => {
                reads.load(&ranks, &rows, SILENCE_LIMIT)?;
                heard = Instant::now();
                Event::Loaded { epoch }
            }
        };
        if events.send(event).is_err() {
            break;
        }
    }
    Ok(())
}
