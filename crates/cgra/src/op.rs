//! Operations of a functional unit, and their results (R-CGRA-5, R-CGRA-6).

/// Types of an operation: how it looks at the words that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ty {
    /// 8 bits, the rest of the word is zero.
    I8,
    /// 16 bits, the rest of the word is zero.
    I16,
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// IEEE 754 binary32, by its bits.
    F32,
    /// IEEE 754 binary64, by its bits.
    F64,
}

impl Ty {
    /// All types, in the order of their codes in a configuration word.
    pub const ALL: [Self; 6] = [Self::I8, Self::I16, Self::I32, Self::I64, Self::F32, Self::F64];

    /// Returns the width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::I8 => 8,
            Self::I16 => 16,
            Self::I32 | Self::F32 => 32,
            Self::I64 | Self::F64 => 64,
        }
    }

    /// Returns the bits that a value of the type may have set.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Sign-extends the low bits of a word.
    const fn signed(self, word: u64) -> i64 {
        let unused = 64 - self.bits();
        ((word << unused) as i64) >> unused
    }
}

/// Sorts of functional units. A processing element has some of them (R-CGRA-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Sums, logic, shifts, comparisons, choices.
    Alu,
    /// Products of integers.
    Multiply,
    /// Quotients and remainders of integers.
    Divide,
    /// Sums, products, comparisons and conversions of floats.
    Float,
    /// Quotients and square roots of floats.
    FloatDivide,
    /// Loads, stores and traps.
    Memory,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 6] =
        [Self::Alu, Self::Multiply, Self::Divide, Self::Float, Self::FloatDivide, Self::Memory];

    /// Returns the name in an array's file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alu => "alu",
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Float => "float",
            Self::FloatDivide => "float-divide",
            Self::Memory => "memory",
        }
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $text:literal $class:ident,)*) => {
        /// Operations. The operands are `a`, `b` and `c`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// All operations, in the order of their codes in a configuration word.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the name in graphs and messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the sort of unit that carries it out.
            pub const fn class(self) -> Class {
                match self { $(Self::$name => Class::$class,)* }
            }
        }
    };
}

