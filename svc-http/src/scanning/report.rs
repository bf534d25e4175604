//! What secret scanners report.
//!
//! Read by hand: serde's own words quote what does not fit, and a token might be in it.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use svc_auth::token::ExposureSource;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::wire::{Described, Form, Parts};
use svc_core::wire_request;

use crate::json::{Input, member};
use crate::problem::Problem;

const MOST_REPORTS: usize = 100;
const MEMBERS: [&str; 4] = ["token", "type", "url", "source"];

/// What was found: 1 to 100 texts that look like tokens.
#[derive(Deserialize)]
pub(crate) struct Body(Vec<Value>);

impl Input for Body {
    const LIST: bool = true;

    fn take(tree: Value) -> Result<Self, ValidationErrors> {
        member(&tree, "")
    }
}

impl Described for Body {
    fn schema(parts: &mut Parts) -> Value {
        parts.named::<Self>("SecretReports", |parts| {
            let about = "What was found: texts that look like tokens.";
            let items = Report::schema(parts);
            json!({ "type": "array", "description": about, "items": items, "minItems": 1, "maxItems": MOST_REPORTS })
        })
    }
}

wire_request! {
    /// A text that looks like a token.
    pub(super) struct Report as "SecretReport" {
        /// The text.
        pub(super) token: String => Form::text(1, 1_048_576).example("svc_live_example"),
        /// What kind of token the scanner takes it for; comes back in the answer.
        pub(super) r#type: Option<String> => Form::text(0, 1_048_576).example("svc_token"),
        /// Where it was found. Only the host is written down.
        url: Option<String> => Form::URI.example("https://code.example/repository/blob/main/config.json"),
        /// What that place is: `commit` for example.
        source: Option<String> => Form::text(0, 1_048_576).example("commit"),
    }
}

impl Body {
    /// The reports; or every one that is none, by its place.
    pub(super) fn reports(self) -> Result<Vec<Report>, Problem> {
        let Self(items) = self;
        if items.is_empty() || items.len() > MOST_REPORTS {
            let message = format!("expected 1 to {MOST_REPORTS} reports");
            return Err(ValidationErrors::one("body", "out_of_range", message).into());
        }
        let mut validator = Validator::new();
        let reports = items.into_iter().enumerate();
        let reports: Vec<_> =
            reports.filter_map(|(at, item)| Report::read(&mut validator, at, item)).collect();
        validator.finish()?;
        Ok(reports)
    }
}

impl Report {
    fn read(validator: &mut Validator, at: usize, item: Value) -> Option<Self> {
        let Value::Object(mut members) = item else {
            validator.fail(format!("[{at}]"), "invalid_type", "expected an object with the member `token`");
            return None;
        };
        let known = members.keys().all(|name| MEMBERS.contains(&name.as_str()));
        let only = "has another member than token, type, url and source";
        validator.require(known, &format!("[{at}]"), "unknown_field", only);
        let mut text = |name: &str| text(validator, &mut members, at, name);
        let [token, r#type, url, source] = MEMBERS.map(&mut text);
        let token = token.filter(|token| !token.is_empty());
        validator.require(
            token.is_some(),
            &format!("[{at}].token"),
            "required",
            "expected the text that was found",
        );
        Some(Self { token: token?, r#type, url, source })
    }

    /// Where it was found.
    pub(super) fn place(&self) -> ExposureSource {
        let [url, kind] = [&self.url, &self.source].map(|text| text.clone().unwrap_or_default());
        ExposureSource { url, kind }
    }
}

/// A member that is a text, or is not there.
fn text(
    validator: &mut Validator,
    members: &mut Map<String, Value>,
    at: usize,
    name: &str,
) -> Option<String> {
    match members.remove(name)? {
        Value::String(text) => Some(text),
        Value::Null => None,
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            validator.fail(format!("[{at}].{name}"), "invalid_type", "expected a string");
            None
        }
    }
}
