//! The first act: contacts are created, changed and merged.

use serde_json::json;

use super::api::Api;
use super::story::{Expected, Step, id};
use crate::failure::Failure;

pub(super) async fn play(api: &Api) -> Result<Step, Failure> {
    let organization =
        json!({"kind": "organization", "legalName": "Panadería Luna SL", "roles": ["customer"]});
    let shop = id(&api.post("/contacts", &organization).await?)?;
    let twin = json!({"kind": "organization", "legalName": "Panaderia Luna"});
    let twin = id(&api.post("/contacts", &twin).await?)?;
    let update = json!({"email": "hola@luna.example", "tags": ["bakery"]});
    api.patch(&format!("/contacts/{shop}"), &update).await?;
    api.post(&format!("/contacts/{shop}/merge"), &json!({"mergedId": twin})).await?;
    let figures = json!({"contactId": shop, "mergedId": twin});
    let words = "Panadería Luna SL is a contact, and once more by mistake: the two are merged.".to_owned();
    let events = vec![
        Expected::of("contact.create", &shop),
        Expected::of("contact.create", &twin),
        Expected::of("contact.update", &shop),
        Expected::of("contact.merge", &shop).with("merged_id", &twin),
    ];
    Ok(Step::new("contacts", &figures, words, events))
}
