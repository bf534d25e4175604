//! Merging contacts: what the survivor takes, what refers to whom, what is told.

use svc_business::contact::{Contact, ContactInput, ContactStatus, MergeError, MergeRequest, StatusInput};
use svc_business::party::Prefer;
use svc_core::id::ContactId;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Version;

use super::test_app::{TestApp, organization, person, run, text};
use svc_testkit::business::verbs;

fn prefer(names: &[&str]) -> MergeRequest {
    let prefer = names.iter().map(|name| ((*name).to_owned(), Prefer::Merged)).collect();
    MergeRequest { prefer, force: false }
}

async fn merge(
    app: &TestApp,
    survivor: ContactId,
    absorbed: ContactId,
    request: MergeRequest,
) -> Result<Contact, Refused<MergeError>> {
    run!(app, verbs::merge_contact, survivor, None, absorbed, request)
}

#[tokio::test]
async fn the_survivor_takes_what_it_lacks_and_unites_sets() {
    let (mut app, company) = TestApp::with_company().await;
    let kept = ContactInput {
        email: text("kept@sol.example"),
        tags: Patch::Value(vec!["a".into(), "b".into()]),
        ..organization("Sol SL")
    };
    let mut other = ContactInput {
        email: text("other@sol.example"),
        tax_id: text("B12345674"),
        iban: text("ES9121000418450200051332"),
        bic: text("CAIXESBB"),
        tags: Patch::Value(vec!["b".into(), "c".into()]),
        trade_name: text("Sol"),
        ..organization("Sol Sociedad Limitada")
    };
    other.external_id = text("erp-7");
    other.metadata = Patch::Value([("k".to_owned(), Some("v".to_owned()))].into());
    let kept = app.contact(company.id, kept).await;
    let other = app.contact(company.id, other).await;
    app.events().await;
    app.later();
    let after = merge(&app, kept.id, other.id, prefer(&["tradeName", "notes"])).await.expect("merged");
    let expected = Contact {
        tax_id: other.tax_id.clone(),
        tax_id_kind: other.tax_id_kind,
        iban: other.iban.clone(),
        bic: other.bic.clone(),
        trade_name: Some("Sol".to_owned()),
        tags: ["a", "b", "c"].map(str::to_owned).into(),
        extension: other.extension.clone(),
        version: kept.version.next(),
        updated_at: app.now,
        ..kept.clone()
    };
    assert_eq!(after, expected);
    assert_eq!(app.find(kept.id).await, Some(expected));

    let tombstone = app.find(other.id).await.expect("a tombstone stays readable");
    assert_eq!(tombstone.status, ContactStatus::Merged { into: kept.id });
    assert_eq!((tombstone.version, tombstone.updated_at), (other.version.next(), app.now));
    assert_eq!(tombstone.extension.external_id, None);
    let events = app.storage.take_events().await;
    let told: Vec<_> =
        events.iter().map(|event| (event.kind.name(), &event.object_id, &event.data)).collect();
    let data = [("merged_id", other.id.to_string())].into_iter().collect();
    assert_eq!(told, [("contact.merge", &kept.id.to_string(), &data)]);
    assert_eq!(events.first().and_then(svc_core::event::Event::account), Some(company.id));
}

#[tokio::test]
async fn a_preferred_side_wins_where_both_have_a_value() {
    let (app, company) = TestApp::with_company().await;
    let input = |name: &str, iban: &str, bic: Option<&str>, days| ContactInput {
        iban: text(iban),
        bic: bic.map_or(Patch::Absent, text),
        payment_term_days: Patch::Value(days),
        ..organization(name)
    };
    let kept =
        app.contact(company.id, input("Sol SL", "ES9121000418450200051332", Some("CAIXESBB"), 10)).await;
    let other = app.contact(company.id, input("Luna SL", "DE89370400440532013000", None, 20)).await;
    let request = prefer(&["legalName", "iban", "paymentTermDays"]);
    let after = merge(&app, kept.id, other.id, request).await.expect("merged");
    assert_eq!((after.name(), after.payment_term_days), ("Luna SL".to_owned(), 20));
    assert_eq!((after.iban, after.bic), (other.iban, None), "a bank goes with its account");
}

