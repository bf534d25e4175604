//! The parts of a document that belong to one place of it each: lines, taxes, withholdings and payments.

use std::collections::BTreeMap;

use svc_business::books::account::AccountCode;
use svc_business::books::asset::class::AssetClass;
use svc_business::invoicing::input::PayMethod;
use svc_business::purchases::document::{Content, Line, Means, Payment, SupplierDocument};
use svc_business::trade::calculation::{LineFigures, TaxFigures, WithholdingFigures};
use svc_business::trade::{ItemType, TaxCategory};
use svc_core::clock::Timestamp;
use svc_core::id::{BankAccountId, BankMovementId, PaymentId, SupplierDocumentId, SupplierLineId};
use svc_core::wire::Form;
use svc_core::wire_view;

use super::outline_view::AMOUNT;

wire_view! {
    /// A line of a supplier document.
    #[derive(Debug)]
    pub(crate) struct LineView as "SupplierLine" {
        id: SupplierLineId,
        description: String => Form::ANY.example("Paper"),
        quantity: String => Form::ANY.example("10"),
        /// A code of UN/ECE recommendation 20.
        unit: String => Form::ANY.example("C62"),
        unit_price: String => Form::ANY.example("4.95"),
        discount_percent: String => Form::ANY.example("0"),
        tax_code: String => Form::ANY.example("es_in_21"),
        /// How much of the tax can be deducted; null for as much as the company can.
        deductible_percent: Option<String> => Form::ANY.json("null"),
        /// What the company keeps back (IRPF).
        withholding_rate: String => Form::ANY.example("0"),
        /// The account of the cost; null for the one by the class or the item.
        account_code: Option<AccountCode> => Form::ANY.json("null"),
        item_type: ItemType,
        /// The class of the fixed asset that it becomes.
        asset_class: Option<AssetClass> => Form::ANY.json("null"),
        /// What the company sorts it by.
        tags: BTreeMap<String, String> => Form::ANY.json(r#"{"project":"roof"}"#),
        /// Quantity times price.
        gross_amount: String => Form::ANY.example("49.50"),
        /// After the discount of the line.
        net_amount: String => Form::ANY.example("49.50"),
        /// Its share of the discount of the whole.
        document_discount_share: String => Form::ANY.example("0.00"),
    }
}

wire_view! {
    /// A tax of a supplier document.
    #[derive(Debug)]
    pub(crate) struct TaxView as "SupplierDocumentTax" {
        tax_code: &'static str => Form::ANY.example("es_in_21"),
        /// EN 16931, BT-118
        category: TaxCategory => Form::ANY.example("S"),
        rate: String => Form::ANY.example("21"),
        base: String => Form::ANY.example("49.50"),
        quota: String => Form::ANY.example("10.40"),
    }
}

wire_view! {
    /// What the company keeps back at one rate.
    #[derive(Debug)]
    pub(crate) struct WithholdingView as "SupplierDocumentWithholding" {
        rate: String => Form::ANY.example("15"),
        base: String => Form::ANY.example("1000.00"),
        amount: String => Form::ANY.example("150.00"),
    }
}

wire_view! {
    /// A payment of a supplier document.
    #[derive(Debug)]
    pub(crate) struct PaymentView as "SupplierDocumentPaid" {
        id: PaymentId,
        /// In the currency of the document, with the sign of what is payable.
        amount: String => AMOUNT,
        date: String => Form::DATE,
        method: PayMethod,
        bank_account_id: Option<BankAccountId> => Form::ANY.json("null"),
        movement_id: Option<BankMovementId> => Form::ANY.json("null"),
        /// The document that it was offset against.
        offset_document_id: Option<SupplierDocumentId> => Form::ANY.json("null"),
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
        deductible_percent: line.deductible_percent.map(|percent| percent.to_string()),
        withholding_rate: line.withholding_rate.to_string(),
        account_code: line.account,
        item_type: line.item_type,
        asset_class: line.asset_class,
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
pub(super) fn payments(document: &SupplierDocument) -> Vec<PaymentView> {
    let payments = document.approval_data().map_or(&[][..], |approval| approval.settlement.payments());
    payments.iter().map(PaymentView::of).collect()
}

impl PaymentView {
    pub(super) fn of(payment: &Payment) -> Self {
        let (bank_account_id, movement_id, offset_document_id) = match &payment.means {
            Means::Money { bank_account, movement, .. } => (*bank_account, *movement, None),
            Means::Offset { document, .. } => (None, None, Some(*document)),
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
