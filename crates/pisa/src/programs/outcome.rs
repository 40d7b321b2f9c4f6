//! The last stage of SwitchML's program: where a packet goes, and as what.

use netfold_wire::EVERYONE;

use crate::builder::{ActionSpec, Builder, TableSpec};
use crate::program::{Gress, Intrinsic, Match, Operand, Pattern};
use crate::programs::contribution::{age, round};
use crate::programs::frame::{Around, Frame, flags};
use crate::programs::lanes::Lanes;
use crate::programs::switchml::{LANES_STAGE, Meta, SwitchMl};

/// The reason of a report to the control plane: two workers made different calls (R-SLOT-7).
pub const MISMATCH: u64 = 1;

/// Shows the headers of lanes that a pass sends on: those of the half that it has read, as far as
/// the block has them. A pass that takes lanes in shows none. The headers are there before sums are
/// written to them (R-PISA-1), and the others go by [`hide_lanes`].
pub(crate) fn show_lanes(
    builder: &mut Builder,
    config: &SwitchMl,
    frame: &Frame,
    meta: &Meta,
    lanes: &Lanes,
) {
    let elements = frame.field(builder, "elements");
    let (parts, size) = (u64::from(config.pipelines), u64::from(lanes.count));
    // In multiples of a pipeline's lanes, the upper bits of the length say how many pipelines are
    // full.
    let full = |part: u64| Pattern::Masked(part * size, !(size - 1) & 0xFFFF);
    for (at, (chunk, shown)) in lanes.chunks.iter().zip(&lanes.shown).enumerate() {
        let valid = builder.valid(chunk.header);
        let (name, low) = (format!("show{at}"), at == 0);
        let mut table = TableSpec::new(
            &name,
            LANES_STAGE - 1,
            "Lanes that the packet has behind this pass (R-PISA-14).",
        )
        .when(builder.valid(frame.netfold), 1)
        .key(meta.phase, Match::Ternary)
        .key(frame.bridge.step, Match::Ternary)
        .key(elements, Match::Ternary)
        .action(ActionSpec::new("show").put(valid, 1).put(*shown, 1));
        for part in 0..parts {
            let mut windows = vec![[Pattern::Is(2), Pattern::Is(2 * part + u64::from(!low))]];
            if part + 1 == parts && !low {
                // The last pass that takes lanes in gives half of the last pipeline's back.
                windows.push(last_pass(config));
            }
            for [phase, step] in windows {
                for more in part + 1..=parts {
                    table = table.entry(&[phase, step, full(more)], "show", &[]);
                }
                if let Some(bit) = chunk.bit {
                    let Pattern::Masked(value, mask) = full(part) else { continue };
                    let some = Pattern::Masked(value | u64::from(bit), mask | u64::from(bit));
                    table = table.entry(&[phase, step, some], "show", &[]);
                }
            }
        }
        builder.table(Gress::Ingress, table);
    }
}

/// Lanes that have been taken in leave the packet, once all of them have been added.
pub(crate) fn hide_lanes(builder: &mut Builder, frame: &Frame, lanes: &Lanes) {
    let stage = LANES_STAGE + lanes.stages() - 1;
    for (at, (chunk, shown)) in lanes.chunks.iter().zip(&lanes.shown).enumerate() {
        let table = TableSpec::new(
            &format!("hide{at}"),
            stage,
            "Lanes that have been taken in (R-PISA-15).",
        )
        .when(builder.valid(frame.netfold), 1)
        .when(*shown, 0)
        .action(ActionSpec::new("hide").put(builder.valid(chunk.header), 0))
        .otherwise("hide");
        builder.table(Gress::Ingress, table);
    }
}

/// Returns the patterns of phase and step in the last pass that takes lanes in.
fn last_pass(config: &SwitchMl) -> [Pattern; 2] {
    pass(u64::from(config.pipelines) - 1)
}

/// Returns the patterns of phase and step in this pass, from 0, that takes lanes in.
pub(crate) fn pass(number: u64) -> [Pattern; 2] {
    if number == 0 { [Pattern::Is(0), Pattern::Any] } else { [Pattern::Is(1), Pattern::Is(number)] }
}

/// An entry's keys, most of which do not matter.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub phase: Pattern,
    pub step: Pattern,
    pub age: Pattern,
    pub round: Pattern,
    pub left: Pattern,
    pub alone: Pattern,
    pub flags: Pattern,
    pub order: Pattern,
    pub filled: Pattern,
    pub to_all: Pattern,
    pub foreign: Pattern,
    pub elements: Pattern,
    pub single: Pattern,
    pub checked: Pattern,
}