#[tokio::test]
async fn a_bank_is_not_paired_with_another_account() {
    let (app, company) = TestApp::with_company().await;
    let kept = ContactInput { iban: text("ES9121000418450200051332"), ..organization("Sol SL") };
    let other = ContactInput {
        iban: text("DE89370400440532013000"),
        bic: text("COBADEFF"),
        ..organization("Luna SL")
    };
    let [kept, other] = [app.contact(company.id, kept).await, app.contact(company.id, other).await];
    let after = merge(&app, kept.id, other.id, MergeRequest::default()).await.expect("merged");
    assert_eq!((after.iban, after.bic), (kept.iban, None));
}

#[tokio::test]
async fn a_merge_is_refused_when_a_guard_fails() {
    let (app, company) = TestApp::with_company().await;
    let elsewhere = app.company("Otra SL").await;
    let foreign = app.contact(elsewhere.id, organization("Ajena SL")).await;
    let tax = |name: &str, id: &str| ContactInput { tax_id: text(id), ..organization(name) };
    let first = app.contact(company.id, tax("Uno SL", "B12345674")).await;
    let second = app.contact(company.id, tax("Dos SL", "A58818501")).await;
    let third = app.contact(company.id, organization("Tres SL")).await;
    let archived = ContactInput { status: Patch::Value(StatusInput::Archived), ..ContactInput::default() };
    app.update(third.id, None, archived).await.expect("archived");
    app.events().await;
    let usual = MergeRequest::default;
    let unknown = svc_testkit::business::sample::contact_id(1);
    assert!(matches!(merge(&app, unknown, first.id, usual()).await, Err(Refused::NotFound)));
    assert!(matches!(
        merge(&app, first.id, unknown, usual()).await,
        Err(Refused::Own(MergeError::UnknownMerged))
    ));
    assert!(matches!(
        merge(&app, first.id, foreign.id, usual()).await,
        Err(Refused::Own(MergeError::UnknownMerged))
    ));
    assert!(matches!(merge(&app, first.id, first.id, usual()).await, Err(Refused::Own(MergeError::Same))));
    assert!(matches!(
        merge(&app, first.id, second.id, usual()).await,
        Err(Refused::Own(MergeError::TaxIdConflict))
    ));
    assert!(matches!(
        merge(&app, first.id, third.id, usual()).await,
        Err(Refused::Own(MergeError::NotActive { id, status: ContactStatus::Archived })) if id == third.id
    ));
    assert!(matches!(
        merge(&app, first.id, second.id, prefer(&["email", "kind"])).await,
        Err(Refused::Invalid(invalid)) if invalid.0.len() == 1 && invalid.0[0].field == "prefer.kind"
    ));
    let stale = Some(Version::from_i64(7));
    let outcome = run!(app, verbs::merge_contact, first.id, stale, second.id, usual());
    assert!(matches!(outcome, Err(Refused::VersionConflict { .. })));
    assert_eq!(app.events().await, Vec::<String>::new());

    let forced = MergeRequest { force: true, ..prefer(&["taxId"]) };
    let after = merge(&app, first.id, second.id, forced).await.expect("forced");
    assert_eq!(after.tax_id, first.tax_id, "a forced merge keeps the survivor's");
    assert!(matches!(
        merge(&app, second.id, first.id, usual()).await,
        Err(Refused::Merged { into, .. }) if into == first.id.to_string()
    ));
}

