//! When returns are due.

use std::collections::BTreeSet;

use proptest::prelude::*;
use svc_tax_forms::calendar::{
    Frequency, Holidays, IncomeTax, Profile, Territory, VatRegime, Withholds, add_natural_days, due, easter,
    obligations,
};
use svc_tax_forms::{Form, Model, TaxPeriod};
use time::{Date, Month, Weekday};

use crate::{day, period};

fn shop() -> Profile {
    Profile {
        territory: Territory::Common,
        vat_regime: VatRegime::General,
        vat_period: Frequency::Quarterly,
        sii: false,
        large: false,
        withholds: Withholds { employees: true, professionals: false, rent: true },
        income_tax: IncomeTax::Corporate { year_ends: (Month::December, 31) },
        intra_community: None,
    }
}

fn owed(profile: &Profile, year: i32) -> Vec<(Model, String, Date)> {
    let owed = obligations(profile, year, &Holidays::national()).expect("a year");
    owed.into_iter().map(|one| (one.model, one.period.period().to_string(), one.due)).collect()
}

fn due_of(model: Model, year: i32, code: &str) -> Date {
    due(model, &period(year, code), &Holidays::national())
}

#[test]
fn a_shop_owes_these_in_2025() {
    let models: BTreeSet<Model> = owed(&shop(), 2025).into_iter().map(|(model, ..)| model).collect();
    let expected = [
        Model::M111,
        Model::M115,
        Model::M180,
        Model::M190,
        Model::M200,
        Model::M303,
        Model::M347,
        Model::M390,
    ];
    assert_eq!(models, BTreeSet::from(expected));
    assert_eq!(owed(&shop(), 2025).len(), 4 + 4 + 1 + 1 + 1 + 4 + 1 + 1);
    assert_eq!(owed(&shop(), 2025)[0], (Model::M111, "1T".to_owned(), day(2025, 4, 21)));
}

#[test]
fn a_lawyer_pays_instalments_and_no_corporate_tax() {
    let lawyer = Profile { income_tax: IncomeTax::PersonalDirect, withholds: Withholds::default(), ..shop() };
    let models: BTreeSet<Model> = owed(&lawyer, 2025).into_iter().map(|(model, ..)| model).collect();
    assert_eq!(models, BTreeSet::from([Model::M130, Model::M303, Model::M347, Model::M390]));
}

#[test]
fn under_sii_vat_is_monthly_and_has_no_summaries() {
    let large = Profile { sii: true, large: true, intra_community: Some(Frequency::Monthly), ..shop() };
    let owed = owed(&large, 2025);
    let count = |model| owed.iter().filter(|(one, ..)| *one == model).count();
    assert_eq!((count(Model::M303), count(Model::M390), count(Model::M347)), (12, 0, 0));
    assert_eq!((count(Model::M111), count(Model::M115), count(Model::M349)), (12, 12, 12));
}

#[test]
fn who_declares_no_vat_owes_none() {
    for regime in [VatRegime::Exempt, VatRegime::NotSubject, VatRegime::EquivalenceSurcharge] {
        let owed = owed(&Profile { vat_regime: regime, ..shop() }, 2025);
        assert!(owed.iter().all(|(model, ..)| !matches!(model, Model::M303 | Model::M390)));
        assert!(owed.iter().any(|(model, ..)| *model == Model::M347));
    }
}

#[test]
fn what_is_owed_depends_on_where_the_company_is() {
    let trader = Profile { intra_community: Some(Frequency::Monthly), ..shop() };
    let models = |territory| -> BTreeSet<Model> {
        let owed = owed(&Profile { territory, ..trader }, 2025);
        owed.into_iter().map(|(model, ..)| model).collect()
    };
    let without_vat = [Model::M111, Model::M115, Model::M180, Model::M190, Model::M200, Model::M347].into();
    assert_eq!(models(Territory::Canary), without_vat);
    assert_eq!(models(Territory::CeutaMelilla), without_vat);
    assert_eq!(models(Territory::Navarra), BTreeSet::new());
    assert_eq!(models(Territory::Basque), BTreeSet::new());
    let vat = [Model::M303, Model::M349, Model::M390].into();
    assert_eq!(&models(Territory::Common) - &without_vat, vat);
}

#[test]
fn modules_without_books_declare_no_third_parties() {
    let bar =
        Profile { vat_regime: VatRegime::Simplified, income_tax: IncomeTax::PersonalObjective, ..shop() };
    assert!(owed(&bar, 2025).iter().all(|(model, ..)| !matches!(model, Model::M347 | Model::M130)));
}

#[test]
fn last_days_of_2025() {
    // 20 April 2025 was Easter Sunday, 20 July a Sunday; 20 October a Monday; 30 January 2026 a Friday.
    let vat = ["1T", "2T", "3T", "4T"].map(|code| due_of(Model::M303, 2025, code));
    assert_eq!(vat, [day(2025, 4, 21), day(2025, 7, 21), day(2025, 10, 20), day(2026, 1, 30)]);
    assert_eq!(due_of(Model::M390, 2025, "0A"), day(2026, 1, 30));
    assert_eq!(due_of(Model::M130, 2025, "4T"), day(2026, 1, 30));
    assert_eq!(due_of(Model::M111, 2025, "4T"), day(2026, 1, 20));
    assert_eq!(due_of(Model::M115, 2025, "2T"), day(2025, 7, 21));
    // 31 January 2026 was a Saturday, 28 February 2026 too.
    assert_eq!(due_of(Model::M190, 2025, "0A"), day(2026, 2, 2));
    assert_eq!(due_of(Model::M180, 2025, "0A"), day(2026, 2, 2));
    assert_eq!(due_of(Model::M347, 2025, "0A"), day(2026, 3, 2));
}

