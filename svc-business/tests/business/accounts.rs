//! Companies: founding, subsidiaries, change, deactivation, merge.

use svc_business::account::{
    self, Account, AccountInput, AccountStatus, BootstrapError, BootstrapRequest, CreateError,
    DeactivateError, FoundRequest, MergeError, MergeRequest, ReactivateError, UpdateError,
};
use svc_business::founding;
use svc_business::party::AddressInput;
use svc_business::party::Prefer;
use svc_business::user;
use svc_core::id::{AccountId, UserId};
use svc_core::patch::Patch;
use svc_core::pii::PiiAccess;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::tenant::ClosedCompany;
use svc_testkit::business::sample::{everything, id, scope};

use super::test_app::{TestApp, company_input, findings, organization, run, text};
use svc_testkit::business::verbs;

async fn subsidiary(app: &TestApp, parent: AccountId, name: &str) -> Account {
    let first_word = name.split(' ').next().unwrap_or_default();
    let creator = app.user(&format!("{first_word}@creator.example")).await;
    let input = AccountInput { parent: Patch::Value(parent), ..company_input(name) };
    run!(app, founding::create_subsidiary, input, creator.id).expect("a valid subsidiary")
}

#[tokio::test]
async fn a_fresh_system_begins_once_with_a_company_and_its_holder() {
    let app = TestApp::new().await;
    let request = |name: &str, email: &str| {
        let holder = user::CreateRequest { email: email.to_owned(), name: None, locale: None };
        BootstrapRequest { input: company_input(name), holder }
    };
    let refused = run!(app, founding::bootstrap, request("", "ana@sol.example"));
    assert!(matches!(refused, Err(Refused::Invalid(_))), "{refused:?}");
    assert!(!app.storage.accounts().any().await.expect("read"), "nothing was added");

    let made = run!(app, founding::bootstrap, request("Sol SL", "ana@sol.example"));
    let (company, holder) = made.expect("the same person can be added after a refusal");
    assert_eq!(app.holder(company.id).await, holder.id);
    assert_eq!(app.events().await, [format!("account.create {}", company.id)]);

    let again = run!(app, founding::bootstrap, request("Luna SA", "luis@luna.example"));
    assert!(matches!(again, Err(Refused::Own(BootstrapError::NotEmpty))), "{again:?}");
    let unknown = app.storage.people().user_by_email("luis@luna.example").await.expect("read");
    assert_eq!(unknown, None);
}

#[tokio::test]
async fn a_company_is_founded_with_defaults_and_a_holder() {
    let app = TestApp::new().await;
    let company = app.company("Sol SL").await;
    assert_eq!((company.country.code(), company.language.as_str()), ("ES", "es"));
    assert_eq!((company.timezone.as_str(), company.base_currency.code()), ("Europe/Madrid", "EUR"));
    assert!(company.api_access && company.group.is_none());
    assert_eq!(app.storage.people().holders(company.id).await.expect("count"), 1);
    let events = app.storage.take_events().await;
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind.name(), events[0].account()), ("account.create", Some(company.id)));
}