/// Cases in the order in which they count, each with an action and its values.
pub(crate) type Cases = Vec<(Case, &'static str, Vec<u64>)>;

impl Case {
    /// Every packet that has passed the checks.
    pub(crate) const ANY: Self = Self {
        phase: Pattern::Any,
        step: Pattern::Any,
        age: Pattern::Any,
        round: Pattern::Any,
        left: Pattern::Any,
        alone: Pattern::Any,
        flags: Pattern::Any,
        order: Pattern::Any,
        filled: Pattern::Any,
        to_all: Pattern::Any,
        foreign: Pattern::Any,
        elements: Pattern::Any,
        single: Pattern::Any,
        checked: Pattern::Is(1),
    };

    fn patterns(&self) -> Vec<Pattern> {
        let Self { phase, step, age, round, left, alone, flags, order, filled, .. } = *self;
        let mut patterns = vec![phase, step, age, round, left, alone, flags, order, filled];
        patterns.extend([self.to_all, self.foreign, self.elements, self.single]);
        patterns.extend([self.checked; 6]);
        patterns
    }
}

/// The last stage.
pub(crate) fn outcome(
    builder: &mut Builder,
    config: &SwitchMl,
    frame: &Frame,
    meta: &Meta,
    lanes: &Lanes,
) {
    let stage = LANES_STAGE + lanes.stages();
    let flag = frame.field(builder, "flags");
    let bridge = frame.bridge;
    let keys = [
        meta.phase,
        bridge.step,
        meta.age,
        meta.round,
        meta.left,
        meta.alone,
        flag,
        frame.order,
        meta.filled,
        meta.to_all,
        meta.foreign,
        frame.field(builder, "elements"),
        bridge.single,
    ];
    let doc = "R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the control plane, or nowhere.";
    let mut table = TableSpec::new("outcome", stage, doc).when(builder.valid(frame.netfold), 1);
    for key in keys {
        let how =
            if key == frame.field(builder, "elements") { Match::Range } else { Match::Ternary };
        table = table.key(key, how);
    }
    for key in meta.ok {
        table = table.key(key, Match::Ternary);
    }
    for action in actions(builder, frame, meta, lanes) {
        table = table.action(action);
    }
    for (case, action, values) in cases(config, lanes) {
        table = table.entry(&case.patterns(), action, &values);
    }
    builder.table(Gress::Ingress, table.otherwise("refuse"));
}

fn actions(builder: &Builder, frame: &Frame, meta: &Meta, lanes: &Lanes) -> Vec<ActionSpec> {
    let bridge = frame.bridge;
    let field = |name: &str| frame.field(builder, name);
    let (flag, worker, exponent) = (field("flags"), field("worker"), field("next_exponent"));
    let [port, group, drop, report] =
        [Intrinsic::EgressPort, Intrinsic::Group, Intrinsic::Drop, Intrinsic::Report]
            .map(Intrinsic::field);
    let on_the_way = |action: ActionSpec, mode| action.put(bridge.valid, 1).put(bridge.mode, mode);
    let without_lanes = |action| {
        lanes
            .chunks
            .iter()
            .fold(action, |action: ActionSpec, chunk| action.put(builder.valid(chunk.header), 0))
    };
    let result =
        |name: &str, flags| ActionSpec::new(name).put(flag, flags).set(exponent, meta.largest);
    let for_all = |action: ActionSpec| action.put(worker, EVERYONE.into());
    let around = |name: &str, single| {
        on_the_way(result(name, flags::RESULT), Around::HARVEST)
            .param("step", 8)
            .param("port", 16)
            .set(bridge.step, Operand::Param(0))
            .set(port, Operand::Param(1))
            .put(bridge.single, single)
    };
    let onward = on_the_way(ActionSpec::new("onward"), Around::CONSUME)
        .param("step", 8)
        .param("port", 16)
        .set(bridge.step, Operand::Param(0))
        .set(port, Operand::Param(1))
        .put(bridge.single, 0)
        .set(bridge.rest, meta.rest);
    let harvest = on_the_way(ActionSpec::new("harvest"), Around::HARVEST)
        .param("step", 8)
        .param("port", 16)
        .set(bridge.step, Operand::Param(0))
        .set(port, Operand::Param(1));
    let relay = on_the_way(without_lanes(for_all(result("relay", flags::RESULT))), Around::RELAY)
        .param("step", 8)
        .set(bridge.step, Operand::Param(0))
        .put(bridge.single, 1)
        .set(group, meta.relay);
    let leave = |action| on_the_way(action, Around::LEAVE);
    let empty = flags::RESULT | flags::EMPTY;
    vec![
        ActionSpec::new("refuse").put(drop, 1),
        ActionSpec::new("mismatch").put(drop, 1).put(report, MISMATCH),
        onward,
        leave(without_lanes(ActionSpec::new("recall").put(flag, empty | flags::QUERY)))
            .set(port, meta.port),
        for_all(around("gather", 0)),
        around("gather_one", 1),
        relay,
        leave(for_all(result("spread", flags::RESULT))).set(group, meta.group),
        leave(without_lanes(for_all(result("spread_empty", empty)))).set(group, meta.group),
        leave(result("reply", flags::RESULT)).set(port, meta.port),
        leave(without_lanes(result("reply_empty", empty))).set(port, meta.port),
        harvest,
        leave(ActionSpec::new("spread_whole")).set(group, meta.group),
        leave(ActionSpec::new("reply_whole")).set(port, meta.port),
    ]
}

/// The state of a round behind this packet: open, complete before it, or completed by it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    Closed,
    Completed,
}

