//! A document as a response carries it.

use http::StatusCode;
use svc_business::account::Account;
use svc_business::contact::PaymentMethod;
use svc_business::party::{AddressView, TaxIdKind};
use svc_business::sales::document::{
    Customer, Issuer, LastSend, Method, ReasonCode, Rectification, SalesDocument, SendStatus, Status,
};
use svc_business::sales::verifactu::{QrHost, QrMode, RecordType, Transmission, qr_url};
use svc_business::trade::{Discount, DiscountType};
use svc_core::clock::Timestamp;
use svc_core::id::SalesDocumentId;
use svc_core::pii::{PiiAccess, Shown};
use svc_core::wire::Form;
use svc_core::wire_view;
use time::Date;
use time::format_description::well_known::Rfc3339;

use super::outline_view::Summary;
use super::parts_view::{
    LineView, PaymentView, TaxView, WithholdingView, lines, payments, taxes, withholdings,
};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

/// Documents that are named as made of another one.
const MOST_DERIVED: u32 = 100;

wire_view! {
    /// A sales document.
    #[derive(Debug)]
    pub(crate) struct View as "SalesDocument" {
        #[serde(flatten)]
        [flat] summary: Summary,
        /// Its place in the series, and in the year where the series begins anew with each.
        sequence: Option<u32> => Form::ANY.number(42),
        /// The customer as of the issue; of a draft as it is now.
        customer: Option<CustomerView>,
        /// The company as of the issue; of a draft as it is now.
        issuer: IssuerView,
        /// Units of the base currency for one of the document's; null while a draft does not know it.
        fx_rate: Option<String> => Form::ANY.example("1"),
        /// Whether unit prices include tax.
        prices_include_tax: bool,
        /// What is taken off the whole.
        discount: Option<DiscountView> => Form::ANY.json("null"),
        lines: Vec<LineView>,
        taxes: Vec<TaxView>,
        withholdings: Vec<WithholdingView> => Form::ANY.json("[]"),
        payments: Vec<PaymentView> => Form::ANY.json("[]"),
        /// Text on the document.
        notes: Option<String>,
        /// Text for the company alone.
        internal_notes: Option<String>,
        payment_method: Option<PaymentMethod> => Form::ANY.json("null"),
        /// Where it is to be paid to. Masked but for the first four and the last four characters.
        iban: Option<Shown<String>>,
        /// What a rectifying document puts right.
        rectifies: Option<RectifiesView> => Form::ANY.json("null"),
        /// The documents that put it right, in the order of their issue.
        rectified_by_ids: Vec<SalesDocumentId> => Form::ANY.json("[]"),
        void_reason: Option<String> => Form::ANY.json("null"),
        issued_at: Option<Timestamp>,
        /// When a mail server first took it.
        sent_at: Option<Timestamp> => Form::ANY.json("null"),
        voided_at: Option<Timestamp> => Form::ANY.json("null"),
        /// When the payment that settled it was recorded.
        paid_at: Option<Timestamp> => Form::ANY.json("null"),
        /// How its last sending ended.
        last_send: Option<LastSendView> => Form::ANY.json("null"),
        /// What the tax office is to learn of it.
        compliance: Option<ComplianceView>,
        /// The documents that were made of it, 100 at most.
        derived_ids: Vec<SalesDocumentId> => Form::ANY.json("[]"),
    }
}

