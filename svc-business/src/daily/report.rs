//! What a day came to.

use std::fmt;

use crate::job::Outcome;

/// What was done for a company in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayReport {
    /// Quotes that expired.
    pub expired_quotes: u32,
    /// Notices whose terms passed.
    pub expired_notices: u32,
    /// Envelopes whose terms passed.
    pub expired_envelopes: u32,
    /// Envelopes whose signers were reminded.
    pub reminded_envelopes: u32,
    /// Tax returns that are owed now.
    pub returns: u32,
    /// Instalments of fixed assets that the journal got.
    pub instalments: u32,
    /// Fiscal years that were opened.
    pub years: u32,
    /// What the rules refused, a sentence each.
    pub refusals: Vec<String>,
    /// Whether more is left to do than one run does.
    pub has_more: bool,
}

impl DayReport {
    /// How the run ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.refusals.is_empty() { Outcome::Done } else { Outcome::Refused }
    }
}

impl fmt::Display for DayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = [
            (self.expired_quotes, "quotes expired"),
            (self.expired_notices, "notices expired"),
            (self.expired_envelopes, "envelopes expired"),
            (self.reminded_envelopes, "envelopes reminded of"),
            (self.returns, "tax returns made"),
            (self.instalments, "instalments of fixed assets written"),
            (self.years, "fiscal years opened"),
        ];
        let done =
            done.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}"));
        let all: Vec<_> = done.chain(self.refusals.iter().cloned()).collect();
        if all.is_empty() { f.write_str("nothing was due") } else { f.write_str(&all.join("; ")) }
    }
}
