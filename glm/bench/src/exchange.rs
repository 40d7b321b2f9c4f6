//! The ways in which workers meet, behind one type, so that all of them run the same code.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use netfold_glm::{Collected, Exchange, Lane, SubmissionId};
use netfold_glm_net::Network;
use netfold_net::{Arithmetic, Communicator, JoinRequest, Protocol};

#[cfg(feature = "openmpi")]
use crate::mpi::Mpi;
use crate::orders::Through;

/// The time that a worker waits for a sum.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// A worker's jobs at a switch, one for each protocol; empty if the worker is alone.
pub struct Jobs {
    rank: usize,
    size: usize,
    by_protocol: Vec<(Protocol, Arc<Communicator>)>,
}

impl Jobs {
    /// None yet, of a worker among so many.
    pub fn none(rank: usize, size: usize) -> Self {
        Self { rank, size, by_protocol: Vec::new() }
    }

    /// One for each protocol, whose names begin with `job`.
    pub fn join(&self, switch: &str, job: &str, transport: &str) -> Result<Self, Box<dyn Error>> {
        let Self { rank, size, .. } = *self;
        let by_protocol = [Protocol::Acked, Protocol::Shadow].into_iter().map(|protocol| {
            let name = format!("{job}-{protocol}");
            let mut request = JoinRequest::new(name, u16::try_from(rank)?, u16::try_from(size)?);
            (request.terms.arithmetic, request.terms.protocol) = (Arithmetic::Native, protocol);
            request.transport = Some(transport.parse()?);
            let communicator =
                Communicator::connect(switch, request, |_| ControlFlow::Continue(()))?;
            Ok((protocol, Arc::new(communicator)))
        });
        Ok(Self { rank, size, by_protocol: by_protocol.collect::<Result<_, Box<dyn Error>>>()? })
    }

    /// The way that is asked for; if it is traced, one that tells when a sum was there.
    pub fn exchange(&self, through: Through, traced: bool) -> Result<Meeting, Box<dyn Error>> {
        let protocol = match through {
            _ if self.size == 1 => return Ok(Meeting::Alone),
            Through::Netfold | Through::Acked => Protocol::Acked,
            Through::Shadow => Protocol::Shadow,
            Through::MpiBeside | Through::MpiWaited if traced => {
                return Err("MPI does not tell when a sum was there".into());
            }
            #[cfg(feature = "openmpi")]
            Through::MpiBeside | Through::MpiWaited => {
                return Ok(Meeting::Mpi(Mpi::new(
                    self.rank,
                    self.size,
                    through == Through::MpiWaited,
                )));
            }
            #[cfg(not(feature = "openmpi"))]
            Through::MpiBeside | Through::MpiWaited => {
                return Err("it was built without the feature `openmpi`".into());
            }
        };
        let job = self
            .by_protocol
            .iter()
            .find(|(its, _)| *its == protocol)
            .ok_or("no switch was joined")?;
        if traced {
            job.1.time_rounds()?;
        }
        let network = Network::new(Arc::clone(&job.1), WAIT_LIMIT);
        Ok(Meeting::Netfold(if through == Through::Netfold {
            network
        } else {
            network.through_slots()
        }))
    }
}

/// A worker's place among the others.
pub enum Meeting {
    Alone,
    Netfold(Network),
    #[cfg(feature = "openmpi")]
    Mpi(Mpi),
}

impl Exchange for Meeting {
    type Error = netfold_net::Error;

    fn workers(&self) -> usize {
        match self {
            Self::Alone => 1,
            Self::Netfold(network) => network.workers(),
            #[cfg(feature = "openmpi")]
            Self::Mpi(mpi) => mpi.workers(),
        }
    }

    fn rank(&self) -> usize {
        match self {
            Self::Alone => 0,
            Self::Netfold(network) => network.rank(),
            #[cfg(feature = "openmpi")]
            Self::Mpi(mpi) => mpi.rank(),
        }
    }

    fn window(&self) -> usize {
        match self {
            Self::Alone => 1,
            Self::Netfold(network) => network.window(),
            #[cfg(feature = "openmpi")]
            Self::Mpi(mpi) => mpi.window(),
        }
    }

    fn submit<L: Lane>(&mut self, partial: &[L]) -> Result<SubmissionId, Self::Error> {
        match self {
            Self::Alone => unreachable!("a worker that is alone exchanges nothing"),
            Self::Netfold(network) => network.submit(partial),
            #[cfg(feature = "openmpi")]
            Self::Mpi(mpi) => Ok(mpi.submit(partial).unwrap_or_else(|never| match never {})),
        }
    }

    fn collect<L: Lane>(
        &mut self,
        submission: SubmissionId,
        full: &mut [L],
    ) -> Result<Collected, Self::Error> {
        match self {
            Self::Alone => unreachable!("a worker that is alone exchanges nothing"),
            Self::Netfold(network) => network.collect(submission, full),
            #[cfg(feature = "openmpi")]
            Self::Mpi(mpi) => {
                Ok(mpi.collect(submission, full).unwrap_or_else(|never| match never {}))
            }
        }
    }
}