#[tokio::test]
async fn persons_never_end_below_a_person() {
    let (app, company) = TestApp::with_company().await;
    let parent = app.contact(company.id, organization("Madre SL")).await;
    let below = ContactInput { parent: Patch::Value(parent.id), ..person("Ana", "Núñez") };
    let child = app.contact(company.id, below).await;
    let outcome = merge(&app, child.id, parent.id, MergeRequest::default()).await;
    assert!(matches!(outcome, Err(Refused::Invalid(_))));
    // The other way round nothing is left that would point to itself.
    merge(&app, parent.id, child.id, MergeRequest::default()).await.expect("merged");
    assert_eq!(app.find(child.id).await.expect("a tombstone").parent, None);
}

#[tokio::test]
async fn a_tombstone_does_not_change() {
    let (app, company) = TestApp::with_company().await;
    let kept = app.contact(company.id, organization("Sol SL")).await;
    let other = app.contact(company.id, organization("Luna SL")).await;
    merge(&app, kept.id, other.id, MergeRequest::default()).await.expect("merged");
    app.events().await;
    let outcome = app.update(other.id, None, organization("Otra")).await;
    assert!(matches!(outcome, Err(Refused::Merged { into, .. }) if into == kept.id.to_string()));
    let outcome = run!(app, verbs::anonymize_contact, other.id, None);
    assert!(matches!(outcome, Err(Refused::Merged { .. })));
    let outcome = run!(app, verbs::delete_contact, other.id, None);
    assert!(matches!(outcome, Err(Refused::Merged { .. })));
    let outcome = run!(app, verbs::delete_contact, kept.id, None);
    assert!(matches!(outcome, Err(Refused::Own(svc_business::contact::InUse))), "its tombstone points to it");
    assert_eq!(app.events().await, Vec::<String>::new());
}

#[tokio::test]
async fn references_follow_repeated_merges_to_the_final_survivor() {
    let (mut app, company) = TestApp::with_company().await;
    let mut ids = Vec::new();
    for name in ["Uno SL", "Dos SL", "Tres SL"] {
        ids.push(app.contact(company.id, organization(name)).await.id);
    }
    let below = ContactInput { parent: Patch::Value(ids[2]), ..person("Ana", "Núñez") };
    let child = app.contact(company.id, below).await;
    app.later();
    merge(&app, ids[1], ids[2], MergeRequest::default()).await.expect("merged");
    merge(&app, ids[0], ids[1], MergeRequest::default()).await.expect("merged");
    for absorbed in [ids[1], ids[2]] {
        let tombstone = app.find(absorbed).await.expect("a tombstone");
        assert_eq!(tombstone.status, ContactStatus::Merged { into: ids[0] });
    }
    let moved = app.find(child.id).await.expect("the child");
    assert_eq!((moved.parent, moved.version.as_i64(), moved.updated_at), (Some(ids[0]), 3, app.now));
}

#[tokio::test]
async fn a_merge_that_adds_up_to_too_much_is_refused_and_changes_nothing() {
    let (app, company) = TestApp::with_company().await;
    let some = |letter: char| -> Vec<String> { (0..30).map(|number| format!("{letter}{number}")).collect() };
    let with = |letter: char| {
        let metadata = some(letter).into_iter().map(|key| (key, Some("value".to_owned())));
        let mut input = ContactInput { tags: Patch::Value(some(letter)), ..organization("Sol SL") };
        input.metadata = Patch::Value(metadata.collect());
        input
    };
    let kept = app.contact(company.id, with('a')).await;
    let other = app.contact(company.id, with('b')).await;
    let alike = app.contact(company.id, with('a')).await;
    let refused = merge(&app, kept.id, other.id, prefer(&[])).await.expect_err("60 of each");
    let Refused::Invalid(invalid) = refused else { panic!("{refused:?}") };
    let told: Vec<_> = invalid.0.iter().map(|error| (&*error.field, error.code)).collect();
    assert_eq!(told, [("mergedId", "too_many"); 2]);
    assert_eq!(app.find(other.id).await, Some(other));
    let after = merge(&app, kept.id, alike.id, prefer(&[])).await.expect("30 of each");
    assert_eq!((after.tags.len(), after.extension.metadata.len()), (30, 30));
}
