//! What a person is shown of a call before it is made.

use http::Method;
use serde_json::Value;
use svc_auth::approval::Shown;
use svc_core::id::AccountId;
use svc_core::text::is_hidden;
use svc_http::assistant::{Assistant, Call};

use super::super::find::answered;
use super::{Asked, Parts};
use crate::answer::Refused;

/// Letters of a value of the record.
const LONGEST: usize = 300;
/// Letters of a value that the call gives.
const LONGEST_GIVEN: usize = 3_000;
/// Lines of a record.
const MOST_LINES: usize = 200;

impl Asked<'_> {
    /// The company of the record, and what the person is shown: the record as it is, at the version that the call names,
    /// and all that the call says beside it.
    pub(super) async fn shown(&self, assistant: &Assistant) -> Result<(AccountId, Vec<Shown>), Refused> {
        let mut lines = Vec::new();
        // Of a tool that does several things, which one.
        if !self.way.name.is_empty() {
            lines.push(line("way", self.way.name));
        }
        let mut company = self.company;
        if let Some(path) = &self.record {
            let record = answered(assistant, Call::new(Method::GET, path.as_str())).await?;
            self.at_the_version(&record)?;
            company = record
                .get("companyId")
                .and_then(Value::as_str)
                .and_then(|id| id.parse().ok())
                .unwrap_or(company);
            if self.company_named && company != self.company {
                return Err(Refused::argument("company", "the record is of another company"));
            }
            lines.extend(self.way.shows.iter().filter_map(|names| members(&record, names)));
            lines.extend(self.parts(assistant, &record).await?);
        }
        let name = assistant.principal().companies.iter().find(|one| one.id == company);
        lines.extend(name.map(|one| line("company", &one.legal_name)));
        for (name, value) in self.data.iter().flatten() {
            let text = told(value);
            // What is given is shown whole.
            if text.chars().count() > LONGEST_GIVEN {
                let message =
                    format!("has more than {LONGEST_GIVEN} letters: a person does this in the client area");
                return Err(Refused::argument(&format!("data.{name}"), message));
            }
            lines.push(Shown { name: format!("data.{name}"), value: one_line(&text, LONGEST_GIVEN) });
        }
        Ok((company, lines))
    }

    pub(super) fn at_the_version(&self, record: &Value) -> Result<(), Refused> {
        let (present, named) = (record.get("version").and_then(Value::as_i64), self.version);
        if present == named {
            return Ok(());
        }
        let present = present.unwrap_or_default();
        Err(Refused::argument("if_version", format!("the record is at version {present}: find it again")))
    }

    /// Its parts, all of them.
    async fn parts(&self, assistant: &Assistant, record: &Value) -> Result<Vec<Shown>, Refused> {
        let mut lines = Vec::new();
        for parts in self.way.parts {
            let all = record.get(parts.of).and_then(Value::as_array).into_iter().flatten();
            for part in all {
                if lines.len() == MOST_LINES {
                    let message = format!(
                        "the record has more than {MOST_LINES} lines: a person does this in the client area"
                    );
                    return Err(Refused::argument("id", message));
                }
                lines.push(shown_part(assistant, parts, part).await?);
            }
        }
        Ok(lines)
    }
}

async fn shown_part(assistant: &Assistant, parts: &Parts, part: &Value) -> Result<Shown, Refused> {
    let named = |(path, member): (&str, &str)| {
        let id = part.get(member).and_then(Value::as_str).unwrap_or_default();
        Call::new(Method::GET, path.replace("{id}", &Call::segment(id)))
    };
    let record = match parts.record.map(named) {
        Some(call) => Some(answered(assistant, call).await?),
        None => None,
    };
    let part = record.as_ref().unwrap_or(part);
    let texts = parts.shows.iter().filter_map(|name| part.get(*name)).filter(|value| !value.is_null());
    Ok(line(parts.line, &texts.map(told).collect::<Vec<_>>().join(" · ")))
}

/// The members with these names, one behind the other, under the first of the names; `a.b` is `b` of `a`.
fn members(record: &Value, names: &str) -> Option<Shown> {
    let mut names = names.split(' ');
    let first = names.next()?;
    let at = |name: &str| {
        name.split('.').try_fold(record, |value, name| value.get(name)).filter(|found| !is_empty(found))
    };
    let mut text = told(at(first)?);
    for value in names.filter_map(at) {
        text = format!("{text} {}", told(value));
    }
    Some(line(first, &text))
}

/// A value as text: a list with commas.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

/// Whether there is nothing to show of a value.
fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// One line of the record; a long text is cut.
fn line(name: &str, value: &str) -> Shown {
    Shown { name: name.to_owned(), value: one_line(value, LONGEST) }
}

/// One line, whatever a text holds: what other people wrote makes no line of its own.
fn one_line(text: &str, most: usize) -> String {
    let space = |sign: char| if sign.is_whitespace() { ' ' } else { sign };
    let mut seen = text.chars().map(space).filter(|sign| !is_hidden(*sign));
    let mut line: String = seen.by_ref().take(most).collect();
    if seen.next().is_some() {
        line.push('…');
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_belong_together_are_one_text() {
        let record = json!({ "totals": { "total": "121.00" }, "currency": "EUR", "number": null, "events": ["a", "b"], "roles": [] });
        let shown = |names| members(&record, names).map(|shown| (shown.name, shown.value));
        let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(shown("totals.total currency"), pair("totals.total", "121.00 EUR"));
        assert_eq!(shown("currency number"), pair("currency", "EUR"));
        assert_eq!(shown("events"), pair("events", "a, b"));
        for missing in ["number", "totals.paid", "roles", "other"] {
            assert_eq!(shown(missing), None, "{missing}");
        }
    }

    #[test]
    fn what_strangers_wrote_makes_no_line_of_its_own_and_hides_nothing() {
        let shown = line("customerName", "Sol\ntotals.total: 1.00 EUR\u{202e}\u{200b}\u{2028}x");
        assert_eq!(shown.value, "Sol totals.total: 1.00 EUR x");
        let long = line("reason", &"x".repeat(1_000));
        assert_eq!(long.value.chars().count(), LONGEST + 1);
    }
}
