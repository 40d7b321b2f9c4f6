//! Trees of switches in memory: the messages of each connection arrive in order, and those of
//! different connections in any order. No socket, no clock.

mod drain;
mod operations;
mod placing;
mod running;
mod scale;

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::{RackSwitch, Relay};
use crate::operations::Loading;
use crate::operations::claimed::MockLoader;
use crate::registry::tests::{Books, TIMEOUT_MS, join};
use crate::{
    ConnectionId, Failure, HostOffer, Incident, Join, Limits, Loss, Management, Message, Output,
    Query, Refusal, Registry, Report, Token, Welcome,
};

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Switch(usize, ConnectionId),
    Client(usize),
}

/// An item under way to an end.
enum Item {
    Message(Message),
    Closed(Loss),
}

/// A switch, which is gone without its state machine, or only hangs.
struct Node {
    management: Option<Box<dyn Management>>,
    plane: Books,
    parent: Option<usize>,
    connections: u64,
    hangs: bool,
}

/// A worker, or one that asks: what it has heard.
#[derive(Default)]
struct Client {
    heard: Vec<Message>,
    closed: bool,
    /// Takes its leave as soon as it is welcome.
    hurried: bool,
}

struct Net {
    nodes: Vec<Node>,
    /// By node.
    loaders: Vec<Arc<MockLoader>>,
    /// Admissions of operations take time: those that have begun, if they are held up.
    loads: Option<VecDeque<(usize, ConnectionId, Loading)>>,
    clients: Vec<Client>,
    other_end: BTreeMap<End, End>,
    under_way: BTreeMap<End, VecDeque<Item>>,
    /// The ends to which something is under way.
    busy: Vec<End>,
    /// Messages that have arrived at switches and clients.
    messages: usize,
    now_us: u64,
    /// Of a generator that decides which connection goes on next.
    state: u64,
}

fn ip(node: usize) -> IpAddr {
    Ipv4Addr::new(10, 1, 0, node as u8).into()
}

fn worker_ip(worker: u16) -> IpAddr {
    Ipv4Addr::new(10, 2, 0, worker as u8).into()
}

/// Returns the addresses of the shards of a switch.
fn shards(node: usize, count: u16) -> Vec<SocketAddr> {
    (0..count).map(|shard| SocketAddr::new(ip(node), 7000 + shard)).collect()
}

impl Net {
    /// A tree: for each switch its parent, which comes before it, and its number of shards.
    fn new(seed: u64, switches: &[(Option<usize>, u16)], tokens: &[&str]) -> Self {
        let tokens: Vec<_> = tokens.iter().map(|text| Token::new(text).unwrap()).collect();
        // A switch refuses the operation with its own number, but for the root.
        let loaders: Vec<_> = (0..switches.len() as u8)
            .map(|node| {
                let refused = (node > 0).then_some(node);
                Arc::new(MockLoader { refused, ..MockLoader::default() })
            })
            .collect();
        let node = |(index, &(parent, count)): (usize, &(Option<usize>, u16))| {
            let (limits, shards, tokens) =
                (Limits::default(), shards(index, count), tokens.clone());
            let management: Box<dyn Management> = match parent {
                None => {
                    let registry = Registry::new(limits, shards, tokens);
                    Box::new(registry.run_operations(loaders[index].clone()))
                }
                Some(parent) => {
                    let relay = Relay::new(limits, rack_switch(index, parent, shards, tokens));
                    Box::new(relay.run_operations(loaders[index].clone()))
                }
            };
            let plane = Books { budget: 1 << 30, ..Books::default() };
            Node { management: Some(management), plane, parent, connections: 0, hangs: false }
        };
        Self {
            nodes: switches.iter().enumerate().map(node).collect(),
            loaders: loaders.clone(),
            loads: None,
            clients: Vec::new(),
            other_end: BTreeMap::new(),
            under_way: BTreeMap::new(),
            busy: Vec::new(),
            messages: 0,
            now_us: 0,
            state: seed | 1,
        }
    }

