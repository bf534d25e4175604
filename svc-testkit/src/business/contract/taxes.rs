//! What taxes of companies need: a profile of each company, and its returns.

use std::collections::{BTreeMap, BTreeSet};

use svc_business::account::Account;
use svc_business::tax::profile::{
    Activity, IncomeTax, IntraCommunity, Representative, TaxProfile, TaxProfileFilter, Territory, VatPeriod,
    VatRegime, VerifactuMode, Withheld, begin,
};
use svc_business::tax::returns::{
    BoxValue, Channel, Figures, Model, Origin, Outcome, ResultKind, ReturnBox, ReturnKind, ReturnParty,
    ReturnPayment, ReturnStatus, ReturnWarning, Said, Submission, TaxPeriod, TaxResult, TaxReturn,
    TaxReturnFilter, TaxReturnSort, Unit, WarningCode,
};
use svc_core::audit::Actor;
use svc_core::id::AccountId;
use svc_core::money::{Amount, Currency};
use svc_core::page::{Direction, Sort};
use svc_core::pii::{Pii, PiiAccess};
use svc_core::resource::Version;
use svc_core::unit::CallContext;

use super::{Storage, assert_conflict, assert_taken, attempt, insert_accounts, put_accounts, whole};
use crate::business::sample::{at, bare_account, date, everything, id, scope, tax};
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
        extended_simplified: true,
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

/// A return as its company begins with it.
pub(super) fn pending(company: AccountId, number: u128, model: Model, period: (i32, &str)) -> TaxReturn {
    let period = TaxPeriod::new(period.0, period.1.parse().expect("a period")).expect("a year");
    TaxReturn {
        id: id(number),
        company,
        model,
        period,
        kind: ReturnKind::Ordinary,
        corrects: None,
        due: period.to(),
        said: Said::default(),
        figures: None,
        status: ReturnStatus::Pending,
        submission: None,
        outcome: None,
        submissions: 0,
        payments: Vec::new(),
        version: Version::FIRST,
        created_at: at(i64::try_from(number).expect("small")),
        updated_at: at(i64::try_from(number).expect("small")),
    }
}

fn eur(cents: i64) -> Amount {
    Amount::from_minor(cents, Currency::EUR).expect("in range")
}

/// The same return with every member said.
fn accepted(of: &TaxReturn) -> TaxReturn {
    let of_box = |code: &str, value, origin| ReturnBox { code: code.to_owned(), value, origin };
    let percent = BoxValue::parse(Unit::Percent, "33.5").expect("a percentage");
    TaxReturn {
        kind: ReturnKind::Substitute,
        corrects: Some(id(77)),
        said: Said {
            boxes: BTreeMap::from([
                ("43".to_owned(), BoxValue::Amount(eur(-1_250))),
                ("65".to_owned(), percent),
            ]),
            refund: Some(true),
        },
        figures: Some(Figures {
            at: at(500),
            books: 148,
            boxes: vec![
                of_box("07", BoxValue::Amount(eur(100_000)), Origin::Computed),
                of_box("65", percent, Origin::Manual),
                of_box("71", BoxValue::Count(3), Origin::Formula),
            ],
            result: TaxResult { kind: ResultKind::ToOffset, amount: eur(12_345) },
            warnings: vec![ReturnWarning { code: WarningCode::DraftsInPeriod, count: 2 }],
            parties: 2,
        }),
        status: ReturnStatus::Accepted,
        submission: Some(Submission {
            at: at(600),
            by: Some(id(97)),
            channel: Channel::Electronic,
            receipt: Some("2025303".to_owned()),
            csv: Some("ABCD".to_owned()),
            settlement: Some(id(98)),
            account: Some("4750000".parse().expect("a code")),
        }),
        outcome: Some(Outcome { at: at(650), message: Some("Conforme «sí»".to_owned()) }),
        submissions: 2,
        version: of.version.next(),
        updated_at: at(700),
        ..of.clone()
    }
}

async fn put_returns(storage: &Storage, returns: &[TaxReturn]) {
    let unit = storage.begin().await.expect("begin");
    for one in returns {
        unit.tax_returns().insert(&everything(), one).await.expect("insert a return");
    }
    unit.commit().await.expect("commit");
}