wire_view! {
    /// The customer of a sales document.
    #[derive(Debug)]
    pub(crate) struct CustomerView as "SalesDocumentCustomer" {
        name: String => Form::ANY.example("Ferretería Sol SL"),
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
    /// The company that issues a sales document.
    #[derive(Debug)]
    pub(crate) struct IssuerView as "SalesDocumentIssuer" {
        name: String => Form::ANY.example("Reformas Luna SL"),
        trade_name: Option<String>,
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
    pub(crate) struct DiscountView as "SalesDocumentDiscount" {
        r#type: DiscountType,
        /// A percentage, or an amount in the currency of the document.
        value: String => Form::ANY.example("5"),
    }
}

wire_view! {
    /// What a rectifying document puts right.
    #[derive(Debug)]
    pub(crate) struct RectifiesView as "SalesDocumentRectifies" {
        document_ids: Vec<SalesDocumentId>,
        method: Method,
        reason_code: ReasonCode,
        reason: String => Form::ANY.example("Goods came back"),
        /// What a substitution takes the place of; null until it is issued.
        replaced: Option<ReplacedView> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// Sums over the documents whose place a substitution takes.
    #[derive(Debug)]
    pub(crate) struct ReplacedView as "SalesDocumentReplaced" {
        base: String => Form::ANY.example("1000.00"),
        quota: String => Form::ANY.example("210.00"),
        surcharge_quota: String => Form::ANY.example("0.00"),
    }
}

wire_view! {
    /// How the last sending of a document ended.
    #[derive(Debug)]
    pub(crate) struct LastSendView as "SalesDocumentLastSend" {
        status: SendStatus,
        at: Timestamp,
    }
}

wire_view! {
    /// What the tax office is to learn of a document.
    #[derive(Debug)]
    pub(crate) struct ComplianceView as "SalesDocumentCompliance" {
        verifactu: VerifactuView,
    }
}

wire_view! {
    /// A record of VERI*FACTU.
    #[derive(Debug)]
    pub(crate) struct VerifactuView as "VerifactuRecord" {
        record_type: RecordType,
        /// Its place in the chain of the company, from 1.
        place: u64,
        hash: String => Form::pattern("^[0-9A-F]{64}$")
            .example("3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60"),
        /// The hash of the record before it; null for the first one.
        previous_hash: Option<String> => Form::pattern("^[0-9A-F]{64}$").json("null"),
        /// With the offset of the company's time zone.
        generated: String => Form::ANY.example("2025-03-14T10:15:00+01:00"),
        /// The address behind the QR code; null when masked.
        qr_url: Option<Shown<String>> => Form::ANY.json("null"),
        transmission: Transmission,
    }
}

/// What a document is shown beside.
struct Around {
    today: Date,
    customer: Option<Customer>,
    issuer: Issuer,
    derived: Vec<SalesDocumentId>,
}

impl Around {
    /// Of a new document its company is known, and nothing comes of it yet.
    async fn of(
        req: &ApiRequest,
        document: &SalesDocument,
        new_in: Option<&Account>,
    ) -> Result<Self, Problem> {
        let (business, scope) = (&req.app.business, &req.caller.principal.scope);
        let company = match new_in {
            Some(company) => company.clone(),
            None => req.company_of(scope, document.company).await?,
        };
        let contact = match document.contact.filter(|_| document.issue_data().is_none()) {
            Some(id) => business.contacts().find(scope, id).await?,
            None => None,
        };
        let customer = contact.map(|contact| Customer::of(&contact, company.country));
        Ok(Self {
            today: company.local_date(req.context.now),
            customer,
            issuer: Issuer::of(&company),
            derived: match new_in {
                Some(_) => Vec::new(),
                None => business.sales().derived(document, MOST_DERIVED).await?,
            },
        })
    }
}

/// A single document as an answer.
pub(super) async fn answer(
    req: &ApiRequest,
    status: StatusCode,
    document: SalesDocument,
) -> Result<Answer, Problem> {
    let version = document.version;
    Ok(shown(req, status, document).await?.version(version))
}

/// A document that was just made in this company, as an answer.
pub(super) async fn made(
    req: &ApiRequest,
    document: SalesDocument,
    company: &Account,
) -> Result<Answer, Problem> {
    let version = document.version;
    Ok(around(req, StatusCode::CREATED, document, Some(company)).await?.version(version))
}

/// A document that is not kept as an answer: it has no version.
pub(super) async fn shown(
    req: &ApiRequest,
    status: StatusCode,
    document: SalesDocument,
) -> Result<Answer, Problem> {
    around(req, status, document, None).await
}

async fn around(
    req: &ApiRequest,
    status: StatusCode,
    document: SalesDocument,
    new_in: Option<&Account>,
) -> Result<Answer, Problem> {
    let around = Around::of(req, &document, new_in).await?;
    let company = document.company;
    Ok(Answer::personal(status, move |access| View::of(&document, &around, access)).of(company))
}

/// Today by the calendar of each of these companies.
pub(super) fn today_of(companies: &[Account], id: svc_core::id::AccountId, now: Timestamp) -> Date {
    let company = companies.iter().find(|company| company.id == id);
    company.map_or_else(|| now.date(), |company| company.local_date(now))
}

impl View {
    /// The document as this sight may see it.
    fn of(document: &SalesDocument, around: &Around, access: PiiAccess) -> Self {
        let issue = document.issue_data();
        let void = match &document.status {
            Status::Voided { void, .. } => Some(void),
            Status::Draft { .. } | Status::Issued { .. } => None,
        };
        let customer = match issue {
            Some(issue) => issue.customer.as_ref(),
            None => around.customer.as_ref(),
        };
        let rectified_by = issue.map_or(&[][..], |issue| &issue.rectifications);
        Self {
            summary: Summary::of(&document.outline(), around.today),
            sequence: issue.map(|issue| issue.sequence),
            customer: customer.map(|customer| CustomerView::of(customer, access)),
            issuer: IssuerView::of(issue.map_or(&around.issuer, |issue| &issue.issuer), access),
            fx_rate: document.fx_rate().map(|rate| rate.to_string()),
            prices_include_tax: document.content.prices_include_tax(),
            discount: document.content.discount().map(DiscountView::of),
            lines: lines(&document.content),
            taxes: taxes(&document.content),
            withholdings: withholdings(&document.content),
            payments: payments(document),
            notes: document.notes.clone(),
            internal_notes: document.internal_notes.clone(),
            payment_method: document.payment_method,
            iban: document.iban.as_ref().map(|iban| iban.show(access)),
            rectifies: document.kind.rectification().map(|one| RectifiesView::of(one, document)),
            rectified_by_ids: rectified_by.iter().map(|one| one.document).collect(),
            void_reason: void.map(|void| void.reason.clone()),
            issued_at: issue.map(|issue| issue.issued_at),
            sent_at: issue.and_then(|issue| issue.sent_at),
            voided_at: void.map(|void| void.at),
            paid_at: document.paid_at(),
            last_send: issue.and_then(|issue| issue.last_send).map(LastSendView::of),
            compliance: ComplianceView::of(document, access),
            derived_ids: around.derived.clone(),
        }
    }
}

impl CustomerView {
    fn of(customer: &Customer, access: PiiAccess) -> Self {
        Self {
            name: customer.name.clone(),
            tax_id_type: customer.tax_id_kind,
            tax_id: customer.tax_id.as_ref().map(|id| id.show(access)),
            address: customer.address.as_ref().map(|address| address.show(access)),
            email: customer.email.as_ref().map(|email| email.as_str().to_owned()),
            phone: customer.phone.as_ref().map(|phone| phone.show(access)),
            country: customer.country.code().to_owned(),
        }
    }
}

impl IssuerView {
    fn of(issuer: &Issuer, access: PiiAccess) -> Self {
        Self {
            name: issuer.name.clone(),
            trade_name: issuer.trade_name.clone(),
            tax_id: issuer.tax_id.as_ref().map(|id| id.show(access)),
            address: issuer.address.as_ref().map(|address| address.show(access)),
            email: issuer.email.as_ref().map(|email| email.as_str().to_owned()),
            phone: issuer.phone.as_ref().map(|phone| phone.show(access)),
            country: issuer.country.code().to_owned(),
        }
    }
}

impl DiscountView {
    fn of(discount: Discount) -> Self {
        Self { r#type: discount.kind(), value: discount.value() }
    }
}

impl RectifiesView {
    fn of(rectification: &Rectification, document: &SalesDocument) -> Self {
        let replaced = document.issue_data().and_then(|issue| issue.replaced);
        Self {
            document_ids: rectification.originals.clone(),
            method: rectification.method,
            reason_code: rectification.reason_code,
            reason: rectification.reason.clone(),
            replaced: replaced.map(|replaced| ReplacedView {
                base: replaced.base.to_string(),
                quota: replaced.quota.to_string(),
                surcharge_quota: replaced.surcharge_quota.to_string(),
            }),
        }
    }
}

impl LastSendView {
    const fn of(last: LastSend) -> Self {
        Self { status: last.status, at: last.at }
    }
}

impl ComplianceView {
    fn of(document: &SalesDocument, access: PiiAccess) -> Option<Self> {
        let compliance = document.issue_data()?.compliance.as_ref()?;
        let record = &compliance.record;
        let url = qr_url(&record.subject, QrMode::NotVerifiable, QrHost::Production);
        Some(Self {
            verifactu: VerifactuView {
                record_type: record.subject.record_type,
                place: compliance.place,
                hash: record.hash.to_string(),
                previous_hash: record.previous.map(|hash| hash.to_string()),
                generated: record.generated_at.format(&Rfc3339).unwrap_or_default(),
                qr_url: Some(url.show(access)),
                transmission: compliance.transmission,
            },
        })
    }
}
