//! The way of hot pushes: to the switch, and to the servers once the switch is lost (R-KEY-10).

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use netfold_sparse::{Change, Request};

use super::link::{LinkState, Notice};
use super::warnings::Warnings;
use crate::frame::framed;
use crate::hot::{HotRows, Lost};

/// Bytes of a replay beside its pairs.
const HEADER_BYTES: usize = 32;

/// The hot rows of a table, and the links to which they are replayed.
pub(crate) struct Plane {
    table: String,
    hot: Option<(Arc<dyn HotRows>, u32)>,
    links: OnceLock<Vec<Arc<LinkState>>>,
    way: RwLock<Way>,
    pub(crate) warnings: Warnings,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Switch,
    /// Sealed before the links were there.
    Sealing,
    Servers,
}

impl Plane {
    pub(crate) fn new(table: &str, hot: Option<Arc<dyn HotRows>>) -> Self {
        let way = RwLock::new(if hot.is_some() { Way::Switch } else { Way::Servers });
        let hot = hot.map(|hot| {
            let epoch = hot.table().epoch;
            (hot, epoch)
        });
        Self {
            table: table.to_owned(),
            hot,
            links: OnceLock::new(),
            way,
            warnings: Warnings::default(),
        }
    }

    /// Takes in the links, once all are there.
    pub(crate) fn set_links(&self, links: Vec<Arc<LinkState>>) {
        let unset = self.links.set(links);
        debug_assert!(unset.is_ok(), "links are set once");
        let way = *self.way.read().unwrap_or_else(PoisonError::into_inner);
        if way == Way::Sealing {
            self.seal("a server has sealed the epoch");
        }
    }

    /// Returns whether hot rows are at the switch.
    pub(crate) fn at_switch(&self) -> bool {
        self.hot().is_some_and(|hot| {
            if let Some(lost) = hot.lost() {
                self.seal(&lost.0);
            }
            *self.way.read().unwrap_or_else(PoisonError::into_inner) == Way::Switch
        })
    }

    /// The hot rows, at the switch or what is known of them.
    pub(crate) fn hot(&self) -> Option<&Arc<dyn HotRows>> {
        self.hot.as_ref().map(|(hot, _)| hot)
    }

    /// Pushes to the switch. Returns whether it has taken the pairs; otherwise they are for the
    /// servers.
    pub(crate) fn push(&self, ranks: &[u32], rows: &[f32]) -> bool {
        let Some(hot) = self.hot() else { return false };
        let lost = {
            // Replays of a seal have all that was pushed, since it waits for this.
            let way = self.way.read().unwrap_or_else(PoisonError::into_inner);
            if *way != Way::Switch {
                return false;
            }
            match hot.push(ranks, rows) {
                Ok(()) => return true,
                Err(lost) => lost,
            }
        };
        self.seal(&lost.0);
        false
    }

    /// Takes in what a server tells.
    pub(crate) fn notice(&self, notice: Notice) {
        match &notice {
            Notice::Away { address, why } => {
                self.warnings.warn(format!("the server at {address} is away ({why}); trying again"))
            }
            Notice::Back { address } => {
                self.warnings.warn(format!("the server at {address} is back"));
            }
            _ => {}
        }
        let Some((hot, epoch)) = &self.hot else { return };
        match notice {
            Notice::Stored { parts, generation } => hot.stored(parts, generation),
            Notice::Sealed { epoch: sealed } if sealed == *epoch => {
                self.seal("a server has sealed the epoch");
            }
            Notice::Sealed { .. } | Notice::Away { .. } | Notice::Back { .. } => {}
        }
    }

    /// R-KEY-10: nothing more goes to the switch, and the servers get what is kept.
    pub(crate) fn seal(&self, why: &str) {
        let Some((hot, epoch)) = &self.hot else { return };
        let epoch = *epoch;
        // First, so that a push that waits for the switch gives way.
        hot.seal();
        let mut way = self.way.write().unwrap_or_else(PoisonError::into_inner);
        if *way == Way::Servers {
            return;
        }
        let Some(links) = self.links.get() else {
            *way = Way::Sealing;
            return;
        };
        *way = Way::Servers;
        self.warnings.warn(format!(
            "the switch of the table {:?} is lost ({why}): its hot rows go to the servers from now on, which is correct and slower; start the workers anew to use a switch again",
            self.table
        ));
        for link in links {
            link.seal(epoch);
            for kept in hot.kept(link.parts()) {
                let room = HEADER_BYTES + 4 * (kept.ranks.len() + kept.rows.len());
                let (push, ranks, rows) = (kept.push, kept.ranks, kept.rows);
                let change = Change::Replay { epoch, push, ranks, rows };
                link.change(|number| {
                    framed(room, |out| Request::Change { number, change }.encode(out))
                });
            }
            let change = Change::EndReplay { epoch };
            link.change(|number| {
                framed(HEADER_BYTES, |out| Request::Change { number, change }.encode(out))
            });
        }
    }

    /// Goes on without the switch if that is lost, and returns what else was asked for.
    pub(crate) fn unless_lost<T>(&self, outcome: Result<T, Lost>) -> Option<T> {
        outcome.map_err(|lost| self.seal(&lost.0)).ok()
    }
}
