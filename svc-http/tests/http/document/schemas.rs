//! What the document says of each member: nothing that a program needs is in prose alone.

use serde_json::{Value, json};
use svc_testkit::catalogue::events;

use super::operations;

/// Texts that are called ids and are none of the service's.
const FOREIGN: [&str; 3] = ["taxId", "recipientTaxId", "externalId"];

/// The document; a `components` beside a schema makes it one that stands alone.
struct Document(Value);

impl Document {
    fn new() -> Self {
        Self(svc_http::openapi("https://api.example.com", events()))
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(path) => {
                self.0.pointer(path.trim_start_matches('#')).expect("the reference leads somewhere")
            }
            None => schema,
        }
    }

    /// The schema and those of what may stand in its place, but for null: choices, items and values.
    fn leaves<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        let schema = self.resolved(schema);
        let choices = schema["oneOf"].as_array().into_iter().flatten();
        let inner: Vec<&Value> = choices
            .chain([&schema["items"], &schema["additionalProperties"]])
            .filter(|inner| inner.is_object())
            .collect();
        match inner.is_empty() {
            true if schema["type"] == "null" => Vec::new(),
            true => vec![schema],
            false => inner.into_iter().flat_map(|inner| self.leaves(inner)).collect(),
        }
    }

    /// Every member of every named schema with its place.
    fn members(&self) -> Vec<(String, &str, &Value)> {
        let schemas = self.0["components"]["schemas"].as_object().unwrap();
        let members = schemas.iter().flat_map(|(owner, schema)| {
            let members = schema["properties"].as_object().into_iter().flatten();
            members.map(move |(name, schema)| (format!("{owner}.{name}"), name.as_str(), schema))
        });
        members.collect()
    }

    /// Every request body: its operation, its schema and its example.
    fn requests(&self) -> Vec<(String, &Value)> {
        let bodies = operations(&self.0).into_iter().flat_map(|(name, operation)| {
            let content = operation["requestBody"]["content"].as_object().into_iter().flatten();
            content.map(move |(media, content)| (format!("{name} {media}"), content))
        });
        bodies.collect()
    }

    /// Every answer with a body: its operation and its content.
    fn answers(&self) -> Vec<(String, &Value)> {
        let all = operations(&self.0).into_iter().flat_map(|(name, operation)| {
            let answers = operation["responses"].as_object().unwrap();
            answers.iter().filter(|(status, _)| status.starts_with('2')).flat_map(move |(status, answer)| {
                let name = format!("{name} {status}");
                let content = answer["content"].as_object().into_iter().flatten();
                content.map(move |(_, content)| (name.clone(), content))
            })
        });
        all.collect()
    }

    /// The members of this schema and of the objects within it.
    fn within<'a>(&'a self, schema: &'a Value, found: &mut Vec<(&'a str, &'a Value)>) {
        for leaf in self.leaves(schema) {
            for (name, member) in leaf["properties"].as_object().into_iter().flatten() {
                found.push((name, member));
                self.within(member, found);
            }
        }
    }

    /// What is wrong with the example of this content.
    fn misfit(&self, content: &Value) -> Option<String> {
        let mut alone = content["schema"].clone();
        alone["components"] = self.0["components"].clone();
        let validator = jsonschema::options().should_validate_formats(true).build(&alone).unwrap();
        validator
            .validate(&content["example"])
            .err()
            .map(|error| format!("{}: {error}", error.instance_path()))
    }
}

#[test]
fn every_instant_says_that_it_is_one() {
    let document = Document::new();
    let instants: Vec<_> =
        document.members().into_iter().filter(|(_, name, _)| name.ends_with("At")).collect();
    assert!(instants.len() > 25);
    for (place, _, schema) in instants {
        assert!(document.leaves(schema).iter().all(|leaf| leaf["format"] == "date-time"), "{place}");
    }
}

