//! How a history ended.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

/// A history in which the storage did what the model said.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// What happened, a line for each step.
    pub lines: Vec<String>,
    /// How many steps were answered in which way.
    pub answers: BTreeMap<&'static str, u64>,
}

impl Played {
    /// Steps taken, refused ones among them.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.answers.values().sum()
    }
}

/// Where a storage did not do what the model said.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// What happened, the step that differs last.
    pub lines: Vec<String>,
    /// What differs.
    pub difference: String,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (line, number) in self.lines.iter().zip(1..) {
            writeln!(f, "{number:>3}  {line}")?;
        }
        write!(f, "{}", self.difference)
    }
}

impl Error for Divergence {}
