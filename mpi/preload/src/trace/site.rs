//! The place in the program that makes a call (R-MTR-4).

use std::collections::HashMap;
use std::ffi::{CStr, c_int, c_void};
use std::path::Path;
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::host::is_of_mpi;

/// Frames among which the program's is: this library's, those of a host's functions for Fortran,
/// and the program's first.
const FRAMES: usize = 16;

/// Returns the place of the program's call, as a file and an offset in it.
pub(super) fn of_caller() -> Option<String> {
    /// Places by return address; `None` in this library and the host.
    static KNOWN: RwLock<Option<HashMap<usize, Option<String>>>> = RwLock::new(None);
    let mut frames = [std::ptr::null_mut::<c_void>(); FRAMES];
    // SAFETY: there is room for as many addresses.
    let number = unsafe { libc::backtrace(frames.as_mut_ptr(), FRAMES as c_int) };
    for frame in &frames[..number.max(0) as usize] {
        let address = *frame as usize;
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.as_ref().and_then(|known| known.get(&address)).cloned();
        drop(known);
        let place = found.unwrap_or_else(|| {
            let place = place(*frame);
            let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
            known.get_or_insert_default().insert(address, place.clone());
            place
        });
        if place.is_some() {
            return place;
        }
    }
    None
}

/// Returns the file of an address and the offset in it, unless it is in this library or the host.
fn place(address: *mut c_void) -> Option<String> {
    static OWN: OnceLock<usize> = OnceLock::new();
    let own = *OWN.get_or_init(|| file(of_caller as *const c_void).map_or(0, |(_, base)| base));
    let (name, base) = file(address)?;
    if base == own || is_of_mpi(name) {
        return None;
    }
    let path = Path::new(name.to_str().ok()?);
    let program;
    let path = if path.is_absolute() {
        path
    } else {
        program = std::env::current_exe().ok()?;
        &program
    };
    Some(format!("{}+{:#x}", path.display(), address as usize - base))
}

/// Returns the name of the loaded file that an address is in, and where it begins.
fn file(address: *const c_void) -> Option<(&'static CStr, usize)> {
    // SAFETY: the record is filled in by `dladdr`, for which zeros are a valid start; names of
    // loaded files stay.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address, &raw mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some((CStr::from_ptr(info.dli_fname), info.dli_fbase as usize))
    }
}
