//! Vectors for what the table does not hold: words of other scripts, rare characters, emoji. Each gets a direction of
//! its own by hashing, so that equal words meet and different ones are close to orthogonal. No meaning is in it.

/// Adds the vector of `word`, of the given length, to `sum`.
pub(crate) fn add_unknown(word: &str, length: f32, sum: &mut [f32]) {
    if sum.is_empty() {
        return;
    }
    let step = length / (sum.len() as f32).sqrt();
    let mut state = fnv1a(word.as_bytes());
    for values in sum.chunks_mut(64) {
        let mut bits = splitmix64(&mut state);
        for value in values {
            *value += if bits & 1 == 1 { step } else { -step };
            bits >>= 1;
        }
    }
}

/// The FNV-1a hash, 64 bits (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The next number of the SplitMix64 generator (Steele, Lea, Flood 2014).
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(word: &str) -> Vec<f32> {
        let mut sum = vec![0.0; 200];
        add_unknown(word, 1.0, &mut sum);
        sum
    }

    fn dot(left: &[f32], right: &[f32]) -> f32 {
        left.iter().zip(right).map(|(left, right)| left * right).sum()
    }

    #[test]
    fn equal_words_meet_and_others_are_nearly_orthogonal() {
        assert!((dot(&vector("молоко"), &vector("молоко")) - 1.0).abs() < 1e-5);
        assert!(dot(&vector("молоко"), &vector("хлеб")).abs() < 0.3);
        assert!(dot(&vector("우유"), &vector("🥛")).abs() < 0.3);
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut state = 1_234_567;
        assert_eq!(splitmix64(&mut state), 6_457_827_717_110_365_317);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
