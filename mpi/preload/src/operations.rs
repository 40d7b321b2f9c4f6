//! Operations of the program whose bodies netfold has (R-MPI-18): a list names their functions, and
//! modules of WebAssembly that do what these do.

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use netfold::raw::Reduction;
use netfold::{Operations, TypedOperation};
use netfold_mpi::{Element, Flavour, Fold, Layout, Numbers, Refusal, listed};
use netfold_ops::{Associative, Limits, Operation, Runtime, Scalar, Scope};
use object::{Object as _, ObjectSymbol as _, SymbolKind};
use xxhash_rust::xxh3::xxh3_64;

use crate::communicators::Net;
use crate::failure::say;
use crate::fortran;
use crate::host::{Host, object as exported};
use crate::job::agreed;
use crate::requests::Spelling;
use crate::types::Type;

/// An operation of the list.
struct Body {
    /// Name of its function.
    function: String,
    layout: &'static Layout,
    commutative: bool,
    /// Its result depends on the order of operands in less than what it claims.
    rounds: bool,
}

/// The operations of a list.
pub(crate) struct Bodies {
    all: Vec<Body>,
    /// Operations that the ranks of a job bring along (R-OP-23).
    pub(crate) operations: Operations,
    /// The list and its modules.
    pub(crate) hash: u64,
}

/// A handle that the program has made.
#[derive(Clone, Copy)]
struct Made {
    function: usize,
    commutes: bool,
}

/// The operations of the list, each with the address of its function at this rank, if all ranks
/// have it.
static KNOWN: OnceLock<Vec<(Body, Option<usize>)>> = OnceLock::new();
static MADE: Mutex<Option<HashMap<usize, Made>>> = Mutex::new(None);

fn made() -> MutexGuard<'static, Option<HashMap<usize, Made>>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Bodies {
    /// Reads a list, and the modules that it names.
    pub(crate) fn read(path: &str) -> Result<Self, String> {
        let read = |path: &Path| {
            fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
        };
        let bytes = read(Path::new(path))?;
        let text = String::from_utf8_lossy(&bytes);
        let rows = listed(&text).map_err(|(line, text)| {
            format!(
                "line {line} of {path} is {text:?}; write a function and a module, as in \
                     `least least.wasm`"
            )
        })?;
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let (mut all, mut operations) = (Vec::new(), Vec::<Arc<dyn TypedOperation>>::new());
        let mut hashed = text.clone().into_owned().into_bytes();
        let runtime = Runtime::new().map_err(|error| error.to_string())?;
        for (function, file) in rows {
            let module = read(&folder.join(file))?;
            let operation = Operation::load(&runtime, &module, &Limits::default())
                .map_err(|error| format!("the operation {file} of {path}: {error}"))?;
            all.push(Body::of(function, &operation)?);
            operations.push(Arc::new(operation));
            hashed.extend(module);
        }
        let operations = Operations::new(operations).map_err(|error| format!("{path}: {error}"))?;
        Ok(Self { all, operations, hash: xxh3_64(&hashed) })
    }

    /// Looks for the functions, when all ranks have joined. All ranks call this.
    pub(crate) fn find(self, host: &Host, rank: c_int) {
        let names: Vec<&str> = self.all.iter().map(|body| body.function.as_str()).collect();
        let found = addresses(&names);
        let known = self.all.into_iter().zip(found).map(|(body, address)| {
            if agreed(host, host.handles.world, address.is_some()) {
                return (body, address);
            }
            if address.is_none() {
                say(&format!(
                    "rank {rank}: the program has no function {}, or several: calls by it are \
                     carried out by its MPI",
                    body.function
                ));
            }
            (body, None)
        });
        let known = known.collect();
        // The first ones stay.
        let _ = KNOWN.set(known);
    }
}

impl Body {
    fn of(function: &str, operation: &Operation) -> Result<Self, String> {
        let declared = operation.declaration();
        let other = declared.wire.is_some()
            || declared.state.is_some()
            || declared.scope != Scope::Element
            || operation.has_map()
            || !operation.folds();
        if other {
            return Err(format!(
                "the operation of {function} has a codec, a map, state or messages, which no \
                 operation of MPI has; give a module that folds elements alone"
            ));
        }
        let numbers = declared.element.fields().iter().map(|field| {
            let of = element(field.scalar)?;
            Some(Numbers { of, count: field.scalars, offset: field.offset })
        });
        let numbers = numbers.collect::<Option<_>>().ok_or_else(|| {
            format!("the operation of {function} has numbers that no type of MPI has")
        })?;
        let layout = Layout { numbers, stride: declared.element.bytes() };
        Ok(Self {
            function: function.to_owned(),
            // Modules are loaded once, and used to the end.
            layout: Box::leak(Box::new(layout)),
            commutative: declared.commutative,
            rounds: declared.any_order() && declared.associative != Associative::Yes,
        })
    }
}

