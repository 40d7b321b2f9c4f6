//! Values of predefined handles in the flavours of MPI that there are (R-MPI-2).
//!
//! In Open MPI a handle is the address of an object, which has a symbol; in MPICH, and those that
//! keep its ABI, it is an integer; in MPI 5's standard ABI it is a small integer as a pointer.

use crate::fold::{Element, Op};
use crate::pair::{Number, Pair};

/// An implementation's way to spell handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Open MPI 4 and 5.
    OpenMpi,
    /// MPICH, and those that keep its ABI.
    Mpich,
    /// The standard ABI of MPI 5.
    Standard,
}

impl Flavour {
    /// Returns the flavour of the library from which a program has its functions of MPI, by its
    /// path: that of a library of the standard ABI says so, whatever MPI it is built over.
    /// `has_objects` tells whether handles of Open MPI are among the program's symbols.
    pub fn of(path: &str, has_objects: bool) -> Self {
        let name = path.rsplit('/').next().unwrap_or_default();
        if name.starts_with("libmpi_abi.") {
            Self::Standard
        } else if has_objects {
            Self::OpenMpi
        } else {
            Self::Mpich
        }
    }
}

/// The address of a symbol, in implementations whose handles are addresses.
pub type Named<'a> = dyn Fn(&str) -> Option<usize> + 'a;

/// Values of the predefined handles of one flavour.
#[derive(Clone, Debug)]
pub struct Handles {
    types: Vec<(usize, Element)>,
    /// Places of types, from the slot of their handle on.
    slots: [u8; SLOTS],
    operations: Vec<(usize, Op)>,
    /// `MPI_COMM_WORLD`
    pub world: usize,
    /// `MPI_COMM_SELF`
    pub own: usize,
    /// `MPI_COMM_NULL`
    pub null_communicator: usize,
    /// `MPI_REQUEST_NULL`
    pub null_request: usize,
    /// `MPI_DATATYPE_NULL`
    pub null_type: usize,
    /// `MPI_BYTE`
    pub byte: usize,
    /// `MPI_INT64_T`
    pub long: usize,
    /// `MPI_INTEGER`
    pub integer: usize,
    /// `MPI_MIN`
    pub minimum: usize,
    /// `MPI_IN_PLACE`
    pub in_place: usize,
    /// `MPI_ROOT`
    pub root: i32,
    /// Bytes of an `MPI_Status`.
    pub status_bytes: usize,
    /// Bytes in it before `MPI_ERROR`.
    pub status_error_at: usize,
    /// `MPI_STATUS_IGNORE`, and `MPI_STATUSES_IGNORE`.
    pub statuses_ignore: usize,
    /// Combiners of `MPI_Type_get_envelope`: of predefined types, of duplicates, and of
    /// contiguous types.
    pub combiners: [i32; 3],
    /// `MPI_ERR_OTHER`
    pub other_error: i32,
    /// Bits of a handle that count: those of an `int`, or all.
    pub mask: usize,
}

/// Slots of the places of types, several for each.
const SLOTS: usize = 256;

/// A slot without a place.
const EMPTY: u8 = u8::MAX;

