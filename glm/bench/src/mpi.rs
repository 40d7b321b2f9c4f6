//! Workers that meet through Open MPI: the peer.
#![expect(unsafe_code, reason = "MPI is called through C")]

use std::collections::VecDeque;
use std::convert::Infallible;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::time::Instant;

use netfold_glm::{Collected, Exchange, Lane, SubmissionId};
use netfold_glm_net::Network;

/// Room for the library's name and version.
const VERSION_BYTES: usize = 64;

unsafe extern "C" {
    fn sgd_mpi_start(slots: c_int, rank: *mut c_int, size: *mut c_int);
    fn sgd_mpi_version(text: *mut c_char, bytes: c_int);
    fn sgd_mpi_begin(
        partial: *const c_void,
        full: *mut c_void,
        lanes: c_int,
        is_float: c_int,
        slot: c_int,
    );
    fn sgd_mpi_end(slot: c_int);
    fn sgd_mpi_allreduce(partial: *const c_void, full: *mut c_void, lanes: c_int, is_float: c_int);
    fn sgd_mpi_stop();
}

/// This process among those that `mpirun` has started. There is one of it.
#[derive(Debug)]
pub struct World {
    pub rank: usize,
    pub size: usize,
    pub version: String,
}

impl World {
    /// Meets the others. It is called once, by the thread that makes all other calls.
    pub fn start() -> Self {
        let (mut rank, mut size) = (0, 0);
        let mut text = [0; VERSION_BYTES];
        // SAFETY: the pointers are to numbers and to as many bytes as are said.
        unsafe {
            sgd_mpi_start(Network::WINDOW as c_int, &mut rank, &mut size);
            sgd_mpi_version(text.as_mut_ptr(), VERSION_BYTES as c_int);
        }
        // SAFETY: C has ended the text with a zero.
        let version = unsafe { CStr::from_ptr(text.as_ptr()) };
        Self {
            rank: rank as usize,
            size: size as usize,
            version: version.to_string_lossy().into_owned(),
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: nothing is under way: an exchange that is dropped before has waited for its own.
        unsafe { sgd_mpi_stop() };
    }
}

/// All-reduces of lanes.
#[derive(Debug)]
pub struct Mpi {
    rank: usize,
    workers: usize,
    /// True if a submission waits for its sum at once, by `MPI_Allreduce`. Otherwise it goes on
    /// beside it, by `MPI_Iallreduce`.
    blocking: bool,
    submitted: u64,
    /// Those under way, oldest first.
    pending: VecDeque<Reduction>,
    /// Memory of those that are done.
    spare: Vec<(Vec<u32>, Vec<u32>)>,
}

/// One under way. MPI has the addresses of both vectors, which nothing touches until it is done.
#[derive(Debug)]
struct Reduction {
    slot: c_int,
    partial: Vec<u32>,
    full: Vec<u32>,
}

impl Mpi {
    /// A worker among so many.
    pub fn new(rank: usize, workers: usize, blocking: bool) -> Self {
        Self { rank, workers, blocking, submitted: 0, pending: VecDeque::new(), spare: Vec::new() }
    }

    fn finish(&self, reduction: &Reduction) {
        if !self.blocking {
            // SAFETY: the slot's reduction has begun, and is waited for once.
            unsafe { sgd_mpi_end(reduction.slot) };
        }
    }
}

impl Exchange for Mpi {
    type Error = Infallible;

    fn workers(&self) -> usize {
        self.workers
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn window(&self) -> usize {
        Network::WINDOW
    }

    fn submit<L: Lane>(&mut self, lanes: &[L]) -> Result<SubmissionId, Infallible> {
        let (mut partial, mut full) = self.spare.pop().unwrap_or_default();
        partial.clear();
        partial.extend(lanes.iter().map(|lane| lane.to_bits()));
        full.resize(lanes.len(), 0);
        let slot = (self.submitted % Network::WINDOW as u64) as c_int;
        let (from, to) = (partial.as_ptr().cast(), full.as_mut_ptr().cast());
        let (count, is_float) = (lanes.len() as c_int, c_int::from(L::FLOAT));
        // SAFETY: both vectors have that many lanes of 32 bits, and stay where they are, in
        // `pending`, until the reduction is done. The window keeps slots apart.
        unsafe {
            if self.blocking {
                sgd_mpi_allreduce(from, to, count, is_float);
            } else {
                sgd_mpi_begin(from, to, count, is_float, slot);
            }
        }
        self.pending.push_back(Reduction { slot, partial, full });
        self.submitted += 1;
        Ok(SubmissionId(self.submitted - 1))
    }

    fn collect<L: Lane>(
        &mut self,
        _ticket: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, Infallible> {
        let reduction = self.pending.pop_front().expect("what is collected was submitted");
        self.finish(&reduction);
        for (lane, bits) in full.iter_mut().zip(&reduction.full) {
            *lane = L::from_bits(*bits);
        }
        self.spare.push((reduction.partial, reduction.full));
        Ok(Collected { at: Some(Instant::now()) })
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        while let Some(reduction) = self.pending.pop_front() {
            self.finish(&reduction);
        }
    }
}
