//! Invariants I-21 and I-23 of the specification over random histories of contacts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use svc_business::contact::{
    self, Contact, ContactFilter, ContactInput, ContactStatus, MergeRequest, StatusFilter, StatusInput,
};
use svc_core::id::{AccountId, ContactId};
use svc_core::page::{PageRules, Sort};
use svc_core::patch::Patch;
use svc_testkit::business::strategy;

use super::test_app::{TestApp, run, text};
use svc_testkit::business::verbs;

/// One step of a history; contacts are named by their number, modulo how many there are.
#[derive(Clone, Debug)]
enum Step {
    Create(Box<ContactInput>),
    Note(usize, String),
    Archive(usize, bool),
    Parent(usize, usize),
    Merge(usize, usize),
    Anonymize(usize),
    Delete(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let one = 0_usize..12;
    prop_oneof![
        4 => strategy::contact().prop_map(|input| Step::Create(Box::new(input))),
        2 => (one.clone(), "[a-c]").prop_map(|(at, note)| Step::Note(at, note)),
        1 => (one.clone(), any::<bool>()).prop_map(|(at, on)| Step::Archive(at, on)),
        4 => (one.clone(), one.clone()).prop_map(|(at, parent)| Step::Parent(at, parent)),
        3 => (one.clone(), one.clone()).prop_map(|(at, other)| Step::Merge(at, other)),
        1 => one.clone().prop_map(Step::Anonymize),
        1 => one.prop_map(Step::Delete),
    ]
}

async fn all(app: &TestApp) -> BTreeMap<ContactId, Contact> {
    let filter = ContactFilter { status: StatusFilter::All, ..ContactFilter::default() };
    let page = PageRules::USUAL.page(None, Some(200)).expect("a page");
    let page = app.storage.contacts().page(&app.scope, &filter, &Sort::default(), page).await;
    page.expect("page").items.into_iter().map(|contact| (contact.id, contact)).collect()
}

/// Runs one step; answers the event that it must have told, if it passed and changed something.
async fn take(app: &TestApp, company: AccountId, ids: &mut Vec<ContactId>, step: Step) -> Option<String> {
    let at = |number: usize| ids.get(number % ids.len().max(1)).copied();
    let patch = async |id: ContactId, input: ContactInput| {
        let before = app.find(id).await?;
        let after = app.update(id, None, input).await.ok()?;
        (after.version != before.version).then(|| format!("contact.update {id}"))
    };
    match step {
        Step::Create(input) => {
            let created = run!(app, verbs::create_contact, company, *input).expect("a valid input passes");
            ids.push(created.id);
            Some(format!("contact.create {}", created.id))
        }
        Step::Note(number, note) => {
            patch(at(number)?, ContactInput { notes: text(&note), ..ContactInput::default() }).await
        }
        Step::Archive(number, archived) => {
            let status = if archived { StatusInput::Archived } else { StatusInput::Active };
            let input =
                ContactInput { status: Patch::Value(status), allow_duplicate: true, ..Default::default() };
            patch(at(number)?, input).await
        }
        Step::Parent(number, parent) => {
            let input = ContactInput { parent: Patch::Value(at(parent)?), ..ContactInput::default() };
            patch(at(number)?, input).await
        }
        Step::Merge(survivor, absorbed) => {
            let request = MergeRequest { force: true, ..MergeRequest::default() };
            let merged = run!(app, verbs::merge_contact, at(survivor)?, None, at(absorbed)?, request).ok()?;
            Some(format!("contact.merge {}", merged.id))
        }
        Step::Anonymize(number) => {
            let before = app.find(at(number)?).await?;
            let after = run!(app, verbs::anonymize_contact, before.id, None).ok()?;
            (after.version != before.version).then(|| format!("contact.update {}", after.id))
        }
        Step::Delete(number) => {
            let id = at(number)?;
            run!(app, verbs::delete_contact, id, None).ok()?;
            Some(format!("contact.delete {id}"))
        }
    }
}

/// Invariant I-21: no live reference to an absorbed id, every tombstone names a contact that is none.
fn check(contacts: &BTreeMap<ContactId, Contact>) {
    for contact in contacts.values() {
        match contact.status {
            ContactStatus::Merged { into } => {
                let survivor = contacts.get(&into).expect("a survivor stays while a tombstone names it");
                assert!(!matches!(survivor.status, ContactStatus::Merged { .. }), "the final survivor");
                assert_eq!(contact.parent, None);
            }
            ContactStatus::Active | ContactStatus::Archived => {}
        }
        if let Some(parent) = contact.parent {
            let parent = contacts.get(&parent).expect("a parent stays while a child names it");
            assert_eq!(parent.kind(), contact::Kind::Organization);
            assert!(!matches!(parent.status, ContactStatus::Merged { .. }));
        }
    }
}

fn children_of(contacts: &BTreeMap<ContactId, Contact>, parents: &BTreeSet<ContactId>) -> usize {
    contacts
        .values()
        // The two that merge are left out: their own references may become one.
        .filter(|contact| !parents.contains(&contact.id))
        .filter(|contact| contact.parent.is_some_and(|parent| parents.contains(&parent)))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_history_tells_its_changes_and_keeps_its_references(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (mut app, company) = TestApp::with_company().await;
            let mut ids = Vec::new();
            for step in steps {
                app.later();
                let before = all(&app).await;
                let mut pair = BTreeSet::new();
                if let Step::Merge(one, other) = step && !ids.is_empty() {
                    pair.extend([ids[one % ids.len()], ids[other % ids.len()]]);
                }
                let expected = Box::pin(take(&app, company.id, &mut ids, step)).await;
                let after = all(&app).await;
                let told = app.events().await;
                assert_eq!(told, Vec::from_iter(expected.clone()));
                // Nothing told, nothing changed.
                assert_eq!(expected.is_none(), before == after);
                assert_eq!(children_of(&before, &pair), children_of(&after, &pair));
                check(&after);
            }
        });
    }
}
