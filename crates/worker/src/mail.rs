//! Short calls where workers see each other's memory (R-MAIL): each is one round, in which every worker posts a letter and reads those of all.

use std::collections::VecDeque;

use netfold_num::{Exponent, Form};
use netfold_wire::{HEADER_BYTES, LETTER_BYTES, LETTERS_OUTSTANDING, MAIL_LINES, MailRound, Position};

use crate::call::{Collective, Priority};
use crate::calls::CallId;
use crate::counters::Counters;
use crate::plan::{Block, Plan};
use crate::tensor::Tensor;

impl Plan {
    /// Whether the call can go by mail (R-MAIL-1), as far as it is the call's matter. The same at every worker.
    pub fn fits_letter(&self) -> bool {
        let goes_first = self.priority() == Priority::Urgent || self.call().collective == Collective::Barrier;
        goes_first
            && self.blocks() == 1
            && self.coding().form != Form::Block
            && self.call().elements * self.coding().lane.bytes() as u64 <= LETTER_BYTES as u64
    }
}

/// A call as the mail has it: all of it is one block, in one round.
#[derive(Clone, Copy, Debug)]
struct Entry {
    block: Block,
    round: MailRound,
}

impl Entry {
    /// Bytes of the lanes of this worker's letter: those of the round, or none if it contributes nothing.
    fn bytes(&self) -> usize {
        if self.block.input.is_some() { self.round.bytes() } else { 0 }
    }

    /// Takes the folded lanes of the round.
    fn take(&self, tensor: &mut impl Tensor, lanes: &[u8]) {
        if self.block.output.is_some() {
            tensor.unpack(&self.block, Exponent::ZERO, false, lanes);
        }
    }
}

/// A letter to post.
#[derive(Debug)]
pub struct Letter<'a, T> {
    entry: &'a Entry,
    tensor: &'a T,
}

impl<T: Tensor> Letter<'_, T> {
    /// The round that it is for.
    pub fn round(&self) -> &MailRound {
        &self.entry.round
    }

    /// Bytes of its lanes: those of the round, or none from a worker that contributes nothing.
    pub fn bytes(&self) -> usize {
        self.entry.bytes()
    }

    /// Writes its lanes.
    pub fn pack(&self, lanes: &mut [u8]) {
        if self.entry.block.input.is_some() {
            self.tensor.pack(&self.entry.block, Exponent::ZERO, lanes);
        }
    }
}

/// A call on its way.
#[derive(Debug)]
struct Active<T> {
    id: CallId,
    plan: Plan,
    entry: Entry,
    tensor: T,
}

/// A call whose letter is posted before anybody knows whether it has to wait ([`Mail::begin`]).
///
/// It leaves plan and tensor where they are: who copies what has just been written waits for it.
#[derive(Debug)]
pub struct Begun<'p> {
    id: CallId,
    plan: &'p Plan,
    entry: Entry,
}

impl Begun<'_> {
    /// The letter to post.
    pub fn letter<'a, T>(&'a self, tensor: &'a T) -> Letter<'a, T> {
        Letter { entry: &self.entry, tensor }
    }
}

/// The calls of one line.
struct Line<T> {
    number: u16,
    /// The first is that of round `taken`.
    calls: VecDeque<Active<T>>,
    taken: u64,
    posted: u64,
}

impl<T> Line<T> {
    fn new(number: u16) -> Self {
        Self { number, calls: VecDeque::new(), taken: 0, posted: 0 }
    }

    /// A call that comes behind those which are there (R-MAIL-2).
    #[inline]
    fn entry(&self, id: CallId, plan: &Plan) -> Entry {
        let (number, call) = (self.taken + self.calls.len() as u64, plan.digest(id.0));
        let (block, operation, lane) = (plan.block(0), plan.operation(), plan.coding().lane);
        Entry { block, round: MailRound { line: self.number, number, call, operation, lane, elements: block.elements } }
    }

    /// The call whose letter is to be posted next, if it may be (R-MAIL-3).
    fn next(&self) -> Option<&Active<T>> {
        let ahead = self.posted - self.taken;
        self.calls.get(ahead as usize).filter(|_| ahead < LETTERS_OUTSTANDING)
    }

    /// The oldest round that this worker has posted and not taken.
    fn awaited(&self) -> Option<MailRound> {
        self.calls.front().filter(|_| self.posted > self.taken).map(|call| call.entry.round)
    }
}

/// One worker's side of the mail. Its driver follows one law, after every mutation ([`Mail::submit`], [`Mail::take`]): post what [`Mail::poll_post`] gives, then
/// collect the letters of the rounds that are [`Mail::awaited`].
pub struct Mail<T> {
    urgent: Line<T>,
    barriers: Line<T>,
    counters: Counters,
}

