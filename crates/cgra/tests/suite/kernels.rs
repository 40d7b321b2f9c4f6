//! Twelve loops, as WebAssembly and as Rust.

use netfold_cgra::Request;

/// A loop over numbers of 32 bits.
pub struct Kernel {
    pub name: &'static str,
    /// Numbers in an element of the first and of the second operand.
    pub words: [usize; 2],
    /// Locals, their first values, and the body, in WebAssembly's text.
    pub locals: &'static str,
    pub body: &'static str,
    /// Its effect: first operand, second operand.
    pub oracle: fn(&mut [i32], &[i32]),
    /// Interval of the published mapper (OpenCGRA's CGRA-Mapper, 4 by 4), where there is one.
    pub published: Option<u32>,
}

/// Numbers of the histogram's bins, in the first operand.
pub const BINS: usize = 16;

macro_rules! load {
    ($pointer:literal, $offset:literal) => {
        concat!("(i32.load offset=", $offset, " (local.get ", $pointer, "))")
    };
}

macro_rules! store {
    ($offset:literal, $value:expr) => {
        concat!("(i32.store offset=", $offset, " (local.get $l) ", $value, ")")
    };
}

macro_rules! binary {
    ($op:literal, $a:expr, $b:expr) => {
        concat!("(", $op, " ", $a, " ", $b, ")")
    };
}

const L: &str = load!("$l", "0");
const R: &str = load!("$r", "0");

fn add(l: &mut [i32], r: &[i32]) {
    l.iter_mut().zip(r).for_each(|(l, r)| *l = l.wrapping_add(*r));
}

fn prefix_sum(l: &mut [i32], r: &[i32]) {
    let mut sum = 0_i32;
    for (l, r) in l.iter_mut().zip(r) {
        sum = sum.wrapping_add(*r);
        *l = sum;
    }
}

fn mac(l: &mut [i32], r: &[i32]) {
    let mut sum = 0_i32;
    for (l, r) in l.iter_mut().zip(r) {
        sum = sum.wrapping_add(l.wrapping_mul(*r));
        *l = sum;
    }
}

fn complex_multiply(l: &mut [i32], r: &[i32]) {
    for (l, r) in l.chunks_mut(2).zip(r.chunks(2)) {
        let (a, b, c, d) = (l[0], l[1], r[0], r[1]);
        l[0] = a.wrapping_mul(c).wrapping_sub(b.wrapping_mul(d));
        l[1] = a.wrapping_mul(d).wrapping_add(b.wrapping_mul(c));
    }
}

fn max(l: &mut [i32], r: &[i32]) {
    let mut most = i32::MIN;
    for (l, r) in l.iter_mut().zip(r) {
        most = most.max(*r);
        *l = most;
    }
}

fn histogram(l: &mut [i32], r: &[i32]) {
    for r in r {
        let bin = (*r as u32 % BINS as u32) as usize;
        l[bin] = l[bin].wrapping_add(1);
    }
}

fn saturating(l: &mut [i32], r: &[i32]) {
    l.iter_mut().zip(r).for_each(|(l, r)| *l = (*l as u32).saturating_add(*r as u32) as i32);
}

fn distance(l: &mut [i32], r: &[i32]) {
    l.iter_mut().zip(r).for_each(|(l, r)| *l = l.wrapping_sub(*r).wrapping_abs());
}

fn filter(l: &mut [i32], r: &[i32]) {
    let (mut before, mut first) = (0_i32, 0_i32);
    for (l, r) in l.iter_mut().zip(r) {
        *l = first
            .wrapping_mul(3)
            .wrapping_add(before.wrapping_mul(5))
            .wrapping_add(r.wrapping_mul(7));
        (first, before) = (before, *r);
    }
}

fn decay(l: &mut [i32], r: &[i32]) {
    let mut state = 1_i32;
    for (l, r) in l.iter_mut().zip(r) {
        state = (state >> 1).wrapping_add(*r);
        *l = state;
    }
}

fn larger_pair(l: &mut [i32], r: &[i32]) {
    for (l, r) in l.chunks_mut(2).zip(r.chunks(2)) {
        if r[0] > l[0] || r[0] == l[0] && (r[1] as u32) < l[1] as u32 {
            l.copy_from_slice(r);
        }
    }
}

fn hash(l: &mut [i32], r: &[i32]) {
    let mut state = 0x811c_9dc5_u32;
    for (l, r) in l.iter_mut().zip(r) {
        state = (state ^ *r as u32).wrapping_mul(0x0100_0193);
        *l = state as i32;
    }
}

const ONE: [usize; 2] = [1, 1];
const TWO: [usize; 2] = [2, 2];