fn cases(config: &SwitchMl, lanes: &Lanes) -> Cases {
    let any = Pattern::Any;
    let base = Case::ANY;
    let mut cases = Vec::new();
    for number in 0..u64::from(config.pipelines) {
        let [phase, step] = pass(number);
        let settle = |case, state, cases: &mut Cases| deliver(config, lanes, case, state, cases);
        consume(&config.frame.loopbacks, Case { phase, step, ..base }, number, &settle, &mut cases);
    }
    gather(
        &config.frame.loopbacks,
        lanes.reads(),
        Case { phase: Pattern::Is(2), checked: any, ..base },
        &mut cases,
    );
    cases
}

/// A result that gathers its lanes, of which a pipeline gives back so many parts: the header is no
/// contribution any more, and not checked as one.
pub(crate) fn gather(loopbacks: &[u16], reads: u64, gathers: Case, cases: &mut Cases) {
    for window in (1..=last_window(loopbacks, reads)).rev() {
        let case = Case { step: Pattern::Is(window), ..gathers };
        cases.push((case, "harvest", reading(loopbacks, reads, window - 1)));
    }
    cases.push((
        Case { step: Pattern::Is(0), single: Pattern::Is(1), ..gathers },
        "reply_whole",
        vec![],
    ));
    cases.push((Case { step: Pattern::Is(0), ..gathers }, "spread_whole", vec![]));
}

/// The passes that read lanes, so many in each pipeline, from 0 for the first of them, end with
/// this one.
const fn last_window(loopbacks: &[u16], reads: u64) -> u64 {
    reads * loopbacks.len() as u64 - 1
}

/// The number of a pass that reads lanes, and the port that leads to its pipeline.
fn reading(loopbacks: &[u16], reads: u64, window: u64) -> Vec<u64> {
    vec![window, loopbacks[(window / reads) as usize].into()]
}

/// The first pass of a result that gathers its lanes. Those of the last window may have come with
/// the pass that completes the round.
pub(crate) fn gathering(loopbacks: &[u16], reads: u64, come_back: bool) -> Vec<u64> {
    reading(loopbacks, reads, last_window(loopbacks, reads) - u64::from(come_back))
}

