//! A worker as R-SERVE-2, R-SERVE-5 and R-KEY-10 want it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use netfold_sparse::{
    Change, Hello, Layout, Optimizer, Plane, Pushed, Ranking, Reply, Request, Taken, part_of_rank,
    server_of,
};

use crate::cluster::{floats, numbers};
use crate::moving::Moving;
use crate::switch::Switch;

/// The way to one server.
#[derive(Default)]
pub struct Link {
    /// The hello, if the server is of a list that the worker is at, or goes to.
    pub hello: Option<Hello>,
    pub connection: Option<u64>,
    pub up: VecDeque<Request>,
    pub down: VecDeque<Reply>,
    pub welcomed: bool,
    /// It was welcomed once.
    pub known: bool,
    number: u64,
    /// The last number that was ever acknowledged.
    stored: u64,
    /// Changes that have not been acknowledged.
    kept: VecDeque<(u64, Change)>,
    /// The pushes to this worker's plane that the server has stored.
    pushed: u32,
    pub sealed: bool,
    /// Questions without an answer, which are asked again on another connection.
    asked: BTreeMap<u32, Request>,
    pub stepped: Option<u32>,
}

/// A push to the switch.
pub struct Hot {
    pub push: u32,
    pub pairs: Vec<(u32, f32)>,
    pub acknowledged: bool,
}

pub struct Worker {
    pub hello: Hello,
    /// The ways to the servers of all lists, and the first of its own.
    pub links: Vec<Link>,
    pub first: usize,
    pub moving: Moving,
    /// The rows that servers have answered.
    pub taken: Vec<(usize, Taken)>,
    pub layout: Layout,
    /// Its plane: the epoch, and the hot keys by rank.
    pub epoch: u32,
    pub ranking: Ranking,
    pub hot: Vec<Hot>,
    pushes: u32,
    ids: u32,
    /// The switch is lost, as far as this worker knows.
    pub sealed: bool,
    /// Answers: the keys of each pull, and its rows.
    pub pulled: Vec<(Vec<u32>, Vec<f32>)>,
    pub flushed: usize,
}

impl Worker {
    pub fn new(hello: Hello) -> Self {
        let own = |server| Hello { server, ..hello.clone() };
        let own = (0..hello.servers).map(own);
        let links = own.map(|hello| Link { hello: Some(hello), ..Link::default() }).collect();
        let layout = Layout::new(hello.table.rows);
        let ranking = Ranking::new(&layout, hello.servers, &hello.hot_keys);
        Self {
            epoch: hello.switch.as_ref().map_or(0, |switch| switch.epoch),
            hello,
            links,
            first: 0,
            moving: Moving::default(),
            taken: Vec::new(),
            layout,
            ranking,
            hot: Vec::new(),
            pushes: 0,
            ids: 0,
            sealed: false,
            pulled: Vec::new(),
            flushed: 0,
        }
    }

    pub fn rank_of(&self, key: u32) -> Option<u32> {
        self.ranking.keys().iter().position(|hot| *hot == Some(key)).map(|rank| rank as u32)
    }

    /// Returns the servers of its list.
    pub fn here(&self) -> Range<usize> {
        self.first..self.first + usize::from(self.hello.servers)
    }

    /// Returns the server of a key.
    pub fn server(&self, key: u32) -> usize {
        self.first + usize::from(server_of(self.layout.part(key), self.hello.servers))
    }

    pub fn connect(&mut self, server: usize, connection: u64) {
        let link = &mut self.links[server];
        let Some(hello) = link.hello.clone() else { return };
        link.connection = Some(connection);
        link.up.push_back(Request::Hello(Box::new(hello)));
    }

    pub fn cut(&mut self, server: usize) {
        let link = &mut self.links[server];
        (link.connection, link.welcomed) = (None, false);
        link.up.clear();
        link.down.clear();
    }

    pub fn change(&mut self, server: usize, change: Change) {
        let link = &mut self.links[server];
        link.number += 1;
        link.kept.push_back((link.number, change.clone()));
        if link.welcomed {
            link.up.push_back(Request::Change { number: link.number, change });
        }
    }

