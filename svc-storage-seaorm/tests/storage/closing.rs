//! What happens beside a company, or a contact, that is about to end: nothing slips in, nothing is stranded.
//!
//! Two units of work interleave: one holds what the other needs, and the other waits for it. On SQLite the one
//! writer makes the second wait; on PostgreSQL the lock of the company, or of the contact, does.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use svc_business::account::MergeRequest;
use svc_business::contact::{self, Contact, ContactInput, ContactStatus, Kind};
use svc_business::ports::BusinessUnit;
use svc_core::audit::Actor;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId};
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_testkit::business::sample::{bare_account, contact_id, organization};
use svc_testkit::business::verbs;
use svc_testkit::fakes::SeededRandom;

use crate::both::on_both;
use crate::fresh::{Fresh, NOW, everything};

on_both! {
    a_contact_that_is_added_while_its_company_is_merged_is_refused
    a_merge_waits_for_a_change_that_is_under_way_and_takes_it_along
    a_contact_that_is_added_while_its_company_is_deactivated_is_refused
    a_child_of_a_contact_that_is_absorbed_meanwhile_is_refused
    a_merge_waits_for_a_child_that_is_under_way_and_points_it_to_the_survivor
    nothing_refers_to_a_contact_that_was_merged_meanwhile
}

/// What every call of a test has.
struct Caller {
    scope: Scope,
    random: SeededRandom,
}

impl Caller {
    fn new(seed: u64) -> Self {
        Self { scope: everything(), random: SeededRandom::new(seed) }
    }

    fn call(&self) -> CallContext<'_> {
        let Self { scope, random } = self;
        CallContext { scope, access: PiiAccess::Masked, actor: &Actor::OPERATOR, now: NOW, random }
    }
}

type Unit = Box<dyn BusinessUnit>;

async fn begin(fresh: &Fresh) -> Unit {
    fresh.database.business().begin().await.expect("a unit")
}

/// Two companies, the first of which has an organization.
async fn seed(fresh: &Fresh) -> ([AccountId; 2], Contact) {
    let unit = begin(fresh).await;
    let companies = [1, 2].map(bare_account);
    for company in &companies {
        unit.accounts().insert(&everything(), company).await.expect("inserted");
    }
    let contact = organization(companies[0].id, 10, "Madre SL");
    unit.contacts().insert(&everything(), &contact).await.expect("inserted");
    unit.commit().await.expect("committed");
    (companies.map(|company| company.id), contact)
}

async fn find(fresh: &Fresh, id: ContactId) -> Option<Contact> {
    fresh.database.business().contacts().find(&everything(), id).await.expect("read")
}

fn company(name: &str) -> ContactInput {
    let legal_name = Patch::Value(name.to_owned());
    ContactInput { kind: Patch::Value(Kind::Organization), legal_name, ..ContactInput::default() }
}

fn person_of(parent: ContactId) -> ContactInput {
    let name = || Patch::Value("Ana".to_owned());
    ContactInput {
        kind: Patch::Value(Kind::Person),
        given_name: name(),
        family_name: name(),
        parent: Patch::Value(parent),
        ..ContactInput::default()
    }
}

/// Runs `second` beside the unit `first`, which commits once `second` has begun to wait; answers what came of
/// `second`. It must not end before.
async fn beside<T>(first: Unit, second: impl Future<Output = T>) -> T {
    let mut second = pin!(second);
    let mut polls = tokio::time::interval(Duration::from_millis(5));
    for _ in 0..40 {
        polls.tick().await;
        let polled = second.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert!(matches!(polled, Poll::Pending), "it waits for the other unit of work");
    }
    let (committed, outcome) = tokio::join!(first.commit(), second);
    committed.expect("the first unit commits");
    outcome
}

/// Creates a contact whose unit begins now and commits at the end.
async fn create(fresh: &Fresh, of: AccountId, input: ContactInput) -> Result<Contact, String> {
    let (caller, unit) = (Caller::new(2), begin(fresh).await);
    let created = verbs::create_contact(&*unit, caller.call(), of, input).await;
    let created = created.map_err(|refused| format!("{refused:?}"))?;
    unit.commit().await.map(|()| created).map_err(|error| format!("{error:?}"))
}

async fn a_contact_that_is_added_while_its_company_is_merged_is_refused(fresh: &Fresh) {
    let ([absorbed, survivor], _) = seed(fresh).await;
    let (late, caller) = (Caller::new(2), Caller::new(1));
    // The late unit has found its company active already.
    let adding = begin(fresh).await;
    let home = svc_business::record::home::<Contact>(&*adding, late.call(), absorbed).await.expect("active");
    let merging = begin(fresh).await;
    let request = MergeRequest::default();
    verbs::merge_account(&*merging, caller.call(), survivor, None, absorbed, request, survivor)
        .await
        .expect("merged");
    contact::create(home, company("Tarde SL")).await.expect("put off until the commit");
    let outcome = beside(merging, adding.commit()).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
    let outcome = create(fresh, absorbed, company("Muy tarde SL")).await.expect_err("refused");
    assert!(outcome.contains("CompanyClosed(Merged)"), "{outcome}");
}

