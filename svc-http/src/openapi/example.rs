//! Examples of bodies, composed from those of their members.
//!
//! A member's declaration may carry an example; ids, instants, names and numbers need none. What a request
//! may leave out and has no example of its own is left out, what an answer always has is there.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Schemas by their names.
pub(super) type Schemas = BTreeMap<String, Value>;

const INSTANT: &str = "2025-01-31T09:15:00.000Z";
const DATE: &str = "2025-01-31";
/// What follows the prefix in the id of an example.
const ID: &str = "01jjxvfvr4f16pz7s9h7p4hsqk";
/// So many members make the example of a merge patch.
const CHANGES: usize = 3;

/// What a body is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// To be sent, or to be read.
    Whole,
    /// To change a few members of what is there.
    Change,
}

/// An example of the body with this schema.
pub(super) fn example(schema: &Value, schemas: &Schemas, purpose: Use) -> Value {
    let schema = resolved(schema, schemas);
    match (purpose, &schema["properties"]) {
        (Use::Change, Value::Object(properties)) => {
            let shown = properties.iter().filter(|(_, member)| member.get("examples").is_some());
            let mut shown: Vec<_> = shown.collect();
            // What has names says what kind of thing it is, and rarely changes.
            shown.sort_by_key(|(_, member)| member.get("enum").is_some());
            let shown = shown.into_iter().take(CHANGES);
            Value::Object(shown.map(|(name, member)| (name.clone(), value(member, schemas))).collect())
        }
        (Use::Whole | Use::Change, _) => value(schema, schemas),
    }
}

fn resolved<'a>(schema: &'a Value, schemas: &'a Schemas) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| schemas.get(name)).unwrap_or(schema)
}

fn value(schema: &Value, schemas: &Schemas) -> Value {
    let schema = resolved(schema, schemas);
    if let Some(example) = schema["examples"].get(0) {
        return example.clone();
    }
    if let Some(name) = schema["enum"].get(0) {
        return name.clone();
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let present = choices.iter().find(|choice| choice["type"] != "null");
        return present.map_or(Value::Null, |present| value(present, schemas));
    }
    let kind = &schema["type"];
    match kind.as_str().or_else(|| kind[0].as_str()).unwrap_or_default() {
        "object" => object(schema, schemas),
        "array" => list(schema, schemas),
        "string" => text(schema),
        "integer" => json!(schema["minimum"].as_i64().unwrap_or_default().max(1)),
        "number" => json!(1.0),
        "boolean" => json!(true),
        _ => Value::Null,
    }
}

fn object(schema: &Value, schemas: &Schemas) -> Value {
    let parts = schema["allOf"].as_array().into_iter().flatten();
    let mut members: Map<String, Value> =
        parts.filter_map(|part| value(part, schemas).as_object().cloned()).flatten().collect();
    let needed =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if needed(name) || member.get("examples").is_some() {
            members.insert(name.clone(), value(member, schemas));
        }
    }
    members.into()
}

fn list(schema: &Value, schemas: &Schemas) -> Value {
    let item = value(&schema["items"], schemas);
    if item.is_null() { json!([]) } else { json!([item]) }
}

fn text(schema: &Value) -> Value {
    let id = schema["pattern"].as_str().and_then(|pattern| {
        let (prefix, digits) = pattern.strip_prefix('^')?.split_once('_')?;
        digits.starts_with("[0-7]").then(|| format!("{prefix}_{ID}"))
    });
    match (id, schema["format"].as_str(), schema.pointer("/anyOf/0/format").and_then(Value::as_str)) {
        (Some(id), _, _) => id.into(),
        (None, Some("date-time"), _) => INSTANT.into(),
        (None, Some("date"), _) | (None, None, Some("date")) => DATE.into(),
        (None, None, Some("ipv4")) => "203.0.113.7".into(),
        // A text that may be null and has no example is shown as null.
        (None, _, _) if schema["type"].is_array() => Value::Null,
        (None, _, _) => "text".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_must_be_there_and_what_is_shown() {
        let schemas = Schemas::from([("Part".to_owned(), json!({"type": "boolean"}))]);
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "pattern": "^con_[0-7][0-9a-hjkmnp-tv-z]{25}$"},
                "kind": {"type": ["string", "null"], "enum": ["a", "b", null]},
                "left": {"type": "string"},
                "name": {"type": "string", "examples": ["Sol"]},
                "part": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Part"}]},
                "until": {"type": ["string", "null"], "format": "date-time"},
            },
            "required": ["id", "kind", "part", "until"],
        });
        let whole = example(&schema, &schemas, Use::Whole);
        let id = format!("con_{ID}");
        assert_eq!(whole, json!({"id": id, "kind": "a", "name": "Sol", "part": true, "until": INSTANT}));
        assert_eq!(example(&schema, &schemas, Use::Change), json!({"name": "Sol"}));
    }
}
