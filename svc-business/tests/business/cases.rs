//! Cases: numbers, references, what a status allows, and what is told of each change.

use svc_business::account::{Account, AccountInput};
use svc_business::case::{
    Case, CaseClosed, CaseInput, CaseLinkText, CaseLinkType, CaseStatus, CaseType, CloseRequest, Entry,
    EntryKind, NotClosed, Outcome, Priority, StatusInput,
};
use svc_core::id::{CaseId, ContactId, TypedId, UserId};
use svc_core::page::PageRules;
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_testkit::business::{sample, verbs};

use super::test_app::{TestApp, findings, organization, run, text};

pub(crate) fn tax_case(contact: ContactId) -> CaseInput {
    CaseInput {
        title: text("VAT inspection 2025"),
        case_type: Patch::Value(CaseType::Tax),
        contact: Patch::Value(contact),
        ..CaseInput::default()
    }
}

async fn with_contact() -> (TestApp, Account, ContactId) {
    let (app, company) = TestApp::with_company().await;
    let contact = app.contact(company.id, organization("Luna SL")).await;
    app.events().await;
    (app, company, contact.id)
}

async fn opened(app: &TestApp, company: &Account, input: CaseInput) -> Case {
    run!(app, verbs::create_case, company.id, input).expect("a valid case")
}

/// The findings of an input that is refused, and nothing is told.
async fn refused(app: &TestApp, company: &Account, input: CaseInput) -> Vec<String> {
    let outcome = run!(app, verbs::create_case, company.id, input);
    let Err(Refused::Invalid(invalid)) = outcome else { panic!("accepted: {outcome:?}") };
    assert_eq!(app.events().await, Vec::<String>::new());
    findings(&invalid)
}

async fn timeline(app: &TestApp, id: CaseId) -> Vec<Entry> {
    let page = PageRules::USUAL.page(None, Some(200)).expect("a page");
    let page = app.storage.cases().timeline(&sample::everything(), id, page).await.expect("read");
    page.expect("the case is there").items
}

#[tokio::test]
async fn a_case_opens_with_its_defaults_and_the_next_number() {
    let (app, company, contact) = with_contact().await;
    let first = opened(&app, &company, tax_case(contact)).await;
    assert_eq!((first.status, first.priority), (CaseStatus::Open, Priority::Normal));
    assert_eq!(first.opened_on, company.local_date(app.now));
    assert_eq!(first.number.to_string(), format!("{}-0001", first.opened_on.year()));
    assert_eq!(app.events().await, [format!("case.create {}", first.id)]);
    let second = opened(&app, &company, tax_case(contact)).await;
    assert_eq!(second.number.sequence, 2);
    let earlier = CaseInput { opened_on: text("2019-02-28"), ..tax_case(contact) };
    assert_eq!(opened(&app, &company, earlier).await.number.to_string(), "2019-0001");
    let other = app.company("Otra SL").await;
    let theirs = app.contact(other.id, organization("Mar SL")).await;
    assert_eq!(opened(&app, &other, tax_case(theirs.id)).await.number.sequence, 1);
}

#[tokio::test]
async fn today_is_that_of_the_company() {
    let (mut app, company, _) = with_contact().await;
    let zone = |name: &str| AccountInput { timezone: text(name), ..AccountInput::default() };
    // 2025-12-31T23:30:00Z: the next year has begun in Madrid, and not in New York.
    app.now = "2025-12-31T23:30:00.000Z".parse().expect("an instant");
    for (name, number) in [("Europe/Madrid", "2026-0001"), ("America/New_York", "2025-0001")] {
        run!(app, verbs::update_account, company.id, None, zone(name)).expect("a zone");
        let contact = app.contact(company.id, organization("Sur SL")).await;
        assert_eq!(opened(&app, &company, tax_case(contact.id)).await.number.to_string(), number);
    }
}

#[tokio::test]
async fn what_is_missing_or_unknown_is_named_by_its_field() {
    let (app, company, contact) = with_contact().await;
    assert_eq!(
        refused(&app, &company, CaseInput::default()).await,
        ["title required", "type required", "contactId required"]
    );
    let other = app.company("Otra SL").await;
    let theirs = app.contact(other.id, organization("Mar SL")).await.id;
    app.events().await;
    let unknown = ContactId::from_uuid(other.id.uuid());
    let link = |r#type, id: &str| CaseLinkText { r#type, id: id.to_owned() };
    let invoice = link(CaseLinkType::Invoice, "inv_00000000000000000000000009");
    let input = CaseInput {
        participants: Patch::Value(vec![contact, contact, unknown]),
        responsible: Patch::Value(UserId::from_uuid(other.id.uuid())),
        links: Patch::Value(vec![invoice.clone(), link(CaseLinkType::File, &invoice.id), invoice]),
        ..tax_case(theirs)
    };
    assert_eq!(
        refused(&app, &company, input).await,
        [
            "links[1].id invalid_id",
            "links[2].id duplicate",
            "participantContactIds[1] duplicate",
            "contactId unknown_reference",
            "participantContactIds[2] unknown_reference",
            "responsibleUserId unknown_reference",
            "links[0].id unknown_reference",
        ]
    );
    let many = CaseInput { participants: Patch::Value(vec![contact; 51]), ..tax_case(contact) };
    assert_eq!(refused(&app, &company, many).await, ["participantContactIds too_many"]);
}

