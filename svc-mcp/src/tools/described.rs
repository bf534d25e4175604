//! What the description of the API says of records, for the tests of the tables.

use std::collections::BTreeMap;

use serde_json::Value;

/// The schema that a reference leads to; that of what is there, where it may be null.
fn whole<'a>(api: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    if let Some(name) = name {
        return whole(api, &api["components"]["schemas"][name]);
    }
    let mut real = schema["oneOf"].as_array().into_iter().flatten().filter(|one| one["type"] != "null");
    real.next().map_or(schema, |real| whole(api, real))
}

/// The members of an object with their schemas, those of all that it is made of among them.
pub(super) fn members(api: &Value, schema: &Value) -> BTreeMap<String, Value> {
    let schema = whole(api, schema);
    let own = schema["properties"].as_object().into_iter().flatten();
    let own = own.map(|(name, member)| (name.clone(), member.clone()));
    let parts = schema["allOf"].as_array().into_iter().flatten();
    own.chain(parts.flat_map(|part| members(api, part))).collect()
}

/// What a GET of this path answers.
pub(super) fn answer<'a>(api: &'a Value, path: &str) -> &'a Value {
    let content = &api["paths"][path]["get"]["responses"]["200"]["content"];
    whole(api, &content["application/json"]["schema"])
}

/// Whether there is text in a value that the schema leaves to its writer.
pub(super) fn is_free(api: &Value, schema: &Value) -> bool {
    let schema = whole(api, schema);
    let parts = ["allOf", "oneOf", "anyOf"].iter().filter_map(|of| schema[*of].as_array()).flatten();
    let members = schema["properties"].as_object().into_iter().flat_map(|members| members.values());
    let rest = [&schema["items"], &schema["additionalProperties"]].into_iter().filter(|one| one.is_object());
    if parts.chain(members).chain(rest).any(|one| is_free(api, one)) {
        return true;
    }
    let kind = &schema["type"];
    let is_text =
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.iter().any(|one| one == "string"));
    is_text && ["enum", "const", "format", "pattern"].iter().all(|bound| schema[*bound].is_null())
}