/// Adds the cases of a contribution in the pass with this number. In the last pass `deliver` adds
/// those that say who gets what.
pub(crate) fn consume(
    loopbacks: &[u16],
    base: Case,
    number: u64,
    deliver: &dyn Fn(Case, State, &mut Cases),
    cases: &mut Cases,
) {
    use self::{age::*, round::*};
    let is = Pattern::Is;
    let last = number + 1 == loopbacks.len() as u64;
    // The next pass, and the port that leads to its pipeline.
    let next =
        if last { Vec::new() } else { vec![number + 1, loopbacks[number as usize + 1].into()] };
    cases.push((Case { age: is(OLD), ..base }, "refuse", vec![]));
    // R-SLOT-10, and R-PISA-15: new to any pipeline.
    let query = Case { flags: Pattern::Masked(flags::QUERY, flags::QUERY), ..base };
    cases.push((Case { age: is(NEW), ..query }, "recall", vec![]));
    let asked = Case { age: is(REPEATED), ..query };
    if last {
        cases.push((Case { left: is(0), ..asked }, "recall", vec![]));
        cases.push((asked, "refuse", vec![]));
    } else {
        cases.push((asked, "onward", next.clone()));
    }
    let settle = |case: Case, state: State, cases: &mut Cases| {
        if last { deliver(case, state, cases) } else { cases.push((case, "onward", next.clone())) }
    };
    let new = Case { age: is(NEW), ..base };
    for start in [STARTS, STARTS_ALIKE] {
        let starts = Case { round: is(start), ..new };
        settle(Case { left: is(0), alone: is(1), ..starts }, State::Completed, cases);
        settle(Case { left: is(0), alone: is(0), ..starts }, State::Open, cases);
        cases.push((starts, "mismatch", vec![]));
    }
    let agrees = Case { round: is(AGREES), ..new };
    settle(Case { left: is(1), ..agrees }, State::Completed, cases);
    cases.push((Case { left: is(0), ..agrees }, "refuse", vec![]));
    cases.push((Case { left: Pattern::Masked(0x8000, 0x8000), ..agrees }, "refuse", vec![]));
    settle(agrees, State::Open, cases);
    let differs = Case { round: is(DIFFERS), ..new };
    cases.push((Case { left: is(0), ..differs }, "refuse", vec![]));
    cases.push((differs, "mismatch", vec![]));
    let repeated = Case { age: is(REPEATED), ..base };
    settle(Case { left: is(0), ..repeated }, State::Closed, cases);
    settle(repeated, State::Open, cases);
}

/// Adds the cases of the last pass (R-PISA-15, R-SLOT-3, R-SLOT-4).
fn deliver(config: &SwitchMl, lanes: &Lanes, case: Case, state: State, cases: &mut Cases) {
    match state {
        State::Open => cases.push((case, "refuse", vec![])),
        State::Closed => to_one(config, lanes, case, cases),
        State::Completed => to_everyone(config, lanes, case, cases),
    }
}

/// Lengths for which there are lanes beyond those that the last pass has read.
fn longer(config: &SwitchMl, lanes: &Lanes) -> Pattern {
    let more =
        if config.pipelines == 1 && lanes.come_back() { u64::from(lanes.count / 2) } else { 0 };
    Pattern::Range(more, 0xFFFF)
}

/// The cases in which the round has lanes: this packet brings some, or an earlier one has.
fn with_lanes(case: Case) -> [Case; 2] {
    let brings =
        Case { flags: Pattern::Masked(0, flags::EMPTY), order: Pattern::Masked(2, 2), ..case };
    [brings, Case { filled: Pattern::Is(1), ..case }]
}

fn to_everyone(config: &SwitchMl, lanes: &Lanes, case: Case, cases: &mut Cases) {
    let is = Pattern::Is;
    let around = gathering(&config.frame.loopbacks, lanes.reads(), lanes.come_back());
    let starts = matches!(case.round, Pattern::Is(round::STARTS | round::STARTS_ALIKE));
    for filled in with_lanes(case).into_iter().take(if starts { 1 } else { 2 }) {
        let all = Case { to_all: is(1), ..filled };
        cases.push((Case { elements: longer(config, lanes), ..all }, "gather", around.clone()));
        cases.push((all, "spread", vec![]));
        cases.push((
            Case { to_all: is(0), ..filled },
            "relay",
            vec![last_window(&config.frame.loopbacks, lanes.reads())],
        ));
    }
    cases.push((case, "spread_empty", vec![]));
}

fn to_one(config: &SwitchMl, lanes: &Lanes, case: Case, cases: &mut Cases) {
    let is = Pattern::Is;
    let around = gathering(&config.frame.loopbacks, lanes.reads(), lanes.come_back());
    // R-SLOT-3: those whom `delivery` does not address get no lanes. What is held says whether
    // there are any.
    for addressed in [Case { to_all: is(1), ..case }, Case { foreign: is(0), ..case }] {
        let filled = Case { filled: is(1), ..addressed };
        cases.push((
            Case { elements: longer(config, lanes), ..filled },
            "gather_one",
            around.clone(),
        ));
        cases.push((filled, "reply", vec![]));
    }
    cases.push((case, "reply_empty", vec![]));
}
