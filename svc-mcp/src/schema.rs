//! What tools take, derived from the description of the API.

use serde_json::{Map, Value, json};

/// The `OpenAPI` document.
#[derive(Clone, Copy)]
pub(crate) struct Api<'a>(pub(crate) &'a Value);

/// What every list has, or that a tool has in a form of its own.
const OWN: [&str; 5] = ["page", "limit", "companyId", "include", "lang"];

impl Api<'_> {
    /// The parameters of a list that narrow or sort it, with their schemas.
    pub(crate) fn filters(self, path: &str) -> Vec<(String, Value)> {
        let parameters = at(self.0, &["paths", path, "get", "parameters"]).as_array();
        let parameters = parameters.into_iter().flatten();
        let named = parameters.filter_map(|one| {
            let name = at(one, &["name"]).as_str().filter(|name| !OWN.contains(name))?;
            Some((name.to_owned(), filter(name, at(one, &["schema"]).clone(), at(one, &["description"]))))
        });
        named.collect()
    }

    /// The schema of what a route takes: short, with all that it refers to within.
    pub(crate) fn taken(self, verb: &str, path: &str) -> Value {
        let body = ["paths", path, verb, "requestBody", "content", "application/json", "schema"];
        self.short(at(self.0, &body), 0)
    }

    /// The same of a POST, without these members.
    pub(crate) fn request(self, path: &str, without: &[&str]) -> Value {
        let mut schema = self.taken("post", path);
        let is_kept = |name: &str| !without.contains(&name);
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.retain(|name, _| is_kept(name));
        }
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name.as_str().is_some_and(is_kept));
        }
        schema
    }

    /// The same for a new record and for a change: what is needed for the one is not for the other, and some members are
    /// those of a change alone.
    pub(crate) fn body(self, path: &str, without: &[&str]) -> Value {
        let mut schema = self.request(path, without);
        if let Some(members) = schema.as_object_mut() {
            members.remove("required");
        }
        let change = self.taken("patch", &format!("{path}/{{id}}"));
        let members = schema.get_mut("properties").and_then(Value::as_object_mut);
        let (Some(members), Some(changed)) = (members, at(&change, &["properties"]).as_object()) else {
            return schema;
        };
        for (name, one) in changed.iter().filter(|(name, _)| !without.contains(&name.as_str())) {
            if !members.contains_key(name) {
                let mut one = one.clone();
                if let Some(told) = one.as_object_mut() {
                    told.insert("description".to_owned(), "Of a record that is there.".into());
                }
                members.insert(name.clone(), one);
            }
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
        for member in ["type", "enum"] {
            if let Some(value) = schema.get(member) {
                let value = value.clone();
                // A change takes a member of the record away by null; what lies deeper is written as a whole.
                short.insert(member.to_owned(), if depth > 1 { without_null(value) } else { value });
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

/// What a tool takes: these members, and those of them at least.
pub(crate) fn object(properties: impl Into<Value>, required: &[&str]) -> Value {
    let mut schema =
        json!({ "type": "object", "properties": properties.into(), "additionalProperties": false });
    if let Some(members) = schema.as_object_mut().filter(|_| !required.is_empty()) {
        members.insert("required".to_owned(), required.into());
    }
    schema
}

/// What stands there; null where nothing does.
fn at<'a>(value: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().fold(value, |value, name| value.get(name).unwrap_or(&Value::Null))
}

/// The alternatives beside null.
fn without_null(mut value: Value) -> Value {
    if let Some(alternatives) = value.as_array_mut() {
        alternatives.retain(|one| !one.is_null() && one != "null");
    }
    match value.as_array().map(Vec::as_slice) {
        Some([Value::String(only)]) => json!(only),
        _ => value,
    }
}

/// A filter as a model needs it: what its name and its type do not tell, in a few words.
fn filter(name: &str, mut schema: Value, about: &Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.retain(|member, _| ["type", "enum", "format"].contains(&member.as_str()));
        // Where there are names to choose from, these tell enough; "only this one" is what every filter does, and `to` is
        // told by `from`.
        let has_names = members.get("enum").and_then(Value::as_array).is_some_and(|names| names.len() > 2);
        let tells =
            |about: &&str| about.len() <= 80 && !about.starts_with("Only ") && name != "to" && !has_names;
        if let Some(about) = about.as_str().filter(tells) {
            members.insert("description".to_owned(), orders(about).into());
        }
    }
    schema
}

/// The orders of a list by their names: that `-` turns them round is said once, in the instructions of the server.
fn orders(about: &str) -> &str {
    let names = about.strip_prefix("One of ").and_then(|rest| rest.split_once("; `-`"));
    names.map_or(about, |(names, _)| names)
}
