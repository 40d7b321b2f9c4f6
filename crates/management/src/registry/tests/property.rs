//! Random workers, good and bad, against the rules that hold whatever they do.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::{Cause, Incident};

const DESCRIBE_US: u64 = SECOND_US;

#[derive(Clone, Debug)]
enum Step {
    Connect,
    /// Few names and sizes, so that jobs do form.
    Join {
        who: Index,
        second_job: bool,
        rank: u16,
        size: u16,
        native: bool,
    },
    Leave(Index),
    HangUp(Index),
    Odd(Index),
    Describe(Index),
    InProgress {
        who: Index,
        call: u64,
        text: char,
    },
    Mismatch {
        job: u16,
        current: bool,
        first: u16,
        second: u16,
    },
    Advance(u64),
    Query,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => Just(Step::Connect),
        12 => (any::<Index>(), any::<bool>(), 0..3u16, 1..=3u16, prop::bool::weighted(0.1))
            .prop_map(|(who, second_job, rank, size, native)| Step::Join { who, second_job, rank, size, native }),
        2 => any::<Index>().prop_map(Step::Leave),
        2 => any::<Index>().prop_map(Step::HangUp),
        1 => any::<Index>().prop_map(Step::Odd),
        2 => any::<Index>().prop_map(Step::Describe),
        4 => (any::<Index>(), 0..2u64, prop::char::range('a', 'b'))
            .prop_map(|(who, call, text)| Step::InProgress { who, call, text }),
        2 => (0..2u16, prop::bool::weighted(0.8), 0..4u16, 0..4u16)
            .prop_map(|(job, current, first, second)| Step::Mismatch { job, current, first, second }),
        1 => (0..SECOND_US).prop_map(Step::Advance),
        1 => Just(Step::Query),
    ]
}

/// The test's knowledge of a connection, from its own doings and from the messages sent to it.
#[derive(Default)]
struct Peer {
    heard: Vec<Message>,
    epoch: Option<(u16, u32)>,
    left: bool,
    gone: bool,
}

impl Peer {
    fn failures(&self) -> usize {
        self.heard.iter().filter(|message| matches!(message, Message::Failed { .. })).count()
    }
}

fn listen(rig: &mut Rig, peers: &mut BTreeMap<ConnectionId, Peer>) {
    for (&conn, peer) in peers {
        let heard = rig.heard(conn);
        for message in &heard {
            if let Message::Welcome(welcome) = message {
                assert_eq!(peer.epoch, None, "welcome once");
                peer.epoch = Some((welcome.job, welcome.epoch));
            }
        }
        peer.heard.extend(heard);
    }
}

