//! Types of the program: their size, and how their elements lie in memory (R-MPI-7).

use std::ffi::{c_int, c_void};

use netfold_mpi::Element;

use crate::host::Host;

/// A type of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Type {
    /// Its handle.
    pub(crate) handle: usize,
    /// Bytes of data of an element.
    pub(crate) size: usize,
    /// Bytes from one element to the next.
    pub(crate) extent: isize,
    /// The data of consecutive elements lies in consecutive bytes, in the order of the type.
    pub(crate) plain: bool,
    /// The numbers that it holds, if it is predefined and netfold folds some of that kind.
    pub(crate) element: Option<Element>,
}

impl Type {
    /// Returns the type of a handle; `None` if the host refuses it.
    pub(crate) fn of(host: &Host, handle: usize) -> Option<Self> {
        let handle = host.handle(handle);
        let element = host.element(handle);
        if let Some(element) = element.filter(|element| !matches!(element, Element::Pair(_))) {
            let size = element.bytes();
            return Some(Self {
                handle,
                size,
                extent: size as isize,
                plain: true,
                element: Some(element),
            });
        }
        let (mut size, mut low, mut extent) = (0, 0, 0);
        // SAFETY: the results are written to variables of this frame; the handle is the caller's.
        unsafe {
            if handle == host.handles.null_type
                || (host.call.type_size)(handle, &raw mut size) != 0
                || (host.call.type_get_extent)(handle, &raw mut low, &raw mut extent) != 0
            {
                return None;
            }
        }
        let size = usize::try_from(size).ok()?;
        // Pairs have gaps where MPI's structs have them.
        let plain = low == 0 && extent == size as isize && is_plain(host, handle);
        Some(Self { handle, size, extent, plain, element })
    }

    /// Returns the bytes of data of an element, without what else [`Type::of`] finds out; `None` if
    /// the host refuses the type.
    #[inline]
    pub(crate) fn size_of(host: &Host, handle: usize) -> Option<usize> {
        let handle = host.handle(handle);
        match host.element(handle) {
            Some(element) => Some(element.bytes()),
            None if handle == host.handles.null_type => None,
            None => host.size_of(handle),
        }
    }

    /// Returns the address of an element.
    pub(crate) fn at(&self, base: *mut c_void, element: isize) -> *mut u8 {
        base.cast::<u8>().wrapping_offset(self.extent.wrapping_mul(element))
    }
}

/// Numbers of integers, addresses and types that a type was made from, and how: its combiner.
struct Envelope {
    integers: c_int,
    addresses: c_int,
    types: c_int,
    combiner: c_int,
}

impl Envelope {
    /// Asks the host for it; `None` if the host reports an error.
    fn of(host: &Host, handle: usize) -> Option<Self> {
        let (mut integers, mut addresses, mut types, mut combiner) = (0, 0, 0, 0);
        // SAFETY: the results are written to variables of this frame.
        let asked = unsafe {
            (host.call.type_get_envelope)(
                handle,
                &raw mut integers,
                &raw mut addresses,
                &raw mut types,
                &raw mut combiner,
            )
        };
        (asked == 0).then_some(Self { integers, addresses, types, combiner })
    }
}

/// Returns whether a type is predefined, or a sequence of such elements, one after the other.
fn is_plain(host: &Host, handle: usize) -> bool {
    let [named, duplicate, contiguous] = host.handles.combiners;
    let Some(envelope) = Envelope::of(host, handle) else { return false };
    let Envelope { integers, addresses, types, combiner } = envelope;
    if combiner == named {
        return true;
    }
    if (combiner != duplicate && combiner != contiguous) || types != 1 || integers > 1 {
        return false;
    }
    let (mut integer, mut address, mut inner): (c_int, isize, usize) = (0, 0, 0);
    // SAFETY: by the envelope there is one type and at most one integer.
    let asked = unsafe {
        (host.call.type_get_contents)(
            handle,
            integers,
            addresses.min(0),
            types,
            &raw mut integer,
            &raw mut address,
            &raw mut inner,
        )
    };
    let inner_handle = host.handle(inner);
    let plain = asked == 0 && Type::of(host, inner_handle).is_some_and(|inner| inner.plain);
    if asked == 0 && !is_named(host, inner_handle) {
        // SAFETY: a derived type among the contents is the caller's to free.
        unsafe { (host.call.type_free)(&raw mut inner) };
    }
    plain
}

/// Returns whether a type is predefined.
pub(crate) fn is_named(host: &Host, handle: usize) -> bool {
    Envelope::of(host, handle).is_none_or(|envelope| envelope.combiner == host.handles.combiners[0])
}