#[tokio::test]
async fn every_finding_of_a_company_is_told_at_once() {
    let app = TestApp::new().await;
    let holder = app.user("h@x.example").await.id;
    let input = AccountInput {
        legal_name: text(" "),
        trade_name: text(&"x".repeat(201)),
        tax_id: text("B12345670"),
        country: text("es"),
        language: text("?"),
        timezone: text("Madrid"),
        address: Patch::Value(AddressInput { line1: text(&"x".repeat(201)), ..Default::default() }),
        phone: text("*********456"),
        email: text("@"),
        website: text("example"),
        base_currency: text("EURO"),
        parent: Patch::Value(id(1)),
        ..AccountInput::default()
    };
    let request = FoundRequest { input, holder };
    let Err(Refused::Invalid(invalid)) = run!(app, founding::found, request) else {
        panic!("expected findings");
    };
    assert_eq!(
        findings(&invalid),
        [
            "parentAccountId not_allowed",
            "legalName required",
            "legalForm required",
            "tradeName too_long",
            "country invalid_country",
            "taxId invalid_tax_id",
            "language invalid_language",
            "baseCurrency invalid_currency",
            "timezone invalid_timezone",
            "address.line1 too_long",
            "phone masked_value_rejected",
            "email invalid_email",
            "website invalid_website",
        ]
    );
    let request = FoundRequest { input: company_input("X"), holder: id::<UserId>(9) };
    assert!(matches!(run!(app, founding::found, request), Err(Refused::Own(CreateError::UnknownHolder))));
    assert_eq!(app.events().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_subsidiary_joins_the_group_of_its_parent() {
    let (app, parent) = TestApp::with_company().await;
    let first = subsidiary(&app, parent.id, "Uno SL").await;
    let events = app.storage.take_events().await;
    let told: Vec<_> =
        events.iter().map(|one| (one.kind.name(), one.account(), one.object_id.clone())).collect();
    assert_eq!(
        told,
        [
            ("account.update", Some(parent.id), parent.id.to_string()),
            ("account.create", Some(parent.id), first.id.to_string()),
        ]
    );
    let second = subsidiary(&app, parent.id, "Dos SL").await;
    assert_eq!(app.event_names().await, ["account.create"]);
    let group = first.group.expect("it is in a group");
    assert_eq!((second.group, second.parent), (Some(group), Some(parent.id)));
    assert_eq!(app.account(parent.id).await.group, Some(group));
    let group = app.storage.groups().find(&everything(), group).await.expect("find").expect("the group");
    let members: Vec<_> = group.members.iter().map(|member| member.account).collect();
    assert_eq!((group.parent, members.len()), (parent.id, 3));
    assert!([parent.id, first.id, second.id].iter().all(|id| members.contains(id)));

    let creator = app.user("c@x.example").await.id;
    let below = |parent| AccountInput { parent, ..company_input("Tres SL") };
    let outcome = run!(app, founding::create_subsidiary, below(Patch::Absent), creator);
    assert!(
        matches!(outcome, Err(Refused::Invalid(invalid)) if findings(&invalid) == ["parentAccountId required"])
    );
    let outcome = run!(app, founding::create_subsidiary, below(Patch::Value(id(1))), creator);
    assert!(matches!(outcome, Err(Refused::Own(CreateError::UnknownParent))));
    run!(app, verbs::deactivate_account, first.id, None, parent.id).expect("deactivated");
    let outcome = run!(app, founding::create_subsidiary, below(Patch::Value(first.id)), creator);
    assert!(matches!(outcome, Err(Refused::Own(CreateError::ParentNotActive))));
}

#[tokio::test]
async fn a_change_of_a_company_is_told_and_a_no_op_is_not() {
    let (mut app, company) = TestApp::with_company().await;
    app.later();
    let input = AccountInput { timezone: text("atlantic/canary"), ..AccountInput::default() };
    let after =
        run!(app, verbs::update_account, company.id, Some(company.version), input.clone()).expect("changed");
    assert_eq!((after.timezone.as_str(), after.version.as_i64()), ("Atlantic/Canary", 2));
    assert_eq!(after.updated_at, app.now);
    assert_eq!(run!(app, verbs::update_account, company.id, None, input).expect("a no-op"), after);
    assert_eq!(app.events().await, [format!("account.update {}", company.id)]);
    let stale = Some(Version::FIRST);
    let outcome = run!(app, verbs::update_account, company.id, stale, AccountInput::default());
    assert!(matches!(outcome, Err(Refused::VersionConflict { current }) if current == after.version));
    app.access = PiiAccess::Masked;
    let input = AccountInput { address: Patch::Null, ..AccountInput::default() };
    let outcome = run!(app, verbs::update_account, company.id, None, input);
    assert!(matches!(outcome, Err(Refused::Invalid(i)) if findings(&i) == ["address masked_value_rejected"]));
}

#[tokio::test]
async fn a_tax_id_must_suit_a_new_country() {
    let (app, company) = TestApp::with_company().await;
    let input = AccountInput { country: text("US"), tax_id: text("12-345"), ..AccountInput::default() };
    run!(app, verbs::update_account, company.id, None, input).expect("a foreign id abroad");
    let input = AccountInput { country: text("ES"), ..AccountInput::default() };
    let outcome = run!(app, verbs::update_account, company.id, None, input);
    assert!(
        matches!(outcome, Err(Refused::Invalid(invalid)) if findings(&invalid) == ["taxId invalid_tax_id"])
    );
}

#[tokio::test]
async fn the_tree_of_a_group_has_no_cycle() {
    let (app, top) = TestApp::with_company().await;
    let middle = subsidiary(&app, top.id, "Medio SL").await;
    let bottom = subsidiary(&app, middle.id, "Abajo SL").await;
    let stranger = app.company("Otra SL").await;
    app.events().await;
    let below = |parent| AccountInput { parent: Patch::Value(parent), ..AccountInput::default() };
    for (child, parent) in [
        (top.id, bottom.id),
        (top.id, middle.id),
        (middle.id, middle.id),
        (bottom.id, stranger.id),
        (stranger.id, top.id),
        (bottom.id, id(1)),
    ] {
        let outcome = run!(app, verbs::update_account, child, None, below(parent));
        assert!(matches!(outcome, Err(Refused::Own(UpdateError::BadParent))), "{child} below {parent}");
    }
    assert_eq!(app.events().await, Vec::<String>::new());
    run!(app, verbs::update_account, bottom.id, None, below(top.id)).expect("up the tree");
    run!(app, verbs::update_account, middle.id, None, below(bottom.id)).expect("now it is free");
    // Two moves that are fine each, and a cycle together: only one of them is made.
    run!(app, verbs::update_account, middle.id, None, below(top.id)).expect("beside each other");
    let change = async |child, parent| run!(app, verbs::update_account, child, None, below(parent));
    let both = tokio::join!(change(middle.id, bottom.id), change(bottom.id, middle.id));
    assert!(
        matches!(
            both,
            (Ok(_), Err(Refused::Own(UpdateError::BadParent)))
                | (Err(Refused::Own(UpdateError::BadParent)), Ok(_))
        ),
        "{both:?}"
    );
}

#[tokio::test]
async fn a_company_is_deactivated_and_comes_back() {
    let (app, top) = TestApp::with_company().await;
    let below = subsidiary(&app, top.id, "Abajo SL").await;
    app.events().await;
    let elsewhere = id::<AccountId>(77);
    let outcome = run!(app, verbs::deactivate_account, top.id, None, top.id);
    assert!(matches!(outcome, Err(Refused::Own(DeactivateError::Primary))));
    let outcome = run!(app, verbs::deactivate_account, top.id, None, elsewhere);
    assert!(matches!(outcome, Err(Refused::Own(DeactivateError::ActiveSubsidiary))));
    let off =
        run!(app, verbs::deactivate_account, below.id, Some(below.version), top.id).expect("deactivated");
    assert_eq!(off.status, AccountStatus::Deactivated { at: app.now });
    let outcome = run!(app, verbs::deactivate_account, below.id, None, top.id);
    assert!(matches!(outcome, Err(Refused::CompanyClosed(ClosedCompany::Deactivated))));
    let outcome = run!(app, verbs::update_account, below.id, None, company_input("X"));
    assert!(matches!(outcome, Err(Refused::CompanyClosed(ClosedCompany::Deactivated))));
    run!(app, verbs::deactivate_account, top.id, None, elsewhere).expect("nothing active is below it");
    let back = run!(app, verbs::reactivate_account, below.id, None).expect("reactivated");
    assert_eq!(back.status, AccountStatus::Active);
    let outcome = run!(app, verbs::reactivate_account, below.id, None);
    assert!(matches!(outcome, Err(Refused::Own(ReactivateError::Active))));
    let expected = [
        format!("account.delete {}", below.id),
        format!("account.delete {}", top.id),
        format!("account.update {}", below.id),
    ];
    assert_eq!(app.events().await, expected);
}

#[tokio::test]
async fn api_access_is_told_when_it_changes() {
    let (app, company) = TestApp::with_company().await;
    run!(app, account::set_api_access, company.id, true).expect("a no-op");
    let off = run!(app, account::set_api_access, company.id, false).expect("off");
    assert!(!off.api_access);
    assert_eq!(app.event_names().await, ["account.update"]);
}

#[tokio::test]
async fn a_merge_of_companies_moves_contacts_and_leaves_a_tombstone() {
    let (app, kept) = TestApp::with_company().await;
    let other = app.company("Otra SL").await;
    let mut input =
        AccountInput { tax_id: text("B12345674"), trade_name: text("Otra"), ..Default::default() };
    input.external_id = text("erp-1");
    let other = run!(app, verbs::update_account, other.id, None, input).expect("changed");
    let contact = app.contact(other.id, organization("Cliente SL")).await;
    app.events().await;
    let request = MergeRequest { prefer: vec![("legalName".to_owned(), Prefer::Merged)] };
    let expected = Some(kept.version);
    let after =
        run!(app, verbs::merge_account, kept.id, expected, other.id, request, kept.id).expect("merged");
    assert_eq!((after.legal_name.as_str(), after.trade_name.as_deref()), ("Otra SL", Some("Otra")));
    assert_eq!((after.tax_id.clone(), after.extension.clone()), (other.tax_id, other.extension));
    assert_eq!(after.version, kept.version.next());
    assert_eq!(app.find(contact.id).await.map(|moved| moved.company), Some(kept.id));
    let tombstone = app.account(other.id).await;
    assert_eq!(tombstone.status, AccountStatus::Merged { into: kept.id, at: app.now });
    assert_eq!(tombstone.extension.external_id, None);
    let events = app.storage.take_events().await;
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind.name(), events[0].account()), ("account.merge", Some(kept.id)));
    assert_eq!(events[0].data, [("merged_id", other.id.to_string())].into_iter().collect());
    let outcome = run!(app, verbs::reactivate_account, other.id, None);
    assert!(matches!(outcome, Err(Refused::CompanyClosed(ClosedCompany::Merged))));
}

