//! The host's MPI: its functions, found by name, and its flavour (R-MPI-2).

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::transmute;
use std::sync::OnceLock;

use netfold_mpi::{Element, Flavour, Handles};

use crate::failure;

/// The host's functions that this library calls for itself, by their profiling names.
macro_rules! functions {
    ($($field:ident = $name:literal ($($argument:ty),*);)*) => {
        /// Functions of the host.
        pub(crate) struct Functions {
            $(pub(crate) $field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Functions {
            fn find() -> Option<Self> {
                Some(Self {
                    $($field: {
                        let address = find($name)?;
                        type Function = unsafe extern "C" fn($($argument),*) -> c_int;
                        // SAFETY: MPI's standard gives the function this signature. A handle is an
                        // integer or a pointer, and is passed in a register of its own either way.
                        unsafe { transmute::<*mut c_void, Function>(address) }
                    },)*
                })
            }
        }
    };
}

functions! {
    comm_rank = c"PMPI_Comm_rank"(usize, *mut c_int);
    comm_size = c"PMPI_Comm_size"(usize, *mut c_int);
    comm_remote_size = c"PMPI_Comm_remote_size"(usize, *mut c_int);
    comm_test_inter = c"PMPI_Comm_test_inter"(usize, *mut c_int);
    comm_dup = c"PMPI_Comm_dup"(usize, *mut usize);
    comm_free = c"PMPI_Comm_free"(*mut usize);
    comm_group = c"PMPI_Comm_group"(usize, *mut usize);
    comm_get_parent = c"PMPI_Comm_get_parent"(*mut usize);
    comm_create_keyval = c"PMPI_Comm_create_keyval"
        (*const c_void, *const c_void, *mut c_int, *mut c_void);
    comm_set_attr = c"PMPI_Comm_set_attr"(usize, c_int, *mut c_void);
    comm_call_errhandler = c"PMPI_Comm_call_errhandler"(usize, c_int);
    group_translate_ranks = c"PMPI_Group_translate_ranks"
        (usize, c_int, *const c_int, usize, *mut c_int);
    group_free = c"PMPI_Group_free"(*mut usize);
    type_size = c"PMPI_Type_size"(usize, *mut c_int);
    type_get_extent = c"PMPI_Type_get_extent"(usize, *mut isize, *mut isize);
    type_get_envelope = c"PMPI_Type_get_envelope"
        (usize, *mut c_int, *mut c_int, *mut c_int, *mut c_int);
    type_get_contents = c"PMPI_Type_get_contents"
        (usize, c_int, c_int, c_int, *mut c_int, *mut isize, *mut usize);
    type_dup = c"PMPI_Type_dup"(usize, *mut usize);
    type_free = c"PMPI_Type_free"(*mut usize);
    pack = c"PMPI_Pack"(*const c_void, c_int, usize, *mut c_void, c_int, *mut c_int, usize);
    unpack = c"PMPI_Unpack"(*const c_void, c_int, *mut c_int, *mut c_void, c_int, usize, usize);
    bcast = c"PMPI_Bcast"(*mut c_void, c_int, usize, c_int, usize);
    allreduce = c"PMPI_Allreduce"(*const c_void, *mut c_void, c_int, usize, usize, usize);
    gather = c"PMPI_Gather"(*const c_void, c_int, usize, *mut c_void, c_int, usize, c_int, usize);
    gatherv = c"PMPI_Gatherv"
        (*const c_void, c_int, usize, *mut c_void, *const c_int, *const c_int, usize, c_int, usize);
    recv_init = c"PMPI_Recv_init"(*mut c_void, c_int, usize, c_int, c_int, usize, *mut usize);
    send = c"PMPI_Send"(*const c_void, c_int, usize, c_int, c_int, usize);
    iprobe = c"PMPI_Iprobe"(c_int, c_int, usize, *mut c_int, *mut c_void);
    initialized = c"PMPI_Initialized"(*mut c_int);
    library_version = c"PMPI_Get_library_version"(*mut c_char, *mut c_int);
    request_get_status = c"PMPI_Request_get_status"(usize, *mut c_int, *mut c_void);
    testany = c"PMPI_Testany"(c_int, *mut c_void, *mut c_int, *mut c_int, *mut c_void);
    grequest_start = c"PMPI_Grequest_start"
        (*const c_void, *const c_void, *const c_void, *mut c_void, *mut usize);
    grequest_complete = c"PMPI_Grequest_complete"(usize);
    status_set_elements = c"PMPI_Status_set_elements"(*mut c_void, usize, c_int);
    status_set_cancelled = c"PMPI_Status_set_cancelled"(*mut c_void, c_int);
}

/// The program's MPI.
pub(crate) struct Host {
    /// Its way to spell handles.
    pub(crate) flavour: Flavour,
    /// Its predefined handles.
    pub(crate) handles: Handles,
    /// Its functions.
    pub(crate) call: Functions,
    /// For predefined types, by their places among the handles: they are as long as this library
    /// has them. The host is asked when a type is used first.
    fits: Vec<OnceLock<bool>>,
}

static HOST: OnceLock<Option<Host>> = OnceLock::new();

/// Returns the host; `None` if the process has no MPI.
pub(crate) fn host() -> Option<&'static Host> {
    HOST.get_or_init(Host::find).as_ref()
}

impl Host {
    fn find() -> Option<Self> {
        let named = |symbol: &str| object(&CString::new(symbol).ok()?).map(|found| found as usize);
        let has_objects = named("ompi_mpi_comm_world").is_some();
        let flavour = Flavour::of(&library_of(c"PMPI_Comm_rank")?, has_objects);
        let handles = Handles::of(flavour, &named);
        let fits = vec![OnceLock::new(); handles.types()];
        Some(Self { flavour, handles, call: Functions::find()?, fits })
    }

    /// Returns the numbers that a predefined type holds, if netfold knows a fold of some. Types of
    /// Fortran may be longer than those of most compilers (R-MPI-2).
    #[inline]
    pub(crate) fn element(&self, handle: usize) -> Option<Element> {
        let (place, element) = self.handles.element(handle)?;
        let fits = self.fits[place].get_or_init(|| self.size_of(handle) == Some(element.bytes()));
        fits.then_some(element)
    }

    /// Returns the bytes of a type's data; `None` if the host refuses it.
    pub(crate) fn size_of(&self, handle: usize) -> Option<usize> {
        let mut size = 0;
        // SAFETY: the result is a variable of this frame; the handle is the caller's.
        let code = unsafe { (self.call.type_size)(handle, &raw mut size) };
        usize::try_from(size).ok().filter(|_| code == 0)
    }

    /// Returns whether integers of Fortran are as long as those of C, which handles, counts and
    /// places are read as. If they are not, one line says so.
    pub(crate) fn has_short_integers(&self) -> bool {
        static SHORT: OnceLock<bool> = OnceLock::new();
        *SHORT.get_or_init(|| {
            let size = self.size_of(self.handles.integer).unwrap_or(0);
            if size != size_of::<c_int>() {
                failure::tell_of_integers(self, size);
            }
            size == size_of::<c_int>()
        })
    }

    /// Returns the bits of a handle that count.
    #[inline]
    pub(crate) fn handle(&self, handle: usize) -> usize {
        handle & self.handles.mask
    }

    /// Has the host make progress with what it has under way (R-MPI-8). `other` is another rank of
    /// `MPI_COMM_WORLD`: of a rank itself MPICH looks at its own queue alone.
    pub(crate) fn progress(&self, other: c_int) {
        // As large as the status of any flavour.
        let (mut flag, mut status) = (0, [0_u64; 8]);
        let world = self.handles.world;
        // SAFETY: a probe, which takes no message.
        unsafe {
            (self.call.iprobe)(other, PROBED_TAG, world, &raw mut flag, status.as_mut_ptr().cast())
        };
    }
}

/// The tag of messages that are probed for: one that every MPI has.
const PROBED_TAG: c_int = 32767;

/// Returns the address of a variable of the host. A program may have a copy of its own, which the
/// linker has the host use, too.
pub(crate) fn object(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a string that ends with a zero.
    let first = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if first.is_null() { find(name) } else { Some(first) }
}

/// Returns the address of the host's function.
pub(crate) fn find(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name is a string that ends with a zero.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    if !next.is_null() {
        return Some(next);
    }
    // Python loads the library of MPI for itself alone.
    let mut search = Search { name, found: std::ptr::null_mut() };
    // SAFETY: `visit` gets the search that lives until this returns.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast()) };
    (!search.found.is_null()).then_some(search.found)
}

struct Search<'a> {
    name: &'a CStr,
    found: *mut c_void,
}

