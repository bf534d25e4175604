//! What taxes of companies need: a profile of each company, which comes back whole.

use std::collections::BTreeSet;

use svc_business::account::Account;
use svc_business::tax::profile::{
    Activity, IncomeTax, IntraCommunity, Representative, TaxProfile, TaxProfileFilter, Territory, VatPeriod,
    VatRegime, VerifactuMode, Withheld, begin,
};
use svc_core::audit::Actor;
use svc_core::page::Sort;
use svc_core::pii::{Pii, PiiAccess};
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use super::{Storage, assert_conflict, assert_taken, attempt, insert_accounts, whole};
use crate::business::sample::{at, bare_account, everything, id, scope, tax};
use crate::fakes::SeededRandom;

/// The profile that a company begins with.
async fn begun(storage: &Storage, company: &Account, seed: u64) -> TaxProfile {
    let (scope, random, actor) = (everything(), SeededRandom::new(seed), Actor::service("contract"));
    let call =
        CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now: at(0), random: &random };
    attempt!(storage, |unit| begin(unit.as_ref(), call, company)).expect("begin a tax profile")
}

/// The same profile with every member said.
fn full(profile: &TaxProfile) -> TaxProfile {
    let activity = |iae: Option<&str>, main| Activity {
        iae: iae.map(str::to_owned),
        cnae: iae.map(|_| "7311".to_owned()),
        description: "Publicidad «al día»".to_owned(),
        main,
    };
    TaxProfile {
        vat_regime: VatRegime::CashBasis,
        vat_period: VatPeriod::Monthly,
        sii: true,
        redeme: true,
        large: true,
        pro_rata: Some(80),
        intra_community: IntraCommunity::Monthly,
        income_tax: IncomeTax::Corporate,
        corporate_rate: Some("23.5".parse().expect("a rate")),
        withholds: BTreeSet::from([Withheld::Employees, Withheld::Rent]),
        territory: Territory::Canary,
        activities: vec![activity(Some("1/844"), true), activity(None, false)],
        year_end: "02-28".parse().expect("a day"),
        verifactu: VerifactuMode::Verifactu,
        refund_iban: Some(Pii::new("ES9121000418450200051332".parse().expect("an IBAN"))),
        representative: Some(Representative {
            name: "Gestoría Sol SL".to_owned(),
            tax_id: Pii::new(tax("A58818501")),
        }),
        version: profile.version.next(),
        updated_at: at(700),
        ..profile.clone()
    }
}

/// A company begins with one profile, which comes back whole, within the scope and at its version.
pub async fn a_tax_profile_comes_back_whole(storage: Storage) {
    let (company, other) = (bare_account(1), bare_account(2));
    insert_accounts(&storage, &[company.clone(), other.clone()]).await;
    assert_eq!(storage.tax_profiles().missing(1).await.expect("read").len(), 1);
    let [first, second] = [begun(&storage, &company, 5).await, begun(&storage, &other, 6).await];
    assert_eq!(storage.tax_profiles().missing(10).await.expect("read"), []);
    assert_eq!((first.company, first.version), (company.id, Version::FIRST));
    assert_eq!(storage.tax_profiles().of_company(company.id).await.expect("read"), Some(first.clone()));
    let after = full(&first);
    attempt!(storage, |unit| unit.tax_profiles().replace(&everything(), &first, &after)).expect("replace");
    let found = async |scope| storage.tax_profiles().find(&scope, first.id).await.expect("find");
    assert_eq!(found(everything()).await, Some(after.clone()));
    assert_eq!(found(scope(&[other.id])).await, None);
    assert_conflict(&attempt!(storage, |unit| unit.tax_profiles().replace(&everything(), &first, &after)));
    let hidden = full(&second);
    let outside = scope(&[company.id]);
    assert_conflict(&attempt!(storage, |unit| unit.tax_profiles().replace(&outside, &second, &hidden)));
    let again = TaxProfile { id: id(900), ..first.clone() };
    assert_taken(&attempt!(storage, |unit| unit.tax_profiles().insert(&everything(), &again)), "companyId");
    let filter = TaxProfileFilter { companies: vec![other.id] };
    let page = storage.tax_profiles().page(&everything(), &filter, &Sort::default(), whole()).await;
    assert_eq!(page.expect("page").items, [second]);
    assert_eq!(storage.tax_profiles().of_company(id(3)).await.expect("read"), None);
}