#[tokio::test]
async fn a_case_is_due_when_it_is_open_already_and_brings_an_amount_of_its_currency() {
    let (app, company, contact) = with_contact().await;
    let early = CaseInput { opened_on: text("2025-03-02"), due_on: text("2025-03-01"), ..tax_case(contact) };
    assert_eq!(refused(&app, &company, early).await, ["dueOn out_of_range"]);
    let fees = |amount: &str, currency: &str| CaseInput {
        estimated_fees: text(amount),
        currency: text(currency),
        ..tax_case(contact)
    };
    assert_eq!(refused(&app, &company, fees("1.5", "JPY")).await, ["estimatedFees invalid_amount"]);
    assert_eq!(refused(&app, &company, fees("-1.50", "EUR")).await, ["estimatedFees out_of_range"]);
    let alone = CaseInput { currency: text("EUR"), ..tax_case(contact) };
    assert_eq!(refused(&app, &company, alone).await, ["currency not_allowed"]);
    let case = opened(&app, &company, fees("1500", "JPY")).await;
    let kept = case.estimated_fees.expect("fees");
    assert_eq!((kept.minor(), kept.currency().code()), (1500, "JPY"));
    let moved = CaseInput { currency: text("EUR"), ..CaseInput::default() };
    let outcome = run!(app, verbs::update_case, case.id, None, moved);
    let Err(Refused::Invalid(invalid)) = outcome else { panic!("accepted: {outcome:?}") };
    assert_eq!(findings(&invalid), ["estimatedFees required"]);
}

#[tokio::test]
async fn a_responsible_member_is_active_when_named_and_may_leave_later() {
    let (app, company, contact) = with_contact().await;
    let holder = app.holder(company.id).await;
    let case = opened(&app, &company, CaseInput { responsible: Patch::Value(holder), ..tax_case(contact) });
    let case = case.await;
    assert_eq!(case.responsible, Some(holder));
    let none = CaseInput { responsible: Patch::Null, ..CaseInput::default() };
    let changed = run!(app, verbs::update_case, case.id, None, none).expect("a change");
    assert_eq!(changed.responsible, None);
}

#[tokio::test]
async fn a_closed_case_changes_only_by_being_reopened_and_takes_notes() {
    let (app, company, contact) = with_contact().await;
    let case = opened(&app, &company, tax_case(contact)).await;
    app.events().await;
    let outcome = run!(app, verbs::reopen_case, case.id, None);
    assert!(matches!(outcome, Err(Refused::Own(NotClosed { status: CaseStatus::Open }))), "{outcome:?}");
    let request = CloseRequest { outcome: Outcome::Won, note: Some("Paid back in full.".to_owned()) };
    let closed = run!(app, verbs::close_case, case.id, Some(case.version), request.clone()).expect("closed");
    assert_eq!(closed.status, CaseStatus::Closed { outcome: Outcome::Won, on: company.local_date(app.now) });
    let again = run!(app, verbs::close_case, case.id, None, request);
    assert!(matches!(again, Err(Refused::Own(CaseClosed))), "{again:?}");
    let input = CaseInput { title: text("Other"), ..CaseInput::default() };
    let changed = run!(app, verbs::update_case, case.id, None, input);
    assert!(matches!(changed, Err(Refused::Own(CaseClosed))), "{changed:?}");
    assert_eq!(app.event_names().await, ["case.update"]);
    run!(app, verbs::note_case, case.id, None, "The file is in the archive.").expect("a note");
    let reopened = run!(app, verbs::reopen_case, case.id, None).expect("reopened");
    assert_eq!((reopened.status, reopened.version), (CaseStatus::Open, Version::from_i64(4)));
    assert_eq!(app.event_names().await, ["case.update", "case.update"]);
    let kinds: Vec<_> = timeline(&app, case.id).await.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Created, EntryKind::Closed, EntryKind::Note, EntryKind::Reopened]);
    assert_eq!(timeline(&app, case.id).await[1].text.as_deref(), Some("Paid back in full."));
}

#[tokio::test]
async fn a_change_that_changes_nothing_leaves_no_trace() {
    let (mut app, company, contact) = with_contact().await;
    let case = opened(&app, &company, tax_case(contact)).await;
    app.events().await;
    app.later();
    let same = run!(app, verbs::update_case, case.id, None, tax_case(contact)).expect("a no-op");
    assert_eq!(same, case);
    assert_eq!(app.events().await, Vec::<String>::new());
    assert_eq!(timeline(&app, case.id).await.len(), 1);
    let status = CaseInput {
        status: Patch::Value(StatusInput::OnHold),
        priority: Patch::Value(Priority::Urgent),
        ..CaseInput::default()
    };
    let held = run!(app, verbs::update_case, case.id, Some(case.version), status.clone()).expect("a change");
    assert_eq!((held.status, held.priority), (CaseStatus::OnHold, Priority::Urgent));
    assert_eq!((held.version, held.updated_at), (case.version.next(), app.now));
    let stale = run!(app, verbs::update_case, case.id, Some(case.version), status);
    assert!(matches!(stale, Err(Refused::VersionConflict { current }) if current == held.version));
}