#[tokio::test]
async fn a_merged_company_is_found_by_who_reaches_where_it_ended_up() {
    let (app, last) = TestApp::with_company().await;
    let [first, second] = [app.company("Otra SL").await, app.company("Otra Mas SL").await];
    for (kept, absorbed) in [(&second, &first), (&last, &second)] {
        let request = MergeRequest::default();
        run!(app, verbs::merge_account, kept.id, None, absorbed.id, request, kept.id).expect("merged");
    }
    let found = async |reach: &[AccountId], id| {
        let found = account::find(app.storage.accounts(), &scope(reach), id).await.expect("read");
        found.map(|found| found.status.name())
    };
    for merged in [first.id, second.id] {
        assert_eq!(found(&[last.id], merged).await, Some("merged"));
        assert_eq!(found(&[id(1)], merged).await, None);
    }
    assert_eq!(found(&[second.id], first.id).await, Some("merged"));
    assert_eq!(found(&[last.id], id(1)).await, None);
    let stranger = app.company("Ajena SL").await;
    assert_eq!(found(&[last.id], stranger.id).await, None, "an active one is found in its own reach alone");
}

#[tokio::test]
async fn a_merge_of_companies_is_refused_when_a_guard_fails() {
    let (app, kept) = TestApp::with_company().await;
    let other = app.company("Otra SL").await;
    let below = subsidiary(&app, other.id, "Abajo SL").await;
    let lone = app.company("Sola SL").await;
    let patch = async |id, input| run!(app, verbs::update_account, id, None, input).expect("changed");
    let usual = MergeRequest::default;
    let merge =
        async |survivor: AccountId, absorbed: AccountId, request: MergeRequest, primary: AccountId| {
            run!(app, verbs::merge_account, survivor, None, absorbed, request, primary)
        };
    app.events().await;
    let k = kept.id;
    assert!(matches!(merge(id(1), k, usual(), k).await, Err(Refused::NotFound)));
    assert!(matches!(merge(k, id(1), usual(), k).await, Err(Refused::Own(MergeError::UnknownMerged))));
    assert!(matches!(merge(k, k, usual(), k).await, Err(Refused::Own(MergeError::Same))));
    assert!(matches!(merge(k, lone.id, usual(), lone.id).await, Err(Refused::Own(MergeError::Primary))));
    assert!(matches!(merge(k, other.id, usual(), k).await, Err(Refused::Own(MergeError::ActiveSubsidiary))));
    let unknown = MergeRequest { prefer: vec![("status".to_owned(), Prefer::Merged)] };
    assert!(matches!(merge(k, lone.id, unknown, k).await, Err(Refused::Invalid(_))));
    assert_eq!(app.events().await, Vec::<String>::new());

    let tax = |id: &str| AccountInput { tax_id: text(id), ..AccountInput::default() };
    patch(k, tax("B12345674")).await;
    patch(lone.id, tax("A58818501")).await;
    assert!(matches!(merge(k, lone.id, usual(), k).await, Err(Refused::Own(MergeError::TaxIdConflict))));
    patch(lone.id, AccountInput { country: text("PT"), ..tax("PT123456789") }).await;
    assert!(matches!(merge(k, lone.id, usual(), k).await, Err(Refused::Own(MergeError::CountryConflict))));
    patch(lone.id, AccountInput { country: text("ES"), ..tax("B12345674") }).await;
    for company in [k, lone.id] {
        let mut input = organization("Cliente SL");
        input.external_id = text("same");
        app.contact(company, input).await;
    }
    let outcome = merge(k, lone.id, usual(), k).await;
    assert!(matches!(outcome, Err(Refused::Own(MergeError::RecordsClash { field: "externalId" }))));
    run!(app, verbs::deactivate_account, below.id, None, k).expect("deactivated");
    let outcome = merge(k, below.id, usual(), k).await;
    assert!(matches!(
        outcome,
        Err(Refused::Own(MergeError::NotActive { closed: ClosedCompany::Deactivated, .. }))
    ));

    assert!(matches!(merge(k, other.id, usual(), k).await, Err(Refused::Own(MergeError::ParentStays))));
}
