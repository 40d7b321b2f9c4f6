//! Calls as drivers make them: by description, on memory given by address, waited for by number.
//!
//! This is what other front ends (the Python package, the linear models) build on. A
//! [`CallMemory`] is made by an unsafe function, whose contract says how long the memory must stay;
//! the rest is safe. [`Communicator::submit`] begins a call, [`Communicator::poll`] and
//! [`Communicator::wait`] wait for it, [`Communicator::watch`] and
//! [`Communicator::next_completion`] report its end.
//!
//! ```
//! use netfold::raw::{Call, CallMemory};
//!
//! # fn main() -> Result<(), netfold::Error> {
//! # let switch = netfold::Switch::start(&netfold::SwitchOptions::default())?;
//! # let comm = netfold::connect(&switch.address().to_string(), "raw", 0, 1).join()?;
//! // SAFETY: a barrier has no memory.
//! let nothing = unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
//! let id = comm.raw().submit(Call::BARRIER, nothing, false)?;
//! comm.raw().wait(id, None)?;
//! comm.raw().forget(id);
//! # Ok(())
//! # }
//! ```

pub use netfold_net::{
    Call, CallId, CallMemory, Collective, Communicator, InFlight, JoinRequest, Operation, Outcome,
    PlanError, Reduction, WorkerId,
};
