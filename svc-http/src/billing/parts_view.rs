//! The parts of a document that belong to one place of it each: lines, taxes, withholdings and payments.

use std::collections::BTreeMap;

use svc_business::books::account::AccountCode;
use svc_business::sales::document::{Content, ItemType, Line, Means, Payment, PaymentMethod, SalesDocument};
use svc_business::trade::calculation::{LineFigures, TaxFigures, WithholdingFigures};
use svc_business::trade::{ExemptionCode, TaxCategory};
use svc_core::clock::Timestamp;
use svc_core::id::{BankAccountId, BankMovementId, PaymentId, SalesDocumentId, SalesLineId};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::outline_view::AMOUNT;

const NOTHING: Form = Form::ANY.example("0.00");
const RATE: Form = Form::ANY.example("21");

wire_view! {
    /// A line of a sales document.
    #[derive(Debug)]
    pub(crate) struct LineView as "SalesLine" {
        id: SalesLineId,
        description: String => Form::ANY.example("Consulting"),
        quantity: String => Form::ANY.example("10"),
        /// A code of UN/ECE recommendation 20.
        unit: String => Form::ANY.example("HUR"),
        unit_price: String => Form::ANY.example("85.50"),
        discount_percent: String => Form::ANY.example("10"),
        tax_code: String => Form::ANY.example("es_vat_21"),
        /// Why no tax is charged.
        exemption_code: Option<ExemptionCode> => Form::ANY.json("null"),
        /// What the customer keeps back (IRPF).
        withholding_rate: String => Form::ANY.example("15"),
        /// The account of the sale; null for the one by the type of the item.
        account_code: Option<AccountCode> => Form::ANY.json("null"),
        item_type: ItemType,
        /// What the company sorts it by.
        tags: BTreeMap<String, String> => Form::ANY.json(r#"{"project":"roof"}"#),
        /// Quantity times price.
        gross_amount: String => Form::ANY.example("855.00"),
        /// After the discount of the line.
        net_amount: String => Form::ANY.example("769.50"),
        /// Its share of the discount of the whole.
        document_discount_share: String => Form::ANY.example("38.47"),
    }
}

wire_view! {
    /// A tax of a sales document.
    #[derive(Debug)]
    pub(crate) struct TaxView as "SalesDocumentTax" {
        tax_code: &'static str => Form::ANY.example("es_vat_21"),
        /// EN 16931, BT-118
        category: TaxCategory => Form::ANY.example("S"),
        rate: String => RATE,
        base: String => Form::ANY.example("1000.00"),
        quota: String => Form::ANY.example("210.00"),
        /// Of the equivalence surcharge.
        surcharge_rate: String => Form::ANY.example("0"),
        surcharge_quota: String => NOTHING,
        /// Why no tax is charged.
        exemption_code: Option<ExemptionCode> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// What the customer keeps back at one rate.
    #[derive(Debug)]
    pub(crate) struct WithholdingView as "SalesDocumentWithholding" {
        rate: String => Form::ANY.example("15"),
        base: String => Form::ANY.example("1000.00"),
        amount: String => Form::ANY.example("150.00"),
    }
}

wire_view! {
    /// A payment of a sales document.
    #[derive(Debug)]
    pub(crate) struct PaymentView as "SalesDocumentPayment" {
        id: PaymentId,
        /// In the currency of the document, with the sign of what is payable.
        amount: String => AMOUNT,
        date: String => Form::DATE,
        method: PaymentMethod,
        bank_account_id: Option<BankAccountId> => Form::ANY.json("null"),
        movement_id: Option<BankMovementId> => Form::ANY.json("null"),
        /// The document that it was offset against, or that took its place.
        offset_document_id: Option<SalesDocumentId> => Form::ANY.json("null"),
        /// Units of the base currency for one of the document's.
        fx_rate: String => Form::ANY.example("1"),
        reference: Option<String>,
        recorded_at: Timestamp,
    }
}

/// The lines with their figures.
pub(super) fn lines(content: &Content) -> Vec<LineView> {
    let lines = content.lines().iter().zip(&content.figures().lines);
    let view = |(line, figures): (&Line, &LineFigures)| LineView {
        id: line.id,
        description: line.description.clone(),
        quantity: line.quantity.to_string(),
        unit: line.unit.to_string(),
        unit_price: line.unit_price.to_string(),
        discount_percent: line.discount_percent.to_string(),
        tax_code: line.tax.code.to_owned(),
        exemption_code: line.exemption,
        withholding_rate: line.withholding_rate.to_string(),
        account_code: line.account,
        item_type: line.item_type,
        tags: line.tags.clone(),
        gross_amount: figures.gross.to_string(),
        net_amount: figures.net.to_string(),
        document_discount_share: figures.document_discount_share.to_string(),
    };
    lines.map(view).collect()
}

/// The taxes, one for each code.
pub(super) fn taxes(content: &Content) -> Vec<TaxView> {
    let view = |figures: &TaxFigures| TaxView {
        tax_code: figures.tax.code,
        category: figures.tax.category,
        rate: figures.tax.rate.to_string(),
        base: figures.base.to_string(),
        quota: figures.quota.to_string(),
        surcharge_rate: figures.tax.surcharge.to_string(),
        surcharge_quota: figures.surcharge_quota.to_string(),
        exemption_code: content.exemption(figures.tax),
    };
    content.figures().taxes.iter().map(view).collect()
}

/// What is kept back, one for each rate.
pub(super) fn withholdings(content: &Content) -> Vec<WithholdingView> {
    let view = |figures: &WithholdingFigures| WithholdingView {
        rate: figures.rate.to_string(),
        base: figures.base.to_string(),
        amount: figures.amount.to_string(),
    };
    content.figures().withholdings.iter().map(view).collect()
}

/// The payments, in the order in which they were recorded.
pub(super) fn payments(document: &SalesDocument) -> Vec<PaymentView> {
    let payments = document.issue_data().map_or(&[][..], |issue| issue.settlement.payments());
    payments.iter().map(PaymentView::of).collect()
}

impl PaymentView {
    pub(super) fn of(payment: &Payment) -> Self {
        let (bank_account_id, movement_id, offset_document_id) = match &payment.means {
            Means::Money { bank_account, movement, .. } => (*bank_account, *movement, None),
            Means::Offset { document, .. } | Means::Replacement { document } => (None, None, Some(*document)),
        };
        Self {
            id: payment.id,
            amount: payment.amount.to_string(),
            date: payment.date.to_string(),
            method: payment.means.method(),
            bank_account_id,
            movement_id,
            offset_document_id,
            fx_rate: payment.fx_rate.to_string(),
            reference: payment.reference.clone(),
            recorded_at: payment.recorded_at,
        }
    }
}