#[test]
fn every_id_says_of_what_kind_it_is() {
    let document = Document::new();
    let is_id = |name: &str| {
        (name == "id" || name.ends_with("Id") || name.ends_with("Ids")) && !FOREIGN.contains(&name)
    };
    let ids: Vec<_> = document.members().into_iter().filter(|(_, name, _)| is_id(name)).collect();
    assert!(ids.len() > 60);
    for (place, _, schema) in ids {
        let typed =
            |leaf: &&Value| leaf["pattern"].as_str().is_some_and(|pattern| pattern.contains("_[0-7]"));
        assert!(document.leaves(schema).iter().all(typed), "{place}");
    }
    let contact = &document.0["components"]["schemas"]["Contact"]["properties"]["id"];
    assert_eq!(contact["pattern"], "^con_[0-7][0-9a-hjkmnp-tv-z]{25}$");
    for (name, operation) in operations(&document.0) {
        for parameter in operation["parameters"].as_array().unwrap() {
            if parameter["in"] == "path" && parameter["name"] != "type" {
                assert!(parameter["schema"]["pattern"].is_string(), "{name} {}", parameter["name"]);
            }
        }
    }
}

/// Whether the prose lists values: names in backticks with nothing but a comma, `or` or `and` between them.
fn lists_values(prose: &str) -> bool {
    let between: Vec<_> = prose.split('`').collect();
    let mut gaps = between.iter().skip(2).step_by(2).take(between.len().saturating_sub(4).div_ceil(2));
    gaps.any(|gap| matches!(gap.trim(), "," | "or" | "and" | ", or" | ", and"))
}

#[test]
fn no_names_are_listed_in_prose_alone() {
    assert!(
        lists_values("`a` or `b`") && lists_values("One of `a`, `b`.") && lists_values("x `a`, `b` and `c`")
    );
    assert!(
        !lists_values("`a`: not `b`") && !lists_values("such as `a`, or what else") && !lists_values("none")
    );
    let document = Document::new();
    for (place, _, schema) in document.members() {
        let named = document.leaves(schema).iter().any(|leaf| leaf["enum"].is_array());
        let prose = schema["description"].as_str().unwrap_or_default();
        assert!(named || !lists_values(prose), "{place}: {prose}");
    }
    for (name, operation) in operations(&document.0) {
        for parameter in operation["parameters"].as_array().unwrap() {
            let prose = parameter["description"].as_str().unwrap_or_default();
            let named = parameter["schema"]["enum"].is_array();
            assert!(named || !lists_values(prose), "{name} {}: {prose}", parameter["name"]);
        }
    }
}

#[test]
fn every_text_of_a_request_has_a_bound() {
    let document = Document::new();
    let mut texts = 0;
    for (place, content) in document.requests() {
        let mut members = Vec::new();
        document.within(&content["schema"], &mut members);
        for (name, member) in members {
            for leaf in document.leaves(member) {
                let kind = &leaf["type"];
                let text =
                    kind == "string" || kind.as_array().is_some_and(|all| all.contains(&json!("string")));
                let bounds = ["maxLength", "enum", "format", "pattern", "anyOf"];
                texts += usize::from(text);
                assert!(!text || bounds.iter().any(|bound| leaf.get(bound).is_some()), "{place}: {name}");
            }
        }
    }
    assert!(texts > 100);
}

#[test]
fn every_body_has_an_example_that_fits() {
    let document = Document::new();
    let requests = document.requests();
    assert!(requests.len() > 20);
    for (place, content) in requests.into_iter().chain(document.answers()) {
        let example = &content["example"];
        assert!(!example.is_null() && *example != json!({}), "{place}");
        assert_eq!(document.misfit(content), None, "{place}: {example}");
    }
}

#[test]
fn an_example_that_does_not_fit_is_noticed() {
    let document = Document::new();
    let requests = document.requests();
    let (_, content) = requests.iter().find(|(place, _)| place.starts_with("post /contacts ")).unwrap();
    assert_eq!(document.misfit(content), None);
    for (member, value) in [
        ("companyId", json!("con_01jjxvfvr4f16pz7s9h7p4hsqk")),
        ("email", json!("nobody")),
        ("kind", json!("robot")),
        ("paymentTermDays", json!(366)),
        ("tags", json!(["x".repeat(51)])),
        ("consent", json!({"marketing": true, "at": "yesterday"})),
        ("status", json!("active")),
    ] {
        let mut wrong = (*content).clone();
        wrong["example"][member] = value;
        assert!(document.misfit(&wrong).is_some(), "{member}");
    }
}
