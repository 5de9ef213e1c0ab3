//! A number from 0 to 1: importance, confidence, strength, relevance.

use crate::Invalid;
use serde::{Deserialize, Serialize};

/// Finite and within 0..=1, always.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Unit(f64);

impl Unit {
    pub const ZERO: Unit = Unit(0.0);
    pub const HALF: Unit = Unit(0.5);
    pub const ONE: Unit = Unit(1.0);

    pub fn new(value: f64) -> Result<Unit, Invalid> {
        if (0.0..=1.0).contains(&value) {
            // `+ 0.0` turns -0.0 into 0.0, so that equal values have equal bytes.
            Ok(Unit(value + 0.0))
        } else {
            Err(Invalid::new("number", format!("`{value}` is out of range"), "use 0 to 1"))
        }
    }

    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Unit {
    type Error = String;
    fn try_from(value: f64) -> Result<Unit, String> {
        Unit::new(value).map_err(|e| format!("{}; {}", e.problem, e.hint))
    }
}

impl From<Unit> for f64 {
    fn from(unit: Unit) -> f64 {
        unit.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_is_not_between_zero_and_one() {
        for bad in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Unit::new(bad).is_err(), "{bad}");
        }
        assert_eq!(Unit::new(-0.0).unwrap().get().to_bits(), 0.0f64.to_bits());
    }
}