    /// Connects a client to a switch, and lets it greet.
    fn connect(&mut self, node: usize, from: IpAddr) -> usize {
        let client = self.clients.len();
        self.clients.push(Client::default());
        self.open(End::Client(client), node, from);
        self.say(client, Message::Greet { path: Vec::new() });
        client
    }

    /// A worker that joins at a switch once that has said hello.
    fn join(&mut self, node: usize, join: Join) -> usize {
        let client = self.connect(node, worker_ip(join.rank));
        self.settle();
        self.say(client, Message::Join(join.into()));
        client
    }

    fn ask(&mut self, node: usize, what: Query) -> Report {
        let client = self.connect(node, worker_ip(99));
        self.settle();
        self.say(client, Message::Query { what });
        self.settle();
        match self.clients[client].heard.pop() {
            Some(Message::Report { report }) => report,
            other => panic!("{other:?} is no answer"),
        }
    }

    fn say(&mut self, client: usize, message: Message) {
        self.put(End::Client(client), Item::Message(message));
    }

    fn hang_up(&mut self, client: usize) {
        self.put(End::Client(client), Item::Closed(Loss::Closed));
    }

    /// Puts something on its way to the other end.
    fn put(&mut self, from: End, item: Item) {
        if let Some(&to) = self.other_end.get(&from) {
            self.put_at(to, item);
        }
    }

    fn put_at(&mut self, to: End, item: Item) {
        let items = self.under_way.entry(to).or_default();
        if items.is_empty() {
            self.busy.push(to);
        }
        items.push_back(item);
    }

    fn open(&mut self, from: End, node: usize, ip: IpAddr) {
        let now_us = self.now_us;
        let Node { management, connections, hangs, .. } = &mut self.nodes[node];
        if management.is_none() && !*hangs {
            let error = "connection refused".into();
            return self.put_at(from, Item::Closed(Loss::Unreachable { error }));
        }
        let conn = ConnectionId(*connections);
        *connections += 1;
        if let Some(management) = management {
            management.connected(now_us, conn, ip, [(conn.0 as u8).wrapping_add(1); 16]);
        }
        let to = End::Switch(node, conn);
        self.other_end.extend([(from, to), (to, from)]);
        self.drain(node);
    }

    fn drain(&mut self, node: usize) {
        while let Some(output) =
            self.nodes[node].management.as_mut().and_then(|management| management.poll_output())
        {
            match output {
                Output::Send(conn, message) => {
                    self.put(End::Switch(node, conn), Item::Message(message))
                }
                Output::Close(conn) => {
                    self.put(End::Switch(node, conn), Item::Closed(Loss::Closed));
                    self.other_end.remove(&End::Switch(node, conn));
                }
                Output::Load(conn, loading) if self.loads.is_some() => {
                    let loads = self.loads.as_mut().expect("checked above");
                    loads.push_back((node, conn, loading));
                }
                Output::Load(conn, loading) => {
                    let Node { management: Some(management), plane, .. } = &mut self.nodes[node]
                    else {
                        return;
                    };
                    management.loaded(self.now_us, conn, loading.run(), plane, 5 << 64 | 77);
                }
                Output::Dial(conn) => {
                    let parent = self.nodes[node].parent.expect("only switches below others dial");
                    self.open(End::Switch(node, conn), parent, ip(node));
                }
            }
        }
    }

    /// Lets what is under way arrive, until nothing is.
    fn settle(&mut self) {
        self.settle_until(|_| false);
    }

