//! The results of a call, compared with what its inputs fold to.

use std::fmt;

use netfold_worker::Collective;
use serde::Serialize;

use crate::cluster::Cluster;
use crate::job::{Calling, Job};
use crate::keyed;
use crate::machine::Machine;
use crate::oracle::{Fold, WrongElement};

/// A wrong element of a worker's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrongResult {
    /// The worker.
    pub rank: u16,
    /// The element; of a probe, counted in the lanes that are simulated.
    #[serde(flatten)]
    pub element: WrongElement,
}

impl fmt::Display for WrongResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rank, element } = self;
        write!(f, "rank {rank}: {element}")
    }
}

/// All wrong elements of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) count: u64,
    /// The one that was found first; `None` for a peer's segments, which are only counted.
    pub(crate) first: Option<WrongResult>,
}

impl Wrong {
    pub(crate) fn note(&mut self, rank: u16, count: u64, element: Option<WrongElement>) {
        self.count += count;
        if self.first.is_none() {
            self.first = element.map(|element| WrongResult { rank, element });
        }
    }
}

impl Cluster {
    /// Compares all results of a call that are complete with what the inputs fold to, and those of
    /// an all-reduce with each other: all workers get the same bits.
    pub(crate) fn audit(&self, number: usize, call: usize) -> Wrong {
        let job = &self.jobs[number];
        if job.setup.table.is_some() {
            return self.audit_table(job, call);
        }
        let Calling { simulated, odd, memories, wrong, .. } = &job.calls[call];
        let mut wrong = wrong.clone();
        let mut first: Option<(u16, Vec<u16>, &[u8])> = None;
        for (rank, memory) in (0..).zip(memories).filter(|(_, memory)| memory.left == 0) {
            let (members, result) = (self.contributors(number, call, rank), memory.merged.result());
            // Results of workers that make different calls are no fold of anything.
            if odd.is_some_and(|(odd, _)| members.contains(&odd)) {
                continue;
            }
            let before = first.as_ref().filter(|(_, others, _)| *others == members);
            // A result with the same bits as a right one is right.
            if before.is_some_and(|(.., bits)| *bits == result) {
                continue;
            }
            let inputs =
                members.iter().map(|member| memories[usize::from(*member)].before.input_bytes());
            let fold = Fold {
                call: *simulated,
                arithmetic: job.setup.terms.arithmetic,
                payload_bytes: job.simulated_bytes,
                switches: job.switches,
                inputs: &inputs.collect::<Vec<_>>(),
            };
            let mut elements = fold.wrong_elements(rank, result);
            match before {
                Some((other, _, bits)) if elements.is_empty() => {
                    elements = other_bits(*other, bits, result, simulated.element_type.bytes());
                }
                None if elements.is_empty() && simulated.collective == Collective::AllReduce => {
                    first = Some((rank, members, result));
                }
                _ => {}
            }
            wrong.note(rank, elements.len() as u64, elements.into_iter().next());
        }
        wrong
    }

    /// Compares the sums of a table's servers with all that its workers have pushed in calls that
    /// are over. What servers have not read yet is missing.
    fn audit_table(&self, job: &Job, call: usize) -> Wrong {
        let mut wrong = job.calls[call].wrong.clone();
        let is_over = job.calls.iter().all(|calling| calling.left == 0);
        let Some(table) = job.setup.table.filter(|_| is_over && call + 1 == job.calls.len()) else {
            return wrong;
        };
        let peer = |rank| match &self.hosts.endpoints[job.endpoint(rank, 0) as usize].machine {
            Some(Machine::Peer(peer)) => Some(peer),
            _ => None,
        };
        let workers = job.setup.workers;
        let mut pushed = vec![0_i64; table.hot as usize * usize::from(table.width)];
        let mut prints = vec![0_u64; table.servers.into()];
        for rank in 0..workers {
            for batch in (0..job.calls.len()).map(|call| job.batch(rank, call as u32)) {
                batch.add_to(&mut pushed);
            }
            let pushes = peer(rank).and_then(|peer| peer.worker()).map(keyed::Worker::pushes);
            for (server, pushes) in (0..).zip(pushes.into_iter().flatten()) {
                let print = &mut prints[usize::from(server)];
                *print = print.wrapping_add(keyed::print_of_all(rank, server, pushes));
            }
        }
        let mut sums = vec![0_i64; pushed.len()];
        for (server, wanted) in (workers..).zip(prints) {
            let Some(of) = peer(server).and_then(|peer| peer.server()) else { continue };
            let (hot, prints) = of.sums();
            sums.iter_mut().zip(hot).for_each(|(sum, own)| *sum += own);
            wrong.note(server, of.wrong(), None);
            if wanted != prints {
                let (wanted, got) = (format!("{wanted} for cold pairs"), prints.to_string());
                wrong.note(server, 1, Some(WrongElement { element: 0, wanted, got }));
            }
        }
        for (element, (wanted, got)) in (0..).zip(pushed.iter().zip(&sums)) {
            if wanted != got {
                let (wanted, got) = (wanted.to_string(), got.to_string());
                wrong.note(workers, 1, Some(WrongElement { element, wanted, got }));
            }
        }
        wrong
    }

    /// The workers with which a worker has made a call, by the ranks with which the job began.
    fn contributors(&self, number: usize, call: usize, rank: u16) -> Vec<u16> {
        let of_record = self.worker(number, rank).and_then(|record| record.members_of(call as u64));
        of_record.map_or_else(|| (0..self.jobs[number].setup.workers).collect(), <[u16]>::to_vec)
    }
}

/// Returns the elements of so many bytes each that are other bits than those that rank `of` has.
fn other_bits(of: u16, wanted: &[u8], got: &[u8], bytes: usize) -> Vec<WrongElement> {
    let pairs = (0..).zip(wanted.chunks(bytes).zip(got.chunks(bytes)));
    let differ = pairs.filter(|(_, (wanted, got))| wanted != got);
    differ
        .map(|(element, (wanted, got))| WrongElement {
            element,
            wanted: format!("the bytes {wanted:02x?} that rank {of} has"),
            got: format!("the bytes {got:02x?}"),
        })
        .collect()
}
