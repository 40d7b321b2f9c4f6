//! Workers, servers, their stores and a switch, under faults drawn from a seed.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use netfold_num::Number;
use netfold_sparse::optimizer::{Optimizer, Sgd};
use netfold_sparse::{
    Answer, Checkpoint, ElementType, Hello, Initialiser, Layout, Limits, MemoryStore, Numbers,
    Output, Plane, Ranking, Reply, Server, Store, SwitchTable, TableSpec, each_type, with_type,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::moving::Moving;
use crate::switch::Switch;
use crate::worker::{Link, Worker};

pub const ROWS: u32 = 40;
pub const EPOCH: u32 = 9;

/// The hot keys by rank.
pub const HOT: [u32; 8] = [3, 39, 0, 17, 8, 21, 30, 5];

pub fn hello(rank: u16, workers: u16, servers: u16) -> Hello {
    let table = TableSpec {
        name: "clicks".into(),
        rows: u64::from(ROWS),
        width: 1,
        element_type: ElementType::F32,
        // Rows are sums of what is pushed.
        optimizer: Optimizer::Sgd(Sgd { lr: -1.0, ..Sgd::default() }),
        initialiser: Initialiser::Constant { value: 0.0 },
        seed: 1,
        staleness: None,
        resident: false,
        max_age_ms: 20,
    };
    let switch = SwitchTable {
        address: "127.0.0.1:4000".parse().expect("an address"),
        job: 4,
        epoch: EPOCH,
        workers: 0,
        datagram_bytes: 1472,
        integrity: "transport".into(),
        key: [0; 16],
        rows: ranks(servers, &HOT),
        width: 1,
        element_type: ElementType::F32,
        resident: false,
        arithmetic: "native".into(),
        byte_order: "little".into(),
        scale: 0,
    };
    Hello {
        table,
        rank,
        workers,
        session: 100 + u64::from(rank),
        server: 0,
        servers,
        list: 0,
        former: Vec::new(),
        hot_keys: HOT.to_vec(),
        switch: Some(switch),
    }
}

/// Returns numbers, which are integers, as those of rows of a type.
pub fn numbers(element_type: ElementType, rows: &[f32]) -> Numbers {
    let of = |row: &f32| f64::from(*row);
    let typed = with_type!(element_type, T => {
        rows.iter().map(|row| T::from_f64(of(row))).collect::<Vec<T>>().into()
    });
    typed.expect("a type of rows")
}

/// Returns the numbers of rows of any type, which are integers.
pub fn floats(numbers: &Numbers) -> Vec<f32> {
    each_type!(Numbers, numbers, rows => rows.iter().map(|row| row.to_f64() as f32).collect())
}

fn ranks(servers: u16, hot_keys: &[u32]) -> u32 {
    Ranking::new(&Layout::new(ROWS.into()), servers, hot_keys).ranks()
}

enum Task {
    Commit(u64, Vec<u8>),
    Checkpoint(Checkpoint),
}

/// A server's process and its folder.
struct Host {
    /// The server's place in its list.
    place: u16,
    server: Server<Arc<MemoryStore>>,
    store: Option<Arc<MemoryStore>>,
    tasks: VecDeque<Task>,
    asks: VecDeque<(u32, bool, u32)>,
    /// The question that the switch was asked last. The network may repeat it at any time.
    asked: Option<(u32, bool, u32)>,
    /// Answers of the switch that the server has not heard.
    answers: VecDeque<(u32, Option<Answer>)>,
    loads: VecDeque<(u32, Vec<u32>, Vec<f32>)>,
}

fn start(place: u16, store: Option<Arc<MemoryStore>>) -> Host {
    // Small limits: checkpoints come often.
    let limits = Limits { memory_bytes: 1 << 20, log_bytes: 6000 };
    let server = Server::recover(store.clone(), limits).expect("recovered");
    Host {
        place,
        server,
        store,
        tasks: VecDeque::new(),
        asks: VecDeque::new(),
        asked: None,
        answers: VecDeque::new(),
        loads: VecDeque::new(),
    }
}

pub struct Cluster {
    pub workers: Vec<Worker>,
    hosts: Vec<Host>,
    /// The first server of the last list, and of each one before, and after them.
    lists: Vec<usize>,
    /// The planes, and their switches. Workers are in the last one, or on their way to it.
    planes: Vec<(Plane, Switch)>,
    /// The list of each plane.
    lists_of_planes: Vec<u32>,
    pub random: Pcg64Mcg,
    now_us: u64,
    connections: u64,
    /// The sum of all gradients of each key.
    pub expected: BTreeMap<u32, f32>,
    /// Counts of what happened, so that a test can tell that it tested something.
    pub kills: u32,
    pub runs: u32,
    pub cuts: u32,
}

impl Cluster {
    pub fn new(
        seed: u64,
        workers: u16,
        servers: u16,
        durable: bool,
        spec: impl Fn(&mut Hello),
    ) -> Self {
        let hellos = (0..workers).map(|rank| {
            let mut hello = hello(rank, workers, servers);
            spec(&mut hello);
            hello
        });
        let workers: Vec<_> = hellos.map(Worker::new).collect();
        let TableSpec { resident, element_type, .. } = workers[0].hello.table;
        let switch = workers[0].hello.switch.clone().expect("a switch");
        Self {
            planes: vec![(
                Plane { switch, hot_keys: HOT.to_vec() },
                Switch::new(workers.len() as u16, servers, resident, element_type),
            )],
            lists_of_planes: vec![0],
            lists: vec![0, usize::from(servers)],
            hosts: (0..servers).map(|server| start(server, durable.then(Arc::default))).collect(),
            workers,
            random: Pcg64Mcg::seed_from_u64(seed),
            now_us: 0,
            connections: 0,
            expected: BTreeMap::new(),
            kills: 0,
            runs: 0,
            cuts: 0,
        }
    }

    pub fn draw(&mut self, below: usize) -> usize {
        self.random.random_range(0..below)
    }

    /// Draws gradients, integers from 1 for distinct keys, and counts them as expected.
    pub fn gradients(&mut self) -> BTreeMap<u32, f32> {
        let count = self.random.random_range(1..6);
        let mut drawn = BTreeMap::new();
        for _ in 0..count {
            let hot = self.random.random_bool(0.5);
            let key = if hot { HOT[self.draw(HOT.len())] } else { self.draw(ROWS as usize) as u32 };
            drawn.insert(key, self.random.random_range(1..50) as f32);
        }
        for (key, number) in &drawn {
            *self.expected.entry(*key).or_default() += number;
        }
        drawn
    }

    /// Does one thing that may happen at any time; what goes wrong does so with `faults`.
    pub fn happen(&mut self, faults: bool) {
        self.now_us += self.random.random_range(0..4000);
        let (worker, server) = (self.draw(self.workers.len()), self.draw(self.hosts.len()));
        let lost = faults && self.random.random_bool(0.3);
        match self.draw(if faults { 100 } else { 90 }) {
            0..25 => self.deliver(worker, server),
            25..50 => self.workers[worker].take(server),
            50..65 => self.store(server),
            65..72 => self.answer(server, lost),
            72..75 => {
                let host = &mut self.hosts[server];
                host.server.tick(self.now_us).expect("goes on");
                if self.random.random_bool(0.3) {
                    host.server.checkpoint();
                }
                self.drain(server);
            }
            75..84 => {
                if let Some(at) = self.workers[worker].hot.len().checked_sub(1) {
                    // Any of them, early or late, as a network that reorders and repeats.
                    let at = self.draw(at + 1);
                    let (workers, planes) = (&mut self.workers, &mut self.planes);
                    let own =
                        |(plane, _): &&mut (Plane, _)| plane.switch.epoch == workers[worker].epoch;
                    if let Some((_, switch)) = planes.iter_mut().find(own) {
                        workers[worker].send_hot(at, switch, !lost);
                    }
                }
            }
            84..90 => self.connect(worker, server),
            90..97 => {
                self.cuts += 1;
                self.cut(worker, server);
            }
            _ => self.kill(server),
        }
        self.change_planes(worker, server);
    }

    /// Lets a worker or a server notice that a switch is lost, or a worker go to the last plane.
    fn change_planes(&mut self, worker: usize, server: usize) {
        let (last, switch) = self.planes.last().expect("there is a plane");
        let own = &mut self.workers[worker];
        let over = last.switch.epoch != own.epoch || !switch.alive;
        let there = self.lists_of_planes.last() == Some(&own.hello.list);
        let there = there && own.moving == Moving::Here;
        if over && self.random.random_bool(0.01) {
            if !own.sealed && self.random.random_bool(0.7) {
                own.seal();
            } else if last.switch.epoch != own.epoch && there {
                own.open(last);
            }
        }
        if self.random.random_bool(0.005) {
            let at = self.random.random_range(0..self.planes.len());
            let (plane, switch) = &self.planes[at];
            if !switch.alive {
                let epoch = plane.switch.epoch;
                self.hosts[server].server.lost(self.now_us, epoch).expect("goes on");
                self.drain(server);
            }
        }
    }

    /// Has another plane, with hot keys that are drawn, or those of the last one.
    pub fn add_plane(&mut self, other_keys: bool) {
        let (mut plane, _) = self.planes.last().expect("there is a plane").clone();
        plane.switch.epoch += 1;
        if other_keys {
            let mut keys: Vec<u32> = (0..ROWS).collect();
            let count = self.random.random_range(1..12);
            plane.hot_keys = (0..count).map(|_| keys.remove(self.draw(keys.len()))).collect();
        }
        let Hello { workers, ref table, .. } = self.workers[0].hello;
        let servers = self.last_list().len() as u16;
        plane.switch.rows = ranks(servers, &plane.hot_keys);
        self.planes
            .push((plane, Switch::new(workers, servers, table.resident, table.element_type)));
        self.lists_of_planes.push(self.lists.len() as u32 - 2);
    }

    /// Returns the servers of the last list.
    pub fn last_list(&self) -> Range<usize> {
        let [.., first, end] = self.lists[..] else { unreachable!("there is a list") };
        first..end
    }

    /// Has other servers, to which no worker goes yet, and a plane there.
    pub fn add_list(&mut self, servers: u16, other_keys: bool) {
        let durable = self.hosts[0].store.is_some();
        for server in 0..servers {
            self.hosts.push(start(server, durable.then(Arc::default)));
            self.workers.iter_mut().for_each(|worker| worker.links.push(Link::default()));
        }
        self.lists.push(self.hosts.len());
        self.add_plane(other_keys);
    }

    /// Lets a worker go on to the next list, if there is one.
    pub fn move_on(&mut self, worker: usize) {
        let next = self.next_list(worker);
        let begins = self.random.random_bool(0.02);
        let own = &mut self.workers[worker];
        // A flush waits for all that was pushed.
        let waits = |one: &Worker| one.hot.iter().position(|hot| !hot.acknowledged);
        if let (Moving::Flushes(..), Some(at)) = (&own.moving, waits(own)) {
            let mut planes = self.planes.iter_mut();
            if let Some((_, switch)) = planes.find(|(plane, _)| plane.switch.epoch == own.epoch) {
                own.send_hot(at, switch, true);
            }
        }
        match next {
            Some(next) if own.moving == Moving::Here && begins => own.begin_move(next),
            _ => own.advance_move(None),
        }
    }

    /// Ends the processes of all workers if all of them are on their way and have flushed, and
    /// begins another run, whose workers find the table as R-SERVE-22 says. Returns whether it did.
    pub fn begin_run(&mut self) -> bool {
        let flushed = |one: &Worker| !matches!(one.moving, Moving::Here | Moving::Flushes(..));
        let list = self.workers[0].hello.list;
        if !self.workers.iter().all(|one| flushed(one) && one.hello.list == list) {
            return false;
        }
        let (here, next) = (self.workers[0].here(), self.next_list(0).expect("they go there"));
        let located = |at: usize| self.hosts[at].server.located();
        let mut over = here.filter_map(located).map(|one| !one.next.is_empty());
        let whole = next.clone().all(|at| located(at).is_some_and(|one| one.whole));
        let over = over.any(|over| over);
        for worker in 0..self.workers.len() {
            (0..self.hosts.len()).for_each(|server| self.cut(worker, server));
            let session = self.random.random();
            let there = whole.then(|| next.clone());
            self.workers[worker] = self.workers[worker].another(session, there);
            if over && !whole {
                self.workers[worker].finish_move(next.clone());
            }
        }
        self.runs += 1;
        true
    }

    /// Returns whether a worker is at the last list.
    pub fn is_at_last_list(&self, worker: usize) -> bool {
        self.workers[worker].moving == Moving::Here && self.next_list(worker).is_none()
    }

    /// Returns the servers of the list after a worker's, if there is one.
    pub fn next_list(&self, worker: usize) -> Option<Range<usize>> {
        let list = self.workers[worker].hello.list as usize;
        Some(*self.lists.get(list + 1)?..*self.lists.get(list + 2)?)
    }

    /// Loses the switch of the last plane.
    pub fn lose_switch(&mut self) {
        self.switch().alive = false;
    }

    pub fn switch(&mut self) -> &mut Switch {
        &mut self.planes.last_mut().expect("there is a plane").1
    }

    fn connect(&mut self, worker: usize, server: usize) {
        let link = &self.workers[worker].links[server];
        if link.connection.is_none() && link.hello.is_some() {
            self.connections += 1;
            self.workers[worker].connect(server, self.connections);
        }
    }

    fn cut(&mut self, worker: usize, server: usize) {
        if let Some(connection) = self.workers[worker].links[server].connection {
            self.hosts[server].server.disconnected(connection);
            self.workers[worker].cut(server);
        }
    }

    fn deliver(&mut self, worker: usize, server: usize) {
        let link = &mut self.workers[worker].links[server];
        let Some((connection, request)) = link.connection.zip(link.up.pop_front()) else { return };
        // As bytes, as on the way.
        let mut frame = Vec::new();
        request.encode(&mut frame);
        let request = netfold_sparse::Request::decode(&frame).expect("a request");
        self.hosts[server].server.request(self.now_us, connection, request).expect("goes on");
        self.drain(server);
    }

    fn store(&mut self, server: usize) {
        let host = &mut self.hosts[server];
        let Some(task) = host.tasks.pop_front() else { return };
        let store = host.store.as_ref().expect("a task has a store");
        match task {
            Task::Commit(batch, bytes) => {
                store.append(batch, &bytes).expect("in memory");
                // The process may end between the two; what is stored stays so.
                host.server.stored(self.now_us, batch).expect("goes on");
            }
            Task::Checkpoint(checkpoint) => {
                store.checkpoint(&checkpoint).expect("in memory");
                host.server.checkpointed();
            }
        }
        self.drain(server);
    }

    fn answer(&mut self, server: usize, lost: bool) {
        let host = &mut self.hosts[server];
        // A load takes its time: without a rule, generations would be read before.
        let comes = self.random.random_bool(0.2);
        if let Some((epoch, ranks, rows)) = host.loads.pop_front() {
            // The load is lost, or the answer to it.
            let switch = switch_of(&mut self.planes, epoch);
            match comes && switch.load(&ranks, &rows) && !lost {
                true => host.server.loaded(self.now_us, epoch).expect("goes on"),
                false => host.loads.push_front((epoch, ranks, rows)),
            }
        }
        if let Some((epoch, answer)) = host.answers.pop_front() {
            host.server.answered(self.now_us, epoch, answer).expect("goes on");
        }
        // The answer to a repetition is one that nobody waits for.
        let repeated = host.asked.filter(|_| self.random.random_bool(0.3));
        if let Some((epoch, close, stored)) = repeated {
            switch_of(&mut self.planes, epoch).read(host.place, close, stored);
        }
        // It is heard later, when more may have happened.
        if let Some((epoch, close, stored)) = host.asks.pop_front() {
            host.asked = Some((epoch, close, stored));
            let switch = switch_of(&mut self.planes, epoch);
            let answer = switch.read(host.place, close, stored).filter(|_| !lost);
            host.answers.push_back((epoch, answer));
        }
        self.drain(server);
    }

    /// Ends a server's process: what it has not stored is lost.
    pub fn kill(&mut self, server: usize) {
        if self.hosts[server].store.is_none() {
            return;
        }
        self.kills += 1;
        for worker in 0..self.workers.len() {
            self.workers[worker].cut(server);
        }
        // The last batch may be stored although nobody was told.
        let host = &mut self.hosts[server];
        let survives = self.random.random_bool(0.5);
        if let Some(Task::Commit(batch, bytes)) = host.tasks.pop_front().filter(|_| survives) {
            let store = host.store.as_ref().expect("a store");
            store.append(batch, &bytes).expect("in memory");
        }
        let host = &self.hosts[server];
        self.hosts[server] = start(host.place, host.store.clone());
        self.drain(server);
    }

    fn drain(&mut self, server: usize) {
        while let Some(output) = self.hosts[server].server.output() {
            let host = &mut self.hosts[server];
            match output {
                Output::Reply { reply: Reply::Refused { why }, .. } => panic!("refused: {why}"),
                Output::Reply { connection, reply } => {
                    let links = self.workers.iter_mut().map(|worker| &mut worker.links[server]);
                    if let Some(link) = links.into_iter().find(|l| l.connection == Some(connection))
                    {
                        let mut frame = Vec::new();
                        reply.encode(&mut frame);
                        link.down
                            .push_back(netfold_sparse::Reply::decode(&frame).expect("a reply"));
                    }
                }
                Output::Close { connection } => {
                    let mut workers = self.workers.iter_mut();
                    let of =
                        |worker: &&mut Worker| worker.links[server].connection == Some(connection);
                    if let Some(worker) = workers.find(of) {
                        worker.cut(server);
                    }
                }
                Output::Attach { .. } => {
                    host.asks.clear();
                    host.answers.clear();
                    host.loads.clear();
                }
                Output::Ask { epoch, close, stored } => host.asks.push_back((epoch, close, stored)),
                Output::Load { epoch, ranks, rows } => {
                    host.loads.push_back((epoch, ranks, floats(&rows)));
                }
                Output::Commit { batch, bytes } => host.tasks.push_back(Task::Commit(batch, bytes)),
                Output::Checkpoint(checkpoint) => {
                    host.tasks.push_back(Task::Checkpoint(checkpoint))
                }
            }
        }
    }

    /// Lets things happen without faults until `done`.
    pub fn settle(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        for _ in 0..200_000 {
            if done(self) {
                return;
            }
            self.happen(false);
        }
        panic!("it never came: {what}");
    }

    /// Returns all rows, as one worker sees them.
    pub fn rows(&mut self) -> BTreeMap<u32, f32> {
        let keys: Vec<u32> = (0..ROWS).collect();
        let answers = self.workers[0].pull(None, &keys);
        self.settle("rows", |cluster| cluster.workers[0].pulled.len() == answers);
        let pulled = core::mem::take(&mut self.workers[0].pulled);
        pulled.into_iter().flat_map(|(keys, rows)| keys.into_iter().zip(rows)).collect()
    }

    /// Returns the hot keys of the last plane, and their values at its switch.
    fn hot_values(&self) -> impl Iterator<Item = (u32, Option<f32>)> {
        let (plane, switch) = self.planes.last().expect("there is a plane");
        plane.hot_keys.iter().map(|key| {
            let rank = self.workers[0].rank_of(*key).expect("a hot key has a rank");
            (*key, switch.value(rank))
        })
    }

    /// Ends in quiet: everything is flushed, and the rows are as they should be, also in the
    /// servers that come after these.
    pub fn check(&mut self) {
        let acknowledged = |worker: &Worker| {
            let all = worker.hot.iter().all(|hot| hot.acknowledged);
            let mut here = worker.links[worker.here()].iter();
            if worker.sealed { here.all(|link| link.sealed) } else { all }
        };
        self.settle("acknowledgements", |cluster| {
            let (last, switch) = cluster.planes.last().expect("there is a plane");
            let mut workers = cluster.workers.iter();
            workers.all(|worker| {
                worker.epoch == last.switch.epoch
                    && (switch.alive || worker.sealed)
                    && acknowledged(worker)
            })
        });
        let answers: Vec<_> = self.workers.iter_mut().map(Worker::flush).collect();
        self.settle("flushes", |cluster| {
            cluster.workers.iter().zip(&answers).all(|(worker, answers)| worker.flushed == *answers)
        });
        let mut expected: BTreeMap<u32, f32> = (0..ROWS).map(|key| (key, 0.0)).collect();
        expected.extend(&self.expected);
        assert_eq!(self.rows(), expected);
        if self.workers[0].hello.table.resident && self.switch().alive {
            // A load may be under way if nothing was pushed since.
            self.settle("loads", |cluster| cluster.hot_values().all(|(_, value)| value.is_some()));
            for (key, value) in self.hot_values() {
                assert_eq!(value, Some(expected[&key]), "key {key}");
            }
        }
        for server in 0..self.hosts.len() {
            self.kill(server);
        }
        assert_eq!(self.rows(), expected, "after a restart");
    }
}

fn switch_of(planes: &mut [(Plane, Switch)], epoch: u32) -> &mut Switch {
    let own = planes.iter_mut().find(|(plane, _)| plane.switch.epoch == epoch);
    &mut own.expect("a server reads what there is").1
}
