use svc_business::account::{Account, AccountFilter, AccountStatus};
use svc_business::party::{Address, Country, Phone, Website};
use svc_business::ports::AccountReader;
use svc_core::id::AccountId;
use svc_core::page::Sort;
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore};
use svc_core::tenant::Scope;

use super::fixture::{account, at, companies, email, everything, extension, fixture, id, page, tax_id};
use super::groups::group;

#[tokio::test]
async fn a_company_comes_back_as_it_was_stored() {
    let db = fixture().await;
    db.groups().insert(&group(30, &[1])).await.expect("a new group");
    let address = Address {
        line1: None,
        line2: None,
        postal_code: None,
        city: Some("Sevilla".to_owned()),
        province: None,
        country: Country::SPAIN,
    };
    let mut company = Account {
        trade_name: Some("Sol".to_owned()),
        tax_id: Some(tax_id("B12345674")),
        address: Some(Pii::new(address)),
        phone: Some(Pii::new(Phone::from_stored("+34910000000".to_owned()))),
        email: Some(email("info@sol.example")),
        website: Some(Website::from_stored("https://sol.example".to_owned())),
        group: Some(id(30)),
        parent: Some(id(1)),
        api_access: false,
        extension: extension("ext"),
        ..account(3)
    };
    db.add(&company).await;
    assert_eq!(db.find(company.id).await, Some(company.clone()));
    assert_eq!(db.store.active_subsidiaries(id(1)).await.expect("a count"), 1);

    for status in [AccountStatus::Deactivated { at: at(7) }, AccountStatus::Merged { into: id(1), at: at(8) }]
    {
        let before = company.version;
        company = Account { status, version: before.next(), ..company };
        db.store.replace(&everything(), before, &company).await.expect("the stored version");
        assert_eq!(db.find(company.id).await, Some(company.clone()));
        assert_eq!(db.store.active_subsidiaries(id(1)).await.expect("a count"), 0);
    }
}

#[tokio::test]
async fn a_company_is_its_own_tenant() {
    let db = fixture().await;
    let found: Option<Account> = db.store.find(&companies([2]), id(1)).await.expect("an answer");
    assert_eq!(found, None);
    let list =
        async |scope: Scope, filter| db.list::<Account>(&scope, &filter, &Sort::default(), page(1, 10)).await;
    let seen = list(companies([2]), AccountFilter::default()).await;
    assert_eq!(seen.items.iter().map(|company| company.id).collect::<Vec<_>>(), [id(2)]);
}

#[tokio::test]
async fn companies_with_the_same_tax_id_are_found_within_the_scope_alone() {
    let db = fixture().await;
    let number = tax_id("B12345674");
    for name in [3, 4, 5] {
        db.add(&Account { tax_id: Some(number.clone()), ..account(name) }).await;
    }
    let merged = AccountStatus::Merged { into: id(3), at: at(1) };
    db.add(&Account { tax_id: Some(number.clone()), status: merged, ..account(6) }).await;
    let ask = async |scope: Scope| db.store.with_tax_id(&scope, &number, id(3)).await.expect("an answer");
    assert_eq!(ask(everything()).await, [4, 5].map(id::<AccountId>));
    assert_eq!(ask(companies([3, 5, 6])).await, [id(5)]);
}