impl<T> Default for Mail<T> {
    fn default() -> Self {
        Self { urgent: Line::new(0), barriers: Line::new(MAIL_LINES - 1), counters: Counters::default() }
    }
}

impl<T: Tensor> Mail<T> {
    /// Puts a call at the end of its line. It has the round after that of the call before it (R-MAIL-2).
    pub fn submit(&mut self, id: CallId, plan: Plan, tensor: T) {
        debug_assert!(plan.fits_letter(), "{plan} fits no letter");
        let line = self.line_of(&plan);
        let entry = line.entry(id, &plan);
        line.calls.push_back(Active { id, plan, entry, tensor });
    }

    /// Begins a call while no other is on its way. Its letter must be posted. If all letters of its round have come, [`Mail::finish`] follows, else [`Mail::keep`].
    pub fn begin<'p>(&mut self, id: CallId, plan: &'p Plan) -> Begun<'p> {
        debug_assert!(plan.fits_letter() && self.is_idle(), "{plan} cannot go before others");
        let line = self.line_of(plan);
        let begun = Begun { id, plan, entry: line.entry(id, plan) };
        line.posted += 1;
        self.counters.posted(begun.entry.bytes());
        begun
    }

    /// Takes the folded lanes of the round of a call that was begun, which is done (R-MAIL-4).
    pub fn finish(&mut self, begun: &Begun<'_>, tensor: &mut T, lanes: &[u8]) {
        begun.entry.take(tensor, lanes);
        self.line_of(begun.plan).taken += 1;
        self.counters.taken(begun.plan.workers(), lanes.len());
    }

    /// Has a call that was begun wait for the letters of its round, as one that was submitted.
    pub fn keep(&mut self, begun: Begun<'_>, tensor: T) {
        let Begun { id, plan, entry } = begun;
        self.line_of(plan).calls.push_back(Active { id, plan: *plan, entry, tensor });
    }

    /// Whether no call is on its way.
    pub fn is_idle(&self) -> bool {
        self.urgent.calls.is_empty() && self.barriers.calls.is_empty()
    }

    /// The next letter, which is posted then; `None` if there is none yet (R-MAIL-3). A barrier waits until `bulk`, the first call that is in progress in the bulk
    /// stream, is a later one (R-MAIL-6).
    pub fn poll_post(&mut self, bulk: Option<CallId>) -> Option<Letter<'_, T>> {
        let Self { urgent, barriers, counters } = self;
        let may_go = |barrier: &Active<T>| bulk.is_none_or(|bulk| barrier.id < bulk);
        let line = if urgent.next().is_some() {
            urgent
        } else {
            barriers.next().filter(|barrier| may_go(barrier))?;
            barriers
        };
        let index = (line.posted - line.taken) as usize;
        line.posted += 1;
        let call = line.calls.get(index)?;
        let letter = Letter { entry: &call.entry, tensor: &call.tensor };
        counters.posted(letter.bytes());
        Some(letter)
    }

    /// The oldest round of a line that this worker has posted and not taken.
    pub fn awaited(&self, line: u16) -> Option<MailRound> {
        self.lines().find(|other| other.number == line)?.awaited()
    }

    /// Takes the folded lanes of the round that is awaited in its line, all of whose letters have come, and gives its call back, which is done (R-MAIL-4).
    ///
    /// # Panics
    /// If the round is not awaited, or has other lanes.
    pub fn take(&mut self, round: &MailRound, lanes: &[u8]) -> (CallId, T) {
        let mut lines = [&mut self.urgent, &mut self.barriers].into_iter();
        let line = lines.find(|line| line.awaited().as_ref() == Some(round)).expect("the round is awaited");
        let mut call = line.calls.pop_front().expect("its call is the first");
        call.entry.take(&mut call.tensor, lanes);
        line.taken += 1;
        self.counters.taken(call.plan.workers(), lanes.len());
        (call.id, call.tensor)
    }

    /// Gives up the calls from `first` on. There is no later one any more: who has posted a letter cannot take it back.
    pub fn abandon(&mut self, first: CallId) -> impl Iterator<Item = (CallId, T)> + use<T> {
        let given_up = [&mut self.urgent, &mut self.barriers]
            .map(|line| line.calls.split_off(line.calls.partition_point(|call| call.id < first)));
        given_up.into_iter().flatten().map(|call| (call.id, call.tensor))
    }

    /// The call of the round of a line whose number ends in these 32 bits, as errors show it; `None` if it is not on its way.
    pub fn describe(&self, line: u16, position: Position) -> Option<String> {
        let line = self.lines().find(|other| other.number == line)?;
        let ahead = position.0.wrapping_sub(line.taken as u32);
        line.calls.get(ahead as usize).map(|call| format!("{} as call {}", call.plan, call.id.0 + 1))
    }

    /// The call with this number; `None` if it does not go by mail, or is not on its way.
    pub fn call(&self, id: CallId) -> Option<&Plan> {
        self.lines().flat_map(|line| &line.calls).find(|call| call.id == id).map(|call| &call.plan)
    }

    /// Totals: a letter counts as a packet.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn line_of(&mut self, plan: &Plan) -> &mut Line<T> {
        match plan.priority() {
            Priority::Urgent => &mut self.urgent,
            Priority::Bulk => &mut self.barriers,
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Line<T>> {
        [&self.urgent, &self.barriers].into_iter()
    }
}

