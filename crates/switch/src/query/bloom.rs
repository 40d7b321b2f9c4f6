//! A Bloom filter for joins (R-QRY-13).

use netfold_kernels::{Kernels, PlainKernel};
use netfold_num::hash_key;

use super::cache::GROUP;
use super::rows::{Rows, set_all};

/// Bits of a hash that choose a bit of a word.
const BIT_BITS: u32 = 6;

/// A Bloom filter of words, of which a key touches one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bloom {
    seed: u64,
    word_bits: u32,
    /// Bits of a key, k.
    bits: u8,
    forwards_build: bool,
    words: Box<[u64]>,
    /// The build side is complete.
    pub(super) sealed: bool,
}

impl Bloom {
    pub(super) fn new(words: u32, bits: u8, seed: u64, forwards_build: bool) -> Self {
        Self {
            seed,
            word_bits: words.trailing_zeros(),
            bits,
            forwards_build,
            words: vec![0; words as usize].into(),
            sealed: false,
        }
    }

    pub(super) fn forwards(&mut self, key: u64, build: bool) -> bool {
        let (hash, mut mask) = (hash_key(key, self.seed), [0]);
        Masks { hashes: &[hash], bits: self.bits, masks: &mut mask }.run();
        self.forwards_mask(hash, mask[0], build)
    }

    #[inline(always)]
    fn forwards_mask(&mut self, hash: u64, mask: u64, build: bool) -> bool {
        let at = if self.word_bits == 0 { 0 } else { hash >> (64 - self.word_bits) };
        let word = &mut self.words[at as usize];
        if build {
            *word |= mask;
            return self.forwards_build;
        }
        !self.sealed || *word & mask == mask
    }

    pub(super) fn offer(&mut self, rows: &Rows<'_>, bits: &mut [u64]) {
        if !rows.build && !self.sealed {
            set_all(bits, rows.len());
            return;
        }
        let (kernels, mut hashes, mut masks) = (Kernels::best(), [0; GROUP], [0; GROUP]);
        for (keys, bits) in rows.keys.chunks(GROUP).zip(bits) {
            let (hashes, masks) = (&mut hashes[..keys.len()], &mut masks[..keys.len()]);
            kernels.hash_keys(keys, self.seed, hashes);
            kernels.level().run(Masks { hashes, bits: self.bits, masks });
            *bits = 0;
            for (at, (hash, mask)) in hashes.iter().zip(masks).enumerate() {
                *bits |= u64::from(self.forwards_mask(*hash, *mask, rows.build)) << at;
            }
        }
    }
}

/// The bits that keys have in their words, by their hashes.
struct Masks<'a> {
    hashes: &'a [u64],
    /// Bits of a key.
    bits: u8,
    masks: &'a mut [u64],
}

impl PlainKernel for Masks<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.masks.fill(0);
        for bit in 0..u32::from(self.bits) {
            for (mask, hash) in self.masks.iter_mut().zip(self.hashes) {
                *mask |= 1 << (hash >> (BIT_BITS * bit) & 63);
            }
        }
    }
}
