//! Memory of the program, as a call's parts, and what netfold reads and writes (R-MPI-7).

use std::ffi::{c_int, c_void};

use netfold::raw::CallMemory;

use crate::host::Host;
use crate::types::Type;

/// Most bytes that one call of the host packs: its counts are of type `int`.
const PACKED_BYTES: usize = 1 << 30;

/// Elements at an address of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) address: *mut u8,
    pub(crate) count: u64,
    pub(crate) of: Type,
}

impl Part {
    pub(crate) fn bytes(&self) -> usize {
        self.count as usize * self.of.size
    }

    /// Appends its data to `packed`.
    fn pack(&self, host: &Host, communicator: usize, packed: &mut Vec<u8>) {
        if self.of.plain {
            if self.bytes() > 0 {
                // SAFETY: the program says that so many elements are there.
                packed.extend_from_slice(unsafe {
                    std::slice::from_raw_parts(self.address, self.bytes())
                });
            }
            return;
        }
        for (element, count) in self.pieces() {
            let start = packed.len();
            packed.resize(start + count * self.of.size, 0);
            let (place, mut position) = (&mut packed[start..], 0);
            // SAFETY: the elements are the program's, and the place is as large as their data.
            unsafe {
                (host.call.pack)(
                    self.of.at(self.address.cast(), element).cast(),
                    count as c_int,
                    self.of.handle,
                    place.as_mut_ptr().cast(),
                    place.len() as c_int,
                    &raw mut position,
                    communicator,
                );
            }
        }
    }

    /// Takes its data from the start of `packed`, and returns the rest.
    fn unpack<'a>(&self, host: &Host, communicator: usize, packed: &'a [u8]) -> &'a [u8] {
        let (own, rest) = packed.split_at(self.bytes());
        if self.of.plain {
            // SAFETY: the program says that so many elements are there. What is packed is memory of
            // this library.
            unsafe { std::ptr::copy_nonoverlapping(own.as_ptr(), self.address, own.len()) };
            return rest;
        }
        let mut own = own;
        for (element, count) in self.pieces() {
            let (now, later) = own.split_at(count * self.of.size);
            let mut position = 0;
            // SAFETY: the elements are the program's, and their data is all there.
            unsafe {
                (host.call.unpack)(
                    now.as_ptr().cast(),
                    now.len() as c_int,
                    &raw mut position,
                    self.of.at(self.address.cast(), element).cast::<c_void>(),
                    count as c_int,
                    self.of.handle,
                    communicator,
                );
            }
            own = later;
        }
        rest
    }

    /// Returns first element and number of the pieces that the host packs one by one.
    fn pieces(&self) -> impl Iterator<Item = (isize, usize)> + use<> {
        let most = (PACKED_BYTES / self.of.size.max(1)).max(1);
        let count = if self.of.size == 0 { 0 } else { self.count as usize };
        (0..count).step_by(most).map(move |at| (at as isize, most.min(count - at)))
    }
}

/// Parts in the order of ranks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts(pub(crate) Vec<Part>);

impl Parts {
    pub(crate) fn one(part: Part) -> Self {
        Self(vec![part])
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(Part::bytes).sum()
    }

    /// Returns the address at which all data lies, one byte after the other; `None` if it does not.
    fn address(&self) -> Option<*mut u8> {
        let mut parts = self.0.iter().filter(|part| part.bytes() > 0);
        let Some(first) = parts.next() else { return Some(std::ptr::null_mut()) };
        let mut end = first.address;
        for part in self.0.iter().filter(|part| part.bytes() > 0) {
            if !part.of.plain || part.address != end {
                return None;
            }
            end = end.wrapping_add(part.bytes());
        }
        Some(first.address)
    }

    pub(crate) fn pack(&self, host: &Host, communicator: usize) -> Vec<u8> {
        let mut packed = Vec::with_capacity(self.bytes());
        self.0.iter().for_each(|part| part.pack(host, communicator, &mut packed));
        packed
    }

    pub(crate) fn unpack(&self, host: &Host, communicator: usize, packed: &[u8]) {
        self.0.iter().fold(packed, |packed, part| part.unpack(host, communicator, packed));
    }

    /// Keeps the derived type of the parts, which the program may free while a call goes on, and
    /// returns it. All parts of a call have one type.
    pub(crate) fn keep_type(&mut self, host: &Host) -> Option<usize> {
        let of = self.0.first().filter(|part| !part.of.plain)?.of.handle;
        let mut kept = 0;
        // SAFETY: the type is the program's, and the result a variable of this frame.
        if unsafe { (host.call.type_dup)(of, &raw mut kept) } != 0 {
            return None;
        }
        self.0.iter_mut().for_each(|part| part.of.handle = host.handle(kept));
        Some(kept)
    }

    /// Returns the data for netfold to read: where it lies, or a copy.
    pub(crate) fn read(&self, host: &Host, communicator: usize) -> Buffer {
        match self.address() {
            Some(address) => Buffer::There(address, self.bytes()),
            None => Buffer::Own(self.pack(host, communicator)),
        }
    }

    /// Returns the place for netfold to write to: where the data shall lie, or memory to unpack.
    pub(crate) fn write(&self) -> Buffer {
        match self.address() {
            Some(address) => Buffer::There(address, self.bytes()),
            None => Buffer::Own(vec![0; self.bytes()]),
        }
    }
}

/// Bytes that a call of netfold reads or writes.
#[derive(Debug)]
pub(crate) enum Buffer {
    /// Memory of the program.
    There(*mut u8, usize),
    /// Memory of this library.
    Own(Vec<u8>),
}

impl Buffer {
    pub(crate) const NONE: Self = Self::There(std::ptr::null_mut(), 0);

    /// Returns the same bytes in memory of this library.
    pub(crate) fn own(self) -> Self {
        match self {
            Self::There(_, 0) => Self::Own(Vec::new()),
            Self::There(..) => Self::Own(self.bytes().to_vec()),
            own @ Self::Own(_) => own,
        }
    }

    /// Returns the bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::There(_, 0) => &[],
            // SAFETY: it is memory that the program has named for this call.
            Self::There(address, bytes) => unsafe { std::slice::from_raw_parts(*address, *bytes) },
            Self::Own(bytes) => bytes,
        }
    }

    fn range(&mut self) -> (*mut u8, usize) {
        match self {
            Self::There(address, bytes) => (*address, *bytes),
            Self::Own(bytes) => (bytes.as_mut_ptr(), bytes.len()),
        }
    }
}

/// Returns the memory of a call that reads `input` and writes `output`.
///
/// # Safety
/// Both stay where they are, and nobody else uses them, until the call is done.
pub(crate) unsafe fn of_call(input: &mut Buffer, output: &mut Buffer) -> CallMemory {
    let ((input, input_bytes), (output, output_bytes)) = (input.range(), output.range());
    // SAFETY: the caller promises it.
    unsafe { CallMemory::from_raw(input, input_bytes, output, output_bytes) }
}
