//! Tensors as torch describes them to other libraries: DLPack's C interface, version 1.
#![expect(unsafe_code, reason = "DLPack's tables are C structures of pointers")]

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::slice;

use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Name of the capsule that holds the table.
const NAME: &std::ffi::CStr = c"dlpack_exchange_api";

/// Version of the interface whose layout is the one below.
const MAJOR: u32 = 1;

/// Number of the device type for main memory.
const CPU: i32 = 1;

/// `DLDataType`: the type of an element.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`, filled in by its producer.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    dtype: DataType,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

/// `DLPackExchangeAPI`.
#[repr(C)]
struct ExchangeApi {
    major: u32,
    minor: u32,
    previous: *const c_void,
    managed_tensor_allocator: *const c_void,
    managed_tensor_from_object: *const c_void,
    managed_tensor_to_object: *const c_void,
    tensor_from_object: Option<unsafe extern "C" fn(*mut PyObject, *mut DlTensor) -> c_int>,
    current_work_stream: *const c_void,
}

/// Elements in main memory, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements {
    pub(super) address: usize,
    pub(super) count: u64,
    pub(super) data_type: DataType,
}

/// The table of a library, with which it describes its tensors.
pub(super) struct Exchange {
    table: NonNull<ExchangeApi>,
}

// SAFETY: DLPack asks that the table stays as it is until the process ends.
unsafe impl Send for Exchange {}
// SAFETY: as above.
unsafe impl Sync for Exchange {}

impl Exchange {
    /// Returns the table in a capsule; `None` if it has another version, or cannot describe tensors
    /// that stay its own.
    pub(super) fn of(capsule: &Bound<'_, PyCapsule>) -> PyResult<Option<Self>> {
        let table: NonNull<ExchangeApi> = capsule.pointer_checked(Some(NAME))?.cast();
        // SAFETY: a capsule of this name holds such a table. The version is at its start in every
        // version.
        let exchange = unsafe {
            (*table.as_ptr()).major == MAJOR && (*table.as_ptr()).tensor_from_object.is_some()
        };
        Ok(exchange.then_some(Self { table }))
    }

    /// Returns the elements of a tensor of the library's own type; `None` if they are not one after
    /// the other in main memory, or cannot be described.
    pub(super) fn elements(&self, tensor: &Bound<'_, PyAny>) -> Option<Elements> {
        let mut described = DlTensor {
            data: null_mut(),
            device_type: 0,
            device_id: 0,
            ndim: 0,
            dtype: DataType { code: 0, bits: 0, lanes: 0 },
            shape: null(),
            strides: null(),
            byte_offset: 0,
        };
        // SAFETY: the table is of this version (`of`), and stays.
        let describe = unsafe { self.table.as_ref() }.tensor_from_object?;
        // SAFETY: the object is a tensor of the library, and the interpreter's lock is held.
        if unsafe { describe(tensor.as_ptr(), &raw mut described) } != 0 {
            // Python's layers say what is wrong with it, if anything is.
            drop(PyErr::take(tensor.py()));
            return None;
        }
        if described.device_type != CPU {
            return None;
        }
        let ndim = usize::try_from(described.ndim).ok()?;
        // SAFETY: the producer has filled in as many of both as there are dimensions, and nothing
        // can change them while the lock is held.
        let (shape, strides) =
            unsafe { (numbers(described.shape, ndim), numbers(described.strides, ndim)) };
        let count = count_in_order(shape?, strides?)?;
        let address =
            described.data.expose_provenance() + usize::try_from(described.byte_offset).ok()?;
        Some(Elements { address, count, data_type: described.dtype })
    }
}

/// Returns `length` numbers; `None` for a null pointer.
///
/// # Safety
/// They live as long as the slice that is returned.
unsafe fn numbers<'a>(start: *const i64, length: usize) -> Option<&'a [i64]> {
    if length == 0 {
        return Some(&[]);
    }
    // SAFETY: the caller's.
    (!start.is_null()).then(|| unsafe { slice::from_raw_parts(start, length) })
}

/// Returns the number of elements of a tensor; `None` if they do not lie one after the other in the
/// order of their indices.
fn count_in_order(shape: &[i64], strides: &[i64]) -> Option<u64> {
    let mut count = 1;
    let mut in_order = true;
    for (&length, &stride) in shape.iter().zip(strides).rev() {
        // The stride of a dimension of one index is of no account.
        in_order &= length == 1 || stride == count;
        count = count.checked_mul(length)?;
    }
    // A tensor without elements has them in every order.
    (in_order || count == 0).then_some(count.try_into().ok()?)
}