pub const ALL: [Kernel; 12] = [
    Kernel {
        name: "add",
        words: ONE,
        locals: "",
        body: store!("0", binary!("i32.add", "LEFT", "RIGHT")),
        oracle: add,
        published: Some(2),
    },
    Kernel {
        name: "prefix sum",
        words: ONE,
        locals: "(local $s i32)",
        body: store!("0", "(local.tee $s (i32.add (local.get $s) RIGHT))"),
        oracle: prefix_sum,
        published: Some(3),
    },
    Kernel {
        name: "mac",
        words: ONE,
        locals: "(local $s i32)",
        body: store!("0", "(local.tee $s (i32.add (local.get $s) (i32.mul LEFT RIGHT)))"),
        oracle: mac,
        published: Some(2),
    },
    Kernel {
        name: "complex multiply",
        words: TWO,
        locals: "(local $a i32) (local $b i32) (local $c i32) (local $d i32)",
        body: "(local.set $a LEFT) (local.set $b (i32.load offset=4 (local.get $l)))
               (local.set $c RIGHT) (local.set $d (i32.load offset=4 (local.get $r)))
               (i32.store (local.get $l) (i32.sub (i32.mul (local.get $a) (local.get $c))
                                                  (i32.mul (local.get $b) (local.get $d))))
               (i32.store offset=4 (local.get $l) (i32.add (i32.mul (local.get $a) (local.get $d))
                                                           (i32.mul (local.get $b) (local.get $c))))",
        oracle: complex_multiply,
        published: Some(3),
    },
    Kernel {
        name: "max",
        words: ONE,
        locals: "(local $m i32) (local $x i32)",
        body: "(local.set $x RIGHT)
               (local.set $m (select (local.get $m) (local.get $x) (i32.gt_s (local.get $m) (local.get $x))))
               (i32.store (local.get $l) (local.get $m))",
        oracle: max,
        published: Some(3),
    },
    Kernel {
        name: "histogram",
        words: [0, 1],
        locals: "(local $p i32)",
        body: "(local.set $p (i32.add (local.get $l) (i32.shl (i32.and RIGHT (i32.const 15)) (i32.const 2))))
               (i32.store (local.get $p) (i32.add (i32.load (local.get $p)) (i32.const 1)))",
        oracle: histogram,
        published: None,
    },
    Kernel {
        name: "saturating add",
        words: ONE,
        locals: "(local $s i32) (local $x i32)",
        body: "(local.set $x RIGHT)
               (local.set $s (i32.add LEFT (local.get $x)))
               (i32.store (local.get $l) (select (i32.const -1) (local.get $s) (i32.lt_u (local.get $s) (local.get $x))))",
        oracle: saturating,
        published: None,
    },
    Kernel {
        name: "distance",
        words: ONE,
        locals: "(local $s i32)",
        body: "(local.set $s (i32.sub LEFT RIGHT))
               (if (i32.lt_s (local.get $s) (i32.const 0))
                   (then (local.set $s (i32.sub (i32.const 0) (local.get $s)))))
               (i32.store (local.get $l) (local.get $s))",
        oracle: distance,
        published: None,
    },
    Kernel {
        name: "filter",
        words: ONE,
        locals: "(local $a i32) (local $b i32) (local $x i32)",
        body: "(local.set $x RIGHT)
               (i32.store (local.get $l) (i32.add (i32.add (i32.mul (local.get $a) (i32.const 3))
                    (i32.mul (local.get $b) (i32.const 5))) (i32.mul (local.get $x) (i32.const 7))))
               (local.set $a (local.get $b)) (local.set $b (local.get $x))",
        oracle: filter,
        published: None,
    },
    Kernel {
        name: "decay",
        words: ONE,
        locals: "(local $s i32)",
        body: store!("0", "(local.tee $s (i32.add (i32.shr_s (local.get $s) (i32.const 1)) RIGHT))"),
        oracle: decay,
        published: None,
    },
    Kernel {
        name: "larger pair",
        words: TWO,
        locals: "(local $v i32) (local $w i32) (local $x i32)",
        body: "(local.set $v RIGHT) (local.set $w LEFT) (local.set $x (i32.load offset=4 (local.get $r)))
               (block $out
                 (block $take
                   (br_if $take (i32.gt_s (local.get $v) (local.get $w)))
                   (br_if $out (i32.ne (local.get $v) (local.get $w)))
                   (br_if $out (i32.ge_u (local.get $x) (i32.load offset=4 (local.get $l)))))
                 (i32.store (local.get $l) (local.get $v))
                 (i32.store offset=4 (local.get $l) (local.get $x)))",
        oracle: larger_pair,
        published: None,
    },
    Kernel {
        name: "hash",
        words: ONE,
        locals: "(local $h i32)",
        body: store!("0", "(local.tee $h (i32.mul (i32.xor (local.get $h) RIGHT) (i32.const 0x01000193)))"),
        oracle: hash,
        published: None,
    },
];

impl Kernel {
    /// The first value of a carried local.
    fn start(&self) -> &'static str {
        match self.name {
            "max" => "(local.set $m (i32.const 0x80000000))",
            "decay" => "(local.set $s (i32.const 1))",
            "hash" => "(local.set $h (i32.const 0x811c9dc5))",
            _ => "",
        }
    }

    pub fn module(&self) -> Vec<u8> {
        let body = self.body.replace("LEFT", L).replace("RIGHT", R);
        let [left, right] = self.words.map(|words| 4 * words);
        let start = self.start();
        let text = format!(
            "(module (memory (export \"memory\") 1)
               (func (export \"fold\") (param $l i32) (param $r i32) (param $n i32) {locals}
                 {start}
                 (loop $again
                   {body}
                   (local.set $l (i32.add (local.get $l) (i32.const {left})))
                   (local.set $r (i32.add (local.get $r) (i32.const {right})))
                   (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))",
            locals = self.locals,
        );
        wat::parse_str(text).unwrap()
    }

    pub fn request(&self) -> Request<'static> {
        let sizes = self.words.map(|words| 4 * words);
        Request { function: "fold", sizes, message: true, keeps: false }
    }

    pub fn named(name: &str) -> &'static Self {
        ALL.iter().find(|kernel| kernel.name == name).unwrap()
    }
}