/// Every member of a return comes back, within the scope and at its version; a period has one ordinary return.
pub async fn a_tax_return_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let bare = pending(company, 30, Model::M303, (2025, "1T"));
    let year = TaxPeriod::tax_year(date(2024, 7, 1), date(2025, 6, 30)).expect("a tax year");
    let of_year = TaxReturn { period: year, ..pending(company, 31, Model::M200, (2024, "0A")) };
    put_returns(&storage, &[bare.clone(), of_year.clone()]).await;
    let find = async |of: &TaxReturn| storage.tax_returns().find(&everything(), of.id).await.expect("find");
    assert_eq!(find(&bare).await, Some(bare.clone()));
    assert_eq!(find(&of_year).await, Some(of_year));
    assert_eq!(storage.tax_returns().find(&scope(&[other]), bare.id).await.expect("find"), None);
    let same = pending(company, 32, Model::M303, (2025, "1T"));
    assert_taken(&attempt!(storage, |unit| unit.tax_returns().insert(&everything(), &same)), "period");
    let after = accepted(&bare);
    attempt!(storage, |unit| unit.tax_returns().replace(&everything(), &bare, &after)).expect("replace");
    assert_eq!(find(&bare).await, Some(after.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.tax_returns().replace(&everything(), &bare, &after)));
    // One that corrects another one is no ordinary return of its period.
    put_returns(&storage, &[same, pending(other, 33, Model::M303, (2025, "1T"))]).await;
}

