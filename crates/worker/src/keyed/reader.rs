//! A server's side of a job's table: it reads the sums of its hot rows, a generation at a time
//! (R-KEY-7 to R-KEY-9), and loads values (R-KEY-12).

use std::collections::VecDeque;

use netfold_wire::{
    Epoch, JobId, PARTS, TableKind, TablePacket, TableRepr, TableTerms, Terms, WINDOW, WorkerId,
    rank_bytes, ranks, registers,
};

use super::requests::{MOST_REQUESTS, Requests, bodies};
use crate::recovery::{Lost, Recovery};
use crate::rtt::Timing;

/// Sequences of reads that are under way at a time, each of some of the server's parts: a read can
/// go on only when the one before it has been answered.
const SEQUENCES: u32 = 8;

/// A server's part in a table.
#[derive(Clone, Debug)]
pub struct ReaderConfig {
    /// The job.
    pub job: JobId,
    /// Its epoch.
    pub epoch: Epoch,
    /// Workers of the job.
    pub workers: u16,
    /// Terms of the job.
    pub terms: Terms,
    /// The table.
    pub table: TableTerms,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
    /// The server's parts, a bit for each.
    pub parts: u64,
    /// The last generation that the server has stored; 0 if it has stored none.
    pub stored: u32,
    /// Number of its first request: a random one, so that it takes no answer to a reader that the
    /// server had before (R-KEY-5).
    pub first_request: u32,
    /// Bounds of the retransmission timeout.
    pub timing: Timing,
}

/// A generation, whole, as far as it belongs to the server's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Generation {
    /// Its number.
    pub number: u32,
    /// Ranks of its rows, each once.
    pub ranks: Vec<u32>,
    /// The rows, in the order of the ranks, in the job's byte order.
    pub rows: Vec<u8>,
    /// The windows of all workers (R-KEY-9).
    pub windows: Vec<[u32; WINDOW as usize]>,
}

/// Outcome of a reader's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReaderEvent {
    /// The generation after the last one that was stored is open, and was not closed.
    Open {
        /// Its number.
        generation: u32,
        /// Nothing was pushed in it, as far as the switch knew (R-KEY-18).
        empty: bool,
    },
    /// A generation has been read.
    Read(Generation),
    /// The switch is further than this server knows: another has stored what this one has not.
    Ahead {
        /// The generation that is open.
        open: u32,
    },
    /// All values that were to be loaded are there.
    Loaded,
}

/// A server's side of a table, a state machine without I/O, driven like
/// [`Client`](super::Client).
#[derive(Clone)]
pub struct Reader {
    pub(super) config: ReaderConfig,
    pub(super) requests: Requests,
    recovery: Recovery,
    /// A generation that is being read, and sequences of reads of it that go on.
    pub(super) reading: Option<(Generation, u32)>,
    /// Windows that have not come.
    pub(super) windows_missing: usize,
    /// A first read was sent, and not answered.
    pub(super) asking: bool,
    loading: bool,
    going: bool,
    events: VecDeque<ReaderEvent>,
}

impl Reader {
    /// Returns a reader that has asked for nothing.
    pub fn new(config: ReaderConfig) -> Self {
        Self {
            requests: Requests::new(config.terms.integrity, 0, config.first_request),
            recovery: Recovery::new(config.timing),
            reading: None,
            windows_missing: 0,
            asking: false,
            loading: false,
            going: false,
            events: VecDeque::new(),
            config,
        }
    }

    /// Asks for the generation after the last one that is stored; with `close` it is closed if it
    /// is open. Does nothing while an earlier question is not answered.
    pub fn ask(&mut self, close: bool) {
        if self.is_busy() {
            return;
        }
        self.asking = true;
        self.read(self.config.parts, 0, close);
    }

    /// Returns whether a question is not answered.
    pub fn is_busy(&self) -> bool {
        self.asking || self.reading.is_some()
    }

    /// Returns whether the switch is to stop (R-KEY-16).
    pub fn is_going(&self) -> bool {
        self.going
    }

    /// Notes that the server has stored a generation that was read. The switch is told with the
    /// next question.
    pub fn note_stored(&mut self, generation: u32) {
        self.config.stored = generation.max(self.config.stored);
    }

    /// Loads values of resident rows (R-KEY-12). `rows` has a row for each rank, in the job's byte
    /// order.
    ///
    /// # Panics
    /// If there are not as many rows as ranks.
    pub fn load(&mut self, ranks: &[u32], rows: &[u8]) {
        let (table, order) = (self.config.table, self.config.terms.byte_order);
        assert_eq!(rows.len(), ranks.len() * table.row_bytes(), "a row for each rank");
        let room = table.pairs_in(self.config.datagram_bytes as usize).into();
        let repr = self.request(TableKind::Load);
        let rank = move |rank| rank_bytes(rank, order);
        for (pairs, body) in bodies(TableKind::Load, ranks, rows, table.row_bytes(), room, rank) {
            self.requests.submit(TableRepr { pairs, ..repr }, body);
        }
        self.loading = true;
    }

    fn request(&self, kind: TableKind) -> TableRepr {
        let ReaderConfig { job, epoch, ref table, stored, .. } = self.config;
        let generation = stored + 1;
        TableRepr { generation, stored, ..TableRepr::request(kind, job, epoch, table) }
    }

    fn read(&mut self, parts: u64, place: u32, close: bool) {
        let repr = TableRepr { place, close, ..self.request(TableKind::Read) };
        self.requests.submit(repr, parts.to_be_bytes().into());
    }