operations! {
    /// a.
    Pass "pass" Alu,
    /// a + b, modulo the width.
    Add "add" Alu,
    /// a - b, modulo the width.
    Sub "sub" Alu,
    /// Bitwise and.
    And "and" Alu,
    /// Bitwise or.
    Or "or" Alu,
    /// Bitwise exclusive or.
    Xor "xor" Alu,
    /// a shifted left by b modulo the width.
    Shl "shl" Alu,
    /// a shifted right by b modulo the width, with its sign.
    ShrS "shr_s" Alu,
    /// a shifted right by b modulo the width.
    ShrU "shr_u" Alu,
    /// a rotated left.
    Rotl "rotl" Alu,
    /// Number of leading zeros.
    Clz "clz" Alu,
    /// Number of trailing zeros.
    Ctz "ctz" Alu,
    /// Number of ones.
    Popcnt "popcnt" Alu,
    /// 1 if a = b, else 0.
    Eq "eq" Alu,
    /// 1 if a and b differ, else 0.
    Ne "ne" Alu,
    /// 1 if a < b, signed.
    LtS "lt_s" Alu,
    /// 1 if a < b, unsigned.
    LtU "lt_u" Alu,
    /// 1 if a <= b, signed.
    LeS "le_s" Alu,
    /// 1 if a <= b, unsigned.
    LeU "le_u" Alu,
    /// The smaller, signed.
    MinS "min_s" Alu,
    /// The smaller, unsigned.
    MinU "min_u" Alu,
    /// The larger, signed.
    MaxS "max_s" Alu,
    /// The larger, unsigned.
    MaxU "max_u" Alu,
    /// a if c is not zero, else b.
    Select "select" Alu,
    /// a's low 8 bits, sign-extended.
    Extend8 "extend8_s" Alu,
    /// a's low 16 bits, sign-extended.
    Extend16 "extend16_s" Alu,
    /// a's low 32 bits, sign-extended.
    Extend32 "extend32_s" Alu,
    /// a's low bits, as many as the type has.
    Wrap "wrap" Alu,
    /// Product, modulo the width.
    Mul "mul" Multiply,
    /// Quotient, signed.
    DivS "div_s" Divide,
    /// Quotient, unsigned.
    DivU "div_u" Divide,
    /// Remainder, signed.
    RemS "rem_s" Divide,
    /// Remainder, unsigned.
    RemU "rem_u" Divide,
    /// Magnitude.
    FAbs "fabs" Alu,
    /// Opposite sign.
    FNeg "fneg" Alu,
    /// a with the sign of b.
    FCopysign "fcopysign" Alu,
    /// Sum.
    FAdd "fadd" Float,
    /// Difference.
    FSub "fsub" Float,
    /// Product.
    FMul "fmul" Float,
    /// The smaller, -0 below 0, a NaN if there is one.
    FMin "fmin" Float,
    /// The larger, -0 below 0, a NaN if there is one.
    FMax "fmax" Float,
    /// 1 if a = b.
    FEq "feq" Float,
    /// 1 if not a = b.
    FNe "fne" Float,
    /// 1 if a < b.
    FLt "flt" Float,
    /// 1 if a <= b.
    FLe "fle" Float,
    /// Rounded up.
    FCeil "fceil" Float,
    /// Rounded down.
    FFloor "ffloor" Float,
    /// Rounded towards zero.
    FTrunc "ftrunc" Float,
    /// Rounded to the nearest, ties to even.
    FNearest "fnearest" Float,
    /// Float to i32, truncated and saturated.
    ToS32 "to_s32" Float,
    /// Float to u32, truncated and saturated.
    ToU32 "to_u32" Float,
    /// Float to i64, truncated and saturated.
    ToS64 "to_s64" Float,
    /// Float to u64, truncated and saturated.
    ToU64 "to_u64" Float,
    /// i32 to the type's float.
    OfS32 "of_s32" Float,
    /// u32 to the type's float.
    OfU32 "of_u32" Float,
    /// i64 to the type's float.
    OfS64 "of_s64" Float,
    /// u64 to the type's float.
    OfU64 "of_u64" Float,
    /// f32 to f64.
    Promote "promote" Float,
    /// f64 to f32.
    Demote "demote" Float,
    /// Quotient.
    FDiv "fdiv" FloatDivide,
    /// Square root.
    FSqrt "fsqrt" FloatDivide,
    /// Bytes of memory, as many as the access says, zero-extended; a is added to the address.
    Load "load" Memory,
    /// a to memory; b is added to the address; only if c is not zero.
    Store "store" Memory,
    /// Fails the job if a is not zero.
    Trap "trap" Memory,
}

const NAN32: u64 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// A float's bits; of a NaN those of the canonical one (R-OP-12).
fn bits32(value: f32) -> u64 {
    if value.is_nan() { NAN32 } else { u64::from(value.to_bits()) }
}

fn bits64(value: f64) -> u64 {
    if value.is_nan() { NAN64 } else { value.to_bits() }
}

impl Op {
    /// Returns whether it makes no value.
    pub const fn is_effect(self) -> bool {
        matches!(self, Self::Store | Self::Trap)
    }

    /// Returns whether operands may change places.
    pub const fn commutes(self) -> bool {
        use Op::*;
        matches!(self, Add | And | Or | Xor | Mul | Eq | Ne | MinS | MinU | MaxS | MaxU)
    }

    /// Computes the result of an operation without memory. Divisions by zero give 0: they are
    /// trapped on their own.
    pub fn eval(self, ty: Ty, [a, b, c]: [u64; 3]) -> u64 {
        match ty {
            Ty::F32 | Ty::F64 => self.float(ty, a, b, c),
            _ => self.integer(ty, a, b, c),
        }
    }

