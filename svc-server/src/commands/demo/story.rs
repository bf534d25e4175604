//! The demo as steps: what a customer did, and the events that tell of it.

use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::output::Answer;
use crate::receiver::Receipt;

/// A step of the demo.
pub(super) struct Step {
    /// What was done, with its figures.
    pub(super) done: Answer,
    /// What is to arrive of it, in whatever order.
    pub(super) events: Vec<Expected>,
}

/// The same for programs.
#[derive(Serialize)]
struct Told<'a> {
    step: &'a str,
    figures: &'a Value,
}

/// An event that a step leads to.
pub(super) struct Expected {
    kind: &'static str,
    /// `None` where no answer names it.
    object: Option<String>,
    with: Vec<(&'static str, String)>,
}

impl Step {
    /// What `figures` are of, in words.
    pub(super) fn new(name: &str, figures: &Value, text: String, events: Vec<Expected>) -> Self {
        Self { done: Answer::new(&Told { step: name, figures }, text), events }
    }
}

impl Expected {
    /// `kind`, of `object`.
    pub(super) fn of(kind: &'static str, object: &str) -> Self {
        Self { kind, object: Some(object.to_owned()), with: Vec::new() }
    }

    /// A journal entry that is created and posted.
    pub(super) fn posting(entry: Option<&str>) -> [Self; 2] {
        let of = |kind| Self { kind, object: entry.map(str::to_owned), with: Vec::new() };
        [of("journal_entry.create"), of("journal_entry.post")]
    }

    /// The same with a further member of its data.
    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.with.push((name, value.to_owned()));
        self
    }

    /// The type of it.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Whether this arrived.
    pub(super) fn is(&self, receipt: &Receipt) -> bool {
        let data = receipt.body.get("data");
        let holds = |name: &str, value: &str| {
            data.and_then(|data| data.get(name)).and_then(Value::as_str) == Some(value)
        };
        self.kind == receipt.event
            && self.object.as_deref().is_none_or(|id| holds("id", id))
            && self.with.iter().all(|(name, value)| holds(name, value))
    }
}

/// A text of an answer, by its pointer (RFC 6901).
pub(super) fn text(object: &Value, pointer: &str) -> Result<String, Failure> {
    let found = object.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    found.ok_or_else(|| Failure::new("demo_call_failed", format!("the answer has no text at {pointer}")))
}

/// The id of an answer.
pub(super) fn id(object: &Value) -> Result<String, Failure> {
    text(object, "/id")
}

/// An amount as people read it: `1,210.00 EUR`.
pub(super) fn euros(amount: &str) -> String {
    let (sign, amount) = amount.strip_prefix('-').map_or(("", amount), |amount| ("-", amount));
    let (units, cents) = amount.split_once('.').unwrap_or((amount, "00"));
    let mut grouped = String::new();
    for (index, digit) in units.chars().enumerate() {
        if index > 0 && (units.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{cents} EUR")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_grouped_by_thousands() {
        let shown = ["0.00", "999.90", "-1210.00", "1234567.89"].map(euros);
        assert_eq!(shown, ["0.00 EUR", "999.90 EUR", "-1,210.00 EUR", "1,234,567.89 EUR"]);
    }
}