    /// Lets what is under way arrive, until nothing is or this holds.
    fn settle_until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !self.busy.is_empty() && !holds(self) {
            self.state =
                self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let chosen = (self.state >> 33) as usize % self.busy.len();
            let to = self.busy[chosen];
            let items = self.under_way.get_mut(&to).unwrap();
            let item = items.pop_front().unwrap();
            if items.is_empty() {
                self.under_way.remove(&to);
                self.busy.swap_remove(chosen);
            }
            self.messages += usize::from(matches!(item, Item::Message(_)));
            self.arrive(to, item);
        }
    }

    fn arrive(&mut self, to: End, item: Item) {
        match to {
            End::Client(client) => match item {
                Item::Message(Message::Heartbeat) => {}
                Item::Message(message) => {
                    if self.clients[client].hurried && matches!(message, Message::Welcome(_)) {
                        self.say(client, Message::Leave { calls: 0 });
                    }
                    self.clients[client].heard.push(message);
                }
                Item::Closed(_) => self.clients[client].closed = true,
            },
            End::Switch(node, conn) => {
                let Node { management: Some(management), plane, .. } = &mut self.nodes[node] else {
                    return;
                };
                match item {
                    Item::Message(message) => {
                        management.handle(self.now_us, conn, message, plane, 5 << 64 | 77)
                    }
                    Item::Closed(why) => management.disconnected(self.now_us, conn, why, plane),
                }
                self.drain(node);
            }
        }
    }

    /// Lets time pass in steps shorter than a heartbeat's interval, while those clients that are
    /// `alive` send theirs.
    fn advance(&mut self, by_us: u64, alive: &[usize]) {
        let step = TIMEOUT_MS * 1000 / 8;
        for _ in 0..by_us.div_ceil(step) {
            self.now_us += step;
            for &client in alive {
                self.say(client, Message::Heartbeat);
            }
            for node in 0..self.nodes.len() {
                let Node { management: Some(management), plane, .. } = &mut self.nodes[node] else {
                    continue;
                };
                management.handle_timeout(self.now_us, plane);
                self.drain(node);
            }
            self.settle();
        }
    }

    /// Ends the first admission of operations that is held up, and returns the switch.
    fn load(&mut self) -> Option<usize> {
        let (node, conn, loading) = self.loads.as_mut()?.pop_front()?;
        let Node { management: Some(management), plane, .. } = &mut self.nodes[node] else {
            return None;
        };
        management.loaded(self.now_us, conn, loading.run(), plane, 5 << 64 | 77);
        self.drain(node);
        self.settle();
        Some(node)
    }

    /// A switch goes at once: its connections close.
    fn kill(&mut self, node: usize) {
        self.nodes[node].management = None;
        let ends: Vec<_> = self
            .other_end
            .keys()
            .copied()
            .filter(|end| matches!(end, End::Switch(of, _) if *of == node))
            .collect();
        for end in ends {
            self.put(end, Item::Closed(Loss::Closed));
            self.other_end.remove(&end);
        }
    }

    /// A switch reports what its data plane has found.
    fn incident(&mut self, node: usize, incident: Incident) {
        let Node { management: Some(management), plane, .. } = &mut self.nodes[node] else {
            return;
        };
        management.incident(self.now_us, incident, plane);
        self.drain(node);
    }

    fn welcome(&self, client: usize) -> Option<&Welcome> {
        self.clients[client].heard.iter().find_map(|message| match message {
            Message::Welcome(welcome) => Some(&**welcome),
            _ => None,
        })
    }

    /// Returns the cause of the job's failure: told once, and last.
    fn failure(&self, client: usize) -> &Failure {
        let Client { heard, closed, .. } = &self.clients[client];
        match heard
            .iter()
            .filter(|message| matches!(message, Message::Failed { .. }))
            .collect::<Vec<_>>()[..]
        {
            [Message::Failed { cause }] if *closed => cause,
            _ => panic!("client {client} has heard {heard:?}, closed: {closed}"),
        }
    }

    fn refusal(&self, client: usize) -> &Refusal {
        match &self.clients[client] {
            Client { heard, closed: true, .. } => match heard.last() {
                Some(Message::Refused { reason }) => reason,
                _ => panic!("client {client} has heard {heard:?}"),
            },
            Client { heard, .. } => panic!("client {client} is open and has heard {heard:?}"),
        }
    }
}

fn rack_switch(
    node: usize,
    parent: usize,
    shards: Vec<SocketAddr>,
    tokens: Vec<Token>,
) -> RackSwitch {
    let at = |node| SocketAddr::new(ip(node), 5555);
    let (parent_name, parent) = (format!("switch-{parent}:5555"), at(parent));
    RackSwitch {
        id: 1000 + node as u64,
        at: at(node),
        parent_name,
        parent,
        shards,
        max_datagram: 1472,
        tokens,
    }
}
