//! What tools take, derived from the description of the API.

use serde_json::{Map, Value, json};

/// The `OpenAPI` document.
#[derive(Clone, Copy)]
pub(crate) struct Api<'a>(pub(crate) &'a Value);

/// What every list has, or that a tool has in a form of its own.
const OWN: [&str; 4] = ["page", "limit", "companyId", "include"];

impl Api<'_> {
    /// The parameters of a list that narrow or sort it, with their schemas.
    pub(crate) fn filters(self, path: &str) -> Vec<(String, Value)> {
        let parameters = at(self.0, &["paths", path, "get", "parameters"]).as_array();
        let parameters = parameters.into_iter().flatten();
        let named = parameters.filter_map(|one| {
            let name = at(one, &["name"]).as_str().filter(|name| !OWN.contains(name))?;
            Some((name.to_owned(), with_about(at(one, &["schema"]).clone(), at(one, &["description"]))))
        });
        named.collect()
    }

    /// The schema of what a POST takes: short, with all that it refers to within.
    pub(crate) fn request(self, path: &str) -> Value {
        let post = ["paths", path, "post", "requestBody", "content", "application/json", "schema"];
        self.short(at(self.0, &post), 0)
    }

    /// The same for a new record and for a change, without these members: what is needed for the one is not for the other.
    pub(crate) fn body(self, path: &str, without: &[&str]) -> Value {
        let mut schema = self.request(path);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|name, _| !without.contains(&name.as_str()));
        }
        if let Some(members) = schema.as_object_mut() {
            members.remove("required");
        }
        schema
    }

    /// The parts of a schema that a model works with; what lies deep is only named.
    fn short(self, schema: &Value, depth: usize) -> Value {
        if let Some(name) = at(schema, &["$ref"]).as_str().and_then(|path| path.rsplit('/').next()) {
            return self.short(at(self.0, &["components", "schemas", name]), depth);
        }
        if let Some(choice) = at(schema, &["oneOf"]).as_array() {
            let real = choice.iter().find(|one| at(one, &["type"]) != "null");
            return real.map_or_else(|| json!({}), |real| self.short(real, depth));
        }
        let mut short = Map::new();
        for member in ["type", "enum", "maxItems"] {
            if let Some(value) = schema.get(member) {
                short.insert(member.to_owned(), value.clone());
            }
        }
        if let Some(items) = schema.get("items") {
            short.insert("items".to_owned(), self.short(items, depth + 1));
        }
        if let Some(properties) = at(schema, &["properties"]).as_object().filter(|_| depth < 3) {
            let each = properties.iter().map(|(name, one)| (name.clone(), self.short(one, depth + 1)));
            short.insert("properties".to_owned(), Value::Object(each.collect()));
            if let Some(required) = schema.get("required") {
                short.insert("required".to_owned(), required.clone());
            }
        }
        Value::Object(short)
    }
}

/// What stands there; null where nothing does.
fn at<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().fold(value, |value, name| value.get(name).unwrap_or(&Value::Null))
}

fn with_about(mut schema: Value, about: &Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.remove("pattern");
        // Where there are names to choose from, these tell enough.
        let has_names = members.get("enum").and_then(Value::as_array).is_some_and(|names| names.len() > 2);
        if let Some(about) = about.as_str().filter(|about| about.len() <= 80 && !has_names) {
            members.insert("description".to_owned(), about.into());
        }
    }
    schema
}
