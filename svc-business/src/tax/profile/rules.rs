//! What a tax profile is after a client's input, and the rules that it must pass.

use std::collections::BTreeSet;

use svc_core::error::Validator;
use svc_core::patch::Patch;
use svc_core::pii::Pii;
use svc_tax_forms::{BoxValue, Unit};

use super::begin::general_rate;
use super::{
    Activity, ActivityInput, IncomeTax, Representative, RepresentativeInput, TaxProfile, TaxProfileInput,
    VatPeriod,
};
use crate::party::{Iban, kept, line, masked_text, parsed, required, tax_id};

/// Activities of a company at most.
const MOST_ACTIVITIES: usize = 20;

/// `base` with the input applied; findings go to `validator`.
pub(super) fn apply(validator: &mut Validator, base: &TaxProfile, input: TaxProfileInput) -> TaxProfile {
    let mut after = base.clone();
    kept(validator, "vatRegime", input.vat_regime, &mut after.vat_regime);
    kept(validator, "sii", input.sii, &mut after.sii);
    kept(validator, "redeme", input.redeme, &mut after.redeme);
    vat_period(validator, input.vat_period, &mut after);
    kept(validator, "largeCompany", input.large, &mut after.large);
    let extended = input.extended_simplified;
    kept(validator, "extendedSimplifiedInvoices", extended, &mut after.extended_simplified);
    kept(validator, "intraCommunity", input.intra_community, &mut after.intra_community);
    kept(validator, "territory", input.territory, &mut after.territory);
    kept(validator, "verifactuMode", input.verifactu, &mut after.verifactu);
    pro_rata(validator, input.pro_rata, &mut after.pro_rata);
    income(validator, &input, &mut after);
    withholds(validator, input.withholds, &mut after);
    activities(validator, input.activities, &mut after.activities);
    let mut end = Some(after.year_end);
    parsed(validator, "fiscalYearEnd", "invalid_value", &input.year_end, &mut end, |end| end);
    required(validator, "fiscalYearEnd", end, &mut after.year_end);
    if !masked_text(validator, "refundIban", &input.refund_iban) {
        parsed(
            validator,
            "refundIban",
            "invalid_iban",
            &input.refund_iban,
            &mut after.refund_iban,
            Pii::<Iban>::new,
        );
    }
    match input.representative {
        Patch::Absent => {}
        Patch::Null => after.representative = None,
        Patch::Value(input) => {
            after.representative = representative(validator, &input).or(after.representative);
        }
    }
    after
}

/// VAT is declared each month where its registers are kept at the tax agency, and where it is refunded each month.
fn vat_period(validator: &mut Validator, patch: Patch<VatPeriod>, after: &mut TaxProfile) {
    let is_monthly = after.sii || after.redeme;
    let says_quarterly = matches!(patch, Patch::Value(VatPeriod::Quarterly));
    let message = "is monthly under sii and redeme (RD 1624/1992, article 71.3)";
    validator.require(!(is_monthly && says_quarterly), "vatPeriod", "not_allowed", message);
    kept(validator, "vatPeriod", patch, &mut after.vat_period);
    if is_monthly {
        after.vat_period = VatPeriod::Monthly;
    }
}

fn pro_rata(validator: &mut Validator, patch: Patch<i64>, current: &mut Option<u16>) {
    match patch {
        Patch::Absent => {}
        Patch::Null => *current = None,
        Patch::Value(percent) => {
            let read = u16::try_from(percent).ok().filter(|percent| *percent <= 100);
            if validator.require(read.is_some(), "proRataPercent", "out_of_range", "must be 0 to 100") {
                *current = read;
            }
        }
    }
}

/// The tax on the income, and its rate: corporate tax alone has one.
fn income(validator: &mut Validator, input: &TaxProfileInput, after: &mut TaxProfile) {
    kept(validator, "incomeTax", input.income_tax, &mut after.income_tax);
    let is_corporate = after.income_tax == IncomeTax::Corporate;
    if matches!(input.corporate_rate, Patch::Value(_)) {
        let message = "is for companies that owe corporate tax";
        validator.require(is_corporate, "corporateTaxRate", "not_allowed", message);
    }
    parsed(
        validator,
        "corporateTaxRate",
        "invalid_rate",
        &input.corporate_rate,
        &mut after.corporate_rate,
        |rate| rate,
    );
    if let Some(rate) = after.corporate_rate.filter(|_| matches!(input.corporate_rate, Patch::Value(_))) {
        let holds = BoxValue::parse(Unit::Percent, &rate.to_string()).is_ok();
        let message = "expected two decimals at most, as model 200 has them";
        validator.require(holds, "corporateTaxRate", "invalid_rate", message);
    }
    after.corporate_rate = is_corporate.then(|| after.corporate_rate.unwrap_or_else(general_rate));
}

fn withholds(validator: &mut Validator, patch: Patch<Vec<super::Withheld>>, after: &mut TaxProfile) {
    let named = match patch {
        Patch::Absent => return,
        Patch::Null => return validator.fail("withholds", "required", "cannot be null"),
        Patch::Value(named) => named,
    };
    let set: BTreeSet<_> = named.iter().copied().collect();
    validator.require(set.len() == named.len(), "withholds", "duplicate", "must name each once");
    after.withholds = set;
}

fn activities(validator: &mut Validator, patch: Patch<Vec<ActivityInput>>, current: &mut Vec<Activity>) {
    let named = match patch {
        Patch::Absent => return,
        Patch::Null => return validator.fail("activities", "required", "cannot be null"),
        Patch::Value(named) => named,
    };
    let message = format!("expected at most {MOST_ACTIVITIES} activities");
    if !validator.require(named.len() <= MOST_ACTIVITIES, "activities", "too_many", message) {
        return;
    }
    let activity = |(at, input): (usize, &ActivityInput)| {
        let field = |name: &str| format!("activities[{at}].{name}");
        if let Some(iae) = &input.iae {
            validator.require(
                is_iae(iae),
                &field("iae"),
                "invalid_value",
                "expected section/heading, as 1/844",
            );
        }
        if let Some(cnae) = &input.cnae {
            let is_class = (2..=4).contains(&cnae.len()) && cnae.bytes().all(|byte| byte.is_ascii_digit());
            validator.require(is_class, &field("cnae"), "invalid_value", "expected 2 to 4 digits, as 6920");
        }
        let description = line(validator, &field("description"), &input.description, 200)?;
        Some(Activity { iae: input.iae.clone(), cnae: input.cnae.clone(), description, main: input.main })
    };
    let read: Vec<Activity> = named.iter().enumerate().filter_map(activity).collect();
    let mains = named.iter().filter(|activity| activity.main).count();
    let fits = mains <= 1 && (named.len() < 2 || mains == 1);
    validator.require(fits, "activities", "not_allowed", "one of several activities is the main one");
    *current = read;
}

/// Section, a slash, and a heading of up to four digits, which may have one decimal.
fn is_iae(text: &str) -> bool {
    let Some((section, heading)) = text.split_once('/') else { return false };
    let (number, decimal) = heading.split_once('.').unwrap_or((heading, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    matches!(section, "1" | "2" | "3") && digits(number, 4) && digits(decimal, 1)
}

fn representative(validator: &mut Validator, input: &RepresentativeInput) -> Option<Representative> {
    let name = line(validator, "representative.name", &input.name, 200);
    let tax_id = tax_id(validator, "representative.taxId", &input.tax_id);
    Some(Representative { name: name?, tax_id: tax_id? })
}