impl Counters {
    /// Counts a letter that is posted.
    fn posted(&mut self, lane_bytes: usize) {
        self.packets_sent += 1;
        self.bytes_sent += (HEADER_BYTES + lane_bytes) as u64;
    }

    /// Counts a round that is taken, and the letters of the others.
    fn taken(&mut self, workers: u16, lane_bytes: usize) {
        let others = u64::from(workers - 1);
        self.rounds += 1;
        self.packets_received += others;
        self.bytes_received += others * (HEADER_BYTES + lane_bytes) as u64;
    }
}

#[cfg(test)]
mod tests {
    use netfold_num::{Arithmetic, ElementType, Operation};
    use netfold_wire::WorkerId;

    use super::*;
    use crate::call::{Call, Reduction};
    use crate::dense::Dense;

    const WORKERS: u16 = 3;

    fn sum(element_type: ElementType, elements: u64) -> Call {
        let (collective, reduction) = (Collective::AllReduce, Reduction::Fold(Operation::Sum));
        Call { collective, reduction, element_type, elements, priority: None }
    }

    fn plan_in(arithmetic: Arithmetic, call: Call) -> Plan {
        Plan::new(call, arithmetic, WORKERS, WorkerId(1), 1024).unwrap()
    }

    fn plan(call: Call) -> Plan {
        plan_in(Arithmetic::Native, call)
    }

    /// A call of its own number, of one byte.
    fn submit(mail: &mut Mail<Dense<Vec<u8>>>, id: u64, call: Call) {
        let plan = plan(call);
        mail.submit(CallId(id), plan, Dense::new(plan, vec![id as u8; call.elements as usize]));
    }

    fn byte() -> Call {
        sum(ElementType::U8, 1)
    }

    /// Lines and numbers of the rounds whose letters are posted now.
    fn posted(mail: &mut Mail<Dense<Vec<u8>>>, bulk: Option<CallId>) -> Vec<(u16, u64)> {
        std::iter::from_fn(|| mail.poll_post(bulk).map(|letter| (letter.round().line, letter.round().number))).collect()
    }

    /// R-MAIL-1
    #[test]
    fn what_is_short_urgent_and_one_block_fits_a_letter() {
        let root = WorkerId(0);
        assert!(plan(sum(ElementType::F32, 64)).fits_letter());
        assert!(!plan(sum(ElementType::F32, 65)).fits_letter(), "it is too long");
        assert!(plan(sum(ElementType::F64, 32)).fits_letter());
        assert!(!plan(sum(ElementType::F64, 33)).fits_letter(), "it is too long");
        assert!(!plan(sum(ElementType::F32, 0)).fits_letter(), "it has no block (R-STREAM-7)");
        assert!(plan(Call { collective: Collective::Reduce { root }, ..sum(ElementType::I32, 8) }).fits_letter());
        assert!(plan(Call { collective: Collective::Broadcast { root }, ..byte() }).fits_letter());
        assert!(plan(Call::BARRIER).fits_letter());
        for collective in [Collective::AllGather, Collective::ReduceScatter] {
            assert!(!plan(Call { collective, ..byte() }).fits_letter(), "it is a block of each worker");
        }
        assert!(!plan(Call { priority: Some(Priority::Bulk), ..byte() }).fits_letter(), "it keeps its place");
        assert!(!plan_in(Arithmetic::Block, sum(ElementType::F32, 8)).fits_letter(), "it needs an exponent");
        assert!(plan_in(Arithmetic::Block, sum(ElementType::I32, 8)).fits_letter());
    }

