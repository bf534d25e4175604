//! Lines, discounts, taxes and sums.

use std::collections::BTreeMap;
use std::fmt::Display;

use rust_decimal::Decimal;
use svc_business::sales::document::{Line as SalesLine, SalesDocument};
use svc_business::trade::calculation::{LineFigures, TaxFigures, WithholdingFigures};
use svc_business::trade::{Discount, TaxCategory as Category, TaxCode};
use svc_core::money::{Amount, MoneyError};

use super::exemption;
use crate::model::{
    Adjustment, BaseCurrency, Invoice, Language, Line, Tax, TaxCategory, TaxRate, Totals, Withholding,
};

/// Puts what a document computes into an invoice.
pub(super) fn put(invoice: &mut Invoice, document: &SalesDocument) -> Result<(), MoneyError> {
    let (content, figures) = (&document.content, document.content.figures());
    invoice.prices_include_tax = content.prices_include_tax();
    let lines = content.lines().iter().zip(&figures.lines);
    invoice.lines =
        lines.map(|(own, figures)| line(own, figures, document)).collect::<Result<_, MoneyError>>()?;
    invoice.discounts = discounts(document, invoice.language)?;
    invoice.taxes = figures.taxes.iter().map(|figures| tax(figures, document)).collect();
    invoice.withholdings = figures.withholdings.iter().map(withholding).collect();
    let (paid, due) = (document.paid(), document.due());
    let totals = &figures.totals;
    invoice.totals = Totals {
        lines: totals.lines,
        discount: totals.discount,
        taxable: totals.taxable,
        tax: totals.tax,
        total: totals.total,
        withholding: totals.withholding,
        payable: totals.payable,
        paid,
        due,
        ..Totals::zero(content.currency())
    };
    if content.currency() != document.base_currency
        && let Some(rate) = document.fx_rate()
    {
        let tax = document.in_base(totals.tax)?;
        invoice.base = Some(BaseCurrency { currency: document.base_currency, rate: decimal(rate), tax });
    }
    Ok(())
}

fn line(own: &SalesLine, figures: &LineFigures, document: &SalesDocument) -> Result<Line, MoneyError> {
    let percent = decimal(own.discount_percent);
    Ok(Line {
        description: own.description.clone(),
        quantity: decimal(own.quantity),
        unit: own.unit.to_string(),
        unit_price: decimal(own.unit_price),
        price_quantity: Decimal::ONE,
        discount_percent: (!percent.is_zero()).then_some(percent),
        discount: figures.gross.minus(figures.net)?,
        charge: Amount::zero(document.content.currency()),
        net: figures.net,
        net_without_tax: document.content.prices_include_tax().then_some(figures.tax_base),
        tax: rate(own.tax),
        withholding_rate: decimal(own.withholding_rate),
    })
}

/// The discount of the document, a part for each tax.
fn discounts(document: &SalesDocument, language: Language) -> Result<Vec<Adjustment>, MoneyError> {
    let content = &document.content;
    let mut shares: BTreeMap<&TaxCode, Amount> = BTreeMap::new();
    for line in &content.figures().lines {
        let share = shares.entry(line.tax).or_insert(Amount::zero(content.currency()));
        *share = share.plus(line.document_discount_share)?;
    }
    let percent = match content.discount() {
        Some(Discount::Percent(percent)) => Some(decimal(percent)),
        Some(Discount::Amount(_)) | None => None,
    };
    let reason = match language {
        Language::Spanish => "Descuento",
        Language::English => "Discount",
    };
    let given = shares.into_iter().filter(|(_, amount)| amount.minor() != 0);
    let adjustment =
        |(tax, amount)| Adjustment { reason: reason.to_owned(), percent, amount, tax: rate(tax) };
    Ok(given.map(adjustment).collect())
}

fn tax(figures: &TaxFigures, document: &SalesDocument) -> Tax {
    let tax = rate(figures.tax);
    Tax {
        tax,
        base: figures.base,
        quota: figures.quota,
        surcharge: figures.surcharge_quota,
        exemption: exemption::of(tax.category, document.content.exemption(figures.tax)),
    }
}

fn withholding(figures: &WithholdingFigures) -> Withholding {
    Withholding { rate: decimal(figures.rate), base: figures.base, amount: figures.amount }
}

fn rate(tax: &TaxCode) -> TaxRate {
    let category = match tax.category {
        Category::Standard => TaxCategory::Standard,
        Category::Zero => TaxCategory::Zero,
        Category::Exempt => TaxCategory::Exempt,
        Category::NotSubject => TaxCategory::NotSubject,
        Category::ReverseCharge => TaxCategory::ReverseCharge,
        Category::IntraCommunity => TaxCategory::IntraCommunity,
        Category::Export => TaxCategory::Export,
        Category::Igic => TaxCategory::Igic,
        Category::Ipsi => TaxCategory::Ipsi,
    };
    TaxRate { category, rate: decimal(tax.charged_rate()), surcharge_rate: decimal(tax.surcharge) }
}

/// A decimal of svc-business, whose texts are plain ones.
fn decimal(value: impl Display) -> Decimal {
    value.to_string().parse().unwrap_or_default()
}
