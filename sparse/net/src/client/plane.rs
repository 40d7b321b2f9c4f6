//! The way of hot pushes: to the switch of the table's plane, and to the servers while it has none
//! (R-KEY-10, R-KEY-13).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::thread;

use netfold_sparse::{Change, Numbers, Plane as Named, Pushed, Request};

use super::link::{LinkState, Notice};
use super::split::Split;
use super::warnings::Warnings;
use crate::frame::framed;
use crate::hot::{HotRows, HotStats, Planes};

/// Bytes of a change beside its pairs.
const HEADER_BYTES: usize = 32;

/// The hot rows of a table, and the links to which they are replayed.
pub(crate) struct Plane {
    me: Weak<Self>,
    table: String,
    links: OnceLock<Vec<Arc<LinkState>>>,
    /// The switches of the next ones.
    planes: Option<Arc<dyn Planes>>,
    current: RwLock<Current>,
    /// No other plane is looked for.
    closed: AtomicBool,
    pub(crate) warnings: Warnings,
}

/// The plane that a table has, or had last.
struct Current {
    /// Another one after each change of the way.
    number: u64,
    split: Arc<Split>,
    hot_keys: Arc<[u32]>,
    hot: Option<(Arc<dyn HotRows>, u32)>,
    way: Way,
    /// Traffic to the switches of former planes.
    former: HotStats,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Switch,
    /// Sealed before the links were there.
    Sealing,
    Servers,
}

/// The places of keys at a time.
#[derive(Clone)]
pub(crate) struct View {
    number: u64,
    pub(crate) split: Arc<Split>,
    /// The hot rows, if they are at the switch.
    pub(crate) hot: Option<(Arc<dyn HotRows>, u32)>,
}