/// Looks for the symbol in one loaded library, if it is one of MPI.
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _bytes: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the caller, `dl_iterate_phdr`, gives a record that is valid for this call, and the
    // pointer that `find` gave it.
    let (path, search) = unsafe { ((*info).dlpi_name, &mut *search.cast::<Search<'_>>()) };
    // SAFETY: paths of loaded libraries end with a zero.
    if path.is_null() || !is_of_mpi(unsafe { CStr::from_ptr(path) }) {
        return 0;
    }
    // SAFETY: the path is a string that ends with a zero. The library is loaded, so nothing of it
    // runs; the handle is kept, as the library stays loaded.
    unsafe {
        let library = libc::dlopen(path, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if !library.is_null() {
            search.found = libc::dlsym(library, search.name.as_ptr());
        }
    }
    c_int::from(!search.found.is_null())
}

/// Returns whether a path is that of a library of MPI other than this one.
pub(crate) fn is_of_mpi(path: &CStr) -> bool {
    let path = path.to_string_lossy();
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with("libmpi") && name.contains(".so")
}

/// Returns the path of the library that has a symbol.
fn library_of(name: &CStr) -> Option<String> {
    let address = find(name)?;
    // SAFETY: the record is filled in by `dladdr`, for which zeros are a valid start.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(address, &raw mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        Some(CStr::from_ptr(info.dli_fname).to_string_lossy().into_owned())
    }
}

/// The next definition of a function that this library defines, too: found once.
pub(crate) struct Next(OnceLock<usize>, &'static CStr);

impl Next {
    pub(crate) const fn new(name: &'static CStr) -> Self {
        Self(OnceLock::new(), name)
    }

    /// Returns its address; `None` if the host lacks it.
    pub(crate) fn get(&self) -> Option<*const c_void> {
        let found = *self.0.get_or_init(|| find(self.1).map_or(0, |found| found as usize));
        (found != 0).then_some(found as *const c_void)
    }
}