    fn integer(self, ty: Ty, a: u64, b: u64, c: u64) -> u64 {
        let (x, y) = (ty.signed(a), ty.signed(b));
        let (u, v) = (a & ty.mask(), b & ty.mask());
        let distance = (b % u64::from(ty.bits())) as u32;
        let bits = ty.bits();
        let result = match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
            Self::Shl => u << distance,
            Self::ShrS => (x >> distance) as u64,
            Self::ShrU => u >> distance,
            Self::Rotl if distance == 0 => u,
            Self::Rotl => u << distance | u >> (bits - distance),
            Self::Clz => u64::from(u.leading_zeros() - (64 - bits)),
            Self::Ctz => u64::from(u.trailing_zeros().min(bits)),
            Self::Popcnt => u64::from(u.count_ones()),
            Self::Eq => u64::from(u == v),
            Self::Ne => u64::from(u != v),
            Self::LtS => u64::from(x < y),
            Self::LtU => u64::from(u < v),
            Self::LeS => u64::from(x <= y),
            Self::LeU => u64::from(u <= v),
            Self::MinS => x.min(y) as u64,
            Self::MinU => u.min(v),
            Self::MaxS => x.max(y) as u64,
            Self::MaxU => u.max(v),
            Self::Select if c != 0 => a,
            Self::Select => b,
            Self::Extend8 => a as i8 as u64,
            Self::Extend16 => a as i16 as u64,
            Self::Extend32 => a as i32 as u64,
            Self::DivS | Self::DivU | Self::RemS | Self::RemU if v == 0 => 0,
            Self::DivS => x.wrapping_div(y) as u64,
            Self::DivU => u / v,
            Self::RemS => x.wrapping_rem(y) as u64,
            Self::RemU => u % v,
            _ => a,
        };
        result & ty.mask()
    }

    fn float(self, ty: Ty, a: u64, b: u64, c: u64) -> u64 {
        let sign = 1 << (ty.bits() - 1);
        match self {
            Self::FAbs => a & !sign & ty.mask(),
            Self::FNeg => (a ^ sign) & ty.mask(),
            Self::FCopysign => (a & !sign | b & sign) & ty.mask(),
            Self::Select if c != 0 => a,
            Self::Select => b,
            Self::Pass => a,
            Self::Demote => bits32(f64::from_bits(a) as f32),
            Self::Promote => bits64(f64::from(f32::from_bits(a as u32))),
            _ if ty == Ty::F32 => {
                self.single(f32::from_bits(a as u32), f32::from_bits(b as u32), a)
            }
            _ => self.double(f64::from_bits(a), f64::from_bits(b), a),
        }
    }

    fn single(self, x: f32, y: f32, word: u64) -> u64 {
        match self {
            Self::FAdd => bits32(x + y),
            Self::FSub => bits32(x - y),
            Self::FMul => bits32(x * y),
            Self::FDiv => bits32(x / y),
            Self::FSqrt => bits32(libm::sqrtf(x)),
            Self::OfS32 => bits32(word as i32 as f32),
            Self::OfU32 => bits32(word as u32 as f32),
            Self::OfS64 => bits32(word as i64 as f32),
            Self::OfU64 => bits32(word as f32),
            // These are exact in 64 bits.
            Self::FMin
            | Self::FMax
            | Self::FCeil
            | Self::FFloor
            | Self::FTrunc
            | Self::FNearest => {
                bits32(f64::from_bits(self.double(x.into(), y.into(), word)) as f32)
            }
            _ => self.double(x.into(), y.into(), word),
        }
    }

    fn double(self, x: f64, y: f64, word: u64) -> u64 {
        match self {
            Self::FAdd => bits64(x + y),
            Self::FSub => bits64(x - y),
            Self::FMul => bits64(x * y),
            Self::FDiv => bits64(x / y),
            Self::FSqrt => bits64(libm::sqrt(x)),
            Self::FMin | Self::FMax if x.is_nan() || y.is_nan() => NAN64,
            Self::FMin if x == y => x.to_bits() | y.to_bits(),
            Self::FMax if x == y => x.to_bits() & y.to_bits(),
            Self::FMin => bits64(x.min(y)),
            Self::FMax => bits64(x.max(y)),
            Self::FEq => u64::from(x == y),
            Self::FNe => u64::from(x != y),
            Self::FLt => u64::from(x < y),
            Self::FLe => u64::from(x <= y),
            Self::FCeil => bits64(libm::ceil(x)),
            Self::FFloor => bits64(libm::floor(x)),
            Self::FTrunc => bits64(libm::trunc(x)),
            Self::FNearest => bits64(libm::rint(x)),
            Self::ToS32 => u64::from(x as i32 as u32),
            Self::ToU32 => u64::from(x as u32),
            Self::ToS64 => x as i64 as u64,
            Self::ToU64 => x as u64,
            Self::OfS32 => bits64(f64::from(word as i32)),
            Self::OfU32 => bits64(f64::from(word as u32)),
            Self::OfS64 => bits64(word as i64 as f64),
            Self::OfU64 => bits64(word as f64),
            _ => word,
        }
    }
}
