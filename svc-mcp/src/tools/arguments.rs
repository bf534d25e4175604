//! The arguments of a call, read by hand: what is wrong is told by its name.

use serde_json::{Map, Value};
use svc_core::id::AccountId;
use svc_http::assistant::Assistant;

use crate::answer::Refused;

/// The arguments that were not read yet.
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(super) fn new(arguments: Value) -> Result<Self, Refused> {
        match arguments {
            Value::Object(members) => Ok(Self(members)),
            Value::Null => Ok(Self(Map::new())),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(Refused::argument("arguments", "must be an object"))
            }
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Refused> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refused::argument(name, "must be a text")),
        }
    }

    /// The id of what a call is about, in words: `a file`.
    pub(super) fn id(&mut self, of: &str) -> Result<String, Refused> {
        let missing = || Refused::argument("id", format!("is missing: it must be the id of {of}"));
        self.text("id")?.ok_or_else(missing)
    }

    /// Whether there is such an argument.
    pub(super) fn names(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// A filter: a text, a number or a switch.
    pub(super) fn filter(&mut self, name: &str) -> Result<Option<String>, Refused> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(_) => Err(Refused::argument(name, "must be a text, a number or a switch")),
        }
    }

    pub(super) fn number(&mut self, name: &str) -> Result<Option<i64>, Refused> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => {
                value.as_i64().map(Some).ok_or_else(|| Refused::argument(name, "must be a whole number"))
            }
        }
    }

    pub(super) fn texts(&mut self, name: &str, most: usize) -> Result<Vec<String>, Refused> {
        let wrong = || Refused::argument(name, format!("must be a list of at most {most} texts"));
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) if items.len() <= most => {
                items.into_iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    pub(super) fn object(&mut self, name: &str) -> Result<Map<String, Value>, Refused> {
        let found = self.optional_object(name)?;
        found.ok_or_else(|| Refused::argument(name, "is missing: it must be an object"))
    }

    pub(super) fn optional_object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, Refused> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(members)),
            Some(_) => Err(Refused::argument(name, "must be an object")),
        }
    }

    /// The company: the primary one unless another one within reach is named.
    pub(super) fn company(&mut self, assistant: &Assistant) -> Result<AccountId, Refused> {
        let principal = assistant.principal();
        let Some(text) = self.text("company")? else { return Ok(principal.primary) };
        let known = text.parse().ok().filter(|id| principal.scope.contains(*id));
        known.ok_or_else(|| Refused::argument("company", "no company within reach has this id"))
    }

    /// Refuses what no reader took.
    pub(super) fn finish(self) -> Result<(), Refused> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(Refused::argument(name, "the tool takes no such argument")),
        }
    }
}