fn pick(peers: &BTreeMap<ConnectionId, Peer>, index: &Index) -> Option<ConnectionId> {
    (!peers.is_empty()).then(|| *peers.keys().nth(index.index(peers.len())).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// No panic, no message to a closed connection and no double release (the rig checks these);
    /// memory is held by running jobs only; every worker of a failed job is told once; nothing
    /// stays behind.
    #[test]
    fn whatever_workers_do_the_books_balance(steps in prop::collection::vec(step(), 1..120)) {
        let mut rig = Rig::with(Limits { jobs: 2, ..Limits::default() }, &[]);
        // Room for two small jobs, not for three: 16 bulk slots and 8 urgent ones.
        rig.plane.budget = 2 * 2 * 2 * (16 + 8) * 1408 + 1000;
        let mut peers: BTreeMap<ConnectionId, Peer> = BTreeMap::new();
        for step in steps {
            match step {
                Step::Connect => {
                    let conn = rig.connect();
                    peers.insert(conn, Peer::default());
                }
                Step::Join { who, second_job, rank, size, native } => {
                    if let Some(conn) = pick(&peers, &who) {
                        let name = if second_job { "b" } else { "a" };
                        let arithmetic = if native { "native" } else { "block" }.to_owned();
                        let join = Join { slots: Some(16), ..join(name, rank, size) };
                        let join = on(join, |terms| terms.arithmetic = arithmetic);
                        rig.say(conn, Message::Join(join.into()));
                    }
                }
                Step::Leave(who) => {
                    if let Some(conn) = pick(&peers, &who) {
                        let peer = peers.get_mut(&conn).unwrap();
                        peer.left |= peer.epoch.is_some() && !rig.closed.contains(&conn);
                        rig.say(conn, Message::Leave { calls: 1 });
                    }
                }
                Step::HangUp(who) => {
                    if let Some(conn) = pick(&peers, &who) {
                        peers.get_mut(&conn).unwrap().gone |= !rig.closed.contains(&conn);
                        rig.hang_up(conn);
                    }
                }
                Step::Odd(who) => {
                    if let Some(conn) = pick(&peers, &who) {
                        rig.say(conn, Message::Left { rank: 0, calls: 0 });
                    }
                }
                Step::Describe(who) => {
                    if let Some(conn) = pick(&peers, &who).filter(|conn| peers[conn].epoch.is_some()) {
                        rig.say(conn, Message::Description { shard: 0, slot: 2, position: 1, text: "call".into() });
                    }
                }
                Step::InProgress { who, call, text } => {
                    if let Some(conn) = pick(&peers, &who).filter(|conn| peers[conn].epoch.is_some()) {
                        rig.say(conn, Message::InProgress { calls: vec![(call, text.into())] });
                    }
                }
                Step::Mismatch { job, current, first, second } => {
                    let epoch = rig.plane.admitted.get(&job).map_or(0, |job| job.epoch);
                    let epoch = if current { epoch } else { epoch.wrapping_add(1) };
                    let cause = if first % 2 == 0 {
                        Cause::Mismatch { first, second }
                    } else {
                        Cause::Overflow { rank: first, lane: second }
                    };
                    let incident = Incident { job, epoch, position: 1, slot: 2, shard: 0, cause };
                    rig.registry.incident(rig.now_us, incident, &mut rig.plane);
                    rig.drain();
                }
                Step::Advance(by_us) => rig.advance(by_us),
                Step::Query => {
                    let (running, admitted) = (rig.jobs(), rig.plane.admitted.len());
                    let running = running.iter().filter(|job| job.phase == crate::JobPhase::Running).count();
                    prop_assert_eq!(running, admitted);
                }
            }
            listen(&mut rig, &mut peers);
        }

        // Descriptions time out; nobody else is silent for long enough to be lost meanwhile.
        let open: Vec<_> = peers.keys().copied().filter(|conn| !rig.closed.contains(conn)).collect();
        for &conn in open.iter().filter(|conn| peers[conn].epoch.is_some()) {
            rig.say(conn, Message::Heartbeat);
        }
        let alive: Vec<_> = open.into_iter().filter(|conn| peers[conn].epoch.is_some()).collect();
        rig.advance_alive(DESCRIBE_US, &alive);
        listen(&mut rig, &mut peers);

        let mut epochs: BTreeMap<(u16, u32), Vec<(ConnectionId, &Peer)>> = BTreeMap::new();
        for (&conn, peer) in &peers {
            prop_assert!(peer.failures() <= 1, "{:?} was told twice", conn);
            if let Some(epoch) = peer.epoch {
                epochs.entry(epoch).or_default().push((conn, peer));
            }
        }
        for ((number, epoch), members) in epochs {
            let runs = rig.plane.admitted.get(&number).is_some_and(|job| job.epoch == epoch);
            let failed = members.iter().any(|(_, peer)| peer.gone || peer.failures() > 0);
            prop_assert_eq!(runs, !failed && members.iter().any(|(_, peer)| !peer.left), "job {} of epoch {}", number, epoch);
            for (conn, peer) in members {
                let told = peer.failures() == 1;
                prop_assert_eq!(told, failed && !peer.gone && !peer.left, "{:?}: {:?}", conn, peer.heard);
                prop_assert_eq!(rig.closed.contains(&conn), failed || peer.left);
            }
        }

        for &conn in peers.keys() {
            rig.hang_up(conn);
        }
        prop_assert!(rig.plane.admitted.is_empty(), "all memory is returned");
        // Log lines that were left out are counted at the end of their period.
        rig.advance(20 * SECOND_US);
        prop_assert_eq!(rig.registry.poll_timeout(), None, "nothing stays behind");
        prop_assert_eq!(rig.jobs(), []);
    }
}