impl Plane {
    pub(crate) fn new(
        table: &str,
        (split, hot_keys): (Split, &[u32]),
        hot: Option<Arc<dyn HotRows>>,
        planes: Option<Arc<dyn Planes>>,
    ) -> Arc<Self> {
        let way = if hot.is_some() { Way::Switch } else { Way::Servers };
        let current = Current {
            number: 0,
            split: Arc::new(split),
            hot_keys: hot_keys.into(),
            hot: hot.map(named),
            way,
            former: HotStats::default(),
        };
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            table: table.to_owned(),
            links: OnceLock::new(),
            planes,
            current: RwLock::new(current),
            closed: AtomicBool::new(false),
            warnings: Warnings::default(),
        })
    }

    fn read(&self) -> RwLockReadGuard<'_, Current> {
        self.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in the links, once all are there.
    pub(crate) fn set_links(&self, links: Vec<Arc<LinkState>>) {
        let unset = self.links.set(links);
        debug_assert!(unset.is_ok(), "links are set once");
        let (way, epoch) = {
            let current = self.read();
            (current.way, current.hot.as_ref().map(|(_, epoch)| *epoch))
        };
        if let Some(epoch) = epoch.filter(|_| way == Way::Sealing) {
            self.lose(epoch, "a server has sealed the epoch");
        }
    }

    /// Looks for no other plane any more.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// Returns the places of keys now.
    pub(crate) fn view(&self) -> View {
        let (view, lost) = {
            let current = self.read();
            let hot = current.hot.as_ref().filter(|_| current.way == Way::Switch).cloned();
            let lost = hot.as_ref().and_then(|(hot, epoch)| Some((hot.lost()?, *epoch)));
            (View { number: current.number, split: current.split.clone(), hot }, lost)
        };
        let Some((lost, epoch)) = lost else { return view };
        self.lose(epoch, &lost.0);
        let current = self.read();
        let hot = current.hot.as_ref().filter(|_| current.way == Way::Switch).cloned();
        View { number: current.number, split: current.split.clone(), hot }
    }

    /// Returns whether hot rows are at the switch.
    pub(crate) fn at_switch(&self) -> bool {
        self.view().hot.is_some()
    }

    /// Does something unless the places of keys have changed since `view`; returns whether it did.
    /// They change only afterwards.
    pub(crate) fn unless_changed(&self, view: &View, act: impl FnOnce()) -> bool {
        let current = self.read();
        let same = current.number == view.number;
        if same {
            act();
        }
        same
    }

    /// Pushes to the switch. Returns whether it has taken the pairs; otherwise their places have
    /// changed since `view`.
    pub(crate) fn push(&self, view: &View, ranks: &[u32], rows: &Numbers) -> bool {
        let Some((hot, epoch)) = &view.hot else { return false };
        let mut lost = None;
        // Replays of a seal have all that was pushed, since it waits for this.
        let same = self.unless_changed(view, || lost = hot.push(ranks, rows).err());
        if let Some(lost) = &lost {
            self.lose(*epoch, &lost.0);
        }
        same && lost.is_none()
    }

    /// Does something with what was pushed to the switch of the plane so far. The plane ends only
    /// afterwards, so that what this sends goes before the replays, or has no need of them.
    pub(crate) fn with_pushed<T>(&self, act: impl FnOnce(Pushed) -> T) -> T {
        let current = self.read();
        let hot = current.hot.as_ref().filter(|_| current.way == Way::Switch);
        let pushed = hot.map(|(hot, epoch)| Pushed { epoch: *epoch, count: hot.made() });
        act(pushed.unwrap_or_default())
    }

    /// Takes in what a server tells.
    pub(crate) fn notice(&self, notice: Notice) {
        match notice {
            Notice::Away { address, why } => {
                self.warnings.warn(format!("the server at {address} is away ({why}); trying again"))
            }
            Notice::Back { address } => {
                self.warnings.warn(format!("the server at {address} is back"));
            }
            Notice::Stored { parts, pushed } => {
                if let Some((hot, epoch)) = &self.read().hot
                    && *epoch == pushed.epoch
                {
                    hot.stored(parts, pushed.count);
                }
            }
            Notice::Sealed { epoch } => self.lose(epoch, "a server has sealed the epoch"),
        }
    }

    /// The switch is lost: the plane ends, and the table has the next one where its job resumes
    /// (R-KEY-14).
    pub(crate) fn lose(&self, epoch: u32, why: &str) {
        let Some(number) = self.end(epoch) else { return };
        let (Some(plane), Some(planes)) = (self.me.upgrade(), self.planes.clone()) else {
            self.tell_lost(why);
            return;
        };
        let why = why.to_owned();
        let looks = thread::Builder::new().name("netfold-plane".into());
        let started = looks.spawn(move || plane.resume(&*planes, epoch, number, &why));
        if let Err(error) = started {
            self.tell_lost(&format!("and no thread can look for another one: {error}"));
        }
    }

    fn tell_lost(&self, why: &str) {
        self.warnings.warn(format!(
            "the switch of the table {:?} is lost ({why}): its hot rows go to the servers from now on, which is correct and slower; start the workers anew to use a switch again",
            self.table
        ));
    }

    /// Goes on at the switch where the job of a lost epoch resumes.
    fn resume(&self, planes: &dyn Planes, epoch: u32, number: u64, why: &str) {
        let over = || self.closed.load(Ordering::SeqCst) || self.read().number != number;
        match planes.resume(epoch, &over) {
            // Other hot keys may have come meanwhile.
            _ if over() => {}
            Ok(hot) => {
                let at = hot.table().address;
                let (split, hot_keys) = {
                    let current = self.read();
                    (current.split.clone(), current.hot_keys.clone())
                };
                if self.open(number, Some(hot), split, hot_keys) {
                    self.warnings.warn(format!(
                        "the switch of the table {:?} is lost ({why}): its hot rows are at the switch {at} from now on",
                        self.table
                    ));
                }
            }
            Err(lost) => self.tell_lost(&format!("{why}; {lost}")),
        }
    }

    /// Ends the plane, whatever it is, for other hot keys (R-KEY-15). Returns the number of the
    /// change.
    pub(crate) fn end_last(&self) -> u64 {
        let epoch = self.read().hot.as_ref().map(|(_, epoch)| *epoch);
        if let Some(number) = epoch.and_then(|epoch| self.end(epoch)) {
            return number;
        }
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        current.number += 1;
        current.number
    }

    /// Ends a plane: nothing more goes to its switch, and the servers get what is kept (R-KEY-10).
    /// Returns the number of the change, if it was the last plane, and not over.
    fn end(&self, epoch: u32) -> Option<u64> {
        let hot = {
            let current = self.read();
            let (hot, own) = current.hot.as_ref()?;
            (*own == epoch && current.way != Way::Servers).then(|| hot.clone())?
        };
        // First, so that a push that waits for the switch gives way.
        hot.seal();
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let same = current.hot.as_ref().is_some_and(|(_, own)| *own == epoch);
        if !same || current.way == Way::Servers {
            return None;
        }
        let Some(links) = self.links.get() else {
            current.way = Way::Sealing;
            return None;
        };
        current.way = Way::Servers;
        current.number += 1;
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
        Some(current.number)
    }

    /// Opens the next plane (R-KEY-13), unless something has changed since the change of this
    /// number. Without hot rows at a switch, the servers alone have the table.
    pub(crate) fn open(
        &self,
        number: u64,
        hot: Option<Arc<dyn HotRows>>,
        split: Arc<Split>,
        hot_keys: Arc<[u32]>,
    ) -> bool {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let (Some(links), true) = (self.links.get(), current.number == number) else {
            return false;
        };
        if let Some((former, _)) = current.hot.take() {
            current.former = current.former.plus(former.stats());
        }
        current.number += 1;
        current.way = if hot.is_some() { Way::Switch } else { Way::Servers };
        if let Some(hot) = &hot {
            let plane = Named { switch: hot.table(), hot_keys: hot_keys.to_vec() };
            for link in links {
                link.unseal();
                let change = Change::Open { plane: Box::new(plane.clone()) };
                link.change(|number| {
                    framed(HEADER_BYTES, |out| Request::Change { number, change }.encode(out))
                });
            }
        }
        (current.split, current.hot_keys) = (split, hot_keys);
        current.hot = hot.map(named);
        true
    }

    /// Returns the hot keys, the hottest first.
    pub(crate) fn hot_keys(&self) -> Arc<[u32]> {
        self.read().hot_keys.clone()
    }

    /// Returns the traffic to switches so far.
    pub(crate) fn stats(&self) -> HotStats {
        let current = self.read();
        let own = current.hot.as_ref().map(|(hot, _)| hot.stats()).unwrap_or_default();
        current.former.plus(own)
    }
}

fn named(hot: Arc<dyn HotRows>) -> (Arc<dyn HotRows>, u32) {
    let epoch = hot.table().epoch;
    (hot, epoch)
}