    /// Asks each server that `request` names something for.
    pub fn ask(
        &mut self,
        servers: Range<usize>,
        request: impl Fn(&Self, usize, u32) -> Option<Request>,
    ) -> usize {
        self.ids += 1;
        let asked = servers.filter_map(|at| Some((at, request(self, at, self.ids)?)));
        let asked: Vec<_> = asked.collect();
        for (at, request) in &asked {
            let link = &mut self.links[*at];
            link.asked.insert(self.ids, request.clone());
            if link.welcomed {
                link.up.push_back(request.clone());
            }
        }
        asked.len()
    }

    /// Pulls `keys`, and returns the number of answers to wait for.
    pub fn pull(&mut self, step: Option<u32>, keys: &[u32]) -> usize {
        self.pulled.clear();
        self.ask(self.here(), |worker, server, id| {
            let own = keys.iter().copied().filter(|key| worker.server(*key) == server);
            let keys: Vec<u32> = own.collect();
            (!keys.is_empty()).then_some(Request::Pull { id, step, keys })
        })
    }

    pub fn flush(&mut self) -> usize {
        self.flush_at(self.here())
    }

    pub fn flush_at(&mut self, servers: Range<usize>) -> usize {
        self.flushed = 0;
        self.ask(servers, |worker, _, id| Some(Request::Flush { id, pushed: worker.pushed() }))
    }

    /// Its pushes to its plane.
    fn pushed(&self) -> Pushed {
        if self.sealed {
            Pushed::default()
        } else {
            Pushed { epoch: self.epoch, count: self.pushes }
        }
    }

    /// Pushes gradients: to servers, or to the switch if there is one and the keys are hot.
    pub fn push(&mut self, gradients: &BTreeMap<u32, f32>) {
        let mut cold: Vec<(Vec<u32>, Vec<f32>)> = vec![Default::default(); self.links.len()];
        let mut pairs = Vec::new();
        for (&key, &number) in gradients {
            match self.rank_of(key).filter(|_| !self.sealed) {
                Some(rank) => pairs.push((rank, number)),
                None => {
                    let (keys, rows) = &mut cold[self.server(key)];
                    keys.push(key);
                    rows.push(number * self.scale());
                }
            }
        }
        for (server, (keys, rows)) in cold.into_iter().enumerate() {
            if !keys.is_empty() {
                let rows = numbers(self.hello.table.element_type, &rows);
                self.change(server, Change::Push { keys, rows });
            }
        }
        if !pairs.is_empty() {
            self.hot.push(Hot { push: self.pushes, pairs, acknowledged: false });
            self.pushes += 1;
        }
    }

    /// Returns what servers multiply by less: rows of the switch are not multiplied when they are
    /// resident, and all rows should be the same sums.
    fn scale(&self) -> f32 {
        let table = &self.hello.table;
        if table.resident && table.optimizer != Optimizer::Sum { 2.0 } else { 1.0 }
    }

    /// Sends a push to the switch, for the first time or again; the answer may be lost.
    pub fn send_hot(&mut self, at: usize, switch: &mut Switch, heard: bool) {
        let hot = &mut self.hot[at];
        let taken = switch.push(self.hello.rank, hot.push, &hot.pairs);
        hot.acknowledged |= taken && heard;
    }

    /// Ends a step at a server if all hot pushes are acknowledged, or sent to it once more.
    pub fn end_step(&mut self, server: usize, step: u32) -> bool {
        let acknowledged = self.hot.iter().all(|hot| hot.acknowledged);
        let link = &self.links[server];
        let may = if self.sealed { link.sealed } else { acknowledged };
        if may {
            self.change(server, Change::EndStep { step, pushed: self.pushed() });
        }
        may
    }

    /// Learns that the switch is lost, or the plane over, and sends the servers what they may not
    /// have of it (R-KEY-10). What it has for hot rows from now on comes after that.
    pub fn seal(&mut self) {
        self.sealed = true;
        self.tell_seal();
        self.here().for_each(|server| self.replay(server));
    }

