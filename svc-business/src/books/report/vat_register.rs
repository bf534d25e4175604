//! The VAT register (*libro registro de facturas*).

mod row;

use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::csv::{Cell, Table};
use svc_core::id::ContactId;
use svc_core::money::{Currency, MoneyError};
use svc_core::pii::{Pii, PiiAccess};
use time::Date;

pub use self::row::{VatFigures, VatRow};
use super::{Period, wire};
use crate::books::entry::TaxTag;
use crate::party::TaxId;
use crate::trade::Rate;

/// Which register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VatSide {
    /// Of documents that the company issued: `output`
    Output,
    /// Of documents that it received: `input`
    Input,
}

svc_core::wire_names!(VatSide { Output = "output", Input = "input" });

/// A document with what its posted entry says about taxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VatDocument {
    /// Its number: the company's own of one that it issued, else the supplier's.
    pub number: String,
    /// When it was issued.
    pub issue_date: Date,
    /// Its number in the book of received documents of its year.
    pub register_number: Option<u64>,
    /// With whom.
    pub contact: Option<ContactId>,
    /// The name of the contact on the document.
    pub contact_name: String,
    /// The tax id of the contact on the document.
    pub tax_id: Option<Pii<TaxId>>,
    /// What its entry says about taxes; what is of no use to the register is left out.
    pub tags: Vec<TaxTag>,
}

/// The documents of some days, by the dates on which their taxes fell due: a row for each tax of a document.
///
/// Tags that share a document, a tax and a date are one row. Amounts of a rectification are less than zero.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VatRegister {
    /// The first day.
    #[serde(serialize_with = "wire::text")]
    pub from: Date,
    /// The last day.
    #[serde(serialize_with = "wire::text")]
    pub to: Date,
    /// Which register.
    pub side: VatSide,
    /// The base currency of the books.
    #[serde(serialize_with = "wire::text")]
    pub currency: Currency,
    /// The rows of each document, by its first tax date, its issue date and its number.
    pub rows: Vec<VatRow>,
    /// What the rows of each rate add up to, the highest rate last.
    pub rates: Vec<RateTotals>,
    /// What all rows add up to.
    pub totals: VatFigures,
}

/// What the rows of a rate add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RateTotals {
    /// Percent; `None` for tax codes that the table of taxes does not have.
    #[serde(serialize_with = "wire::text_or_null")]
    pub rate: Option<Rate>,
    /// The sums.
    #[serde(flatten)]
    pub figures: VatFigures,
}

impl VatRegister {
    /// The register of these days. Issued documents are numbered from 1 in the order of their rows; received ones have
    /// the number that they were given, and what no document made has none. Tax ids are shown as
    /// `access` lets them be.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn of(
        period: Period,
        currency: Currency,
        side: VatSide,
        documents: &[VatDocument],
        access: PiiAccess,
    ) -> Result<Self, MoneyError> {
        let mut order: Vec<(&VatDocument, Vec<VatRow>)> = Vec::new();
        for document in documents {
            order.push((document, row::rows(document, period, currency, side, access)?));
        }
        order.retain(|(_, rows)| !rows.is_empty());
        // A document can have taxes of several dates; the first one decides its number.
        order.sort_by_cached_key(|(document, rows)| {
            (rows.first().map(|row| row.tax_date), document.issue_date, document.number.clone())
        });
        let mut rows = Vec::new();
        for (number, (_, of_document)) in (1..).zip(order) {
            let given = |row: VatRow| match side {
                VatSide::Output => VatRow { register_number: Some(number), ..row },
                VatSide::Input => row,
            };
            rows.extend(of_document.into_iter().map(given));
        }
        let (from, to) = (period.from(), period.to());
        let (rates, totals) = totals(&rows, currency)?;
        Ok(Self { from, to, side, currency, rows, rates, totals })
    }

    /// The rows as CSV, without the totals.
    #[must_use]
    pub fn csv(&self) -> String {
        let header = [
            "registerNumber",
            "documentNumber",
            "issueDate",
            "taxDate",
            "contactId",
            "contactName",
            "taxId",
            "taxCode",
            "rate",
            "base",
            "quota",
            "surcharge",
            "deductibleQuota",
        ];
        let mut table = Table::new(header);
        for row in &self.rows {
            table.row(row.cells());
        }
        table.finish()
    }
}

fn totals(rows: &[VatRow], currency: Currency) -> Result<(Vec<RateTotals>, VatFigures), MoneyError> {
    let mut rates: BTreeMap<Option<Rate>, VatFigures> = BTreeMap::new();
    let mut all = VatFigures::zero(currency);
    for row in rows {
        let of_rate = rates.entry(row.rate).or_insert_with(|| VatFigures::zero(currency));
        *of_rate = of_rate.plus(row.figures)?;
        all = all.plus(row.figures)?;
    }
    Ok((rates.into_iter().map(|(rate, figures)| RateTotals { rate, figures }).collect(), all))
}
