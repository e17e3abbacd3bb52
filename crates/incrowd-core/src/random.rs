//! Random numbers: everything random in the project comes from one seed and this generator.
//!
//! The generator can be started at any row, so that results do not depend on threads.

/// Random numbers: Steele, Lea and Flood's `SplitMix64` (2014), one stream for each pair of a seed and a row.
///
/// Good enough to generate data; not for secrets.
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The stream of a row.
    pub fn of(seed: u64, row: u64) -> Self {
        Self { state: mix(mix(seed.wrapping_add(STEP)).wrapping_add(row.wrapping_mul(STEP))) }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number from 0 to `count - 1`, each as likely as the others to within 2^-32 (0 when `count` is 0).
    pub fn below(&mut self, count: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(count)) >> 32) as u32
    }

    /// True with this probability, in percent.
    pub fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    /// An index, with probabilities proportional to the weights (0 when all are zero).
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut rest = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                weight > rest || {
                    rest -= weight;
                    false
                }
            })
            .unwrap_or(0)
    }

    /// A number from 0 to just under 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A standard normal number (Box and Muller's method).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// A number with a nearly standard normal distribution, within 3.5 of zero; the sum of four even ones, so it is
    /// cheap and the same on every machine.
    pub fn bell(&mut self) -> f64 {
        let bits = self.bits();
        let sum: u64 = (0..4).map(|part| bits >> (16 * part) & 0xffff).sum();
        // Mean and standard deviation of the sum of four numbers below 2^16.
        (sum as f64 - 131_070.0) / 37_837.2
    }
}

/// Scatters a number over 64 bits: what a hash that must be the same on every machine is made of.
pub fn scattered(number: u64) -> u64 {
    mix(number.wrapping_add(STEP))
}

/// Scatters 64 bits: a bijection in which every input bit moves half the output bits.
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
