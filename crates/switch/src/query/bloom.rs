//! A Bloom filter for joins (R-QRY-13).

use netfold_kernels::Kernels;
use netfold_num::hash_key;

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
        self.forwards_hash(hash_key(key, self.seed), build)
    }

    #[inline]
    fn forwards_hash(&mut self, hash: u64, build: bool) -> bool {
        let at = if self.word_bits == 0 { 0 } else { hash >> (64 - self.word_bits) };
        let bit = |i: u8| 1 << (hash >> (BIT_BITS * u32::from(i)) & 63);
        let mask = (0..self.bits).fold(0_u64, |mask, i| mask | bit(i));
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
        let (kernels, mut hashes) = (Kernels::best(), [0; 64]);
        for (keys, bits) in rows.keys.chunks(64).zip(bits) {
            let hashes = &mut hashes[..keys.len()];
            kernels.hash_keys(keys, self.seed, hashes);
            *bits = hashes.iter().enumerate().fold(0, |all, (at, hash)| {
                all | u64::from(self.forwards_hash(*hash, rows.build)) << at
            });
        }
    }
}
