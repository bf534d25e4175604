//! States of a contact and the events of each change.

use std::time::Duration;

use svc_business::contact::{
    self, ConsentInput, ContactInput, ContactStatus, DuplicateReason, DuplicateTaxId, InUse, StatusInput,
};
use svc_core::error::StoreError;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_testkit::business::sample;

use super::test_app::{TestApp, organization, person, run, text};
use svc_testkit::business::verbs;

fn archived() -> ContactInput {
    ContactInput { status: Patch::Value(StatusInput::Archived), ..ContactInput::default() }
}

fn active() -> ContactInput {
    ContactInput { status: Patch::Value(StatusInput::Active), ..ContactInput::default() }
}

#[tokio::test]
async fn a_change_moves_version_and_instant_and_a_no_op_moves_nothing() {
    let (mut app, company) = TestApp::with_company().await;
    let input = ContactInput {
        tax_id: text("B12345674"),
        consent: Patch::Value(ConsentInput { marketing: true, at: None, source: None }),
        ..organization("Sol SL")
    };
    let before = app.contact(company.id, input.clone()).await;
    app.events().await;
    app.later();
    let same = app.update(before.id, Some(before.version), input).await.expect("a no-op");
    assert_eq!(same, before);
    assert_eq!(app.events().await, Vec::<String>::new());

    let input = ContactInput { notes: text("nueva"), ..ContactInput::default() };
    let after = app.update(before.id, Some(before.version), input).await.expect("a change");
    assert_eq!(
        (after.version, after.updated_at, after.created_at),
        (before.version.next(), app.now, before.created_at)
    );
    assert_eq!(app.events().await, [format!("contact.update {}", before.id)]);
    assert_eq!(app.find(before.id).await, Some(after));
}

#[tokio::test]
async fn an_expected_version_is_checked_before_the_input() {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, organization("Sol SL")).await;
    app.events().await;
    let stale = Some(Version::from_i64(9));
    let input = ContactInput { email: text("bad"), ..ContactInput::default() };
    let outcome = app.update(contact.id, stale, input).await;
    assert!(matches!(outcome, Err(Refused::VersionConflict { current }) if current == contact.version));
    assert!(matches!(
        run!(app, verbs::delete_contact, contact.id, stale),
        Err(Refused::VersionConflict { .. })
    ));
    assert!(matches!(
        run!(app, verbs::anonymize_contact, contact.id, stale),
        Err(Refused::VersionConflict { .. })
    ));
    assert_eq!(app.events().await, Vec::<String>::new());
}

#[tokio::test]
async fn two_changes_at_once_end_in_one() {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, organization("Sol SL")).await;
    app.events().await;
    let change = async |notes: &str| {
        let input = ContactInput { notes: text(notes), ..ContactInput::default() };
        app.update(contact.id, Some(contact.version), input).await
    };
    let both = tokio::join!(change("uno"), change("dos"));
    let refused = |refused: &Refused<_>| {
        matches!(refused, Refused::VersionConflict { .. } | Refused::Store(StoreError::Conflict))
    };
    let kept = match &both {
        (Ok(kept), Err(other)) | (Err(other), Ok(kept)) if refused(other) => kept,
        _ => panic!("one of the two is made: {both:?}"),
    };
    assert_eq!(app.find(contact.id).await.as_ref(), Some(kept));
    assert_eq!(app.event_names().await, ["contact.update"]);
}