    /// Opens another plane, when this one is replayed to all servers (R-KEY-13). Returns whether it
    /// did.
    pub fn open(&mut self, plane: &Plane) -> bool {
        let here = self.here();
        if !self.links[here.clone()].iter().all(|link| link.sealed) {
            return false;
        }
        (self.epoch, self.sealed, self.pushes) = (plane.switch.epoch, false, 0);
        self.ranking = Ranking::new(&self.layout, self.hello.servers, &plane.hot_keys);
        self.hot.clear();
        for server in here {
            (self.links[server].sealed, self.links[server].pushed) = (false, 0);
            self.change(server, Change::Open { plane: Box::new(plane.clone()) });
        }
        true
    }

    fn tell_seal(&mut self) {
        let epoch = self.epoch;
        let here = self.here();
        for link in self.links[here].iter_mut().filter(|link| link.welcomed) {
            link.up.push_back(Request::Seal { epoch });
        }
    }

    /// Takes a message of a server.
    pub fn take(&mut self, server: usize) {
        let link = &mut self.links[server];
        let Some(reply) = link.down.pop_front() else { return };
        match reply {
            Reply::Welcome { stored, pushed, .. } => {
                link.known = true;
                assert!(stored >= link.stored, "what was acknowledged is stored");
                link.welcomed = true;
                self.stored(server, stored, pushed);
                let link = &mut self.links[server];
                if self.sealed {
                    // First, since what follows may be for the servers because of it.
                    link.up.push_back(Request::Seal { epoch: self.epoch });
                }
                for (number, change) in &link.kept {
                    let change = change.clone();
                    link.up.push_back(Request::Change { number: *number, change });
                }
                link.up.extend(link.asked.values().cloned());
            }
            Reply::Stored { number, pushed } => self.stored(server, number, pushed),
            Reply::Rows { id, rows } => {
                if let Some(Request::Pull { keys, .. }) = link.asked.remove(&id) {
                    self.pulled.push((keys, floats(&rows)));
                }
            }
            Reply::Flushed { id } => {
                let flush = matches!(link.asked.remove(&id), Some(Request::Flush { .. }));
                self.flushed += usize::from(flush);
            }
            Reply::Taken { id, taken } => {
                if link.asked.remove(&id).is_some() {
                    self.taken.push((server, taken));
                }
            }
            Reply::Stepped { step } => link.stepped = Some(step),
            Reply::Sealed { epoch } if epoch == self.epoch && !self.sealed => self.seal(),
            Reply::Sealed { .. } => {}
            Reply::Refused { why } => panic!("refused: {why}"),
            Reply::Report(_) | Reply::Located(_) => panic!("nobody asked for {reply:?}"),
        }
    }

    fn stored(&mut self, server: usize, number: u64, pushed: Pushed) {
        let link = &mut self.links[server];
        link.stored = link.stored.max(number);
        link.kept.retain(|(own, _)| *own > number);
        if pushed.epoch == self.epoch {
            link.pushed = link.pushed.max(pushed.count);
        }
        // A push is forgotten when the servers of all its pairs have stored it.
        let (links, servers) = (&self.links[self.first..], self.hello.servers);
        self.hot.retain(|hot| {
            let mut servers =
                hot.pairs.iter().map(|(rank, _)| server_of(part_of_rank(*rank), servers));
            !hot.acknowledged || servers.any(|server| links[usize::from(server)].pushed <= hot.push)
        });
    }

    fn replay(&mut self, server: usize) {
        self.links[server].sealed = true;
        let epoch = self.epoch;
        let servers = self.hello.servers;
        let place = server - self.first;
        let own = |rank: u32| usize::from(server_of(part_of_rank(rank), servers)) == place;
        let replays: Vec<_> = self
            .hot
            .iter()
            .map(|hot| {
                let pairs = hot.pairs.iter().copied().filter(|(rank, _)| own(*rank));
                let (ranks, rows): (Vec<_>, Vec<_>) = pairs.unzip();
                let rows = numbers(self.hello.table.element_type, &rows);
                Change::Replay { epoch, push: hot.push, ranks, rows }
            })
            .collect();
        for replay in replays {
            self.change(server, replay);
        }
        self.change(server, Change::EndReplay { epoch });
    }
}