async fn a_merge_waits_for_a_change_that_is_under_way_and_takes_it_along(fresh: &Fresh) {
    let ([absorbed, survivor], contact) = seed(fresh).await;
    let (changer, merger) = (Caller::new(1), Caller::new(2));
    let changing = begin(fresh).await;
    let input = ContactInput { notes: Patch::Value("first".to_owned()), ..ContactInput::default() };
    verbs::update_contact(&*changing, changer.call(), contact.id, None, input).await.expect("changed");
    beside(changing, async {
        let merging = begin(fresh).await;
        let request = MergeRequest::default();
        verbs::merge_account(&*merging, merger.call(), survivor, None, absorbed, request, survivor)
            .await
            .expect("merged");
        merging.commit().await.expect("committed");
    })
    .await;
    let moved = find(fresh, contact.id).await.expect("still there");
    assert_eq!((moved.company, moved.notes.as_deref()), (survivor, Some("first")));
    assert_eq!(moved.version, contact.version.next().next(), "changed, then moved");
}

async fn a_contact_that_is_added_while_its_company_is_deactivated_is_refused(fresh: &Fresh) {
    let ([company_id, other], _) = seed(fresh).await;
    let (late, caller) = (Caller::new(2), Caller::new(1));
    let adding = begin(fresh).await;
    let home =
        svc_business::record::home::<Contact>(&*adding, late.call(), company_id).await.expect("active");
    let closing = begin(fresh).await;
    verbs::deactivate_account(&*closing, caller.call(), company_id, None, other).await.expect("deactivated");
    contact::create(home, company("Tarde SL")).await.expect("put off until the commit");
    let outcome = beside(closing, adding.commit()).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
}

async fn a_child_of_a_contact_that_is_absorbed_meanwhile_is_refused(fresh: &Fresh) {
    let ([company_id, _], parent) = seed(fresh).await;
    let survivor = create(fresh, company_id, company("Superviviente SL")).await.expect("created");
    let caller = Caller::new(3);
    let merging = begin(fresh).await;
    let request = contact::MergeRequest::default();
    verbs::merge_contact(&*merging, caller.call(), survivor.id, None, parent.id, request)
        .await
        .expect("merged");
    let outcome = beside(merging, Box::pin(create(fresh, company_id, person_of(parent.id)))).await;
    assert!(outcome.as_ref().is_err_and(|refused| refused.contains("unknown_reference")), "{outcome:?}");
}

async fn a_merge_waits_for_a_child_that_is_under_way_and_points_it_to_the_survivor(fresh: &Fresh) {
    let ([company_id, _], parent) = seed(fresh).await;
    let survivor = create(fresh, company_id, company("Superviviente SL")).await.expect("created");
    let (adder, other) = (Caller::new(3), Caller::new(4));
    let adding = begin(fresh).await;
    let child = verbs::create_contact(&*adding, adder.call(), company_id, person_of(parent.id)).await;
    let child = child.expect("created");
    let merged: Result<_, Refused<contact::MergeError>> = beside(
        adding,
        Box::pin(async {
            let merging = begin(fresh).await;
            let request = contact::MergeRequest::default();
            let merged =
                verbs::merge_contact(&*merging, other.call(), survivor.id, None, parent.id, request).await?;
            merging.commit().await?;
            Ok(merged)
        }),
    )
    .await;
    merged.expect("merged");
    let child = find(fresh, child.id).await.expect("still there");
    assert_eq!(child.parent, Some(survivor.id));
    let tombstone = find(fresh, parent.id).await.expect("a tombstone");
    assert_eq!(tombstone.status, ContactStatus::Merged { into: survivor.id });
}

/// An organization is absorbed while persons are put into it, as the scheduler of the machine has it.
async fn nothing_refers_to_a_contact_that_was_merged_meanwhile(fresh: &Fresh) {
    const PERSONS: u128 = 6;
    let seed_of = |number: u128| u64::try_from(number).expect("a small number");
    let ([company_id, _], _) = seed(fresh).await;
    let mut moved = 0;
    for round in 1..=25_u128 {
        let first = 100 * round;
        let (kept, absorbed) = (contact_id(first), contact_id(first + 1));
        let unit = begin(fresh).await;
        for number in first..first + 2 + PERSONS {
            let contact = organization(company_id, number, "Acme SL");
            unit.contacts().insert(&everything(), &contact).await.expect("inserted");
        }
        unit.commit().await.expect("committed");

        let join = async |number: u128| {
            let (caller, unit) = (Caller::new(seed_of(number)), begin(fresh).await);
            let changed =
                verbs::update_contact(&*unit, caller.call(), contact_id(number), None, person_of(absorbed))
                    .await;
            match changed {
                Ok(_) => unit.commit().await.expect("committed"),
                Err(refused) => assert!(matches!(refused, Refused::Invalid(_)), "{refused:?}"),
            }
        };
        let merge = async {
            let (caller, unit) = (Caller::new(seed_of(first)), begin(fresh).await);
            let request = contact::MergeRequest::default();
            verbs::merge_contact(&*unit, caller.call(), kept, None, absorbed, request).await.expect("merged");
            unit.commit().await.expect("committed");
        };
        let persons = futures_util::future::join_all((first + 2..first + 2 + PERSONS).map(join));
        tokio::join!(persons, merge);
        for number in first + 2..first + 2 + PERSONS {
            let parent = find(fresh, contact_id(number)).await.expect("still there").parent;
            assert_ne!(parent, Some(absorbed), "{number} refers to a tombstone");
            moved += usize::from(parent == Some(kept));
        }
    }
    assert!(moved > 0, "no person came before a merge");
}
