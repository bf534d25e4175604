//! Types that say what they look like in JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A type that says what it looks like in JSON.
pub trait Described {
    /// Whether a member of this type must be there, unless its declaration says otherwise.
    const REQUIRED: bool = true;

    /// The JSON Schema (draft 2020-12) of a value. A type with a name of its own puts its schema into `parts`
    /// and answers a reference to it.
    fn schema(parts: &mut Parts) -> Value;

    /// The schema of a value that is not null.
    fn present(parts: &mut Parts) -> Value {
        Self::schema(parts)
    }
}

/// Schemas with a name, where an `OpenAPI` document keeps them: at `#/components/schemas`.
#[derive(Debug, Default)]
pub struct Parts(BTreeMap<String, Part>);

#[derive(Debug)]
struct Part {
    /// The Rust type, to notice two that want the same name.
    of: &'static str,
    schema: Value,
}

impl Parts {
    /// Adds the schema of `T` under this name, unless it is there already; answers a reference to it.
    pub fn named<T: ?Sized>(&mut self, name: &str, build: impl FnOnce(&mut Self) -> Value) -> Value {
        let of = std::any::type_name::<T>();
        if let Some(known) = self.0.get(name) {
            debug_assert_eq!(known.of, of, "two types want the name {name}");
        } else {
            // Stands in while a type that leads back to itself is built.
            self.0.insert(name.to_owned(), Part { of, schema: Value::Null });
            let schema = build(self);
            self.0.insert(name.to_owned(), Part { of, schema });
        }
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    /// The schemas by their names.
    #[must_use]
    pub fn into_schemas(self) -> BTreeMap<String, Value> {
        self.0.into_iter().map(|(name, part)| (name, part.schema)).collect()
    }
}

/// The schema of a value that may be null as well.
#[must_use]
pub fn nullable(schema: Value) -> Value {
    let Value::Object(mut members) = schema else { return schema };
    let null = Value::Null;
    if let Some(Value::Array(values)) = members.get_mut("enum")
        && !values.contains(&null)
    {
        values.push(null);
    }
    match members.get_mut("type") {
        Some(kind @ Value::String(_)) => {
            *kind = json!([kind, "null"]);
            Value::Object(members)
        }
        // Says that it may be null already.
        Some(_) => Value::Object(members),
        None => {
            let either = json!([{ "type": "null" }, members]);
            Value::Object(Map::from_iter([("oneOf".to_owned(), either)]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_schema_says_it_can_say_null_too() {
        assert_eq!(nullable(json!({"type": "string"})), json!({"type": ["string", "null"]}));
        let names = nullable(json!({"type": "string", "enum": ["a"]}));
        assert_eq!(names, json!({"type": ["string", "null"], "enum": ["a", null]}));
        assert_eq!(nullable(names.clone()), names);
        assert_eq!(nullable(json!({"$ref": "#/x"})), json!({"oneOf": [{"type": "null"}, {"$ref": "#/x"}]}));
    }

    #[test]
    #[should_panic(expected = "two types want the name Thing")]
    fn two_types_cannot_have_one_name() {
        let mut parts = Parts::default();
        parts.named::<u8>("Thing", |_| json!({}));
        parts.named::<u16>("Thing", |_| json!({}));
    }
}
