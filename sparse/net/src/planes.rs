//! The jobs of a table at switches, one after the other (R-KEY-13 to R-KEY-15).

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{Call, Collective, Communicator, JoinRequest, TableTerms};

use crate::client::TableOptions;
use crate::error::Error;
use crate::hot::{HotRows, Lost, Planes, Waiting};
use crate::member::SwitchOptions;
use crate::udp::{UdpRows, lane_type};

/// Time-outs of the table within which its job resumes at another switch: each worker notices the
/// loss within one, and the job is complete within two more (R-RES-3).
const RESUME_TIMEOUTS: u32 = 3;

/// Interval at which a job that resumes is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Slots of the job for its dense calls, which are few and short: its memory is for the table.
const DENSE_SLOTS: u16 = 4;

/// A worker's jobs for a table.
pub(crate) struct Jobs {
    options: TableOptions,
    switch: SwitchOptions,
    state: Mutex<State>,
}

struct State {
    communicator: Option<Arc<Communicator>>,
    /// Number of times that the job was replaced by another one.
    replaced: u32,
}

impl Jobs {
    pub(crate) fn new(options: TableOptions, switch: SwitchOptions) -> Self {
        let state = Mutex::new(State { communicator: None, replaced: 0 });
        Self { options, switch, state }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the job that there is, to leave it.
    pub(crate) fn take(&self) -> Option<Arc<Communicator>> {
        self.lock().communicator.take()
    }

    /// Joins the first job.
    pub(crate) fn begin(
        &self,
        ranks: u32,
        waiting: Waiting<'_>,
    ) -> Result<Arc<Communicator>, Error> {
        let communicator = self.join(0, ranks, waiting)?;
        self.lock().communicator = Some(communicator.clone());
        Ok(communicator)
    }

    /// The table of a job that has one.
    pub(crate) fn rows(&self, job: Arc<Communicator>) -> Result<Arc<dyn HotRows>, Error> {
        let element_type = self.options.table.element_type;
        Ok(Arc::new(UdpRows::open(job, &self.switch, element_type)?))
    }

    /// Returns what each worker gives, by rank. All workers make the same calls. The loss of one
    /// ends it with its rank; one that only takes its time is waited for.
    pub(crate) fn exchange(&self, own: &[u8], waiting: Waiting<'_>) -> Result<Vec<Vec<u8>>, Error> {
        let job = self.lock().communicator.clone().ok_or(Error::Closed)?;
        let lengths = gathered(&job, (own.len() as u64).to_le_bytes().to_vec(), waiting)?;
        let lengths = lengths.chunks_exact(8).map(|length| {
            usize::try_from(u64::from_le_bytes(length.try_into().expect("8 bytes")))
                .unwrap_or(usize::MAX)
        });
        let lengths: Vec<usize> = lengths.collect();
        // Each has as much room as the longest takes.
        let room = lengths.iter().copied().max().unwrap_or(0);
        let mut padded = own.to_vec();
        padded.resize(room, 0);
        let all = gathered(&job, padded, waiting)?;
        let of_rank =
            (0..).zip(&lengths).map(|(rank, length)| all[rank * room..][..*length].to_vec());
        Ok(of_rank.collect())
    }

    fn join(
        &self,
        replaced: u32,
        ranks: u32,
        waiting: Waiting<'_>,
    ) -> Result<Arc<Communicator>, Error> {
        let TableOptions { table, rank, workers, token, timeout, .. } = &self.options;
        let mut name = format!("table {}", table.name);
        if replaced > 0 {
            // The job before is still there.
            name += &format!(", hot keys {}", replaced + 1);
        }
        let mut request = JoinRequest::new(name, *rank, *workers);
        request.token = token.clone();
        request.timeout = *timeout;
        request.slots = Some(DENSE_SLOTS);
        request.transport = self.switch.transport;
        request.terms.arithmetic = self.switch.arithmetic;
        request.terms.table = (ranks > 0).then(|| TableTerms {
            rows: ranks,
            width: table.width,
            element_type: lane_type(self.switch.arithmetic, table.element_type),
            resident: table.resident,
        });
        let mut interrupted = false;
        let joined = Communicator::connect(&self.switch.address, request, |_| {
            let heeded = waiting();
            interrupted |= heeded.is_break();
            heeded
        });
        if interrupted { Err(Error::Interrupted) } else { Ok(Arc::new(joined?)) }
    }
}

impl Planes for Jobs {
    fn resume(&self, epoch: u32, over: &dyn Fn() -> bool) -> Result<Arc<dyn HotRows>, Lost> {
        let lost = |why: netfold_net::Error| Lost(why.to_string());
        let job = self.lock().communicator.clone();
        let job = job.ok_or_else(|| Lost("the table is closed".to_owned()))?;
        let start = Instant::now();
        let limit = self.options.timeout * RESUME_TIMEOUTS;
        loop {
            if let Some(ended) = job.ended().map_err(lost)? {
                return Err(Lost(ended.to_string()));
            }
            match job.job_epoch().map_err(lost)? {
                Some(other) if other != epoch => {
                    return self.rows(job).map_err(|error| Lost(error.to_string()));
                }
                _ if over() || start.elapsed() >= limit => {
                    let seconds = limit.as_secs_f64();
                    return Err(Lost(format!("no other switch has it within {seconds:.1} s")));
                }
                // The communicator tells nobody when it has come to another switch.
                _ => thread::sleep(LOOK_INTERVAL),
            }
        }
    }

    fn replace(&self, ranks: u32, waiting: Waiting<'_>) -> Result<Arc<dyn HotRows>, Error> {
        let replaced = {
            let mut state = self.lock();
            state.replaced += 1;
            state.replaced
        };
        let (start, limit) = (Instant::now(), self.options.timeout);
        let mut late = false;
        let joined = self.join(replaced, ranks, &mut || {
            late = start.elapsed() >= limit;
            if late { ControlFlow::Break(()) } else { waiting() }
        });
        let joined = match joined {
            Err(Error::Interrupted) if late => {
                let what = "joining the others with other hot keys";
                return Err(Error::Timeout { what, seconds: limit.as_secs_f64() });
            }
            joined => joined?,
        };
        let rows = self.rows(joined.clone())?;
        let former = self.lock().communicator.replace(joined);
        if let Some(former) = former {
            former.close();
        }
        Ok(rows)
    }
}

/// Returns the bytes of all workers, each of which gives as many.
fn gathered(job: &Arc<Communicator>, own: Vec<u8>, waiting: Waiting<'_>) -> Result<Vec<u8>, Error> {
    let elements = own.len() as u64;
    let call = Call { collective: Collective::AllGather, elements, ..Call::BARRIER };
    let all = vec![0; own.len() * usize::from(job.size())];
    let call = job.submit_owned_into(call, own, all)?;
    while !call.is_done_within(LOOK_INTERVAL) {
        if waiting().is_break() {
            return Err(Error::Interrupted);
        }
    }
    Ok(call.wait(None)?.0)
}
