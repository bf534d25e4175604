//! The text of a body as a tree, duplicate members and NUL characters refused.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use svc_core::error::{FieldError, ValidationErrors};

use crate::problem::{Code, Problem};

/// Reads a body that must be one JSON value.
///
/// Nesting beyond what the parser allows (128 levels) is a syntax error, so a
/// hostile body cannot exhaust the stack.
pub(super) fn read(body: &[u8]) -> Result<Value, Problem> {
    let found = RefCell::new(Vec::new());
    let mut text = serde_json::Deserializer::from_slice(body);
    let tree = Node { at: &At::Root, found: &found }
        .deserialize(&mut text)
        .and_then(|tree| text.end().map(|()| tree))
        .map_err(|error| malformed(&error))?;
    let found = found.into_inner();
    if !found.is_empty() {
        return Err(ValidationErrors(found).into());
    }
    Ok(tree)
}

fn malformed(error: &serde_json::Error) -> Problem {
    let place = format!("line {}, column {}", error.line(), error.column());
    let problem = Problem::new(Code::MalformedJson, format!("the body is not JSON: {error}"));
    problem.at("body", "malformed_json", format!("broken at {place}"))
}

/// Where in the tree a value stands.
enum At<'a> {
    Root,
    Member(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Self::Root, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

#[derive(Clone, Copy)]
struct Node<'a> {
    at: &'a At<'a>,
    found: &'a RefCell<Vec<FieldError>>,
}

/// A body of a megabyte holds more mistakes than a person reads.
pub(super) const MOST_FINDINGS: usize = 20;

impl Node<'_> {
    fn find(&self, at: &At<'_>, code: &'static str, message: &'static str) {
        let mut found = self.found.borrow_mut();
        if found.len() < MOST_FINDINGS {
            let field = at.to_string().replace('\0', "\u{fffd}").chars().take(200).collect();
            found.push(FieldError { field, code, message: message.into() });
        }
    }

    fn check_text(&self, at: &At<'_>, text: &str) {
        if text.contains('\0') {
            self.find(at, "invalid_value", "must not contain the NUL character U+0000");
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.check_text(self.at, value);
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let at = At::Item(self.at, list.len());
            match items.next_element_seed(Node { at: &at, found: self.found })? {
                Some(item) => list.push(item),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let at = At::Member(self.at, &name);
            self.check_text(&at, &name);
            if map.contains_key(&name) {
                self.find(&at, "duplicate_key", "comes more than once");
            }
            let value = members.next_value_seed(Node { at: &at, found: self.found })?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}