#[tokio::test]
async fn a_contact_out_of_scope_is_not_found() {
    let (mut app, company) = TestApp::with_company().await;
    let other = app.company("Otra SL").await;
    let contact = app.contact(company.id, organization("Sol SL")).await;
    app.scope = sample::scope(&[other.id]);
    app.events().await;
    assert!(matches!(app.update(contact.id, None, archived()).await, Err(Refused::NotFound)));
    assert!(matches!(run!(app, verbs::delete_contact, contact.id, None), Err(Refused::NotFound)));
    assert!(matches!(run!(app, verbs::anonymize_contact, contact.id, None), Err(Refused::NotFound)));
    assert!(matches!(
        run!(app, verbs::create_contact, company.id, organization("X")),
        Err(Refused::UnknownCompany)
    ));
    assert_eq!(
        contact::duplicates(app.storage.contacts(), &app.scope, contact.id, app.access).await.expect("query"),
        None
    );
    assert_eq!(app.events().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_tax_id_belongs_to_one_active_contact() {
    let (app, company) = TestApp::with_company().await;
    let with_tax = |name: &str| ContactInput { tax_id: text("B12345674"), ..organization(name) };
    let first = app.contact(company.id, with_tax("Sol SL")).await;
    let outcome = run!(app, verbs::create_contact, company.id, with_tax("Sol 2 SL"));
    assert!(matches!(outcome, Err(Refused::Own(DuplicateTaxId { existing })) if existing == first.id));
    let allowed = ContactInput { allow_duplicate: true, ..with_tax("Sol 3 SL") };
    let twin = app.contact(company.id, allowed).await;
    // Other changes of either do not ask again.
    assert!(app.update(twin.id, None, ContactInput { notes: text("n"), ..Default::default() }).await.is_ok());
    app.update(twin.id, None, archived()).await.expect("archived");
    assert!(matches!(
        app.update(twin.id, None, active()).await,
        Err(Refused::Own(DuplicateTaxId { existing })) if existing == first.id
    ));
    app.update(first.id, None, archived()).await.expect("archived");
    assert!(app.update(twin.id, None, active()).await.is_ok());
    let elsewhere = app.company("Otra SL").await;
    assert!(run!(app, verbs::create_contact, elsewhere.id, with_tax("Sol SL")).is_ok());
}

#[tokio::test]
async fn an_external_id_belongs_to_one_contact_of_a_company() {
    let (app, company) = TestApp::with_company().await;
    let external = |name: &str, id: &str| {
        let mut input = organization(name);
        input.external_id = text(id);
        input
    };
    app.contact(company.id, external("Uno SL", "A")).await;
    let second = app.contact(company.id, external("Dos SL", "B")).await;
    let outcome = run!(app, verbs::create_contact, company.id, external("Tres SL", "A"));
    assert!(matches!(outcome, Err(Refused::Taken { field: "externalId" })));
    let outcome = app.update(second.id, None, external("Dos SL", "A")).await;
    assert!(matches!(outcome, Err(Refused::Taken { field: "externalId" })));
}

#[tokio::test]
async fn metadata_is_patched_key_by_key() {
    let (app, company) = TestApp::with_company().await;
    let metadata = |pairs: &[(&str, Option<&str>)]| {
        let mut input = ContactInput::default();
        let pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), value.map(str::to_owned)));
        input.metadata = Patch::Value(pairs.collect());
        input
    };
    let contact = app.contact(company.id, organization("Sol SL")).await;
    app.update(contact.id, None, metadata(&[("a", Some("1")), ("b", Some("2"))])).await.expect("set");
    let after = app.update(contact.id, None, metadata(&[("a", None), ("c", Some("3"))])).await.expect("set");
    let expected = [("b", "2"), ("c", "3")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(after.extension.metadata, expected.into());
    let many: Vec<String> = (0..49).map(|n| format!("k{n}")).collect();
    let many: Vec<(&str, Option<&str>)> = many.iter().map(|key| (key.as_str(), Some("v"))).collect();
    assert!(matches!(app.update(contact.id, None, metadata(&many)).await, Err(Refused::Invalid(_))));
}

#[tokio::test]
async fn deleting_needs_that_nothing_refers_to_the_contact() {
    let (app, company) = TestApp::with_company().await;
    let parent = app.contact(company.id, organization("Madre SL")).await;
    let below = ContactInput { parent: Patch::Value(parent.id), ..person("Ana", "Núñez") };
    let child = app.contact(company.id, below).await;
    app.events().await;
    assert!(matches!(run!(app, verbs::delete_contact, parent.id, None), Err(Refused::Own(InUse))));
    run!(app, verbs::delete_contact, child.id, Some(child.version)).expect("deleted");
    run!(app, verbs::delete_contact, parent.id, None).expect("deleted");
    let expected = [child.id, parent.id].map(|id| format!("contact.delete {id}"));
    assert_eq!(app.events().await, expected);
    assert_eq!(app.find(child.id).await, None);
}

