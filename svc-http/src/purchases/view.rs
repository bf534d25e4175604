//! A document as a response carries it.

use http::StatusCode;
use svc_business::contact::PaymentMethod;
use svc_business::invoicing::Counterparty;
use svc_business::party::{AddressView, TaxIdKind};
use svc_business::purchases::document::{Status, SupplierDocument};
use svc_business::trade::calculation::TaxAdjustment;
use svc_business::trade::{Discount, DiscountType};
use svc_core::clock::Timestamp;
use svc_core::id::FixedAssetId;
use svc_core::pii::{PiiAccess, Shown};
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;

use super::outline_view::Summary;
use super::parts_view::{
    LineView, PaymentView, TaxView, WithholdingView, lines, payments, taxes, withholdings,
};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

wire_view! {
    /// A document that a company received.
    #[derive(Debug)]
    pub(crate) struct View as "SupplierDocument" {
        #[serde(flatten)]
        [flat] summary: Summary,
        /// The supplier as of the approval; null before it.
        supplier: Option<PartyView>,
        /// Units of the base currency for one of the document's; null while it is not known.
        fx_rate: Option<String> => Form::ANY.example("1"),
        /// Whether unit prices include tax.
        prices_include_tax: bool,
        /// What is taken off the whole.
        discount: Option<DiscountView> => Form::ANY.json("null"),
        lines: Vec<LineView>,
        /// The quotas that the document itself states.
        tax_adjustments: Vec<AdjustmentView> => Form::ANY.json("[]"),
        taxes: Vec<TaxView>,
        withholdings: Vec<WithholdingView> => Form::ANY.json("[]"),
        payments: Vec<PaymentView> => Form::ANY.json("[]"),
        /// Text for the company alone.
        notes: Option<String>,
        payment_method: Option<PaymentMethod> => Form::ANY.json("null"),
        /// Where it is to be paid to. Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        /// How much of the tax was deducted of lines that do not say, percent; null before the approval.
        pro_rata: Option<String> => Form::ANY.example("100"),
        rejection_reason: Option<String> => Form::ANY.json("null"),
        void_reason: Option<String> => Form::ANY.json("null"),
        approved_at: Option<Timestamp>,
        rejected_at: Option<Timestamp> => Form::ANY.json("null"),
        voided_at: Option<Timestamp> => Form::ANY.json("null"),
        /// When the payment that settled it was recorded.
        paid_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The fixed assets that its lines became.
        asset_ids: Vec<FixedAssetId> => Form::ANY.json("[]"),
    }
}

wire_view! {
    /// The supplier of a document.
    #[derive(Debug)]
    pub(crate) struct PartyView as "SupplierDocumentParty" {
        name: String => Form::ANY.example("Papelería Mar SL"),
        tax_id_type: TaxIdKind,
        /// Masked but for the first and the last two characters.
        tax_id: Option<Shown<String>> => Form::ANY.example("B******74"),
        /// Null when masked.
        address: Option<Shown<AddressView>> => Form::ANY.json("null"),
        email: Option<String> => Form::EMAIL,
        /// Masked but for the last three digits.
        phone: Option<Shown<String>> => Form::ANY.example("*********000"),
        /// ISO 3166-1
        country: String => Form::pattern("^[A-Z]{2}$").example("ES"),
    }
}

wire_view! {
    /// What is taken off a whole document.
    #[derive(Debug)]
    pub(crate) struct DiscountView as "SupplierDocumentDiscount" {
        r#type: DiscountType,
        /// A percentage, or an amount in the currency of the document.
        value: String => Form::ANY.example("5"),
    }
}

wire_view! {
    /// A quota that a document itself states.
    #[derive(Debug)]
    pub(crate) struct AdjustmentView as "SupplierDocumentTaxAdjustment" {
        tax_code: String => Form::ANY.example("es_in_21"),
        quota: String => Form::ANY.example("10.41"),
    }
}

/// A single document as an answer.
pub(super) async fn answer(
    req: &ApiRequest,
    status: StatusCode,
    document: SupplierDocument,
) -> Result<Answer, Problem> {
    let today = today(req, &document).await?;
    let (company, version) = (document.company, document.version);
    let answer = Answer::personal(status, move |access| View::of(&document, today, access));
    Ok(answer.of(company).version(version))
}

/// The day at the company of a document.
pub(super) async fn today(req: &ApiRequest, document: &SupplierDocument) -> Result<Date, Problem> {
    let company = req.company_of(&req.caller.principal.scope, document.company).await?;
    Ok(company.local_date(req.context.now))
}

impl View {
    /// The document as this sight may see it.
    pub(super) fn of(document: &SupplierDocument, today: Date, access: PiiAccess) -> Self {
        let approval = document.approval_data();
        let (rejection, void) = match &document.status {
            Status::Received { .. } | Status::Approved { .. } => (None, None),
            Status::Rejected { rejection, .. } => (Some(rejection), None),
            Status::Voided { void, .. } => (None, Some(void)),
        };
        Self {
            summary: Summary::of(&document.outline(), today),
            supplier: approval.map(|approval| PartyView::of(&approval.supplier, access)),
            fx_rate: document.fx_rate().map(|rate| rate.to_string()),
            prices_include_tax: document.content.prices_include_tax(),
            discount: document.content.discount().map(DiscountView::of),
            lines: lines(&document.content),
            tax_adjustments: document.content.adjustments().iter().map(AdjustmentView::of).collect(),
            taxes: taxes(&document.content),
            withholdings: withholdings(&document.content),
            payments: payments(document),
            notes: document.notes.clone(),
            payment_method: document.payment_method,
            iban: document.iban.as_ref().map(|iban| iban.show(access)),
            pro_rata: approval.map(|approval| approval.pro_rata.to_string()),
            rejection_reason: rejection.map(|rejection| rejection.reason.clone()),
            void_reason: void.map(|void| void.reason.clone()),
            approved_at: approval.map(|approval| approval.approved_at),
            rejected_at: rejection.map(|rejection| rejection.at),
            voided_at: void.map(|void| void.at),
            paid_at: document.paid_at(),
            asset_ids: approval.map(|approval| approval.assets.clone()).unwrap_or_default(),
        }
    }
}

impl PartyView {
    fn of(party: &Counterparty, access: PiiAccess) -> Self {
        Self {
            name: party.name.clone(),
            tax_id_type: party.tax_id_kind,
            tax_id: party.tax_id.as_ref().map(|id| id.show(access)),
            address: party.address.as_ref().map(|address| address.show(access)),
            email: party.email.as_ref().map(|email| email.as_str().to_owned()),
            phone: party.phone.as_ref().map(|phone| phone.show(access)),
            country: party.country.code().to_owned(),
        }
    }
}

impl DiscountView {
    fn of(discount: Discount) -> Self {
        Self { r#type: discount.kind(), value: discount.value() }
    }
}

impl AdjustmentView {
    fn of(adjustment: &TaxAdjustment) -> Self {
        Self { tax_code: adjustment.tax_code.clone(), quota: adjustment.quota.to_string() }
    }
}
