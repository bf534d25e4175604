//! One row of a register: a tax of a document.

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::id::ContactId;
use svc_core::money::{Amount, Currency, MoneyError};
use svc_core::pii::{PiiAccess, Shown};
use time::Date;

use super::{Cell, Period, VatDocument, VatSide, wire};
use crate::books::entry::{TagKind, TaxCode, TaxTag};
use crate::trade::{self, Rate};

/// A tax of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VatRow {
    /// The number of the document in the register, from 1; `None` of what no document made.
    pub register_number: Option<u64>,
    /// The number of the document.
    pub document_number: String,
    /// When the document was issued.
    #[serde(serialize_with = "wire::text")]
    pub issue_date: Date,
    /// When the tax fell due.
    #[serde(serialize_with = "wire::text")]
    pub tax_date: Date,
    /// With whom.
    #[serde(serialize_with = "wire::text_or_null")]
    pub contact_id: Option<ContactId>,
    /// The name on the document.
    pub contact_name: String,
    /// The tax id on the document.
    pub tax_id: Option<Shown<String>>,
    /// The tax.
    #[serde(serialize_with = "wire::text")]
    pub tax_code: TaxCode,
    /// Percent; `None` for a tax that the table of taxes does not have.
    #[serde(serialize_with = "wire::text_or_null")]
    pub rate: Option<Rate>,
    /// The amounts.
    #[serde(flatten)]
    pub figures: VatFigures,
}

/// The amounts of a tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VatFigures {
    /// What the tax is of.
    #[serde(serialize_with = "wire::text")]
    pub base: Amount,
    /// The tax.
    #[serde(serialize_with = "wire::text")]
    pub quota: Amount,
    /// The equivalence surcharge; zero on documents that the company received.
    #[serde(serialize_with = "wire::text")]
    pub surcharge: Amount,
    /// How much of the tax can be deducted; zero on documents that the company issued.
    #[serde(serialize_with = "wire::text")]
    pub deductible_quota: Amount,
}

/// The rows of a document, by date and then by tax.
pub(super) fn rows(
    document: &VatDocument,
    period: Period,
    currency: Currency,
    side: VatSide,
    access: PiiAccess,
) -> Result<Vec<VatRow>, MoneyError> {
    let mut taxes: BTreeMap<(Date, &TaxCode), VatFigures> = BTreeMap::new();
    for tag in document.tags.iter().filter(|tag| period.contains(tag.tax_date)) {
        if let Some(figures) = VatFigures::of(tag, side, currency) {
            let tax = taxes.entry((tag.tax_date, &tag.tax_code)).or_insert(VatFigures::zero(currency));
            *tax = tax.plus(figures)?;
        }
    }
    let row = |((tax_date, tax_code), figures): ((Date, &TaxCode), VatFigures)| VatRow {
        register_number: document.register_number,
        document_number: document.number.clone(),
        issue_date: document.issue_date,
        tax_date,
        contact_id: document.contact,
        contact_name: document.contact_name.clone(),
        tax_id: document.tax_id.as_ref().map(|tax_id| tax_id.show(access)),
        tax_code: tax_code.clone(),
        rate: trade::TaxCode::find(&tax_code.to_string(), tax_date).map(|tax| tax.rate),
        figures,
    };
    Ok(taxes.into_iter().map(row).collect())
}

impl VatRow {
    /// The row as cells of CSV.
    pub(super) fn cells(&self) -> Vec<Cell> {
        let VatFigures { base, quota, surcharge, deductible_quota } = self.figures;
        let mut cells = vec![
            Cell::plain_or_empty(self.register_number),
            Cell::text(&self.document_number),
            Cell::plain(self.issue_date),
            Cell::plain(self.tax_date),
            Cell::plain_or_empty(self.contact_id),
            Cell::text(&self.contact_name),
            Cell::text(&self.shown_tax_id()),
            Cell::plain(&self.tax_code),
            Cell::plain_or_empty(self.rate),
        ];
        cells.extend([base, quota, surcharge, deductible_quota].map(Cell::plain));
        cells
    }

    /// The tax id as a response has it: what is shown serialises and has no other way out.
    fn shown_tax_id(&self) -> String {
        let json = serde_json::to_value(&self.tax_id).unwrap_or_default();
        json.as_str().map(str::to_owned).unwrap_or_default()
    }
}

impl VatFigures {
    pub(super) fn zero(currency: Currency) -> Self {
        let zero = Amount::zero(currency);
        Self { base: zero, quota: zero, surcharge: zero, deductible_quota: zero }
    }

    /// What a tag adds to the register; `None` for one that is not of it.
    fn of(tag: &TaxTag, side: VatSide, currency: Currency) -> Option<Self> {
        let zero = Self::zero(currency);
        match (side, tag.kind) {
            (VatSide::Output, TagKind::VatOutput) => Some(Self { base: tag.base, quota: tag.quota, ..zero }),
            // The tax itself has the base.
            (VatSide::Output, TagKind::SurchargeOutput) => Some(Self { surcharge: tag.quota, ..zero }),
            (VatSide::Input, TagKind::VatInput) => {
                Some(Self { base: tag.base, quota: tag.quota, deductible_quota: tag.deductible(), ..zero })
            }
            (
                VatSide::Output | VatSide::Input,
                TagKind::VatOutput
                | TagKind::SurchargeOutput
                | TagKind::VatInput
                | TagKind::WithholdingPractised
                | TagKind::WithholdingBorne,
            ) => None,
        }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self {
            base: self.base.plus(other.base)?,
            quota: self.quota.plus(other.quota)?,
            surcharge: self.surcharge.plus(other.surcharge)?,
            deductible_quota: self.deductible_quota.plus(other.deductible_quota)?,
        })
    }
}