/// Returns the number of a scalar, if MPI has one.
const fn element(scalar: Scalar) -> Option<Element> {
    Some(match scalar {
        Scalar::I8 => Element::I8,
        Scalar::U8 => Element::U8,
        Scalar::I16 => Element::I16,
        Scalar::U16 => Element::U16,
        Scalar::I32 => Element::I32,
        Scalar::U32 => Element::U32,
        Scalar::I64 => Element::I64,
        Scalar::F32 => Element::F32,
        Scalar::F64 => Element::F64,
        Scalar::U64 => Element::U64,
        _ => return None,
    })
}

/// Notes an operation that the program has made of a function.
pub(crate) fn note(handle: usize, function: usize, commutes: bool) {
    if KNOWN.get().is_some() {
        made().get_or_insert_default().insert(handle, Made { function, commutes });
    }
}

/// Forgets an operation that the program frees: its handle may come again.
pub(crate) fn forget(handle: usize) {
    if let Some(made) = &mut *made() {
        made.remove(&handle);
    }
}

/// Returns the fold of an operation of the program on a type.
///
/// # Errors
/// The reason for which the host carries it out.
pub(crate) fn fold(net: &Net, handle: usize, of: &Type) -> Result<(Fold, Reduction), Refusal> {
    let made = made().as_ref().and_then(|made| made.get(&handle).copied());
    let made = made.ok_or(Refusal::UserOperation)?;
    let known = KNOWN.get().ok_or(Refusal::UserOperation)?;
    let number = known.iter().position(|(_, address)| *address == Some(made.function));
    let number = number.ok_or(Refusal::UserOperation)?;
    let body = &known[number].0;
    // Elements are little-endian (R-OP-2).
    if body.commutative != made.commutes || cfg!(target_endian = "big") {
        return Err(Refusal::UserOperation);
    }
    if body.rounds {
        return Err(Refusal::Order);
    }
    let user = net.job.folds().map_err(|_| Refusal::UserOperation)?[number];
    Ok((body.layout.fold(of.element, of.size)?, Reduction::User(user)))
}

/// Returns the addresses of functions of the program by their names: of its file, whether they are
/// seen outside it or not, or of its libraries. One that is there twice has none.
fn addresses(names: &[&str]) -> Vec<Option<usize>> {
    let own = fs::read("/proc/self/exe").unwrap_or_default();
    let parsed = object::File::parse(&own[..]).ok();
    let bias = bias();
    let of = |name: &&str| {
        let symbols = parsed.iter().flat_map(|file| file.symbols());
        let mut here: Vec<u64> = symbols
            .filter(|symbol| symbol.is_definition() && symbol.kind() == SymbolKind::Text)
            .filter(|symbol| symbol.name() == Ok(*name))
            .map(|symbol| symbol.address())
            .collect();
        here.dedup();
        match here[..] {
            [address] => Some(bias.wrapping_add(address as usize)),
            [] => exported(&CString::new(*name).ok()?).map(|found| found as usize),
            _ => None,
        }
    };
    names.iter().map(of).collect()
}

/// Returns the address at which the program's file begins, less that for which it was linked.
fn bias() -> usize {
    let mut bias = 0_usize;
    // SAFETY: `first` gets the address of a variable that lives until this returns.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut bias).cast()) };
    bias
}

/// Takes the address of the first file, which is the program's, and ends the iteration.
unsafe extern "C" fn first(info: *mut libc::dl_phdr_info, _: usize, bias: *mut c_void) -> c_int {
    // SAFETY: the caller gives a record that is valid for this call, and the pointer of `bias`.
    unsafe { *bias.cast::<usize>() = (*info).dlpi_addr as usize };
    1
}

/// Returns the operation at an address, as a language writes its handle.
pub(crate) fn read(spelling: Spelling, host: &Host, address: usize) -> usize {
    let at = address as *const c_void;
    // SAFETY: the program has a handle of this size there.
    unsafe {
        match spelling {
            Spelling::Fortran | Spelling::Module => fortran::Op(at),
            Spelling::C if host.flavour == Flavour::Mpich => {
                host.handle(*at.cast::<c_int>() as usize)
            }
            Spelling::C => *at.cast::<usize>(),
        }
    }
}