#[test]
fn months_of_vat_are_due_on_the_30th_and_january_at_the_end_of_february() {
    assert_eq!(due_of(Model::M303, 2025, "01"), day(2025, 2, 28));
    assert_eq!(due_of(Model::M303, 2024, "01"), day(2024, 2, 29));
    assert_eq!(due_of(Model::M303, 2025, "02"), day(2025, 3, 31));
    assert_eq!(due_of(Model::M303, 2025, "12"), day(2026, 1, 30));
}

#[test]
fn operations_of_july_can_wait_for_september() {
    assert_eq!(due_of(Model::M349, 2024, "07"), day(2024, 9, 20));
    assert_eq!(due_of(Model::M349, 2025, "06"), day(2025, 7, 21));
    assert_eq!(due_of(Model::M349, 2025, "2T"), day(2025, 7, 21));
    assert_eq!(due_of(Model::M349, 2025, "4T"), day(2026, 1, 30));
    assert_eq!(due_of(Model::M349, 2025, "12"), day(2026, 1, 30));
}

#[test]
fn corporate_tax_is_due_25_days_after_six_months() {
    assert_eq!(due_of(Model::M200, 2024, "0A"), day(2025, 7, 25));
    let due_after = |to: Date| {
        let from = to.replace_year(to.year() - 1).expect("a date").next_day().expect("a date");
        due(Model::M200, &TaxPeriod::tax_year(from, to).expect("a tax year"), &Holidays::national())
    };
    // 25 January 2026 was a Sunday; 31 August and 25 days is 25 September.
    assert_eq!(due_after(day(2025, 6, 30)), day(2026, 1, 26));
    assert_eq!(due_after(day(2025, 2, 28)), day(2025, 9, 25));
    assert_eq!(due_after(day(2025, 3, 15)), day(2025, 10, 10));
}

#[test]
fn the_tax_year_that_ends_in_the_year_is_owed() {
    let school = Profile { income_tax: IncomeTax::Corporate { year_ends: (Month::August, 31) }, ..shop() };
    let owed = obligations(&school, 2025, &Holidays::national()).expect("a year");
    let tax = owed.iter().find(|one| one.model == Model::M200).expect("corporate tax");
    assert_eq!((tax.period.from(), tax.period.to()), (day(2024, 9, 1), day(2025, 8, 31)));
    assert!(Form::find(Model::M200, &tax.period).is_some());
}

#[test]
fn easter_is_on_these_days() {
    let known = [
        (1961, 4, 2),
        (2000, 4, 23),
        (2008, 3, 23),
        (2011, 4, 24),
        (2024, 3, 31),
        (2025, 4, 20),
        (2038, 4, 25),
    ];
    for (year, month, date) in known {
        assert_eq!(easter(year), day(year, month, date));
    }
}

#[test]
fn holidays_are_national_and_local() {
    let national = Holidays::national();
    for holiday in [day(2025, 1, 6), day(2025, 4, 18), day(2025, 8, 15), day(2024, 3, 29), day(2025, 12, 25)]
    {
        assert!(national.is_holiday(holiday) && !national.is_working_day(holiday), "{holiday}");
    }
    let madrid = Holidays::with_local([day(2025, 5, 2)]);
    assert!(madrid.is_holiday(day(2025, 5, 2)) && !national.is_holiday(day(2025, 5, 2)));
    assert_eq!(madrid.next_working_day(day(2025, 5, 1)), day(2025, 5, 5));
}

#[test]
fn days_are_counted_from_the_day_after() {
    let holidays = Holidays::national();
    assert_eq!(add_natural_days(day(2025, 12, 24), 10), day(2026, 1, 3));
    // Good Friday is left out, and so are Saturdays and Sundays.
    assert_eq!(holidays.add_working_days(day(2025, 4, 16), 3), day(2025, 4, 22));
    assert_eq!(holidays.add_working_days(day(2025, 4, 16), 0), day(2025, 4, 16));
}

proptest! {
    #[test]
    fn a_return_is_due_on_a_working_day_after_its_period(year in 2023_i32..2100, at in 0_usize..17) {
        let codes = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "1T", "2T", "3T", "4T", "0A"];
        let of = period(year, codes[at]);
        let holidays = Holidays::national();
        for model in Model::ALL.into_iter().filter(|model| Form::find(*model, &of).is_some()) {
            let last = due(model, &of, &holidays);
            prop_assert!(holidays.is_working_day(last) && last > of.to());
        }
    }

    #[test]
    fn easter_is_a_sunday_of_spring(year in 1583_i32..2999) {
        let sunday = easter(year);
        prop_assert_eq!(sunday.weekday(), Weekday::Sunday);
        prop_assert!((day(year, 3, 22)..=day(year, 4, 25)).contains(&sunday));
    }

    #[test]
    fn working_days_add_up(start in 0_i64..20_000, first in 0_u32..30, second in 0_u32..30) {
        let holidays = Holidays::national();
        let date = day(2000, 1, 1) + time::Duration::days(start);
        let steps = holidays.add_working_days(holidays.add_working_days(date, first), second);
        prop_assert_eq!(steps, holidays.add_working_days(date, first + second));
    }
}
