//! Memory without a name, of a size that nobody can change.

use std::os::fd::OwnedFd;

use rustix::fs::{
    MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, fstat, ftruncate, memfd_create,
};

use crate::error::Error;

/// Makes memory of so many bytes, all zero.
pub(crate) fn make(bytes: u64) -> Result<OwnedFd, Error> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let memory =
        memfd_create("netfold", flags).map_err(Error::system("cannot make memory to share"))?;
    ftruncate(&memory, bytes).map_err(Error::system("cannot size shared memory"))?;
    fcntl_add_seals(&memory, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)
        .map_err(Error::system("cannot seal shared memory"))?;
    Ok(memory)
}

/// Checks that memory which another process has made is of so many bytes, and stays so.
pub(crate) fn check(memory: &OwnedFd, bytes: u64) -> Result<(), Error> {
    let foreign = |what, found, expected| Err(Error::Foreign { what, found, expected });
    let seals =
        fcntl_get_seals(memory).map_err(Error::system("what was passed is no shared memory"))?;
    // Without the seal, whoever has the memory could cut it off under everyone else.
    if !seals.contains(SealFlags::SHRINK) {
        return foreign("its seals", seals.bits().into(), SealFlags::SHRINK.bits().into());
    }
    let size =
        fstat(memory).map_err(Error::system("what was passed cannot be looked at"))?.st_size as u64;
    if size == bytes { Ok(()) } else { foreign("its size", size, bytes) }
}
