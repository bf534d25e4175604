//! Facts for tests.

use svc_core::money::{Amount, Currency};
use svc_tax_forms::{FactKind, Party, Rectifies, Reference, TaxFact, Treatment, WithholdingKey};
use time::Date;

use crate::eur;

/// A fact of VAT within the country at 21 %, all of it deductible.
pub(crate) fn fact(kind: FactKind, date: Date, base: &str, quota: &str) -> TaxFact {
    TaxFact {
        kind,
        treatment: Treatment::Ordinary,
        rate: 21.into(),
        investment: false,
        rectifies: Rectifies::Nothing,
        base: eur(base),
        quota: eur(quota),
        deductible: if kind == FactKind::VatInput { eur(quota) } else { Amount::zero(Currency::EUR) },
        withholding: None,
        party: None,
        date,
        reference: Reference(format!("{kind} {date} {base}")),
    }
}

pub(crate) fn sale(date: Date, base: &str, quota: &str) -> TaxFact {
    fact(FactKind::VatOutput, date, base, quota)
}

pub(crate) fn purchase(date: Date, base: &str, quota: &str) -> TaxFact {
    fact(FactKind::VatInput, date, base, quota)
}

/// The two facts of an acquisition on which the company charges itself the tax.
pub(crate) fn self_charged(treatment: Treatment, date: Date, base: &str, quota: &str) -> [TaxFact; 2] {
    [FactKind::VatSelfAssessed, FactKind::VatInput]
        .map(|kind| TaxFact { treatment, ..fact(kind, date, base, quota) })
}

pub(crate) fn withheld(key: WithholdingKey, by: FactKind, date: Date, base: &str, quota: &str) -> TaxFact {
    TaxFact { withholding: Some(key), rate: 15.into(), ..fact(by, date, base, quota) }
}

pub(crate) fn spanish(tax_id: &str, name: &str) -> Party {
    Party {
        id: format!("con_{tax_id}"),
        tax_id: Some(tax_id.to_owned()),
        name: name.to_owned(),
        country: "ES".to_owned(),
        province: Some("28".to_owned()),
    }
}

pub(crate) fn german() -> Party {
    Party {
        id: "con_de".to_owned(),
        tax_id: Some("DE123456789".to_owned()),
        name: "Müller Werkzeuge GmbH".to_owned(),
        country: "DE".to_owned(),
        province: None,
    }
}

pub(crate) fn with(party: &Party, fact: TaxFact) -> TaxFact {
    TaxFact { party: Some(party.clone()), ..fact }
}
