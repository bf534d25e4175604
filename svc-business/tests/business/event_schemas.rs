//! The JSON Schema of each event type, held against real bodies by an independent validator.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail when something is missing")]

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use svc_business::catalogue::{event, events};
use svc_core::event::{Event, EventDeclaration};

fn all() -> Vec<EventDeclaration> {
    events().all().copied().chain([EventDeclaration::TEST]).collect()
}

fn validator(declared: &EventDeclaration) -> Validator {
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    options.build(&declared.schema()).expect("a valid schema of draft 2020-12")
}

fn body(event: &Event) -> Value {
    serde_json::from_slice(&event.body()).unwrap()
}

/// The example without this member.
fn without(declared: &EventDeclaration, pointer: &str) -> Value {
    let mut body = body(&declared.example());
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    body.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name).expect("it was there");
    body
}

/// The example with another value in this place.
fn with(declared: &EventDeclaration, pointer: &str, value: Value) -> Value {
    let mut body = body(&declared.example());
    *body.pointer_mut(pointer).expect("it was there") = value;
    body
}

/// Every member of `value` is described by `schema`, at every depth.
fn assert_described(schema: &Value, value: &Value, place: &str) {
    let Some(members) = value.as_object() else { return };
    for (name, member) in members {
        let described = &schema["properties"][name];
        assert!(described.is_object(), "{place}/{name} is not described");
        assert_described(described, member, &format!("{place}/{name}"));
    }
}

#[test]
fn the_body_of_each_type_is_valid_by_its_schema_and_wholly_described() {
    let mut types = 0;
    for declared in &all() {
        let kind = declared.name();
        let schema = declared.schema();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{kind}");
        let validator = validator(declared);
        let example = declared.example();
        for event in [example.clone(), Event { tenant: None, ..example }] {
            let body = body(&event);
            assert!(validator.is_valid(&body), "{kind}: {:?}", validator.validate(&body).err());
            assert_described(&schema, &body, kind);
        }
        types += 1;
    }
    assert_eq!(types, 45);
}

#[test]
fn a_body_that_lacks_a_member_or_holds_another_value_is_not_valid() {
    for declared in &all() {
        let kind = declared.name();
        let validator = validator(declared);
        for member in ["/id", "/type", "/occurred_at", "/account_id", "/data", "/data/object", "/data/id"] {
            assert!(!validator.is_valid(&without(declared, member)), "{kind} without {member}");
            assert!(
                !validator.is_valid(&with(declared, member, json!(7))),
                "{kind} with a number as {member}"
            );
        }
        let example = body(&declared.example());
        for (member, value) in [
            (
                "/type",
                json!(if *declared == EventDeclaration::TEST { "file.create" } else { "webhook.test" }),
            ),
            ("/id", example["account_id"].clone()),
            ("/id", json!("evt_8zzzzzzzzzzzzzzzzzzzzzzzzz")),
            ("/occurred_at", json!("2025-01-31T09:15:00Z")),
            ("/occurred_at", json!("2025-02-31T09:15:00.000Z")),
            ("/account_id", example["id"].clone()),
            ("/data/object", json!("nothing")),
            ("/data/id", json!("con_1")),
        ] {
            let changed = with(declared, member, value);
            assert!(!validator.is_valid(&changed), "{kind}: {changed}");
        }
    }
}

#[test]
fn further_members_are_needed_where_they_always_come_and_optional_where_not() {
    for (name, member, always) in [
        ("contact.merge", "merged_id", true),
        ("account.merge", "merged_id", true),
        ("invoice.pay", "payment_id", true),
        ("journal_entry.create", "reverses_id", false),
        ("bank_movement.create", "movement_count", true),
        ("envelope.reissued", "previous_id", true),
        ("envelope.reassigned", "signer_id", true),
        ("envelope.reassigned", "previous_signer_id", true),
    ] {
        let declared = event(name);
        let pointer = format!("/data/{member}");
        assert_eq!(validator(declared).is_valid(&without(declared, &pointer)), !always, "{name}: {member}");
        for wrong in [json!(-1), json!(""), json!(null)] {
            assert!(!validator(declared).is_valid(&with(declared, &pointer, wrong)), "{name}: {member}");
        }
    }
    let merged = body(&event("contact.merge").example())["data"]["merged_id"].clone();
    assert!(merged.as_str().unwrap().starts_with("con_"));
}

#[test]
fn a_schema_is_open_to_members_that_come_later() {
    let mut body = body(&EventDeclaration::TEST.example());
    body["data"]["later"] = json!({ "a": 1 });
    body["later"] = json!([]);
    assert!(validator(&EventDeclaration::TEST).is_valid(&body));
}