/// Returns are found by every filter and in every order, and by where their periods end.
pub async fn every_filter_and_order_of_returns_holds(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let first = TaxReturn { due: date(2025, 4, 21), ..pending(company, 30, Model::M303, (2025, "1T")) };
    let second = TaxReturn { due: date(2025, 2, 20), ..pending(company, 31, Model::M111, (2025, "01")) };
    let third = pending(other, 32, Model::M303, (2024, "1T"));
    put_returns(&storage, &[first.clone(), second.clone(), third.clone()]).await;
    let prepared = TaxReturn {
        status: ReturnStatus::Prepared,
        version: third.version.next(),
        updated_at: at(900),
        ..third.clone()
    };
    attempt!(storage, |unit| unit.tax_returns().replace(&everything(), &third, &prepared)).expect("replace");
    let found = async |filter: TaxReturnFilter, sort| {
        let page = storage.tax_returns().page(&everything(), &filter, &sort, whole()).await.expect("page");
        assert_eq!(page.total, page.items.len() as u64, "{filter:?}");
        page.items.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    let (all, plain) = (TaxReturnFilter::default(), Sort::default());
    let (one, two, three) = (first.id, second.id, third.id);
    for (filter, wanted) in [
        (all.clone(), vec![one, two, three]),
        (TaxReturnFilter { companies: vec![other], ..all.clone() }, vec![three]),
        (TaxReturnFilter { model: Some(Model::M303), ..all.clone() }, vec![one, three]),
        (TaxReturnFilter { year: Some(2025), ..all.clone() }, vec![one, two]),
        (TaxReturnFilter { period: Some("01".parse().expect("a period")), ..all.clone() }, vec![two]),
        (TaxReturnFilter { status: Some(ReturnStatus::Prepared), ..all.clone() }, vec![three]),
        (TaxReturnFilter { updated_since: Some(at(800)), ..all.clone() }, vec![three]),
        (TaxReturnFilter { from: Some(date(2025, 4, 21)), ..all.clone() }, vec![one]),
        (TaxReturnFilter { to: Some(date(2025, 2, 20)), ..all.clone() }, vec![two, three]),
    ] {
        assert_eq!(found(filter.clone(), plain).await, wanted, "{filter:?}");
    }
    let by = |key, direction| Sort(Some((key, direction)));
    assert_eq!(found(all.clone(), by(TaxReturnSort::DueDate, Direction::Ascending)).await, [three, two, one]);
    assert_eq!(found(all, by(TaxReturnSort::UpdatedAt, Direction::Descending)).await, [three, two, one]);
    let ending = async |models: &[Model], from, to| {
        let found = storage.tax_returns().ending(company, models, (from, to), 10).await.expect("read");
        found.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    let (start, end) = (date(2025, 1, 1), date(2025, 3, 31));
    assert_eq!(ending(&[Model::M303, Model::M111], start, end).await, [two, one]);
    assert_eq!(ending(&[Model::M303], start, end).await, [one]);
    assert!(
        ending(&Model::ALL, start, date(2025, 1, 30)).await.is_empty()
            && ending(&[], start, end).await.is_empty()
    );
}

/// What movements paid of a return comes back, and a filed one is found by what is left of it alone.
pub async fn what_is_left_of_a_return_is_found(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let new = [
        pending(company, 30, Model::M303, (2025, "1T")),
        pending(company, 31, Model::M111, (2025, "1T")),
        pending(other, 32, Model::M111, (2025, "1T")),
    ];
    put_returns(&storage, &new).await;
    let replace = async |before: &TaxReturn, after: TaxReturn| {
        let after = TaxReturn { version: before.version.next(), ..after };
        attempt!(storage, |unit| unit.tax_returns().replace(&everything(), before, &after)).expect("replace");
        after
    };
    let filed = |of: &TaxReturn, kind| {
        let known = accepted(of);
        let result = TaxResult { kind, amount: eur(12_345) };
        let figures = known.figures.clone().map(|figures| Figures { result, ..figures });
        TaxReturn { kind: of.kind, corrects: None, figures, ..known }
    };
    let [vat, withheld, others] = &new;
    let vat = replace(vat, filed(vat, ResultKind::Refundable)).await;
    let withheld = replace(withheld, filed(withheld, ResultKind::Payable)).await;
    replace(others, filed(others, ResultKind::Payable)).await;
    let left = async |cents: i64| {
        let found = storage.tax_returns().unpaid(company, eur(cents), 10).await.expect("read");
        found.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!((left(12_345).await, left(-12_345).await), (vec![vat.id], vec![withheld.id]));
    assert_eq!((left(0).await, left(12_344).await), (vec![], vec![]));
    let paid =
        |number, cents| ReturnPayment { movement: id(number), amount: eur(cents), date: date(2025, 4, 21) };
    let part = TaxReturn { payments: vec![paid(50, -345), paid(51, -1_000)], ..withheld.clone() };
    let part = replace(&withheld, part).await;
    assert_eq!((left(-12_345).await, left(-11_000).await), (vec![], vec![withheld.id]));
    let found = storage.tax_returns().unpaid(company, eur(-11_000), 10).await.expect("read");
    assert_eq!(found, std::slice::from_ref(&part));
    let days = (part.period.to(), part.period.to());
    let ending = storage.tax_returns().ending(company, &[Model::M111], days, 10).await.expect("read");
    assert_eq!(ending, std::slice::from_ref(&part));
    let all = TaxReturn { payments: vec![paid(51, -1_000), paid(52, -11_345)], ..part.clone() };
    let all = replace(&part, all).await;
    let found = storage.tax_returns().find(&everything(), all.id).await.expect("find");
    assert_eq!((found, left(-11_000).await), (Some(all.clone()), vec![]));
    let undone = replace(&all, TaxReturn { payments: Vec::new(), ..all.clone() }).await;
    let rejected = TaxReturn { status: ReturnStatus::Rejected, ..undone.clone() };
    assert_eq!(left(-12_345).await, [withheld.id]);
    replace(&undone, rejected).await;
    assert_eq!(left(-12_345).await, []);
}

/// Rows of parties come back in their order and in parts, and new ones take their place.
pub async fn rows_of_a_return_come_back_whole(storage: Storage) {
    let [company, _] = put_accounts(&storage).await;
    let of = pending(company, 30, Model::M349, (2025, "1T"));
    put_returns(&storage, std::slice::from_ref(&of)).await;
    let row = |name: &str| ReturnParty {
        contact: None,
        tax_id: None,
        name: name.to_owned(),
        country: "ES".to_owned(),
        province: None,
        key: "B".to_owned(),
        mark: None,
        corrects: None,
        amounts: BTreeMap::new(),
    };
    let full = ReturnParty {
        contact: Some(id(10)),
        tax_id: Some(Pii::new(tax("A58818501"))),
        province: Some("28".to_owned()),
        mark: Some("reverse_charge".to_owned()),
        corrects: Some(TaxPeriod::new(2024, "4T".parse().expect("a period")).expect("a year")),
        amounts: BTreeMap::from([("base".to_owned(), eur(-1)), ("previous_base".to_owned(), eur(200))]),
        ..row("Luna SA")
    };
    // More than one statement takes.
    let many: Vec<_> = std::iter::once(full).chain((0..1_200).map(|at| row(&format!("N{at}")))).collect();
    let set =
        async |rows: &[ReturnParty]| attempt!(storage, |unit| unit.tax_returns().set_parties(&of, rows));
    let read = async |from, limit| storage.tax_returns().parties(&of, from, limit).await.expect("read");
    set(&many).await.expect("set");
    assert_eq!(read(0, 5_000).await, many);
    assert_eq!(Some(read(1, 2).await.as_slice()), many.get(1..3));
    let one = many.get(..1).expect("a row");
    set(one).await.expect("set");
    assert_eq!(read(0, 5_000).await, one);
    set(&[]).await.expect("set");
    assert_eq!(read(0, 5_000).await, []);
}