    /// Handles a datagram, which may be anything. Never panics.
    pub fn handle(&mut self, now_us: u64, datagram: &[u8]) {
        let Ok(packet) = TablePacket::new_checked(datagram) else { return };
        let (repr, config) = (packet.repr, &self.config);
        let own = repr.answer && (repr.job, repr.epoch) == (config.job, config.epoch);
        if !own || !packet.is_whole(&config.terms.integrity) {
            return;
        }
        let Some((request, sent)) = self.requests.answered(&repr) else { return };
        self.recovery.note_result(now_us, &sent);
        self.going |= repr.going;
        match repr.kind {
            TableKind::Read => {
                let parts = <[u8; 8]>::try_from(&request.body[..]).map_or(0, u64::from_be_bytes);
                if std::mem::take(&mut self.asking) {
                    self.begin(&packet);
                } else {
                    self.go_on(&packet, parts);
                }
            }
            TableKind::Windows => self.take_window(&packet),
            TableKind::Load if self.requests.is_idle() && self.loading => {
                self.loading = false;
                self.events.push_back(ReaderEvent::Loaded);
            }
            TableKind::Push | TableKind::Pull | TableKind::Load => {}
        }
    }

    /// Takes the answer to the first read.
    fn begin(&mut self, packet: &TablePacket<'_>) {
        let (open, wanted) = (packet.repr.generation, self.config.stored + 1);
        if open == wanted {
            let empty = packet.repr.last;
            self.events.push_back(ReaderEvent::Open { generation: open, empty });
            return;
        }
        if open != wanted + 1 {
            self.events.push_back(ReaderEvent::Ahead { open });
            return;
        }
        let workers = usize::from(self.config.workers);
        let windows = vec![[0; WINDOW as usize]; workers];
        let generation = Generation { number: wanted, windows, ..Generation::default() };
        self.windows_missing = workers;
        for worker in 0..self.config.workers {
            let repr = self.request(TableKind::Windows);
            self.requests.submit(TableRepr { worker: WorkerId(worker), ..repr }, vec![]);
        }
        if packet.repr.last {
            self.reading = Some((generation, 0));
            self.take_pairs(packet);
        } else {
            let shares: Vec<u64> = shares(self.config.parts).collect();
            self.reading = Some((generation, shares.len() as u32));
            shares.into_iter().for_each(|parts| self.read(parts, 0, false));
        }
        self.finish();
    }

    /// Takes pairs of some parts, and asks for those that follow.
    fn go_on(&mut self, packet: &TablePacket<'_>, parts: u64) {
        self.take_pairs(packet);
        if !packet.repr.last {
            self.read(parts, packet.repr.place, false);
        } else if let Some((_, sequences)) = &mut self.reading {
            *sequences -= 1;
        }
        self.finish();
    }

    fn take_pairs(&mut self, packet: &TablePacket<'_>) {
        let Some((generation, _)) = &mut self.reading else { return };
        generation.ranks.extend(ranks(packet.ranks, self.config.terms.byte_order));
        generation.rows.extend_from_slice(packet.rest);
    }

    fn take_window(&mut self, packet: &TablePacket<'_>) {
        let Some((generation, _)) = &mut self.reading else { return };
        let Some(window) = generation.windows.get_mut(usize::from(packet.repr.worker.0)) else {
            return;
        };
        window.iter_mut().zip(registers(packet.rest)).for_each(|(register, now)| *register = now);
        self.windows_missing -= 1;
        self.finish();
    }

    fn finish(&mut self) {
        if self.windows_missing == 0
            && let Some((generation, 0)) = &mut self.reading
        {
            self.events.push_back(ReaderEvent::Read(std::mem::take(generation)));
            self.reading = None;
        }
    }

    /// Returns the next event, oldest first.
    pub fn poll_event(&mut self) -> Option<ReaderEvent> {
        self.events.pop_front()
    }

    /// Writes the next datagram to `buffer`. Returns its length; `None` if there is nothing to send
    /// now.
    ///
    /// # Panics
    /// If `buffer` does not hold the datagram.
    pub fn poll_transmit(&mut self, now_us: u64, buffer: &mut [u8]) -> Option<usize> {
        self.requests.poll_transmit(now_us, MOST_REQUESTS, &mut self.recovery, buffer)
    }

    /// Returns the time at which [`Reader::handle_timeout`] has something to do, if it ever has.
    pub fn poll_timeout(&mut self) -> Option<u64> {
        self.recovery.due_us(|sent| self.requests.is_latest(sent))
    }

    /// Does what is due at this time.
    pub fn handle_timeout(&mut self, now_us: u64) {
        let (requests, probes) = (&self.requests, [self.requests.oldest(), None]);
        let lost = self.recovery.take_lost(now_us, |sent| requests.is_latest(sent), probes);
        for Lost::Overtaken(slot) | Lost::Silent(slot) in lost {
            self.requests.lose(slot);
        }
    }

    /// Gives up what it has asked for: the switch is lost, or the epoch sealed (R-KEY-10).
    pub fn seal(&mut self) {
        self.requests.clear();
        (self.reading, self.asking, self.loading) = (None, false, false);
    }
}

/// Divides parts among sequences of reads.
fn shares(parts: u64) -> impl Iterator<Item = u64> {
    let mut shares = [0_u64; SEQUENCES as usize];
    let own = (0..PARTS).filter(move |part| parts >> part & 1 == 1);
    for (index, part) in own.enumerate() {
        shares[index % SEQUENCES as usize] |= 1 << part;
    }
    shares.into_iter().filter(|share| *share != 0)
}
