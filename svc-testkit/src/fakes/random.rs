//! Randomness that repeats.

use std::sync::atomic::{AtomicU64, Ordering};

use svc_core::random::RandomSource;

/// `SplitMix64`: the same seed gives the same bytes. Predictable, so never for production.
#[derive(Debug)]
pub struct SeededRandom(AtomicU64);

/// The odd constant by which `SplitMix64` steps (Steele, Lea, Flood: "Fast splittable
/// pseudorandom number generators", 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl SeededRandom {
    /// A generator that starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&self) -> u64 {
        let state = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl RandomSource for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            for (byte, random) in chunk.iter_mut().zip(self.next_u64().to_le_bytes()) {
                *byte = random;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of the reference splitmix64.c for seed 1234567.
        let random = SeededRandom::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }
}
