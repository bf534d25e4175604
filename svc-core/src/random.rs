//! The port for randomness, and tokens of text made from it.

/// Gives unpredictable bytes.
///
/// # Implementing this port
/// Fill the whole buffer from the operating system's generator; tests use a
/// seeded generator so that ids and secrets repeat. The call must not fail: an
/// adapter that cannot reach its generator aborts.
pub trait RandomSource: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// `N` random bytes.
pub fn bytes<const N: usize>(random: &dyn RandomSource) -> [u8; N] {
    let mut out = [0; N];
    random.fill(&mut out);
    out
}

/// Digits of [`base62`], in ASCII order.
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Bytes read as one big-endian number and written in base 62, padded with
/// `0` to the width that every value of this length fits in (43 for 32 bytes).
#[must_use]
pub fn base62(bytes: &[u8]) -> String {
    let mut number = bytes.to_vec();
    let mut digits = Vec::with_capacity(width(bytes.len()));
    while digits.len() < width(bytes.len()) {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = (rest << 8) | u32::from(*byte);
            *byte = u8::try_from(value / 62).expect("rest is below 62, so the quotient fits a byte");
            rest = value % 62;
        }
        let digit = usize::try_from(rest).ok().and_then(|at| BASE62.get(at));
        digits.push(char::from(*digit.expect("a remainder is below 62")));
    }
    digits.iter().rev().collect()
}

/// How many base-62 digits a number of `length` bytes needs at most.
fn width(length: usize) -> usize {
    // 8 / log2(62) = 1.34359…
    (length * 13_437).div_ceil(10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base62_has_one_width_per_length() {
        assert_eq!(base62(&[0; 32]), "0".repeat(43));
        assert_eq!(base62(&[255; 32]).len(), 43);
        assert_eq!(base62(&[255; 4]), "4gfFC3");
        assert_eq!(base62(&61_u32.to_be_bytes()), "00000z");
    }
}