/// Returns the slot of a handle: the highest bits of a product with the golden ratio.
#[inline]
const fn slot(handle: usize) -> usize {
    ((handle as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

impl Handles {
    /// Returns those of a flavour, whose symbols `named` knows.
    pub fn of(flavour: Flavour, named: &Named<'_>) -> Self {
        let value = |symbol: &str, mpich: usize, standard: usize| match flavour {
            Flavour::OpenMpi => named(symbol),
            Flavour::Mpich => Some(mpich),
            Flavour::Standard => Some(standard),
        };
        let one = |symbol, mpich, standard| value(symbol, mpich, standard).unwrap_or(0);
        let pairs = PAIRS.map(|(value, index, symbol, mpich, standard)| {
            (Element::Pair(Pair { value, index }), symbol, mpich, standard)
        });
        let mut types: Vec<_> = TYPES
            .into_iter()
            .chain(pairs)
            .filter_map(|(element, symbol, mpich, standard)| {
                Some((value(symbol, mpich, standard)?, element))
            })
            .collect();
        types.sort_unstable_by_key(|(handle, _)| *handle);
        let mut slots = [EMPTY; SLOTS];
        for (place, (handle, _)) in (0..EMPTY).zip(&types) {
            let mut at = slot(*handle);
            while slots[at] != EMPTY {
                at = (at + 1) % SLOTS;
            }
            slots[at] = place;
        }
        let operations = OPERATIONS
            .iter()
            .filter_map(|(op, symbol, mpich, standard)| {
                Some((value(symbol, *mpich, *standard)?, *op))
            })
            .collect();
        Self {
            types,
            slots,
            operations,
            world: one("ompi_mpi_comm_world", 0x4400_0000, 0x101),
            own: one("ompi_mpi_comm_self", 0x4400_0001, 0x102),
            null_communicator: one("ompi_mpi_comm_null", 0x0400_0000, 0x100),
            null_request: one("ompi_request_null", 0x2C00_0000, 0x180),
            null_type: one("ompi_mpi_datatype_null", 0x0C00_0000, 0x200),
            byte: one("ompi_mpi_byte", 0x4C00_010D, 0x247),
            long: one("ompi_mpi_int64_t", 0x4C00_083A, 0x258),
            integer: one("ompi_mpi_integer", 0x4C00_041B, 0x219),
            minimum: one("ompi_mpi_op_min", 0x5800_0002, 0x22),
            in_place: if flavour == Flavour::Mpich { usize::MAX } else { 1 },
            root: if flavour == Flavour::OpenMpi { -4 } else { -3 },
            status_bytes: match flavour {
                Flavour::OpenMpi => 24,
                Flavour::Mpich => 20,
                Flavour::Standard => 32,
            },
            status_error_at: if flavour == Flavour::Mpich { 16 } else { 8 },
            statuses_ignore: usize::from(flavour == Flavour::Mpich),
            combiners: match flavour {
                Flavour::OpenMpi => [0, 1, 2],
                Flavour::Mpich => [1, 2, 3],
                Flavour::Standard => [101, 102, 103],
            },
            other_error: if flavour == Flavour::Mpich { 15 } else { 16 },
            mask: if flavour == Flavour::Mpich { 0xFFFF_FFFF } else { usize::MAX },
        }
    }

    /// Returns the numbers that a predefined type holds, if netfold knows a fold of some, and the
    /// type's place among [`Self::types`]. A host may be built for numbers of another length, which
    /// its own size of the type tells.
    #[inline]
    pub fn element(&self, handle: usize) -> Option<(usize, Element)> {
        let mut at = slot(handle);
        while self.slots[at] != EMPTY {
            let place = usize::from(self.slots[at]);
            let (of, element) = self.types[place];
            if of == handle {
                return Some((place, element));
            }
            at = (at + 1) % SLOTS;
        }
        None
    }

    /// Returns the number of types that hold such numbers.
    pub fn types(&self) -> usize {
        self.types.len()
    }

    /// Returns the predefined operation of a handle.
    pub fn operation(&self, handle: usize) -> Option<Op> {
        self.operations.iter().find(|(of, _)| *of == handle).map(|(_, op)| *op)
    }
}

/// Types of numbers: the symbol of Open MPI, the value of MPICH, and that of the standard ABI.
const TYPES: [(Element, &str, usize, usize); 43] = [
    (Element::I32, "ompi_mpi_int", 0x4C00_0405, 0x209),
    (Element::I32, "ompi_mpi_integer", 0x4C00_041B, 0x219),
    (Element::I32, "ompi_mpi_int32_t", 0x4C00_0439, 0x250),
    (Element::I32, "ompi_mpi_integer4", 0x4C00_0430, 0x2D1),
    (Element::U32, "ompi_mpi_unsigned", 0x4C00_0406, 0x20D),
    (Element::U32, "ompi_mpi_uint32_t", 0x4C00_043D, 0x251),
    (Element::I64, "ompi_mpi_long", 0x4C00_0807, 0x20A),
    (Element::I64, "ompi_mpi_long_long_int", 0x4C00_0809, 0x20B),
    (Element::I64, "ompi_mpi_int64_t", 0x4C00_083A, 0x258),
    (Element::I64, "ompi_mpi_integer8", 0x4C00_0831, 0x2D9),
    (Element::I64, "ompi_mpi_aint", 0x4C00_0843, 0x201),
    (Element::I64, "ompi_mpi_offset", 0x4C00_0844, 0x203),
    (Element::I64, "ompi_mpi_count", 0x4C00_0845, 0x202),
    (Element::U64, "ompi_mpi_unsigned_long", 0x4C00_0808, 0x20E),
    (Element::U64, "ompi_mpi_unsigned_long_long", 0x4C00_0819, 0x20F),
    (Element::U64, "ompi_mpi_uint64_t", 0x4C00_083E, 0x259),
    (Element::I16, "ompi_mpi_short", 0x4C00_0203, 0x208),
    (Element::I16, "ompi_mpi_int16_t", 0x4C00_0238, 0x248),
    (Element::I16, "ompi_mpi_integer2", 0x4C00_022F, 0x2C9),
    (Element::U16, "ompi_mpi_unsigned_short", 0x4C00_0204, 0x20C),
    (Element::U16, "ompi_mpi_uint16_t", 0x4C00_023C, 0x249),
    (Element::I8, "ompi_mpi_signed_char", 0x4C00_0118, 0x244),
    (Element::I8, "ompi_mpi_int8_t", 0x4C00_0137, 0x240),
    (Element::I8, "ompi_mpi_integer1", 0x4C00_012D, 0x2C1),
    (Element::U8, "ompi_mpi_unsigned_char", 0x4C00_0102, 0x245),
    (Element::U8, "ompi_mpi_uint8_t", 0x4C00_013B, 0x241),
    (Element::F32, "ompi_mpi_float", 0x4C00_040A, 0x210),
    (Element::F32, "ompi_mpi_real", 0x4C00_041C, 0x21A),
    (Element::F32, "ompi_mpi_real4", 0x4C00_0427, 0x2D2),
    (Element::F64, "ompi_mpi_double", 0x4C00_080B, 0x214),
    (Element::F64, "ompi_mpi_dblprec", 0x4C00_081F, 0x21C),
    (Element::F64, "ompi_mpi_real8", 0x4C00_0829, 0x2DA),
    (Element::C32, "ompi_mpi_c_float_complex", 0x4C00_0840, 0x212),
    (Element::C32, "ompi_mpi_cplex", 0x4C00_081E, 0x21B),
    (Element::C32, "ompi_mpi_complex8", 0x4C00_0828, 0x2DB),
    (Element::C32, "ompi_mpi_cxx_cplex", 0x4C00_0834, 0x213),
    (Element::C64, "ompi_mpi_c_double_complex", 0x4C00_1041, 0x216),
    (Element::C64, "ompi_mpi_dblcplex", 0x4C00_1022, 0x21D),
    (Element::C64, "ompi_mpi_complex16", 0x4C00_102A, 0x2E3),
    (Element::C64, "ompi_mpi_cxx_dblcplex", 0x4C00_1035, 0x217),
    (Element::Bool, "ompi_mpi_c_bool", 0x4C00_013F, 0x238),
    (Element::Bool, "ompi_mpi_cxx_bool", 0x4C00_0133, 0x239),
    (Element::Logical, "ompi_mpi_logical", 0x4C00_041D, 0x218),
];

/// Types of pairs, likewise.
const PAIRS: [(Number, Number, &str, usize, usize); 8] = [
    (Number::F32, Number::I32, "ompi_mpi_float_int", 0x8C00_0000, 0x228),
    (Number::F64, Number::I32, "ompi_mpi_double_int", 0x8C00_0001, 0x229),
    (Number::I64, Number::I32, "ompi_mpi_long_int", 0x8C00_0002, 0x22A),
    (Number::I32, Number::I32, "ompi_mpi_2int", 0x4C00_0816, 0x22B),
    (Number::I16, Number::I32, "ompi_mpi_short_int", 0x8C00_0003, 0x22C),
    (Number::F32, Number::F32, "ompi_mpi_2real", 0x4C00_0821, 0x230),
    (Number::F64, Number::F64, "ompi_mpi_2dblprec", 0x4C00_1023, 0x231),
    (Number::I32, Number::I32, "ompi_mpi_2integer", 0x4C00_0820, 0x232),
];

/// Operations, likewise.
const OPERATIONS: [(Op, &str, usize, usize); 12] = [
    (Op::Sum, "ompi_mpi_op_sum", 0x5800_0003, 0x21),
    (Op::Prod, "ompi_mpi_op_prod", 0x5800_0004, 0x24),
    (Op::Min, "ompi_mpi_op_min", 0x5800_0002, 0x22),
    (Op::Max, "ompi_mpi_op_max", 0x5800_0001, 0x23),
    (Op::Land, "ompi_mpi_op_land", 0x5800_0005, 0x30),
    (Op::Lor, "ompi_mpi_op_lor", 0x5800_0007, 0x31),
    (Op::Lxor, "ompi_mpi_op_lxor", 0x5800_0009, 0x32),
    (Op::Band, "ompi_mpi_op_band", 0x5800_0006, 0x28),
    (Op::Bor, "ompi_mpi_op_bor", 0x5800_0008, 0x29),
    (Op::Bxor, "ompi_mpi_op_bxor", 0x5800_000A, 0x2A),
    (Op::Minloc, "ompi_mpi_op_minloc", 0x5800_000B, 0x38),
    (Op::Maxloc, "ompi_mpi_op_maxloc", 0x5800_000C, 0x39),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_library_tells_its_flavour_by_its_own_name() {
        // R-MPI-2
        for (path, has_objects, expected) in [
            ("/usr/lib/libmpi.so.40", true, Flavour::OpenMpi),
            ("/usr/lib/libmpich.so.12", false, Flavour::Mpich),
            ("/opt/lib/libmpi_abi.so.1", false, Flavour::Standard),
            ("libmpi_abi.so", true, Flavour::Standard),
            ("/opt/libmpi_abi.d/libmpi.so.40", true, Flavour::OpenMpi),
            ("/opt/libmpi_abi.d/libmpi.so.12", false, Flavour::Mpich),
            ("/opt/mpi_abi/app", true, Flavour::OpenMpi),
        ] {
            assert_eq!(Flavour::of(path, has_objects), expected, "{path}");
        }
    }

    #[test]
    fn handles_are_told_apart_in_every_flavour() {
        // R-MPI-2
        let mut symbols = BTreeMap::new();
        let pairs = PAIRS.iter().map(|row| row.2);
        let others = OPERATIONS.iter().map(|row| row.1);
        for symbol in TYPES.iter().map(|row| row.1).chain(pairs).chain(others) {
            let next = 0x7F00_0000 + 0x100 * symbols.len();
            assert_eq!(symbols.insert(symbol, next), None, "{symbol} stands twice");
        }
        for flavour in [Flavour::OpenMpi, Flavour::Mpich, Flavour::Standard] {
            let handles = Handles::of(flavour, &|symbol| symbols.get(symbol).copied());
            assert!(handles.types.windows(2).all(|pair| pair[0].0 < pair[1].0), "{flavour:?}");
            for (element, symbol, mpich, standard) in TYPES {
                let value = match flavour {
                    Flavour::OpenMpi => symbols[symbol],
                    Flavour::Mpich => mpich,
                    Flavour::Standard => standard,
                };
                let (place, found) = handles.element(value).unwrap();
                assert_eq!(found, element, "{symbol} in {flavour:?}");
                assert!(place < handles.types());
            }
            let integers = Pair { value: Number::I32, index: Number::I32 };
            let pairs = handles.types.iter().filter(|(_, of)| *of == Element::Pair(integers));
            assert_eq!(pairs.count(), 2, "in C and in Fortran");
            assert_eq!(handles.element(handles.long).unwrap().1, Element::I64);
            assert_eq!(handles.element(handles.integer).unwrap().1, Element::I32);
            assert_eq!(handles.element(0), None);
            assert_eq!(handles.operation(1), None);
        }
    }
}
