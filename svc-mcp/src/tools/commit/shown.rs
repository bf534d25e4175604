//! What a person is shown of a call before it is made.

use http::{Method, StatusCode};
use serde_json::Value;
use svc_auth::approval::Shown;
use svc_core::id::AccountId;
use svc_core::text::is_hidden;
use svc_http::assistant::{Assistant, Call};

use super::super::find::answered;
use super::Asked;
use crate::answer::Refused;

/// Letters of a value.
const LONGEST: usize = 300;
/// Lines of a record.
const MOST_LINES: usize = 20;

impl Asked<'_> {
    /// The company of the record, and what the person is shown: the record as it is, at the version that the call names,
    /// and all that the call says beside it.
    pub(super) async fn shown(&self, assistant: &Assistant) -> Result<(AccountId, Vec<Shown>), Refused> {
        let mut lines = Vec::new();
        let mut company = self.company;
        if let Some(path) = &self.record {
            let record = answered(assistant, Call::new(Method::GET, path.as_str())).await?;
            self.at_the_version(&record)?;
            company = record
                .get("companyId")
                .and_then(Value::as_str)
                .and_then(|id| id.parse().ok())
                .unwrap_or(company);
            lines.extend(self.way.shows.iter().filter_map(|names| members(&record, names)));
            lines.extend(party(assistant, &record).await?);
            lines.extend(self.parts(&record));
        }
        let name = assistant.principal().companies.iter().find(|one| one.id == company);
        lines.extend(name.map(|one| line("company", &one.legal_name)));
        let data = self.data.iter().flatten();
        lines.extend(data.map(|(name, value)| line(&format!("data.{name}"), &told(value))));
        Ok((company, lines))
    }

    fn at_the_version(&self, record: &Value) -> Result<(), Refused> {
        let (present, named) = (record.get("version").and_then(Value::as_i64), self.version);
        if present == named {
            return Ok(());
        }
        let present = present.unwrap_or_default();
        Err(Refused::argument("if_version", format!("the record is at version {present}: find it again")))
    }

    /// Its lines, the first of them.
    fn parts(&self, record: &Value) -> Vec<Shown> {
        let Some(lines) =
            record.get("lines").and_then(Value::as_array).filter(|_| !self.way.lines.is_empty())
        else {
            return Vec::new();
        };
        let of = |part: &Value| {
            let texts =
                self.way.lines.iter().filter_map(|name| part.get(*name)).filter(|value| !value.is_null());
            line("line", &texts.map(told).collect::<Vec<_>>().join(" · "))
        };
        let mut shown: Vec<_> = lines.iter().take(MOST_LINES).map(of).collect();
        if lines.len() > MOST_LINES {
            shown.push(line("more_lines", &(lines.len() - MOST_LINES).to_string()));
        }
        shown
    }
}

/// The other side of a document that does not name it yet; its id alone where the caller may not read contacts.
async fn party(assistant: &Assistant, record: &Value) -> Result<Option<Shown>, Refused> {
    let named = record.get("customerName").is_some_and(|name| !name.is_null());
    let Some(id) = record.get("contactId").and_then(Value::as_str).filter(|_| !named) else {
        return Ok(None);
    };
    let reply = assistant.call(Call::new(Method::GET, format!("/contacts/{}", Call::segment(id)))).await?;
    let name = reply.body.get("name").and_then(Value::as_str).filter(|_| reply.status == StatusCode::OK);
    Ok(Some(line("contactId", name.unwrap_or(id))))
}

/// The members with these names, one behind the other, under the first of the names; `a.b` is `b` of `a`.
fn members(record: &Value, names: &str) -> Option<Shown> {
    let mut names = names.split(' ');
    let first = names.next()?;
    let at = |name: &str| {
        name.split('.').try_fold(record, |value, name| value.get(name)).filter(|found| !found.is_null())
    };
    let mut text = told(at(first)?);
    for value in names.filter_map(at) {
        text = format!("{text} {}", told(value));
    }
    Some(line(first, &text))
}

fn told(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// One line, whatever the value holds: text that other people wrote makes no line of its own.
fn line(name: &str, value: &str) -> Shown {
    let one_line: String = value
        .chars()
        .map(|sign| if sign.is_whitespace() { ' ' } else { sign })
        .filter(|sign| !is_hidden(*sign))
        .take(LONGEST)
        .collect();
    let cut = if one_line.chars().count() == LONGEST { "…" } else { "" };
    Shown { name: name.to_owned(), value: format!("{}{cut}", one_line.trim()) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_belong_together_are_one_text() {
        let record = json!({ "totals": { "total": "121.00" }, "currency": "EUR", "number": null, "events": ["a", "b"] });
        let shown = |names| members(&record, names).map(|shown| (shown.name, shown.value));
        let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        assert_eq!(shown("totals.total currency"), pair("totals.total", "121.00 EUR"));
        assert_eq!(shown("currency number"), pair("currency", "EUR"));
        assert_eq!(shown("events"), pair("events", r#"["a","b"]"#));
        for missing in ["number", "totals.paid", "other"] {
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