    /// R-MAIL-2, R-MAIL-3: letters go in the order of calls, and never more of a line than may be outstanding.
    #[test]
    fn so_many_letters_are_outstanding() {
        let mut mail = Mail::default();
        for id in 0..2 * LETTERS_OUTSTANDING {
            submit(&mut mail, id, byte());
        }
        let first: Vec<_> = (0..LETTERS_OUTSTANDING).map(|number| (0, number)).collect();
        assert_eq!(posted(&mut mail, None), first);
        for number in 0..2 * LETTERS_OUTSTANDING {
            let round = mail.awaited(0).unwrap();
            assert_eq!(round.number, number);
            let (id, tensor) = mail.take(&round, &[100 + number as u8]);
            assert_eq!((id, tensor.into_memory()), (CallId(number), vec![100 + number as u8]));
            let next = Some((0, number + LETTERS_OUTSTANDING)).filter(|(_, next)| *next < 2 * LETTERS_OUTSTANDING);
            assert_eq!(posted(&mut mail, None), Vec::from_iter(next));
        }
        assert!(mail.is_idle() && mail.awaited(0).is_none());
        let rounds = 2 * LETTERS_OUTSTANDING;
        let counters = mail.counters();
        assert_eq!((counters.packets_sent, counters.packets_received, counters.rounds), (rounds, 2 * rounds, rounds));
        assert_eq!(counters.bytes_sent, rounds * (HEADER_BYTES as u64 + 1));
    }

    /// R-MAIL-6
    #[test]
    fn a_barrier_waits_for_the_bulk_before_it_and_nobody_for_the_barrier() {
        let mut mail = Mail::default();
        submit(&mut mail, 1, Call::BARRIER);
        submit(&mut mail, 2, byte());
        submit(&mut mail, 4, Call::BARRIER);
        assert_eq!(posted(&mut mail, Some(CallId(0))), [(0, 0)]);
        assert_eq!(posted(&mut mail, Some(CallId(3))), [(1, 0)]);
        assert_eq!(posted(&mut mail, None), [(1, 1)]);
        let barrier = mail.awaited(1).unwrap();
        assert_eq!(mail.take(&barrier, &[]).0, CallId(1));
    }

    /// Who contributes nothing posts an empty letter, and who gets nothing leaves its memory alone (R-STREAM-4).
    #[test]
    fn a_broadcast_is_its_roots_letter() {
        for (root, lanes, taken) in [(0, 0, 9), (1, 1, 7)] {
            let plan = plan(Call { collective: Collective::Broadcast { root: WorkerId(root) }, ..byte() });
            let mut mail = Mail::default();
            let (begun, tensor) = (mail.begin(CallId(0), &plan), Dense::new(plan, vec![7]));
            let (mut packed, letter) = ([0; LETTER_BYTES], begun.letter(&tensor));
            assert_eq!(letter.bytes(), lanes);
            letter.pack(&mut packed[..lanes]);
            assert_eq!(packed[..lanes], [7][..lanes]);
            // As one that has to wait.
            mail.keep(begun, tensor);
            let round = mail.awaited(0).unwrap();
            assert_eq!(mail.take(&round, &[9]).1.into_memory(), [taken]);
        }
    }

    /// A call that is done at once leaves the line as one that has waited does.
    #[test]
    fn what_begins_alone_is_a_round_like_others() {
        let mut mail = Mail::default();
        for number in 0..3 {
            let call = if number == 2 { Call::BARRIER } else { byte() };
            let plan = plan(call);
            let (begun, mut tensor) = (mail.begin(CallId(number), &plan), Dense::new(plan, vec![0]));
            let round = *begun.letter(&tensor).round();
            assert_eq!((round.line, round.number), if number == 2 { (1, 0) } else { (0, number) });
            assert_eq!(round.call, plan.digest(number));
            mail.finish(&begun, &mut tensor, &[5][..call.elements as usize]);
            assert_eq!(tensor.into_memory(), if number == 2 { [0] } else { [5] });
            assert!(mail.is_idle() && mail.awaited(0).is_none() && mail.awaited(1).is_none());
        }
        assert_eq!(mail.counters().rounds, 3);
        submit(&mut mail, 3, byte());
        assert_eq!(posted(&mut mail, None), [(0, 2)]);
    }

    #[test]
    fn calls_are_given_up_from_the_first_that_cannot_be_done() {
        let mut mail = Mail::default();
        for id in 0..4 {
            submit(&mut mail, id, if id == 1 { Call::BARRIER } else { byte() });
        }
        posted(&mut mail, None);
        assert_eq!(mail.describe(0, Position(2)).as_deref(), Some("all_reduce(sum, u8, 1 elements) as call 4"));
        assert_eq!(mail.describe(1, Position(0)).as_deref(), Some("barrier() as call 2"));
        assert_eq!(mail.describe(1, Position(1)), None);
        let mut given_up: Vec<_> = mail.abandon(CallId(1)).map(|(id, _)| id.0).collect();
        given_up.sort_unstable();
        assert_eq!(given_up, [1, 2, 3]);
        assert!(mail.call(CallId(0)).is_some() && mail.call(CallId(1)).is_none());
        assert_eq!((mail.awaited(0).map(|round| round.number), mail.awaited(1)), (Some(0), None));
        assert_eq!(posted(&mut mail, None), []);
        let round = mail.awaited(0).unwrap();
        assert_eq!(mail.take(&round, &[5]).0, CallId(0));
        assert_eq!(mail.awaited(0), None);
    }
}