#[tokio::test]
async fn nothing_of_a_deactivated_company_changes() {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, organization("Sol SL")).await;
    let twin = app.contact(company.id, organization("Sol 2 SL")).await;
    let elsewhere = app.company("Otra SL").await;
    run!(app, verbs::deactivate_account, company.id, None, elsewhere.id).expect("deactivated");
    app.events().await;
    assert!(matches!(
        run!(app, verbs::create_contact, company.id, organization("X")),
        Err(Refused::CompanyClosed(svc_core::tenant::ClosedCompany::Deactivated))
    ));
    assert!(matches!(app.update(contact.id, None, archived()).await, Err(Refused::CompanyClosed { .. })));
    assert!(matches!(run!(app, verbs::delete_contact, contact.id, None), Err(Refused::CompanyClosed { .. })));
    assert!(matches!(
        run!(app, verbs::anonymize_contact, contact.id, None),
        Err(Refused::CompanyClosed { .. })
    ));
    let request = contact::MergeRequest::default();
    assert!(matches!(
        run!(app, verbs::merge_contact, contact.id, None, twin.id, request),
        Err(Refused::CompanyClosed { .. })
    ));
    assert_eq!(app.events().await, Vec::<String>::new());
    assert_eq!(app.find(contact.id).await, Some(contact), "reads go on");
}

#[tokio::test]
async fn duplicates_are_ranked_by_what_they_share() {
    let (app, company) = TestApp::with_company().await;
    let full = |name: &str| ContactInput {
        tax_id: text("B12345674"),
        email: text("hola@sol.example"),
        phone: text("+34600123456"),
        allow_duplicate: true,
        ..organization(name)
    };
    let subject = app.contact(company.id, full("Sol SL")).await;
    let by_name = app.contact(company.id, organization("SOL  sl")).await;
    let mobile = ContactInput { mobile: text("+34600123456"), ..organization("Luna SL") };
    let by_phone = app.contact(company.id, mobile).await;
    let by_tax = app.contact(company.id, full("Marte SL")).await;
    app.contact(company.id, organization("Venus SL")).await;
    let found =
        contact::duplicates(app.storage.contacts(), &app.scope, subject.id, app.access).await.expect("query");
    let found = found.expect("the contact is known");
    let ranked: Vec<_> = found.iter().map(|one| (one.contact.id, one.reasons.clone())).collect();
    let expected = [
        (by_tax.id, vec![DuplicateReason::TaxId, DuplicateReason::Email, DuplicateReason::Phone]),
        (by_phone.id, vec![DuplicateReason::Phone]),
        (by_name.id, vec![DuplicateReason::Name]),
    ];
    assert_eq!(ranked, expected);
    assert!(found.iter().all(|one| (1..=100).contains(&one.score)));
    assert!(found.is_sorted_by(|left, right| left.score > right.score));
}

#[tokio::test]
async fn a_consent_said_again_keeps_its_instant() {
    let (mut app, company) = TestApp::with_company().await;
    let consent = |marketing, at: Option<&str>| ContactInput {
        consent: Patch::Value(ConsentInput { marketing, at: at.map(str::to_owned), source: None }),
        ..ContactInput::default()
    };
    let contact = app.contact(company.id, organization("Sol SL")).await;
    let given = app.update(contact.id, None, consent(true, None)).await.expect("given");
    app.later();
    assert_eq!(app.update(contact.id, None, consent(true, None)).await.expect("again"), given);
    let taken = app.update(contact.id, None, consent(false, None)).await.expect("withdrawn");
    assert_eq!(taken.consent.map(|consent| consent.at), Some(app.now));
    let future = app.now.plus(Duration::from_secs(1)).to_string();
    let outcome = app.update(contact.id, None, consent(true, Some(&future))).await;
    assert!(matches!(outcome, Err(Refused::Invalid(_))));
}

#[tokio::test]
async fn archiving_is_a_change_like_any_other() {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, organization("Sol SL")).await;
    app.events().await;
    let after = app.update(contact.id, None, archived()).await.expect("archived");
    assert_eq!(after.status, ContactStatus::Archived);
    app.update(contact.id, None, archived()).await.expect("a no-op");
    let after = app.update(contact.id, None, active()).await.expect("active");
    assert_eq!((after.status, after.version.as_i64()), (ContactStatus::Active, 3));
    assert_eq!(app.event_names().await, ["contact.update", "contact.update"]);
}
