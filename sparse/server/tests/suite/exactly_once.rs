//! Every gradient is counted exactly once (R-SERVE-2, R-SERVE-8, R-KEY-10), whatever fails, and
//! steps are as stale as they may be and no more (R-SERVE-5). Rows are sums of integers, so nothing
//! is rounded.

use std::collections::BTreeMap;

use netfold_sparse::optimizer::{Optimizer, Sgd};
use netfold_sparse::{ElementType, Hello};

use crate::cluster::{Cluster, ROWS};
use crate::moving::Moving;
use crate::worker::Worker;

/// Seeds of a run, unless the variable says how many.
fn seeds() -> core::ops::Range<u64> {
    let count = std::env::var("NETFOLD_SEEDS").ok().and_then(|count| count.parse().ok());
    0..count.unwrap_or(60)
}

/// Runs `scenario` with each seed, and names the one that fails.
fn each_seed(scenario: impl Fn(u64) + std::panic::RefUnwindSafe) {
    for seed in seeds() {
        if let Err(panic) = std::panic::catch_unwind(|| scenario(seed)) {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

/// Rows of a type that the seed says (R-SERVE-24).
fn typed(seed: u64) -> impl Fn(&mut Hello) {
    use ElementType::{F32, F64, I32, I64};
    let element_type = [F32, F64, I32, I64][(seed / 9 % 4) as usize];
    move |hello| {
        hello.table.element_type = element_type;
        hello.switch.as_mut().expect("a switch").element_type = element_type;
        if !element_type.is_float() {
            hello.table.optimizer = Optimizer::Sum;
        }
    }
}

fn resident_if(resident: bool, seed: u64) -> impl Fn(&mut Hello) {
    move |hello| {
        typed(seed)(hello);
        hello.table.resident = resident;
        if resident && hello.table.optimizer != Optimizer::Sum {
            hello.table.optimizer = Optimizer::Sgd(Sgd { lr: -0.5, ..Sgd::default() });
        }
    }
}

fn asynchronous(seed: u64, durable: bool, resident: bool, dies: bool) {
    let (workers, servers) = (1 + seed as u16 % 3, 1 + seed as u16 / 3 % 3);
    let mut cluster = Cluster::new(seed, workers, servers, durable, resident_if(resident, seed));
    for turn in 0..1500 {
        cluster.happen(true);
        if cluster.draw(8) == 0 {
            let gradients = cluster.gradients();
            let worker = cluster.draw(usize::from(workers));
            cluster.workers[worker].push(&gradients);
        }
        if dies && turn == 700 {
            cluster.lose_switch();
        }
    }
    assert!(cluster.cuts > 20 && (cluster.kills > 5 || !durable), "the faults did not come");
    cluster.check();
}

#[test]
fn every_gradient_is_counted_once() {
    each_seed(|seed| asynchronous(seed, true, false, false));
}

#[test]
fn every_gradient_is_counted_once_when_the_switch_dies() {
    each_seed(|seed| asynchronous(seed, true, false, true));
}

#[test]
fn every_gradient_is_counted_once_in_memory() {
    each_seed(|seed| asynchronous(seed, false, false, seed % 2 == 0));
}

#[test]
fn resident_rows_are_the_servers_rows() {
    each_seed(|seed| asynchronous(seed, true, true, seed % 2 == 0));
}

/// Goes from plane to plane, for other hot keys or because the switch is lost.
fn planes(seed: u64, resident: bool) {
    let (workers, servers) = (1 + seed as u16 % 3, 1 + seed as u16 / 3 % 3);
    let durable = !seed.is_multiple_of(4);
    let mut cluster = Cluster::new(seed, workers, servers, durable, resident_if(resident, seed));
    for turn in 0..3000 {
        cluster.happen(true);
        if cluster.draw(8) == 0 {
            let gradients = cluster.gradients();
            let worker = cluster.draw(usize::from(workers));
            cluster.workers[worker].push(&gradients);
        }
        // Some come soon, before all workers have come to the one before.
        if cluster.draw(if turn % 700 < 100 { 100 } else { 1000 }) == 0 {
            if cluster.draw(2) == 0 {
                cluster.lose_switch();
            }
            let other_keys = cluster.draw(2) == 0;
            cluster.add_plane(other_keys);
        }
    }
    cluster.check();
}

/// R-KEY-13, R-SERVE-10
#[test]
fn every_gradient_is_counted_once_in_some_plane() {
    each_seed(|seed| planes(seed, false));
}

/// R-KEY-12: a switch has the rows of the server, with all that was pushed before.
#[test]
fn resident_rows_come_along_to_other_planes() {
    each_seed(|seed| planes(seed, true));
}

/// The next action of a worker of a run with steps.
enum Phase {
    Pull,
    /// This many answers are awaited.
    Pulling(usize),
    /// All servers must say that the step before is applied.
    Stepping,
    /// The step is not ended at these servers.
    Ending(Vec<usize>),
}

/// Gradients by step and key, of all workers.
type Steps = Vec<BTreeMap<u32, f32>>;

struct Run {
    cluster: Cluster,
    phases: Vec<Phase>,
    steps: Vec<u32>,
    pushed: Steps,
    staleness: u32,
    /// The steps before which all go to other servers.
    moves: &'static [u32],
}

impl Run {
    /// Returns whether a worker is on its way to other servers.
    fn goes(&mut self, at: usize) -> bool {
        let step = self.steps[at];
        let list = self.moves.iter().filter(|move_at| **move_at <= step).count() as u32;
        let cluster = &mut self.cluster;
        if cluster.workers[at].moving != Moving::Here {
            cluster.workers[at].advance_move(step.checked_sub(1));
            return true;
        }
        if cluster.workers[at].hello.list == list {
            return false;
        }
        if cluster.next_list(at).is_none() {
            let servers = 1 + cluster.draw(4) as u16;
            let other_keys = cluster.draw(2) == 0;
            cluster.add_list(servers, other_keys);
        }
        let next = cluster.next_list(at).expect("it was added");
        cluster.workers[at].begin_move(next);
        true
    }

    fn advance(&mut self, at: usize) {
        let step = self.steps[at];
        let keys: Vec<u32> = (0..ROWS).collect();
        if matches!(self.phases[at], Phase::Pull) && self.goes(at) {
            return;
        }
        let may_push = self.may_push(at);
        let next = match &mut self.phases[at] {
            Phase::Pull => Phase::Pulling(self.cluster.workers[at].pull(Some(step), &keys)),
            Phase::Pulling(answers) if self.cluster.workers[at].pulled.len() == *answers => {
                self.check_rows(at);
                Phase::Stepping
            }
            // Pulls wait at the servers, but what a push may mix with does not.
            Phase::Stepping if may_push => {
                let gradients = self.cluster.gradients();
                self.pushed.resize(self.pushed.len().max(step as usize + 1), BTreeMap::new());
                for (key, number) in &gradients {
                    *self.pushed[step as usize].entry(*key).or_default() += number;
                }
                let worker = &mut self.cluster.workers[at];
                worker.push(&gradients);
                Phase::Ending(worker.here().collect())
            }
            Phase::Ending(left) => {
                let worker = &mut self.cluster.workers[at];
                left.retain(|server| !worker.end_step(*server, step));
                if !left.is_empty() {
                    return;
                }
                self.steps[at] += 1;
                Phase::Pull
            }
            Phase::Pulling(_) | Phase::Stepping => return,
        };
        self.phases[at] = next;
    }

    /// Returns whether all servers have told a worker of the step before, if steps are applied
    /// whole.
    fn may_push(&self, at: usize) -> bool {
        let before = self.steps[at].checked_sub(1).filter(|_| self.staleness == 0);
        let worker = &self.cluster.workers[at];
        let mut links = worker.links[worker.here()].iter();
        before.is_none() || links.all(|link| link.stepped >= before)
    }

    /// Rows for a step have all of the steps that they must have, and nothing from the future.
    fn check_rows(&self, at: usize) {
        let (step, staleness) = (self.steps[at] as usize, self.staleness as usize);
        let sums = |steps: usize, key: &u32| -> f32 {
            self.pushed.iter().take(steps).filter_map(|step| step.get(key)).sum()
        };
        let pulled = &self.cluster.workers[at].pulled;
        for (key, row) in pulled.iter().flat_map(|(keys, rows)| keys.iter().zip(rows)) {
            let least = sums(step.saturating_sub(staleness), key);
            let most = if staleness == 0 { least } else { sums(usize::MAX, key) };
            assert!((least..=most).contains(row), "key {key} in step {step}: {row}, not {least}");
        }
    }
}

fn with_steps(seed: u64, staleness: u32, dies: bool, planes: bool, moves: bool) {
    const STEPS: u32 = 12;
    let (workers, servers) = (1 + seed as u16 % 3, 1 + seed as u16 / 3 % 3);
    let spec = |hello: &mut Hello| {
        typed(seed)(hello);
        hello.table.staleness = Some(staleness);
    };
    let cluster = Cluster::new(seed, workers, servers, true, spec);
    let mut run = Run {
        cluster,
        phases: (0..workers).map(|_| Phase::Pull).collect(),
        steps: vec![0; usize::from(workers)],
        pushed: Vec::new(),
        staleness,
        moves: if moves { &[3, 8] } else { &[] },
    };
    let mut turns = 0;
    while run.steps.iter().any(|step| *step < STEPS) {
        turns += 1;
        assert!(turns < 400_000, "steps {:?}", run.steps);
        run.cluster.happen(turns < 8000);
        for at in 0..usize::from(workers) {
            if run.steps[at] < STEPS {
                run.advance(at);
            }
        }
        // Within a step as well as between two.
        if dies && run.steps.iter().any(|step| *step > 1) && run.cluster.draw(1000) == 0 {
            run.cluster.lose_switch();
        }
        if planes && turns < 8000 && run.cluster.draw(700) == 0 {
            let other_keys = run.cluster.draw(2) == 0;
            run.cluster.add_plane(other_keys);
        }
    }
    // A worker that is ahead has ended its last steps, too: all are complete.
    run.cluster.settle("the last step", |cluster| {
        let here = |worker: &Worker| worker.here();
        let mut links = cluster.workers.iter().flat_map(|one| &one.links[here(one)]);
        links.all(|link| link.stepped == Some(STEPS - 1))
    });
    run.cluster.check();
}

#[test]
fn synchronous_steps_are_those_of_one_process() {
    each_seed(|seed| with_steps(seed, 0, false, false, false));
}

#[test]
fn synchronous_steps_survive_the_switch() {
    each_seed(|seed| with_steps(seed, 0, true, false, false));
}

#[test]
fn bounded_staleness_is_bounded() {
    each_seed(|seed| with_steps(seed, 1 + seed as u32 % 2, seed % 4 < 2, false, false));
}

/// R-SERVE-10
#[test]
fn steps_go_on_in_other_planes() {
    each_seed(|seed| with_steps(seed, seed as u32 % 3, seed % 4 < 2, true, false));
}

/// R-SERVE-18 to R-SERVE-22
#[test]
fn steps_go_on_at_other_servers() {
    each_seed(|seed| with_steps(seed, seed as u32 % 3, seed % 5 == 0, seed % 4 == 0, true));
}

/// Goes from one list of servers to the next, each worker in its own time, while the others push.
fn lists(seed: u64, resident: bool, runs: bool) -> u32 {
    let (workers, servers) = (1 + seed as u16 % 3, 1 + seed as u16 / 3 % 3);
    let durable = !seed.is_multiple_of(4);
    let mut cluster = Cluster::new(seed, workers, servers, durable, resident_if(resident, seed));
    for turn in 0..8000 {
        // With more faults no flush would come to its end.
        let faults = cluster.draw(6) == 0;
        cluster.happen(faults);
        let at = cluster.draw(usize::from(workers));
        if cluster.draw(8) == 0 && cluster.workers[at].moving == Moving::Here {
            let gradients = cluster.gradients();
            cluster.workers[at].push(&gradients);
        }
        if cluster.draw(1000) == 0 {
            let other_keys = cluster.draw(2) == 0;
            cluster.add_plane(other_keys);
        }
        if turn % 2000 == 500 {
            let servers = 1 + cluster.draw(4) as u16;
            cluster.add_list(servers, turn == 500);
        }
        cluster.move_on(at);
        if runs && cluster.draw(100) == 0 {
            cluster.begin_run();
        }
    }
    let mut turns = 0;
    while (0..usize::from(workers)).any(|at| !cluster.is_at_last_list(at)) {
        turns += 1;
        assert!(turns < 200_000, "it never came: the last list");
        cluster.happen(false);
        let at = cluster.draw(usize::from(workers));
        cluster.move_on(at);
        if runs && turns < 400 && cluster.draw(40) == 0 {
            cluster.begin_run();
        }
    }
    cluster.check();
    cluster.runs
}

/// R-SERVE-18 to R-SERVE-23
#[test]
fn every_gradient_is_counted_once_at_some_list_of_servers() {
    each_seed(|seed| _ = lists(seed, false, false));
}

/// R-KEY-12, R-SERVE-22
#[test]
fn resident_rows_come_along_to_other_servers() {
    each_seed(|seed| _ = lists(seed, true, false));
}

/// R-SERVE-22: all workers are lost in the middle of a move, and those of another run go on.
#[test]
fn another_run_finishes_a_move_wherever_it_is() {
    let runs = core::sync::atomic::AtomicU32::new(0);
    each_seed(|seed| {
        let begun = lists(seed, false, true);
        runs.fetch_add(begun, core::sync::atomic::Ordering::SeqCst);
    });
    let runs = runs.into_inner();
    assert!(runs > 60, "{runs} runs were lost");
}
